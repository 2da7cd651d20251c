"""For every suit of at most four copies a rank, the least wilds that complete it: one byte each, indexed by the packed suit.

``suits.zlib`` is written by ``python -m tools.changde_tables`` and inflated when this module is imported.
"""

import zlib
from pathlib import Path

SUIT_NEEDS: bytes = zlib.decompress(Path(__file__).with_name("suits.zlib").read_bytes())
"""``4 * m + s``: m is the least wilds with which the suit is all melds; s is 1 where melds and a pair take one wild fewer, 0 where
they take two more.

No other difference occurs: the pair either takes the place of a triple one of whose tiles is wild, or is two wilds.
"""

LARGEST = 8
"""The most wilds that one suit needs to be all melds."""

HAND_NEEDS: tuple[int, ...] = tuple(total // 4 + (-1 if total % 4 else 2) for total in range(3 * (4 * LARGEST + 1) + 1))
"""The least wilds for a whole hand, from the sum of the bytes of its three suits: the pair stands in a suit that saves by it, if
one does.
"""
