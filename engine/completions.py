"""Complete deals that fit a record: every card that nobody wrote down is given a kind, so that what was written down could have happened.

What an event takes out of a hand was in it: dealt to it, or drawn before. The rest of the deck lies wherever nothing is known.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, cast

import msgspec

from engine.game import Game
from engine.log import DEAL_TYPES, EffectiveLog

UNKNOWN = -1

Wanted = Mapping[int, Mapping[int, int]]
"""By seat and kind: how many of the cards that the seat holds and that nobody ever saw are of the kind."""


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """One way to complete a deal: the dealt hands (counts by kind) and the cards not dealt, in order."""

    hands: list[list[int]]
    lying: list[int]


class Move(NamedTuple):
    """What an event is to the hand of its actor (-1: it has none): the kinds that leave it, -1 unknown, and how many of each named kind
    are shown of it, if it is shown."""

    seat: int
    spent: tuple[int, ...]
    shown: Counter[int] | None


class Open:
    """What is open about a log.

    ``tokens[s]`` are the cards that were written down as dealt to the seat, ``"?"`` for those that were not, and ``written[s]`` counts
    them. ``hands[s]`` counts what is known to have been dealt to the seat, ``dealt[s]`` more of its dealt cards were never seen.
    ``lying`` are the cards not dealt, -1 unknown. ``drawn[s]`` are the unknown cards that the seat drew: where in the log, from which
    place. ``told`` are the places that the cards of each event come from, by place in the log, ``told_places`` all of these.
    ``needs[s]`` are, in order, the kinds that left or were shown and must have come from these or from ``dealt``; ``pool`` counts the
    cards that are nowhere known to be. ``asides`` are what shown hands leave out (``Flow.asides``). ``nameless`` are the places in the
    log of events with unknown cards; ``all_from_deal`` says that the deal tells all of these. ``consistent`` is false where no deal can
    fit. Cards that were flipped lay where they should, unless ``flips`` is false: then they tell nothing, since they may have been
    flipped from elsewhere. What is known of a log that differs in some events only is taken from that, ``like``.
    """

    def __init__(self, game: Game, log: EffectiveLog, *, flips: bool = True, like: "Open | None" = None) -> None:
        self.game = game
        self.log = log
        flow, index = game.flow, game.index
        start = log.events[0]
        self.seats = len(start.players)
        deal = log.events[1] if len(log.events) > 1 and isinstance(log.events[1], DEAL_TYPES) else None
        self.deal = deal
        self.tokens: list[list[str]] = []
        for seat in range(self.seats):
            hand = deal.hands[seat] if deal is not None else None
            self.tokens.append(["?"] * flow.hand_size(start, seat) if hand is None else list(hand))
        lying = getattr(deal, flow.lying) if deal is not None else None
        self.lying: list[int] = [UNKNOWN] * flow.lying_size(start) if lying is None else [index[token] for token in lying]
        kinds = len(game.tokens)
        self.hands = [[0] * kinds for _ in range(self.seats)]
        self.dealt = [0] * self.seats
        for seat, tokens in enumerate(self.tokens):
            for token in tokens:
                if token == "?":
                    self.dealt[seat] += 1
                else:
                    self.hands[seat][index[token]] += 1
        self.written = [counts[:] for counts in self.hands]
        self.taken = flow.taken(log, len(self.lying))
        self.told = self.taken if flips else {at: places for at, places in self.taken.items() if isinstance(log.events[at].pai, str)}
        self.told_places = frozenset(place for places in self.told.values() for place in places)
        self.asides = flow.asides(log, len(self.lying))
        self.nameless = [at for at, event in enumerate(log.events) if at and is_nameless(event)]
        self.all_from_deal = all(at in self.taken for at in self.nameless)
        self.moves = [move_of(game, event) for event in log.events] if like is None else like.moves_with(log)
        self.consistent = True
        self._learn_lying()
        self.drawn: list[list[tuple[int, int]]] = [[] for _ in range(self.seats)]
        self.needs: list[list[tuple[int, int]]] = [[] for _ in range(self.seats)]
        self._follow()
        self._settle_needs()
        self.pool = flow.copies(start)
        for counts in self.hands:
            for kind, count in enumerate(counts):
                self.pool[kind] -= count
        for kind in self.lying:
            if kind >= 0:
                self.pool[kind] -= 1
        for needs in self.needs:
            for _, kind in needs:
                self.pool[kind] -= 1
        if min(self.pool) < 0 or sum(self.pool) < self.unknown:
            self.consistent = False

    def moves_with(self, log: EffectiveLog) -> list[Move]:
        """The moves of a log in which only some events are others."""
        return [
            move if event is before else move_of(self.game, event)
            for move, event, before in zip(self.moves, log.events, self.log.events, strict=True)
        ]

    @property
    def unknown(self) -> int:
        """How many places there are of which nothing is known, needs aside."""
        return sum(self.dealt) + self.lying.count(UNKNOWN) - sum(map(len, self.needs))

    def _learn_lying(self) -> None:
        """Cards that were turned or drawn face up lay where they were taken from; those flipped, if no other was taken from there later."""
        for at, places in sorted(self.told.items(), key=lambda told: not isinstance(self.log.events[told[0]].pai, str)):
            card = self.log.events[at].pai
            for place, token in zip(places, [card] if isinstance(card, str) else card, strict=False):
                kind = self.game.index[token]
                if kind >= 0 > self.lying[place]:
                    self.lying[place] = kind

    def _follow(self) -> None:
        """Every card that leaves a hand or is shown, and was not known to be in it, is needed from its unknown cards."""
        flow = self.game.flow
        left = [counts[:] for counts in self.hands]
        room = self.dealt[:]
        for at, (seat, spent, shown) in enumerate(self.moves):
            if seat < 0:
                continue
            if flow.into_hand and at in self.taken:
                (place,) = self.taken[at]
                kind = self.lying[place]
                if kind >= 0:
                    left[seat][kind] += 1
                else:
                    self.drawn[seat].append((at, place))
                    room[seat] += 1
                continue
            for kind in spent:
                if kind < 0:
                    continue
                if left[seat][kind]:
                    left[seat][kind] -= 1
                elif room[seat]:
                    room[seat] -= 1
                    self.needs[seat].append((at, kind))
            if shown is not None:
                held = shown.copy()
                aside = self.kind_at(self.asides[at]) if at in self.asides else UNKNOWN
                if aside >= 0:
                    held[aside] += 1
                for kind, count in held.items():
                    while left[seat][kind] < count and room[seat]:
                        room[seat] -= 1
                        left[seat][kind] += 1
                        self.needs[seat].append((at, kind))

    def kind_at(self, at: int) -> int:
        """The kind of the one card of the event at this place of the log, -1 if it is not known."""
        kind = self.game.index[self.log.events[at].pai]
        return self.lying[self.taken[at][0]] if kind < 0 and at in self.taken else kind

    def _settle_needs(self) -> None:
        """Where a seat drew nothing unknown, what it needed was dealt to it."""
        for seat, needs in enumerate(self.needs):
            if not self.drawn[seat]:
                for _, kind in needs:
                    self.hands[seat][kind] += 1
                self.dealt[seat] -= len(needs)
                self.needs[seat] = []

    def sample(self, random: Random, wanted: Wanted | None = None) -> Deal | None:
        """A random complete deal, with the ``wanted`` cards where they are wanted; None where that cannot be."""
        if not self.consistent:
            return None
        hands = [counts[:] for counts in self.hands]
        lying = self.lying[:]
        room = self.dealt[:]
        drawn = [places[:] for places in self.drawn]
        for seat, needs in enumerate(self.needs):
            for at, kind in needs:
                earlier = [place for place in drawn[seat] if place[0] < at]
                pick = random.randrange(room[seat] + len(earlier)) if room[seat] + len(earlier) else UNKNOWN
                if pick < 0:
                    return None
                if pick < len(earlier):
                    drawn[seat].remove(earlier[pick])
                    lying[earlier[pick][1]] = kind
                else:
                    room[seat] -= 1
                    hands[seat][kind] += 1
        pool = [kind for kind, count in enumerate(self.pool) for _ in range(count)]
        random.shuffle(pool)
        asked = wanted or {}
        # What is wanted somewhere is not first put elsewhere.
        for seat in sorted(range(self.seats), key=lambda seat: -sum(asked.get(seat, {}).values())):
            kinds = asked.get(seat, {})
            slots: list[int | None] = [None] * room[seat] + [place for _, place in drawn[seat]]
            random.shuffle(slots)
            named = [kind for kind, count in kinds.items() for _ in range(count)]
            if len(named) > len(slots):
                return None
            rest = [kind for kind in pool if kind not in kinds] if kinds else pool[:]
            for place in slots:
                kind = named.pop() if named else rest.pop() if rest else UNKNOWN
                if kind not in pool:
                    return None
                pool.remove(kind)
                if place is None:
                    hands[seat][kind] += 1
                else:
                    lying[place] = kind
        for place, kind in enumerate(lying):
            if kind < 0:
                if not pool:
                    return None
                lying[place] = pool.pop()
        return Deal(hands=hands, lying=lying)

    def open_by_order(self) -> frozenset[str]:
        """The rules that turn on something open: the order of unknown cards that were never drawn, or a flipped one that is not named."""
        open_places = sum(kind < 0 and place not in self.told_places for place, kind in enumerate(self.lying))
        is_open = open_places > 1 or any(at in self.taken and at not in self.told for at in self.nameless)
        return self.game.flow.by_order if is_open else frozenset()


def shown_by(event: Any) -> Sequence[str] | None:
    """The hand that the event shows, None if it shows none."""
    if not hasattr(event, "actor"):
        return None
    for name in ("hand", "pai"):
        cards: Any = getattr(event, name, None)
        if isinstance(cards, list) and event.__struct_config__.tag in ("胡", "亮"):
            return cast("list[str]", cards)
    return None


def is_nameless(event: Any) -> bool:
    """Whether any card of the event is unknown."""
    for name in ("pai", "consumed", "hand"):
        cards: Any = getattr(event, name, None)
        if cards == "?" or (isinstance(cards, list) and "?" in cards):
            return True
    return False


def move_of(game: Game, event: Any) -> Move:
    """What the event is to the hand of its actor."""
    index = game.index
    shown = shown_by(event)
    return Move(
        seat=getattr(event, "actor", UNKNOWN),
        spent=tuple([index[token] for token in game.flow.spent(event)]),
        shown=None if shown is None else Counter(index[token] for token in shown if token != "?"),
    )
