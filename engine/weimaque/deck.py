"""The 80 cards of 安乡偎麻雀 as small ints: 0–9 are 一…十, 10–19 are 壹…拾; four copies of each kind (rules §1)."""

from typing import get_args

from schemas.cards import WeimaqueCard

UNKNOWN = -1
KINDS = 20
COPIES = 4
STOCK_SIZE = 22
DEALER_HAND = 20
OTHER_HAND = 19

TOKENS: tuple[WeimaqueCard, ...] = get_args(WeimaqueCard)[:KINDS]
"""Token of each kind, in the order of the kinds."""

INDEX: dict[str, int] = {**{token: kind for kind, token in enumerate(TOKENS)}, "?": UNKNOWN}
"""Kind of each token; ``"?"`` is ``UNKNOWN``."""

RED = frozenset(INDEX[token] for token in "二七十贰柒拾")
IS_RED: tuple[bool, ...] = tuple(kind in RED for kind in range(KINDS))


SHOWN = (*TOKENS, "?")
"""The token of each kind, and last, where ``UNKNOWN`` looks it up, ``"?"``."""


def token(kind: int) -> WeimaqueCard:
    """The token of a kind; ``"?"`` for ``UNKNOWN``."""
    return SHOWN[kind]
