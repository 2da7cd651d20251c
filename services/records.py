"""The application service: everything that can be asked of Paipu, whichever face asks it. It knows no HTTP and no terminal."""

from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET

from engine.games import game_of
from engine.impact import impact_between
from engine.judge import check
from engine.log import effective_log
from engine.repair import repairs
from engine.replay import frame, frames, variation_frames
from engine.sensitivity import other_verdicts
from engine.view import Viewer, masked
from engine.witness import check_with_witnesses
from schemas.base import Game
from schemas.events import Ruling
from schemas.frame import Frame
from schemas.record import Annotation, Record
from schemas.verdict import Verdict
from schemas.verify import Verify
from services.access import Caller, audience_of, rights_of
from services.answers import (
    BatchLine,
    EventsAnswer,
    GameList,
    Imported,
    NoteAnswer,
    NoteRemoved,
    NotesAnswer,
    RepairsAnswer,
    Retry,
    RulingLine,
    Statistics,
    Wanted,
    Written,
)
from services.board import Board, board
from services.drafts import append_answer, game_answer, keyed, new_event, new_game
from services.formats.canonical import canonical
from services.formats.claims import Rules, read_rules
from services.formats.events import read_events
from services.formats.faults import Unreadable
from services.formats.media import Format
from services.formats.notes import read_note
from services.formats.reading import Reading
from services.formats.table import start_of
from services.labour import Labour
from services.modes import Admitted, Mode, admit
from services.problems import ProblemError, stored, unreadable
from services.pseudonyms import Pseudonyms
from services.refusals import (
    TOKEN_NEEDED,
    key_reused,
    no_event,
    no_note,
    no_variation,
    not_found,
    require,
    require_creator,
    require_lease,
    running,
)
from services.shelf import Shelf
from services.store.annotations import AnnotationLog
from services.store.log import GameLog, game_id_for
from services.store.matches import MatchLog
from services.store.model import (
    AlreadyThere,
    Append,
    Appended,
    Created,
    GameFilter,
    GamePage,
    NewAnnotation,
    NewGame,
    NotFound,
    RequestKey,
    RequestMismatch,
    Stale,
    StillRunning,
)
from services.summary import searchable, summarise
from services.telling import appended, created, event_answer, game_line, note_answer, player_line, refused_line
from services.viewing import StoredLog
from services.words import Language, Words

MAX_EVENTS = 10_000
"""So many events may a game have."""

MOST_FOLDED = 400_000
"""So many events are folded at most for positions as the table knew them."""

PROBES = 20
"""So many times about is a log judged to tell where its verdict hangs on a reading."""

REPAIRS = 5
MAX_REPAIRS = 50
"""Repairs that are offered: as many unless asked otherwise, and at most."""

PAGE = 50
MAX_PAGE = 500
"""Games on a page of the list: as many unless asked otherwise, and at most."""

Result = TypeVar("Result")


class Records:
    """All that is kept and all that is judged."""

    def __init__(self, games: GameLog, annotations: AnnotationLog, matches: MatchLog, labour: Labour | None = None) -> None:
        self._games = games
        self._annotations = annotations
        self._matches = matches
        self._shelf = Shelf(games, annotations)
        self.labour = Labour(workers=0) if labour is None else labour

    async def check(
        self,
        reading: Reading,
        *,
        language: Language,
        possible: bool = False,
        witness: bool = False,
        sensitivity: bool = False,
        rules: str | None = None,
    ) -> Verdict:
        """The verdict on a record that is not stored, by its own rules or by others. ``witness`` lists what is merely possible too, each
        with two complete deals; ``sensitivity`` what would be otherwise under another reading of one doubtful option.

        Raises:
            ProblemError: unreadable, too-large.
        """
        _limit(reading.written)
        try:
            record = reading.required()
        except Unreadable as unread:
            raise unreadable(unread) from None
        return await _judged(self.labour, record, language, rules, possible=possible, witness=witness, sensitivity=sensitivity)

    async def verify(self, claim: Verify, language: Language) -> Any:
        """The verdict on a claimed win without a log."""
        return await self.labour.beside(0, partial(game_of(claim).verify, claim, language))

    async def add(
        self, caller: Caller, reading: Reading, *, mode: Mode, language: Language, retry: Retry | None = None, again: bool = False
    ) -> Imported:
        """Stores a record, or opens a game with just its beginning.

        A finished hand that this caller has already is answered, not stored again, unless ``again``. ``retry`` recognises a request that
        comes twice.

        Raises:
            ProblemError: forbidden, unreadable, impossible, violation, too-large, key-reused, conflict, unavailable.
        """
        require_creator(caller)
        key = _request_key(retry)
        game_id = uuid4() if key is None else game_id_for(caller.name, key.id)
        if key is not None:
            earlier = await stored(self._games.find_request(game_id, key))
            if earlier is not None:
                return created(earlier, b"")
        admitted = await self._admit(reading, mode, language)
        new = new_game(caller, admitted, game_id)
        body = msgspec.json.encode(game_answer(game_id, admitted, mode, language))
        if key is not None:
            new = msgspec.structs.replace(new, request=key, answer=body)
        outcome = await stored(self._games.create(new, deduplicate=not again))
        if isinstance(outcome, Created | AlreadyThere) and outcome.game_id != game_id:
            body = msgspec.json.encode(game_answer(outcome.game_id, admitted, mode, language))
        return created(outcome, body)

    async def add_many(
        self,
        caller: Caller,
        readings: Iterable[Reading],
        *,
        mode: Mode,
        language: Language,
        again: bool = False,
        key: str | None = None,
    ) -> list[BatchLine]:
        """Stores many records, each committed or refused by itself; one answer a record, in order.

        With a ``key`` each record is known by it and by its line: sent again after a broken connection, what is stored already is
        answered, not stored again.

        Raises:
            ProblemError: forbidden, unavailable.
        """
        require_creator(caller)
        answers: list[BatchLine] = []
        games: list[tuple[int, NewGame]] = []
        for place, reading in enumerate(readings):
            line = reading.line or place + 1
            try:
                admitted = await self._admit(reading, mode, language)
            except ProblemError as refused:
                answers.append(refused_line(line, refused, language))
            else:
                games.append((place, keyed(caller, new_game(caller, admitted, uuid4()), key, line)))
                answers.append(BatchLine(line=line, status=201))
        outcomes = await stored(self._games.create_many([game for _, game in games], deduplicate=not again))
        for (place, _), outcome in zip(games, outcomes, strict=True):
            line = answers[place].line
            if isinstance(outcome, RequestMismatch | StillRunning):
                answers[place] = refused_line(line, key_reused() if isinstance(outcome, RequestMismatch) else running(), language)
            else:
                status = 200 if isinstance(outcome, AlreadyThere) else 201
                answers[place] = BatchLine(line=line, status=status, id=outcome.game_id)
        return answers

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
        lease: str | None = None,
    ) -> Written:
        """Writes events behind version ``expected``: all or none. Without ``expected`` (a dry run) the version of the moment is meant.

        ``lease`` is the secret of a lease that was taken on the game. A referee, who does not write hands down, may write 裁定 alone, and
        needs no lease.

        Raises:
            ProblemError: as ``open``; forbidden, stale, unreadable, impossible, violation, too-large, key-reused, conflict, unavailable.
        """
        log = await self.open(caller, game_id)
        require(log.rights.rule)
        key = _request_key(retry)
        if key is not None and not log.rights.write:
            # What a recorder was answered is not for a referee who hits upon his key.
            key = msgspec.structs.replace(key, id=f"{caller.name}\n{key.id}")
        if key is not None:
            earlier = await stored(self._games.find_request(game_id, key))
            if earlier is not None:
                return appended(earlier, b"")
        if not dry_run and log.rights.write:
            require_lease(log.game, lease)
        if expected is not None and expected != log.version:
            raise await self._stale(caller, game_id, expected)
        before = log.record()
        seats = len(start_of(before).players)
        try:
            events = read_events(data, form, _game(log), seats=seats, next_seq=log.version)
        except Unreadable as unread:
            raise unreadable(unread) from None
        _limit(log.version + len(events))
        require(log.rights.write or all(isinstance(event, Ruling) for event in events))
        record = msgspec.structs.replace(before, events=[*before.events, *events])
        # A referee rules on what he may see: neither the answer nor a refusal may tell him more.
        everything = log.rights.view == "full"
        judged_by: Mode = mode if everything else "keep"
        old = log.kept.verdicts.get(language)
        answered, verdict = await self.labour.beside(len(record.events), partial(append_answer, before, record, judged_by, language, old))
        seen = (before, record)
        if not everything:
            view = log.view()
            seen = (masked(before, view), masked(record, view))
            answered, _ = await self.labour.beside(len(record.events), partial(append_answer, *seen, mode, language))
        if dry_run:
            told = await self.labour.beside(len(record.events), partial(impact_between, *seen, lang=language))
            answered = msgspec.structs.replace(answered, impact=told)
        body = msgspec.json.encode(answered)
        if dry_run:
            return Written(version=answered.version, body=body, stored=False)
        payloads = [canonical(event) for event in events]
        outcome = await stored(
            self._games.append(
                Append(
                    game_id=game_id,
                    expected=log.version,
                    events=tuple(map(new_event, payloads)),
                    recorder=caller.name,
                    summary=summarise(record, verdict),
                    head=log.game.head,
                    request=key,
                    answer=body if key is not None else b"",
                )
            )
        )
        if isinstance(outcome, Stale):
            raise await self._stale(caller, game_id, log.version)
        if isinstance(outcome, Appended):
            self._shelf.put(game_id, log.kept.grown(payloads, outcome.head, record, language, verdict))
        return appended(outcome, body)

    async def open(self, caller: Caller, game_id: UUID) -> StoredLog:
        """A stored game, for somebody who may read it. What he may see of it is for the log to say.

        Raises:
            ProblemError: not-found where there is no such game or it is none of the caller's business; unauthorized for a stranger;
                unavailable.
        """
        found = await stored(self._shelf.take(game_id))
        if found is not None:
            game, kept = found
            in_match = caller.match_id is not None and caller.match_id in await stored(self._matches.of_game(game_id))
            rights = rights_of(caller, game, in_match=in_match)
            if rights.read:
                return StoredLog(game, kept, rights)
        if not caller.known:
            # A stranger must not learn which games there are.
            raise ProblemError("unauthorized", TOKEN_NEEDED)
        raise not_found(game_id)

    def at_hand(self, caller: Caller, game_id: UUID) -> StoredLog | None:
        """What ``open`` would answer, if that is known without asking; ``None`` where it has to be asked, or is refused."""
        found = None if caller.match_id is not None else self._shelf.at_hand(game_id)
        if found is None:
            return None
        game, kept = found
        rights = rights_of(caller, game, in_match=False)
        return StoredLog(game, kept, rights) if rights.read else None

    async def events(self, caller: Caller, game_id: UUID, first: int = 0, *, view: str | None = None) -> EventsAnswer:
        """The events as written and as the caller may see them, from a seq on.

        Raises:
            ProblemError: as ``open``; invalid or forbidden for the view.
        """
        log = await self.open(caller, game_id)
        return await self.events_of(log, first, log.view(view))

    async def events_of(self, log: StoredLog, first: int, view: Viewer) -> EventsAnswer:
        """The events of a log as a view shows them, from a seq on.

        Raises:
            ProblemError: unavailable.
        """
        written = [event for event in await stored(self._games.events(log.game.game_id, first)) if event.seq < log.version]
        shown = await self.labour.beside(log.weight(view), partial(log.payloads_seen, view))
        return EventsAnswer(version=log.version, events=[event_answer(event, shown[event.seq]) for event in written])

    async def record(
        self, caller: Caller, game_id: UUID, *, view: str | None = None, pseudonyms: Pseudonyms | None = None
    ) -> tuple[StoredLog, Record]:
        """A stored game, and its record as the caller may see it, under other names if ``pseudonyms`` are given.

        Raises:
            ProblemError: as ``open``; invalid or forbidden for the view.
        """
        log = await self.open(caller, game_id)
        who = log.view(view)
        seen = await self.labour.beside(log.weight(who), partial(log.seen, who))
        return log, seen if pseudonyms is None else pseudonyms.record(seen)

    async def frame(
        self, caller: Caller, game_id: UUID, seq: int, *, view: str | None, version: int | None, language: Language, hindsight: bool = True
    ) -> Frame:
        """The position behind one event, as it is known now or, without ``hindsight``, as the table knew it then.

        Raises:
            ProblemError: as ``open``; not-found for a seq or a version that is not there; invalid or forbidden for the view.
        """
        record, who = await self._pinned(caller, game_id, version, view)
        if seq >= len(record.events):
            raise no_event(seq)
        return await self.labour.beside(len(record.events), partial(frame, record, seq, view=who, lang=language, hindsight=hindsight))

    async def board(
        self, caller: Caller, game_id: UUID, seq: int | None, *, view: str | None = None, language: Language
    ) -> tuple[StoredLog, Board]:
        """A stored game, and one position of it with everything that is said about it; without ``seq`` the last.

        Raises:
            ProblemError: as ``open``; not-found for the seq; invalid or forbidden for the view.
        """
        log = await self.open(caller, game_id)
        who = log.view(view)
        if seq is not None and seq >= log.version:
            raise no_event(seq)
        return log, await self.labour.beside(log.version, partial(board, log.record(), seq, view=who, language=language))

    async def frames(
        self,
        caller: Caller,
        game_id: UUID,
        *,
        first: int,
        last: int | None,
        view: str | None,
        version: int | None,
        language: Language,
        most: int,
        hindsight: bool = True,
    ) -> list[Frame]:
        """The positions behind the effective events of a range of seqs, ends included, in effective order; ``most`` seqs at once, of a long
        log fewer where each is told without ``hindsight``.

        Raises:
            ProblemError: as ``open``; not-found for the version; invalid or forbidden for the view.
        """
        record, who = await self._pinned(caller, game_id, version, view)
        if not hindsight:
            most = max(1, min(most, MOST_FOLDED // len(record.events)))
        end = min(len(record.events) - 1 if last is None else last, first + most - 1)
        weight = len(record.events) if hindsight else len(record.events) * (end - first + 1)
        return await self.labour.beside(
            weight, partial(frames, record, first=first, last=end, view=who, lang=language, hindsight=hindsight)
        )

    async def variation(
        self, caller: Caller, game_id: UUID, number: int, *, view: str | None, language: Language, most: int
    ) -> list[Frame]:
        """The positions behind the first ``most`` events of the variation that an annotation tells of.

        Raises:
            ProblemError: as ``open``; not-found where the caller may read no such annotation, or it has no variation; too-large; invalid or
                forbidden for the view.
        """
        log = await self.open(caller, game_id)
        who = log.view(view)
        readable = await self.labour.beside(log.version, partial(log.notes_seen, caller.name))
        if all(note.number != number for note in readable):
            raise no_note(number)
        record = log.record()
        place = next(place for place, note in enumerate(log.notes) if note.number == number)
        note = None if record.annotations is UNSET else record.annotations[place]
        if note is None or note.line is UNSET or note.seq < 2:
            raise no_variation(number)
        line = note.line[:most]
        _limit(log.version + len(line))
        return await self.labour.beside(log.version + len(line), partial(variation_frames, record, note.seq, line, view=who, lang=language))

    async def repairs(
        self, caller: Caller, game_id: UUID, *, language: Language, limit: int = REPAIRS, view: str | None = None
    ) -> RepairsAnswer:
        """How a stored game could be mended where it cannot have happened, as far as the caller may see it. Nothing is stored.

        Raises:
            ProblemError: as ``open``; invalid or forbidden for the view.
        """
        log, record = await self.record(caller, game_id, view=view)
        found = await self.labour.do(partial(repairs, record, limit=min(limit, MAX_REPAIRS), lang=language))
        return RepairsAnswer(version=log.version, repairs=found)

    async def verdict(
        self,
        caller: Caller,
        game_id: UUID,
        *,
        language: Language,
        possible: bool = False,
        witness: bool = False,
        sensitivity: bool = False,
        rules: str | None = None,
        view: str | None = None,
    ) -> Verdict:
        """The verdict on a stored game as the caller may see it, by its own rules or by others.

        Raises:
            ProblemError: as ``open``; unreadable for the rules; invalid or forbidden for the view.
        """
        _, record = await self.record(caller, game_id, view=view)
        return await _judged(self.labour, record, language, rules, possible=possible, witness=witness, sensitivity=sensitivity)

    async def rulings(self, caller: Caller, game_id: UUID) -> list[RulingLine]:
        """The rulings on a stored game, with who made them and when; those that were taken back too.

        Raises:
            ProblemError: as ``open``.
        """
        log, record = await self.record(caller, game_id)
        written = await stored(self._games.events(game_id))
        effective = frozenset(effective_log(record.events).seqs)
        return [
            RulingLine(
                seq=place.seq,
                on=event.seq,
                rule=event.rule,
                decision=event.decision,
                note=event.note,
                author=place.recorder,
                recorded_at=place.recorded_at,
                effective=place.seq in effective,
            )
            for event, place in zip(record.events, written[: log.version], strict=True)
            if isinstance(event, Ruling)
        ]

    async def games(self, caller: Caller, wanted: Wanted, *, limit: int = PAGE, cursor: str | None = None) -> GameList:
        """A page of the games that fit and that the caller may read. Of a hand that is on it tells only what he may see.

        Raises:
            ProblemError: invalid for a cursor that no page gave, unavailable.
        """
        page = await stored(self._page(filter_of(caller, wanted), min(max(limit, 1), MAX_PAGE), cursor))
        return GameList(games=[game_line(game) for game in page.games], next=page.next)

    async def ids(self, caller: Caller, wanted: Wanted, *, limit: int, after: UUID | None = None) -> list[UUID]:
        """The ids, in their order, of games that fit and that the caller may read, behind ``after``.

        Raises:
            ProblemError: unavailable.
        """
        return await stored(self._games.ids(filter_of(caller, wanted), limit=limit, after=after))

    async def readable(self, caller: Caller, games: set[UUID]) -> frozenset[UUID]:
        """Those of some games that the caller may read.

        Raises:
            ProblemError: unavailable.
        """
        wanted = GameFilter(audience=audience_of(caller), among=list(games))
        return frozenset(await stored(self._games.ids(wanted, limit=len(games))) if games else ())

    async def statistics(self, caller: Caller, wanted: Wanted) -> Statistics:
        """What players did in the hands that fit, have ended, and may be read by the caller.

        Raises:
            ProblemError: unavailable.
        """
        found = await stored(self._games.figures(filter_of(caller, wanted), limit=MAX_PAGE))
        return Statistics(players=[player_line(figures) for figures in found])

    async def is_empty(self) -> bool:
        """Whether no game is stored."""
        return not await stored(self._games.ids(GameFilter(), limit=1))

    async def every(self) -> AsyncIterator[UUID]:
        """The ids of all games."""
        async for game_id in self._games.game_ids():
            yield game_id

    async def notes(self, caller: Caller, game_id: UUID) -> NotesAnswer:
        """The annotations of a game that the caller may read, and what is left of those that were taken away.

        Raises:
            ProblemError: as ``open``.
        """
        log = await self.open(caller, game_id)
        removed = await stored(self._annotations.removed(game_id))
        return NotesAnswer(
            annotations=[note_answer(note) for note in await self.labour.beside(log.version, partial(log.notes_seen, caller.name))],
            removed=[NoteRemoved(n=gone.number, removed_by=gone.removed_by, removed_at=gone.removed_at) for gone in removed],
        )

    async def annotate(self, caller: Caller, game_id: UUID, data: bytes, form: Format | None) -> NoteAnswer:
        """Adds an annotation; the version of the game stays.

        Raises:
            ProblemError: as ``open``; forbidden, unreadable.
        """
        log = await self.open(caller, game_id)
        require(log.rights.annotate)
        try:
            note: Annotation = read_note(data, form, log.record())
        except Unreadable as unread:
            raise unreadable(unread) from None
        added = await stored(self._annotations.add(game_id, NewAnnotation(payload=canonical(note), author=caller.name)))
        if isinstance(added, NotFound):
            raise not_found(game_id)
        return note_answer(added)

    async def remove_note(self, caller: Caller, game_id: UUID, number: int) -> None:
        """Takes an annotation away: its author may, and who decides about the game. Its number is never used again.

        Raises:
            ProblemError: as ``open``; not-found, forbidden.
        """
        log = await self.open(caller, game_id)
        require(log.rights.annotate)
        readable = log.notes if log.rights.manage else await self.labour.beside(log.version, partial(log.notes_seen, caller.name))
        note = next((note for note in readable if note.number == number), None)
        if note is None:
            raise no_note(number)
        require(log.rights.manage or note.author == caller.name)
        if not await stored(self._annotations.remove(game_id, number, caller.name)):
            raise no_note(number)

    async def _admit(self, reading: Reading, mode: Mode, language: Language) -> Admitted:
        _limit(reading.written)
        return await self.labour.beside(reading.written, partial(admit, reading, mode, language))

    async def _pinned(self, caller: Caller, game_id: UUID, version: int | None, view: str | None) -> tuple[Record, Viewer]:
        """The record at a version, and the view in which it may be shown: for that the hand as it stands now counts."""
        log = await self.open(caller, game_id)
        who = log.view(view)
        if version is not None and not 1 <= version <= log.version:
            raise ProblemError("not-found", Words(f"没有版本 {version}", f"there is no version {version}"))
        if version is None:
            return log.record(), who
        return await self.labour.beside(log.weight(who), partial(log.seen, who, version)), who

    async def _stale(self, caller: Caller, game_id: UUID, expected: int) -> ProblemError:
        log = await self.open(caller, game_id)
        missed = await self.events_of(log, min(expected, log.version), log.view())
        detail = Words(f"现在是版本 {missed.version}", f"the game is at version {missed.version} now")
        return ProblemError("stale", detail, more={"version": missed.version, "events": missed.events})

    async def _page(self, wanted: GameFilter, limit: int, cursor: str | None) -> GamePage:
        try:
            return await self._games.page(wanted, limit=limit, cursor=cursor)
        except ValueError:
            raise ProblemError("invalid", Words("cursor 不是本服务给出的", "the cursor is none that a page gave")) from None


async def _judged(
    labour: Labour, record: Record, language: Language, rules: str | None, *, possible: bool, witness: bool, sensitivity: bool
) -> Verdict:
    named = None if rules is None else _rules(rules, game_of(record).name)
    events = len(record.events)
    if witness:
        verdict = await labour.do(partial(check_with_witnesses, record, lang=language, rules=named))
    else:
        verdict = await labour.beside(events, partial(check, record, lang=language, possible=possible, rules=named))
    if not sensitivity:
        return verdict
    others = await labour.beside(events * PROBES, partial(other_verdicts, record, rules=named))
    return msgspec.structs.replace(verdict, sensitivity=others)


def _limit(events: int) -> None:
    if events > MAX_EVENTS:
        detail = Words(f"一盘至多 {MAX_EVENTS} 个事件，这里有 {events} 个", f"a game has at most {MAX_EVENTS} events, this one {events}")
        raise ProblemError("too-large", detail)


def _rules(text: str, game: str) -> Rules:
    try:
        return read_rules(text.encode(errors="surrogatepass"), game)
    except Unreadable as unread:
        raise unreadable(unread) from None


def _game(log: StoredLog) -> Game:
    return msgspec.convert(log.game.game, Game)


def filter_of(caller: Caller, wanted: Wanted) -> GameFilter:
    """What is wanted, of what a caller may read.

    Raises:
        ProblemError: invalid, for a word that no game can hold.
    """
    return GameFilter(
        audience=audience_of(caller),
        match_id=wanted.match,
        game=wanted.game,
        player=_text("player", wanted.player),
        winner=_text("winner", wanted.winner),
        since=wanted.since,
        until=wanted.until,
        has_violations=wanted.has_violations,
        text=_text("text", wanted.text),
    )


def _text(name: str, asked: str | None) -> str | None:
    if asked is not None and searchable(asked) != asked:
        raise ProblemError(
            "invalid", Words(f"{name} 里有不能查找的字符（NUL）", f"{name} holds a character that cannot be looked for (NUL)")
        )
    return asked


def _request_key(retry: Retry | None) -> RequestKey | None:
    return None if retry is None else RequestKey(id=retry.key, digest=retry.digest)
