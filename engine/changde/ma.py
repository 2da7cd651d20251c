"""奖码: how many tiles are flipped after a win, and which of them are hits (rules §4)."""

from collections.abc import Sequence

from engine.changde.deck import COPIES, DEALER_HAND, OTHER_HAND, ZHONG
from engine.changde.options import ChangdeRuleset
from engine.changde.packed import RANKS

BY_DEALER: tuple[frozenset[int], ...] = (frozenset({1, 5, 9}), frozenset({4, 8}), frozenset({3, 7}), frozenset({2, 6}))
"""``shangzhuang``: the numbers that hit, by how many seats after the winner the dealer sits: the winner himself, 下家, 对家, 上家."""

ALWAYS = frozenset({1, 5, 9})
"""``159``: the numbers that hit."""


def _kinds_with(numbers: frozenset[int]) -> frozenset[int]:
    return frozenset(kind for kind in range(ZHONG) if kind % RANKS + 1 in numbers) | {ZHONG}


_HITS_BY_DEALER = tuple(map(_kinds_with, BY_DEALER))
_HITS_ALWAYS = _kinds_with(ALWAYS)


def undealt(ruleset: ChangdeRuleset) -> int:
    """Tiles in the wall after the deal: 55, with 红中 59."""
    return COPIES * (ZHONG + ruleset.wild) - DEALER_HAND - 3 * OTHER_HAND


def has_bonus(ruleset: ChangdeRuleset, has_zhong: bool) -> bool:
    """Whether a winner is owed more for holding no 红中 among his 14 tiles; never at ``all``, nor where no 码 are agreed."""
    return ruleset.wild and not has_zhong and ruleset.ma_count not in (0, "all")


def ma_due(ruleset: ChangdeRuleset, has_zhong: bool, wall_left: int | None = None) -> int:
    """Tiles to flip for a winner, who holds 红中 or not; no more than the wall has left (if not given: than it ever has)."""
    left = undealt(ruleset) if wall_left is None else wall_left
    if ruleset.ma_count == "all":
        return left
    due = ruleset.ma_count
    if has_bonus(ruleset, has_zhong):
        if ruleset.no_zhong_bonus == "double_tiles":
            due *= 2
        elif ruleset.no_zhong_bonus == "plus_one_tile":
            due += 1
    return min(due, left)


def ma_flipped(ruleset: ChangdeRuleset, winners_have_zhong: Sequence[bool], wall_left: int | None = None) -> int:
    """Tiles to flip for all winners of a hand: the most that is due to one of them; none without a winner."""
    return max((ma_due(ruleset, has_zhong, wall_left) for has_zhong in winners_have_zhong), default=0)


def hitting(ruleset: ChangdeRuleset, dealer: int, winner: int) -> frozenset[int]:
    """The kinds that are hits for this winner: by their number, and 红中 always."""
    return _HITS_ALWAYS if ruleset.ma_mode == "159" else _HITS_BY_DEALER[(dealer - winner) % 4]


def ma_hits(ruleset: ChangdeRuleset, tiles: Sequence[int], dealer: int, winner: int, has_zhong: bool) -> list[int]:
    """The kinds, in order, that hit among those of the flipped tiles that are the winner's to read: his own first n."""
    hits = hitting(ruleset, dealer, winner)
    return [kind for kind in tiles[: ma_due(ruleset, has_zhong)] if kind in hits]


def bonus_hits(ruleset: ChangdeRuleset, has_zhong: bool) -> int:
    """Hits beyond those on the flipped tiles: one with ``no_zhong_bonus: plus_one_hit``."""
    return int(ruleset.no_zhong_bonus == "plus_one_hit" and has_bonus(ruleset, has_zhong))
