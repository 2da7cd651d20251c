"""What a viewer may see of a hand that is still on: hidden cards are masked as ``"?"`` in the log, and the masked log is folded with the
same code.

The public sees the table, a player his own cards as well, 守醒 all hands but not the stock. Once the hand has ended everybody sees
everything (design, Views).
"""

from typing import Any, Literal

import msgspec

from engine.game import Game
from engine.games import game_of
from engine.judge import fold, open_table
from engine.log import effective_log
from engine.truth import YES
from schemas.base import UNSET

Viewer = Literal["full", "public"] | int
"""``full``, ``public``, or the seat of the viewer."""


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
    """Whether the hand has ended for certain."""
    log = effective_log(events)
    table = open_table(game, log)
    fold(game, log, table)
    return table.ended == YES


def masked(record: Any, who: Viewer) -> Any:
    """The record as the viewer may see it. Annotations may speak of hidden cards and stay behind until the hand ends."""
    if who == "full":
        return record
    game = game_of(record)
    if is_over(game, record.events):
        return record
    return msgspec.structs.replace(record, events=game.mask(record.events, who), annotations=UNSET)
