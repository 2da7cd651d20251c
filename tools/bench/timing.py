"""Two sides of a comparison, timed in turns, so that whatever else the machine does meets both."""

import gc
from collections.abc import Callable
from statistics import median
from time import perf_counter

import msgspec

ROUNDS = 15


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One side: ``run()`` does ``units`` of the work, once to warm up and then once a round."""

    run: Callable[[], object]
    units: float = 1


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """Median seconds a unit of both sides, and the median over the rounds of how many times longer the other took."""

    ours: float
    other: float
    ratio: float


def compare(ours: Side, other: Side, rounds: int = ROUNDS) -> Compared:
    """Both sides, round by round, each first in every second one; garbage is collected before, not meanwhile."""
    ours.run()
    other.run()
    gc.collect()
    gc.disable()
    try:
        pairs = [_round(ours, other, number) for number in range(1, rounds + 1)]
    finally:
        gc.enable()
    return Compared(
        ours=median(mine for mine, _ in pairs),
        other=median(theirs for _, theirs in pairs),
        ratio=median(theirs / mine for mine, theirs in pairs),
    )


def once(run: Callable[[], object], units: float = 1) -> float:
    """Seconds a unit of work that is done a single time: how long the first time takes."""
    begun = perf_counter()
    run()
    return (perf_counter() - begun) / units


def _round(ours: Side, other: Side, number: int) -> tuple[float, float]:
    if number % 2:
        mine = once(ours.run, ours.units)
        return mine, once(other.run, other.units)
    theirs = once(other.run, other.units)
    return once(ours.run, ours.units), theirs
