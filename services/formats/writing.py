"""Records to bytes in each of the formats."""

from collections.abc import Iterable

import msgspec

from schemas.record import Record
from services.formats.canonical import canonical
from services.formats.media import Format


def write(record: Record, form: Format) -> bytes:
    """One record: canonical JSON, a header and a line for each event, or MessagePack."""
    if form == "json":
        return canonical(record)
    if form == "msgpack":
        return msgspec.msgpack.encode(record)
    plain = msgspec.to_builtins(record)
    events = plain.pop("events")
    return b"".join(canonical(line) + b"\n" for line in (plain, *events))


def write_lines(records: Iterable[Record]) -> bytes:
    """Many records as JSON Lines, each whole on its line."""
    return b"".join(canonical(record) + b"\n" for record in records)
