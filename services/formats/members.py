"""What the typed decoder lets pass in silence, seen without writing all of the record again: a text with more members (key and value)
than the record repeats a key, and an integer may have more digits than 64 bits hold."""

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

_LONG = b"0" * 19
_DIGITS = bytes(48 if byte in b"0123456789" else byte for byte in range(256))
"""Every digit as a zero."""


def plain_move(text: bytes, event: Any) -> bool:
    """Whether an event that was decoded from a text is a plain move without a moment, and the text holds nothing else."""
    return event.__class__ in _MOVES and event.at is msgspec.UNSET and text.count(b":") == _OF_ONE and b"\\" not in text


def telling(events: Sequence[Any]) -> list[Any]:
    """The first two events, and those behind them that are no plain moves."""
    return [*events[:2], *[event for event in events[2:] if event.__class__ not in _MOVES]]


def outline(record: Record, told: Sequence[Any]) -> bytes:
    """The JSON of the record without its plain moves and its 起牌, in which no number is free. ``told`` are its ``telling`` events."""
    around: dict[str, Any] = {"format": 0, "game": 0, "events": [told[0], *told[2:]] if _is_dealt(told) else told}
    if record.meta is not msgspec.UNSET:
        around["meta"] = record.meta
    if record.annotations is not msgspec.UNSET:
        around["annotations"] = record.annotations
    return msgspec.json.encode(around)


def colons(record: Record, told: Sequence[Any], outlined: bytes) -> int:
    """Colons in the JSON of the record, moments of plain moves left out: never more than in the text that it was read from, and as many
    only if no key is repeated there and no move has a moment. ``told`` are its ``telling`` events, ``outlined`` is its ``outline``."""
    return outlined.count(b":") + _OF_ONE * (len(record.events) - len(told) + _is_dealt(told))


def may_exceed(outlined: bytes) -> bool:
    """Whether an integer of a record may lie beyond 64 bits, which the typed decoder lets pass, by its ``outline``: none of fewer digits
    does."""
    return _LONG in outlined.translate(_DIGITS)


def _is_dealt(told: Sequence[Any]) -> bool:
    return len(told) > 1 and isinstance(told[1], _DEALS)
