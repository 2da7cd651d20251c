"""Witnesses of a merely possible finding: two complete deals that fit everything recorded. In one the act was legal, in the other not."""

from collections.abc import Container, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from engine.completions import UNKNOWN as UNKNOWN_CARD
from engine.completions import Deal, Open, Wanted, is_nameless
from engine.every import every
from engine.fill import filled, stuck
from engine.game import Game
from engine.games import game_of
from engine.judge import complete, judged, open_table, run, under, verdict
from engine.log import EffectiveLog, effective_log
from engine.rule import Breached
from engine.steps import plans
from engine.truth import UNKNOWN, YES
from schemas.base import UNSET
from schemas.verdict import CompleteDeal, Seen, Verdict, Witness

MOST_LISTED = 60
"""As many complete deals are tried one by one; of more, random ones are."""

MOST_SHARED = 60
"""How many random deals are tried for all findings together, before any is made for one of them."""

MOST_TRIED = 300
"""How many deals are made for one finding."""

MOST_TRIED_IN_ALL = 2_500
"""How many random deals are tried for one record."""

A_FILL = 2
"""So many deals less are tried for each hand that is filled so that it wins."""

MOST_FOLDED = 80_000
"""How many events are folded at most with complete deals, so that a long log takes no longer than a short one."""

MOST_READ = 600_000
"""How many events are gone through at most to make deals, whether they come to anything or not."""

MOST_TOLD = 1_400_000
"""How many bytes of JSON the complete deals told for one record take at most; no hand that was ever played comes near."""


def witnesses(game: Game, log: EffectiveLog, found: Sequence[Breached]) -> dict[tuple[int, str, int], Witness]:
    """The witnesses of every open breach in ``found``, by seq, rule and actor; a deal that a bounded search does not find is None.

    Both deals check out: judged in full they break nothing that is impossible, except what the record breaks for certain.
    """
    wanted = [b for b in found if b.truth == UNKNOWN]
    if not wanted:
        return {}
    return _Search(game, log, found, wanted).witnesses()


def check_with_witnesses(record: Any, *, lang: str = "zh", rules: Any = None) -> Verdict:
    """The verdict on a record as ``check`` gives it, possible findings listed, each with its witnesses."""
    game = game_of(record)
    log = effective_log(record.events)
    if rules is not None:
        log = under(log, rules)
    whole = judged(game, log)
    told = verdict(game, log, whole, lang=lang, possible=True)
    found = witnesses(game, log, whole.found)
    findings = [
        msgspec.structs.replace(finding, witness=found[key(b)]) if key(b) in found else finding
        for finding, b in zip(told.findings, whole.found, strict=True)
    ]
    return msgspec.structs.replace(told, findings=findings)


def key(b: Breached) -> tuple[int, str, int]:
    """What a breach is told apart by."""
    return b.seq, b.rule.id, b.actor


class _Behind(msgspec.Struct, frozen=True):
    """The hand of who acts behind his event, as far as it is known, and the kinds that he may not discard."""

    hand: list[int]
    unseen: int
    barred: frozenset[int]


class _Moment(msgspec.Struct, frozen=True):
    """The hands before one event, as far as they are known, and the card that a win there would be completed by; then ``behind`` it."""

    hand: list[list[int]]
    unseen: list[int]
    completing: list[int]
    behind: _Behind


class _Plan(msgspec.Struct, frozen=True):
    """Deals to make: of this log, in which some cards are named that nobody wrote down, with the ``wanted`` cards in unseen places."""

    known: Open
    wanted: Wanted


class _Pair:
    """The witnesses found for one breach so far. Of what is impossible there is none that breaks it: no deal that fits does."""

    def __init__(self, breach: Breached) -> None:
        self.breach = breach
        self.legal: CompleteDeal | None = None
        self.broken: CompleteDeal | None = None

    @property
    def open(self) -> bool:
        return self.legal is None or (self.broken is None and self.breach.rule.kind != "impossible")


class _Search:
    """Every deal that fits is asked about all breaches, whichever it was made for."""

    def __init__(self, game: Game, log: EffectiveLog, found: Sequence[Breached], wanted: Sequence[Breached]) -> None:
        self.game = game
        self.log = log
        self.known = Open(game, log)
        self.impossible = {key(b) for b in found if b.rule.kind == "impossible" and b.truth == YES}
        self.pairs = {key(b): _Pair(b) for b in wanted}
        self.open = dict(self.pairs)
        self.at = {seq: at for at, seq in enumerate(log.seqs)}
        self.nameless = self.known.nameless
        self.left = MOST_TRIED_IN_ALL
        self.folding = MOST_FOLDED
        self.reading = MOST_READ
        self.telling = MOST_TOLD

    def witnesses(self) -> dict[tuple[int, str, int], Witness]:
        """Both deals for each breach, as far as they are found."""
        listed = every(self.known, MOST_LISTED, in_order=False)
        if listed is None:
            self._sampled()
        for full in listed or ():
            if not self._may_go_on():
                break
            self._judge_complete(full, Random(0))
        return {name: Witness(legal=pair.legal, broken=pair.broken) for name, pair in self.pairs.items()}

    def _sampled(self) -> None:
        """Deals that are made for nothing first, then one by one for each breach in turn that is still open."""
        random = Random(0)
        for _ in range(MOST_SHARED):
            if not self._may_go_on():
                return
            self._try(self.known, self._sample(random, _Plan(self.known, {})), random)
        if not self._may_go_on():
            return
        self.moments = self._moments(self.log, {pair.breach.seq for pair in self.open.values()})
        made = {name: self._made_for(pair) for name, pair in self.open.items()}
        for _ in range(MOST_TRIED):
            for name in list(self.open):
                if not self._may_go_on():
                    return
                if name in self.open:
                    plan, random = next(made[name])
                    self._try(plan.known, self._sample(random, plan), random)

    def _may_go_on(self) -> bool:
        """Whether anything is open and may still be looked for; whoever asks goes on."""
        self.left -= 1
        return self.left >= 0 and self.folding >= len(self.log.events) and self._may_read() and self.telling > 0 and bool(self.open)

    def _may_read(self) -> bool:
        """Whether the log may be gone through once more."""
        return self.reading >= len(self.log.events)

    def _made_for(self, pair: _Pair) -> Iterator[tuple[_Plan, Random]]:
        """Deals that may decide one breach: first each that its question calls for, then hands in full, those again and any others by
        turns."""
        b = pair.breach
        random = Random(f"{b.seq} {b.rule.id}")
        plans_made: list[_Plan] = []
        for plan in self._questions(b, random):
            if plan.known.consistent:
                plans_made.append(plan)
                yield plan, random
        while True:
            yield _Plan(self.known, {}), random
            for plan in self._whole_hands(b, random):
                yield plan, random
            if plans_made:
                yield random.choice(plans_made), random

    def _sample(self, random: Random, plan: _Plan) -> Deal | None:
        """A random deal of a plan; half of them have what the claims whose cards nobody named were made with."""
        known = plan.known
        self.reading -= len(self.nameless)
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
        self.reading -= len(self.log.events)
        events = list(self.log.events)
        for at, event in names.items():
            events[at] = event
        return Open(self.game, msgspec.structs.replace(self.log, events=events))

    def _moments(self, log: EffectiveLog, seqs: Container[int]) -> dict[int, _Moment]:
        self.reading -= len(log.events)
        moments: dict[int, _Moment] = {}
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
                behind = _Behind(table.hand[seat][:], table.unseen[seat], barred)
                moments[seq] = _Moment(hand, unseen, completing, behind)
        return moments

    def _try(self, known: Open, deal: Deal | None, random: Random) -> None:
        """Judge the log with this deal; if it fits, and leaves nothing open, it is a witness of every breach that still lacks it."""
        if deal is not None:
            self._judge_complete(known.played(deal, random), random)

    def _judge_complete(self, log: EffectiveLog, random: Random) -> None:
        """The same of a log in which everything is told; where cards are flipped, with another flipped from elsewhere too."""
        self.folding -= len(self.log.events)
        if any(is_nameless(log.events[at + len(log.events) - len(self.log.events)]) for at in self.nameless):
            return
        if not self._judge(log):
            return
        for pair in list(self.open.values()):
            at = self.at[pair.breach.seq]
            if pair.broken is None and at in self.known.taken and isinstance(self.log.events[at].pai, list):
                other = self._flipped_from_elsewhere(log, self.known.taken[at], random)
                if other is not None:
                    self.folding -= len(self.log.events)
                    self._judge(other)

    def _judge(self, log: EffectiveLog) -> bool:
        """Whether a log without unknown cards fits what was recorded; if so, it is a witness wherever one is still missing."""
        table = open_table(self.game, log)
        found = run(self.game, log, table)
        found = complete(self.game, log, table, found, self.game.outcome(table))
        if any(b.truth == UNKNOWN or (b.rule.kind == "impossible" and key(b) not in self.impossible) for b in found):
            return False
        broken = {key(b) for b in found}
        told: CompleteDeal | None = None
        size = 0
        for name, pair in list(self.open.items()):
            if (pair.broken if name in broken else pair.legal) is not None:
                continue
            if told is None:
                told = self._told(log)
                size = len(msgspec.json.encode(told))
            self.telling -= size
            if self.telling < 0:
                break
            if name in broken:
                pair.broken = told
            else:
                pair.legal = told
            if not pair.open:
                del self.open[name]
        return True

    def _flipped_from_elsewhere(self, log: EffectiveLog, places: Sequence[int], random: Random) -> EffectiveLog | None:
        """The same with one of the cards that were flipped lying in another place, where nobody wrote down what lay; None if there is
        none."""
        flow, deal = self.game.flow, self.known.deal
        written: Any = None if deal is None else getattr(deal, flow.lying)
        drawn = {place for at, taken in self.known.taken.items() if not isinstance(self.log.events[at].pai, list) for place in taken}
        at = next(at for at, event in enumerate(log.events) if hasattr(event, "hands"))
        lying: list[Any] = list(getattr(log.events[at], flow.lying))
        free = [place for place in range(len(lying)) if place not in drawn and (written is None or written[place] == "?")]
        choices = [(one, other) for one in places for other in free if one in free and lying[one] != lying[other]]
        if not choices:
            return None
        one, other = random.choice(choices)
        lying[one], lying[other] = lying[other], lying[one]
        events = list(log.events)
        events[at] = msgspec.structs.replace(events[at], **{flow.lying: lying})
        return msgspec.structs.replace(log, events=events)

    def _questions(self, b: Breached, random: Random) -> Iterator[_Plan]:
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
                    yield _Plan(self.known, {seat: {kind: count}})
        self.reading -= len(self.nameless)
        earlier = [place for place in self.nameless if place < at and isinstance(getattr(self.log.events[place], "pai", None), str)]
        own = [place for place in earlier if getattr(self.log.events[place], "actor", UNKNOWN_CARD) in seats]
        before = list(dict.fromkeys([*earlier[-3:], *own[-8:], *random.sample(earlier, min(4, len(earlier)))]))
        if is_nameless(event):
            moment = self.moments[b.seq]
            held = moment.hand[b.actor] if b.actor >= 0 else [0] * len(tokens)
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
                        yield _Plan(known, {})
                        if seats:
                            yield _Plan(known, {random.choice(seats): {kind: random.choice((1, 2, 2, 3))}})

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

    def _whole_hands(self, b: Breached, random: Random) -> Iterator[_Plan]:
        """Hands that are complete at the event, or of which nothing may be discarded from a claim on, by what is known once all cards
        that events up to there do not name are chosen."""
        at = self.at[b.seq]
        claims = [place for place in range(at, -1, -1) if len(self.game.flow.spent(self.log.events[place])) > 1]
        own = next((place for place in claims if self.log.events[place].actor == b.actor), UNKNOWN_CARD)
        claim = own if own >= 0 and random.random() < 0.5 else claims[0] if claims else UNKNOWN_CARD
        known = self.known
        if self.nameless:
            deal = self._sample(random, _Plan(self.known, {}))
            if deal is None or not self._may_read():
                return
            full = self.known.played(deal, random)
            extra = len(full.events) - len(self.log.events)
            known = self._named({place: full.events[place + extra] for place in self.nameless if place <= at})
            if not known.consistent:
                return
        self.left -= A_FILL
        moments = self._moments(known.log, {b.seq, self.log.seqs[claim]} if claim >= 0 else {b.seq})
        barred = self.game.flow.barred
        if barred is not None and claim >= 0:
            seat = self.log.events[claim].actor
            behind = moments[self.log.seqs[claim]].behind
            more = stuck(behind.hand, behind.unseen, known.pool, behind.barred, random)
            if more is not None:
                yield _Plan(known, {seat: _by_kind(more)})
        seats = dict.fromkeys([need["seat"] for need in b.explanation.needs if "seat" in need] + ([b.actor] if b.actor >= 0 else []))
        for seat in seats:
            more = self._winning(known, moments[b.seq], seat, random)
            if more is not None:
                yield _Plan(known, {seat: _by_kind(more)})

    def _winning(self, known: Open, moment: _Moment, seat: int, random: Random) -> list[int] | None:
        counts = moment.hand[seat][:]
        if moment.completing[seat] >= 0:
            counts[moment.completing[seat]] += 1
        flow = self.game.flow
        wilds = 0
        for kind in flow.wild_kinds:
            wilds += counts[kind]
            counts[kind] = 0
        return filled(counts, moment.unseen[seat], known.pool, flow.suit, wilds, random)

    def _told(self, log: EffectiveLog) -> CompleteDeal:
        at = next(at for at, event in enumerate(log.events) if hasattr(event, "hands"))
        told: Any = log.events[at]
        lying: Any = getattr(told, self.game.flow.lying)
        written = dict(zip(self.log.seqs, self.log.events, strict=True))
        filled_in = [
            Seen(seq=seq, event=event)
            for seq, event in zip(log.seqs, log.events, strict=True)
            if not hasattr(event, "hands") and seq in written and written[seq] != event
        ]
        return CompleteDeal(
            hands=told.hands,
            stock=lying if self.game.flow.lying == "stock" else UNSET,
            wall=lying if self.game.flow.lying == "wall" else UNSET,
            events=filled_in or UNSET,
        )


def _by_kind(counts: Sequence[int]) -> dict[int, int]:
    return {kind: count for kind, count in enumerate(counts) if count}
