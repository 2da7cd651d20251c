"""Opening wins of rules §6, their conditions and options."""

from typing import Any

import msgspec
import pytest

from engine.weimaque.deck import INDEX
from engine.weimaque.opening import NAMES, OpeningKind, every_opening_win, opening_win
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import pack_kinds
from engine.weimaque.score import Scorer
from engine.weimaque.verify import verify
from schemas.verify import WeimaqueVerdict, WeimaqueVerify

NINE_PAIRS = "二二三三四四五五六六七七八八九九玖玖"
SINGLES = "一二三四五六七八九壹贰叁肆伍陆柒捌玖"
COMPLETE = "二二二七七七四四四一二三壹贰叁肆伍陆拾拾"


def scorer(**options: Any) -> Scorer:
    return Scorer(msgspec.structs.replace(WeimaqueRuleset(preset="dazhuo"), **options))


def total(kind: OpeningKind, cards: str, **options: Any) -> int | None:
    win = opening_win(kind, pack_kinds(INDEX[card] for card in cards), scorer(**options))
    return win and win.scored.total_xi


def judge(kind: str, cards: str, **claim: Any) -> WeimaqueVerdict:
    rules = {"preset": "dazhuo", **claim.pop("rules", {})}
    return verify(msgspec.convert({"game": "weimaque", "rules": rules, "hand": list(cards), "opening": kind, **claim}, WeimaqueVerify))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (NINE_PAIRS + "一", 50),
        (NINE_PAIRS + "一壹", 50),
        (NINE_PAIRS + "一一", 100),
        ("二二二二四四四五五六六七七七七八八九九", 50),
        ("二二二二四四四四六六六六七七七七八八八八", 100),
        ("二二三三四四五五六六七七八八九玖玖一拾", None),
        (NINE_PAIRS, None),
    ],
)
def test_nine_pairs(cards: str, expected: int | None) -> None:
    assert total("九小对", cards) == expected
    assert total("九小对", cards, preset="xiaozhuo") is None


def test_values_may_name_every_row_of_the_tables() -> None:
    assert {"对子胡单吊", "十对", "九小对", "天胡", "无对胡", "摸胡"} < NAMES
    assert len(NAMES) == 27 + 4


def test_values_of_nine_and_ten_pairs() -> None:
    ten = NINE_PAIRS + "一一"

    assert total("九小对", ten, values={"十对": 70}) == 70
    assert total("九小对", ten, values={"十对": 0}) == 50
    assert total("九小对", ten, values={"九小对": 0}) == 100
    assert total("九小对", NINE_PAIRS + "一", values={"九小对": 0}) is None
    assert judge("九小对", ten).mingtang[0].name == "九小对"


@pytest.mark.parametrize(
    ("cards", "expected", "expected_without_two_black"),
    [
        (SINGLES + "十", 50, 50),
        (SINGLES + "十拾", 50, 50),
        (SINGLES + "九", 50, 50),
        (SINGLES + "九九", 50, 50),
        ("九九九" + SINGLES[1:], 50, 50),
        (SINGLES + "七", None, None),
        (SINGLES + "拾拾", None, None),
        (SINGLES + "九玖", None, None),
        ("一一四四七十壹叁陆玖二八贰伍捌肆柒拾九", 50, None),
        ("一一四四七十壹叁陆玖二八贰伍捌肆柒拾三", None, None),
        ("一一一四四七十壹叁陆玖二八贰伍捌肆柒拾", None, None),
        ("一一四四玖玖十壹叁陆二八贰伍捌肆柒拾七", None, None),
        ("一一七七十壹叁陆玖二八贰伍捌肆柒拾九四", None, None),
    ],
)
def test_no_pairs(cards: str, expected: int | None, expected_without_two_black: int | None) -> None:
    assert total("无对胡", cards) == expected
    assert total("无对胡", cards, wudui_two_black=False) == expected_without_two_black
    assert total("无对胡", cards, preset="xiaozhuo") is None
    assert total("无对胡", cards, values={"无对胡": 0}) is None


@pytest.mark.parametrize(("around", "possible"), [("二三", True), ("三", False), ("二", False), ("二四", False), ("三四", False)])
def test_a_tuanyuan_is_possible_with_the_run_around_it(around: str, possible: bool) -> None:
    # 一 and 玖 are the two black pairs; what lies beside 一 varies, and 玖 misses 捌.
    rest = "五六七八九十叁伍贰柒拾壹陆肆"[: 15 - len(around)]

    assert (total("无对胡", f"一一玖玖{around}{rest}") is None) == possible


def test_tianhu_is_the_normal_total_and_a_hundred() -> None:
    # 二 4 + 团圆 4, 七 4, 四 3, 拾拾 2 = 17 hard; ten red cards: 二二二二 七七七 贰 拾拾.
    assert total("天胡", COMPLETE) == 17 + 20 + 20 + 100
    assert total("天胡", COMPLETE, multiplier_base="all") == 17 + 20 + 20 + 100
    assert total("天胡", COMPLETE, values={"天胡": 30}) == 17 + 20 + 20 + 30
    assert total("天胡", COMPLETE, values={"天胡": 0}) is None
    assert total("天胡", COMPLETE, min_hard_xi=18) is None
    assert total("天胡", COMPLETE, preset="xiaozhuo") is None
    assert total("天胡", COMPLETE[1:]) is None


def test_no_multiplier_reaches_the_amount_of_tianhu() -> None:
    black = "一一一三三三四四四八八八九九九壹壹壹叁叁"

    assert total("天胡", black) == 18 * 8 + 100
    assert total("天胡", black, multiplier_base="all") == 18 * 8 + 100


def test_the_declared_kind_is_scored() -> None:
    verdict = judge("九小对", "一一二二三三四四五五六六八八八捌捌捌玖玖")

    assert (verdict.valid, verdict.hard_xi, verdict.total_xi, verdict.melds, verdict.items) == (True, 0, 50, [], [])
    assert verdict.alternatives == []


def test_tianhu_is_named_beside_nine_pairs_that_it_beats() -> None:
    cards = "一一一一二二二二三三三三四四四四七七七七"
    pairs, complete = judge("九小对", cards), judge("天胡", cards)

    assert (pairs.total_xi, complete.valid) == (100, False)
    cards = "一一一一二二二二三三三三四四四四五五五五"
    pairs, complete = judge("九小对", cards), judge("天胡", cards)
    assert complete.valid
    assert pairs.alternatives[0].total_xi == complete.total_xi > pairs.total_xi
    assert pairs.alternatives[0].melds == complete.melds
    assert any(split.mingtang[0].name == "九小对" for split in complete.alternatives)
    assert [win.kind for win in every_opening_win(pack_kinds(INDEX[card] for card in cards), scorer())] == ["天胡", "九小对"]


@pytest.mark.parametrize(
    ("kind", "cards", "claim", "message"),
    [
        ("九小对", SINGLES + "十", {}, "九小对要九对，这里只有 0 对"),
        ("无对胡", SINGLES + "七", {}, "不是无对胡：七七 成对"),
        ("天胡", COMPLETE[1:], {}, "天胡要起手的 20 张牌，这里有 19 张"),
        ("九小对", NINE_PAIRS, {}, "九小对要起手的 19/20 张牌，这里有 18 张"),
        ("天胡", SINGLES + "十拾", {}, "天胡的二十张凑不成六句话加一对麻雀"),
        ("天胡", COMPLETE, {"rules": {"min_hard_xi": 18}}, "天胡硬息 17，需 18"),
        ("天胡", COMPLETE, {"rules": {"preset": "xiaozhuo"}}, "小卓没有天胡"),
        ("天胡", COMPLETE, {"rules": {"values": {"天胡": 0}}}, "本桌不算天胡"),
        ("无对胡", SINGLES + "十", {"win": {"pai": "拾", "own_reveal": True}}, "无对胡是起手胡，不能有桌上的话，也没有胡的那张牌"),
    ],
)
def test_why_it_is_no_opening_win(kind: str, cards: str, claim: dict[str, Any], message: str) -> None:
    verdict = judge(kind, cards, **claim)

    assert (verdict.valid, verdict.total_xi) == (False, 0)
    assert [reason.rule for reason in verdict.reasons] == ["wmq-hu-opening"]
    assert verdict.reasons[0].message.startswith(message)
