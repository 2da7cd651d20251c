"""Cards packed into one int: a byte for each kind, so a whole hand is one number and taking a card is one subtraction.

Byte ``kind`` (the lowest first) holds how many of that kind there are: 小字 fill the low ten bytes (``SUIT``), 大字 the ten above
(``>> SHIFT``). A *set of kinds* is the same with at most one of each, so sets and cards combine with ``&``, ``|``, ``+``, ``-``.
256 leaves 1 when divided by 3, 5 and 17, hence ``packed % 3`` is the number of cards modulo 3 and ``packed % 255`` the number of cards.
"""

from collections.abc import Iterable, Sequence

from engine.weimaque.deck import KINDS, RED

RANKS = 10
SHIFT = 8 * RANKS
SUIT = (1 << SHIFT) - 1
"""The ten bytes of one suit."""

UNIT: tuple[int, ...] = tuple(1 << 8 * kind for kind in range(KINDS))
"""One card of each kind."""

EVERY_KIND = sum(UNIT)
RED_CARDS = sum(0xFF << 8 * kind for kind in RED)
"""Mask of the bytes of the red kinds."""


def pack(counts: Sequence[int]) -> int:
    """The packed cards of a count vector by kind. ``ValueError`` if a count is negative or above 255."""
    return int.from_bytes(bytes(counts), "little")


def pack_kinds(kinds: Iterable[int]) -> int:
    """The packed cards of a list of kinds, in any order."""
    return sum(UNIT[kind] for kind in kinds)


def unpack(cards: int) -> list[int]:
    """The count vector (20 counts by kind) of packed cards."""
    return list(cards.to_bytes(KINDS, "little"))


def kinds_of(cards: int) -> list[int]:
    """Every card as its kind, sorted; a kind held twice stands twice."""
    return [kind for kind, count in enumerate(cards.to_bytes(KINDS, "little")) for _ in range(count)]


def size(cards: int) -> int:
    """How many cards there are (below 255)."""
    return cards % 255


def held(cards: int, kind: int) -> int:
    """How many cards of ``kind`` there are."""
    return cards >> 8 * kind & 0xFF


def held_once_or_twice(cards: int) -> int:
    """The set of kinds held once or twice (no kind more often than four times)."""
    return (cards ^ cards >> 1) & EVERY_KIND


def fours(cards: int) -> int:
    """The set of kinds held four times (no kind more often than that)."""
    return cards >> 2 & EVERY_KIND
