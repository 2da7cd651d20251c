"""How a hand of 偎麻雀 ends and what is due: wins declared and paid, wins that do not stand, 臭, the last card, 蛰, fees."""

from typing import Any

import msgspec
import pytest

from engine.judge import check
from schemas.events import Settlement, Transfer
from schemas.record import WeimaqueRecord
from schemas.verdict import Verdict, WeimaqueOutcome
from schemas.weimaque import Claim, Hu
from tools.weimaque_hands import made, run_out

RUN_WAIT = "壹壹壹叁叁叁伍伍伍一二三四五六十十七八"
"""Nineteen cards that wait for 六 and 九: hard 息 11."""
POOR_WAIT = "壹壹壹叁叁叁伍陆柒一二三四五六十十七八"
WEI_WAIT = "壹壹壹叁叁叁伍伍一二三四五六七八九十十"
WHOLE = "壹壹壹叁叁叁伍伍伍一二三四五六十十七八九"
OWN_WIN = "甲出玖 乙揭九 乙胡"


def judged(record: WeimaqueRecord, **more: Any) -> Verdict:
    return check(record, possible=True, **more)


def rules(record: WeimaqueRecord) -> list[tuple[int, str]]:
    return [(finding.seq, finding.rule) for finding in judged(record).findings]


def ended(record: WeimaqueRecord) -> WeimaqueOutcome:
    outcome = judged(record).outcome
    assert isinstance(outcome, WeimaqueOutcome)
    return outcome


def due(record: WeimaqueRecord) -> list[tuple[int, int, int]]:
    return [(transfer.from_, transfer.to, transfer.amount) for transfer in ended(record).transfers]


def behind(record: WeimaqueRecord, *events: Any) -> WeimaqueRecord:
    """The record with more events at its end."""
    return msgspec.structs.replace(record, events=[*record.events, *events])


def paid(*transfers: tuple[int, int, int]) -> Settlement:
    return Settlement(transfers=[Transfer(from_=payer, to=to, amount=amount) for payer, to, amount in transfers])


def claimed(record: WeimaqueRecord, **claim: Any) -> WeimaqueRecord:
    """The record with a claim beside its last event, a 胡."""
    hu = record.events[-1]
    assert isinstance(hu, Hu)
    return msgspec.structs.replace(record, events=[*record.events[:-1], msgspec.structs.replace(hu, claim=Claim(**claim))])


class TestWins:
    def test_on_the_winners_own_reveal(self) -> None:
        outcome = ended(made(OWN_WIN, 乙=RUN_WAIT))
        assert (outcome.end, outcome.winners, outcome.valid, outcome.certainty) == ("胡", [1], True, "established")
        assert (outcome.hard_xi, outcome.total_xi, outcome.mingtang) == (11, 21, {"摸胡": 10})

    def test_each_loser_pays_the_total(self) -> None:
        assert due(made(OWN_WIN, 乙=RUN_WAIT)) == [(0, 1, 21), (2, 1, 21)]
        assert due(made("甲出玖 乙揭捌 丁揭九 乙胡", players=4, 乙=RUN_WAIT)) == [(0, 1, 11), (3, 1, 11)]

    def test_through_wei(self) -> None:
        outcome = ended(made("甲出玖 乙揭伍 乙栽伍 乙胡", 乙=WEI_WAIT))
        assert (outcome.hard_xi, outcome.total_xi, outcome.mingtang) == (11, 21, {"摸胡": 10})

    def test_a_triple_completed_by_anothers_reveal_is_a_peng(self) -> None:
        outcome = ended(made("甲出玖 乙揭捌 丙揭伍 乙胡", 乙=WEI_WAIT))
        assert (outcome.hard_xi, outcome.total_xi) == (10, 10)

    @pytest.mark.parametrize(
        ("play", "deal", "total"),
        [
            ("甲胡天胡", {"甲": WHOLE}, 111),
            ("乙胡九小对", {"乙": "一一二二三三四四五五六六七七八八九九十"}, 50),
            ("甲胡九小对", {"甲": "一一二二三三四四五五六六七七八八九九十十"}, 100),
            ("乙胡九小对", {"乙": "一一一一二二三三四四五五六六七七八八八"}, 50),
            ("乙胡无对胡", {"乙": "一二三四五六七八九十壹贰叁肆伍陆柒捌玖"}, 50),
            ("乙胡无对胡", {"乙": "一一一一三四五六七八九十壹贰叁肆伍陆柒"}, 50),
            ("乙胡无对胡", {"乙": "一一四四七八十二壹壹肆柒捌拾贰伍六玖陆"}, None),
            ("乙胡无对胡", {"乙": "一一二四五六七八九十壹壹肆伍陆柒捌玖拾"}, 50),
            ("乙胡无对胡", {"乙": "一一二三五六七八九十壹壹肆伍陆柒捌玖拾"}, None),
            ("乙胡无对胡", {"乙": "一二二三四五六七八九十壹贰叁肆伍陆柒捌"}, None),
        ],
    )
    def test_opening_wins(self, play: str, deal: dict[str, Any], total: int | None) -> None:
        outcome = ended(made(play, **deal))
        assert outcome.total_xi == total
        assert outcome.valid == (total is not None)

    def test_a_win_that_skipped_its_wei_does_not_stand(self) -> None:
        assert not ended(made("甲出玖 乙揭伍 乙胡", 乙=WEI_WAIT)).valid
        outcome = ended(made("甲出玖 乙揭伍 乙胡 乙栽伍 乙胡", 乙=WEI_WAIT))
        assert outcome.valid
        assert outcome.total_xi == 21

    @pytest.mark.parametrize("passed_over", ["乙胡", "乙蛰", "丙蛰", "丙死手"])
    def test_nor_does_it_once_the_missed_wei_has_been_told(self, passed_over: str) -> None:
        record = made(f"甲出玖 乙揭伍 {passed_over} 乙胡", 乙=WEI_WAIT)
        assert (4, "wmq-wei-missed") in rules(record)
        assert not ended(record).valid
        assert rules(made(f"甲出玖 乙揭伍 {passed_over} 乙蛰", 乙=WEI_WAIT))[-1] == (5, "wmq-zhe")

    def test_a_chi_that_is_no_run_is_no_meld(self) -> None:
        hand = "壹壹壹叁叁叁伍伍伍四五六十十七八"
        record = made("甲出一 乙吃一柒捌 乙出陆 丙揭贰 甲揭肆 乙揭九 乙胡", 乙=hand)
        assert rules(record) == [(3, "wmq-chi-run"), (8, "wmq-hu-shape")]
        assert not ended(record).valid

    def test_who_is_dead_by_the_wei_that_completes_his_hand_still_wins(self) -> None:
        hand = "二三壹壹壹叁叁叁柒柒柒玖玖玖一一伍伍八"
        play = "甲出一 乙吃一二三 乙出八 丙揭贰 甲揭肆 乙揭伍 乙栽伍"

        def after(more: str) -> WeimaqueRecord:
            return made(f"{play} {more}", 乙=hand, may_chi_if_can_peng=True)

        assert rules(after("乙胡")) == []
        assert ended(after("乙胡")).valid
        assert rules(after("")) == []
        assert rules(after("丙揭四")) == [(8, "wmq-dead-hand")]
        assert rules(after("乙死手 丙揭四 甲揭六 乙揭十 乙胡")) == [(8, "wmq-dead-hand"), (13, "wmq-hu-shape"), (13, "wmq-hu-dead")]


class TestInvalidWins:
    def test_the_last_word_is_a_win_that_does_not_stand(self) -> None:
        outcome = ended(made(OWN_WIN, 乙=POOR_WAIT))
        assert (outcome.end, outcome.winners, outcome.valid, outcome.transfers) == ("胡", [1], False, [])
        assert outcome.total_xi is None

    @pytest.mark.parametrize("goes_on", ["丙揭四", "乙吃九七八", "丙碰九", "丙吃九七八", "乙蛰"])
    def test_play_goes_on(self, goes_on: str) -> None:
        record = made(f"{OWN_WIN} {goes_on}", 乙=POOR_WAIT)
        assert judged(record).outcome is None
        assert rules(record)[0] == (4, "wmq-hu-xi")

    @pytest.mark.parametrize("talk", ["丙过", "丙叫碰", "丙亮???????????????????"])
    def test_talk_is_not_play(self, talk: str) -> None:
        assert not ended(made(f"{OWN_WIN} {talk}", 乙=POOR_WAIT)).valid

    def test_another_wins_the_same_card(self) -> None:
        other = "贰贰贰捌捌捌玖玖玖一二三四五六四四七八"
        outcome = ended(made("甲出陆 乙揭九 乙胡 甲胡", 甲=other, 乙=POOR_WAIT))
        assert (outcome.winners, outcome.valid) == ([0], True)

    def test_after_it_the_hand_may_end_in_chou(self) -> None:
        outcome = ended(run_out("柒", "乙胡 流局"))
        assert (outcome.end, outcome.winners) == ("流局", [])

    def test_nothing_is_due_for_it(self) -> None:
        record = made(OWN_WIN, 乙=POOR_WAIT)
        assert rules(behind(record, paid((0, 1, 8)))) == [(4, "wmq-hu-xi"), (5, "wmq-settle")]
        assert rules(behind(record, paid())) == [(4, "wmq-hu-xi")]

    def test_what_it_declares_is_not_compared(self) -> None:
        assert rules(claimed(made(OWN_WIN, 乙=POOR_WAIT), hard_xi=99)) == [(4, "wmq-hu-xi")]


class TestClaims:
    @pytest.mark.parametrize(
        ("claim", "broken"),
        [
            ({}, []),
            ({"hard_xi": 11, "total_xi": 21, "mingtang": {"摸胡": 10}}, []),
            ({"hard_xi": 12}, ["wmq-claim-xi"]),
            ({"mingtang": {}}, ["wmq-claim-mingtang"]),
            ({"mingtang": {"摸胡": 20}}, ["wmq-claim-mingtang"]),
            ({"mingtang": {"摸胡": 10, "单吊": 10}}, ["wmq-claim-mingtang"]),
            ({"total_xi": 11}, ["wmq-claim-total"]),
            ({"hard_xi": 0, "total_xi": 0, "mingtang": {}}, ["wmq-claim-xi", "wmq-claim-mingtang", "wmq-claim-total"]),
        ],
    )
    def test_what_was_declared(self, claim: dict[str, Any], broken: list[str]) -> None:
        assert [rule for _, rule in rules(claimed(made(OWN_WIN, 乙=RUN_WAIT), **claim))] == broken


class TestPayments:
    WIN = made(OWN_WIN, 乙=RUN_WAIT)

    @pytest.mark.parametrize(
        "payments",
        [
            [paid((0, 1, 21), (2, 1, 21))],
            [paid((0, 1, 21)), paid((2, 1, 21))],
            [paid((0, 1, 30), (1, 0, 9), (2, 1, 21))],
            [paid((1, 0, -21), (1, 2, -21))],
            [paid((0, 1, 21), (2, 1, 21), (2, 2, 5))],
            [paid((0, 1, 21), (2, 1, 21), (0, 2, 0))],
        ],
    )
    def test_the_net_per_pair_of_seats_is_compared(self, payments: list[Settlement]) -> None:
        assert rules(behind(self.WIN, *payments)) == []

    @pytest.mark.parametrize(
        "payments",
        [[paid()], [paid((0, 1, 21))], [paid((0, 1, 42))], [paid((1, 0, 21), (1, 2, 21))], [paid((0, 1, 21), (2, 1, 21), (0, 2, 1))]],
    )
    def test_a_difference_is_told(self, payments: list[Settlement]) -> None:
        assert rules(behind(self.WIN, *payments)) == [(5, "wmq-settle")]

    def test_it_stands_at_the_last_payment(self) -> None:
        assert rules(behind(self.WIN, paid((0, 1, 21)), paid((2, 1, 20)))) == [(6, "wmq-settle")]

    def test_nothing_is_due_while_the_hand_goes_on(self) -> None:
        assert rules(behind(made("甲出玖 乙揭九"), paid((0, 1, 1)))) == [(4, "wmq-settle")]

    def test_the_message_names_who_pays_whom(self) -> None:
        record = behind(self.WIN, paid((0, 1, 21)))
        (zh,) = [found.message for found in check(record).findings if found.rule == "wmq-settle"]
        (en,) = [found.message for found in check(record, lang="en").findings if found.rule == "wmq-settle"]
        assert zh.endswith("丙付乙0，应为21")
        assert en.endswith("丙 pays 乙 0 instead of 21")

    def test_a_wei_still_due_is_missed_by_paying(self) -> None:
        record = made("甲出玖 乙揭伍", 乙=WEI_WAIT)
        assert rules(behind(record, paid())) == [(4, "wmq-wei-missed")]


class TestFees:
    FOUR = "甲出玖 乙揭捌 丁揭九 乙胡"

    def test_a_win_of_four_without_a_share_for_shouxing(self) -> None:
        assert rules(made(self.FOUR, players=4, 乙=RUN_WAIT)) == [(5, "wmq-shouxing-fee")]
        assert rules(made(self.FOUR, players=4, 乙=RUN_WAIT, shouxing_win="none")) == []
        assert rules(made(OWN_WIN, 乙=RUN_WAIT)) == []

    def test_a_win_that_does_not_stand_pays_nobody(self) -> None:
        assert rules(made("甲出玖 乙揭捌 丁揭九 乙胡", players=4, 乙=POOR_WAIT)) == [(5, "wmq-hu-xi")]

    @pytest.mark.parametrize(("share", "amount"), [("none", None), ("equal", 11), ({"fixed": 7}, 7), ({"fixed": 0}, None)])
    def test_what_shouxing_gets_of_a_win(self, share: Any, amount: int | None) -> None:
        expected = [(0, 1, 11), (3, 1, 11)] + ([(0, 2, amount), (3, 2, amount)] if amount else [])
        assert due(made(self.FOUR, players=4, 乙=RUN_WAIT, shouxing_win=share)) == expected

    def test_chou_of_four(self) -> None:
        assert rules(run_out("柒", "流局", players=4)) == [(25, "wmq-draw-fee")]
        assert due(run_out("柒", "流局", players=4)) == []
        assert rules(run_out("柒", "流局", players=4, draw_fee=0)) == []
        assert due(run_out("柒", "流局", players=4, draw_fee=5)) == [(0, 2, 5), (1, 2, 5), (3, 2, 5)]

    def test_three_at_the_table_owe_no_fee(self) -> None:
        assert rules(run_out("柒", "流局")) == []
        assert due(run_out("柒", "流局", draw_fee=5)) == []


class TestLastCard:
    def test_chou_when_the_stock_is_empty(self) -> None:
        outcome = ended(run_out("柒", "流局"))
        assert (outcome.end, outcome.winners, outcome.valid, outcome.transfers) == ("流局", [], True, [])

    def test_nothing_is_left_to_reveal(self) -> None:
        assert rules(run_out("柒", "!丙揭贰 流局")) == [(25, "wmq-stock-empty")]

    def test_what_is_revealed_behind_the_end_comes_after_it(self) -> None:
        assert rules(run_out("柒", "流局 !丙揭捌"))[-1][1] == "wmq-after-end"

    def test_chou_before_the_last_card_went_by(self) -> None:
        assert rules(run_out("柒", "流局", 乙="柒柒")) == [(25, "wmq-wei-missed"), (25, "wmq-draw")]

    @pytest.mark.parametrize(("allowed", "broken"), [(False, [(25, "wmq-turn")]), (True, [])])
    def test_peng_of_it(self, allowed: bool, broken: list[Any]) -> None:
        assert rules(run_out("柒", "丙碰柒 丙出陆 流局", last_card_claims=allowed)) == broken

    @pytest.mark.parametrize(("allowed", "broken"), [(False, [(25, "wmq-turn")]), (True, [])])
    def test_chi_of_it(self, allowed: bool, broken: list[Any]) -> None:
        assert rules(run_out("柒", "丙吃柒捌玖 丙出陆 流局", last_card_claims=allowed)) == broken
        assert rules(run_out("柒", "乙吃柒捌玖 乙出陆 流局", last_card_claims=allowed)) == broken

    def test_a_call_on_it_does_not_bind(self) -> None:
        assert rules(run_out("柒", "甲叫碰 丙吃柒伍陆", 甲="柒柒")) == [(26, "wmq-turn")]
        assert rules(run_out("柒", "甲叫碰 丙吃柒伍陆", 甲="柒柒", last_card_claims=True)) == [(26, "wmq-claim-priority")]

    def test_it_is_won(self) -> None:
        record = run_out("九", "乙胡", without="六", 乙=RUN_WAIT)
        assert ended(record).mingtang == {"摸胡": 10, "海底胡": 20}
        assert ended(run_out("九", "丙胡", without="六", 丙=RUN_WAIT)).mingtang == {"海底胡": 20}

    @pytest.mark.parametrize(("allowed", "broken"), [(False, [(27, "wmq-turn")]), (True, [])])
    def test_wei_of_it_and_the_discards_behind_it(self, allowed: bool, broken: list[Any]) -> None:
        assert rules(run_out("柒", "乙栽柒 乙出陆 流局")) == []
        assert rules(run_out("柒", "乙栽柒 流局")) == [(26, "wmq-draw")]
        assert rules(run_out("柒", "乙栽柒 乙出肆 丙碰肆 丙出陆 流局", without="肆", last_card_claims=allowed)) == broken
        assert rules(run_out("柒", "乙栽柒 乙出肆 丙吃肆伍陆 丙出捌 流局", without="肆", last_card_claims=allowed)) == broken

    def test_wei_of_it_and_a_dead_hand(self) -> None:
        # What 乙 has left behind the 栽 is 砍 only, so that no discard is due.
        kan = "一一一一三三三三五五五八八八壹壹壹柒柒"
        record = run_out("柒", "乙栽柒 流局", without="一三五八壹", 乙=kan)
        assert rules(record) == [(25, "wmq-dead-hand")]
        assert ended(record).end == "流局"


class TestZhe:
    def test_it_adds_ten_once(self) -> None:
        once = "甲出玖 乙揭九 乙蛰 丙揭六 乙胡"
        assert ended(made(once, 乙=RUN_WAIT)).mingtang == {"蛰一蛰": 10}
        twice = "甲出玖 乙揭九 乙蛰 丙揭六 乙蛰 甲揭九 乙胡"
        assert ended(made(twice, 乙=RUN_WAIT)).mingtang == {"蛰一蛰": 10}

    def test_it_is_not_played(self) -> None:
        play = "甲出玖 乙揭九 乙蛰 丙揭六 乙胡"
        assert ended(made(play, 乙=RUN_WAIT, zhe=False)).mingtang == {}
        assert ended(made(play, 乙=RUN_WAIT, preset="xiaozhuo")).mingtang == {}

    def test_a_wrong_one_adds_nothing(self) -> None:
        record = made("甲出玖 乙揭捌 乙蛰 丙揭六 乙胡", 乙=RUN_WAIT)
        assert rules(record) == [(4, "wmq-zhe")]
        assert ended(record).mingtang == {}

    def test_behind_the_wei_that_completes_the_hand(self) -> None:
        record = made("甲出玖 乙揭伍 乙栽伍 乙蛰 乙出十 丙揭肆 甲揭十 乙胡", 乙=WEI_WAIT)
        assert rules(record) == []
        assert ended(record).mingtang == {"蛰一蛰": 10, "单吊": 10}
