"""The tiles of 常德麻将 as small ints: 0–8 are 1m…9m, 9–17 1s…9s, 18–26 1p…9p, 27 is 7z (红中); four copies of each kind (rules §1)."""

from typing import get_args

from schemas.cards import ChangdeTile

UNKNOWN = -1
KINDS = 28
COPIES = 4
ZHONG = 27
DEALER_HAND = 14
OTHER_HAND = 13

TOKENS: tuple[ChangdeTile, ...] = get_args(ChangdeTile)[:KINDS]
"""Token of each kind, in the order of the kinds."""

INDEX: dict[str, int] = {**{token: kind for kind, token in enumerate(TOKENS)}, "?": UNKNOWN}
"""Kind of each token; ``"?"`` is ``UNKNOWN``."""


SHOWN = (*TOKENS, "?")
"""The token of each kind, and last, where ``UNKNOWN`` looks it up, ``"?"``."""


def copies_of_each(*, wild: bool) -> list[int]:
    """How many tiles of each kind the set has: no 红中 unless they are played."""
    return [COPIES] * ZHONG + [COPIES * wild]


def token(kind: int) -> ChangdeTile:
    """The token of a kind; ``"?"`` for ``UNKNOWN``."""
    return SHOWN[kind]
