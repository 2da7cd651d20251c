"""The verdict on a record: findings and outcome, as ``check`` answers them."""

from typing import Any, Literal

from schemas.base import UNSET, Absent, Answer
from schemas.events import Transfer

Kind = Literal["impossible", "violation", "notice"]
Certainty = Literal["established", "possible"]


class Cite(Answer, frozen=True, kw_only=True):
    """Where a rule comes from: the file of the source text and, if a doubtful passage was read in some way, the reading (R-…)."""

    source: str
    reading: str | Absent = UNSET


class Seen(Answer, frozen=True, kw_only=True):
    """An event as it was, where an unknown card of it is named."""

    seq: int
    event: Any


class CompleteDeal(Answer, frozen=True, kw_only=True):
    """Hands and stock (at 常德麻将 the wall) in full, and the events in which unknown cards had to be named."""

    hands: list[Any]
    stock: list[str] | Absent = UNSET
    wall: list[str] | Absent = UNSET
    events: list[Seen] | Absent = UNSET


class Witness(Answer, frozen=True, kw_only=True):
    """Two complete deals that fit everything recorded: one where the act was ``legal``, one where the rule was ``broken``. None: not found
    in a bounded search; findings of kind impossible never have ``broken``, since no deal that breaks such a rule fits."""

    legal: CompleteDeal | None
    broken: CompleteDeal | None


class Finding(Answer, frozen=True, kw_only=True):
    """One rule that does not hold at one event.

    ``because`` are earlier seqs that make it so; ``needs`` the open condition of a merely possible finding;
    ``after_impossible`` the seq of an impossible event that stands before it.
    """

    seq: int
    rule: str
    kind: Kind
    certainty: Certainty
    message: str
    params: dict[str, Any]
    cite: Cite
    because: list[int] = []
    actor: int | Absent = UNSET
    needs: list[dict[str, Any]] | Absent = UNSET
    after_impossible: int | Absent = UNSET
    witness: Witness | Absent = UNSET


class RecordSummary(Answer, frozen=True, kw_only=True):
    """How many events were written, and how many of them hold after corrections."""

    game: str
    events: int
    effective: int


class WeimaqueOutcome(Answer, frozen=True, kw_only=True):
    """How a hand of 偎麻雀 ended. An open win has null 息 and the ranges instead; ``valid`` false: the win does not stand, nothing is
    due."""

    end: Literal["胡", "流局"]
    winners: list[int]
    valid: bool
    certainty: Certainty
    hard_xi: int | None
    total_xi: int | None
    mingtang: dict[str, int]
    transfers: list[Transfer]
    hard_xi_range: list[int] | Absent = UNSET
    total_xi_range: list[int] | Absent = UNSET


class ChangdeOutcome(Answer, frozen=True, kw_only=True):
    """How a hand of 常德麻将 ended; ``points`` are net, by seat."""

    end: Literal["胡", "流局"]
    winners: list[int]
    valid: bool
    certainty: Certainty
    points: dict[str, int]
    transfers: list[Transfer]


class Named(Answer, frozen=True, kw_only=True):
    """A finding by what names it: where it stands, and its rule."""

    seq: int
    rule: str


class OtherVerdict(Answer, frozen=True, kw_only=True):
    """What a verdict would be with one option of the rules read otherwise: the findings that would go and come, and the outcome."""

    reading: str | None
    option: str
    value: Any
    cleared: list[Named]
    added: list[Named]
    outcome: WeimaqueOutcome | ChangdeOutcome | None


class Verdict(Answer, frozen=True, kw_only=True):
    """What ``check`` answers. ``possible`` counts the findings that hold in some deal that fits the record, not in all."""

    record: RecordSummary
    possible: int
    findings: list[Finding]
    outcome: WeimaqueOutcome | ChangdeOutcome | None
    sensitivity: list[OtherVerdict] | Absent = UNSET
