"""The position behind one event, as replay shows it."""

from typing import Any, Literal

from schemas.base import Answer
from schemas.verdict import ChangdeOutcome, Finding, WeimaqueOutcome

Phase = Literal["opening", "discard", "respond", "turn", "replacement", "rob", "ended"]


class TableCard(Answer, frozen=True, kw_only=True):
    """The card that others may claim, who put it there, and how."""

    pai: str
    actor: int
    how: Literal["出", "揭", "杠"]


class ShownMeld(Answer, frozen=True, kw_only=True):
    """A meld on the table; cards that the viewer may not see are ``"?"``."""

    kind: str
    pai: list[str]


class SeatState(Answer, frozen=True, kw_only=True):
    """What lies at one seat. ``hand`` are the known cards, sorted, ``hidden`` how many more; ``None`` for a hand that the viewer may not
    see.

    ``passed`` are the kinds that the player has let go, by claim (碰, 吃).
    """

    name: str
    hand: list[str] | None
    hidden: int
    melds: list[ShownMeld]
    played: list[str]
    passed: dict[str, list[str]]


class State(Answer, frozen=True, kw_only=True):
    """The position: whose turn it is (None: nobody's), how many cards are left to draw, what lies on the table and at each seat."""

    phase: Phase
    turn: int | None
    stock: int
    table: TableCard | None
    seats: list[SeatState]
    ended: bool


class Wait(Answer, frozen=True, kw_only=True):
    """A card that would complete a seat's hand: how many are left for all that is seen, and what it pays on another's card and on one's
    own.

    At 偎麻雀 ``own`` and ``other`` are the total 息 on one's own and on another's reveal, ``None`` where it does not win; at 常德麻将 the
    net points of a 自摸 and
    of a 抢杠, 码 aside.
    """

    seat: int
    pai: str
    left: int
    own: int | None
    other: int | None


class Frame(Answer, frozen=True, kw_only=True):
    """The position behind event ``seq`` of version ``version``. ``effective`` is false where the event does not hold: then it is the
    position behind the last
    effective event written before it. ``legal`` are the complete playing events that ``check`` would accept next."""

    seq: int
    version: int
    effective: bool
    state: State
    findings: list[Finding]
    legal: list[Any]
    waits: list[Wait]
    outcome: WeimaqueOutcome | ChangdeOutcome | None
