"""Events by themselves: those that a request appends, and those that the log keeps."""

from collections.abc import Sequence
from typing import Any

import msgspec

from schemas.base import Game, shape_version
from schemas.changde import ChangdeEvent
from schemas.record import Record
from schemas.weimaque import WeimaqueEvent
from services.formats.body import from_json, items_of
from services.formats.body import too_deep as nested_too_deep
from services.formats.canonical import canonical
from services.formats.faults import Fault, Unreadable
from services.formats.media import Format, format_of_content
from services.formats.members import plain_move
from services.formats.msgpack_body import from_msgpack
from services.formats.shapes import Report, check_of, too_deep_at
from services.formats.table import AnyEvent, report_event, report_place
from services.formats.upcast import upcast
from services.words import Words

EVENTS: dict[Game, Any] = {"weimaque": WeimaqueEvent, "changde": ChangdeEvent}
"""The events of each game."""

_JSON: dict[str, msgspec.json.Decoder[AnyEvent]] = {game: msgspec.json.Decoder(kind) for game, kind in EVENTS.items()}
_RECORD = msgspec.json.Decoder(Record)


def read_events(data: bytes, form: Format | None, game: Game, *, seats: int, next_seq: int) -> list[AnyEvent]:
    """The events of a request to append: one, a list of them, or one a line. The table has ``seats`` players, the log ``next_seq`` events.

    Raises:
        Unreadable: with every fault of all of them; paths are those of the request (``$.actor``, ``$[0].actor``), seqs those of the log.
    """
    move = _plain_move(data, game) if form in (None, "json") else None
    if move is not None and next_seq > 0 and move.actor < seats:
        return [move]
    body = _body(data, form or format_of_content(data))
    deep = too_deep_at(body)
    if deep is not None:
        raise Unreadable((nested_too_deep(deep),))
    items = items_of(body)
    if items is not None and not items:
        raise Unreadable(
            (Fault(path="$", said=Words("没有事件", "holds no event"), found="[]", expected=Words("至少一个事件", "one event or more")),)
        )
    faults: list[Fault] = []
    for index, event in enumerate([body] if items is None else items):
        path = "$" if items is None else f"$[{index}]"
        seq = next_seq + index
        report = Report(seats)
        check_of(EVENTS[game])(event, path, report)
        report_place(event.get("type") if isinstance(event, dict) else None, seq, path, report)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        report_event(event, path, report)
        faults.extend(msgspec.structs.replace(fault, seq=seq) for fault in report.faults)
    if faults:
        raise Unreadable(tuple(faults))
    return [msgspec.convert(event, EVENTS[game]) for event in ([body] if items is None else items)]


def stored_event(game: Game, payload: bytes, version: int = shape_version) -> AnyEvent:
    """An event of the log, written in any version of the shapes."""
    if version == shape_version:
        return _JSON[game].decode(payload)
    return msgspec.convert(upcast(msgspec.json.decode(payload), version), EVENTS[game])


def stored_record(header: bytes, payloads: Sequence[bytes], annotations: Sequence[bytes] = (), versions: Sequence[int] = ()) -> Record:
    """The record of a stored log. ``header`` is canonical JSON of all but events and annotations; the payloads are the events in order."""
    if any(version != shape_version for version in versions):
        payloads = [canonical(upcast(msgspec.json.decode(payload), version)) for payload, version in zip(payloads, versions, strict=True)]
    return _RECORD.decode(record_text(header, payloads, annotations))


def record_text(header: bytes, payloads: Sequence[bytes], annotations: Sequence[bytes] = ()) -> bytes:
    """Canonical JSON of a stored record, put together from its parts. The members of a header all sort behind ``events``."""
    noted = b'"annotations":[' + b",".join(annotations) + b"]," if annotations else b""
    return b"{" + noted + b'"events":[' + b",".join(payloads) + b"]," + header[1:]


def parts(record: Record) -> tuple[bytes, list[bytes], list[bytes]]:
    """The canonical JSON of a record in parts, as the log keeps it: header, events, annotations."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    events, annotations = plain.pop("events"), plain.pop("annotations", [])
    return canonical(plain), [canonical(event) for event in events], [canonical(annotation) for annotation in annotations]


def _plain_move(data: bytes, game: Game) -> Any:
    """The event of a text that holds one plain move and nothing to be reported; ``None`` for all else."""
    try:
        event = _JSON[game].decode(data)
    except (msgspec.MsgspecError, RecursionError, OverflowError, UnicodeDecodeError):
        return None
    return event if plain_move(data, event) else None


def _body(data: bytes, form: Format) -> Any:
    if form == "msgpack":
        return from_msgpack(data)
    text = data.removeprefix(b"\xef\xbb\xbf")
    if form == "json":
        return from_json(text)
    return [from_json(line) for line in text.split(b"\n") if line.strip()]
