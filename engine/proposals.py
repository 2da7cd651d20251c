"""Deals to make for one possible finding: what may decide it is put where nobody knows what lay, the rest is left to chance."""

from collections.abc import Container, Iterator
from itertools import zip_longest
from random import Random
from typing import Any

import msgspec

from engine.completions import UNKNOWN as UNKNOWN_CARD
from engine.completions import Deal, Open, is_nameless
from engine.dead_ends import DeadEnds, left_behind
from engine.fill import filled
from engine.game import Game
from engine.judge import open_table
from engine.log import EffectiveLog
from engine.naming import on_table, runs, versions
from engine.plan import Effort, Plan, by_kind, with_names
from engine.playing import AtRandom, played
from engine.rule import Breached
from engine.steps import plans

A_FILL = 2
"""So many deals less are tried for each hand that is filled so that it wins."""


_AGREEING = 16
"""So many deals are made in which a claim and what it claims agree."""

_MOST_KINDS = 6
"""Of so many kinds, those that a seat holds most of, it is tried whether a card was one of them."""


class Moment(msgspec.Struct, frozen=True):
    """The hands before one event, as far as they are known, and the card that a win there would be completed by."""

    hand: list[list[int]]
    unseen: list[int]
    completing: list[int]


class Proposals:
    """The deals that are made for the findings of one record."""

    def __init__(self, game: Game, known: Open, effort: Effort) -> None:
        self.game = game
        self.log = known.log
        self.known = known
        self.effort = effort
        self.at = {seq: at for at, seq in enumerate(self.log.seqs)}
        self.nameless = known.nameless
        self.dead_ends = DeadEnds(game, known, effort)
        self.moments: dict[int, Moment] | None = None

    def _may_read(self) -> bool:
        """Whether the log may be gone through once more."""
        return self.effort.reading >= len(self.log.events)

    def made_for(self, b: Breached) -> Iterator[tuple[Plan, Random]]:
        """Deals that may decide one breach: first each that its question calls for, then hands in full, those again and any others by
        turns."""
        random = Random(f"{b.seq} {b.rule.id}")
        plans_made: list[Plan] = []
        for plan in _by_turns(
            self.dead_ends.plans(b, self.at[b.seq], self._seats(b), random), self._agreeing(b, random), self._questions(b, random)
        ):
            if plan.known.consistent:
                plans_made.append(plan)
                yield plan, random
        while True:
            yield Plan(self.known, {}), random
            for plan in self._whole_hands(b, random):
                yield plan, random
            if plans_made:
                yield random.choice(plans_made), random

    def sample(self, random: Random, plan: Plan) -> Deal | None:
        """A random deal of a plan; half of them have what the claims whose cards nobody named were made with."""
        known = plan.known
        self.effort.reading -= len(self.nameless)
        wanted = {seat: dict(kinds) for seat, kinds in plan.wanted.items()}
        for at in self.nameless if random.random() < 0.5 else ():
            event = known.log.events[at]
            spent = self.game.flow.spent(event)
            if len(spent) < 2 or spent[0] != "?" or hasattr(event, "consumed"):
                continue
            taken: Any = getattr(known.log.events[at - 1], "pai", None)
            kind = self.game.index[taken] if isinstance(taken, str) else UNKNOWN_CARD
            if kind < 0:
                kind = random.choice([kind for kind, count in enumerate(known.pool) if count >= len(spent)] or [UNKNOWN_CARD])
            if kind >= 0:
                wanted.setdefault(event.actor, {}).setdefault(kind, len(spent))
        return known.sample(random, wanted)

    def _moments(self, log: EffectiveLog, seqs: Container[int]) -> dict[int, Moment]:
        self.effort.reading -= len(log.events)
        moments: dict[int, Moment] = {}
        table = open_table(self.game, log)
        by_type = plans(self.game.name)
        flow, index = self.game.flow, self.game.index
        for at, (seq, event) in enumerate(zip(log.seqs, log.events, strict=True)):
            table.seq, table.at = seq, at
            actor: int = getattr(event, "actor", UNKNOWN_CARD)
            if seq in seqs:
                completing = [flow.completing(table, seat, event) for seat in range(self.known.seats)]
                moments[seq] = Moment([counts[:] for counts in table.hand], list(table.unseen), completing)
            evolve = by_type[type(event)].evolve
            if evolve is not None:
                card = getattr(event, "pai", None)
                evolve(table, actor, index[card] if isinstance(card, str) else UNKNOWN_CARD, event)
        return moments

    def _questions(self, b: Breached, random: Random) -> Iterator[Plan]:
        """What may decide the question: so many of the card in question among a seat's unseen cards, and the same card in the event
        itself and in one before it, where nobody named them."""
        index, tokens = self.game.index, self.game.tokens
        at = self.at[b.seq]
        event = self.log.events[at]
        seats = self._seats(b)
        named = [index[need["kind"]] for need in b.explanation.needs if need.get("kind") in index]
        named += [index[token] for token in (getattr(event, "pai", None), *getattr(event, "consumed", ())) if isinstance(token, str)]
        kinds = list(dict.fromkeys(kind for kind in named if kind >= 0))
        for kind in kinds:
            for seat in seats:
                for count in range(5):
                    yield Plan(self.known, {seat: {kind: count}})
        yield from self._held_of_what_was_played(b, random)
        self.effort.reading -= len(self.nameless)
        earlier = [place for place in self.nameless if place < at and isinstance(getattr(self.log.events[place], "pai", None), str)]
        own = [place for place in earlier if getattr(self.log.events[place], "actor", UNKNOWN_CARD) in seats]
        before = list(dict.fromkeys([*earlier[:-4:-1], *own[-8:], *random.sample(earlier, min(4, len(earlier)))]))
        if is_nameless(event):
            if self.moments is None:
                self.moments = self._moments(self.log, {self.log.seqs[place] for place in self.nameless})
            held = self.moments[b.seq].hand[b.actor] if b.actor >= 0 else [0] * len(tokens)
            others = sorted(range(len(tokens)), key=lambda kind: (-held[kind], random.random()))
            kinds += [kind for kind in others if kind not in kinds]
        for kind in kinds:
            for shown in versions(self.game, event, kind):
                names = self._with_table(at, shown) if shown is not event else {}
                first = [*before[:1], *random.sample(before[1:], min(2, len(before[1:])))] if names and len(kinds) > 6 else before
                for place in (UNKNOWN_CARD, *first):
                    earlier_names: list[dict[int, Any]] = [{}]
                    if place >= 0:
                        earlier_names = [self._with_table(place, one) for one in versions(self.game, self.log.events[place], kind)]
                    for more in earlier_names:
                        if not (names or more):
                            continue
                        if not self._may_read():
                            return
                        known = with_names(self.known, {**names, **more}, self.effort)
                        yield Plan(known, {})
                        if seats:
                            yield Plan(known, {random.choice(seats): {kind: random.choice((1, 2, 2, 3))}})

    def _seats(self, b: Breached) -> list[int]:
        """Whose hands the question is about."""
        return list(dict.fromkeys([need["seat"] for need in b.explanation.needs if "seat" in need] + ([b.actor] if b.actor >= 0 else [])))

    def _with_table(self, at: int, shown: Any) -> dict[int, Any]:
        """An event and, if it is a claim, the card that it claims where nobody named that, by place in the log."""
        if len(self.known.moves[at].spent) > 1 and shown.pai != "?":
            table, lies = on_table(self.known, at)
            if table >= 0 > lies:
                return {at: shown, table: msgspec.structs.replace(self.log.events[table], pai=shown.pai)}
        return {at: shown}

    def _agreeing(self, b: Breached, random: Random) -> Iterator[Plan]:
        """A claim of what lies on the table, or a card of the kind that its player claimed before, where these are not named."""
        at = self.at[b.seq]
        event, moves = self.log.events[at], self.known.moves
        if not moves[at].spent:
            return
        claims = (
            [at] if len(moves[at].spent) > 1 else [place for place in self.nameless if place < at and self._is_claim_by(place, b.actor)]
        )
        if not claims:
            return
        for _ in range(_AGREEING):
            claim = random.choice(claims)
            table, lies = on_table(self.known, claim)
            if at == claim and not (is_nameless(event) or table >= 0 > lies):
                return
            kind = self.game.index[event.pai]
            if kind < 0:
                kind = lies if lies >= 0 else random.choice([kind for kind, count in enumerate(self.known.pool) if count] or [0])
            ways = runs if hasattr(self.log.events[claim], "consumed") else versions
            made = [full for full in ways(self.game, self.log.events[claim], kind) if full.pai == self.game.tokens[kind]]
            if not made or not self._may_read():
                continue
            names = self._with_table(claim, random.choice(made))
            if at != claim and is_nameless(event):
                names[at] = msgspec.structs.replace(event, pai=self.game.tokens[kind])
            yield Plan(with_names(self.known, names, self.effort), {})

    def _is_claim_by(self, place: int, seat: int) -> bool:
        """Whether the seat makes a claim at that place in the log."""
        return self.known.moves[place].seat == seat and len(self.known.moves[place].spent) > 1

    def _held_of_what_was_played(self, b: Breached, random: Random) -> Iterator[Plan]:
        """Where it is asked how many a seat held of a card that was played before and that nobody named: as many of one kind."""
        for need in b.explanation.needs:
            place = self.at.get(need.get("seq", b.seq), UNKNOWN_CARD)
            if place not in self.nameless or "count" not in need or not isinstance(self.log.events[place].pai, str):
                continue
            seat: int = need["seat"]
            self.effort.reading -= len(self.log.events)
            held = left_behind(self.known, seat, place)
            lying = self.known.lying[self.known.taken[place][0]] if place in self.known.taken else UNKNOWN_CARD
            kinds = sorted(range(len(held)), key=lambda kind: (-held[kind], random.random()))[:_MOST_KINDS] if lying < 0 else [lying]
            for kind in kinds:
                for named in versions(self.game, self.log.events[place], kind):
                    if not self._may_read():
                        return
                    known = with_names(self.known, {place: named}, self.effort)
                    for more in range(need["count"] + 1):
                        yield Plan(known, {seat: {kind: max(0, need["count"] - held[kind] + more)}})

    def _whole_hands(self, b: Breached, random: Random) -> Iterator[Plan]:
        """Hands that are complete at the event, or of which nothing may be discarded from a claim on, by what is known once all cards
        that events up to there do not name are chosen."""
        at = self.at[b.seq]
        claims = [place for place in range(at, -1, -1) if len(self.game.flow.spent(self.log.events[place])) > 1]
        own = next((place for place in claims if self.log.events[place].actor == b.actor), UNKNOWN_CARD)
        claim = own if own >= 0 and random.random() < 0.5 else claims[0] if claims else UNKNOWN_CARD
        known = self.known
        if self.nameless:
            deal = self.sample(random, Plan(self.known, {}))
            if deal is None or not self._may_read():
                return
            full = played(self.known, deal, AtRandom(random))
            extra = len(full.events) - len(self.log.events)
            # A shown hand is left as it is: it follows from the deal.
            of_cards = [place for place in self.nameless if place <= at and isinstance(getattr(self.log.events[place], "pai", None), str)]
            known = with_names(self.known, {place: full.events[place + extra] for place in of_cards}, self.effort)
            if not known.consistent:
                return
        self.effort.tries -= A_FILL
        moments = self._moments(known.log, {b.seq, self.log.seqs[claim]} if claim >= 0 else {b.seq})
        for seat in self._seats(b):
            more = self._winning(known, moments[b.seq], seat, random)
            if more is not None:
                yield Plan(known, {seat: by_kind(more)})

    def _winning(self, known: Open, moment: Moment, seat: int, random: Random) -> list[int] | None:
        counts = moment.hand[seat][:]
        if moment.completing[seat] >= 0:
            counts[moment.completing[seat]] += 1
        flow = self.game.flow
        wilds = 0
        for kind in flow.wild_kinds:
            wilds += counts[kind]
            counts[kind] = 0
        return filled(counts, moment.unseen[seat], known.pool, flow.suit, wilds, random)


def _by_turns(*parts: Iterator[Plan]) -> Iterator[Plan]:
    """One of each part, another of each, and so on."""
    for several in zip_longest(*parts):
        yield from (plan for plan in several if plan is not None)
