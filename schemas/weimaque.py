"""Every event of 安乡偎麻雀 (``weimaque``)."""

from typing import Annotated, Literal

import msgspec

from schemas.base import UNSET, Absent, Seat, Seq, Shape
from schemas.cards import WeimaqueCard
from schemas.events import Call, Event, Exhausted, Name, Pass, Ruling, Settlement, Void, Withdraw
from schemas.rulesets import WeimaqueRules

Two = Annotated[list[WeimaqueCard], msgspec.Meta(min_length=2, max_length=2)]


class Start(Event, tag="开局", frozen=True, kw_only=True):
    """Opens the log. With four at the table the 守醒 seat is dealer+2 unless ``shouxing`` says otherwise."""

    rules: WeimaqueRules
    players: Annotated[list[Name], msgspec.Meta(min_length=3, max_length=4)]
    dealer: Seat
    shouxing: Seat | Absent = UNSET


class Deal(Event, tag="起牌", frozen=True, kw_only=True):
    """The dealt hands by seat (``null``: nothing known) and the stock in draw order (``null``: not known)."""

    hands: Annotated[list[list[WeimaqueCard] | None], msgspec.Meta(min_length=3, max_length=4)]
    stock: list[WeimaqueCard] | None


class Discard(Event, tag="出", frozen=True, kw_only=True):
    """A card is played from the hand."""

    actor: Seat
    pai: WeimaqueCard


class Reveal(Event, tag="揭", frozen=True, kw_only=True):
    """The top card of the stock is turned."""

    actor: Seat
    pai: WeimaqueCard


class Chi(Event, tag="吃", frozen=True, kw_only=True):
    """The card on the table makes a run with two from the hand."""

    actor: Seat
    pai: WeimaqueCard
    consumed: Two


class Peng(Event, tag="碰", frozen=True, kw_only=True):
    """Another's card on the table makes a triple with two from the hand."""

    actor: Seat
    pai: WeimaqueCard


class Wei(Event, tag="栽", frozen=True, kw_only=True):
    """One's own reveal makes a triple with two from the hand, laid face down."""

    actor: Seat
    pai: WeimaqueCard


class Zhe(Event, tag="蛰", frozen=True, kw_only=True):
    """The wait is shown and the win declined; ``pai`` names the waits."""

    actor: Seat
    pai: list[WeimaqueCard] | Absent = UNSET


class Show(Event, tag="亮", frozen=True, kw_only=True):
    """The whole concealed hand is shown; from then on it is public."""

    actor: Seat
    pai: list[WeimaqueCard]


class Claim(Shape, frozen=True, kw_only=True):
    """What the winner declared. All fields are optional; what is there is compared."""

    hard_xi: int | Absent = UNSET
    total_xi: int | Absent = UNSET
    mingtang: dict[str, int] | Absent = UNSET


class Hu(Event, tag="胡", frozen=True, kw_only=True):
    """A win is claimed. ``hand`` is the concealed hand as shown, without the winning card; ``kind`` names an opening win."""

    actor: Seat
    hand: list[WeimaqueCard] | Absent = UNSET
    claim: Claim | Absent = UNSET
    kind: Literal["天胡", "九小对", "无对胡"] | Absent = UNSET


class DeadHand(Event, tag="死手", frozen=True, kw_only=True):
    """A player who must discard and cannot says so."""

    actor: Seat


Corrected = Start | Deal | Discard | Reveal | Chi | Peng | Wei | Pass | Call | Zhe | Show | Hu | DeadHand | Exhausted | Settlement
"""What 更正 and 补记 may carry."""


class Amend(Event, tag="更正", frozen=True, kw_only=True):
    """The event ``seq`` was written down wrong; ``event`` is right."""

    seq: Seq
    event: Corrected


class Insert(Event, tag="补记", frozen=True, kw_only=True):
    """An event was missed behind the event ``after``."""

    after: Seq
    event: Corrected


WeimaqueEvent = Corrected | Withdraw | Amend | Insert | Void | Ruling
