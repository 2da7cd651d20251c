"""Complete deals that fit a record: every card that nobody wrote down is given a kind, so that what was written down could have happened.

What an event takes out of a hand was in it: dealt to it, or drawn before. The rest of the deck lies wherever nothing is known. A log is
played with such a deal without an unknown card, and whoever asks still has to judge whether anything in it is impossible.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import sub
from random import Random
from typing import Any, NamedTuple, Protocol, cast

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


class Choices(Protocol):
    """How it is decided what is not told: ``choose`` takes one of ``options``, of which those in ``likely`` are likelier."""

    def choose(self, options: Sequence[int], likely: Sequence[int] = ()) -> int: ...


class AtRandom:
    """One of what is likely four times in five."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, options: Sequence[int], likely: Sequence[int] = ()) -> int:
        return self.random.choice(likely if likely and self.random.random() < _LIKELY else options)


_LIKELY = 0.8


class _Move(NamedTuple):
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
    place.
    ``needs[s]`` are, in order, the kinds that left or were shown and must have come from these or from ``dealt``; ``pool`` counts the
    cards that are nowhere known to be. ``nameless`` are the places in the log of events with unknown cards; ``all_from_deal`` says that
    the deal tells all of these. ``consistent`` is false where no deal can fit. Cards that were flipped lay where they should,
    unless ``flips`` is false: then they tell nothing, since they may have been flipped from elsewhere. What is known of a log that differs
    in some events only is taken from that, ``like``.
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
        self.nameless = [at for at, event in enumerate(log.events) if at and is_nameless(event)]
        self.all_from_deal = all(at in self.taken for at in self.nameless)
        self.moves = [_move(game, event) for event in log.events] if like is None else like.moves_with(log)
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

    def moves_with(self, log: EffectiveLog) -> list[_Move]:
        """The moves of a log in which only some events are others."""
        return [
            move if event is before else _move(self.game, event)
            for move, event, before in zip(self.moves, log.events, self.log.events, strict=True)
        ]

    @property
    def unknown(self) -> int:
        """How many places there are of which nothing is known, needs aside."""
        return sum(self.dealt) + self.lying.count(UNKNOWN) - sum(map(len, self.needs))

    def _learn_lying(self) -> None:
        """Cards that were turned or drawn face up lay where they were taken from."""
        for at, places in self.told.items():
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
        last_drawn = UNKNOWN, UNKNOWN
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
                last_drawn = seat, kind
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
                aside = flow.withheld(self.log.events[at], last_drawn[1] if last_drawn[0] == seat else UNKNOWN)
                if aside >= 0:
                    held[aside] += 1
                for kind, count in held.items():
                    while left[seat][kind] < count and room[seat]:
                        room[seat] -= 1
                        left[seat][kind] += 1
                        self.needs[seat].append((at, kind))

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

    def order_matters(self) -> bool:
        """Whether something may turn on the order of unknown cards that were never drawn."""
        told = {place for places in self.told.values() for place in places}
        return bool(self.game.flow.by_order) and sum(kind < 0 and place not in told for place, kind in enumerate(self.lying)) > 1

    def played(self, deal: Deal, random: Random) -> EffectiveLog:
        """The log with this deal and no unknown card in any event; where an event may have been one of several, a random one."""
        return self.played_by(deal, AtRandom(random))

    def played_by(self, deal: Deal, choices: Choices) -> EffectiveLog:
        """The same with the one that is chosen."""
        return _Playing(self, deal, choices).log()


def _shown(event: Any) -> Sequence[str] | None:
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


def _move(game: Game, event: Any) -> _Move:
    index = game.index
    shown = _shown(event)
    return _Move(
        seat=getattr(event, "actor", UNKNOWN),
        spent=tuple([index[token] for token in game.flow.spent(event)]),
        shown=None if shown is None else Counter(index[token] for token in shown if token != "?"),
    )


class _Playing:
    """A log played through with a complete deal."""

    def __init__(self, known: Open, deal: Deal, choices: Choices) -> None:
        self.known = known
        self.game = known.game
        self.deal = deal
        self.choose = choices.choose
        self.hand: list[list[int]] = [counts[:] for counts in deal.hands]
        self.table = UNKNOWN
        self.drawn = UNKNOWN, UNKNOWN
        self.kept = {} if known.all_from_deal else self._demands()
        self.none_kept = [0] * len(self.game.tokens)

    def _demands(self) -> dict[int, list[int]]:
        """By the place of each event with unknown cards: how many of each kind the actor must keep for what is named there, named or shown
        later."""
        known, into_hand = self.known, self.game.flow.into_hand
        kept: dict[int, list[int]] = {}
        asked = [[0] * len(self.game.tokens) for _ in self.hand]
        nameless = set(known.nameless)
        for at in range(len(known.moves) - 1, 1, -1):
            seat, spent, shown = known.moves[at]
            if seat < 0:
                continue
            if at in known.taken:
                if into_hand:
                    kind = self.deal.lying[known.taken[at][0]]
                    asked[seat][kind] = max(0, asked[seat][kind] - 1)
                continue
            for kind, count in shown.items() if shown else ():
                asked[seat][kind] = max(asked[seat][kind], count)
            for kind in spent:
                if kind >= 0:
                    asked[seat][kind] += 1
            if at in nameless:
                kept[at] = asked[seat][:]
        return kept

    def log(self) -> EffectiveLog:
        known, index = self.known, self.game.index
        taken, moves, into_hand = known.taken, known.moves, self.game.flow.into_hand
        events = list(known.log.events)
        nameless = set(known.nameless)
        dealt = self._dealt()
        if known.deal is not None:
            events[1] = dealt
        # Behind the last unknown card nothing is left to fill in.
        for at in known.nameless if known.all_from_deal else range(known.nameless[-1] + 1):
            event = events[at]
            if at in taken:
                if at in nameless:
                    event = events[at] = self._taken(event, taken[at])
                if into_hand and hasattr(event, "actor"):
                    self.hand[event.actor][index[event.pai]] += 1
                    self.drawn = event.actor, index[event.pai]
                elif isinstance(event.pai, str):
                    self.table = index[event.pai]
                continue
            seat, spent, _ = moves[at]
            if at in nameless:
                event = events[at] = self._filled(at, event)
                spent = _move(self.game, event).spent
            if spent:
                hand = self.hand[seat]
                for kind in spent:
                    if kind >= 0 and hand[kind]:
                        hand[kind] -= 1
                if len(spent) == 1:
                    self.table = spent[0]
                self.drawn = UNKNOWN, UNKNOWN
        seqs = list(known.log.seqs)
        if known.deal is None:
            events.insert(1, dealt)
            seqs.insert(1, seqs[0])
        return msgspec.structs.replace(known.log, events=events, seqs=seqs)

    def _dealt(self) -> Any:
        """起牌 in full, what was written down in its place."""
        game, known = self.game, self.known
        hands: list[Any] = []
        for counts, written, tokens in zip(self.deal.hands, known.written, known.tokens, strict=True):
            if "?" not in tokens:
                hands.append(tokens)
                continue
            more = [game.tokens[kind] for kind, count in enumerate(map(sub, counts, written)) for _ in range(count)]
            filling = iter(more)
            hands.append([next(filling) if token == "?" else token for token in tokens])
        lying = [game.tokens[kind] for kind in self.deal.lying]
        return game.flow.dealt(hands, lying)

    def _taken(self, event: Any, places: tuple[int, ...]) -> Any:
        tokens: list[Any] = [self.game.tokens[self.deal.lying[place]] for place in places]
        if isinstance(event.pai, str):
            return msgspec.structs.replace(event, pai=tokens[0]) if event.pai == "?" else event
        # Beyond the end of the wall nothing lies: what was flipped there is any tile.
        tokens += [self.game.tokens[self.choose(self.deal.lying)] for _ in event.pai[len(tokens) :]]
        shown = [token if written == "?" else written for written, token in zip(event.pai, tokens, strict=True)]
        return msgspec.structs.replace(event, pai=shown)

    def _filled(self, at: int, event: Any) -> Any:
        """The event with a kind for every unknown card."""
        shown = _shown(event)
        if shown is not None and "?" in shown:
            return self._fully_shown(event, shown)
        if "?" in self.game.flow.spent(event) or getattr(event, "pai", None) == "?":
            return self._chosen(event, self.kept.get(at, self.none_kept))
        return event

    def _fully_shown(self, event: Any, shown: Sequence[str]) -> Any:
        index, tokens = self.game.index, self.game.tokens
        seat: int = event.actor
        rest = Counter({kind: count for kind, count in enumerate(self.hand[seat]) if count})
        aside = self.game.flow.withheld(event, self.drawn[1] if self.drawn[0] == seat else UNKNOWN)
        if aside >= 0:
            rest[aside] -= 1
        rest.subtract(index[token] for token in shown if token != "?")
        filling = iter(sorted(rest.elements()))
        full = [tokens[next(filling, 0)] if token == "?" else token for token in shown]
        return msgspec.structs.replace(event, **{"pai" if event.__struct_config__.tag == "亮" else "hand": full})

    def _chosen(self, event: Any, later: Sequence[int]) -> Any:
        """The event with unknown cards chosen out of the actor's hand, the likely ones more often."""
        tokens: Any = self.game.tokens
        seat: int = event.actor
        hand = self.hand[seat]
        spent = self.game.flow.spent(event)
        replace = msgspec.structs.replace
        if hasattr(event, "consumed"):
            taken = self.game.index[event.pai]
            if taken < 0:
                taken = self.choose(range(len(tokens)), (self.table,) if self.table >= 0 else ())
            return replace(event, pai=tokens[taken], consumed=self._pair(event.consumed, taken, hand, later))
        enough = [kind for kind, count in enumerate(hand) if count >= len(spent)]
        options = [kind for kind in enough if hand[kind] - later[kind] >= len(spent)] or enough
        likely = (self.table,) if len(spent) > 1 and self.table in options else ()
        return replace(event, pai=tokens[self.choose(options, likely)]) if options else event

    def _pair(self, consumed: Sequence[str], taken: int, hand: list[int], later: Sequence[int]) -> list[str]:
        """The two cards of a 吃, those that are named in their places; the others rather make a run of it than not."""
        tokens: Any = self.game.tokens
        pair = [self.game.index[token] for token in consumed]
        for place in (0, 1):
            if pair[place] >= 0:
                continue
            # One that is named is kept already; one that was just chosen is not.
            chosen = pair[1 - place] if consumed[1 - place] == "?" else UNKNOWN
            spare = [kind for kind, count in enumerate(hand) if count - later[kind] - (kind == chosen) > 0]
            fitting = [kind for kind in spare if self._in_a_run(taken, kind, pair[1 - place])]
            if spare:
                pair[place] = self.choose(spare, fitting)
        return [tokens[kind] if kind >= 0 else "?" for kind in pair]

    def _in_a_run(self, taken: int, kind: int, other: int) -> bool:
        """Whether the taken card, this one and, if it is known, the other may make a run."""
        cards = sorted({taken, kind} if other < 0 else {taken, kind, other})
        same_suit = cards[0] // self.game.flow.suit == cards[-1] // self.game.flow.suit
        return same_suit and len(cards) == (2 if other < 0 else 3) and cards[-1] - cards[0] <= 2
