"""听: which cards win, and what they pay by who reveals them."""

import pytest

from engine.weimaque.deck import INDEX, KINDS, TOKENS
from engine.weimaque.laid import lay
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import pack_kinds
from engine.weimaque.score import Scorer
from engine.weimaque.waits import Wait, waits

LARGE = WeimaqueRuleset(preset="dazhuo")

# 碰二 3, 栽伍 3, 碰捌 2, 栽贰 4, 团圆二 4: 16 hard 息, and 印胡.
FIVE_MELDS = "碰二二二 栽伍伍伍 碰捌捌捌 栽贰贰贰 吃一二三"


def find(melds: str, hand: str, ruleset: WeimaqueRuleset = LARGE, *, last: bool = False, zhe: bool = False) -> list[Wait]:
    laid = lay((meld[0], [INDEX[card] for card in meld[1:]]) for meld in melds.split())
    return waits(Scorer(ruleset), laid, pack_kinds(INDEX[card] for card in hand), last=last, zhe=zhe)


def told(found: list[Wait]) -> dict[str, tuple[int | None, int | None]]:
    """What each card pays on one's own reveal and on another's."""
    return {TOKENS[wait.kind]: (wait.own, wait.other) for wait in found}


@pytest.mark.parametrize(
    ("melds", "hand", "expected"),
    [
        (FIVE_MELDS, "四五玖玖", {"三": (46, 36), "六": (46, 36)}),
        # 九 is 团圆 with the one in the run; by another 碰 2 and by oneself 栽 3 (and 摸胡). The pair left is the same number: 背靠背.
        ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九", "四四四九九玖玖", {"九": (47, 36), "玖": (46, 35)}),
        ("碰二二二 栽伍伍伍 碰捌捌捌 栽贰贰贰", "三四四四四五六", {"二": (48, 38), "三": (38, 28), "五": (24, 14), "六": (38, 28)}),
        ("碰二二二 栽伍伍伍 碰捌捌捌 栽贰贰贰 栽三三三 吃七八九", "玖", {"玖": (35, 25)}),
        ("碰二二二 栽伍伍伍 碰捌捌捌 吃七八九 吃七八九", "玖玖玖十", {"十": (33, 23)}),
        (FIVE_MELDS, "四六玖玖", {"五": (46, 36)}),
        (FIVE_MELDS, "四七玖玖", {}),
        (FIVE_MELDS, "四五玖", {}),
        (FIVE_MELDS, "三四玖玖", {"五": (46, 36)}),
    ],
)
def test_waits(melds: str, hand: str, expected: dict[str, tuple[int | None, int | None]]) -> None:
    assert told(find(melds, hand)) == expected


def test_an_own_reveal_that_must_be_wei_may_leave_no_win() -> None:
    # Another's 七 makes 七八九 and the pair 七七, 转弯 3 and 单吊; one's own is 栽'd, and 八九 are left over. Ten red cards either way.
    assert told(find(FIVE_MELDS, "七七八九")) == {"七": (None, 19 + 20 + 20 + 10), "十": (18 + 20 + 20 + 10, 18 + 20 + 20)}


def test_another_s_reveal_may_be_one_xi_short() -> None:
    # 碰 2, 碰 2, 砍 3: the triple brings 3 as a 栽, but 2 as a 碰.
    melds, hand = "碰一一一 碰伍伍伍 吃七八九 吃壹贰叁", "四四四玖玖陆陆"

    assert told(find(melds, hand)) == {"陆": (20, None), "玖": (20, None)}
    assert told(find(melds, hand, WeimaqueRuleset(preset="dazhuo", min_hard_xi=9))) == {"陆": (20, 9), "玖": (20, 9)}
    assert find(melds, hand, WeimaqueRuleset(preset="dazhuo", min_hard_xi=11)) == []


def test_the_circumstances_of_the_next_reveal_count() -> None:
    assert told(find(FIVE_MELDS, "四五玖玖", last=True)) == {"三": (66, 56), "六": (66, 56)}
    assert told(find(FIVE_MELDS, "四五玖玖", zhe=True)) == {"三": (56, 46), "六": (56, 46)}


def test_copies_left_are_those_not_seen() -> None:
    laid = lay((meld[0], [INDEX[card] for card in meld[1:]]) for meld in FIVE_MELDS.split())
    hand = pack_kinds(INDEX[card] for card in "四五玖玖")
    seen = [0] * KINDS
    seen[INDEX["三"]], seen[INDEX["六"]] = 3, 4

    assert [wait.left for wait in waits(Scorer(LARGE), laid, hand)] == [3, 4]
    assert [wait.left for wait in waits(Scorer(LARGE), laid, hand, seen)] == [1, 0]
