"""What must hold of a record as a whole before it can be read at all (format: "unreadable, not a finding").

开局 opens the log and stands in it once; 起牌 straight after it or nowhere; every seat is one of this table, and every hand has a player.
The report goes over the untyped body, the quick answer over the typed record; both say the same.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from engine.weimaque.opening import NAMES as MINGTANG
from schemas import changde, weimaque
from schemas.changde import ChangdeEvent
from schemas.events import Settlement, Void, Withdraw
from schemas.record import Record
from schemas.weimaque import WeimaqueEvent
from services.formats.body import items_of, members_of
from services.formats.moments import is_moment
from services.formats.shapes import Report, span
from services.words import Words

AnyEvent = WeimaqueEvent | ChangdeEvent

STARTS = (weimaque.Start, changde.Start)
DEALS = (weimaque.Deal, changde.Deal)
UNMOVABLE = frozenset(STARTS + DEALS)
CARRIERS = (weimaque.Amend, weimaque.Insert, changde.Amend, changde.Insert)
UNPLAYED = UNMOVABLE | {Withdraw, Void, *CARRIERS}
"""What no variation can hold: it is not done at the table, but to the record."""

NOT_FIRST = Words("不是开头的事件", "does not open the log")
ONCE = Words("只能有一次", "can stand in a log only once")
DEAL_PLACE = Words("只能紧跟在开局之后", "can only stand straight after 开局")
THREE_PLAYERS = Words("三人没有守醒", "cannot be named with three players")
OTHER = Words("别的事件", "an event of another type")
NO_VARIATION = Words("不是打出来的，不能写进变化", "is not played, and cannot stand in a variation")
NO_EVENT = Words("没有这个事件", "is no event of this record")


def start_of(record: Record) -> weimaque.Start | changde.Start:
    """The 开局 of a record, as it was written."""
    start = record.events[0]
    if not isinstance(start, STARTS):
        raise ValueError("a record that does not open with 开局")
    return start


def players_at(body: dict[str, Any]) -> int:
    """How many players the 开局 of a body names, four if that cannot be told."""
    events = _list(body.get("events"))
    start = _dict(events[0]) if events else {}
    number = len(_list(start.get("players")))
    return number if number in (3, 4) else 4


def report_table(body: dict[str, Any], report: Report) -> None:
    """Reports what is wrong with the record as a whole. ``report.seats`` is the number of players."""
    events = _list(body.get("events"))
    if "events" in body and not events and isinstance(body["events"], list):
        report.add("$.events", Words("没有事件", "holds no event"), events, Words("开局", "开局"))
    for seq, event in enumerate(events):
        report_place(_dict(event).get("type"), seq, f"$.events[{seq}]", report)
        report_event(event, f"$.events[{seq}]", report)
    for index, annotation in enumerate(_list(body.get("annotations"))):
        report_note(_dict(annotation), f"$.annotations[{index}]", len(events), report)


def report_note(annotation: dict[str, Any], path: str, events: int, report: Report) -> None:
    """Reports an annotation on an event that is not there, and what does not fit the table in its variation."""
    about = annotation.get("seq")
    if type(about) is int and about >= events:
        report.add(f"{path}.seq", NO_EVENT, about, span(0, events - 1))
    for place, event in enumerate(_list(annotation.get("line"))):
        kind = _dict(event).get("type")
        if kind in ("开局", "起牌", "撤回", "更正", "补记", "作废"):
            report.add(f"{path}.line[{place}].type", NO_VARIATION, kind, Words("桌上的动作", "what is done at the table"))
        report_event(event, f"{path}.line[{place}]", report)


def report_place(kind: Any, seq: int, path: str, report: Report) -> None:
    """Reports an event that cannot be written at this seq."""
    if seq == 0 and kind != "开局":
        report.add(f"{path}.type", NOT_FIRST, UNSET if kind is None else kind, Words("开局", "开局"))
    elif seq > 0 and kind == "开局":
        report.add(f"{path}.type", ONCE, kind, OTHER)
    if seq != 1 and kind == "起牌":
        report.add(f"{path}.type", DEAL_PLACE, kind, OTHER)


def report_event(event: Any, path: str, report: Report) -> None:
    """Reports what does not fit the table in a 开局 or 起牌, also in one that a correction carries."""
    members = _dict(event)
    kind = members.get("type")
    if kind == "开局":
        players = _list(members.get("players"))
        if "shouxing" in members and len(players) == 3:
            report.add(f"{path}.shouxing", THREE_PLAYERS, members["shouxing"], Words("不写", "no such member"))
    elif kind == "起牌":
        hands = members.get("hands")
        if isinstance(hands, list) and len(_list(hands)) != report.seats:
            report.add(f"{path}.hands", _hands(len(_list(hands))), hands, Words(f"{report.seats} 手", f"{report.seats} hands"))
    elif kind in ("更正", "补记"):
        report_event(members.get("event"), f"{path}.event", report)


def fits_table(record: Record, told: Sequence[AnyEvent] | None = None) -> bool:
    """Whether nothing is wrong with a record as a whole: the quick answer to what ``report_table`` and the walk say beyond the types.
    ``told`` are the events to look at, the first two among them, where the others are known to be an actor and a card alone."""
    events = record.events
    if not events or not isinstance(events[0], STARTS):
        return False
    seats = len(events[0].players)
    asked = events if told is None else told
    if not UNMOVABLE.isdisjoint(map(type, asked[2:])) or (len(events) > 1 and isinstance(events[1], STARTS)):
        return False
    return (
        _seats_fit(events, seats)
        and all_fit(asked, seats)
        and all(
            annotation.seq < len(events) and (annotation.line is UNSET or _variation_fits(annotation.line, seats))
            for annotation in record.annotations or ()
        )
    )


def _variation_fits(line: Sequence[AnyEvent], seats: int) -> bool:
    return UNPLAYED.isdisjoint(map(type, line)) and _seats_fit(line, seats) and all_fit(line, seats)


def _seats_fit(events: Sequence[AnyEvent], seats: int) -> bool:
    return seats == 4 or max([getattr(event, "actor", 0) for event in events], default=0) < seats


def all_fit(events: Sequence[AnyEvent], seats: int) -> bool:
    """Whether the events name only moments that are some and, actors aside, seats of this table."""
    for event in events:
        if event.at is not UNSET and not is_moment(event.at):
            return False
        fits = FITS.get(event.__class__)
        if fits is not None and not fits(event, seats):
            return False
    return True


def _start_fits(event: weimaque.Start | changde.Start, seats: int) -> bool:
    if event.dealer >= seats:
        return False
    if isinstance(event, changde.Start):
        return True
    values = event.rules.values
    return not (event.shouxing is not UNSET and len(event.players) == 3) and (values is UNSET or MINGTANG.issuperset(values))


def _deal_fits(event: weimaque.Deal | changde.Deal, seats: int) -> bool:
    return len(event.hands) == seats


def _carrier_fits(event: weimaque.Amend | weimaque.Insert | changde.Amend | changde.Insert, seats: int) -> bool:
    return _seats_fit((event.event,), seats) and all_fit((event.event,), seats)


def _settlement_fits(event: Settlement, seats: int) -> bool:
    return seats == 4 or all(transfer.from_ < seats and transfer.to < seats for transfer in event.transfers)


FITS: dict[type, Callable[[Any, int], bool]] = {
    **dict.fromkeys(STARTS, _start_fits),
    **dict.fromkeys(DEALS, _deal_fits),
    **dict.fromkeys(CARRIERS, _carrier_fits),
    Settlement: _settlement_fits,
}
"""What is asked of the events whose seats stand elsewhere than in ``actor``."""


def _hands(number: int) -> Words:
    return Words(f"有 {number} 手牌", f"holds {number} hands")


def _dict(value: Any) -> dict[str, Any]:
    return members_of(value) or {}


def _list(value: Any) -> list[Any]:
    return items_of(value) or []
