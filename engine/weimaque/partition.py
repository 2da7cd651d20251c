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

_PAIRS: tuple[tuple[tuple[int, int, int], ...], ...] = tuple(
    tuple((rank, 2 * UNIT[rank], 6 * UNIT[rank]) for rank in range(RANKS) if (2 * rank - residue) % 3 == 0) for residue in range(3)
)
"""By the sum of the ranks modulo 3: the ranks that may be the pair, with its two cards and a mask that tells whether two are held."""

_paired: dict[int, tuple[Partition, ...]] = {}
"""What ``with_pair`` has found so far. Only suits that can be divided are kept: there are 209,663 of them."""


def with_pair(suit: int) -> tuple[Partition, ...]:
    """Every way to divide the cards of one suit into triples, runs and one pair; empty if there is none."""
    known = _paired.get(suit)
    if known is not None:
        return known
    if suit % 3 != 2:
        return ()
    # A rank's byte weighs 256**rank = 1 + 3 * rank modulo 9: the remainder is the number of cards plus three times their ranks' sum.
    residue = (suit % 9 - suit % 255) // 3 % 3
    found: list[Partition] = []
    for rank, pair, mask in _PAIRS[residue]:
        if suit & mask:
            found += [(triples, rank) for triples in PURE.get(suit - pair, ())]
    if found:
        _paired[suit] = tuple(found)
    return tuple(found)


def partitions(cards: int) -> list[Partition]:
    """Every way to divide packed cards, no kind more than four times, into triples, runs and one pair; empty if there is none."""
    small, big = cards & SUIT, cards >> SHIFT
    if small % 3 == 2:
        pure = PURE.get(big)
        if pure is None:
            return []
        return [(triples | other << SHIFT, pair) for triples, pair in _paired.get(small) or with_pair(small) for other in pure]
    pure = PURE.get(small)
    if pure is None:
        return []
    return [(triples << SHIFT | other, pair + RANKS) for triples, pair in _paired.get(big) or with_pair(big) for other in pure]


_completed: dict[int, tuple[int, ...]] = {}
_MOST_COMPLETED = 1 << 16


def _completing_with_pair(suit: int) -> tuple[int, ...]:
    """The ranks of which one more makes the cards of one suit into triples, runs and one pair. The suits in a hand change seldom, so
    answers are kept."""
    known = _completed.get(suit)
    if known is not None:
        return known
    if len(_completed) >= _MOST_COMPLETED:
        _completed.clear()
    found = tuple([rank for rank in range(RANKS) if held(suit, rank) < COPIES and with_pair(suit + UNIT[rank])])
    _completed[suit] = found
    return found


def completing(cards: int) -> list[int]:
    """The kinds of which one more card makes packed cards into triples, runs and one pair, sorted; never a fifth copy."""
    small, big = cards & SUIT, cards >> SHIFT
    over = small % 3, big % 3
    if over == (1, 0):
        return list(_completing_with_pair(small)) if big in PURE else []
    if over == (0, 1):
        return [rank + RANKS for rank in _completing_with_pair(big)] if small in PURE else []
    if over != (2, 2):
        return []
    found: list[int] = []
    if with_pair(big):
        found += [rank for rank in range(RANKS) if small + UNIT[rank] in PURE]
    if with_pair(small):
        found += [rank + RANKS for rank in range(RANKS) if big + UNIT[rank] in PURE]
    return found


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
