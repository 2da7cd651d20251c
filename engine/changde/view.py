"""What a viewer may see of a running hand of 常德麻将: his own tiles and draws, never the wall; all melds, the kind of a 暗杠 included."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.changde.state import Table
from schemas import changde as c


def hidden_hands(t: Table, viewer: Any) -> frozenset[int]:
    """The seats whose hands the viewer may not see."""
    return frozenset(seat for seat in range(len(t.names)) if seat != viewer)


def mask(events: Sequence[Any], viewer: Any) -> list[Any]:
    """The log as written, with what the viewer may not see as ``"?"``: other hands, the wall, and what others draw."""
    return [_masked(event, viewer) for event in events]


def _masked(event: Any, viewer: Any) -> Any:
    if isinstance(event, c.Amend | c.Insert):
        return msgspec.structs.replace(event, event=_masked(event.event, viewer))
    if isinstance(event, c.Deal):
        hands = [hand if seat == viewer else None for seat, hand in enumerate(event.hands)]
        return msgspec.structs.replace(event, hands=hands, wall=None)
    if isinstance(event, c.Draw | c.Replacement) and event.actor != viewer:
        return msgspec.structs.replace(event, pai="?")
    return event
