"""The events that a contradiction is made of: any of them may be the one that was written down wrong."""

from collections.abc import Iterator
from typing import Any, Literal

from engine.log import DEAL_TYPES, EffectiveLog

Contradicts = Literal["copies", "held", "shown"]
"""What a recorded fact contradicts: that there are four of each kind, what a hand can hold, or what is left of a hand."""


def involved(log: EffectiveLog, at: int, contradicts: Contradicts, actor: int, cards: frozenset[str]) -> tuple[int, ...]:
    """The seqs of the events before place ``at`` of the effective log that bear on it.

    ``copies``: every event that names one of the ``cards``. ``held``: the actor's hand as dealt and shown, and what he did with the cards.
    ``shown``: the same, and whatever else left his hand.
    """
    return tuple(seq for seq, event in zip(log.seqs[:at], log.events[:at], strict=True) if _bears(event, contradicts, actor, cards))


def _bears(event: Any, contradicts: Contradicts, actor: int, cards: frozenset[str]) -> bool:
    if isinstance(event, DEAL_TYPES):
        if contradicts == "copies":
            return not cards.isdisjoint(_dealt(event))
        return event.hands[actor] is not None
    if contradicts == "copies":
        return not cards.isdisjoint(_named(event))
    if getattr(event, "actor", -1) != actor:
        return False
    shows = isinstance(getattr(event, "pai", None), list) or isinstance(getattr(event, "hand", None), list)
    return shows or (contradicts == "shown" and any(True for _ in _named(event))) or not cards.isdisjoint(_named(event))


def _dealt(deal: Any) -> Iterator[str]:
    for hand in deal.hands:
        yield from hand or ()
    yield from getattr(deal, "stock", None) or getattr(deal, "wall", None) or ()


def _named(event: Any) -> Iterator[str]:
    for name in ("pai", "consumed", "hand"):
        cards: Any = getattr(event, name, None)
        if isinstance(cards, str):
            yield cards
        elif isinstance(cards, list):
            yield from cards
