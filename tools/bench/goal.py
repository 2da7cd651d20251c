"""A goal of speed: what is measured against what, and the ratios that count as great and as the floor."""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

Mark = Literal["great", "floor", "below", "unmeasured"]


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """``value`` is the goal's ratio (or milliseconds); ``times`` are the figures behind it, in microseconds, by what took them."""

    value: float
    times: Mapping[str, float]
    note: str = ""


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table. ``faster``: the value says how many times faster, so more is better; else it is a cost, and less is better.

    ``measure`` raises ``tools.bench.peers.Unmeasurable`` where something that it needs is not there.
    """

    name: str
    zh: str
    en: str
    great: float
    floor: float
    measure: Callable[[], Measured]
    faster: bool = True
    unit: str = "x"

    def mark(self, value: float) -> Mark:
        """What a value is worth."""
        if value >= self.great if self.faster else value <= self.great:
            return "great"
        if value >= self.floor if self.faster else value <= self.floor:
            return "floor"
        return "below"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A goal and what came of it. ``missing``: why it could not be measured."""

    name: str
    zh: str
    en: str
    mark: Mark
    value: float | None
    great: float
    floor: float
    faster: bool
    unit: str
    times: Mapping[str, float]
    note: str = ""
    missing: str = ""
