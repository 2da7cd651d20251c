"""One suit of a hand as a single int: nine digits base 5, the number of copies of each rank, 1 in the lowest digit.

A hand is three such ints, 万 条 筒, and the number of its 红中 beside them; a tile changes one of them by ``POWERS[kind]``. All four
together are one int again (``whole``), which a tile that enters or leaves changes by ``ONE[kind]``. A digit holds at most four copies: of
a hand with a fifth (an impossible record) only the count vector speaks.
"""

from collections.abc import Sequence

from engine.changde.deck import COPIES, KINDS, ZHONG

RANKS = 9
BASE = COPIES + 1
SIZE = BASE**RANKS
"""One more than the largest packed suit."""

POWERS: tuple[int, ...] = tuple(BASE ** (kind % RANKS) if kind < ZHONG else 0 for kind in range(KINDS))
"""What one tile of each kind adds to the int of its suit; 红中 belongs to none."""

_BITS = 21
"""Bits that a packed suit takes in a whole hand."""

_SUIT = (1 << _BITS) - 1

ONE: tuple[int, ...] = (*(POWERS[kind] << _BITS * (kind // RANKS) for kind in range(ZHONG)), 1 << 3 * _BITS)
"""What one tile of each kind adds to a whole hand."""

Packed = tuple[int, int, int]
"""The three suits of a hand."""

_DIGITS = b"01234" + bytes(251)


def unpack_suit(packed: int) -> tuple[int, ...]:
    """The copies of the nine ranks of one suit."""
    ranks: list[int] = []
    for _ in range(RANKS):
        packed, copies = divmod(packed, BASE)
        ranks.append(copies)
    return tuple(ranks)


def pack(counts: Sequence[int]) -> Packed:
    """The three suits of a count vector, each kind at most four times; its 红中 are left out."""
    digits = bytes(counts).translate(_DIGITS)
    return int(digits[8::-1], BASE), int(digits[17:8:-1], BASE), int(digits[26:17:-1], BASE)


def whole(counts: Sequence[int]) -> int:
    """The hand of a count vector as one int, each kind but 红中 at most four times."""
    m, s, p = pack(counts)
    return m | s << _BITS | p << 2 * _BITS | counts[ZHONG] << 3 * _BITS


def suits(hand: int) -> tuple[int, int, int, int]:
    """The three packed suits of a whole hand, and the number of its 红中."""
    return hand & _SUIT, hand >> _BITS & _SUIT, hand >> 2 * _BITS & _SUIT, hand >> 3 * _BITS
