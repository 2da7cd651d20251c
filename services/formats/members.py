"""How many members (key and value) the JSON of a record has, without writing all of it: a text with more of them repeats a key."""

from collections.abc import Sequence
from typing import Any

import msgspec

from schemas import changde, weimaque
from schemas.record import Record

_MOVES = frozenset(
    (
        weimaque.Discard, weimaque.Reveal, weimaque.Peng, weimaque.Wei,
        changde.Discard, changde.Draw, changde.Peng, changde.Replacement,
    )
)  # fmt: skip
"""Events of type, actor and card alone, a moment (``at``) aside: nearly all of a record."""

_DEALS = (weimaque.Deal, changde.Deal)
_OF_ONE = 3
"""Members of a move, and of a 起牌."""


def telling(events: Sequence[Any]) -> list[Any]:
    """The first two events, and those behind them that are no plain moves."""
    return [*events[:2], *[event for event in events[2:] if event.__class__ not in _MOVES]]


def colons(record: Record, told: Sequence[Any]) -> int:
    """Colons in the JSON of the record, moments of plain moves left out: never more than in the text that it was read from, and as many
    only if no key is repeated there and no move has a moment. ``told`` are its ``telling`` events."""
    dealt = len(told) > 1 and isinstance(told[1], _DEALS)
    around: dict[str, Any] = {"format": 0, "game": 0, "events": [told[0], *told[2:]] if dealt else told}
    if record.meta is not msgspec.UNSET:
        around["meta"] = record.meta
    if record.annotations is not msgspec.UNSET:
        around["annotations"] = record.annotations
    return msgspec.json.encode(around).count(b":") + _OF_ONE * (len(record.events) - len(told) + dealt)
