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
    """Both sides, round by round; garbage is collected before, not meanwhile."""
    ours.run()
    other.run()
    gc.collect()
    gc.disable()
    try:
        return in_turns(lambda: once(ours.run, ours.units), lambda: once(other.run, other.units), rounds)
    finally:
        gc.enable()


def in_turns(ours: Callable[[], float], other: Callable[[], float], rounds: int) -> Compared:
    """Two measurements, each the seconds a unit took, round by round, each first in every second one."""
    pairs: list[tuple[float, float]] = []
    for number in range(rounds):
        if number % 2:
            theirs = other()
            pairs.append((ours(), theirs))
        else:
            mine = ours()
            pairs.append((mine, other()))
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
