"""Exact answers where little is unknown: every complete log that fits the record is judged, and what holds in all is certain.

The fold answers every question by itself from what is known of the hands: that is right, but leaves open what only two facts together
decide.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.completions import Open
from engine.every import every
from engine.game import Game, Outcome
from engine.log import EffectiveLog
from engine.rule import Breached, BreachKey
from engine.truth import UNKNOWN, YES

MOST_UNSEEN = 8
"""With more unseen cards than this in the hands, or unnamed ones that have left them, complete logs are not listed."""

MOST_COMPLETE = 120
"""More complete logs than this are not judged."""

MOST_JUDGED = 24_000
"""Nor more events in all of them together: of a log longer than any hand really played only a few."""

Judge = Callable[[EffectiveLog], tuple[list[Breached], Outcome | None]]


def decided(
    game: Game, log: EffectiveLog, found: Sequence[Breached], outcome: Outcome | None, judge: Judge
) -> tuple[list[Breached], Outcome | None]:
    """What was ``found`` and the ``outcome``, with as little left open as the complete logs leave; ``judge`` judges a log without unknown
    cards. Unchanged where these logs are too many."""
    known = Open(game, log, flips=False)
    most = min(MOST_COMPLETE, MOST_JUDGED // len(log.events))
    by_order = known.open_by_order()
    complete = every(known, most, in_order=True) if by_order else None
    if complete is not None:
        by_order = frozenset[str]()
    elif by_order and all(b.truth == YES or b.rule.id in by_order for b in found):
        # Where the order of the wall is open or what was flipped, so is whatever turns on it, and the outcome.
        return list(found), outcome
    else:
        complete = every(known, most, in_order=False)
    if complete is None:
        return list(found), outcome
    impossible = {b.key for b in found if b.rule.kind == "impossible" and b.truth == YES}
    asked = {b.key for b in found if b.truth != YES and b.rule.kind != "impossible" and b.rule.id not in by_order}
    is_open_outcome = not by_order and outcome is not None and outcome.certainty == "possible"
    has_range = hasattr(outcome, "hard_xi_range")
    answers: list[tuple[dict[BreachKey, Breached], Outcome | None]] = []
    both_ways: set[BreachKey] = set()
    for number, full in enumerate(complete):
        if number == most:
            return list(found), outcome
        broken, ended = judge(full)
        if any(b.rule.kind == "impossible" and b.key not in impossible for b in broken):
            continue
        answers.append(({b.key: b for b in broken}, ended))
        both_ways |= {name for name in asked - both_ways if (name in answers[0][0]) != (name in answers[-1][0])}
        if both_ways == asked and (not is_open_outcome or (ended != answers[0][1] and not has_range)):
            return list(found), outcome
    if not answers:
        return list(found), outcome
    told: list[Breached] = []
    for b in found:
        if b.truth != YES and b.rule.id not in by_order:
            b = _decided(b, [broken for broken, _ in answers])
        if b is not None:
            told.append(b)
    return told, outcome if by_order else _outcome(outcome, [ended for _, ended in answers])


def _decided(b: Breached, answers: Sequence[dict[BreachKey, Breached]]) -> Breached | None:
    """The breach as it holds in all logs, in some (as it is), or in none (None). One that would make the record impossible stays open.
    What holds in all is explained as they do where all agree on that too, else by what is known."""
    here = [broken[b.key] for broken in answers if b.key in broken]
    if len(here) == len(answers):
        agreed = all(other.explanation == here[0].explanation for other in here)
        return msgspec.structs.replace(b, truth=YES, explanation=here[0].explanation if agreed else b.explanation)
    return b if here or b.rule.kind == "impossible" else None


def _outcome(outcome: Outcome | None, ends: Sequence[Outcome | None]) -> Outcome | None:
    """The outcome, if all logs agree on it; otherwise as it is, with the range that they leave."""
    if all(ended == ends[0] for ended in ends):
        return ends[0]
    valid = [ended for ended in ends if ended is not None and ended.valid and ended.end == "胡"]
    if outcome is None or not hasattr(outcome, "hard_xi_range") or outcome.certainty != "possible" or not valid:
        return outcome
    won: Any = valid
    hard = [ended.hard_xi for ended in won]
    total = [ended.total_xi for ended in won]
    return msgspec.structs.replace(outcome, hard_xi_range=[min(hard), max(hard)], total_xi_range=[min(total), max(total)])


def is_open(found: Sequence[Breached], outcome: Outcome | None) -> bool:
    """Whether anything is left open."""
    return (outcome is not None and outcome.certainty == "possible") or any(b.truth == UNKNOWN for b in found)
