"""Events that both games share, and the base of all events. ``type`` is the word spoken at the table."""

from typing import Annotated

import msgspec

from schemas.base import UNSET, Absent, Act, Decision, Seat, Seq, Shape

Name = Annotated[str, msgspec.Meta(description="a player's name")]


class Event(Shape, frozen=True, kw_only=True, tag_field="type"):
    """``at`` is when it happened at the table (RFC 3339 with offset), if anybody wrote that down."""

    at: str | Absent = UNSET


class Pass(Event, tag="过", frozen=True, kw_only=True):
    """An explicit pass. It changes no position and forfeits nothing."""

    actor: Seat


class Call(Event, tag="叫", frozen=True, kw_only=True):
    """A claim spoken, whether or not it is then carried out."""

    actor: Seat
    act: Act


class Exhausted(Event, tag="流局", frozen=True, kw_only=True):
    """Nobody won (臭)."""


class Transfer(Shape, frozen=True, kw_only=True, rename={"from_": "from", "for_": "for"}):
    """``amount`` goes from one seat to another; ``for`` says why. A negative amount goes the other way."""

    from_: Seat
    to: Seat
    amount: int
    for_: str | Absent = UNSET


class Settlement(Event, tag="结算", frozen=True, kw_only=True):
    """What was actually paid."""

    transfers: list[Transfer]


class Withdraw(Event, tag="撤回", frozen=True, kw_only=True):
    """The table takes back every event behind ``to``, by place in the effective log."""

    to: Seq


class Void(Event, tag="作废", frozen=True, kw_only=True):
    """The event ``seq`` did not happen."""

    seq: Seq


class Ruling(Event, tag="裁定", frozen=True, kw_only=True):
    """What the table decided about a finding of rule ``rule`` at event ``seq``."""

    seq: Seq
    rule: str
    decision: Decision
    note: str | Absent = UNSET
