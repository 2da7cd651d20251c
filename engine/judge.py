"""One pass over an effective log: every event is judged by the rules that look at its type, then folded. The verdict is what came of it."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from engine.exact import MOST_UNSEEN, decided, is_open
from engine.game import Game, Outcome, net
from engine.games import GAMES, game_of
from engine.log import REFERENCE_FAULTS, EffectiveLog, effective_log
from engine.needs import with_needs
from engine.past import Contradicts
from engine.rule import LOG_REFERENCE, Breached, Explanation, Rule
from engine.steps import Asked, folds, plain_folds, plain_moves, steps
from engine.truth import NO, UNKNOWN, YES, Truth
from schemas.base import UNSET
from schemas.verdict import Cite, Finding, RecordSummary, Verdict

SOURCES = {"weimaque": "000_67b09777e00254fb.txt", "changde": "002_0507793a7dea9c79.txt"}
"""The source text of each game's rules."""

_OPEN: Truth = UNKNOWN
_KIND_RANK = {"impossible": 0, "violation": 1, "notice": 2}

_UNTOLD = Explanation()
"""In place of an explanation that nobody asks for."""


def open_table(game: Game, log: EffectiveLog) -> Any:
    """The position at the start of the log, before 开局 and 起牌 are judged."""
    events = log.events
    deal = events[1] if len(events) > 1 and hasattr(events[1], "hands") else None
    return game.open_table(events[0], deal, log)


def run(
    game: Game, log: EffectiveLog, table: Any, visit: Callable[[int, list[Breached]], None] | None = None, *, explain_open: bool = True
) -> list[Breached]:
    """Judge and fold the whole log into ``table``; everything that it broke, in effective order.

    ``visit(at, broken)``, if given, is called behind each event with its place in the effective log and what it broke. What is merely
    possible is explained only if ``explain_open``.
    """
    plain = plain_moves(game.name)
    by_type = steps(game.name)
    found: list[Breached] = []
    impossible = -1

    def tell(asked: Asked, table: Any, actor: int, kind: int, event: Any) -> list[Breached]:
        return _told(game, asked, table, actor, kind, event, impossible, explain_open)

    at = -1
    for seq, event in zip(log.seqs, log.events, strict=True):
        at += 1
        event_type = event.__class__
        if plain[event_type](table, seq, at, event):
            if visit is not None:
                visit(at, [])
            continue
        broken = by_type[event_type](table, seq, at, event, tell)
        if broken:
            found += broken
            if impossible < 0 and any(b.rule.kind == "impossible" and b.truth == YES for b in broken):
                impossible = seq
        if visit is not None:
            visit(at, broken or [])
    return found


def fold(game: Game, log: EffectiveLog, table: Any) -> None:
    """Fold the whole log into ``table`` without judging anything."""
    plain = plain_folds(game.name)
    by_type = folds(game.name)
    at = -1
    for seq, event in zip(log.seqs, log.events, strict=True):
        at += 1
        event_type = event.__class__
        if not plain[event_type](table, seq, at, event):
            by_type[event_type](table, seq, at, event)


def _told(game: Game, asked: Asked, table: Any, actor: int, kind: int, event: Any, impossible: int, explain_open: bool) -> list[Breached]:
    """All that is broken at one event, after what stands alone there and what is told only where nothing else fails."""
    broken: list[tuple[Rule, Truth]] = []
    alone: Truth = NO
    failing: Truth = NO
    for rule, breach in asked:
        truth = breach(table, actor, kind, event)
        if truth:
            if rule.alone:
                if truth == YES:
                    broken = [(rule, truth)]
                    alone = truth
                    break
                alone = truth
            broken.append((rule, truth))
            if truth > failing and not rule.catch_all and rule.kind != "notice":
                failing = truth
    told: list[Breached] = []
    for rule, truth in broken:
        if rule.catch_all and failing:
            if failing == YES:
                continue
            truth = _OPEN
        if (alone == UNKNOWN or table.ended == UNKNOWN) and not rule.alone:
            truth = _OPEN
        if truth == UNKNOWN and not explain_open:
            explanation = _UNTOLD
        else:
            explanation = rule.explain(table, actor, kind, event)
            if truth == UNKNOWN:
                explanation = with_needs(explanation, table, actor, game.tokens[kind] if kind >= 0 else None)
            elif rule.contradicts is not None:
                explanation = _with_involved(explanation, rule.contradicts, table, actor, event)
        told.append(
            Breached(seq=table.seq, rule=rule, truth=truth, actor=actor, kind=kind, explanation=explanation, after_impossible=impossible)
        )
    return told


def _with_involved(explanation: Explanation, contradicts: Contradicts, table: Any, actor: int, event: Any) -> Explanation:
    """The explanation of a contradiction, with the events that it is made of."""
    consumed: Any = getattr(event, "consumed", None)
    card = explanation.params["fifth"] if contradicts == "copies" else getattr(event, "pai", None)
    cards = frozenset(consumed or ([card] if isinstance(card, str) else card or ()))
    because = {*explanation.because, *table.past.involved(table.at, contradicts, actor, cards)}
    return msgspec.structs.replace(explanation, because=tuple(because))


class Judged(NamedTuple):
    """What came of a log: everything that it breaks, sorted as a verdict lists it, the position at its end, and the outcome."""

    found: list[Breached]
    table: Any
    outcome: Outcome | None


def judged(game: Game, log: EffectiveLog, *, explain_open: bool = True) -> Judged:
    """Judge and fold a whole log; where few cards are unknown, over all the deals that they leave. What is merely possible is explained
    only if ``explain_open``."""
    table = open_table(game, log)
    return decide(game, log, table, run(game, log, table, explain_open=explain_open))


def decide(game: Game, log: EffectiveLog, table: Any, found: Sequence[Breached]) -> Judged:
    """What ``run`` has ``found`` and what is due, ``complete``, with no more left open than the complete deals leave (``exact``)."""
    outcome = game.outcome(table)
    found = complete(game, log, table, found, outcome)
    if not is_open(found, outcome) or sum(table.unseen) + sum(table.lost) > MOST_UNSEEN:
        return Judged(found, table, outcome)

    def judge(full: EffectiveLog) -> tuple[list[Breached], Outcome | None]:
        played = open_table(game, full)
        broken = run(game, full, played)
        ended = game.outcome(played)
        return complete(game, full, played, broken, ended), ended

    found, outcome = decided(game, log, found, outcome, judge)
    if any(b.truth == YES and b.explanation is _UNTOLD for b in found):
        found = _explained(game, log, found)
    return Judged(found, table, outcome)


def _explained(game: Game, log: EffectiveLog, found: Sequence[Breached]) -> list[Breached]:
    """The same with every breach explained by what is known, where it was not yet."""
    table = open_table(game, log)
    told = {b.key: b.explanation for b in run(game, log, table)}
    return [msgspec.structs.replace(b, explanation=told[b.key]) if b.explanation is _UNTOLD else b for b in found]


def complete(game: Game, log: EffectiveLog, table: Any, found: Sequence[Breached], outcome: Outcome | None) -> list[Breached]:
    """What ``run`` has ``found`` and what is judged once the whole log is folded into ``table``, sorted as a verdict lists it. ``outcome``
    is that of the table."""
    late = settlement(game, table, outcome)
    if not (found or late or log.bad_references):
        return []
    impossible = next((b.seq for b in found if b.rule.kind == "impossible" and b.truth == YES), -1)
    told = [*found, *(msgspec.structs.replace(b, after_impossible=impossible) for b in late)]
    misnamed = bad_references(log)
    if misnamed:
        first = misnamed[0].seq
        told = [msgspec.structs.replace(b, after_impossible=first) if b.after_impossible < 0 and b.seq > first else b for b in told]
    return in_order(game, told + misnamed)


def bad_references(log: EffectiveLog) -> list[Breached]:
    """The corrections that name what they may not name."""
    return [
        Breached(
            seq=bad.seq,
            rule=LOG_REFERENCE,
            truth=YES,
            actor=-1,
            kind=-1,
            explanation=Explanation(params={"target": bad.target, "why": dict(zip(("zh", "en"), REFERENCE_FAULTS[bad.why], strict=True))}),
            after_impossible=-1,
        )
        for bad in log.bad_references
    ]


def settlement(game: Game, table: Any, outcome: Outcome | None) -> list[Breached]:
    """What all 结算 of the log add up to, against what the ``outcome`` makes due; a difference stands at the last of them."""
    paid = table.paid
    if not paid:
        return []
    open_outcome = outcome is not None and outcome.certainty == "possible"
    if len(paid) == 1 and outcome is not None and not open_outcome and paid[0][1] == outcome.transfers:
        return []
    due = net(outcome.transfers) if outcome is not None else {}
    found = net([transfer for _, transfers in paid for transfer in transfers])
    if found == due and not open_outcome:
        return []
    names = table.names
    parts: list[tuple[str, str]] = []
    for low, high in sorted({*due, *found}):
        owed, given = due.get((low, high), 0), found.get((low, high), 0)
        if owed != given:
            payer, payee = names[low], names[high]
            if (owed or given) < 0:
                payer, payee, owed, given = payee, payer, -owed, -given
            parts.append((f"{payer}付{payee}{given}，应为{owed}", f"{payer} pays {payee} {given} instead of {owed}"))
    explanation = Explanation(
        params={
            "differs": {"zh": "；".join(zh for zh, _ in parts), "en": "; ".join(en for _, en in parts)},
            "due": [{"from": low, "to": high, "amount": amount} for (low, high), amount in due.items()],
        },
        needs=({"question": "outcome", "seq": table.end_seq},) if open_outcome else (),
    )
    return [
        Breached(
            seq=paid[-1][0],
            rule=game.settlement_rule,
            truth=UNKNOWN if open_outcome else YES,
            actor=-1,
            kind=-1,
            explanation=explanation,
            after_impossible=-1,
        )
    ]


@cache
def _places(name: str) -> dict[str, int]:
    """The place of each rule on the rules page of a game."""
    return {rule.id: place for place, rule in enumerate(GAMES[name].rules)}


def in_order(game: Game, found: Sequence[Breached]) -> list[Breached]:
    """By seq; at one seq impossible, violation, notice, then the order of the rules page."""
    if len(found) < 2:
        return list(found)
    place = _places(game.name)
    return sorted(found, key=lambda b: (b.seq, _KIND_RANK[b.rule.kind], place[b.rule.id]))


def finding(game: Game, breached: Breached, names: Sequence[str], lang: str) -> Finding:
    """A breach as a verdict tells it, in ``zh`` or ``en``."""
    rule, explanation = breached.rule, breached.explanation
    params = dict(explanation.params)
    actor = params.pop("actor", breached.actor)
    if breached.kind >= 0:
        params.setdefault("pai", game.tokens[breached.kind])
    said = {"who": names[actor] if actor >= 0 else "", "pai": "?", **params}
    return Finding(
        seq=breached.seq,
        rule=rule.id,
        kind=rule.kind,
        certainty="established" if breached.truth == YES else "possible",
        message=rule.message(lang, said),
        params=params,
        cite=Cite(source=SOURCES[game.name], reading=rule.reading if rule.reading is not None else UNSET),
        because=sorted(seq for seq in explanation.because if seq >= 0),
        actor=actor if actor >= 0 else UNSET,
        needs=list(explanation.needs) if breached.truth == UNKNOWN else UNSET,
        after_impossible=breached.after_impossible if breached.after_impossible >= 0 else UNSET,
    )


def under(log: EffectiveLog, rules: Any) -> EffectiveLog:
    """The same log played by other rules."""
    start = msgspec.structs.replace(log.events[0], rules=rules)
    return msgspec.structs.replace(log, events=[start, *log.events[1:]])


def check(record: Any, *, lang: str = "zh", possible: bool = False, rules: Any = None) -> Verdict:
    """The verdict on a record (format §2). ``possible`` lists the merely possible findings too; ``rules`` stand in for those of the
    record (what-if).

    The record must be readable: 开局 first, seats at the table. Anything that can be read can be judged.
    """
    game = game_of(record)
    log = effective_log(record.events)
    if rules is not None:
        log = under(log, rules)
    return verdict(game, log, judged(game, log, explain_open=possible), lang=lang, possible=possible)


def verdict(game: Game, log: EffectiveLog, judged: Judged, *, lang: str, possible: bool) -> Verdict:
    """What came of a log, told in ``zh`` or ``en``."""
    found, table, outcome = judged
    open_ones = sum(b.truth == UNKNOWN for b in found)
    return Verdict(
        record=RecordSummary(game=game.name, events=log.written, effective=len(log.events)),
        possible=open_ones,
        findings=[finding(game, b, table.names, lang) for b in found if possible or b.truth == YES],
        outcome=outcome,
    )
