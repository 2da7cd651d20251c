"""What is let in: the four modes in which a record may be stored, judged on its effective log as a whole."""

from typing import Literal, get_args

import msgspec
from msgspec import UNSET

from engine.judge import check
from engine.log import CORRECTIONS
from schemas.record import Record
from schemas.verdict import Finding, Verdict
from services.formats.faults import Fault, Unreadable
from services.formats.reading import Reading
from services.problems import ProblemError, ProblemKind, unreadable
from services.words import Language, Words

Mode = Literal["record", "strict", "prefix", "keep"]

MODES: tuple[Mode, ...] = get_args(Mode)


class Admitted(msgspec.Struct, frozen=True, kw_only=True):
    """A record that is let in, and its verdict. ``dropped`` events were cut off behind it, because of ``fault`` or ``finding``."""

    record: Record
    verdict: Verdict
    dropped: int = 0
    fault: Fault | None = None
    finding: Finding | None = None


def admit(reading: Reading, mode: Mode, language: Language) -> Admitted:
    """What of a reading is let in.

    Raises:
        ProblemError: unreadable, impossible or violation.
    """
    if mode == "prefix":
        return _longest_prefix(reading, language)
    try:
        record = reading.required()
    except Unreadable as unread:
        raise unreadable(unread) from None
    verdict = check(record, lang=language)
    refuse(objections(verdict.findings, mode))
    return Admitted(record=record, verdict=verdict)


def objections(findings: list[Finding], mode: Mode) -> list[Finding]:
    """The established findings for which a mode refuses a record: impossible ones, in ``strict`` violations too, in ``keep`` none."""
    kinds = {"record": {"impossible"}, "prefix": {"impossible"}, "strict": {"impossible", "violation"}, "keep": set[str]()}[mode]
    return [finding for finding in findings if finding.kind in kinds and finding.certainty == "established"]


def refuse(objected: list[Finding]) -> None:
    """Refuses a record to which there are objections.

    Raises:
        ProblemError: impossible, or violation where nothing is impossible.
    """
    if not objected:
        return
    kind: ProblemKind = "impossible" if any(finding.kind == "impossible" for finding in objected) else "violation"
    first = next(finding for finding in objected if finding.kind == kind)
    raise ProblemError(kind, Words(first.message, first.message), findings=objected)


def _longest_prefix(reading: Reading, language: Language) -> Admitted:
    record = reading.prefix
    if record is None:
        raise unreadable(Unreadable(reading.faults))
    fault, finding = (reading.faults[0] if reading.faults else None), None
    while True:
        verdict = check(record, lang=language)
        objected = objections(verdict.findings, "prefix")
        if not objected:
            return Admitted(record=record, verdict=verdict, dropped=reading.written - len(record.events), fault=fault, finding=finding)
        fault, finding = None, objected[0]
        length = _shorter(record, finding.seq)
        if length == 0:
            refuse(objected)
        record = shortened(record, length)


def _shorter(record: Record, seq: int) -> int:
    """The next shorter length at which an impossible event ``seq`` may be gone: cut off, or corrected by something written later."""
    corrected = (length for length in range(len(record.events) - 1, seq + 1, -1) if type(record.events[length - 1]) in CORRECTIONS)
    return next(corrected, seq)


def shortened(record: Record, length: int) -> Record:
    """The record with only its first events, and the annotations that are about them."""
    annotations = record.annotations
    if annotations is not UNSET:
        annotations = [annotation for annotation in annotations if annotation.seq < length]
    return msgspec.structs.replace(record, events=record.events[:length], annotations=annotations)
