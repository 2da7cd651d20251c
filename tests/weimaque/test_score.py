"""Hard 息 line by line, which division a winner gets, and what makes a win."""

import pytest

from engine.weimaque.deck import INDEX
from engine.weimaque.division import divided_win
from engine.weimaque.hard_xi import itemised
from engine.weimaque.laid import NOTHING_LAID, Laid, lay, with_meld
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import pack_kinds
from engine.weimaque.score import Scorer, Win, best_hard_xi, candidates, scorer_of

LARGE = WeimaqueRuleset(preset="dazhuo")
SMALL = WeimaqueRuleset(preset="xiaozhuo", duohong_unit=10, zhe=False)
PLAIN = WeimaqueRuleset(preset="xiaozhuo", duohong_unit=10, zhe=False, min_hard_xi=0)


def kinds(cards: str) -> tuple[int, ...]:
    return tuple(INDEX[card] for card in cards)


def named(melds: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(meld[0], kinds(meld[1:])) for meld in melds.split()]


def win_of(melds: str, hand: str, card: str, *, own: bool = False, wei: bool = False, last: bool = False) -> Win:
    return Win(laid=lay(named(melds)), hand=pack_kinds(kinds(hand)), kind=INDEX[card], own_reveal=own, wei=wei, last=last)


@pytest.mark.parametrize(
    ("melds", "pair", "lines"),
    [
        ("碰一一一 碰二二二", "九", ["碰一一一 2", "碰二二二 3"]),
        ("栽一一一 栽二二二", "九", ["栽一一一 3", "栽二二二 4"]),
        ("砍一一一 砍二二二", "九", ["砍一一一 3", "砍二二二 4"]),
        ("吃一二三 吃贰叁肆", "九", []),
        ("碰四四四 吃三四五", "九", ["碰四四四 2", "团圆四四四四 3"]),
        ("砍贰贰贰 吃贰叁肆", "九", ["砍贰贰贰 4", "团圆贰贰贰贰 4"]),
        ("吃一二三", "十", ["麻雀十十 2"]),
        ("吃八九十", "九", ["转弯九九 2"]),
        ("吃八九十", "十", ["转弯十十 3"]),
        ("吃八九十 吃七八九", "九", ["转弯九九 2"]),
    ],
)
def test_hard_xi_line_by_line(melds: str, pair: str, lines: list[str]) -> None:
    items = itemised(named(melds), INDEX[pair])

    assert [
        f"{item.name}{''.join('一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾'[kind] for kind in item.kinds)} {item.xi}" for item in items
    ] == lines


def test_melds_on_the_table_are_summed_up_one_by_one() -> None:
    laid = with_meld(with_meld(NOTHING_LAID, "碰", kinds("二二二")), "吃", kinds("三五四"))

    assert laid == lay(named("碰二二二 吃三四五"))
    assert laid == Laid(
        cards=pack_kinds(kinds("二二二三四五")), triples=pack_kinds(kinds("二")), hard_xi=3, all_triples=False, all_red=False
    )
    assert NOTHING_LAID.all_red
    assert NOTHING_LAID.all_triples


FIVE_MELDS = "吃一二三 吃四五六 吃壹贰叁 吃肆伍陆"


@pytest.mark.parametrize(
    ("win", "hard_xi"),
    [
        (win_of(FIVE_MELDS, "八八八九九九玖", "玖"), 6),
        (win_of(FIVE_MELDS, "八八八玖玖九九", "九"), 5),
        (win_of(FIVE_MELDS, "八八八玖玖七七", "七"), 6),
        (win_of(FIVE_MELDS + " 栽九九九", "八八八玖", "玖", own=True), 6),
        (win_of(FIVE_MELDS + " 栽九九九", "八八八玖玖", "九", own=True, wei=True), 6),
        (win_of(FIVE_MELDS + " 碰九九九", "八八八玖", "玖"), 5),
        (win_of(FIVE_MELDS + " 碰九九九", "八八八捌", "捌", own=True), 5),
    ],
)
def test_a_triple_is_worth_what_completed_it(win: Win, hard_xi: int) -> None:
    assert best_hard_xi(win) == hard_xi


def test_the_fourth_copy_may_stand_in_the_triple_or_in_the_run() -> None:
    # 八八八八九十: the revealed 八 completes either the triple, a 碰 then, or the run, and the three of the hand are a 砍.
    win = win_of(FIVE_MELDS, "八八八九十玖玖", "八")

    assert {(place, hard) for hard, _, _, _, place in candidates(win)} == {("三张", 5), ("顺子", 6)}
    best = Scorer(PLAIN).best(win)
    assert best is not None
    assert best.hard_xi == 6


def test_the_higher_total_wins_over_the_higher_hard_xi() -> None:
    # As triples 13 hard 息; as runs with 十 in every one a 满园花 of 50 with 10.
    win = win_of("", "贰叁叁拾贰拾柒贰拾肆叁肆捌叁肆拾玖贰肆", "柒", own=True)

    scored = Scorer(SMALL).best(win)

    assert scored is not None
    assert (scored.hard_xi, scored.total_xi) == (10, 130)
    assert best_hard_xi(win) == max(other.hard_xi for other in Scorer(SMALL).every(win))


def test_a_division_below_the_minimum_does_not_count_however_much_it_pays() -> None:
    win = win_of("", "贰叁叁拾贰拾柒贰拾肆叁肆捌叁肆拾玖贰肆", "柒", own=True)
    stricter = WeimaqueRuleset(preset="xiaozhuo", duohong_unit=10, zhe=False, min_hard_xi=best_hard_xi(win) or 0)

    scored = Scorer(stricter).best(win)

    assert scored is not None
    assert scored.hard_xi == best_hard_xi(win)
    assert Scorer(stricter).every(win)[0] == scored
    assert [other.hard_xi >= stricter.min_hard_xi for other in Scorer(stricter).every(win)] == sorted(
        (other.hard_xi >= stricter.min_hard_xi for other in Scorer(stricter).every(win)), reverse=True
    )


def test_a_tie_goes_to_the_smaller_list_of_melds() -> None:
    # 三三四四五五六六 is 三四五 三四五 六六 or 三三 四五六 四五六, and both pairs are worth nothing.
    win = win_of("栽一一一 栽壹壹壹 栽捌捌捌 栽玖玖玖", "三三四四五五六", "六")
    scorer = Scorer(PLAIN)

    scored = scorer.best(win)

    assert scored is not None
    assert [other.hard_xi for other in scorer.every(win)] == [12, 12]
    assert scored.candidate is not None
    assert divided_win(named("栽一一一 栽壹壹壹 栽捌捌捌 栽玖玖玖"), win, scored.candidate).text() == (
        "栽一一一 3、栽壹壹壹 3、栽捌捌捌 3、栽玖玖玖 3、顺子三四五、顺子三四五、麻雀六六"
    )


@pytest.mark.parametrize(
    "win",
    [
        win_of(FIVE_MELDS, "八八八九九九玖", "捌"),
        win_of(FIVE_MELDS, "八八八九", "九"),
        win_of(FIVE_MELDS + " 吃七八九", "八八八九九九玖", "玖"),
    ],
)
def test_no_shape_is_no_win(win: Win) -> None:
    assert candidates(win) == []
    assert best_hard_xi(win) is None
    assert not Scorer(PLAIN).can_win(win)
    assert Scorer(PLAIN).best(win) is None
    assert Scorer(PLAIN).every(win) == []


def test_equal_rulesets_share_a_scorer() -> None:
    assert scorer_of(LARGE) is scorer_of(WeimaqueRuleset(preset="dazhuo"))
    assert scorer_of(LARGE) is not scorer_of(WeimaqueRuleset(preset="dazhuo", values={"卓胡": 30}))
