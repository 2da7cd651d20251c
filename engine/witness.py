"""Witnesses of a merely possible finding: two complete deals that fit everything recorded. In one the act was legal, in the other not."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from engine.completions import UNKNOWN as UNKNOWN_CARD
from engine.completions import Deal, Open, Wanted
from engine.fill import filled
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

MOST_TRIED = 120
"""How many deals are made for one finding."""

MOST_TRIED_IN_ALL = 1_500
"""How many random deals are tried for one record."""

A_FILL = 2
"""So many deals less are tried for each hand that is filled so that it wins."""

MOST_FOLDED = 60_000
"""How many events are folded at most with complete deals, so that a long log takes no longer than a short one."""

MOST_TOLD = 100_000
"""How many events the witnesses of one record list at most."""


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


class _Moment(msgspec.Struct, frozen=True):
    """The hands before one event, as far as they are known, and the card that a win there would be completed by."""

    hand: list[list[int]]
    unseen: list[int]
    completing: list[int]


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
        self.nameless = [at for at, event in enumerate(log.events) if at and _is_nameless(event)]
        self.left = MOST_TRIED_IN_ALL
        self.folding = MOST_FOLDED
        self.telling = MOST_TOLD

    def witnesses(self) -> dict[tuple[int, str, int], Witness]:
        """Both deals for each breach, as far as they are found."""
        listed = self.known.every(MOST_LISTED)
        if listed is None:
            self._sampled()
        for deal in listed or ():
            if not self._may_go_on():
                break
            self._try(deal, Random(0))
        return {name: Witness(legal=pair.legal, broken=pair.broken) for name, pair in self.pairs.items()}

    def _sampled(self) -> None:
        """Deals that are made for nothing first, then one by one for each breach in turn that is still open."""
        random = Random(0)
        for _ in range(MOST_SHARED):
            if not self._may_go_on():
                return
            self._try(self._sample(random, {}), random)
        if not self._may_go_on():
            return
        self.moments = self._moments({pair.breach.seq for pair in self.open.values()})
        made = {name: self._made_for(pair.breach) for name, pair in self.open.items()}
        for _ in range(MOST_TRIED):
            for name in list(self.open):
                if not self._may_go_on():
                    return
                if name in self.open:
                    deal, random = next(made[name])
                    self._try(deal, random)

    def _may_go_on(self) -> bool:
        """Whether anything is open and may still be looked for; whoever asks goes on."""
        self.left -= 1
        return self.left >= 0 and self.folding >= len(self.log.events) and self.telling > 0 and bool(self.open)

    def _made_for(self, b: Breached) -> Iterator[tuple[Deal | None, Random]]:
        """Deals that may decide one breach: first each that its question calls for, then those again and any others by turns."""
        random = Random(f"{b.seq} {b.rule.id}")
        tilts: list[Wanted] = []
        for tilt in self._tilts(b, random):
            tilts.append(tilt)
            yield self._sample(random, tilt), random
        while True:
            yield self._sample(random, {}), random
            if tilts:
                yield self._sample(random, random.choice(tilts)), random

    def _sample(self, random: Random, tilt: Wanted) -> Deal | None:
        """A random deal with the cards of ``tilt``; half of them have what the claims whose cards nobody named were made with."""
        wanted = {seat: dict(kinds) for seat, kinds in tilt.items()}
        for at in self.nameless if random.random() < 0.5 else ():
            event = self.log.events[at]
            spent = self.game.flow.spent(event)
            if len(spent) < 2 or spent[0] != "?" or hasattr(event, "consumed"):
                continue
            taken: Any = getattr(self.log.events[at - 1], "pai", None)
            kind = self.game.index[taken] if isinstance(taken, str) else UNKNOWN_CARD
            if kind < 0:
                kind = random.choice([kind for kind, count in enumerate(self.known.pool) if count >= len(spent)] or [UNKNOWN_CARD])
            if kind >= 0:
                wanted.setdefault(event.actor, {}).setdefault(kind, len(spent))
        return self.known.sample(random, wanted)

    def _moments(self, seqs: set[int]) -> dict[int, _Moment]:
        moments: dict[int, _Moment] = {}
        table = open_table(self.game, self.log)
        by_type = plans(self.game.name)
        index = self.game.index
        for at, (seq, event) in enumerate(zip(self.log.seqs, self.log.events, strict=True)):
            table.seq, table.at = seq, at
            if seq in seqs:
                completing = [self.game.flow.completing(table, seat, event) for seat in range(self.known.seats)]
                moments[seq] = _Moment([counts[:] for counts in table.hand], list(table.unseen), completing)
            evolve = by_type[type(event)].evolve
            if evolve is not None:
                card = getattr(event, "pai", None)
                evolve(table, getattr(event, "actor", -1), index[card] if isinstance(card, str) else -1, event)
        return moments

    def _try(self, deal: Deal | None, random: Random) -> None:
        """Judge the log with this deal; if it fits, and leaves nothing open, it is a witness of every breach that still lacks it."""
        if deal is None:
            return
        self.folding -= len(self.log.events)
        log = self.known.played(deal, random)
        if any(_is_nameless(log.events[at + len(log.events) - len(self.log.events)]) for at in self.nameless):
            return
        table = open_table(self.game, log)
        found = run(self.game, log, table)
        found = complete(self.game, log, table, found, self.game.outcome(table))
        if any(b.truth == UNKNOWN or (b.rule.kind == "impossible" and key(b) not in self.impossible) for b in found):
            return
        broken = {key(b) for b in found}
        told: CompleteDeal | None = None
        for name, pair in list(self.open.items()):
            if self.telling <= 0 or (pair.broken if name in broken else pair.legal) is not None:
                continue
            told = told or self._told(deal, log)
            self.telling -= 1 + len(told.events or ())
            if name in broken:
                pair.broken = told
            else:
                pair.legal = told
            if not pair.open:
                del self.open[name]

    def _tilts(self, b: Breached, random: Random) -> Iterator[Wanted]:
        """What a seat's unseen cards should be to decide the question: so many of the card in question, or a hand that is complete."""
        index = self.game.index
        seats = list(dict.fromkeys([need["seat"] for need in b.explanation.needs if "seat" in need] + ([b.actor] if b.actor >= 0 else [])))
        kinds = [index[need["kind"]] for need in b.explanation.needs if need.get("kind") in index]
        event = self.log.events[self.at[b.seq]]
        tokens = [getattr(event, "pai", None), *getattr(event, "consumed", ())]
        kinds += [index[token] for token in tokens if isinstance(token, str)]
        for kind in dict.fromkeys(kinds):
            for seat in seats:
                for count in range(5):
                    yield {seat: {kind: count}}
        moment = self.moments.get(b.seq)
        if moment is None:
            return
        for _ in range(24):
            for seat in seats:
                self.left -= A_FILL
                more = self._winning(moment, seat, random)
                yield {seat: {kind: count for kind, count in enumerate(more) if count}} if more is not None else {}

    def _winning(self, moment: _Moment, seat: int, random: Random) -> list[int] | None:
        counts = moment.hand[seat][:]
        if moment.completing[seat] >= 0:
            counts[moment.completing[seat]] += 1
        flow = self.game.flow
        wilds = 0
        for kind in flow.wild_kinds:
            wilds += counts[kind]
            counts[kind] = 0
        return filled(counts, moment.unseen[seat], self.known.pool, flow.suit, wilds, random)

    def _told(self, deal: Deal, log: EffectiveLog) -> CompleteDeal:
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


def _is_nameless(event: Any) -> bool:
    """Whether any card of the event is unknown."""
    for member in ("pai", "consumed", "hand"):
        cards: Any = getattr(event, member, None)
        if cards == "?" or (isinstance(cards, list) and "?" in cards):
            return True
    return False
