"""Slips of the pen: what a game's events are easily mistaken for when a hand is written down."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from schemas.repair import Slip


class Slips(msgspec.Struct, frozen=True, kw_only=True):
    """What a game gives to the search for repairs.

    ``amend`` and ``insert`` are its 更正 and 补记. ``look_alikes(token)`` are the cards that a card is mistaken for, the likeliest first;
    ``rewritten(event)`` the event with other cards of a 吃, or as another kind of action.
    """

    amend: type[Any]
    insert: type[Any]
    look_alikes: Callable[[str], tuple[str, ...]]
    rewritten: Callable[[Any], Iterable[tuple[Any, Slip]]]
