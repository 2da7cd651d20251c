"""Names for the cards that an event does not name."""

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.completions import UNKNOWN, Open, is_nameless
from engine.game import Game


def versions(game: Game, event: Any, kind: int) -> Iterator[Any]:
    """The event with this kind for its card, if nobody named that, or for one that it uses; as it is, if all are named, or if what it does
    not name is shown of a hand."""
    token: Any = game.tokens[kind]
    if not is_nameless(event) or not isinstance(getattr(event, "pai", None), str):
        yield event
        return
    replace = msgspec.structs.replace
    consumed: Any = getattr(event, "consumed", None)
    if consumed is None:
        yield replace(event, pai=token) if event.pai == "?" else event
        return
    if event.pai == "?":
        yield replace(event, pai=token)
    for place in (0, 1):
        if consumed[place] == "?":
            yield replace(event, consumed=[token if other == place else consumed[other] for other in (0, 1)])
    yield from runs(game, event, kind)


def runs(game: Game, event: Any, kind: int) -> Iterator[Any]:
    """The 吃 made a run of which the kind is a part, if what is named allows it."""
    replace = msgspec.structs.replace
    consumed: Any = event.consumed
    start, suit = kind // game.flow.suit * game.flow.suit, game.flow.suit
    for low in range(max(start, kind - 2), min(kind, start + suit - 3) + 1):
        run_of = [game.tokens[card] for card in range(low, low + 3)]
        for pai in run_of:
            used = [card for card in run_of if card != pai]
            for order in (used, used[::-1]):
                if all(ours in ("?", theirs) for ours, theirs in zip((event.pai, *consumed), (pai, *order), strict=True)):
                    yield replace(event, pai=pai, consumed=order)


def on_table(known: Open, at: int) -> tuple[int, int]:
    """Where in the log the card was played that lies on the table before a claim, and its kind; -1 where that is not known."""
    events = known.log.events
    place = next((place for place in range(at - 1, 0, -1) if isinstance(getattr(events[place], "pai", None), str)), UNKNOWN)
    if place < 0 or len(known.moves[place].spent) > 1:
        return UNKNOWN, UNKNOWN
    return place, known.kind_at(place)
