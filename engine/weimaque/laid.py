"""What the melds on the table amount to, as far as a win asks: kept beside the melds, so that a win need not look at them again."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.truth import NO, UNKNOWN, Truth, known
from engine.weimaque.deck import IS_RED
from engine.weimaque.packed import RANKS, UNIT


class Laid(NamedTuple):
    """The melds that one player has on the table.

    ``cards`` are their cards, ``triples`` the set of kinds in 碰 and 栽 (both packed), ``hard_xi`` what these are worth without 团圆,
    ``all_triples`` whether none is a run, ``all_red`` whether every one of them has a red card.
    """

    cards: int = 0
    triples: int = 0
    hard_xi: int = 0
    all_triples: bool = True
    all_red: bool = True


NOTHING_LAID = Laid()


def makes_run(cards: Sequence[int]) -> Truth:
    """Whether three cards stand in a row in one suit, as far as they are known (-1: unknown)."""
    named = sorted(card for card in cards if card >= 0)
    if len(named) < 2:
        return UNKNOWN
    if named[0] // RANKS != named[-1] // RANKS:
        return NO
    if len(named) == 2:
        return UNKNOWN if 0 < named[1] - named[0] <= 2 else NO
    return known(named[0] + 2 == named[1] + 1 == named[2])


def with_meld(laid: Laid, kind: str, cards: Sequence[int]) -> Laid:
    """``laid`` and one more meld: 碰 or 栽 of three equal cards, 吃 of a run. Its cards are kinds, none unknown."""
    return lay(((kind, cards),), laid)


def lay(melds: Iterable[tuple[str, Sequence[int]]], laid: Laid = NOTHING_LAID) -> Laid:
    """What ``laid`` and these melds, each its kind (碰, 栽, 吃) and its three cards, amount to."""
    total, triples, hard_xi, all_triples, all_red = laid
    for kind, (first, second, third) in melds:
        all_red = all_red and (IS_RED[first] or IS_RED[second] or IS_RED[third])
        if kind == "吃":
            total += UNIT[first] + UNIT[second] + UNIT[third]
            all_triples = False
        else:
            unit = UNIT[first]
            total += 3 * unit
            triples |= unit
            hard_xi += (2 if kind == "碰" else 3) + IS_RED[first]
    return Laid(total, triples, hard_xi, all_triples, all_red)
