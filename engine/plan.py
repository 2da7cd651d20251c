"""What a deal is made by, and what may be spent on it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.completions import Open, Wanted


class Plan(msgspec.Struct, frozen=True):
    """Deals to make: of this log, in which some cards are named that nobody wrote down, with the ``wanted`` cards in unseen places."""

    known: Open
    wanted: Wanted


class Effort:
    """What a search may still spend: ``tries`` deals, ``folding`` events of complete deals, ``reading`` events gone through to make
    deals."""

    def __init__(self, *, tries: int, folding: int, reading: int) -> None:
        self.tries = tries
        self.folding = folding
        self.reading = reading

    def left_for(self, events: int) -> bool:
        """Whether one more deal may be made and judged with a log of so many ``events``."""
        return self.tries >= 0 and self.folding >= events and self.reading >= events


def with_names(known: Open, names: Mapping[int, Any], effort: Effort) -> Open:
    """The log with other events, in which cards are named, at some places."""
    if not names:
        return known
    effort.reading -= len(known.log.events)
    events = list(known.log.events)
    for at, event in names.items():
        events[at] = event
    return Open(known.game, msgspec.structs.replace(known.log, events=events), like=known)


def by_kind(counts: Sequence[int]) -> dict[int, int]:
    return {kind: count for kind, count in enumerate(counts) if count}
