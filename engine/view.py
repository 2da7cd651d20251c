"""What a viewer may see of a hand that is still on: hidden cards are masked as ``"?"`` in the log, and the masked log is folded with the
same code.

The public sees the table, a player his own cards as well, 守醒 all hands but not the stock; whoever calls 胡 shows his hand. Once the hand
has ended everybody sees everything (design, Views). Whether it has is told by what the viewer sees alone: so nothing that he may not see is
betrayed by its being opened or not.
"""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from engine.game import Game
from engine.games import game_of
from engine.judge import fold, open_table
from engine.log import effective_log
from engine.truth import UNKNOWN, YES
from schemas import changde as c
from schemas import weimaque as w
from schemas.base import UNSET
from schemas.events import Ruling, Settlement

Viewer = Literal["full", "public"] | int
"""``full``, ``public``, or the seat of the viewer."""

_BEHIND_WIN = (Ruling, w.Show, c.Show, c.Ma)
"""What may stand behind a 胡 beside its payment without play going on."""


class NoSuchViewerError(ValueError):
    """A view that this hand does not have."""


def viewer(view: str, seats: int) -> Viewer:
    """Read a view as it stands in a request: ``full``, ``public`` or a seat. ``NoSuchViewerError`` if it is none of these."""
    if view in ("full", "public"):
        return "full" if view == "full" else "public"
    if view.isdecimal() and len(view) == 1 and int(view) < seats:
        return int(view)
    raise NoSuchViewerError(view)


def is_over(game: Game, events: Any) -> bool:
    """Whether the hand has ended: for certain, or with a 胡 that only unknown cards could refute, and that was paid."""
    log = effective_log(events)
    table = open_table(game, log)
    fold(game, log, table)
    return table.ended == YES or (table.ended == UNKNOWN and _is_paid(log.events))


def _is_paid(events: Sequence[Any]) -> bool:
    """Whether the last act of play is a 胡, and payment was written behind it."""
    paid = False
    for event in reversed(events):
        if isinstance(event, Settlement):
            paid = True
        elif not isinstance(event, _BEHIND_WIN):
            return paid and isinstance(event, w.Hu | c.Hu)
    return False


def is_over_for(record: Any, who: Viewer) -> bool:
    """Whether the hand has ended (``is_over``) by what the viewer sees of it while it is on; then nothing is hidden from him any more."""
    game = game_of(record)
    return is_over(game, record.events if who == "full" else game.mask(record.events, who))


def masked(record: Any, who: Viewer) -> Any:
    """The record as the viewer may see it: the same object where nothing is hidden from him. Annotations may speak of hidden cards and
    stay behind until the hand ends."""
    if who == "full":
        return record
    game = game_of(record)
    seen = game.mask(record.events, who)
    return record if is_over(game, seen) else msgspec.structs.replace(record, events=seen, annotations=UNSET)
