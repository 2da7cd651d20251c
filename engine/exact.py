"""Exact answers where few cards are unknown: every complete deal that fits the record is judged, and what holds in all is certain.

The fold answers every question by itself from what is known of the hands: that is right, but leaves open what only two facts together
decide.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from engine.completions import Open
from engine.game import Game, Outcome
from engine.log import EffectiveLog
from engine.rule import Breached
from engine.truth import UNKNOWN, YES

MOST_UNSEEN = 3
"""With more unseen cards than this in the hands no complete deals are listed."""

MOST_DEALS = 6
"""More complete deals than this are not judged."""

Judge = Callable[[EffectiveLog], tuple[list[Breached], Outcome | None]]


def decided(
    game: Game, log: EffectiveLog, found: Sequence[Breached], outcome: Outcome | None, judge: Judge
) -> tuple[list[Breached], Outcome | None]:
    """What was ``found`` and the ``outcome``, with as little left open as the complete deals leave; ``judge`` judges a log without unknown
    cards. Unchanged where these deals are too many."""
    known = Open(game, log)
    if sum(known.dealt) > MOST_UNSEEN:
        return list(found), outcome
    by_order = game.flow.by_order if known.order_matters() else frozenset[str]()
    # Where the order of the wall is open, so is whatever turns on it, and the outcome.
    if by_order and all(b.truth == YES or b.rule.id in by_order for b in found):
        return list(found), outcome
    deals = known.every(MOST_DEALS)
    if not deals:
        return list(found), outcome
    impossible = {_key(b) for b in found if b.rule.kind == "impossible" and b.truth == YES}
    answers: list[tuple[dict[Any, Breached], Outcome | None]] = []
    for deal in deals:
        broken, ended = judge(known.played(deal, Random(0)))
        if all(b.rule.kind != "impossible" or _key(b) in impossible for b in broken):
            answers.append(({_key(b): b for b in broken}, ended))
    if not answers:
        return list(found), outcome
    told: list[Breached] = []
    for b in found:
        if b.truth != YES and b.rule.id not in by_order:
            b = _decided(b, [broken for broken, _ in answers])
        if b is not None:
            told.append(b)
    return told, outcome if by_order else _outcome(outcome, [ended for _, ended in answers])


def _key(b: Breached) -> tuple[int, str, int]:
    return b.seq, b.rule.id, b.actor


def _decided(b: Breached, answers: Sequence[dict[Any, Breached]]) -> Breached | None:
    """The breach as it holds in all deals, in some (as it is), or in none (None). One that would make the record impossible stays open."""
    here = [broken[_key(b)] for broken in answers if _key(b) in broken]
    if len(here) == len(answers):
        return msgspec.structs.replace(b, truth=YES, explanation=here[0].explanation)
    return b if here or b.rule.kind == "impossible" else None


def _outcome(outcome: Outcome | None, ends: Sequence[Outcome | None]) -> Outcome | None:
    """The outcome, if all deals agree on it; otherwise as it is, with the range that they leave."""
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
