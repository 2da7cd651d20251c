"""What a viewer may see of a running hand of 常德麻将: his own tiles and draws, those of whoever called 胡, never the wall; all melds, the
kind of a 暗杠 included."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.changde.state import Table
from engine.log import effective_log
from schemas import changde as c


def hidden_hands(t: Table, viewer: Any) -> frozenset[int]:
    """The seats whose hands the viewer may not see."""
    return frozenset(range(len(t.names))) - _open_hands(t.log.events, viewer)


def mask(events: Sequence[Any], viewer: Any, *, shown: bool = True) -> list[Any]:
    """The log as written, with what the viewer may not see as ``"?"``: other hands, the wall, and what others draw.
    ``shown`` is whether a hand that was shown with a 胡 counts as seen."""
    open_hands = _open_hands(effective_log(events).events if shown else events[:1], viewer)
    return [_masked(event, open_hands) for event in events]


def _open_hands(events: Sequence[Any], viewer: Any) -> frozenset[int]:
    """The seats whose hands the viewer may see by the effective log: whoever calls 胡 shows his, whether it stands or not."""
    return frozenset([viewer, *(event.actor for event in events if isinstance(event, c.Hu))])


def _masked(event: Any, open_hands: frozenset[int]) -> Any:
    if isinstance(event, c.Amend | c.Insert):
        return msgspec.structs.replace(event, event=_masked(event.event, open_hands))
    if isinstance(event, c.Deal):
        hands = [hand if seat in open_hands else None for seat, hand in enumerate(event.hands)]
        return msgspec.structs.replace(event, hands=hands, wall=None)
    if isinstance(event, c.Draw | c.Replacement) and event.actor not in open_hands:
        return msgspec.structs.replace(event, pai="?")
    return event
