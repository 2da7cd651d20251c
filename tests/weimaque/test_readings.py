"""The readings of doubtful passages and the settled details of 偎麻雀, sentence by sentence, where one rule's hands do not show them."""

from typing import Any

import msgspec
import pytest

from engine.judge import check
from engine.replay import frame
from schemas import weimaque as w
from schemas.base import UNSET
from schemas.events import Settlement, Transfer
from schemas.record import WeimaqueRecord
from tools.weimaque_hands import made, words

FEES = {"wmq-draw-fee", "wmq-shouxing-fee"}
TRIPLE_WAIT = "壹壹壹叁叁叁伍伍伍一二三四五六十十九九"
"""Nineteen cards that wait for 九 and 十."""
ONLY_KAN = "一一一一三三三五五五八八八壹壹壹叁叁叁"


def broken(record: WeimaqueRecord) -> str:
    return " ".join(f"{finding.seq} {finding.rule}" for finding in check(record).findings if finding.rule not in FEES)


def dealt(*events: Any, hands: Any = None, stock: Any = None, players: int = 3) -> WeimaqueRecord:
    """A record of ``events`` with this deal, and nothing known where nothing is said."""
    start = made("", players=players).events[0]
    deal = msgspec.convert({"type": "起牌", "hands": hands or [None] * players, "stock": stock}, w.Deal)
    return WeimaqueRecord(format="paipu/1", events=[start, deal, *events])


class TestPassed:
    """R-PASS."""

    def test_whose_peng_was_overridden_has_let_nothing_pass(self) -> None:
        play = "丙出九 {}甲吃九七八 甲出五 乙揭三 丙揭九 乙碰九 乙出六"
        deal: dict[str, Any] = {"dealer": "丙", "乙": "六"}
        assert broken(made(play.format("乙叫碰 "), **deal)) == "4 wmq-claim-priority"
        assert broken(made(play.format(""), **deal)) == "7 wmq-peng-passed"
        assert broken(made(play.format("乙叫碰 乙过 "), **deal)) == "9 wmq-peng-passed"

    def test_whose_win_was_overridden_has_let_nothing_pass(self) -> None:
        play = "丙出陆 甲揭捌 乙揭四 丙揭九 {}甲吃九七八 甲出肆 乙揭拾 丙揭九 乙碰九 乙出六"
        deal: dict[str, Any] = {"dealer": "丙", "乙": TRIPLE_WAIT}
        assert broken(made(play.format("乙叫胡 "), **deal)) == "7 wmq-claim-priority"
        assert broken(made(play.format(""), **deal)) == "10 wmq-peng-passed"

    def test_whose_chi_of_his_own_reveal_was_overridden_keeps_it_but_for_having_played_it(self) -> None:
        play = "甲出三 乙揭九 {}丙吃九七八 丙出五 甲揭九 乙吃九七八 乙出六"
        deal: dict[str, Any] = {"乙": "七八"}
        assert broken(made(play.format(""), **deal)) == "7 wmq-chi-discarded 7 wmq-chi-passed"
        assert broken(made(play.format("乙叫吃 "), **deal)) == "8 wmq-chi-discarded"

    def test_a_call_that_nobody_carries_out_keeps_nothing(self) -> None:
        assert broken(made("甲出九 乙叫碰 乙揭捌 丙揭九 乙碰九 乙出五")) == "6 wmq-peng-passed"

    def test_a_call_that_was_not_possible_keeps_nothing(self) -> None:
        # 乙 is a dead hand, so his 叫 binds nobody.
        play = "甲出三 乙碰三 丙揭八 乙叫碰 甲吃八七九 甲出六"
        assert broken(made(play, 乙=ONLY_KAN)) == "3 wmq-dead-hand"

    def test_a_card_that_was_laid_down_as_wei_was_never_shown(self) -> None:
        assert broken(made("甲出三 乙揭九 乙栽九 乙出五 丙揭四 甲揭九 乙吃九七八 乙出六", 乙="七八")) == ""

    def test_a_card_taken_by_peng_was_never_offered(self) -> None:
        assert broken(made("甲出三 乙揭九 甲碰九 甲出五 乙揭四 丙揭九 丙吃九七八 丙出六")) == ""

    def test_wei_and_hu_are_never_blocked(self) -> None:
        assert broken(made("甲出九 乙揭捌 丙揭四 甲揭三 乙揭九 乙栽九 乙出五")) == ""
        assert broken(made("甲出玖 乙揭捌 丙揭九 甲揭肆 乙揭拾 丙揭九 乙胡", 乙=TRIPLE_WAIT)) == ""

    def test_able_asks_for_the_owner_of_a_reveal_that_was_eaten_too(self) -> None:
        play = "甲出三 乙揭九 丙吃九七八 丙出五 甲揭九 乙吃九七八 乙出六"
        assert broken(made(play, 乙="七八", chi_passed="able")) == "7 wmq-chi-discarded 7 wmq-chi-passed"

    def test_the_card_claimed_lies_there_still_after_talk(self) -> None:
        assert broken(made("甲出九 丙过 乙过 甲亮???????????????????  丙碰九 丙出五")) == ""


class TestClaimed:
    """R-CLAIMED: the claimed card's kind only, for the whole hand; a 栽 bars nothing."""

    def test_wei_bars_nothing(self) -> None:
        assert broken(made("甲出三 乙揭九 乙栽九 乙出九", 乙="九九九")) == ""


class TestUnknownCards:
    def test_a_fifth_copy_stands_where_it_comes_to_light(self) -> None:
        record = dealt(*words("甲出九 乙揭捌 丙揭九 甲揭九 乙揭九 丙揭玖 甲吃玖柒捌 甲出九"))
        assert broken(record) == "9 wmq-copies"

    def test_a_hand_shown_counts(self) -> None:
        record = dealt(*words("甲出九 乙揭捌 丙揭九 甲揭九 乙亮九九?????????????????"))
        assert broken(record) == "6 wmq-copies"

    def test_the_deal_alone(self) -> None:
        start, deal, *_ = made("").events
        assert isinstance(deal, w.Deal)
        hands: list[Any] = [list(hand or []) for hand in deal.hands]
        at = next(at for at, card in enumerate(hands[0]) if card != "一")
        hands[0][at] = "一"
        record = WeimaqueRecord(format="paipu/1", events=[start, w.Deal(hands=hands, stock=deal.stock)])
        assert broken(record) == "1 wmq-copies"

    @pytest.mark.parametrize(
        ("sizes", "stock", "wrong"),
        [((20, 19, 19), 22, ""), ((19, 19, 19), 22, "1"), ((20, 20, 19), 22, "1"), ((20, 19, 18), 22, "1"), ((20, 19, 19), 21, "1")],
    )
    def test_sizes_count_unknown_cards_too(self, sizes: tuple[int, ...], stock: int, wrong: str) -> None:
        record = dealt(hands=[["?"] * size for size in sizes], stock=["?"] * stock)
        assert broken(record) == (f"{wrong} wmq-deal-size" if wrong else "")

    def test_shouxing_is_dealt_nothing(self) -> None:
        hands = [["?"] * 20, ["?"] * 19, [], ["?"] * 19]
        assert broken(dealt(hands=hands, players=4)) == ""
        hands[2] = ["?"]
        assert broken(dealt(hands=hands, players=4)) == "1 wmq-deal-size"

    def test_nothing_is_known_without_a_deal(self) -> None:
        start = made("").events[0]
        record = WeimaqueRecord(format="paipu/1", events=[start, *words("甲出九 乙碰九 乙出五")])
        assert broken(record) == ""
        wrong = WeimaqueRecord(format="paipu/1", events=[start, *words("甲出九 甲揭五")])
        assert broken(wrong) == "2 wmq-turn"


class TestImpossible:
    def test_it_is_folded_as_if_it_happened_and_named_behind(self) -> None:
        findings = check(made("甲出九 !乙碰九 乙出五 甲揭捌", 乙="九")).findings
        assert [(finding.seq, finding.rule, finding.after_impossible) for finding in findings] == [
            (3, "wmq-peng-held", UNSET),
            (5, "wmq-turn", 3),
        ]

    def test_counts_stay_at_nothing(self) -> None:
        record = made("甲出九 !乙碰九 !乙出五 !乙出五 !乙出五 !乙出五 !乙出五", 乙="五")
        state = frame(record, len(record.events) - 1).state
        assert all(seat.hidden >= 0 for seat in state.seats)

    def test_the_payment_behind_it_says_so_too(self) -> None:
        record = made("甲出九 !乙碰九 乙出五", 乙="九")
        settled = msgspec.structs.replace(record, events=[*record.events, Settlement(transfers=[Transfer(from_=0, to=1, amount=1)])])
        last = check(settled).findings[-1]
        assert (last.rule, last.after_impossible) == ("wmq-settle", 3)


class TestShown:
    def test_a_hand_shown_is_public_from_then_on(self) -> None:
        record = made("甲出九 乙亮一二三四五六七八九十壹贰叁肆伍陆柒捌玖 乙揭捌", 乙="一二三四五六七八九十壹贰叁肆伍陆柒捌玖")
        before, behind = (frame(record, seq, view="public").state.seats[1] for seq in (2, 4))
        assert before.hand is None
        assert behind.hand is not None
        assert len(behind.hand) == 19
        assert frame(record, 4, view="public").state.seats[2].hand is None
