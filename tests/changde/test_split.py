"""The shown division of a winning hand: it uses just the hand's tiles, and every group is what it is called."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from engine.changde.deck import COPIES, INDEX, KINDS, ZHONG
from engine.changde.options import ChangdeRuleset
from engine.changde.split import split
from engine.changde.win import wins
from schemas.verify import Group

NO_TILES = [0] * KINDS
HONGZHONG = ChangdeRuleset(preset="hongzhong")


def hand(text: str) -> list[int]:
    """The count vector of tiles written as ``123m 55s 7z``."""
    counts = [0] * KINDS
    for word in text.split():
        for rank in word[:-1]:
            counts[INDEX[rank + word[-1]]] += 1
    return counts


def shown(groups: list[Group]) -> list[str]:
    """Groups as text: name, tiles, and what the 红中 stand for."""
    return [
        f"{group.kind} {' '.join(group.pai)}" + ("" if group.stands_for is UNSET else f" = {' '.join(group.stands_for)}")
        for group in groups
    ]


def read_as(group: Group) -> list[int]:
    """The kinds of a group once its 红中 are what they stand for."""
    stand_ins = iter([] if group.stands_for is UNSET else group.stands_for)
    kinds = [INDEX[next(stand_ins) if pai == "7z" else pai] for pai in group.pai]
    assert next(stand_ins, None) is None
    return kinds


def drawn(wilds: int, seed: int) -> list[int]:
    """A hand of 14 built from four groups and a pair, some of its tiles replaced by 红中."""
    rng = random.Random(seed)
    tiles: list[int] = []
    for _ in range(4):
        first = rng.randrange(3) * 9 + rng.randrange(7)
        tiles += rng.choice([[first, first + 1, first + 2], [first] * 3])
    tiles += [rng.randrange(ZHONG)] * 2
    rng.shuffle(tiles)
    counts = [0] * KINDS
    for kind in tiles[wilds:]:
        counts[kind] += 1
    counts[ZHONG] = wilds
    return counts


@pytest.mark.parametrize("fifth_copy", [True, False])
@settings(max_examples=150)
@given(st.integers(0, 4), st.integers(0, 2**32))
def test_a_division_is_of_the_hand_and_is_right(fifth_copy: bool, wilds: int, seed: int) -> None:
    ruleset = ChangdeRuleset(preset="hongzhong", fifth_copy=fifth_copy)
    counts = drawn(wilds, seed)
    assume(max(counts) <= COPIES and wins(counts, 0, NO_TILES, ruleset))

    groups = split(counts, 0, NO_TILES, ruleset)

    used = [0] * KINDS
    total = [0] * KINDS
    for group in groups:
        kinds = read_as(group)
        for pai in group.pai:
            used[INDEX[pai]] += 1
        for kind in kinds:
            total[kind] += 1
        if group.kind == "顺子":
            assert kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2]
            assert kinds[0] % 9 <= 6
            assert kinds[2] < ZHONG
        else:
            assert group.kind in ("刻子", "将")
            assert len(set(kinds)) == 1
            assert len(kinds) == (3 if group.kind == "刻子" else 2)
    assert used == counts
    assert [group.kind for group in groups].count("将") == 1
    assert groups[-1].kind == "将"
    assert len(groups) == 5
    if not fifth_copy:
        assert max(total) <= COPIES


def test_what_the_wilds_stand_for() -> None:
    assert shown(split(hand("46m 7z 55p"), 3, hand("111s 222s 333s"), HONGZHONG)) == ["顺子 4m 7z 6m = 5m", "将 5p 5p"]
    assert shown(split(hand("55p 777z"), 3, hand("111s 222s 333s"), HONGZHONG)) == ["刻子 7z 7z 7z = 7z 7z 7z", "将 5p 5p"]
    assert shown(split(hand("77z"), 4, hand("111s 222s 333s 444s"), HONGZHONG)) == ["将 7z 7z = 7z 7z"]


def test_own_melds_are_seen_by_the_limit_of_four() -> None:
    no_fifth = ChangdeRuleset(preset="hongzhong", fifth_copy=False)
    assert shown(split(hand("13m 7z 55p"), 3, hand("222m 888s 999s"), no_fifth)) == ["顺子 1m 7z 3m = 2m", "将 5p 5p"]
    assert split(hand("13m 7z 55p"), 3, hand("2222m 888s 999s"), no_fifth) == []


def test_the_other_wins_of_the_ruleset() -> None:
    pairs = ChangdeRuleset(preset="hongzhong", seven_pairs=True)
    assert shown(split(hand("11m 4444m 99s 77p 3p 777z"), 0, NO_TILES, pairs)) == [
        "对子 1m 1m",
        "对子 4m 4m",
        "对子 4m 4m",
        "对子 9s 9s",
        "对子 3p 7z = 3p",
        "对子 7p 7p",
        "对子 7z 7z = 7z 7z",
    ]
    four = ChangdeRuleset(preset="hongzhong", four_zhong_wins=True)
    rags = hand("14m 7m 7777z 9p")
    assert shown(split(rags, 2, hand("111s 222s"), four)) == ["四红中 7z 7z 7z 7z", "散牌 1m 4m 7m 9p"]
    assert split(rags, 2, hand("111s 222s"), four, own_draw=False) == []


def test_a_hand_that_does_not_win_has_no_division() -> None:
    assert split(hand("123m 456m 789m 14s 55p 8p"), 0, NO_TILES, HONGZHONG) == []
    assert split(hand("123m 456m 789m 55p"), 0, NO_TILES, HONGZHONG) == []
    assert split(hand("123m 456m 789m 99s 777z"), 0, NO_TILES, ChangdeRuleset(preset="standard")) == []
