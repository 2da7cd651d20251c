"""Every event of 常德麻将 (``changde``)."""

from typing import Annotated, Literal

import msgspec

from schemas.base import UNSET, Absent, Seat, Seq, Shape
from schemas.cards import ChangdeTile
from schemas.events import Call, Event, Exhausted, Name, Pass, Ruling, Settlement, Void, Withdraw
from schemas.rulesets import ChangdeRules

Two = Annotated[list[ChangdeTile], msgspec.Meta(min_length=2, max_length=2)]


class Start(Event, tag="开局", frozen=True, kw_only=True):
    """Opens the log."""

    rules: ChangdeRules
    players: Annotated[list[Name], msgspec.Meta(min_length=4, max_length=4)]
    dealer: Seat


class Deal(Event, tag="起牌", frozen=True, kw_only=True):
    """The dealt hands by seat (``null``: nothing known) and the wall in draw order (``null``: not known)."""

    hands: Annotated[list[list[ChangdeTile] | None], msgspec.Meta(min_length=4, max_length=4)]
    wall: list[ChangdeTile] | None


class Discard(Event, tag="出", frozen=True, kw_only=True):
    """A tile is played from the hand."""

    actor: Seat
    pai: ChangdeTile


class Draw(Event, tag="摸", frozen=True, kw_only=True):
    """A tile is drawn from the front of the wall."""

    actor: Seat
    pai: ChangdeTile


class Chi(Event, tag="吃", frozen=True, kw_only=True):
    """Never legal at this game; it can be written so that it can be reported."""

    actor: Seat
    pai: ChangdeTile
    consumed: Two


class Peng(Event, tag="碰", frozen=True, kw_only=True):
    """Another's discard makes a triple with two from the hand."""

    actor: Seat
    pai: ChangdeTile


class Kong(Event, tag="杠", frozen=True, kw_only=True):
    """暗: four from the hand; 明: three and another's discard; 碰: one's own 碰 and the tile just drawn."""

    actor: Seat
    pai: ChangdeTile
    kind: Literal["暗", "明", "碰"]


class Replacement(Event, tag="补章", frozen=True, kw_only=True):
    """The draw from the tail of the wall that follows a kong."""

    actor: Seat
    pai: ChangdeTile


class Show(Event, tag="亮", frozen=True, kw_only=True):
    """The whole concealed hand is shown; from then on it is public."""

    actor: Seat
    pai: list[ChangdeTile]


class Claim(Shape, frozen=True, kw_only=True):
    """What the winner declared: his net points over the whole hand."""

    points: int | Absent = UNSET


class Hu(Event, tag="胡", frozen=True, kw_only=True):
    """A win is claimed. ``hand`` is the concealed hand as shown, without the winning tile. Several 抢杠 winners: one 胡 each."""

    actor: Seat
    kind: Literal["自摸", "抢杠"]
    hand: list[ChangdeTile] | Absent = UNSET
    claim: Claim | Absent = UNSET


class Ma(Event, tag="奖码", frozen=True, kw_only=True):
    """Bonus tiles are flipped after the win."""

    pai: list[ChangdeTile]


Corrected = Start | Deal | Discard | Draw | Chi | Peng | Kong | Replacement | Pass | Call | Show | Hu | Ma | Exhausted | Settlement
"""What 更正 and 补记 may carry."""


class Amend(Event, tag="更正", frozen=True, kw_only=True):
    """The event ``seq`` was written down wrong; ``event`` is right."""

    seq: Seq
    event: Corrected


class Insert(Event, tag="补记", frozen=True, kw_only=True):
    """An event was missed behind the event ``after``."""

    after: Seq
    event: Corrected


ChangdeEvent = Corrected | Withdraw | Amend | Insert | Void | Ruling
