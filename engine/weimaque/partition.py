"""Every way to divide cards into triples (三张), runs (三张相连) and one pair (麻雀), by table.

Which kinds are the triples settles a division: what is left once they and the pair are gone is runs in one way only, the lowest
card always starting one. So a partition is ``(set of kinds in triples, kind of the pair)`` and ``runs`` tells the rest.

``PURE`` holds the 34,407 suits that are triples and runs alone. The suit with the pair is the one with two cards over a multiple
of three, and since the ranks of a triple and of a run add up to a multiple of three, at most four of its ranks can be the pair.
"""

import struct
import zlib
from pathlib import Path

from engine.weimaque.deck import COPIES, KINDS
from engine.weimaque.packed import RANKS, SHIFT, SUIT, UNIT, held

Partition = tuple[int, int]
"""The set of kinds in triples (packed, see ``engine.weimaque.packed``) and the kind of the pair."""

Run = tuple[int, int, int]


def _read(data: bytes) -> dict[int, tuple[int, ...]]:
    """The table from its file; ``tools.weimaque_tables`` says how it is laid out."""
    plain = zlib.decompress(data)
    (entries,) = struct.unpack_from("<I", plain)
    low, high = bytearray(8 * entries), bytearray(2 * entries)
    for rank in range(RANKS):
        column = plain[4 + rank * entries : 4 + (rank + 1) * entries]
        if rank < 8:
            low[rank::8] = column
        else:
            high[rank - 8 :: 2] = column
    at = 4 + RANKS * entries
    numbers = struct.unpack_from(f"<{entries}H", plain, at)
    at += 2 * entries
    spread = [0]
    for rank in range(RANKS):
        spread += [ranks | UNIT[rank] for ranks in spread]
    choices: list[tuple[int, ...]] = []
    while at < len(plain):
        length = plain[at]
        sets: tuple[int, ...] = struct.unpack_from(f"<{length}H", plain, at + 1)
        choices.append(tuple([spread[ranks] for ranks in sets]))
        at += 1 + 2 * length
    below, above = struct.unpack(f"<{entries}Q", low), struct.unpack(f"<{entries}H", high)
    suits = [upper << 64 | lower for lower, upper in zip(below, above, strict=True)]
    return dict(zip(suits, map(choices.__getitem__, numbers), strict=True))


PURE: dict[int, tuple[int, ...]] = _read(Path(__file__).with_name("pure_suits.bin").read_bytes())
"""Packed cards of one suit (in the low ten bytes) that are all triples and runs → the sets that may be the triples."""

_MODULUS = 9 * 255

RankIn = tuple[int, int, int, int]
"""A rank with its unit, the two cards of its pair, and a mask that tells whether two are held."""

_RANKS: tuple[RankIn, ...] = tuple((rank, UNIT[rank], 2 * UNIT[rank], 6 * UNIT[rank]) for rank in range(RANKS))


def _by_sum(multiple: int) -> tuple[tuple[RankIn, ...], ...]:
    """By a suit modulo ``_MODULUS``: the ranks of which so many more bring the sum of its ranks to a multiple of three.

    A rank's byte weighs 256**rank = 1 + 3 * rank modulo 9: that remainder is the number of cards (modulo 255) plus three times the sum
    of their ranks.
    """
    fitting = [tuple(rank for rank in _RANKS if (ranks_sum + multiple * rank[0]) % 3 == 0) for ranks_sum in range(3)]
    return tuple([fitting[(remainder % 9 - remainder % 255) // 3 % 3] for remainder in range(_MODULUS)])


_ONE_MORE = _by_sum(1)
_ONE_LESS = _by_sum(-1)
_TWO_LESS = _ONE_MORE
"""Two cards less change the sum modulo three as one more does."""


def with_pair(suit: int) -> list[Partition]:
    """Every way to divide the cards of one suit into triples, runs and one pair; empty if there is none."""
    if suit % 3 != 2:
        return []
    found: list[Partition] = []
    for rank, _, pair, two in _TWO_LESS[suit % _MODULUS]:
        if suit & two:
            for triples in PURE.get(suit - pair, ()):
                found.append((triples, rank))
    return found


def partitions(cards: int) -> list[Partition]:
    """Every way to divide packed cards, no kind more than four times, into triples, runs and one pair; empty if there is none."""
    small, big = cards & SUIT, cards >> SHIFT
    if small % 3 == 2:
        pure = PURE.get(big)
        return [(triples | other << SHIFT, pair) for triples, pair in with_pair(small) for other in pure] if pure else []
    pure = PURE.get(small)
    return [(triples << SHIFT | other, pair + RANKS) for triples, pair in with_pair(big) for other in pure] if pure else []


def completing(cards: int) -> list[int]:
    """The kinds of which one more card makes packed cards into triples, runs and one pair, sorted; never a fifth copy."""
    small, big = cards & SUIT, cards >> SHIFT
    over = small % 3, big % 3
    if over == (1, 0):
        return sorted(_completing_with_pair(small)) if big in PURE else []
    if over == (0, 1):
        return sorted([rank + RANKS for rank in _completing_with_pair(big)]) if small in PURE else []
    if over != (2, 2):
        return []
    found: list[int] = []
    if with_pair(big):
        found += sorted(_completing_pure(small))
    if with_pair(small):
        found += sorted([rank + RANKS for rank in _completing_pure(big)])
    return found


def _completing_pure(suit: int) -> list[int]:
    """The ranks of which one more makes a suit, one card short of a multiple of three, into triples and runs."""
    return [rank for rank, unit, _, _ in _ONE_MORE[suit % _MODULUS] if suit + unit in PURE]


def _completing_with_pair(suit: int) -> set[int]:
    """The ranks of which one more makes a suit, one card over a multiple of three, into triples, runs and one pair: the other card of
    the pair, or beside a pair one that the rest lacks."""
    found = {rank for rank, unit, _, _ in _ONE_LESS[suit % _MODULUS] if suit - unit in PURE}
    for _, _, pair, two in _RANKS:
        if suit & two:
            found.update(_completing_pure(suit - pair))
    return {rank for rank in found if held(suit, rank) < COPIES}


def runs(cards: int, partition: Partition) -> list[Run]:
    """The runs of a partition of ``cards``, sorted."""
    triples, pair = partition
    rest = cards - 3 * triples - 2 * UNIT[pair]
    found: list[Run] = []
    for kind in range(KINDS):
        for _ in range(held(rest, kind)):
            found.append((kind, kind + 1, kind + 2))
            rest -= UNIT[kind] + UNIT[kind + 1] + UNIT[kind + 2]
    return found


def has_black_run(suit: int) -> bool:
    """Whether cards of one suit that are all runs hold one without a red card: 三四五 or 四五六."""
    first = suit & 0xFF
    second = (suit >> 8 & 0xFF) - first
    third = (suit >> 16 & 0xFF) - second - first
    return third > 0 or (suit >> 24 & 0xFF) > third + second


def melds(cards: int, partition: Partition) -> list[Run]:
    """The triples and runs of a partition of ``cards``, sorted."""
    triples = [(kind, kind, kind) for kind in range(KINDS) if held(partition[0], kind)]
    return sorted(triples + runs(cards, partition))
