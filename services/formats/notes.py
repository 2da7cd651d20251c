"""Annotations by themselves, as a request adds them to a game."""

import msgspec

from schemas.record import Annotation, ChangdeAnnotation, ChangdeRecord, Record, WeimaqueAnnotation
from services.formats.body import from_json, members_of
from services.formats.body import too_deep as nested_too_deep
from services.formats.faults import Unreadable
from services.formats.media import Format
from services.formats.msgpack_body import from_msgpack
from services.formats.reading import BOM
from services.formats.shapes import Report, check_of, too_deep_at
from services.formats.table import report_note, start_of


def read_note(data: bytes, form: Format | None, record: Record) -> Annotation:
    """An annotation of a record.

    Raises:
        Unreadable: with every fault of it.
    """
    body = from_msgpack(data) if form == "msgpack" else from_json(data.removeprefix(BOM))
    deep = too_deep_at(body)
    if deep is not None:
        raise Unreadable((nested_too_deep(deep),))
    shape = ChangdeAnnotation if isinstance(record, ChangdeRecord) else WeimaqueAnnotation
    report = Report(len(start_of(record).players))
    check_of(shape)(body, "$", report)
    report_note(members_of(body) or {}, "$", len(record.events), report)
    if report.faults:
        raise Unreadable(tuple(report.faults))
    return msgspec.convert(body, shape)
