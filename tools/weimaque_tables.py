"""Builds ``engine/weimaque/pure_suits.bin``: every way to divide the cards of one suit into triples and runs.

``python -m tools.weimaque_tables`` writes the file; a test compares it with a rebuild. Layout, little-endian, deflated: number of
entries (u32); ten columns, one a rank, of the entries' counts (u8); a column of choice numbers (u16); then the choices, each its
length (u8) and so many sets of ranks in triples (u16, bit ``rank``). Columns, because they deflate to a twentieth of rows.
"""

import struct
import zlib
from pathlib import Path

RANKS = 10
COPIES = 4
MOST_MELDS = 6
TARGET = Path(__file__).parent.parent / "engine" / "weimaque" / "pure_suits.bin"

Counts = tuple[int, ...]


def only_runs() -> list[Counts]:
    """The counts by rank of every multiset of at most six runs with no rank above four."""
    found: list[Counts] = []

    def choose(start: int, counts: list[int], left: int) -> None:
        if start > RANKS - 3:
            found.append(tuple(counts))
            return
        for times in range(left + 1):
            more = [count + times if start <= rank <= start + 2 else count for rank, count in enumerate(counts)]
            if max(more) > COPIES:
                break
            choose(start + 1, more, left - times)

    choose(0, [0] * RANKS, MOST_MELDS)
    return found


def pure_suits() -> dict[Counts, tuple[int, ...]]:
    """For every suit that is all triples and runs: the sets of ranks that may be the triples, ascending. The runs follow from each."""
    found: dict[Counts, list[int]] = {}
    runs = only_runs()
    for triples in range(1 << RANKS):
        cards = [3 * (triples >> rank & 1) for rank in range(RANKS)]
        room = 3 * (MOST_MELDS - triples.bit_count())
        for run in runs:
            counts = tuple(map(int.__add__, run, cards))
            if sum(run) <= room and max(counts) <= COPIES:
                found.setdefault(counts, []).append(triples)
    return {counts: tuple(found[counts]) for counts in sorted(found)}


def packed(suits: dict[Counts, tuple[int, ...]]) -> bytes:
    """The content of the data file."""
    choices = sorted(set(suits.values()))
    number = {choice: place for place, choice in enumerate(choices)}
    columns = b"".join(bytes(counts[rank] for counts in suits) for rank in range(RANKS))
    numbers = struct.pack(f"<{len(suits)}H", *(number[choice] for choice in suits.values()))
    listed = b"".join(struct.pack(f"<B{len(choice)}H", len(choice), *choice) for choice in choices)
    return zlib.compress(struct.pack("<I", len(suits)) + columns + numbers + listed, 9)


if __name__ == "__main__":
    TARGET.write_bytes(packed(pure_suits()))
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")
