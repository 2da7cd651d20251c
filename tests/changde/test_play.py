"""The course of a hand of 常德麻将, written out: who may do what when, kongs and their 补章, 抢杠, 码 and the end."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.changde.options import OPTIONS
from engine.games import GAMES
from engine.judge import check, judged
from engine.log import effective_log
from schemas.changde import Deal, Draw, Ma, Start
from schemas.verdict import ChangdeOutcome
from tools.changde_hands import made

WAITS_5M = "46m111s222s333p99p"
"""Thirteen tiles that wait for 5m alone."""

WAITS_5M_TOO = "46m777s888s999s11p"
"""Another such hand, beside the first."""

PAIR_5M = "55m"

ROB = {"甲": "5m", "乙": PAIR_5M, "丙": WAITS_5M, "丁": WAITS_5M_TOO}
"""甲 discards 5m, 乙 makes a 碰 of it, draws the fourth and makes the kong that 丙 and 丁 can rob."""

TO_THE_KONG = "甲出5m 乙碰5m 乙出7p 丙摸2m 丙出2m 丁摸1m 丁出1m 甲摸3m 甲出3m 乙摸5m 乙碰杠5m"
"""Up to event 12, the kong; 补章 is event 13."""


def found(play: str, hands: dict[str, str] | None = None, **options: Any) -> str:
    """What is found, as ``seq rule`` in order; nothing may be left open, every tile being known."""
    verdict = check(made(play, hands, **options), possible=True)
    assert all(finding.certainty == "established" for finding in verdict.findings), verdict.findings
    return " ".join(f"{finding.seq} {finding.rule}" for finding in verdict.findings if finding.rule != "cd-deal-size")


def outcome(play: str, hands: dict[str, str] | None = None, **options: Any) -> ChangdeOutcome:
    answer = check(made(play, hands, **options)).outcome
    assert isinstance(answer, ChangdeOutcome)
    return answer


def points(answer: ChangdeOutcome) -> list[int]:
    return [answer.points[str(seat)] for seat in range(4)]


COURSE: list[tuple[str, dict[str, str], str]] = [
    ("甲出1m 乙摸2m 乙出3m", {"甲": "1m", "乙": "3m"}, ""),
    ("甲出1m 丙摸2m", {"甲": "1m"}, "3 cd-turn"),
    ("乙出1m", {"乙": "1m"}, "2 cd-turn"),
    ("甲摸2m", {}, "2 cd-turn"),
    ("甲出1m 乙摸2m 丙摸3m", {"甲": "1m"}, "4 cd-turn"),
    ("甲出9m", {"甲": "123456789m12345s"}, ""),
    ("甲出9p", {"甲": "123456789m12345s"}, "2 cd-discard-held"),
    ("甲出5m 乙吃5m46m", {"甲": "5m", "乙": "46m"}, "3 cd-no-chi"),
    ("甲出5m 丁碰5m 丁出1p", {"甲": "5m", "丁": "55m1p"}, ""),
    ("甲出5m 丁碰5m 丁摸1p", {"甲": "5m", "丁": "55m"}, "4 cd-turn"),
    ("甲出5m 甲碰5m", {"甲": "555m"}, "3 cd-peng-target"),
    ("甲出5m 丁碰6m", {"甲": "5m", "丁": "66m"}, "3 cd-peng-target"),
    ("甲出5m 乙摸1p 丁碰5m", {"甲": "5m", "丁": "55m"}, "4 cd-peng-target"),
    ("丁碰5m", {"丁": "55m"}, "2 cd-peng-target"),
    ("甲出5m 丁碰5m", {"甲": "55m", "丁": "5m", "乙": "5m"}, "3 cd-peng-held"),
    ("甲出5m 丁明杠5m 丁补章1p 丁出1p", {"甲": "5m", "丁": "555m"}, ""),
    ("甲出5m 乙摸1p 丁明杠5m", {"甲": "5m", "丁": "555m"}, "4 cd-kong-target"),
    ("甲出5m 丁明杠5m", {"甲": "55m", "丁": "55m"}, "3 cd-kong-held"),
    ("甲暗杠5m 甲补章1p 甲出1p", {"甲": "5555m"}, ""),
    ("乙暗杠5m", {"乙": "5555m"}, "2 cd-kong-target"),
    ("甲暗杠5m", {"甲": "555m", "乙": "5m"}, "2 cd-kong-held"),
    ("甲出1p 乙摸2p 乙暗杠5m", {"甲": "1p", "乙": "5555m"}, ""),
    ("甲出1p 乙碰1p 乙暗杠5m", {"甲": "1p", "乙": "11p5555m"}, "4 cd-kong-target"),
    ("甲出1p 乙碰1p 乙出9p 丙摸2p 丙出2p 丁摸3p 丁出3p 甲摸4p 甲出4p 乙摸1p 乙碰杠1p", {"甲": "1p", "乙": "11p9p"}, ""),
    ("甲出1p 乙碰1p 乙出9p 丙摸2p 丙出2p 丁摸3p 丁出3p 甲摸4p 甲出4p 乙摸5p 乙碰杠1p", {"甲": "1p", "乙": "111p9p"}, "12 cd-kong-target"),
    ("甲暗杠5m 甲补章1p 甲补章2p", {"甲": "5555m"}, "4 cd-bu-owed"),
    ("甲补章1p", {}, "2 cd-bu-owed"),
    ("甲暗杠5m 乙补章1p", {"甲": "5555m"}, "3 cd-bu-owed"),
    ("甲暗杠5m 甲补章1p 甲暗杠6m 甲补章2p 甲出2p", {"甲": "55556666m"}, ""),
]


@pytest.mark.parametrize(("play", "hands", "findings"), COURSE, ids=[play for play, _, _ in COURSE])
def test_the_course_of_a_hand(play: str, hands: dict[str, str], findings: str) -> None:
    assert found(play, hands) == findings


LATE: list[tuple[str, str]] = [
    ("甲暗杠5m 甲出1p", "3 cd-bu-due"),
    ("甲暗杠5m 甲出1p 甲补章2p 乙摸3p", "3 cd-bu-due"),
    ("甲暗杠5m 甲出1p 乙过 丙叫碰 甲补章2p 乙摸3p", "3 cd-bu-due"),
    ("甲暗杠5m 甲出1p 乙摸3p 甲补章2p", "3 cd-bu-due 5 cd-bu-owed"),
    ("甲暗杠5m 甲出1p 乙碰1p 甲补章2p", "3 cd-bu-due 5 cd-bu-owed"),
    ("甲暗杠5m 甲暗杠6m 甲补章2p 甲出2p 乙摸3p", "3 cd-bu-due"),
    ("甲暗杠5m 甲暗杠6m 甲补章2p 甲补章3p", "3 cd-bu-due 5 cd-bu-owed"),
    ("甲暗杠5m 甲摸4p 甲补章2p", "3 cd-bu-due"),
    ("甲暗杠5m 甲自摸", "3 cd-hu-short"),
    ("甲暗杠5m 甲暗杠6m 甲补章2p 甲自摸", "3 cd-bu-due 5 cd-hu-short"),
    ("甲暗杠5m 乙摸2p 甲补章1p", "3 cd-turn 4 cd-bu-owed"),
    ("甲暗杠5m 流局", "3 cd-draw"),
]


@pytest.mark.parametrize(("play", "findings"), LATE, ids=[play for play, _ in LATE])
def test_a_replacement_left_out(play: str, findings: str) -> None:
    assert found(play, {"甲": "55556666m1p", "乙": "11p"}) == findings


ROBBING: list[tuple[str, str]] = [
    ("乙补章9p 丙抢杠", ""),
    ("乙补章9p 丙抢杠 丁抢杠", ""),
    ("乙补章9p 丁抢杠 丙抢杠", ""),
    ("丙抢杠", "13 cd-rob-window"),
    ("乙补章9p 乙出9p 丙抢杠", "15 cd-rob-window"),
    ("乙补章9p 乙抢杠", "14 cd-rob-window"),
    ("乙补章9p 甲抢杠", "14 cd-hu-shape"),
    ("乙补章9p 丙抢杠 甲抢杠", "15 cd-hu-shape"),
    ("乙补章9p 丙抢杠 丙抢杠", "15 cd-after-end"),
    ("乙补章9p 丙抢杠 乙出9p", "15 cd-after-end"),
    ("乙补章9p 丙抢杠 奖码 丁抢杠", "16 cd-after-end"),
    ("乙补章9p 丙叫胡 乙出9p", "15 cd-rob-window"),
    ("丙叫胡 乙补章9p 乙出9p", "15 cd-rob-window"),
    ("丙叫胡 乙补章9p 丙过 乙出9p", ""),
    ("丙叫胡 丙叫碰 乙补章9p 乙出9p", ""),
    ("甲叫胡 乙补章9p 乙出9p", ""),
    ("丙叫胡 乙补章9p 丙抢杠", ""),
    ("乙补章9p 丙摸1s", "14 cd-turn"),
    ("乙出9p 乙补章8p 丙抢杠", "13 cd-bu-due 15 cd-rob-window"),
    ("乙补章9p 丙自摸", "14 cd-hu-source"),
]


@pytest.mark.parametrize(("play", "findings"), ROBBING, ids=[play for play, _ in ROBBING])
def test_robbing_a_kong_behind_its_replacement(play: str, findings: str) -> None:
    assert found(f"{TO_THE_KONG} {play}", {**ROB, "乙": "55m7p9p"}) == findings


BEFORE: list[tuple[str, str]] = [
    ("丙抢杠", ""),
    ("丙抢杠 丁抢杠", ""),
    ("丙叫胡 乙补章9p", "14 cd-rob-window"),
    ("丙叫胡 丙过 乙补章9p 乙出9p", ""),
    ("乙补章9p 丙抢杠", "14 cd-rob-window"),
    ("甲抢杠 乙补章9p 乙出9p", "13 cd-hu-shape"),
]


@pytest.mark.parametrize(("play", "findings"), BEFORE, ids=[play for play, _ in BEFORE])
def test_robbing_a_kong_before_its_replacement(play: str, findings: str) -> None:
    assert found(f"{TO_THE_KONG} {play}", {**ROB, "乙": "55m7p9p"}, rob_window="before_bu") == findings


def test_no_other_kong_is_robbed() -> None:
    assert found("甲出5m 乙明杠5m 乙补章9p 丙抢杠", {"甲": "5m", "乙": "555m", "丙": WAITS_5M}) == "5 cd-rob-window"
    assert found("甲暗杠5m 甲补章9p 丙抢杠", {"甲": "5555m", "丙": WAITS_5M}) == "4 cd-rob-window"


def test_what_robbers_are_paid_and_who_deals_then() -> None:
    one = outcome(f"{TO_THE_KONG} 乙补章9p 丙抢杠", ROB)
    two = outcome(f"{TO_THE_KONG} 乙补章9p 丙抢杠 丁抢杠", ROB)
    half = outcome(f"{TO_THE_KONG} 乙补章9p 丙抢杠 甲抢杠", ROB)

    assert (one.winners, points(one)) == ([2], [0, -6, 6, 0])
    assert (two.winners, points(two)) == ([2, 3], [0, -12, 6, 6])
    assert (half.winners, points(half)) == ([2], [0, -6, 6, 0])
    game = GAMES["changde"]
    dealers = [
        game.next_dealer(judged(game, effective_log(made(f"{TO_THE_KONG} 乙补章9p {play}", ROB).events)).table)
        for play in ("丙抢杠", "丙抢杠 丁抢杠", "丙抢杠 甲抢杠", "甲抢杠", "")
    ]
    assert dealers == [2, 1, 2, 0, None]


CALLS: list[tuple[str, str]] = [
    ("甲出5m 丁叫碰 乙摸1p", "4 cd-claim-priority"),
    ("甲出5m 丁叫杠 乙摸1p", "4 cd-claim-priority"),
    ("甲出5m 丁叫碰 丁过 乙摸1p", ""),
    ("甲出5m 丁叫碰 丁叫吃 乙摸1p", ""),
    ("甲出5m 丙叫碰 乙摸1p", ""),
    ("甲出5m 丁叫胡 乙摸1p", ""),
    ("甲出5m 丁叫碰 丁碰5m 丁出1s 甲摸1p", ""),
    ("丁叫碰 甲出5m 乙摸1p", ""),
]


@pytest.mark.parametrize(("play", "findings"), CALLS, ids=[play for play, _ in CALLS])
def test_a_call_binds_if_it_is_possible(play: str, findings: str) -> None:
    assert found(play, {"甲": "5m", "丁": "555m1s"}) == findings


@pytest.mark.parametrize(
    ("play", "findings"),
    [("甲出5m 乙叫碰 乙摸1p", "4 cd-claim-priority"), ("甲出5m 乙叫碰 乙过 乙摸1p", ""), ("甲出5m 乙叫碰 乙碰5m", "")],
)
def test_a_call_is_carried_out_or_taken_back_before_a_draw_of_ones_own(play: str, findings: str) -> None:
    assert found(play, {"甲": "5m", "乙": "55m"}) == findings


WON = "111222333m4447p7p"
"""The dealer's fourteen, complete."""


def test_the_dealer_wins_with_what_he_was_dealt() -> None:
    assert found("甲自摸", {"甲": WON}) == ""
    assert found(f"甲自摸({WON})", {"甲": WON}) == ""
    assert found("甲自摸(111222333m4447p)", {"甲": WON}) == "2 cd-hu-shown"
    assert points(outcome("甲自摸", {"甲": WON})) == [6, -2, -2, -2]


def test_a_false_win_and_what_it_leaves() -> None:
    false = "甲出1p 乙摸2p 乙自摸"
    assert found(false, {"甲": "1p"}) == "4 cd-hu-shape"
    stands = outcome(false, {"甲": "1p"})
    assert (stands.end, stands.valid, points(stands), stands.transfers) == ("胡", False, [0, 0, 0, 0], [])
    assert check(made(f"{false} 乙出2p", {"甲": "1p"})).outcome is None
    assert found(f"{false} 乙出2p 丙摸3p", {"甲": "1p"}) == "4 cd-hu-shape"


def test_nobody_wins_on_a_discard() -> None:
    assert found("甲出5m 丙自摸", {"甲": "5m", "丙": WAITS_5M}) == "3 cd-hu-source"
    assert found("甲出5m 丙抢杠", {"甲": "5m", "丙": WAITS_5M}) == "3 cd-rob-window"


def test_all_kongs_at_the_table_are_paid_when_somebody_wins() -> None:
    hands = {"甲": "9999p5m", "乙": "555m", "丙": WAITS_5M.replace("46m", "68m")}
    answer = outcome("甲暗杠9p 甲补章1p 甲出5m 乙明杠5m 乙补章2p 乙出2p 丙摸7m 丙自摸", hands)

    # 暗杠 2 from each, 明杠 3 from the discarder, 自摸 2 from each.
    assert points(answer) == [6 - 3 - 2, 3 - 2 - 2, 6 - 2, -2 - 2]
    void = outcome("甲暗杠9p 甲出5m 乙明杠5m 乙补章2p 乙出2p 丙摸7m 丙自摸", hands)
    assert points(void) == [-3 - 2, 3 - 2, 6, -2]


MA: list[tuple[str, str]] = [
    ("甲自摸:12 奖码12p", ""),
    ("甲自摸:6 奖码12p", "2 cd-claim-points"),
    ("甲自摸 奖码1p", "3 cd-ma-tiles"),
    ("甲自摸 奖码123p", "3 cd-ma-tiles"),
    ("甲自摸 结算乙甲2丙甲2丁甲2", "3 cd-ma-tiles"),
    ("甲出7p 奖码1p", "3 cd-ma-tiles"),
    ("甲自摸 奖码12p 结算乙甲4丙甲4丁甲4", ""),
    ("甲自摸 奖码12p 结算乙甲4丙甲4丁甲2 结算丁甲2", ""),
    ("甲自摸 奖码12p 结算乙甲4丙甲4", "4 cd-settle"),
]


@pytest.mark.parametrize(("play", "findings"), MA, ids=[play for play, _ in MA])
def test_bonus_tiles(play: str, findings: str) -> None:
    assert (
        found(play.replace("奖码12p", "奖码12p").replace("奖码1p", "奖码1p").replace("奖码123p", "奖码123p"), {"甲": WON}, ma_count=2)
        == findings
    )


def test_bonus_tiles_come_from_the_front_of_the_wall() -> None:
    record = made("甲自摸 奖码12p", {"甲": WON}, ma_count=2)
    deal = record.events[1]
    assert isinstance(deal, Deal)
    assert deal.wall is not None
    swapped = [deal.wall[1], deal.wall[0], *deal.wall[2:]]
    events = [record.events[0], replace(deal, wall=swapped), *record.events[2:]]
    assert [finding.rule for finding in check(replace(record, events=events)).findings] == ["cd-ma-tiles"]


@pytest.mark.parametrize("wall_known", [True, False])
def test_bonus_tiles_before_the_win_are_none_of_its(wall_known: bool) -> None:
    record = made("甲出1p 乙摸5s 乙自摸:18 奖码15p", {"甲": "1p", "乙": "46s111m222m333m99p"}, ma_count=2)
    start, deal, discard, *rest = record.events
    assert isinstance(deal, Deal)
    early = replace(record, events=[start, deal if wall_known else replace(deal, wall=None), discard, Ma(pai=["9m"]), *rest])
    verdict = check(early)
    assert [(finding.seq, finding.rule) for finding in verdict.findings] == [(3, "cd-ma-tiles")]
    assert isinstance(verdict.outcome, ChangdeOutcome)
    assert points(verdict.outcome) == [-6, 18, -6, -6]


def test_the_wall_runs_out() -> None:
    hands = {"甲": "1p", "乙": "99s", "丙": "11p", "丁": "222p"}
    assert found("甲出1p 乙摸9s 乙出9s 流局", hands, wall=1) == ""
    assert found("甲出1p 乙摸9s 流局", hands, wall=1) == "4 cd-draw"
    assert found("甲出1p 流局", hands, wall=1) == "3 cd-draw"
    assert found("甲出1p 乙摸9s 乙出9s 丙摸8s", hands, wall=1) == "5 cd-wall-empty"
    assert found("甲出1p 乙摸9s 乙出9s 流局 丙摸8s", hands, wall=1) == "6 cd-after-end"
    assert found("甲出1p 乙摸2p 乙出2p 丁明杠2p", hands, wall=1) == "5 cd-kong-replaceable"
    assert found("甲出1p 乙摸2p 乙出2p 丁碰2p", hands, wall=1) == "5 cd-turn"
    assert found("甲出1p 乙摸2p 乙出2p 丁明杠2p 丁补章9p 丁出9p 流局", hands, wall=2) == ""
    assert found("甲出1p 乙摸2p 乙出2p 丁叫碰 流局", hands, wall=1) == ""


@pytest.mark.parametrize(("order", "first"), [("stack", "8p9p"), ("linear", "9p8p")])
def test_the_tail_of_the_wall(order: str, first: str) -> None:
    """The wall of six: 摸 takes places 0, 1; 补章 4, 5, 2, 3 from stacks, 5, 4, 3, 2 one by one."""
    play = "甲暗杠1m 甲补章8p 甲暗杠2m 甲补章9p 甲出9p 乙摸1s 乙出1s 丙摸2s"
    record = made(play, {"甲": "1111m2222m"}, tail_order=order)
    deal = record.events[1]
    assert isinstance(deal, Deal)
    assert deal.wall is not None
    assert "".join(deal.wall[-2:]) == first
    assert found(play, {"甲": "1111m2222m"}, tail_order=order) == ""


def test_a_draw_that_does_not_lie_there() -> None:
    record = made("甲出1p 乙摸2p", {"甲": "1p"})
    drawn = record.events[3]
    assert isinstance(drawn, Draw)
    events = [*record.events[:3], replace(drawn, pai="3p")]
    assert [finding.rule for finding in check(replace(record, events=events)).findings] == ["cd-wall-order"]


def test_hongzhong_is_neither_claimed_nor_made_a_kong() -> None:
    hands = {"甲": "7z", "乙": "77z"}
    assert found("甲出7z 乙碰7z", hands, preset="hongzhong") == "3 cd-peng-zhong"
    assert found("甲出7z 乙摸7z 乙出7z", hands, preset="hongzhong") == ""
    assert found("甲暗杠7z", {"甲": "7777z"}, preset="hongzhong") == "2 cd-peng-zhong"


def test_an_open_bonus_leaves_the_outcome_open_unless_the_wall_tells() -> None:
    told = made("甲自摸:12", {"甲": WON}, ma_count=2)
    verdict = check(told, possible=True)
    assert verdict.outcome is not None
    assert verdict.outcome.certainty == "established"
    deal = told.events[1]
    assert isinstance(deal, Deal)
    hidden = replace(told, events=[told.events[0], replace(deal, wall=None), *told.events[2:]])
    verdict = check(hidden, possible=True)
    assert verdict.outcome is not None
    assert verdict.outcome.certainty == "possible"
    assert [(finding.rule, finding.certainty) for finding in verdict.findings] == [("cd-claim-points", "possible")]


OPTION_FLIPS: list[tuple[str, Any, str, Any, str, str, dict[str, str], dict[str, Any]]] = [
    ("rob_window", "after_bu", "", "before_bu", "14 cd-rob-window", f"{TO_THE_KONG} 乙补章9p 丙抢杠", ROB, {}),
    ("added_kong_any", False, "12 cd-kong-target", True, "",
     "甲出5m 乙碰5m 乙出7p 丙摸2m 丙出2m 丁摸1m 丁出1m 甲摸3m 甲出3m 乙摸6m 乙碰杠5m", {"甲": "5m", "乙": "555m7p"}, {}),
    ("kong_after_peng", False, "4 cd-kong-target", True, "", "甲出1p 乙碰1p 乙暗杠5m", {"甲": "1p", "乙": "11p5555m"}, {}),
    ("discard_zhong_forfeits", False, "", True, "10 cd-hu-forfeit",
     "甲出7z 乙摸2m 乙出2m 丙摸1m 丙出1m 丁摸3m 丁出3m 甲摸5m 甲自摸", {"甲": "7z" + WAITS_5M}, {"preset": "hongzhong"}),
    ("four_zhong_wins", False, "2 cd-hu-shape", True, "", "甲自摸", {"甲": "7777z147m258s369p1s"}, {"preset": "hongzhong"}),
    ("fifth_copy", True, "", False, "4 cd-hu-shape",
     "甲出1p 乙摸8p 乙自摸", {"甲": "1p", "乙": "1111m456m555s67p7z"}, {"preset": "hongzhong"}),
    ("seven_pairs", False, "2 cd-hu-shape", True, "", "甲自摸", {"甲": "1144m5588s1166p99s"}, {}),
    ("ma_count", 0, "", 2, "3 cd-ma-tiles", "甲自摸 结算乙甲2丙甲2丁甲2", {"甲": WON}, {}),
    ("preset", "hongzhong", "", "standard", "1 cd-copies", "甲出7z", {"甲": "7z"}, {}),
    ("tail_order", "stack", "", "linear", "3 cd-wall-order", "甲暗杠1m 甲补章8p", {"甲": "1111m"}, {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("option", "value", "findings", "other", "then", "play", "hands", "more"), OPTION_FLIPS, ids=[row[0] for row in OPTION_FLIPS]
)
def test_options_of_the_play(
    option: str, value: Any, findings: str, other: Any, then: str, play: str, hands: dict[str, str], more: dict[str, Any]
) -> None:
    record = made(play, hands, **more, **{option: value})
    start = record.events[0]
    assert isinstance(start, Start)

    def under(rules: Any) -> str:
        verdict = check(record, rules=rules)
        return " ".join(f"{finding.seq} {finding.rule}" for finding in verdict.findings if finding.rule != "cd-deal-size")

    assert under(start.rules) == findings
    assert under(replace(start.rules, **{option: other})) == then


TWO = "甲暗杠1m 甲补章1p 甲暗杠2m 甲出1p 乙摸5s 乙自摸"
"""甲 makes a kong rightly and another without 补章; 乙 wins."""

PAID: list[tuple[str, Any, list[int], Any, list[int], str, dict[str, str], dict[str, Any]]] = [
    ("ma_mode", "159", [18, -6, -6, -6], "shangzhuang", [18, -6, -6, -6], "甲自摸 奖码15p", {"甲": WON}, {"ma_count": 2}),
    ("ma_mode", "159", [-6, 18, -6, -6], "shangzhuang", [-2, 6, -2, -2],
     "甲出1p 乙摸5s 乙自摸 奖码15p", {"甲": "1p", "乙": "46s111m222m333m99p"}, {"ma_count": 2}),
    ("ma_mode", "159", [-2, 6, -2, -2], "shangzhuang", [-6, 18, -6, -6],
     "甲出1p 乙摸5s 乙自摸 奖码26p", {"甲": "1p", "乙": "46s111m222m333m99p"}, {"ma_count": 2}),
    ("ma_value", 2, [12, -4, -4, -4], 5, [21, -7, -7, -7], "甲自摸 奖码12p", {"甲": WON}, {"ma_count": 2}),
    ("no_zhong_bonus", "double_tiles", [12, -4, -4, -4], "plus_one_hit", [12, -4, -4, -4],
     "甲自摸 奖码21p", {"甲": WON}, {"ma_count": 1, "preset": "hongzhong"}),
    ("no_zhong_bonus", "none", [6, -2, -2, -2], "plus_one_hit", [12, -4, -4, -4],
     "甲自摸 奖码2p", {"甲": WON}, {"ma_count": 1, "preset": "hongzhong"}),
    ("no_zhong_bonus", "none", [6, -2, -2, -2], "plus_one_tile", [12, -4, -4, -4],
     "甲自摸 奖码21p", {"甲": WON}, {"ma_count": 1, "preset": "hongzhong"}),
    ("rob_ma", "triple", [0, -12, 12, 0], "once", [0, -8, 8, 0], f"{TO_THE_KONG} 乙补章9p 丙抢杠 奖码12p", ROB, {"ma_count": 2}),
    ("rob_ma", "triple", [0, -12, 12, 0], "none", [0, -6, 6, 0], f"{TO_THE_KONG} 乙补章9p 丙抢杠 奖码12p", ROB, {"ma_count": 2}),
    ("void_all_kongs", False, [4, 4, -4, -4], True, [-2, 6, -2, -2], TWO, {"甲": "1111m2222m", "乙": "46s444m777m888m99p"}, {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("option", "value", "due", "other", "then", "play", "hands", "more"), PAID, ids=[f"{row[0]} {row[3]} {row[5]}" for row in PAID]
)
def test_options_of_the_payment(
    option: str, value: Any, due: list[int], other: Any, then: list[int], play: str, hands: dict[str, str], more: dict[str, Any]
) -> None:
    assert points(outcome(play, hands, **more, **{option: value})) == due
    assert points(outcome(play, hands, **more, **{option: other})) == then


@pytest.mark.parametrize(("option", "dealer"), [("stays", 3), ("last_drawer", 1), ("next", 0)])
def test_who_deals_behind_a_draw(option: str, dealer: int) -> None:
    game = GAMES["changde"]
    record = made("丁出1p 甲摸2p 甲出2p 乙摸9s 乙出9s 流局", {"丁": "1p"}, dealer=3, wall=2, draw_dealer=option)

    assert game.next_dealer(judged(game, effective_log(record.events)).table) == dealer


def test_every_option_changes_an_answer() -> None:
    shown = {row[0] for row in OPTION_FLIPS} | {row[0] for row in PAID} | {"draw_dealer"}

    assert shown == {option.name for option in OPTIONS}
