"""Where the answer hangs on a reading: what a win would pay if one option of the ruleset were read otherwise (rules §6)."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from engine.changde.options import OPTIONS, ChangdeRuleset
from schemas.verify import OtherReading

Judged = tuple[bool, Sequence[int]]
"""Whether a win is valid, and the net points by seat."""


_SEAT_NAMES = ("0", "1", "2", "3")


def by_seat(points: Sequence[int]) -> dict[str, int]:
    """Points as they stand on the wire."""
    return dict(zip(_SEAT_NAMES, points, strict=True))


def other_readings(ruleset: ChangdeRuleset, judge: Callable[[ChangdeRuleset], Judged]) -> list[OtherReading]:
    """Every other value of every scoring option under which ``judge`` answers differently, in the order of the options."""
    answer = judge(ruleset)
    readings: list[OtherReading] = []
    for option in OPTIONS:
        if not option.scoring:
            continue
        for value in option.values:
            other = answer if value == getattr(ruleset, option.name) else judge(replace(ruleset, **{option.name: value}))
            if other != answer:
                valid, points = other
                readings.append(OtherReading(reading=option.reading, option=option.name, value=value, valid=valid, points=by_seat(points)))
    return readings
