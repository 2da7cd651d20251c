"""Every 名堂 of rules §5 held and just missed, and every option that touches it."""

from itertools import combinations
from typing import Any

import msgspec
import pytest

from engine.weimaque.deck import KINDS, RED
from engine.weimaque.mingtang import NO_SUIT, REDS_ALIKE, ROWS, TUANYUAN_ALIKE, Look
from engine.weimaque.options import ruleset
from engine.weimaque.packed import pack_kinds
from engine.weimaque.verify import verify
from schemas.rulesets import WeimaqueRules
from schemas.verify import WeimaqueVerdict, WeimaqueVerify


def judge(melds: str, hand: str, won: str, *, preset: str = "dazhuo", zhe: bool = False, **options: Any) -> WeimaqueVerdict:
    """The verdict on a win: ``melds`` as 碰二二二 栽七七七, ``won`` as the card and any of 自 (own reveal), 栽, 末 (last card)."""
    claim = {
        "game": "weimaque",
        "rules": {"preset": preset, **options},
        "melds": [{"kind": meld[0], "pai": list(meld[1:])} for meld in melds.split()],
        "hand": list(hand),
        "win": {"pai": won[0], "own_reveal": "自" in won, "wei": "栽" in won[1:], "last": "末" in won},
        "zhe": zhe,
        "opening": None,
    }
    return verify(msgspec.convert(claim, WeimaqueVerify))


def mingtang(verdict: WeimaqueVerdict) -> dict[str, int]:
    return {row.name: row.value for row in verdict.mingtang}


# Melds, hand and winning card; what the hand holds in 大卓, and in 小卓. Every 名堂 appears where it is held and where it is nearly held.
HANDS: dict[str, tuple[str, str, str, dict[str, int], dict[str, int]]] = {
    "对子胡": ("碰二二二 栽伍伍伍 碰捌捌捌", "一一一四四四九九九柒", "柒", {"对子胡": 6, "单吊": 20}, {"对子胡": 4}),
    "not 对子胡: one run": ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九", "一一一四四四柒", "柒", {"单吊": 10}, {}),
    "乌对": ("碰三三三 栽伍伍伍 碰捌捌捌", "一一一四四四九九九叁", "叁", {"乌对": 8, "单吊": 20}, {"乌对": 6}),
    "乌胡": ("栽伍伍伍 碰捌捌捌 吃三四五", "一一一四四四九九九叁", "叁", {"乌胡": 4, "单吊": 10}, {"乌胡": 4}),
    "点胡": ("栽伍伍伍 碰捌捌捌 吃七八九", "一一一四四四九九九叁", "叁", {"点胡": 3, "单吊": 10}, {"点胡": 3}),
    "two reds are nothing": ("栽伍伍伍 碰捌捌捌 吃七八九", "一一一四四四陆柒捌九", "九", {"单吊": 10}, {}),
    "印胡": ("碰二二二 吃一二三 碰捌捌捌", "四四四柒柒柒玖玖玖伍", "伍", {"印胡": 20, "单吊": 10}, {"印胡": 10}),
    "纯印": ("碰二二二 吃一二三 碰捌捌捌", "四四四伍伍伍玖玖玖叁", "叁", {"纯印": 100, "单吊": 10}, {"印胡": 10}),
    "two 纯印": (
        "碰二二二 吃一二三 碰贰贰贰 吃壹贰叁", "四四四玖玖玖伍", "伍", {"纯印": 200, "卓胡": 20, "单吊": 10, "假八碰头": 100}, {"印胡": 20},
    ),
    "多红 of ten": (
        "碰二二二 碰七七七 碰拾拾拾", "一二三四四四玖玖玖伍", "伍", {"多红": 20, "印胡": 20, "单吊": 10}, {"多红": 10, "印胡": 10},
    ),
    "nine red cards": ("碰二二二 碰七七七 碰拾拾拾", "三四五四四四玖玖玖伍", "伍", {"单吊": 10}, {}),
    "多红 of twelve": (
        "碰二二二 碰七七七 碰拾拾拾 碰柒柒柒", "三四五玖玖玖伍", "伍", {"多红": 60, "单吊": 10}, {"多红": 30},
    ),
    "满园花": (
        "栽二二二 栽七七七 吃八九十 吃陆柒捌", "贰叁肆壹贰叁拾", "拾", {"多红": 60, "满园花": 100, "单吊": 10}, {"多红": 30, "满园花": 50},
    ),
    "满园花 but for the pair": (
        "栽二二二 栽七七七 吃八九十 吃陆柒捌", "贰叁肆壹贰叁九", "九", {"多红": 20, "单吊": 10}, {"多红": 10},
    ),
    "满园花 but for a run": (
        "栽二二二 栽七七七 吃八九十 吃陆柒捌", "贰叁肆三四五拾", "拾", {"多红": 40, "单吊": 10}, {"多红": 20},
    ),
    "大字胡": ("碰贰贰贰 吃柒捌玖 碰肆肆肆", "伍伍伍壹壹壹陆柒捌拾", "拾", {"大字胡": 100, "单吊": 10}, {"大字胡": 50}),
    "小字胡": ("碰二二二 吃七八九 碰四四四", "五五五一一一六七八十", "十", {"小字胡": 100, "单吊": 10}, {"小字胡": 50}),
    "卓胡": ("碰四四四 吃三四五 碰捌捌捌", "柒捌玖贰贰贰九九九拾", "拾", {"卓胡": 20, "单吊": 10}, {}),
    "姊妹卓": ("碰四四四 吃三四五 碰五五五", "柒捌玖贰贰贰九九九拾", "拾", {"姊妹卓": 40, "单吊": 10}, {}),
    "三乱卓": ("碰四四四 吃三四五 碰八八八 吃七八九 碰肆肆肆", "叁肆伍拾", "拾", {"三乱卓": 60, "假八碰头": 100, "单吊": 10}, {}),
    "姊妹卓带拖": ("碰四四四 吃三四五 碰五五五 碰捌捌捌", "柒捌玖贰贰贰拾", "拾", {"姊妹卓带拖": 80, "单吊": 10}, {}),
    "祖孙卓": ("碰四四四 吃三四五 碰五五五 碰三三三", "柒捌玖贰贰贰拾", "拾", {"祖孙卓": 150, "单吊": 10}, {}),
    "四乱卓": (
        "碰四四四 吃三四五 碰五五五 碰捌捌捌 吃捌玖拾 碰玖玖玖", "叁", "叁", {"四乱卓": 200, "点胡": 3, "单吊": 10}, {"点胡": 3},
    ),
    "祖孙卓带拖": (
        "碰四四四 吃三四五 碰五五五 碰三三三 碰捌捌捌", "捌玖拾叁", "叁", {"祖孙卓带拖": 300, "点胡": 3, "单吊": 10}, {"点胡": 3},
    ),
    "海底胡": ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九", "一一一四四四柒", "柒末", {"海底胡": 20, "单吊": 10}, {}),
    "a pair and two loose copies are no 团圆": ("碰四四四 吃三四五 碰捌捌捌", "贰贰贰玖玖玖五五六七", "五", {"单吊": 10}, {}),
    "八碰头": ("碰八八八 吃七八九 栽捌捌捌 吃捌玖拾", "一一一四四四叁", "叁", {"八碰头": 200, "卓胡": 20, "单吊": 10}, {}),
    "假八碰头": (
        "碰四四四 吃三四五 栽肆肆肆 吃叁肆伍", "一一一玖玖玖八", "八",
        {"假八碰头": 100, "卓胡": 20, "乌胡": 4, "单吊": 10}, {"乌胡": 4},
    ),
    "背靠背": ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九", "四四四九九玖玖", "九", {"背靠背": 20}, {}),
    "手牵手": ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九", "四四四玖玖拾拾", "玖", {"手牵手": 20}, {}),
    "十 and 壹 are no neighbours": ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九", "四四四十十壹壹", "十", {}, {}),
    "手牵手 after 栽": (
        "碰二二二 栽伍伍伍 碰捌捌捌 吃七八九 栽玖玖玖", "四四四拾拾", "玖自栽", {"手牵手": 20, "摸胡": 10}, {},
    ),
    "龙摆尾": (
        "碰一一一 吃一二三 碰十十十 吃八九十", "肆肆肆陆柒捌伍", "伍",
        {"龙摆尾": 100, "卓胡": 20, "印胡": 20, "单吊": 10}, {"印胡": 10},
    ),
    "龙摆尾 needs one suit": (
        "碰壹壹壹 吃壹贰叁 碰十十十 吃八九十", "肆肆肆陆柒捌伍", "伍", {"卓胡": 20, "印胡": 20, "单吊": 10}, {"印胡": 10},
    ),
    "摸胡": ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九", "一一一四四四柒", "柒自", {"摸胡": 10, "单吊": 10}, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", HANDS)
def test_a_hand_holds_its_mingtang_and_no_others(case: str) -> None:
    melds, hand, won, large, small = HANDS[case]

    assert mingtang(judge(melds, hand, won)) == large
    assert mingtang(judge(melds, hand, won, preset="xiaozhuo")) == small


def test_every_mingtang_of_the_tables_is_among_the_hands() -> None:
    held = {name for _, _, _, large, _ in HANDS.values() for name in large}

    assert held | {"蛰一蛰"} == {row.shown or row.name for row in ROWS}


def test_zhe_counts_where_it_is_played() -> None:
    win = ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九", "一一一四四四柒", "柒")

    assert mingtang(judge(*win, zhe=True)) == {"单吊": 10, "蛰一蛰": 10}
    assert mingtang(judge(*win, zhe=True, values={"蛰一蛰": 0})) == {"单吊": 10}
    assert mingtang(judge(*win, zhe=True, preset="xiaozhuo")) == {}


# Options, the hand on which they bear, and its total and 名堂 by default and with the option.
OPTIONS: dict[str, tuple[dict[str, Any], str, tuple[int, dict[str, int]], tuple[int, dict[str, int]]]] = {
    "chunyin": ({"chunyin": "adds"}, "纯印", (128, {"纯印": 100, "单吊": 10}), (148, {"印胡": 20, "纯印": 100, "单吊": 10})),
    "duohong_unit": ({"duohong_unit": 10}, "多红 of twelve", (85, {"多红": 60, "单吊": 10}), (55, {"多红": 30, "单吊": 10})),
    "duohong_unit none": ({"duohong_unit": 0}, "多红 of twelve", (85, {"多红": 60, "单吊": 10}), (25, {"单吊": 10})),
    "dandiao": ({"dandiao": "last_card"}, "大字胡", (123, {"大字胡": 100, "单吊": 10}), (113, {"大字胡": 100})),
    "dandiao of the last card": (
        {"dandiao": "last_card"}, "四乱卓",
        (270, {"四乱卓": 200, "点胡": 3, "单吊": 10}), (270, {"四乱卓": 200, "点胡": 3, "单吊": 10}),
    ),
    "haidi_self_only": ({"haidi_self_only": True}, "海底胡", (46, {"海底胡": 20, "单吊": 10}), (26, {"单吊": 10})),
    "longbaiwei_mixed": (
        {"longbaiwei_mixed": True}, "龙摆尾 needs one suit",
        (65, {"印胡": 20, "卓胡": 20, "单吊": 10}), (165, {"印胡": 20, "卓胡": 20, "单吊": 10, "龙摆尾": 100}),
    ),
    "multiplier_base": ({"multiplier_base": "all"}, "对子胡", (134, {"对子胡": 6, "单吊": 20}), (234, {"对子胡": 6, "单吊": 20})),
    "mohu": ({"mohu": False}, "摸胡", (36, {"单吊": 10, "摸胡": 10}), (26, {"单吊": 10})),
    "zusunzhuo_daituo": (
        {"zusunzhuo_daituo": 200}, "祖孙卓带拖",
        (370, {"祖孙卓带拖": 300, "点胡": 3, "单吊": 10}), (270, {"祖孙卓带拖": 200, "点胡": 3, "单吊": 10}),
    ),
    "values: another amount": ({"values": {"大字胡": 60}}, "大字胡", (123, {"大字胡": 100, "单吊": 10}), (83, {"大字胡": 60, "单吊": 10})),
    "values: 多红 a card": ({"values": {"多红": 5}}, "多红 of twelve", (85, {"多红": 60, "单吊": 10}), (40, {"多红": 15, "单吊": 10})),
    "values: 对子胡单吊": (
        {"values": {"对子胡单吊": 50}}, "对子胡", (134, {"对子胡": 6, "单吊": 20}), (164, {"对子胡": 6, "单吊": 50}),
    ),
    "values: 对子胡单吊 not played": (
        {"values": {"对子胡单吊": 0}}, "对子胡", (134, {"对子胡": 6, "单吊": 20}), (124, {"对子胡": 6, "单吊": 10}),
    ),
    "values: 乌对 not played": ({"values": {"乌对": 0}}, "乌对", (148, {"乌对": 8, "单吊": 20}), (116, {"对子胡": 6, "单吊": 20})),
    "values: 纯印 not played": ({"values": {"纯印": 0}}, "纯印", (128, {"纯印": 100, "单吊": 10}), (48, {"印胡": 20, "单吊": 10})),
    "values: a higher 卓 not played": (
        {"values": {"祖孙卓": 0}}, "祖孙卓", (181, {"祖孙卓": 150, "单吊": 10}), (111, {"姊妹卓带拖": 80, "单吊": 10}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_changes_what_a_hand_pays(option: str) -> None:
    options, case, by_default, otherwise = OPTIONS[option]
    melds, hand, won, _, _ = HANDS[case]

    plain, changed = judge(melds, hand, won), judge(melds, hand, won, **options)

    assert (plain.total_xi, mingtang(plain)) == by_default
    assert (changed.total_xi, mingtang(changed)) == otherwise


def test_jiabapengtou_counts_once_or_for_each_number() -> None:
    win = ("碰三三三 吃三四五 碰四四四 栽叁叁叁 吃叁肆伍", "肆肆捌捌", "肆")

    assert mingtang(judge(*win)) == {"乌胡": 4, "四乱卓": 200, "假八碰头": 100}
    assert mingtang(judge(*win, jiabapengtou_once=False)) == {"乌胡": 4, "四乱卓": 200, "假八碰头": 200}


def test_values_can_add_a_row_that_xiaozhuo_has_not() -> None:
    melds, hand, won, _, _ = HANDS["四乱卓"]

    assert mingtang(judge(melds, hand, won, preset="xiaozhuo", values={"卓胡": 30})) == {"点胡": 3, "卓胡": 30}


def test_the_multiplier_is_named_and_stands_first() -> None:
    melds, hand, won, _, _ = HANDS["对子胡"]

    verdict = judge(melds, hand, won)

    assert verdict.multiplier is not None
    assert verdict.multiplier == verdict.mingtang[0]
    assert judge(*HANDS["大字胡"][:3]).multiplier is None


@pytest.mark.parametrize("preset", ["xiaozhuo", "dazhuo"])
def test_no_row_tells_alike_sets_and_numbers_apart(preset: Any) -> None:
    """What a ``Scorer`` puts in place of a set of 团圆 and of a number of red cards is the same to every row, under every option."""
    rules = [ruleset(WeimaqueRules(preset=preset)), ruleset(WeimaqueRules(preset=preset, longbaiwei_mixed=True, jiabapengtou_once=False))]
    for size in range(5):
        for kinds in combinations(range(KINDS), size):
            tuanyuan = pack_kinds(kinds)
            red = 4 * len(RED.intersection(kinds))
            for reds in {red, red + 1, 21 - 4 * size + red} if size else range(21):
                if reds > 20:
                    continue
                look = Look(reds, NO_SUIT, False, False, False, tuanyuan, False, False, False, "", False)
                alike = look._replace(reds=REDS_ALIKE[reds], tuanyuan=TUANYUAN_ALIKE[tuanyuan])
                assert all(row.times(look, rule) == row.times(alike, rule) for row in ROWS for rule in rules)
