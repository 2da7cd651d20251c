"""奖码: how many are flipped and which hit."""

from typing import Any

import pytest

from engine.changde.deck import INDEX
from engine.changde.ma import bonus_hits, hitting, ma_due, ma_flipped, ma_hits, undealt
from engine.changde.options import ChangdeRuleset

EVERY_TILE = [kind for kind in INDEX.values() if kind >= 0]


def table(preset: str = "hongzhong", **options: Any) -> ChangdeRuleset:
    """A ruleset with some options."""
    return ChangdeRuleset(preset=preset, **options)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("bonus", "count", "with_zhong", "without"),
    [
        ("double_tiles", 4, 4, 8),
        ("double_tiles", 1, 1, 2),
        ("plus_one_tile", 4, 4, 5),
        ("plus_one_hit", 4, 4, 4),
        ("none", 4, 4, 4),
        ("double_tiles", 0, 0, 0),
        ("plus_one_tile", 0, 0, 0),
    ],
)
def test_tiles_due_with_and_without_zhong(bonus: str, count: int, with_zhong: int, without: int) -> None:
    ruleset = table(no_zhong_bonus=bonus, ma_count=count)
    assert ma_due(ruleset, has_zhong=True) == with_zhong
    assert ma_due(ruleset, has_zhong=False) == without


@pytest.mark.parametrize("bonus", ["double_tiles", "plus_one_tile", "plus_one_hit", "none"])
def test_no_bonus_without_zhong_in_the_set(bonus: str) -> None:
    ruleset = table("standard", no_zhong_bonus=bonus, ma_count=4)
    assert ma_due(ruleset, has_zhong=False) == 4
    assert bonus_hits(ruleset, has_zhong=False) == 0


def test_all_is_the_rest_of_the_wall_with_no_bonus() -> None:
    assert (undealt(table("standard")), undealt(table())) == (55, 59)
    for bonus in ("double_tiles", "plus_one_tile", "plus_one_hit", "none"):
        ruleset = table(no_zhong_bonus=bonus, ma_count="all")
        assert ma_due(ruleset, has_zhong=False, wall_left=17) == ma_due(ruleset, has_zhong=True, wall_left=17) == 17
        assert bonus_hits(ruleset, has_zhong=False) == 0


def test_no_more_than_the_wall_has() -> None:
    assert ma_due(table(ma_count=6), has_zhong=False, wall_left=5) == 5
    assert ma_due(table(ma_count=6), has_zhong=False, wall_left=0) == 0


def test_plus_one_hit() -> None:
    ruleset = table(no_zhong_bonus="plus_one_hit", ma_count=2)
    assert (bonus_hits(ruleset, has_zhong=False), bonus_hits(ruleset, has_zhong=True)) == (1, 0)
    assert bonus_hits(table(no_zhong_bonus="plus_one_hit", ma_count=0), has_zhong=False) == 0
    assert bonus_hits(table(no_zhong_bonus="double_tiles", ma_count=2), has_zhong=False) == 0


@pytest.mark.parametrize(
    ("mode", "dealer", "numbers"),
    [
        ("159", 0, "159"),
        ("159", 3, "159"),
        ("shangzhuang", 2, "159"),
        ("shangzhuang", 1, "26"),
        ("shangzhuang", 3, "48"),
        ("shangzhuang", 0, "37"),
    ],
)
def test_what_hits_for_the_winner_in_seat_2(mode: str, dealer: int, numbers: str) -> None:
    ruleset = table(ma_mode=mode)
    hits = {token for token, kind in INDEX.items() if kind in hitting(ruleset, dealer, winner=2)}
    assert hits == {number + suit for number in numbers for suit in "msp"} | {"7z"}


def test_each_robber_reads_his_own_first_tiles() -> None:
    ruleset = table(ma_count=2)
    flipped = [INDEX[pai] for pai in ("1m", "2m", "5s", "7z")]
    assert ma_flipped(ruleset, [True, False]) == 4
    assert ma_hits(ruleset, flipped, 0, 1, has_zhong=True) == [INDEX["1m"]]
    assert ma_hits(ruleset, flipped, 0, 2, has_zhong=False) == [INDEX[pai] for pai in ("1m", "5s", "7z")]


def test_nothing_is_flipped_without_a_winner() -> None:
    assert ma_flipped(table(ma_count="all"), []) == 0
    assert ma_hits(table(ma_count=8), [], 0, 0, has_zhong=False) == []


def test_an_unknown_tile_is_no_hit() -> None:
    assert -1 not in hitting(table(), 0, 0)
    assert sum(kind in hitting(table(), 0, 0) for kind in EVERY_TILE) == 10
