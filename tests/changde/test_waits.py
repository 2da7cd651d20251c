"""Waits against the win check of every tile."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.changde.deck import COPIES, INDEX, KINDS, ZHONG
from engine.changde.options import ChangdeRuleset
from engine.changde.packed import pack
from engine.changde.waits import wait_mask, waits
from engine.changde.win import least_wilds, tenpai, wins

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


def waiting_for(text: str, ruleset: ChangdeRuleset, melds: str = "") -> dict[str, int]:
    """Tiles that complete a hand, with the number left when only the player's own are seen."""
    exposed = hand(melds)
    counts = hand(text)
    seen = [a + b for a, b in zip(counts, exposed, strict=True)]
    names = {kind: name for name, kind in INDEX.items()}
    return {names[kind]: left for kind, left in waits(counts, len(melds.split()), exposed, seen, ruleset)}


def clustered(wilds: int, size: int, seed: int) -> list[int]:
    """A hand of few different kinds, so that it often waits."""
    rng = random.Random(seed)
    low = rng.randrange(3) * 9
    kinds = [*range(low, low + 9), rng.randrange(ZHONG)] if rng.random() < 0.7 else rng.sample(range(ZHONG), 9)
    counts = [0] * KINDS
    counts[ZHONG] = wilds
    while sum(counts) < size:
        kind = rng.choice(kinds)
        counts[kind] += counts[kind] < COPIES
    return counts


@settings(max_examples=300)
@given(st.integers(0, 4), st.sampled_from([4, 7, 10, 13]), st.integers(0, 2**32))
def test_the_mask_holds_what_completes(wilds: int, size: int, seed: int) -> None:
    counts = clustered(wilds, size, seed)

    mask = wait_mask(*pack(counts), wilds)

    for kind in range(ZHONG):
        with_it = list(counts)
        with_it[kind] += 1
        assert bool(mask >> kind & 1) == (least_wilds(with_it, None) <= wilds), kind
    assert bool(mask >> ZHONG & 1) == tenpai(*pack(counts), wilds)
    assert bool(mask) == tenpai(*pack(counts), wilds)


def test_clustered_hands_wait_often_enough_to_test_by() -> None:
    waiting = sum(wait_mask(*pack(clustered(1, 13, seed)), 1) not in (0, (1 << KINDS) - 1) for seed in range(100))
    assert waiting > 25


@pytest.mark.parametrize(
    "option",
    [{}, {"fifth_copy": False}, {"seven_pairs": True}, {"four_zhong_wins": True}, {"fifth_copy": False, "seven_pairs": True}],
)
@pytest.mark.parametrize("preset", ["standard", "hongzhong"])
@settings(max_examples=40)
@given(st.integers(0, 4), st.integers(0, 2**32))
def test_waits_are_the_draws_that_win(preset: str, option: dict[str, bool], wilds: int, seed: int) -> None:
    ruleset = ChangdeRuleset(preset=preset, **option)  # pyright: ignore[reportArgumentType]
    counts = clustered(wilds if ruleset.wild else 0, 13, seed)

    found = waits(counts, 0, NO_TILES, counts, ruleset)

    expected: list[tuple[int, int]] = []
    for kind in range(KINDS if ruleset.wild else ZHONG):
        with_it = list(counts)
        with_it[kind] += 1
        own_fifth = ruleset.wild and not ruleset.fifth_copy and counts[kind] == COPIES
        if wins(with_it, 0, NO_TILES, ruleset) and not own_fifth:
            expected.append((kind, COPIES - counts[kind]))
    assert found == expected


def test_every_completing_tile_and_zhong_with_the_number_left() -> None:
    assert waiting_for("123m 456m 789m 23s 55p", STANDARD) == {"1s": 4, "4s": 4}
    assert waiting_for("123m 456m 789m 23s 55p", HONGZHONG) == {"1s": 4, "4s": 4, "7z": 4}
    assert waiting_for("1112345678999m", STANDARD) == dict.fromkeys(("2m", "3m", "4m", "5m", "6m", "7m", "8m"), 3) | {"1m": 1, "9m": 1}
    assert waiting_for("7s", HONGZHONG, melds="111m 222m 333m 4444p") == {"7s": 3, "7z": 4}
    assert waiting_for("147m 147s 147p 2m 5s 8p 9p", HONGZHONG) == {}


def test_a_tile_all_of_which_are_seen_is_listed_with_none_left() -> None:
    assert waiting_for("23s 55p", STANDARD, melds="1111s 444s 999m") == {"1s": 0, "4s": 1}
    assert waiting_for("1111m", STANDARD, melds="222s 333s 444s") == {"1m": 0}
    assert waits(hand("23s 55p"), 3, hand("222m 333m 444m"), [7] * KINDS, STANDARD) == [(INDEX["1s"], 0), (INDEX["4s"], 0)]


def test_a_wild_that_fits_anywhere_waits_for_everything() -> None:
    assert len(waiting_for("123m 456m 789m 123s 7z", HONGZHONG)) == KINDS


def test_without_a_fifth_copy_a_tile_of_which_one_holds_four_is_no_wait() -> None:
    no_fifth = ChangdeRuleset(preset="hongzhong", fifth_copy=False)
    assert waiting_for("1111m", HONGZHONG, melds="222s 333s 444s") == {"1m": 0, "7z": 4}
    assert waiting_for("1111m", no_fifth, melds="222s 333s 444s") == {}
    assert waiting_for("1s 7z 55p", no_fifth, melds="1111m 444s 999m") == {"1s": 3, "2s": 4, "3s": 4, "5p": 2, "7z": 3}


def test_four_zhong_in_reach() -> None:
    allowed = ChangdeRuleset(preset="hongzhong", four_zhong_wins=True)
    assert waiting_for("14m 7m 147s 147p 9p 777z", allowed) == {"7z": 1}
    assert len(waiting_for("14m 7m 147s 147p 7777z", allowed)) == KINDS


def test_a_hand_of_another_size_waits_for_nothing() -> None:
    assert waiting_for("123m 456m 789m 23s 5p", STANDARD) == {}
    assert waiting_for("123m 456m 789m 234s 55p", STANDARD) == {}
