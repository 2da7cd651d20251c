"""The least number of wild tiles that completes one suit, found by search: for any counts, and with a limit on the copies of each rank.

The tables of ``engine.changde.tables`` hold the same numbers for every suit of at most four copies a rank and no limit. This search
makes the tables, answers for what they cannot hold, and is small enough to be believed.
"""

from functools import lru_cache

NEVER = 99
"""More wilds than there are: this suit cannot be completed."""

UNLIMITED = (NEVER,) * 9
"""No limit on the copies of any rank."""


def filled(copies: int, covered: int) -> int:
    """Tiles of one rank once every one of its ``copies`` has a place, ``covered`` of them in runs or the pair and the rest in triples."""
    return covered + 3 * max(0, -((covered - copies) // 3))


def least(ranks: tuple[int, ...], limit: tuple[int, ...] = UNLIMITED) -> tuple[int, int]:
    """The least wilds with which one suit is all melds, and all melds and one pair; ``NEVER`` or more where that is impossible.

    ``ranks`` are the copies of the nine ranks; ``limit`` is the most copies of each rank, wilds that stand for it included.
    """
    return _from(ranks, limit, 0, 0, False), _from(ranks, limit, 0, 0, True)


@lru_cache(maxsize=1 << 16)
def _from(ranks: tuple[int, ...], limit: tuple[int, ...], before: int, last: int, pair: bool) -> int:
    """As ``least`` for the ranks from some rank on, into which ``before`` runs reach from two ranks below and ``last`` from the rank below.

    Three equal runs are three triples of the same tiles, so at most two need starting at a rank.
    """
    if not ranks:
        return NEVER if before or last or pair else 0
    best = NEVER
    for runs in range(3):
        for here in (0, 1) if pair else (0,):
            tiles = filled(ranks[0], before + last + runs + 2 * here)
            if tiles <= limit[0]:
                best = min(best, tiles - ranks[0] + _from(ranks[1:], limit[1:], last, runs, pair and not here))
    return best
