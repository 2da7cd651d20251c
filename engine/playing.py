"""A log played through with a complete deal, so that no card in it is unknown. Whoever asks still has to judge whether anything in it is
impossible."""

from collections import Counter
from collections.abc import Sequence
from operator import sub
from random import Random
from typing import Any, Protocol

import msgspec

from engine.completions import UNKNOWN, Deal, Open, move_of, shown_by
from engine.log import EffectiveLog


class Choices(Protocol):
    """How it is decided what is not told: ``choose`` takes one of ``options``, of which those in ``likely`` are likelier. It is one of so
    many choices that are likely together or not (``together``)."""

    def choose(self, options: Sequence[int], likely: Sequence[int] = (), together: int = 1) -> int: ...


class AtRandom:
    """One of what is likely four times in five."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, options: Sequence[int], likely: Sequence[int] = (), together: int = 1) -> int:
        return self.random.choice(likely if likely and self.random.random() < _LIKELY ** (1 / together) else options)


_LIKELY = 0.8


def played(known: Open, deal: Deal, choices: Choices, *, flips: bool = True) -> EffectiveLog:
    """The log with this deal and no unknown card in any event; where an event may have been one of several, the one that is chosen. What
    was flipped stays as it is written unless ``flips``."""
    return _Playing(known, deal, choices, flips=flips).log()


class _Playing:
    def __init__(self, known: Open, deal: Deal, choices: Choices, *, flips: bool) -> None:
        self.known = known
        self.game = known.game
        self.deal = deal
        self.choose = choices.choose
        self.flips = flips
        self.hand: list[list[int]] = [counts[:] for counts in deal.hands]
        self.table = UNKNOWN
        self.kept = {} if known.all_from_deal else self._demands()
        self.none_kept = [0] * len(self.game.tokens)
        self.events = list(known.log.events)
        # What a seat without a hand does is told by a rule that stands alone, whatever the card was.
        start = self.events[0]
        self.handless = [self.game.flow.hand_size(start, seat) == 0 for seat in range(known.seats)]

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
        events = self.events
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
                elif isinstance(event.pai, str):
                    self.table = index[event.pai]
                continue
            seat, spent, _ = moves[at]
            if at in nameless:
                event = events[at] = self._filled(at, event)
                spent = move_of(self.game, event).spent
            if spent:
                hand = self.hand[seat]
                for kind in spent:
                    if kind >= 0 and hand[kind]:
                        hand[kind] -= 1
                if len(spent) == 1:
                    self.table = spent[0]
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
        lying = [self.deal.lying[place] for place in places]
        if isinstance(event.pai, str):
            return msgspec.structs.replace(event, pai=self.game.tokens[lying[0]])
        return msgspec.structs.replace(event, pai=self._flipped(event.pai, lying)) if self.flips else event

    def _flipped(self, written: Sequence[str], lying: Sequence[int]) -> list[str]:
        """Each flipped tile that is not named likely lay there, but it may be any; beyond the end of the wall nothing lies."""
        tokens: Any = self.game.tokens
        unnamed = written.count("?")
        likely = [*((kind,) for kind in lying), *[()] * (len(written) - len(lying))]
        return [
            tokens[self.choose(range(len(tokens)), here, unnamed)] if token == "?" else token
            for token, here in zip(written, likely, strict=True)
        ]

    def _filled(self, at: int, event: Any) -> Any:
        """The event with a kind for every unknown card."""
        shown = shown_by(event)
        if shown is not None and "?" in shown:
            return self._fully_shown(at, event, shown)
        if "?" in self.game.flow.spent(event) or getattr(event, "pai", None) == "?":
            return self._chosen(event, self.kept.get(at, self.none_kept))
        return event

    def _fully_shown(self, at: int, event: Any, shown: Sequence[str]) -> Any:
        index, tokens = self.game.index, self.game.tokens
        seat: int = event.actor
        rest = Counter({kind: count for kind, count in enumerate(self.hand[seat]) if count})
        if at in self.known.asides:
            rest[index[self.events[self.known.asides[at]].pai]] -= 1
        rest.subtract(index[token] for token in shown if token != "?")
        filling = iter(sorted(rest.elements()))
        full = [tokens[next(filling, 0)] if token == "?" else token for token in shown]
        return msgspec.structs.replace(event, **{"pai" if event.__struct_config__.tag == "亮" else "hand": full})

    def _chosen(self, event: Any, later: Sequence[int]) -> Any:
        """The event with unknown cards chosen out of the actor's hand, the likely ones more often; where the hand has none that would do,
        one that it does not have, so that it is told to be impossible."""
        tokens: Any = self.game.tokens
        seat: int = event.actor
        hand = self.hand[seat]
        spent = self.game.flow.spent(event)
        replace = msgspec.structs.replace
        if hasattr(event, "consumed"):
            taken = self.game.index[event.pai]
            if taken < 0:
                taken = self.choose(range(len(tokens)), (self.table,) if self.table >= 0 else ())
            return replace(event, pai=tokens[taken], consumed=self._pair(seat, event.consumed, taken, later))
        enough = [kind for kind, count in enumerate(hand) if count >= len(spent)]
        options = [kind for kind in enough if hand[kind] - later[kind] >= len(spent)] or enough
        likely = (self.table,) if len(spent) > 1 and self.table in options else ()
        return replace(event, pai=tokens[self.choose(options or self._not_held(seat), likely)])

    def _not_held(self, seat: int) -> Sequence[int]:
        """One kind for all that the seat does not hold; all of them where it matters which."""
        return range(len(self.game.tokens)) if self.handless[seat] else (0,)

    def _pair(self, seat: int, consumed: Sequence[str], taken: int, later: Sequence[int]) -> list[str]:
        """The two cards of a 吃, those that are named in their places; the others rather make a run of it than not."""
        tokens: Any = self.game.tokens
        hand = self.hand[seat]
        pair = [self.game.index[token] for token in consumed]
        for place in (0, 1):
            if pair[place] >= 0:
                continue
            # One that is named is kept already; one that was just chosen is not.
            chosen = pair[1 - place] if consumed[1 - place] == "?" else UNKNOWN
            spare = [kind for kind, count in enumerate(hand) if count - later[kind] - (kind == chosen) > 0]
            fitting = [kind for kind in spare if self._in_a_run(taken, kind, pair[1 - place])]
            pair[place] = self.choose(spare or self._not_held(seat), fitting)
        return [tokens[kind] for kind in pair]

    def _in_a_run(self, taken: int, kind: int, other: int) -> bool:
        """Whether the taken card, this one and, if it is known, the other may make a run."""
        cards = sorted({taken, kind} if other < 0 else {taken, kind, other})
        same_suit = cards[0] // self.game.flow.suit == cards[-1] // self.game.flow.suit
        return same_suit and len(cards) == (2 if other < 0 else 3) and cards[-1] - cards[0] <= 2
