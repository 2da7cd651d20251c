"""What a log has told so far of a seat and of a card: looked up, since to scan the log for every finding would take ever longer."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from engine.log import DEAL_TYPES, EffectiveLog

Contradicts = Literal["copies", "held", "shown"]
"""What a recorded fact contradicts: that there are four of each kind, what a hand can hold, or what is left of a hand."""

MOST_INVOLVED = 64
"""As many events are named at most for one contradiction. No hand that was ever played has so many; of more, the first half and the last
are named, so that what is told grows with the log and not with its square."""


class Past:
    """The events of an effective log by who and what they name, read as far as anybody has asked.

    Events are kept by their places in the log: ``_shown[seat]`` where the seat's hand is told, ``_of[seat]`` these and whatever names a
    card that the seat had, ``_by_card[card]`` what names the card, ``_of_with[seat, card]`` what names it and is the seat's.
    ``_last[seat, card, type]`` is the place of the last event of a type.
    """

    __slots__ = ("_by_card", "_last", "_log", "_of", "_of_with", "_read", "_shown")

    def __init__(self, log: EffectiveLog) -> None:
        self._log = log
        self._read = 0
        self._shown: dict[int, list[int]] = {}
        self._of: dict[int, list[int]] = {}
        self._by_card: dict[str, list[int]] = {}
        self._of_with: dict[tuple[int, str], list[int]] = {}
        self._last: dict[tuple[int, str, type[Any]], int] = {}

    def involved(self, at: int, contradicts: Contradicts, actor: int, cards: Iterable[str]) -> list[int]:
        """The seqs of the events before place ``at`` that bear on a contradiction there, ``MOST_INVOLVED`` of them at most.

        ``copies``: every event that names one of the ``cards``. ``held``: the actor's hand as dealt and shown, and what he did with the
        cards. ``shown``: the same, and whatever else left his hand.
        """
        self._read_before(at)
        if contradicts == "copies":
            found = [self._by_card.get(card, ()) for card in cards]
        elif contradicts == "shown":
            found = [self._of.get(actor, ())]
        else:
            found = [self._shown.get(actor, ()), *(self._of_with.get((actor, card), ()) for card in cards)]
        places = {place for listed in found for place in _ends(listed, at)}
        return [self._log.seqs[place] for place in _ends(sorted(places), at)]

    def last(self, at: int, actor: int, card: str, event_types: Iterable[type[Any]]) -> int:
        """The seq of the actor's last event of some types with this card before place ``at``; -1 if there is none."""
        self._read_before(at)
        place = max(self._last.get((actor, card, event_type), -1) for event_type in event_types)
        return self._log.seqs[place] if place >= 0 else -1

    def _read_before(self, at: int) -> None:
        events = self._log.events
        for place in range(self._read, at):
            self._take_in(place, events[place])
        self._read = max(self._read, at)

    def _take_in(self, place: int, event: Any) -> None:
        if isinstance(event, DEAL_TYPES):
            self._take_in_deal(place, event)
            return
        named = set(_named(event))
        for card in named:
            self._by_card.setdefault(card, []).append(place)
        actor: int = getattr(event, "actor", -1)
        if actor < 0:
            return
        shows = isinstance(getattr(event, "pai", None), list) or isinstance(getattr(event, "hand", None), list)
        if shows:
            self._shown.setdefault(actor, []).append(place)
        if shows or named:
            self._of.setdefault(actor, []).append(place)
        for card in named:
            self._of_with.setdefault((actor, card), []).append(place)
            self._last[actor, card, event.__class__] = place

    def _take_in_deal(self, place: int, deal: Any) -> None:
        cards = set(getattr(deal, "stock", None) or getattr(deal, "wall", None) or ())
        for seat, hand in enumerate(deal.hands):
            if hand is not None:
                cards.update(hand)
                self._shown.setdefault(seat, []).append(place)
                self._of.setdefault(seat, []).append(place)
        for card in cards:
            self._by_card.setdefault(card, []).append(place)


def _ends(places: Sequence[int], before: int) -> Sequence[int]:
    """The sorted places below ``before``; of more than ``MOST_INVOLVED`` the first half and the last."""
    count = bisect_left(places, before)
    half = MOST_INVOLVED // 2
    return places[:count] if count <= MOST_INVOLVED else [*places[:half], *places[count - half : count]]


def _named(event: Any) -> Iterator[str]:
    for name in ("pai", "consumed", "hand"):
        cards: Any = getattr(event, name, None)
        if isinstance(cards, str):
            yield cards
        elif isinstance(cards, list):
            yield from cards
