"""Builds ``engine/changde/suits.zlib``, the table that ``engine.changde.tables`` reads.

    python -m tools.changde_tables

The search of ``engine.changde.least`` runs for all suits at once: from the highest rank downwards, one byte string holds the answer
of every suit of the ranks already seen. It takes two seconds.
"""

import zlib
from functools import cache
from pathlib import Path

import engine.changde
from engine.changde.least import NEVER, filled
from engine.changde.packed import BASE, RANKS

TARGET = Path(engine.changde.__file__).with_name("suits.zlib")

# The table is symmetric in the ranks, so it matters not that the string's slowest digit is the rank at which the search begins.


@cache
def _block(ranks: int, before: int, last: int, pair: bool) -> bytes:
    """The least wilds of every suit of so many ranks, ``before`` and ``last`` runs reaching into it from outside."""
    if ranks == 0:
        return bytes([NEVER if before or last or pair else 0])
    answers: list[bytes] = []
    for copies in range(BASE):
        ways: list[bytes] = []
        for runs in range(3):
            for here in (0, 1) if pair else (0,):
                wilds = filled(copies, before + last + runs + 2 * here) - copies
                more = bytes(min(value + wilds, NEVER) for value in range(256))
                ways.append(_block(ranks - 1, last, runs, pair and not here).translate(more))
        answers.append(bytes(map(min, *ways)))
    return b"".join(answers)


def build() -> bytes:
    """The table: see ``engine.changde.tables.SUIT_NEEDS``."""
    melds = _block(RANKS, 0, 0, False)
    with_pair = _block(RANKS, 0, 0, True)
    code = {-1: 1, 2: 0}
    return bytes(4 * m + code[p - m] for m, p in zip(melds, with_pair, strict=True))


def main() -> None:
    """Writes the table."""
    TARGET.write_bytes(zlib.compress(build(), 9))
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
