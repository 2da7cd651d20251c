"""Hard 息 (硬息, rules §4): what the cards of a divided hand are worth by themselves.

A 碰 is worth 2, a 栽 or 砍 3, a 团圆 3 on top of its triple, a 麻雀 nothing and turned (转弯) 2; a red kind adds one to each,
and its 麻雀 is worth 2. A triple that the winning card completes is a 碰 if another revealed it, else a 栽.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.weimaque.deck import IS_RED, KINDS
from engine.weimaque.packed import RED_CARDS, UNIT, fours, held, pack_kinds

TRIPLES = frozenset({"碰", "栽", "砍"})
"""What a triple may be called; a 砍 is one still in the hand."""

PAIR_XI: tuple[int, ...] = tuple(2 if IS_RED[kind] else 0 for kind in range(KINDS))
TURNED_PAIR_XI: tuple[int, ...] = tuple(3 if IS_RED[kind] else 2 for kind in range(KINDS))


def concealed_xi(kinds: int) -> int:
    """What a set of kinds is worth as 栽 or 砍, and likewise as 团圆: 3 each, 4 if red."""
    return 3 * kinds.bit_count() + (kinds & RED_CARDS).bit_count()


def pair_xi(kind: int, cards: int) -> int:
    """What the 麻雀 is worth, ``cards`` being all twenty: turned if the kind lies in a meld as well."""
    return TURNED_PAIR_XI[kind] if held(cards, kind) > 2 else PAIR_XI[kind]


class XiItem(NamedTuple):
    """One line of the hard 息: 碰, 栽, 砍, 团圆, 麻雀 or 转弯; the cards that earn it; how much."""

    name: str
    kinds: tuple[int, ...]
    xi: int


def itemised(melds: Iterable[tuple[str, Sequence[int]]], pair: int) -> list[XiItem]:
    """The lines of the hard 息 that are worth something: each triple with its 团圆 behind it, then the 麻雀.

    ``melds`` are all six as (kind, cards): 碰, 栽 and 砍 are triples, anything else is a run. ``pair`` is the kind of the 麻雀.
    """
    named = list(melds)
    cards = pack_kinds(kind for _, kinds in named for kind in kinds) + 2 * UNIT[pair]
    whole = fours(cards)
    lines: list[XiItem] = []
    for name, kinds in named:
        kind = kinds[0]
        if name in TRIPLES:
            lines.append(XiItem(name, (kind,) * 3, (2 if name == "碰" else 3) + IS_RED[kind]))
            if held(whole, kind):
                lines.append(XiItem("团圆", (kind,) * 4, 3 + IS_RED[kind]))
    worth = pair_xi(pair, cards)
    if worth:
        lines.append(XiItem("转弯" if held(cards, pair) > 2 else "麻雀", (pair, pair), worth))
    return lines
