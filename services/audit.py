"""The audit: every stored game is folded again, chains and feed are verified, and verdicts are compared with those of earlier engines.

The work is cut into spans of game ids and handed to an executor of ``concurrent.futures``; one over a cluster (Dask's
``Client.get_executor()``) serves as well, if its workers reach the database.
"""

import asyncio
import time
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from engine.games import GAMES
from engine.judge import check
from engine.log import effective_log
from engine.rule import Rule
from services.certificate.content import ruleset_digest, ruleset_in_force
from services.engine_version import engine_version
from services.formats.canonical import canonical
from services.formats.events import stored_record
from services.store.auditing import AuditedGame, CachedVerdict, Span, Stray, keep_verdicts, read_span, spans, strays
from services.store.feed import Feed

GAMES_A_SPAN = 200


class AuditFault(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is not as it was recorded: in which part (``game``, ``feed``, or a table), of which game, at which seq or position."""

    part: str
    fault: str
    of: UUID | None = None
    seq: int | None = None


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """A rule whose findings are others now; ``reading`` names the doubtful passage that it rests on."""

    rule: str
    zh: str
    en: str
    reading: str | None = None


class AuditChange(msgspec.Struct, frozen=True, kw_only=True):
    """A game on which this engine's verdict is another than the last one's.

    ``cleared`` and ``added`` are the findings that went and came (seq, rule, kind, certainty, actor), ``outcome`` the members of the
    outcome that differ, each with both values, and ``why`` the rules that bear on it.
    """

    of: UUID
    before: str
    cleared: list[Any]
    added: list[Any]
    outcome: dict[str, list[Any]]
    why: list[Why]


class SpanReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one span came to."""

    games: int = 0
    events: int = 0
    compared: int = 0
    faults: list[AuditFault] = []
    changes: list[AuditChange] = []


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the audit found. ``compared`` games had a verdict of an earlier engine; ``position`` and ``hash`` are where the feed stood."""

    engine: str
    games: int
    events: int
    compared: int
    position: int
    hash: str
    faults: list[AuditFault]
    changes: list[AuditChange]
    seconds: float

    @property
    def is_clean(self) -> bool:
        """Whether everything is as it was recorded; a changed verdict is no fault."""
        return not self.faults


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an audit has come, in spans, and what the last of them came to."""

    done: int
    all: int
    last: SpanReport


class _Plan(msgspec.Struct, frozen=True, kw_only=True):
    engine: str
    spans: list[Span]


class _Done(msgspec.Struct, frozen=True, kw_only=True):
    span: int
    report: SpanReport


async def audit(
    conninfo: str,
    feed: Feed,
    executor: Executor,
    *,
    checkpoint: tuple[int, bytes] | None = None,
    resume: Path | None = None,
    told: Callable[[Progress], None] = lambda _: None,
) -> AuditReport:
    """Audits a store that may be written to meanwhile.

    ``conninfo`` is how workers reach it. With ``resume`` each finished span is noted in that file, and an audit that was broken off goes on
    behind the spans that are there; a file of another engine counts for nothing, and the file of an audit that ended is removed.
    Raises StoreUnavailableError.
    """
    started = time.monotonic()
    notes = await asyncio.to_thread(_Notes, resume, conninfo)
    reports = dict(notes.done)
    for report in reports.values():
        told(Progress(done=len(reports), all=len(notes.spans), last=report))

    async def one(number: int, span: Span) -> tuple[int, SpanReport]:
        return number, await asyncio.wrap_future(executor.submit(audit_span, conninfo, span))

    working = [asyncio.create_task(one(number, span)) for number, span in enumerate(notes.spans) if number not in reports]
    try:
        for finished in asyncio.as_completed(working):
            number, report = await finished
            reports[number] = report
            notes.note(number, report)
            told(Progress(done=len(reports), all=len(notes.spans), last=report))
    finally:
        for task in working:
            task.cancel()
    chained = await feed.verify(checkpoint)
    found = await asyncio.to_thread(strays, conninfo)
    faults = [fault for number in sorted(reports) for fault in reports[number].faults]
    faults += [_stray(stray) for stray in found]
    if chained.fault is not None:
        faults.append(AuditFault(part="feed", seq=chained.fault[0], fault=chained.fault[1]))
    notes.forget()
    return AuditReport(
        engine=engine_version(),
        games=sum(report.games for report in reports.values()),
        events=sum(report.events for report in reports.values()),
        compared=sum(report.compared for report in reports.values()),
        position=chained.length,
        hash=chained.head.hex(),
        faults=faults,
        changes=[change for number in sorted(reports) for change in reports[number].changes],
        seconds=round(time.monotonic() - started, 3),
    )


@contextmanager
def all_cores(workers: int | None = None) -> Generator[Executor]:
    """Processes on this machine, as many as it has cores. They are started afresh, so that none inherits a lock or a connection."""
    executor = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def audit_span(conninfo: str, span: Span) -> SpanReport:
    """Audits the games of one span, and keeps this engine's verdicts on those that are sound. Runs in a worker."""
    games, found = read_span(conninfo, span)
    faults = [_stray(stray) for stray in found]
    changes: list[AuditChange] = []
    fresh: list[tuple[UUID, CachedVerdict]] = []
    compared = 0
    for game in games:
        if game.chain.fault is not None:
            seq, fault = game.chain.fault
            faults.append(AuditFault(part="game", of=game.game.game_id, seq=seq, fault=fault))
            continue
        try:
            verdict = _judged(game)
        except Exception as error:  # whatever a stored game does to the engine, the others are audited too
            fault = f"无法重演 it cannot be folded: {type(error).__name__}: {error}"
            faults.append(AuditFault(part="game", of=game.game.game_id, fault=fault))
            continue
        same = next((cached for cached in game.verdicts if cached.engine == verdict.engine and cached.version == verdict.version), None)
        if same is None:
            fresh.append((game.game.game_id, verdict))
        elif same.body != verdict.body or same.ruleset != verdict.ruleset:
            fault = "同一引擎，裁决不同 the verdict kept for this very engine is another"
            faults.append(AuditFault(part="verdict", of=game.game.game_id, fault=fault))
        earlier = [cached for cached in game.verdicts if cached.engine != verdict.engine and cached.version == verdict.version]
        if earlier:
            compared += 1
            if earlier[-1].body != verdict.body:
                changes.append(_change(game, earlier[-1], verdict))
    keep_verdicts(conninfo, fresh)
    return SpanReport(games=len(games), events=sum(len(game.events) for game in games), compared=compared, faults=faults, changes=changes)


def _judged(game: AuditedGame) -> CachedVerdict:
    """The verdict of this engine, without words: findings by what names them, and the outcome."""
    payloads, versions = [event.payload for event in game.events], [event.kind_version for event in game.events]
    record = stored_record(game.game.header, payloads, versions=versions)
    verdict = check(record, possible=True)
    findings = [
        [finding.seq, finding.rule, finding.kind, finding.certainty, msgspec.to_builtins(finding).get("actor")]
        for finding in verdict.findings
    ]
    return CachedVerdict(
        engine=engine_version(),
        version=len(game.events),
        ruleset=bytes.fromhex(ruleset_digest(ruleset_in_force(record, effective_log(record.events).events[0].rules))),
        body=canonical({"findings": findings, "outcome": msgspec.to_builtins(verdict.outcome)}),
    )


def _change(game: AuditedGame, before: CachedVerdict, after: CachedVerdict) -> AuditChange:
    old, new = msgspec.json.decode(before.body), msgspec.json.decode(after.body)
    cleared = [finding for finding in old["findings"] if finding not in new["findings"]]
    added = [finding for finding in new["findings"] if finding not in old["findings"]]
    was: dict[str, Any] = old["outcome"] or {}
    now: dict[str, Any] = new["outcome"] or {}
    named = {finding[1] for finding in [*cleared, *added]}
    return AuditChange(
        of=game.game.game_id,
        before=before.engine,
        cleared=cleared,
        added=added,
        outcome={member: [was.get(member), now.get(member)] for member in sorted({*was, *now}) if was.get(member) != now.get(member)},
        why=[_why(rule) for rule in GAMES[game.game.game].rules if rule.id in named],
    )


def _why(rule: Rule) -> Why:
    return Why(rule=rule.id, zh=rule.zh, en=rule.en, reading=rule.reading)


def _stray(stray: Stray) -> AuditFault:
    return AuditFault(part=stray.table, of=stray.of, seq=stray.seq, fault=stray.fault)


class _Notes:
    """The spans of an audit and those that are done, in a file where one is named: a plan in the first line, then a line for each span."""

    def __init__(self, place: Path | None, conninfo: str) -> None:
        self._place = place
        self.done: dict[int, SpanReport] = {}
        if place is not None and place.exists() and (kept := self._read(place)) is not None:
            self.spans = kept
            return
        self.done.clear()
        self.spans = spans(conninfo, GAMES_A_SPAN)
        if place is not None:
            place.write_bytes(msgspec.json.encode(_Plan(engine=engine_version(), spans=self.spans)) + b"\n")

    def _read(self, place: Path) -> list[Span] | None:
        """The spans of the plan that is there, with what is done of it; None if it is none that this engine can go on with."""
        # What follows the last line break was cut short.
        whole = place.read_bytes().rpartition(b"\n")[0]
        try:
            first, *lines = whole.split(b"\n")
            plan = msgspec.json.decode(first, type=_Plan)
            for line in lines:
                noted = msgspec.json.decode(line, type=_Done)
                self.done[noted.span] = noted.report
        except msgspec.MsgspecError:
            return None
        if plan.engine != engine_version():
            return None
        place.write_bytes(whole + b"\n")
        return plan.spans

    def note(self, span: int, report: SpanReport) -> None:
        """Notes that a span is done."""
        if self._place is not None:
            with self._place.open("ab") as file:
                file.write(msgspec.json.encode(_Done(span=span, report=report)) + b"\n")

    def forget(self) -> None:
        """Removes the file of an audit that came to its end."""
        if self._place is not None:
            self._place.unlink(missing_ok=True)
