"""Two sides of a comparison, timed in turns, so that whatever else the machine does meets both."""

import gc
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time

import msgspec

ROUNDS = 15

Clock = Callable[[], float]

CPU: Clock = process_time
"""For work that this process does alone: what else the machine does meanwhile does not count."""

WALL: Clock = perf_counter
"""For work that waits for others: a server, a disk."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One side: ``run()`` does ``units`` of the work, once to warm up and then once a round."""

    run: Callable[[], object]
    units: float = 1


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """Median seconds a unit of both sides, and the median over the rounds of how many times longer the other took."""

    ours: float
    other: float
    ratio: float


def compare(ours: Side, other: Side, rounds: int = ROUNDS, *, clock: Clock = CPU) -> Compared:
    """Both sides, round by round; garbage is collected before, not meanwhile."""
    ours.run()
    other.run()
    gc.collect()
    gc.disable()
    try:
        return in_turns(lambda: once(ours.run, ours.units, clock=clock), lambda: once(other.run, other.units, clock=clock), rounds)
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


def once(run: Callable[[], object], units: float = 1, *, clock: Clock = CPU) -> float:
    """Seconds a unit of work that is done a single time: how long the first time takes."""
    begun = clock()
    run()
    return (clock() - begun) / units
