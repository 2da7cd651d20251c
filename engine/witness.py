"""Witnesses of a merely possible finding: two complete deals that fit everything recorded. In one the act was legal, in the other not."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

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

MOST_TRIED = 120
"""How many random deals are tried for one finding."""

MOST_TRIED_IN_ALL = 500
"""How many random deals are tried for one record."""

MOST_FOLDED = 60_000
"""How many events are folded at most with random deals, so that a long log takes no longer than a short one."""


def witnesses(game: Game, log: EffectiveLog, found: Sequence[Breached]) -> dict[tuple[int, str, int], Witness]:
    """The witnesses of every open breach in ``found``, by seq, rule and actor; a deal that a bounded search does not find is None.

    Both deals check out: judged in full they break nothing that is impossible, except what the record breaks for certain.
    """
    wanted = [b for b in found if b.truth == UNKNOWN]
    if not wanted:
        return {}
    search = _Search(game, log, found)
    return {key(b): search.witness(b) for b in wanted}


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


class _Search:
    def __init__(self, game: Game, log: EffectiveLog, found: Sequence[Breached]) -> None:
        self.game = game
        self.log = log
        self.known = Open(game, log)
        self.impossible = {key(b) for b in found if b.rule.kind == "impossible" and b.truth == YES}
        self.left = min(MOST_TRIED_IN_ALL, MOST_FOLDED // len(log.events))
        self.tried: list[tuple[Deal, EffectiveLog, frozenset[tuple[int, str, int]]]] = []
        self.moments = self._moments({b.seq for b in found if b.truth == UNKNOWN})
        self.listed = self.known.every(MOST_LISTED)
        for deal in self.listed or ():
            self._try(deal, Random(0))

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

    def _try(self, deal: Deal, random: Random) -> tuple[Deal, EffectiveLog, frozenset[tuple[int, str, int]]] | None:
        """Judge the log with this deal; kept, and returned, if it fits."""
        log = self.known.played(deal, random)
        table = open_table(self.game, log)
        found = complete(self.game, log, table, run(self.game, log, table))
        if any(b.rule.kind == "impossible" and key(b) not in self.impossible for b in found):
            return None
        self.tried.append((deal, log, frozenset(key(b) for b in found)))
        return self.tried[-1]

    def witness(self, b: Breached) -> Witness:
        """Both deals for one breach, the simplest first: those that served others, then new ones."""
        legal: CompleteDeal | None = None
        broken: CompleteDeal | None = None
        for deal, log, found in self._fitting(b):
            if key(b) in found:
                broken = broken or self._told(deal, log)
            else:
                legal = legal or self._told(deal, log)
            if legal is not None and broken is not None:
                break
        return Witness(legal=legal, broken=broken)

    def _fitting(self, b: Breached) -> Iterator[tuple[Deal, EffectiveLog, frozenset[tuple[int, str, int]]]]:
        yield from list(self.tried)
        if self.listed is not None:
            return
        random = Random(f"{b.seq} {b.rule.id}")
        tilts = list(self._tilts(b, random))
        for number in range(min(MOST_TRIED, self.left)):
            self.left -= 1
            tilt = tilts[number] if number < len(tilts) else random.choice(tilts) if tilts and number % 2 else None
            deal = self.known.sample(random, tilt)
            fits = self._try(deal, random) if deal is not None else None
            if fits is not None:
                yield fits

    def _tilts(self, b: Breached, random: Random) -> Iterator[Wanted]:
        """What a seat's unseen cards should be to decide the question: so many of the card in question, or a hand that is complete."""
        index = self.game.index
        seats = list(dict.fromkeys([need["seat"] for need in b.explanation.needs if "seat" in need] + ([b.actor] if b.actor >= 0 else [])))
        kinds = [index[need["kind"]] for need in b.explanation.needs if need.get("kind") in index]
        event = self.log.events[self.log.seqs.index(b.seq)]
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
                more = self._winning(moment, seat, random)
                if more is not None:
                    yield {seat: {kind: count for kind, count in enumerate(more) if count}}

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
