"""Deals to make for one possible finding: what may decide it is put where nobody knows what lay, the rest is left to chance."""

from collections.abc import Container, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from engine.completions import UNKNOWN as UNKNOWN_CARD
from engine.completions import Deal, Open, Wanted, is_nameless
from engine.fill import filled, stuck
from engine.game import Game
from engine.judge import open_table
from engine.log import EffectiveLog
from engine.rule import Breached
from engine.steps import plans

A_FILL = 2
"""So many deals less are tried for each hand that is filled so that it wins."""


class Effort:
    """What a search may still spend: ``tries`` deals, ``folding`` events of complete deals, ``reading`` events gone through to make
    deals."""

    def __init__(self, *, tries: int, folding: int, reading: int) -> None:
        self.tries = tries
        self.folding = folding
        self.reading = reading

    def left_for(self, events: int) -> bool:
        """Whether one more deal may be made and judged with a log of so many ``events``."""
        return self.tries >= 0 and self.folding >= events and self.reading >= events


class Behind(msgspec.Struct, frozen=True):
    """The hand of who acts behind his event, as far as it is known, and the kinds that he may not discard."""

    hand: list[int]
    unseen: int
    barred: frozenset[int]


class Moment(msgspec.Struct, frozen=True):
    """The hands before one event, as far as they are known, and the card that a win there would be completed by; then ``behind`` it."""

    hand: list[list[int]]
    unseen: list[int]
    completing: list[int]
    behind: Behind


class Plan(msgspec.Struct, frozen=True):
    """Deals to make: of this log, in which some cards are named that nobody wrote down, with the ``wanted`` cards in unseen places."""

    known: Open
    wanted: Wanted


class Proposals:
    """The deals that are made for the findings of one record."""

    def __init__(self, game: Game, known: Open, effort: Effort) -> None:
        self.game = game
        self.log = known.log
        self.known = known
        self.effort = effort
        self.at = {seq: at for at, seq in enumerate(self.log.seqs)}
        self.nameless = known.nameless
        self.moments: dict[int, Moment] | None = None

    def _may_read(self) -> bool:
        """Whether the log may be gone through once more."""
        return self.effort.reading >= len(self.log.events)

    def made_for(self, b: Breached) -> Iterator[tuple[Plan, Random]]:
        """Deals that may decide one breach: first each that its question calls for, then hands in full, those again and any others by
        turns."""
        random = Random(f"{b.seq} {b.rule.id}")
        plans_made: list[Plan] = []
        for plan in self._questions(b, random):
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

    def _named(self, names: Mapping[int, Any]) -> Open:
        """The log with other events, in which cards are named, at some places."""
        if not names:
            return self.known
        self.effort.reading -= len(self.log.events)
        events = list(self.log.events)
        for at, event in names.items():
            events[at] = event
        return Open(self.game, msgspec.structs.replace(self.log, events=events))

    def _moments(self, log: EffectiveLog, seqs: Container[int]) -> dict[int, Moment]:
        self.effort.reading -= len(log.events)
        moments: dict[int, Moment] = {}
        table = open_table(self.game, log)
        by_type = plans(self.game.name)
        flow, index = self.game.flow, self.game.index
        for at, (seq, event) in enumerate(zip(log.seqs, log.events, strict=True)):
            table.seq, table.at = seq, at
            actor: int = getattr(event, "actor", UNKNOWN_CARD)
            before = None
            if seq in seqs:
                completing = [flow.completing(table, seat, event) for seat in range(self.known.seats)]
                before = [counts[:] for counts in table.hand], list(table.unseen), completing
            evolve = by_type[type(event)].evolve
            if evolve is not None:
                card = getattr(event, "pai", None)
                evolve(table, actor, index[card] if isinstance(card, str) else UNKNOWN_CARD, event)
            if before is not None:
                seat = actor if actor >= 0 else table.turn
                barred = flow.barred(table, seat) if flow.barred is not None else frozenset[int]()
                hand, unseen, completing = before
                behind = Behind(table.hand[seat][:], table.unseen[seat], barred)
                moments[seq] = Moment(hand, unseen, completing, behind)
        return moments

    def _questions(self, b: Breached, random: Random) -> Iterator[Plan]:
        """What may decide the question: so many of the card in question among a seat's unseen cards, and the same card in the event
        itself and in one before it, where nobody named them."""
        index, tokens = self.game.index, self.game.tokens
        at = self.at[b.seq]
        event = self.log.events[at]
        seats = list(dict.fromkeys([need["seat"] for need in b.explanation.needs if "seat" in need] + ([b.actor] if b.actor >= 0 else [])))
        named = [index[need["kind"]] for need in b.explanation.needs if need.get("kind") in index]
        named += [index[token] for token in (getattr(event, "pai", None), *getattr(event, "consumed", ())) if isinstance(token, str)]
        kinds = list(dict.fromkeys(kind for kind in named if kind >= 0))
        for kind in kinds:
            for seat in seats:
                for count in range(5):
                    yield Plan(self.known, {seat: {kind: count}})
        self.effort.reading -= len(self.nameless)
        earlier = [place for place in self.nameless if place < at and isinstance(getattr(self.log.events[place], "pai", None), str)]
        own = [place for place in earlier if getattr(self.log.events[place], "actor", UNKNOWN_CARD) in seats]
        before = list(dict.fromkeys([*earlier[-3:], *own[-8:], *random.sample(earlier, min(4, len(earlier)))]))
        if is_nameless(event):
            if self.moments is None:
                self.moments = self._moments(self.log, {self.log.seqs[place] for place in self.nameless})
            held = self.moments[b.seq].hand[b.actor] if b.actor >= 0 else [0] * len(tokens)
            others = sorted(range(len(tokens)), key=lambda kind: (-held[kind], random.random()))
            kinds += [kind for kind in others if kind not in kinds]
        for kind in kinds:
            for shown in self._versions(event, kind, random):
                names = {at: shown} if shown is not event else {}
                first = random.sample(before, min(3, len(before))) if names and len(kinds) > 6 else before
                for place in (UNKNOWN_CARD, *first):
                    earlier_names: list[dict[int, Any]] = [{}]
                    if place >= 0:
                        earlier_names = [{place: one} for one in self._versions(self.log.events[place], kind, random)]
                    for more in earlier_names:
                        if not (names or more):
                            continue
                        if not self._may_read():
                            return
                        known = self._named({**names, **more})
                        yield Plan(known, {})
                        if seats:
                            yield Plan(known, {random.choice(seats): {kind: random.choice((1, 2, 2, 3))}})

    def _versions(self, event: Any, kind: int, random: Random) -> Iterator[Any]:
        """The event with this kind for its card, if nobody named that, or for one that it uses; as it is, if all are named."""
        token: Any = self.game.tokens[kind]
        if not is_nameless(event) or isinstance(getattr(event, "pai", None), list):
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
        start, suit = kind // self.game.flow.suit * self.game.flow.suit, self.game.flow.suit
        for low in range(max(start, kind - 2), min(kind, start + suit - 3) + 1):
            run_of = [self.game.tokens[card] for card in range(low, low + 3)]
            for pai in run_of:
                used = [card for card in run_of if card != pai]
                for order in (used, used[::-1]):
                    if all(ours in ("?", theirs) for ours, theirs in zip((event.pai, *consumed), (pai, *order), strict=True)):
                        yield replace(event, pai=pai, consumed=order)

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
            full = self.known.played(deal, random)
            extra = len(full.events) - len(self.log.events)
            known = self._named({place: full.events[place + extra] for place in self.nameless if place <= at})
            if not known.consistent:
                return
        self.effort.tries -= A_FILL
        moments = self._moments(known.log, {b.seq, self.log.seqs[claim]} if claim >= 0 else {b.seq})
        barred = self.game.flow.barred
        if barred is not None and claim >= 0:
            seat = self.log.events[claim].actor
            behind = moments[self.log.seqs[claim]].behind
            more = stuck(behind.hand, behind.unseen, known.pool, behind.barred, random)
            if more is not None:
                yield Plan(known, {seat: _by_kind(more)})
        seats = dict.fromkeys([need["seat"] for need in b.explanation.needs if "seat" in need] + ([b.actor] if b.actor >= 0 else []))
        for seat in seats:
            more = self._winning(known, moments[b.seq], seat, random)
            if more is not None:
                yield Plan(known, {seat: _by_kind(more)})

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


def _by_kind(counts: Sequence[int]) -> dict[int, int]:
    return {kind: count for kind, count in enumerate(counts) if count}
