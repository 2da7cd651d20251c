"""What might be done about a record, and what it would do: repairs that are offered, and the impact of events not yet appended."""

from typing import Any, Literal

from schemas.base import Answer
from schemas.verdict import ChangdeOutcome, Finding, WeimaqueOutcome

Slip = Literal["card", "seat", "consumed", "kind", "order", "missed", "extra"]
"""What may have gone wrong in writing: the card, the seat, the cards of a 吃, the kind of action; two neighbours in the wrong order,
an event left out, an event too many."""


class Cleared(Answer, frozen=True, kw_only=True):
    """A finding that would be gone."""

    seq: int
    rule: str


class Left(Answer, frozen=True, kw_only=True):
    """How many findings would remain, by kind; ``possible`` counts those that only some deals have."""

    impossible: int
    violation: int
    possible: int


class Repair(Answer, frozen=True, kw_only=True):
    """One way to mend a record: ``events`` are ready to be appended in this order, and nothing is mended before somebody does."""

    events: list[Any]
    slip: Slip
    message: str
    clears: list[Cleared]
    leaves: Left


class Positions(Answer, frozen=True, kw_only=True):
    """The events behind which the position would be another: the first and the last in effective order, and how many."""

    first: int
    last: int
    changed: int


class Impact(Answer, frozen=True, kw_only=True):
    """What appending events would change. ``version`` is the one that they would lead to."""

    version: int
    added: list[Finding]
    cleared: list[Finding]
    outcome_before: WeimaqueOutcome | ChangdeOutcome | None
    outcome_after: WeimaqueOutcome | ChangdeOutcome | None
    positions: Positions | None
