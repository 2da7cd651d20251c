"""The win check against brute-force substitution of the wilds, and against the search that its table was made by."""

import random
from collections.abc import Sequence
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.changde.deck import COPIES, INDEX, KINDS, ZHONG
from engine.changde.least import UNLIMITED, least
from engine.changde.options import ChangdeRuleset
from engine.changde.packed import POWERS, SIZE, pack, unpack_suit
from engine.changde.tables import HAND_NEEDS, LARGEST, SUIT_NEEDS
from engine.changde.win import complete, least_wilds, need, plain, tenpai, wins
from tools.changde_tables import build

NO_TILES = [0] * KINDS
HONGZHONG = ChangdeRuleset(preset="hongzhong")
STANDARD = ChangdeRuleset(preset="standard")


def hand(text: str) -> list[int]:
    """The count vector of tiles written as ``123m 55s 7z``."""
    counts = [0] * KINDS
    for word in text.split():
        for rank in word[:-1]:
            counts[INDEX[rank + word[-1]]] += 1
    return counts


def only_melds(counts: list[int]) -> bool:
    """Naive: real tiles, no wilds, all melds."""
    kind = next((kind for kind in range(KINDS) if counts[kind]), None)
    if kind is None:
        return True
    starts_run = kind < ZHONG and kind % 9 <= 6
    for group in ((kind, kind, kind), *([(kind, kind + 1, kind + 2)] if starts_run else [])):
        rest = list(counts)
        for tile in group:
            rest[tile] -= 1
        if min(rest) >= 0 and only_melds(rest):
            return True
    return False


def is_complete(counts: list[int]) -> bool:
    """Naive: real tiles, no wilds, melds and one pair."""
    for pair in range(KINDS):
        if counts[pair] >= 2:
            rest = list(counts)
            rest[pair] -= 2
            if only_melds(rest):
                return True
    return False


def substituted(counts: Sequence[int], exposed: Sequence[int], *, fifth_copy: bool) -> bool:
    """Naive: the 红中 become any tiles, 红中 included, in every way."""
    naturals = list(counts)
    wilds = naturals[ZHONG]
    naturals[ZHONG] = 0
    for stand_ins in combinations_with_replacement(range(KINDS), wilds):
        tiles = list(naturals)
        for kind in stand_ins:
            tiles[kind] += 1
        if not fifth_copy and any(tiles[kind] + exposed[kind] > COPIES for kind in set(stand_ins)):
            continue
        if is_complete(tiles):
            return True
    return False


def near_wins(wilds: int, size: int, seed: int) -> tuple[list[int], list[int]]:
    """A hand of this size (two and some threes) that is complete or nearly so, some of its tiles wild, and the melds beside it."""
    rng = random.Random(seed)
    wall = [COPIES] * ZHONG
    groups: list[tuple[int, ...]] = []
    while len(groups) < 5:
        first = rng.randrange(3) * 9 + rng.randrange(7)
        kind = first + rng.randrange(3) if rng.random() < 0.5 else rng.choice([4, 13, first])
        group = (kind, kind) if not groups else rng.choice([(first, first + 1, first + 2), (kind, kind, kind)])
        if all(wall[tile] >= group.count(tile) for tile in group):
            groups.append(group)
            for tile in group:
                wall[tile] -= 1
    concealed = 1 + (size - 2) // 3
    tiles = [tile for group in groups[:concealed] for tile in group]
    exposed = [0] * KINDS
    for group in groups[concealed:]:
        kind = group[0] if len(set(group)) == 1 else next(kind for kind in range(ZHONG) if wall[kind] >= 3)
        for tile in group:
            wall[tile] += 1
        exposed[kind] += 3
        wall[kind] -= 3
    if rng.random() < 0.5:
        taken = rng.randrange(len(tiles))
        tiles[taken] = rng.choice([kind for kind in range(ZHONG) if wall[kind] > 0])
    rng.shuffle(tiles)
    counts = [0] * KINDS
    for tile in tiles[wilds:]:
        counts[tile] += 1
    counts[ZHONG] = wilds
    return counts, exposed


@pytest.mark.parametrize("fifth_copy", [True, False])
@settings(max_examples=60)
@given(st.integers(0, 2), st.sampled_from([2, 5, 8, 11, 14]), st.integers(0, 2**32))
def test_wins_as_substitution_says(fifth_copy: bool, wilds: int, size: int, seed: int) -> None:
    counts, exposed = near_wins(wilds, size, seed)
    ruleset = ChangdeRuleset(preset="hongzhong", fifth_copy=fifth_copy)

    assert wins(counts, (14 - size) // 3, exposed, ruleset) == substituted(counts, exposed, fifth_copy=fifth_copy)


@pytest.mark.parametrize("fifth_copy", [True, False])
@pytest.mark.parametrize("wilds", [3, 4])
@settings(max_examples=8)
@given(st.sampled_from([5, 8, 11, 14]), st.integers(0, 2**32))
def test_wins_with_many_wilds_as_substitution_says(fifth_copy: bool, wilds: int, size: int, seed: int) -> None:
    counts, exposed = near_wins(wilds, size, seed)
    ruleset = ChangdeRuleset(preset="hongzhong", fifth_copy=fifth_copy)

    assert wins(counts, (14 - size) // 3, exposed, ruleset) == substituted(counts, exposed, fifth_copy=fifth_copy)


def test_near_wins_are_wins_as_often_as_not() -> None:
    answers = [substituted(*near_wins(0, 14, seed), fifth_copy=True) for seed in range(200)]
    assert 60 < sum(answers) < 160


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        ("123m 456m 789m 123s 55p", True),
        ("111m 234m 678s 999s 55p", True),
        ("123m 456m 789m 123s 56p", False),
        ("123m 456m 789m 89s 1p 55p", False),
        ("11m 22m 33m 44s 55s 66p 99p", False),
        ("112233m 445566s 99p", True),
        ("123m 456m 789m 1s 777z 2s", True),
        ("1m 4m 7m 1s 4s 7s 1p 4p 7p 1p 7777z", False),
        ("123m 456m 789m 5s 7777z", True),
        ("1111m 55p 7z 234s 678s 9s", False),
    ],
)  # fmt: skip
def test_known_hands(tiles: str, expected: bool) -> None:
    assert sum(hand(tiles)) == 14
    assert wins(hand(tiles), 0, NO_TILES, HONGZHONG) is expected


def test_wilds_may_be_a_group_or_a_pair_of_zhong() -> None:
    assert wins(hand("123m 456m 789m 77z 999s"), 0, NO_TILES, HONGZHONG)
    assert wins(hand("123m 456m 789m 777z 99s"), 0, NO_TILES, HONGZHONG)
    assert wins(hand("77z"), 4, hand("111m 222m 333m 444m"), ChangdeRuleset(preset="hongzhong", fifth_copy=False))


def test_a_wild_as_fifth_copy_needs_the_option() -> None:
    exposed = hand("222s 333s 444s")
    assert wins(hand("1111m 7z"), 3, exposed, HONGZHONG)
    assert not wins(hand("1111m 7z"), 3, exposed, ChangdeRuleset(preset="hongzhong", fifth_copy=False))


def test_own_melds_count_against_the_fifth_copy() -> None:
    exposed = hand("222m 999s 888s")
    assert wins(hand("13m 7z 55p"), 3, exposed, ChangdeRuleset(preset="hongzhong", fifth_copy=False))
    exposed = hand("2222m 999s 888s")
    assert wins(hand("13m 7z 55p"), 3, exposed, HONGZHONG)
    assert not wins(hand("13m 7z 55p"), 3, exposed, ChangdeRuleset(preset="hongzhong", fifth_copy=False))


def test_fifth_copy_is_no_matter_without_zhong() -> None:
    for fifth_copy in (True, False):
        ruleset = ChangdeRuleset(preset="standard", fifth_copy=fifth_copy)
        assert plain(ruleset)
        assert wins(hand("1111m 23m 456s 789s 55p"), 0, NO_TILES, ruleset)


def test_seven_pairs_needs_the_option_and_no_melds() -> None:
    pairs = hand("11m 44m 1111s 99s 77p 3p 7z")
    allowed = ChangdeRuleset(preset="hongzhong", seven_pairs=True)
    assert not wins(pairs, 0, NO_TILES, HONGZHONG)
    assert wins(pairs, 0, NO_TILES, allowed)
    assert wins(hand("11m 44m 11s 99s 77p 7777z"), 0, NO_TILES, allowed)
    assert not wins(hand("11m 44m 11s 99s 7p 3p 6p 9p 77z"), 0, NO_TILES, allowed)
    assert not wins(hand("11m 44m 11s 99s 77p 7z"), 1, hand("222p"), allowed)


def test_four_zhong_win_only_by_option_and_on_a_draw() -> None:
    rags = hand("14m 7m 147s 147p 9p 7777z")
    allowed = ChangdeRuleset(preset="hongzhong", four_zhong_wins=True)
    assert not wins(rags, 0, NO_TILES, HONGZHONG)
    assert wins(rags, 0, NO_TILES, allowed)
    assert not wins(rags, 0, NO_TILES, allowed, own_draw=False)
    assert not wins(hand("14m 7m 147s 147p 99p 777z"), 0, NO_TILES, allowed)


def test_zhong_is_no_tile_of_the_standard_set() -> None:
    assert not wins(hand("123m 456m 789m 99s 777z"), 0, NO_TILES, STANDARD)


@pytest.mark.parametrize("option", [{}, {"fifth_copy": False}, {"seven_pairs": True}, {"four_zhong_wins": True}])
def test_a_hand_of_another_size_does_not_win(option: dict[str, bool]) -> None:
    ruleset = ChangdeRuleset(preset="hongzhong", **option)  # pyright: ignore[reportArgumentType]
    assert not wins(hand("123m 456m 789m 55p"), 0, NO_TILES, ruleset)
    assert not wins(hand("123m 456m 789m 123s 55p"), 1, hand("999p"), ruleset)


def test_unseen_tiles_may_be_whatever_completes() -> None:
    assert wins(hand("123m 456m 789m 12s 5p"), 0, NO_TILES, STANDARD, unseen=2)
    assert not wins(hand("123m 456m 789m 12s 5p"), 0, NO_TILES, STANDARD, unseen=1)
    assert not wins(hand("147m 147s 147p 2m 5s 8p"), 0, NO_TILES, STANDARD, unseen=2)


def test_a_fifth_copy_in_an_impossible_record_is_still_judged() -> None:
    assert wins(hand("55555m 34m 46m 67m 123s"), 0, NO_TILES, STANDARD)
    assert not wins(hand("11111m 234s 234s 235p"), 0, NO_TILES, STANDARD)


def test_tenpai_is_one_wild_short_of_complete() -> None:
    waiting = pack(hand("123m 456m 789m 12s 55p"))
    apart = pack(hand("123m 456m 789m 14s 58p"))
    assert (need(*waiting), tenpai(*waiting, 0), complete(*waiting, 0), complete(*waiting, 1)) == (1, True, False, True)
    assert (need(*apart), tenpai(*apart, 0), tenpai(*apart, 2)) == (7, False, False)


def test_the_table_is_what_its_builder_makes() -> None:
    assert build() == SUIT_NEEDS
    assert len(SUIT_NEEDS) == SIZE
    assert max(SUIT_NEEDS) // 4 == LARGEST


@settings(max_examples=200)
@given(st.integers(0, SIZE - 1))
def test_the_table_is_what_the_search_finds(packed: int) -> None:
    value = SUIT_NEEDS[packed]
    assert least(unpack_suit(packed)) == (value // 4, HAND_NEEDS[value])


@settings(max_examples=200)
@given(st.lists(st.integers(0, 4), min_size=27, max_size=27))
def test_packing(counts: list[int]) -> None:
    packed = pack([*counts, 3])
    assert [copies for suit in packed for copies in unpack_suit(suit)] == counts
    assert sum(packed) == sum(copies * power for copies, power in zip(counts, POWERS, strict=False))
    assert need(*packed) == least_wilds([*counts, 0], None)


def test_a_fifth_copy_cannot_be_packed() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        pack([5] + [0] * 27)


def test_the_search_under_a_limit() -> None:
    four_ones = (4,) + (0,) * 8
    assert least(four_ones, UNLIMITED) == (2, 1)
    assert least(four_ones, (4,) * 9) == (2, 4)
