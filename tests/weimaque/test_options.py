"""For every option of 偎麻雀 a record whose answer changes when the option is flipped and nothing else."""

from typing import Any

import pytest

from engine.judge import check
from engine.weimaque.options import OPTIONS
from schemas.record import WeimaqueRecord
from schemas.verdict import WeimaqueOutcome
from schemas.weimaque import Start
from tools.weimaque_hands import made, run_out

RUN_WAIT = "壹壹壹叁叁叁伍伍伍一二三四五六十十七八"
POOR_WAIT = "壹壹壹叁叁叁伍陆柒一二三四五六十十七八"
ONLY_KAN = "一一一一三三三五五五八八八壹壹壹叁叁叁"

FEES = {"wmq-draw-fee", "wmq-shouxing-fee"}
OPTION = {option.name: option for option in OPTIONS}

LEGALITY: list[tuple[str, Any, str, Any, str, str, dict[str, Any]]] = [
    ("own_discard_blocks_peng", False, "2 wmq-discard-kan", True, "2 wmq-discard-kan 5 wmq-peng-passed",
     "甲出九 乙揭捌 丙揭九 甲碰九 甲出五", {"甲": "九九九"}),
    ("own_discard_blocks_peng", False, "2 wmq-discard-kan", True, "2 wmq-discard-kan 6 wmq-peng-passed",
     "甲出九 乙吃九七八 乙出四 丙揭九 甲碰九 甲出五", {"甲": "九九九"}),
    ("chi_passed", "offered", "14 wmq-chi-passed", "able", "",
     "甲出九 乙揭捌 丙揭四 甲揭五 乙揭陆 丙揭二 甲揭十 乙吃十八九 乙出三 丙碰三 丙出肆 甲揭九 乙吃九七八",
     {"乙": "九九八八七", "丙": "三三"}),
    ("chi_passed", "offered", "", "seen", "9 wmq-chi-passed", "甲出九 乙揭捌 丙揭四 丙吃四五六 丙出三 甲揭伍 乙揭九 丙吃九七八", {}),
    ("may_chi_if_can_peng", False, "3 wmq-chi-could-peng", True, "", "甲出九 乙吃九七八 乙出五", {"乙": "九九"}),
    ("discard_ban", "claimed", "", "whole_meld", "4 wmq-discard-claimed", "甲出九 乙吃九七八 乙出七", {"乙": "七七"}),
    ("forbid_dead_claim", False, "3 wmq-dead-hand", True, "3 wmq-turn 3 wmq-dead-hand", "甲出三 乙碰三", {"乙": ONLY_KAN}),
    ("forbid_dead_claim", False, "4 wmq-claim-priority", True, "", "甲出三 丙叫碰 乙吃三四五", {"丙": ONLY_KAN}),
    ("min_hard_xi", 10, "4 wmq-hu-xi", 8, "", "甲出玖 乙揭九 乙胡", {"乙": POOR_WAIT}),
    ("min_hard_xi", 10, "", 12, "4 wmq-hu-xi", "甲出玖 乙揭九 乙胡", {"乙": RUN_WAIT}),
    ("min_hard_xi", 10, "", 12, "2 wmq-hu-opening", "甲胡天胡", {"甲": "壹壹壹叁叁叁伍伍伍一二三四五六十十七八九"}),
    ("zhe", True, "", False, "4 wmq-zhe", "甲出玖 乙揭九 乙蛰", {"乙": RUN_WAIT}),
    ("preset", "dazhuo", "", "xiaozhuo", "2 wmq-hu-opening", "乙胡九小对", {"乙": "一一二二三三四四五五六六七七八八九九"}),
    ("wudui_two_black", True, "", False, "2 wmq-hu-opening", "乙胡无对胡", {"乙": "一一二四五六七八九十壹壹肆伍陆柒捌玖拾"}),
    ("values", {}, "", {"九小对": 0, "十对": 0}, "2 wmq-hu-opening", "乙胡九小对", {"乙": "一一二二三三四四五五六六七七八八九九"}),
]  # fmt: skip

TOTALS: list[tuple[str, Any, int, Any, int, str, dict[str, Any]]] = [
    ("mohu", True, 21, False, 11, "甲出玖 乙揭九 乙胡", {"乙": RUN_WAIT}),
    ("values", {}, 21, {"摸胡": 30}, 41, "甲出玖 乙揭九 乙胡", {"乙": RUN_WAIT}),
    ("preset", "dazhuo", 21, "xiaozhuo", 11, "甲出玖 乙揭九 乙胡", {"乙": RUN_WAIT}),
    ("zhe", True, 21, False, 11, "甲出玖 乙揭捌 丙揭九 乙蛰 甲揭六 乙胡", {"乙": RUN_WAIT}),
    ("chunyin", "replaces", 140, "adds", 160, "甲出六 乙揭叁 乙胡", {"乙": "二二二一二三四四四伍伍伍玖玖玖捌捌捌叁"}),
    ("duohong_unit", 20, 55, 10, 45, "甲出七 乙揭叁 乙胡", {"乙": "贰贰贰柒柒柒拾拾拾一二三四五六玖玖玖叁"}),
    ("dandiao", "pair", 55, "last_card", 45, "甲出七 乙揭叁 乙胡", {"乙": "贰贰贰柒柒柒拾拾拾一二三四五六玖玖玖叁"}),
    ("jiabapengtou_once", True, 416, False, 516, "甲出七 乙揭玖 乙胡", {"乙": "四四四五五五肆肆肆伍伍伍三四五叁肆伍玖"}),
    ("longbaiwei_mixed", False, 80, True, 180, "甲出七 乙揭叁 乙胡", {"乙": "一一一一二三拾拾拾拾捌玖四四四伍伍伍叁"}),
    ("multiplier_base", "hard", 150, "all", 300, "甲出七 乙揭柒 乙胡", {"乙": "一一一三三三四四四伍伍伍玖玖玖捌捌捌柒"}),
    ("zusunzhuo_daituo", 300, 392, 200, 292, "甲出七 乙揭叁 乙胡", {"乙": "三三三四四四五五五三四五捌捌捌捌玖拾叁"}),
]


def record(play: str, option: str, value: Any, deal: dict[str, Any]) -> WeimaqueRecord:
    return made(play, **{**deal, option: value})


def broken(play: WeimaqueRecord) -> str:
    return " ".join(f"{finding.seq} {finding.rule}" for finding in check(play, possible=True).findings if finding.rule not in FEES)


def outcome(play: WeimaqueRecord) -> WeimaqueOutcome:
    found = check(play).outcome
    assert isinstance(found, WeimaqueOutcome)
    return found


@pytest.mark.parametrize(("option", "one", "breaks", "other", "breaks_then", "play", "deal"), LEGALITY)
def test_what_is_broken(option: str, one: Any, breaks: str, other: Any, breaks_then: str, play: str, deal: dict[str, Any]) -> None:
    assert broken(record(play, option, one, deal)) == breaks
    assert broken(record(play, option, other, deal)) == breaks_then
    if option != "preset":
        assert broken(made(play, **deal)) == (breaks if OPTION[option].values[0] == one else breaks_then)


@pytest.mark.parametrize(("option", "one", "total", "other", "total_then", "play", "deal"), TOTALS)
def test_what_a_win_pays(option: str, one: Any, total: int, other: Any, total_then: int, play: str, deal: dict[str, Any]) -> None:
    assert outcome(record(play, option, one, deal)).total_xi == total
    assert outcome(record(play, option, other, deal)).total_xi == total_then
    assert outcome(made(play, **deal)).total_xi == total


def test_last_card_claims() -> None:
    assert broken(run_out("柒", "丙碰柒 丙出陆 流局")) == "25 wmq-turn"
    assert broken(run_out("柒", "丙碰柒 丙出陆 流局", last_card_claims=True)) == ""


def test_haidi_self_only() -> None:
    for by, total, total_then in (("丙", 31, 11), ("乙", 41, 41)):
        hand: dict[str, Any] = {by: RUN_WAIT}
        assert outcome(run_out("九", f"{by}胡", without="六", **hand)).total_xi == total
        assert outcome(run_out("九", f"{by}胡", without="六", haidi_self_only=True, **hand)).total_xi == total_then


@pytest.mark.parametrize(("share", "amount"), [("none", 0), ("equal", 11), ({"fixed": 7}, 7)])
def test_shouxing_win(share: Any, amount: int) -> None:
    won = made("甲出玖 乙揭捌 丁揭九 乙胡", players=4, 乙=RUN_WAIT, shouxing_win=share)
    assert sum(transfer.amount for transfer in outcome(won).transfers if transfer.to == 2) == 2 * amount


@pytest.mark.parametrize("fee", [0, 5])
def test_draw_fee(fee: int) -> None:
    assert sum(transfer.amount for transfer in outcome(run_out("柒", "流局", players=4, draw_fee=fee)).transfers) == 3 * fee


def test_every_option_is_tried() -> None:
    tried = {case[0] for case in (*LEGALITY, *TOTALS)} | {"last_card_claims", "haidi_self_only", "shouxing_win", "draw_fee"}
    assert tried == set(OPTION)


def test_rules_put_in_their_place_answer_like_rules_written_down() -> None:
    written = made("甲出九 乙吃九七八 乙出五", 乙="九九", may_chi_if_can_peng=True)
    plain = made("甲出九 乙吃九七八 乙出五", 乙="九九")
    start = written.events[0]
    assert isinstance(start, Start)
    assert check(plain, rules=start.rules) == check(written)
