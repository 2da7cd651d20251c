"""Records from bytes in any of the formats.

The typed decoder answers for the good ones. Whatever it refuses, and whatever may have lost something on the way (a repeated key), is read
again, untyped, and reported in full.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import msgspec
from msgspec import UNSET

from schemas.record import Record
from services.formats.body import EMPTY, NESTING, from_json, items_of, members_of
from services.formats.body import too_deep as nested_too_deep
from services.formats.faults import Fault, Unreadable
from services.formats.media import Format, format_of_content
from services.formats.members import colons, may_exceed, outline, telling
from services.formats.msgpack_body import from_msgpack
from services.formats.shapes import Report, check_of, too_deep_at
from services.formats.table import fits_table, players_at, report_table
from services.words import Words

_SCALARS = frozenset((str, bool, int, float))
_STRINGS = frozenset((str,))

RECORD = Words("一份记录", "one record")

BOM = b"\xef\xbb\xbf"

_JSON = msgspec.json.Decoder(Record)
_MSGPACK = msgspec.msgpack.Decoder(Record)


class Reading:
    """One record of an input: the record, or everything that is wrong with it.

    ``index`` counts the records of the input from 0; ``line`` is the line on which it begins, from 1, ``None`` where there are no lines.
    """

    def __init__(
        self, *, index: int = 0, line: int | None = None, record: Record | None = None, faults: tuple[Fault, ...] = (), body: Any = None
    ) -> None:
        self.index = index
        self.line = line
        self.record = record
        self.faults = faults
        self._body = body

    @cached_property
    def prefix(self) -> Record | None:
        """The record up to its first unreadable event, with the annotations about it; ``None`` if not even that is readable."""
        if self.record is not None:
            return self.record
        body = members_of(self._body)
        if body is None or any(fault.seq is None for fault in self.faults):
            return None
        return _convert(cut(body, min(fault.seq for fault in self.faults if fault.seq is not None)))

    @property
    def written(self) -> int:
        """How many events stand in the record as it was sent, readable or not."""
        if self.record is not None:
            return len(self.record.events)
        return len(items_of((members_of(self._body) or {}).get("events")) or [])

    def required(self) -> Record:
        """The record.

        Raises:
            Unreadable: there is none.
        """
        if self.record is None:
            raise Unreadable(self.faults)
        return self.record


def read(data: bytes, form: Format | None = None) -> list[Reading]:
    """Every record of an input, readable or not; without ``form`` its content tells what it is. No record is one unreadable reading."""
    form = form or format_of_content(data)
    if form == "msgpack":
        return [read_msgpack(data)]
    if form == "json":
        return [read_json(data)]
    found = list(read_lines(data.split(b"\n")))
    return found or [Reading(line=1, faults=(Fault(path="$", line=1, said=EMPTY, expected=RECORD),))]


def read_one(data: bytes, form: Format | None = None) -> Record:
    """The only record of an input.

    Raises:
        Unreadable: it cannot be read, or there are several.
    """
    return only_reading(data, form).required()


def only_reading(data: bytes, form: Format | None = None) -> Reading:
    """The only record of an input, readable or not.

    Raises:
        Unreadable: there are several; it names the line of the second.
    """
    first, *others = read(data, form)
    if others:
        said = Words(f"第二份记录在这里，一共 {len(others) + 1} 份", f"the second of {len(others) + 1} records stands here")
        raise Unreadable((Fault(path="$", record=1, line=others[0].line, said=said, expected=RECORD),))
    return first


def read_json(text: bytes, *, index: int = 0, line: int = 1) -> Reading:
    """The record of one JSON text that begins on ``line``."""
    text = text.removeprefix(BOM)
    try:
        record = _JSON.decode(text)
        if _json_fits(text, record) and meta_is_plain(record):
            return Reading(index=index, line=line, record=record)
    except (msgspec.MsgspecError, RecursionError, OverflowError, UnicodeDecodeError):
        pass
    try:
        body = from_json(text)
    except Unreadable as unreadable:
        return Reading(index=index, line=line, faults=placed(unreadable.faults, index, line, None))
    return read_body(body, index=index, line=line)


def read_msgpack(data: bytes) -> Reading:
    """The record of one MessagePack value."""
    try:
        record = _MSGPACK.decode(data)
        if len(msgspec.msgpack.encode(record)) == len(data) and meta_is_plain(record) and fits_table(record):
            return Reading(record=record)
    except (msgspec.MsgspecError, RecursionError, OverflowError, UnicodeDecodeError, ValueError, TypeError):
        pass
    try:
        body = from_msgpack(data)
    except Unreadable as unreadable:
        return Reading(faults=unreadable.faults)
    return read_body(body)


def read_lines(lines: Iterable[bytes], *, first: int = 1) -> Iterator[Reading]:
    """The records of JSON Lines as the lines come; an unreadable one does not stop those behind it. ``first`` numbers the first line."""
    reader = LineReader(first)
    for line in lines:
        yield from reader.feed(line)
    yield from reader.close()


class LineReader:
    """JSON Lines taken in line by line, so that an upload need never be whole in memory.

    A line with ``events`` is a whole record; one with ``format`` and no ``events`` is a header, and the lines behind it are its events.
    """

    def __init__(self, first: int = 1) -> None:
        self._line = first - 1
        self._first = first
        self._index = 0
        self._header: bytes | None = None
        self._header_line = 0
        self._events: list[tuple[int, bytes]] = []

    def feed(self, line: bytes) -> Iterator[Reading]:
        """What is complete once this line has come (with or without its line end)."""
        self._line += 1
        text = line.strip(b" \t\r\n")
        if self._line == self._first:
            text = text.removeprefix(BOM).strip(b" \t\r\n")
        if not text:
            return
        kind = _kind_of_line(text, in_record=self._header is not None)
        if kind == "event":
            self._events.append((self._line, text))
            return
        yield from self.close()
        if kind == "header":
            self._header, self._header_line = text, self._line
        else:
            yield read_json(text, index=self._next(), line=self._line)

    def refuse(self, fault: Fault) -> Reading:
        """The unreadable record of a line that was not taken in, for instance because it is too long."""
        self._line += 1
        return Reading(index=self._next(), line=self._line, faults=placed((fault,), self._index - 1, self._line, None))

    def close(self) -> Iterator[Reading]:
        """What is complete at the end of the input."""
        if self._header is None:
            return
        header, events = self._header, self._events
        self._header, self._events = None, []
        yield _read_headed(header, self._header_line, events, self._next())

    def _next(self) -> int:
        self._index += 1
        return self._index - 1


def read_body(body: Any, *, index: int = 0, line: int | None = None, lines: list[int] | None = None) -> Reading:
    """The record of an untyped body, with every fault. ``lines`` are the lines of its events where each has its own."""
    deep = too_deep_at(body)
    if deep is not None:
        return Reading(index=index, line=line, faults=placed((nested_too_deep(deep),), index, line, lines))
    members = members_of(body) or {}
    report = Report(players_at(members))
    check_of(Record)(body, "$", report)
    report_table(members, report)
    if report.faults:
        faults = [*report.faults]
        if report.beyond:
            more = Words(f"还有 {report.beyond} 处", f"{report.beyond} more faults")
            faults.append(Fault(path="$", said=more, expected=Words("没有", "none")))
        return Reading(index=index, line=line, faults=placed(tuple(faults), index, line, lines), body=body)
    return Reading(index=index, line=line, record=_convert(body))


def cut(body: dict[str, Any], events: int) -> dict[str, Any]:
    """The body with only its first events, and the annotations that are about them."""
    shorter = {**body, "events": body["events"][:events]}
    if "annotations" in body:
        shorter["annotations"] = [annotation for annotation in body["annotations"] if annotation["seq"] < events]
    return shorter


def meta_is_plain(record: Record) -> bool:
    """Whether ``meta`` holds only what JSON holds, no null, and is not nested too deep; the typed decoder lets all of it pass."""
    return record.meta is UNSET or _SCALARS.issuperset(map(type, record.meta.values())) or _is_plain(record.meta, 2)


def placed(faults: tuple[Fault, ...], index: int, line: int | None, lines: list[int] | None) -> tuple[Fault, ...]:
    """The faults with their record, line and event."""
    return tuple(_placed(fault, index, line, lines) for fault in faults)


def seq_of_path(path: str) -> int | None:
    """The event that a path leads into, if it leads into one."""
    if not path.startswith("$.events["):
        return None
    return int(path[9 : path.index("]")])


def _placed(fault: Fault, index: int, line: int | None, lines: list[int] | None) -> Fault:
    seq = seq_of_path(fault.path)
    if fault.line is not None and line is not None:
        line = line + fault.line - 1
    elif lines is not None and seq is not None and seq < len(lines):
        line = lines[seq]
    return msgspec.structs.replace(fault, record=index, line=line, seq=seq)


def _convert(body: dict[str, Any]) -> Record | None:
    try:
        record = msgspec.convert(body, Record)
    except (msgspec.ValidationError, RecursionError):
        return None
    return record if fits_table(record) else None


def _json_fits(text: bytes, record: Record) -> bool:
    """Whether the record surely holds every member of the text, no integer beyond 64 bits, and fits its table: a repeated key leaves fewer
    colons. An escaped colon leaves it open."""
    if b"\\" in text and b"\\u003" in text:
        return False
    found = text.count(b":")
    told = telling(record.events)
    outlined = outline(record, told)
    if may_exceed(outlined):
        return False
    if found == colons(record, told, outlined):
        return fits_table(record, told)
    return found == msgspec.json.encode(record).count(b":") and fits_table(record)


def _is_plain(value: Any, level: int) -> bool:
    if type(value) in _SCALARS:
        return True
    members, items = members_of(value), items_of(value)
    if level > NESTING or (members is None and items is None):
        return False
    if members is None:
        return all(_is_plain(item, level + 1) for item in items or ())
    inner = members.values()
    return _STRINGS.issuperset(map(type, members)) and (
        _SCALARS.issuperset(map(type, inner)) or all(_is_plain(item, level + 1) for item in inner)
    )


class _LineKeys(msgspec.Struct):
    """What tells a line's kind: whether these members are there."""

    format: msgspec.Raw | msgspec.UnsetType = UNSET
    events: msgspec.Raw | msgspec.UnsetType = UNSET


_LINE_KEYS = msgspec.json.Decoder(_LineKeys)


def _kind_of_line(text: bytes, *, in_record: bool) -> str:
    """``record``, ``header`` or ``event``. A line that is no JSON belongs to the open record, unless it speaks of a record itself."""
    if in_record and b"format" not in text and b"events" not in text and b"\\" not in text:
        return "event"
    try:
        keys = _LINE_KEYS.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return "event" if in_record and b'"events"' not in text and b'"format"' not in text else "record"
    if keys.events is not UNSET:
        return "record"
    if keys.format is not UNSET:
        return "header"
    return "event" if in_record else "record"


def _read_headed(header: bytes, header_line: int, events: list[tuple[int, bytes]], index: int) -> Reading:
    """The record of a header and its events, each on its line."""
    lines = [line for line, _ in events]
    faults: list[Fault] = []
    bodies: list[Any] = []
    try:
        body = from_json(header)
    except Unreadable as unreadable:
        return Reading(index=index, line=header_line, faults=placed(unreadable.faults, index, header_line, None))
    for seq, (line, text) in enumerate(events):
        try:
            bodies.append(from_json(text))
        except Unreadable as unreadable:
            faults.extend(
                msgspec.structs.replace(fault, path=f"$.events[{seq}]", record=index, line=line, seq=seq) for fault in unreadable.faults
            )
            bodies.append({})
    body["events"] = bodies
    reading = read_body(body, index=index, line=header_line, lines=lines)
    if not faults:
        return reading
    broken = {fault.seq for fault in faults}
    others = [fault for fault in reading.faults if fault.seq not in broken]
    every = sorted([*faults, *others], key=lambda fault: -1 if fault.seq is None else fault.seq)
    return Reading(index=index, line=header_line, faults=tuple(every), body=body)
