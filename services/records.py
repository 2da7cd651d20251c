"""The application service: everything that can be asked of Paipu, whichever face asks it. It knows no HTTP and no terminal."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, TypeVar
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET

from engine.games import game_of
from engine.judge import check
from engine.replay import frame, frames, legal_now
from engine.view import NoSuchViewerError, Viewer, viewer
from schemas.base import Game, shape_version
from schemas.frame import Frame
from schemas.record import Annotation, Record
from schemas.verdict import Finding, Verdict
from schemas.verify import Verify
from services.access import Caller
from services.answers import (
    AppendAnswer,
    BatchLine,
    EventAnswer,
    EventsAnswer,
    GameAnswer,
    GameLine,
    GameList,
    Imported,
    NoteAnswer,
    Retry,
    Wanted,
    Written,
)
from services.board import Board, board
from services.formats.canonical import canonical
from services.formats.claims import Rules, read_rules
from services.formats.events import parts, read_events, record_text, stored_record
from services.formats.faults import Unreadable, answer
from services.formats.media import Format
from services.formats.notes import read_note
from services.formats.reading import Reading
from services.formats.table import start_of
from services.modes import Admitted, Mode, admit, objections, refuse
from services.problems import ProblemError, told, unreadable
from services.store.annotations import AnnotationLog
from services.store.log import GameLog, game_id_for
from services.store.model import (
    AlreadyThere,
    Append,
    Appended,
    Created,
    Creation,
    GameFilter,
    GamePage,
    NewAnnotation,
    NewEvent,
    NewGame,
    NotFound,
    Replayed,
    RequestKey,
    RequestMismatch,
    Stale,
    StillRunning,
    StoredEvent,
    StoredGame,
    StoreUnavailableError,
)
from services.summary import searchable, summarise
from services.words import Language, Words

MAX_EVENTS = 10_000
"""So many events may a game have."""

LONG = 400
"""A log of so many events is judged beside the event loop, not on it."""

PAGE = 50
MAX_PAGE = 500
"""Games on a page of the list: as many unless asked otherwise, and at most."""

Result = TypeVar("Result")


class StoredLog(msgspec.Struct, frozen=True, kw_only=True):
    """A stored game as it was read, at one version."""

    game: StoredGame
    payloads: list[bytes]
    notes: list[bytes]

    @property
    def version(self) -> int:
        """How many events were written."""
        return len(self.payloads)

    def text(self) -> bytes:
        """Canonical JSON of the record."""
        return record_text(self.game.header, self.payloads, self.notes)

    def record(self, version: int | None = None) -> Record:
        """The record, or that of an older version."""
        return stored_record(self.game.header, self.payloads[:version], self.notes if version is None else ())


class Records:
    """All that is kept and all that is judged."""

    def __init__(self, games: GameLog, annotations: AnnotationLog) -> None:
        self._games = games
        self._annotations = annotations

    async def check(self, reading: Reading, *, language: Language, possible: bool = False, rules: str | None = None) -> Verdict:
        """The verdict on a record that is not stored, by its own rules or by others.

        Raises:
            ProblemError: unreadable, too-large.
        """
        _limit(reading.written)
        try:
            record = reading.required()
        except Unreadable as unread:
            raise unreadable(unread) from None
        return await _judged(record, language, rules, possible=possible)

    async def verify(self, claim: Verify, language: Language) -> Any:
        """The verdict on a claimed win without a log."""
        return await _beside(0, lambda: game_of(claim).verify(claim, language))

    async def add(
        self, caller: Caller, reading: Reading, *, mode: Mode, language: Language, retry: Retry | None = None, again: bool = False
    ) -> Imported:
        """Stores a record, or opens a game with just its beginning.

        A finished hand that this caller has already is answered, not stored again, unless ``again``. ``retry`` recognises a request that
        comes twice.

        Raises:
            ProblemError: unreadable, impossible, violation, too-large, key-reused, conflict, unavailable.
        """
        key = _request_key(retry)
        game_id = uuid4() if key is None else game_id_for(caller.name, key.id)
        if key is not None:
            earlier = await _stored(self._games.find_request(game_id, key))
            if earlier is not None:
                return _created(earlier, b"")
        admitted = await self._admit(reading, mode, language)
        new = new_game(caller, admitted, game_id)
        body = msgspec.json.encode(_game_answer(game_id, admitted, mode, language))
        if key is not None:
            new = msgspec.structs.replace(new, request=key, answer=body)
        outcome = await _stored(self._games.create(new, deduplicate=not again))
        if isinstance(outcome, Created | AlreadyThere) and outcome.game_id != game_id:
            body = msgspec.json.encode(_game_answer(outcome.game_id, admitted, mode, language))
        return _created(outcome, body)

    async def add_many(
        self, caller: Caller, readings: Iterable[Reading], *, mode: Mode, language: Language, again: bool = False
    ) -> list[BatchLine]:
        """Stores many records, each committed or refused by itself; one answer a record, in order."""
        answers: list[BatchLine | None] = []
        games: list[tuple[int, NewGame]] = []
        for place, reading in enumerate(readings):
            line = reading.line or place + 1
            try:
                admitted = await self._admit(reading, mode, language)
            except ProblemError as refused:
                problem = told(refused, language)
                answers.append(BatchLine(line=line, status=problem.status, error=problem))
            else:
                games.append((place, new_game(caller, admitted, uuid4())))
                answers.append(BatchLine(line=line, status=201))
        outcomes = await _stored(self._games.create_many([game for _, game in games], deduplicate=not again))
        for (place, _), outcome in zip(games, outcomes, strict=True):
            line = answers[place].line  # pyright: ignore[reportOptionalMemberAccess]
            if isinstance(outcome, Created | AlreadyThere):
                answers[place] = BatchLine(line=line, status=201 if isinstance(outcome, Created) else 200, id=outcome.game_id)
            else:
                problem = told(_running(), language)
                answers[place] = BatchLine(line=line, status=problem.status, error=problem)
        return [made for made in answers if made is not None]

    async def append(
        self,
        caller: Caller,
        game_id: UUID,
        data: bytes,
        *,
        form: Format | None,
        expected: int | None,
        mode: Mode,
        language: Language,
        retry: Retry | None = None,
        dry_run: bool = False,
    ) -> Written:
        """Writes events behind version ``expected``: all or none. Without ``expected`` (a dry run) the version of the moment is meant.

        Raises:
            ProblemError: not-found, stale, unreadable, impossible, violation, too-large, key-reused, conflict, unavailable.
        """
        key = _request_key(retry)
        if key is not None:
            earlier = await _stored(self._games.find_request(game_id, key))
            if earlier is not None:
                return _appended(earlier, b"")
        log = await self.log(game_id)
        if expected is not None and expected != log.version:
            events = await _stored(self._games.events(game_id, min(expected, log.version)))
            raise _stale(log.version, events)
        before = log.record()
        seats = len(start_of(before).players)
        try:
            events = read_events(data, form, _game(log), seats=seats, next_seq=log.version)
        except Unreadable as unread:
            raise unreadable(unread) from None
        _limit(log.version + len(events))
        record = msgspec.structs.replace(before, events=[*before.events, *events])
        made = await _beside(len(record.events), lambda: _append_answer(before, record, mode, language))
        answered, verdict = made
        body = msgspec.json.encode(answered)
        if dry_run:
            return Written(version=answered.version, body=body, stored=False)
        outcome = await _stored(
            self._games.append(
                Append(
                    game_id=game_id,
                    expected=log.version,
                    events=tuple(_new_event(canonical(event)) for event in events),
                    recorder=caller.name,
                    summary=summarise(record, verdict),
                    head=log.game.head,
                    request=key,
                    answer=body if key is not None else b"",
                )
            )
        )
        return _appended(outcome, body)

    async def log(self, game_id: UUID) -> StoredLog:
        """A stored game.

        Raises:
            ProblemError: not-found, unavailable.
        """
        found = await _stored(self._games.read(game_id))
        if found is None:
            raise _not_found(game_id)
        game, payloads = found
        notes = await _stored(self._annotations.of_game(game_id))
        return StoredLog(game=game, payloads=payloads, notes=[note.payload for note in notes])

    async def events(self, game_id: UUID, first: int = 0) -> EventsAnswer:
        """The events as written, from a seq on.

        Raises:
            ProblemError: not-found, unavailable.
        """
        game = await _stored(self._games.game(game_id))
        if game is None:
            raise _not_found(game_id)
        found = await _stored(self._games.events(game_id, first))
        return EventsAnswer(version=max(game.version, found[-1].seq + 1 if found else 0), events=[_event_answer(event) for event in found])

    async def frame(self, game_id: UUID, seq: int, *, view: str, version: int | None, language: Language) -> Frame:
        """The position behind one event.

        Raises:
            ProblemError: not-found for a game, a seq or a version that is not there; invalid for a view that this table has not.
        """
        record = await self._pinned(game_id, version)
        who = _viewer(record, view)
        if seq >= len(record.events):
            raise ProblemError("not-found", Words(f"没有第 {seq} 个事件", f"there is no event {seq}"))
        return await _beside(len(record.events), lambda: frame(record, seq, view=who, lang=language))

    async def board(self, game_id: UUID, seq: int | None, *, view: str, language: Language) -> tuple[StoredLog, Board]:
        """A stored game, and one position of it with everything that is said about it; without ``seq`` the last.

        Raises:
            ProblemError: not-found, invalid, unavailable.
        """
        log = await self.log(game_id)
        record = log.record()
        who = _viewer(record, view)
        if seq is not None and seq >= log.version:
            raise ProblemError("not-found", Words(f"没有第 {seq} 个事件", f"there is no event {seq}"))
        return log, await _beside(log.version, lambda: board(record, seq, view=who, language=language))

    async def frames(
        self, game_id: UUID, *, first: int, last: int | None, view: str, version: int | None, language: Language, most: int
    ) -> list[Frame]:
        """The positions behind the effective events of a range of seqs, ends included, in effective order; ``most`` seqs at once.

        Raises:
            ProblemError: not-found, invalid, unavailable.
        """
        record = await self._pinned(game_id, version)
        who = _viewer(record, view)
        end = min(len(record.events) - 1 if last is None else last, first + most - 1)
        return await _beside(len(record.events), lambda: frames(record, first=first, last=end, view=who, lang=language))

    async def verdict(self, game_id: UUID, *, language: Language, possible: bool = False, rules: str | None = None) -> Verdict:
        """The verdict on a stored game, by its own rules or by others.

        Raises:
            ProblemError: not-found, unreadable, unavailable.
        """
        log = await self.log(game_id)
        return await _judged(log.record(), language, rules, possible=possible)

    async def games(self, wanted: Wanted, *, limit: int = PAGE, cursor: str | None = None) -> GameList:
        """A page of the games that fit.

        Raises:
            ProblemError: invalid for a cursor that no page gave, unavailable.
        """
        page = await _stored(self._page(_filter(wanted), min(max(limit, 1), MAX_PAGE), cursor))
        return GameList(
            games=[
                GameLine(
                    id=game.game_id,
                    game=game.game,
                    version=game.version,
                    title=game.summary.title,
                    players=game.summary.players,
                    dealer=game.summary.dealer,
                    played_at=game.summary.played_at,
                    created_at=game.created_at,
                    finished=game.summary.finished,
                    end=game.summary.end,
                    winners=game.summary.winners,
                    has_violations=game.summary.has_violations,
                )
                for game in page.games
            ],
            next=page.next,
        )

    async def is_empty(self) -> bool:
        """Whether no game is stored."""
        return not (await self.games(Wanted(), limit=1)).games

    async def ready(self) -> None:
        """Does nothing if the store answers.

        Raises:
            ProblemError: unavailable.
        """
        await self.games(Wanted(), limit=1)

    async def every(self) -> AsyncIterator[UUID]:
        """The ids of all games."""
        async for game_id in self._games.game_ids():
            yield game_id

    async def notes(self, game_id: UUID) -> list[NoteAnswer]:
        """The annotations of a game.

        Raises:
            ProblemError: not-found, unavailable.
        """
        if await _stored(self._games.game(game_id)) is None:
            raise _not_found(game_id)
        return [
            NoteAnswer(n=note.number, author=note.author, recorded_at=note.recorded_at, annotation=msgspec.Raw(note.payload))
            for note in await _stored(self._annotations.of_game(game_id))
        ]

    async def annotate(self, caller: Caller, game_id: UUID, data: bytes, form: Format | None) -> NoteAnswer:
        """Adds an annotation; the version of the game stays.

        Raises:
            ProblemError: not-found, unreadable, unavailable.
        """
        log = await self.log(game_id)
        try:
            note: Annotation = read_note(data, form, log.record())
        except Unreadable as unread:
            raise unreadable(unread) from None
        added = await _stored(self._annotations.add(game_id, NewAnnotation(payload=canonical(note), author=caller.name)))
        if isinstance(added, NotFound):
            raise _not_found(game_id)
        return NoteAnswer(n=added.number, author=added.author, recorded_at=added.recorded_at, annotation=msgspec.Raw(added.payload))

    async def remove_note(self, caller: Caller, game_id: UUID, number: int) -> None:
        """Takes an annotation away; its number is never used again.

        Raises:
            ProblemError: not-found, unavailable.
        """
        if not await _stored(self._annotations.remove(game_id, number, caller.name)):
            raise ProblemError("not-found", Words(f"没有第 {number} 条批注", f"there is no annotation {number}"))

    async def _admit(self, reading: Reading, mode: Mode, language: Language) -> Admitted:
        _limit(reading.written)
        return await _beside(reading.written, lambda: admit(reading, mode, language))

    async def _pinned(self, game_id: UUID, version: int | None) -> Record:
        log = await self.log(game_id)
        if version is not None and not 1 <= version <= log.version:
            raise ProblemError("not-found", Words(f"没有版本 {version}", f"there is no version {version}"))
        return log.record(version)

    async def _page(self, wanted: GameFilter, limit: int, cursor: str | None) -> GamePage:
        try:
            return await self._games.page(wanted, limit=limit, cursor=cursor)
        except ValueError:
            raise ProblemError("invalid", Words("cursor 不是本服务给出的", "the cursor is none that a page gave")) from None


async def _judged(record: Record, language: Language, rules: str | None, *, possible: bool) -> Verdict:
    named = None if rules is None else _rules(rules, game_of(record).name)
    return await _beside(len(record.events), lambda: check(record, lang=language, possible=possible, rules=named))


def new_game(caller: Caller, admitted: Admitted, game_id: UUID) -> NewGame:
    """A record that was let in, as the store takes it."""
    record = admitted.record
    header, events, notes = parts(record)
    return NewGame(
        game_id=game_id,
        game=game_of(record).name,
        owner=caller.name,
        recorder=caller.name,
        rules=canonical(start_of(record).rules),
        header=header,
        events=tuple(_new_event(event) for event in events),
        summary=summarise(record, admitted.verdict),
        annotations=tuple(NewAnnotation(payload=note, author=caller.name) for note in notes),
    )


def _game_answer(game_id: UUID, admitted: Admitted, mode: Mode, language: Language) -> GameAnswer:
    record, verdict = admitted.record, admitted.verdict
    made = GameAnswer(id=game_id, version=len(record.events), findings=verdict.findings, outcome=verdict.outcome, next=legal_now(record))
    if mode != "prefix":
        return made
    error = UNSET if admitted.fault is None else answer(admitted.fault, language)
    if admitted.finding is not None:
        error = admitted.finding
    return msgspec.structs.replace(made, kept=len(record.events), dropped=admitted.dropped, error=error)


def _append_answer(before: Record, record: Record, mode: Mode, language: Language) -> tuple[AppendAnswer, Verdict]:
    """What the events that ``record`` has more than ``before`` change.

    Raises:
        ProblemError: impossible or violation, for a finding that was not there before.
    """
    old, new = check(before, lang=language), check(record, lang=language)
    known, left = {_key(finding) for finding in old.findings}, {_key(finding) for finding in new.findings}
    added = [finding for finding in new.findings if _key(finding) not in known]
    refuse(objections(added, mode))
    answered = AppendAnswer(
        version=len(record.events),
        seqs=list(range(len(before.events), len(record.events))),
        findings=added,
        cleared=[finding for finding in old.findings if _key(finding) not in left],
        next=legal_now(record),
        outcome=new.outcome,
    )
    return answered, new


def _key(finding: Finding) -> tuple[Any, ...]:
    """By this a finding is the same before an append and behind it."""
    return finding.seq, finding.rule, finding.actor, finding.certainty


def _new_event(payload: bytes) -> NewEvent:
    return NewEvent(kind=_TYPE.decode(payload).type, payload=payload, kind_version=shape_version)


def _event_answer(event: StoredEvent) -> EventAnswer:
    return EventAnswer(seq=event.seq, recorded_at=event.recorded_at, recorder=event.recorder, event=msgspec.Raw(event.payload))


def _created(outcome: Creation, body: bytes) -> Imported:
    match outcome:
        case Created():
            return Imported(game_id=outcome.game_id, version=outcome.version, body=body, created=True)
        case AlreadyThere():
            return Imported(game_id=outcome.game_id, version=outcome.version, body=body, created=False)
        case Replayed():
            return Imported(game_id=outcome.game_id, version=outcome.version, body=outcome.answer, created=True, replayed=True)
        case RequestMismatch():
            raise _key_reused()
        case StillRunning():
            raise _running()


def _appended(outcome: Appended | Replayed | RequestMismatch | Stale | StillRunning | NotFound, body: bytes) -> Written:
    match outcome:
        case Appended():
            return Written(version=outcome.version, body=body, stored=True)
        case Replayed():
            return Written(version=outcome.version, body=outcome.answer, stored=True, replayed=True)
        case Stale():
            raise _stale(outcome.version, list(outcome.events))
        case RequestMismatch():
            raise _key_reused()
        case StillRunning():
            raise _running()
        case NotFound():
            raise ProblemError("not-found", Words("没有这盘", "there is no such game"))


def _stale(version: int, events: list[StoredEvent]) -> ProblemError:
    detail = Words(f"现在是版本 {version}", f"the game is at version {version} now")
    return ProblemError("stale", detail, more={"version": version, "events": [_event_answer(event) for event in events]})


def _not_found(game_id: UUID) -> ProblemError:
    return ProblemError("not-found", Words(f"没有这盘：{game_id}", f"there is no game {game_id}"))


def _key_reused() -> ProblemError:
    return ProblemError("key-reused", Words("这个 Idempotency-Key 用于别的内容", "this Idempotency-Key came with another body before"))


def _running() -> ProblemError:
    return ProblemError("conflict", Words("这盘正在被写入，请稍后再试", "another write to this game has not ended; try again"))


def _limit(events: int) -> None:
    if events > MAX_EVENTS:
        detail = Words(f"一盘至多 {MAX_EVENTS} 个事件，这里有 {events} 个", f"a game has at most {MAX_EVENTS} events, this one {events}")
        raise ProblemError("too-large", detail)


def _viewer(record: Record, view: str) -> Viewer:
    seats = len(start_of(record).players)
    try:
        return viewer(view, seats)
    except NoSuchViewerError:
        known = ("full", "public", *(str(seat) for seat in range(seats)))
        raise ProblemError("invalid", Words(f"view 应为 {'、'.join(known)}", f"view must be one of {', '.join(known)}")) from None


def _rules(text: str, game: str) -> Rules:
    try:
        return read_rules(text.encode(errors="surrogatepass"), game)
    except Unreadable as unread:
        raise unreadable(unread) from None


def _game(log: StoredLog) -> Game:
    return msgspec.convert(log.game.game, Game)


def _filter(wanted: Wanted) -> GameFilter:
    return GameFilter(
        game=wanted.game,
        player=_text(wanted.player),
        winner=_text(wanted.winner),
        since=wanted.since,
        until=wanted.until,
        has_violations=wanted.has_violations,
        text=_text(wanted.text),
    )


def _text(asked: str | None) -> str | None:
    return None if asked is None else searchable(asked)


def _request_key(retry: Retry | None) -> RequestKey | None:
    return None if retry is None else RequestKey(id=retry.key, digest=retry.digest)


async def _beside(events: int, work: Callable[[], Result]) -> Result:
    """Does the engine's work, beside the event loop where it may be long."""
    return await asyncio.to_thread(work) if events > LONG else work()


async def _stored(asked: Awaitable[Result]) -> Result:
    """What the store answers.

    Raises:
        ProblemError: unavailable.
    """
    try:
        return await asked
    except StoreUnavailableError:
        raise ProblemError("unavailable", Words("数据库暂时不可用", "the database is not available at the moment")) from None


class _Type(msgspec.Struct):
    type: str


_TYPE = msgspec.json.Decoder(_Type)
