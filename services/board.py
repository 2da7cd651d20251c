"""One position of one hand with everything that is said about it: what the page and the terminal show."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from engine.judge import check
from engine.log import CORRECTIONS, EffectiveLog, effective_log
from engine.replay import frame
from engine.view import Viewer, masked
from engine.weimaque.seating import shouxing_seat
from schemas import changde, weimaque
from schemas.frame import Frame
from schemas.record import Annotation, Record
from schemas.verdict import Finding, Verdict
from services.wording import event_words
from services.words import Language


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One event as written: its words, what it was corrected to, whether it holds, and how many findings and comments stand at it."""

    seq: int
    words: str
    corrected: str | None
    effective: bool
    findings: int
    notes: int


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The position behind event ``frame.seq``, the log around it, and where one can go from here (seqs; ``None``: no further).

    ``step`` counts effective events from 0; ``shouxing`` is the seat that sits out. ``findings`` and ``notes`` are those of this position.
    """

    game: str
    names: list[str]
    dealer: int
    shouxing: int | None
    frame: Frame
    lines: list[Line]
    verdict: Verdict
    findings: list[Finding]
    notes: list[Annotation]
    first: int
    last: int
    previous: int | None
    next: int | None
    step: int
    steps: int

    @property
    def line(self) -> Line:
        """The event of this position."""
        return self.lines[self.frame.seq]


def board(record: Record, seq: int | None = None, *, view: Viewer = "full", language: Language = "zh", hindsight: bool = True) -> Board:
    """The position at a seq, or the last one, as a viewer may see it; without ``hindsight`` as the table knew it then.

    Raises IndexError if the log has no such event.
    """
    record = masked(record, view)
    log = effective_log(record.events)
    order = list(log.seqs)
    shown = frame(record, order[-1] if seq is None else seq, view=view, lang=language, hindsight=hindsight)
    verdict = check(record, lang=language)
    start = log.events[0]
    names = list(start.players)
    notes = [] if record.annotations is UNSET else list(record.annotations)
    # Corrections stand outside the effective log: one goes on from the last effective event written before them.
    place = order.index(max(effective for effective in order if effective <= shown.seq))
    return Board(
        game=verdict.record.game,
        names=names,
        dealer=start.dealer,
        shouxing=_shouxing(start),
        frame=shown,
        lines=_lines(record, log, verdict, names, notes, language),
        verdict=verdict,
        findings=[finding for finding in verdict.findings if finding.seq == shown.seq],
        notes=[note for note in notes if note.seq == shown.seq],
        first=order[0],
        last=order[-1],
        previous=order[place - 1] if place > 0 else None,
        next=order[place + 1] if place + 1 < len(order) else None,
        step=place,
        steps=len(order) - 1,
    )


def _lines(
    record: Record, log: EffectiveLog, verdict: Verdict, names: list[str], notes: Sequence[Annotation], language: Language
) -> list[Line]:
    holding = dict(zip(log.seqs, log.events, strict=True))
    lines: list[Line] = []
    for seq, event in enumerate(record.events):
        holds = holding.get(seq)
        inserted = getattr(event, "event", None)
        corrected = None if holds is None or holds is event or holds is inserted else event_words(holds, names).in_(language)
        lines.append(
            Line(
                seq=seq,
                words=event_words(event, names).in_(language),
                corrected=corrected,
                effective=holds is not None or type(event) in CORRECTIONS,
                findings=sum(finding.seq == seq for finding in verdict.findings),
                notes=sum(note.seq == seq for note in notes),
            )
        )
    return lines


def _shouxing(start: weimaque.Start | changde.Start) -> int | None:
    if isinstance(start, changde.Start):
        return None
    seat = shouxing_seat(start)
    return None if seat < 0 else seat
