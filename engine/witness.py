"""Witnesses of a merely possible finding: two complete deals that fit everything recorded. In one the act was legal, in the other not."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from engine.completions import Open, is_nameless
from engine.every import every
from engine.game import Game
from engine.games import game_of
from engine.judge import complete, judged, open_table, run, under, verdict
from engine.log import EffectiveLog, effective_log
from engine.plan import Effort, Plan
from engine.playing import AtRandom, played
from engine.proposals import Proposals
from engine.rule import Breached, BreachKey
from engine.truth import UNKNOWN, YES
from schemas.base import UNSET
from schemas.verdict import CompleteDeal, Seen, Verdict, Witness

MOST_LISTED = 60
"""As many complete deals are tried one by one; of more, random ones are."""

MOST_SHARED = 60
"""How many random deals are tried for all findings together, before any is made for one of them."""

MOST_TRIED = 220
"""How many deals are made for one finding."""

MOST_TRIED_IN_ALL = 2_500
"""How many random deals are tried for one record."""

MOST_FOLDED = 80_000
"""How many events are folded at most with complete deals, so that a long log takes no longer than a short one."""

MOST_READ = 600_000
"""How many events are gone through at most to make deals, whether they come to anything or not."""

MOST_TOLD = 1_400_000
"""How many bytes of JSON the complete deals told for one record take at most; no hand that was ever played comes near."""


def witnesses(game: Game, log: EffectiveLog, found: Sequence[Breached]) -> dict[BreachKey, Witness]:
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
        msgspec.structs.replace(finding, witness=found[b.key]) if b.key in found else finding
        for finding, b in zip(told.findings, whole.found, strict=True)
    ]
    return msgspec.structs.replace(told, findings=findings)


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
        self.impossible = {b.key for b in found if b.rule.kind == "impossible" and b.truth == YES}
        self.pairs = {b.key: _Pair(b) for b in wanted}
        self.open = dict(self.pairs)
        self.at = {seq: at for at, seq in enumerate(log.seqs)}
        self.nameless = self.known.nameless
        self.effort = Effort(tries=MOST_TRIED_IN_ALL, folding=MOST_FOLDED, reading=MOST_READ)
        self.telling = MOST_TOLD

    def witnesses(self) -> dict[BreachKey, Witness]:
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
        proposals = Proposals(self.game, self.known, self.effort)
        random = Random(0)
        for _ in range(MOST_SHARED):
            if not self._may_go_on():
                return
            self._try(proposals, Plan(self.known, {}), random)
        made = {name: proposals.made_for(pair.breach) for name, pair in self.open.items()}
        for _ in range(MOST_TRIED):
            for name in list(self.open):
                if not self._may_go_on():
                    return
                if name in self.open:
                    plan, random = next(made[name])
                    self._try(proposals, plan, random)

    def _may_go_on(self) -> bool:
        """Whether anything is open and may still be looked for; whoever asks goes on."""
        self.effort.tries -= 1
        return self.effort.left_for(len(self.log.events)) and self.telling > 0 and bool(self.open)

    def _try(self, proposals: Proposals, plan: Plan, random: Random) -> None:
        """Judge the log with a deal of the plan; if it fits, and leaves nothing open, it is a witness of every breach that still lacks
        it."""
        deal = proposals.sample(random, plan)
        if deal is not None:
            self._judge_complete(played(plan.known, deal, AtRandom(random)), random)

    def _judge_complete(self, log: EffectiveLog, random: Random) -> None:
        """The same of a log in which everything is told; where cards are flipped, with another flipped from elsewhere too."""
        self.effort.folding -= len(self.log.events)
        if any(is_nameless(log.events[at + len(log.events) - len(self.log.events)]) for at in self.nameless):
            return
        if not self._judge(log):
            return
        for pair in list(self.open.values()):
            at = self.at[pair.breach.seq]
            if pair.broken is None and at in self.known.taken and isinstance(self.log.events[at].pai, list):
                other = self._flipped_from_elsewhere(log, self.known.taken[at], random)
                if other is not None:
                    self.effort.folding -= len(self.log.events)
                    self._judge(other)

    def _judge(self, log: EffectiveLog) -> bool:
        """Whether a log without unknown cards fits what was recorded; if so, it is a witness wherever one is still missing."""
        table = open_table(self.game, log)
        found = run(self.game, log, table)
        found = complete(self.game, log, table, found, self.game.outcome(table))
        if any(b.truth == UNKNOWN or (b.rule.kind == "impossible" and b.key not in self.impossible) for b in found):
            return False
        broken = {b.key for b in found}
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
