"""The append-only log of games: create, append, read, list, import, verify."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from psycopg import errors

from services.store import chain, wire
from services.store.bulk import copy_games
from services.store.chain_check import check_chain
from services.store.database import Connection, Database, all_rows, one_row
from services.store.group import Group
from services.store.listing import list_games, list_ids
from services.store.model import (
    AlreadyThere,
    Append,
    Appended,
    AppendOutcome,
    ChainReport,
    Created,
    Creation,
    GameFilter,
    GamePage,
    Lease,
    NewGame,
    NotFound,
    PlayerFigures,
    Replayed,
    RequestKey,
    RequestMismatch,
    Sharing,
    Stale,
    Standing,
    StillRunning,
    StoredEvent,
    StoredGame,
    StoreUnavailableError,
    Summary,
)
from services.store.standings import Standings
from services.store.statistics import figures
from services.store.summaries import SUMMARY_COLUMNS, SUMMARY_TYPES, SUMMARY_UPDATES, SUMMARY_VALUES, summary_parameters

IMPORT_SIZE = 500
"""How many games one transaction of an import holds."""

_APPEND = f"""
WITH moved AS (
    UPDATE game_head SET version = version + %(count)b, head_hash = %(head)b
    WHERE game_id = %(game_id)b AND version = %(expected)b AND head_hash = %(previous)b
    RETURNING version
), written AS (
    INSERT INTO event (game_id, seq, kind, kind_version, payload)
    SELECT %(game_id)b, %(expected)b + part.place::int - 1, part.kind, part.kind_version, part.payload
    FROM moved, unnest(%(kinds)b::text[], %(kind_versions)b::int[], %(payloads)b::bytea[])
        WITH ORDINALITY AS part (kind, kind_version, payload, place)
), queued AS (
    INSERT INTO feed_queue (game_id, first_seq, last_seq, head_hash)
    SELECT %(game_id)b, %(expected)b, version - 1, %(head)b FROM moved
), summed AS (
    INSERT INTO game_summary ({SUMMARY_COLUMNS})
    SELECT game_id, moved.version, game, owner, created_at, {SUMMARY_VALUES} FROM moved, game WHERE game.game_id = %(game_id)b
    ON CONFLICT (game_id) DO UPDATE SET {SUMMARY_UPDATES}
)
INSERT INTO batch (game_id, first_seq, last_seq, prev_hash, head_hash, recorder, request_id, request_digest, answer)
SELECT %(game_id)b, %(expected)b, version - 1, %(previous)b, %(head)b, %(recorder)b::text, %(request_id)b, %(request_digest)b, %(answer)b
FROM moved
RETURNING recorded_at
"""

_APPEND_TYPES = {
    "game_id": wire.UUID_TYPE,
    "expected": wire.INT,
    "count": wire.INT,
    "previous": wire.BYTEA,
    "head": wire.BYTEA,
    "kinds": wire.TEXTS,
    "kind_versions": wire.INTS,
    "payloads": wire.BYTEAS,
    "recorder": wire.TEXT,
    "request_id": wire.TEXT,
    "request_digest": wire.BYTEA,
    "answer": wire.BYTEA,
    **SUMMARY_TYPES,
}

_CREATE = f"""
WITH opened AS (
    INSERT INTO game (game_id, game, owner, rules, header)
    VALUES (%(game_id)b, %(game)b, %(owner)b, %(rules)b, %(header)b)
    RETURNING game_id, game, owner, created_at
), head AS (
    INSERT INTO game_head (game_id, version, head_hash) VALUES (%(game_id)b, %(count)b, %(head)b)
), written AS (
    INSERT INTO event (game_id, seq, kind, kind_version, payload)
    SELECT %(game_id)b, part.place::int - 1, part.kind, part.kind_version, part.payload
    FROM unnest(%(kinds)b::text[], %(kind_versions)b::int[], %(payloads)b::bytea[])
        WITH ORDINALITY AS part (kind, kind_version, payload, place)
), noted AS (
    INSERT INTO annotation (game_id, number, payload, author)
    SELECT %(game_id)b, part.place::int - 1, part.payload, part.author
    FROM unnest(%(notes)b::bytea[], %(authors)b::text[]) WITH ORDINALITY AS part (payload, author, place)
), queued AS (
    INSERT INTO feed_queue (game_id, first_seq, last_seq, head_hash) VALUES (%(game_id)b, 0, %(count)b - 1, %(head)b)
), summed AS (
    INSERT INTO game_summary ({SUMMARY_COLUMNS})
    SELECT game_id, %(count)b, game, owner, created_at, {SUMMARY_VALUES} FROM opened
)
INSERT INTO batch (game_id, first_seq, last_seq, prev_hash, head_hash, recorder, request_id, request_digest, answer)
VALUES (%(game_id)b, 0, %(count)b - 1, %(previous)b, %(head)b, %(recorder)b, %(request_id)b, %(request_digest)b, %(answer)b)
RETURNING recorded_at
"""

_PUT_SUMMARY = f"""
INSERT INTO game_summary ({SUMMARY_COLUMNS})
SELECT game_id, %(version)b, game, owner, created_at, {SUMMARY_VALUES} FROM game WHERE game_id = %(game_id)b
ON CONFLICT (game_id) DO UPDATE SET {SUMMARY_UPDATES} WHERE game_summary.version <= excluded.version
"""

_HEAD = "SELECT version, head_hash FROM game_head WHERE game_id = %(game_id)b"
_REQUEST = """
SELECT request_digest, last_seq + 1, answer FROM batch WHERE game_id = %(game_id)b AND request_id = %(request_id)b
"""
_FINISHED = """
SELECT DISTINCT ON (owner, digest) owner, digest, game_id, version
FROM game_summary JOIN unnest(%(owners)b::text[], %(digests)b::bytea[]) AS wanted (owner, digest) USING (owner, digest)
WHERE finished ORDER BY owner, digest, created_at, game_id
"""
_GAME = """
SELECT game.game_id, game, owner, rules, header, created_at, version, head_hash,
    coalesce(visibility, 'private'), share_digest, digest, holder, since, until
FROM game JOIN game_head ON game_head.game_id = game.game_id LEFT JOIN game_access ON game_access.game_id = game.game_id
    LEFT JOIN lease ON lease.game_id = game.game_id AND lease.until > clock_timestamp()
WHERE game.game_id = %(game_id)b
"""
_EVENTS = """
SELECT event.seq, event.kind, event.kind_version, event.payload, batch.recorded_at, batch.recorder
FROM event JOIN batch ON batch.game_id = event.game_id AND event.seq BETWEEN batch.first_seq AND batch.last_seq
WHERE event.game_id = %(game_id)b AND event.seq >= %(first)b AND event.seq < %(until)b
ORDER BY event.seq
"""
_PAYLOADS = """
SELECT payload FROM event WHERE game_id = %(game_id)b AND seq >= %(first)b AND seq < %(until)b ORDER BY seq
"""
_IDS = "SELECT game_id FROM game WHERE game_id > %(after)b ORDER BY game_id LIMIT %(limit)b"
_BATCHES = """
SELECT first_seq, last_seq, prev_hash, head_hash FROM batch WHERE game_id = %(game_id)b AND last_seq < %(until)b ORDER BY first_seq
"""
_FIRST_ID = UUID(int=0)
_MAX_SEQ = 2**31 - 1


def game_id_for(owner: str, request_id: str) -> UUID:
    """The id of the game that ``owner`` creates under an idempotency key: the same key leads to the same game, whoever races."""
    return _id_from(b"paipu/1 request", owner.encode(), request_id.encode())


class GameLog:
    """The log over a database. Every method is one transaction; nothing is remembered between calls."""

    def __init__(self, database: Database, standings: Standings | None = None) -> None:
        self._database = database
        self._standings = Standings(database) if standings is None else standings
        self._group = Group(database, _APPEND, _APPEND_TYPES)

    async def create(self, game: NewGame, *, deduplicate: bool = False) -> Creation:
        """Stores a new game with its first events.

        With a request, ``game.game_id`` must be ``game_id_for(owner, request.id)``. With ``deduplicate`` a finished game whose summary has
        the same digest and owner is answered instead (AlreadyThere), also when both arrive at the same moment; the stored game's id may
        then be another than ``game.game_id``: take it from the answer. Raises ValueError for no events, StoreUnavailableError.
        """
        if not game.events:
            raise ValueError("a game needs an event")
        async with self._database.connection() as connection:
            if game.request is not None:
                earlier = await _earlier(connection, game.game_id, game.request)
                if earlier is not None:
                    return earlier
            digest = _digest_of_finished(game) if deduplicate else None
            if digest is None:
                return await _create(connection, game)
            there = await _find_finished(connection, [(game.owner, digest)])
            if there:
                return there[game.owner, digest]
            if game.request is not None:
                return await _create(connection, game)
            outcome = await _create(connection, _with_id_of_record(game, digest))
            if isinstance(outcome, AlreadyThere):
                # Someone was faster with the same record; or the game of that id has grown since and is another record now.
                there = await _find_finished(connection, [(game.owner, digest)])
                outcome = there.get((game.owner, digest)) or await _create(connection, game)
            return outcome

    async def create_many(self, games: Sequence[NewGame], *, deduplicate: bool = False) -> list[Creation]:
        """Stores many games, ``IMPORT_SIZE`` a transaction, and answers one outcome a game in the same order.

        As with ``create``, a game with a request has the id that its request leads to."""
        outcomes: list[Creation] = []
        for start in range(0, len(games), IMPORT_SIZE):
            outcomes += await self._create_some(games[start : start + IMPORT_SIZE], deduplicate=deduplicate)
        return outcomes

    async def append(self, append: Append) -> AppendOutcome:
        """Writes events behind the expected version: all, durably, or none. One statement; of several racing writers one wins.

        A request that was carried out before is recognised whatever the version is now.
        Raises ValueError for no events, StoreUnavailableError.
        """
        if not append.events:
            raise ValueError("an append needs an event")
        with self._standings.changing(append.game_id.int) as change:
            outcome = await self._append(append)
            if isinstance(outcome, Appended) and change.before is not None:
                change.after = msgspec.structs.replace(change.before, version=outcome.version, head=outcome.head)
        return outcome

    async def _append(self, append: Append) -> AppendOutcome:
        previous = append.head
        if previous is None:
            async with self._database.connection() as connection:
                row = await one_row(connection, _HEAD, {"game_id": append.game_id})
                if row is None:
                    return NotFound()
                version, previous = row
                if version != append.expected:
                    return await _refusal(connection, append)
        head = chain.extend(previous, append.expected, append.events)
        parameters = {"game_id": append.game_id, "expected": append.expected, **_batch_parameters(append, previous, head)}
        written = await self._group.write(append.game_id.bytes, parameters)
        if isinstance(written, datetime):
            return Appended(version=append.expected + len(append.events), head=head, recorded_at=written)
        async with self._database.connection() as connection:
            if written is None:
                return await _refusal(connection, append)
            try:
                row = await one_row(connection, _APPEND, parameters)
            except errors.UniqueViolation as error:
                if error.diag.constraint_name != "batch_request":
                    raise
                row = None
            except errors.LockNotAvailable:
                return StillRunning()
            if row is None:
                return await _refusal(connection, append)
            return Appended(version=append.expected + len(append.events), head=head, recorded_at=row[0])

    async def put_summary(self, game_id: UUID, version: int, summary: Summary) -> None:
        """Replaces a game's summary, unless that of a later version is there already."""
        async with self._database.connection() as connection:
            await connection.execute(_PUT_SUMMARY, {"game_id": game_id, "version": version, **summary_parameters(summary)})

    async def find_request(self, game_id: UUID, request: RequestKey) -> Replayed | RequestMismatch | None:
        """What became of an earlier request of this key, or None: it was never carried out."""
        async with self._database.connection() as connection:
            return await _earlier(connection, game_id, request)

    async def find_finished(self, owner: str, digest: bytes) -> AlreadyThere | None:
        """The owner's oldest finished game with this digest."""
        async with self._database.connection() as connection:
            return (await _find_finished(connection, [(owner, digest)])).get((owner, digest))

    async def game(self, game_id: UUID) -> StoredGame | None:
        """A game's opening facts and head."""
        async with self._database.connection() as connection:
            return _stored_game(await one_row(connection, _GAME, {"game_id": game_id}))

    async def read(self, game_id: UUID) -> tuple[StoredGame, list[bytes]] | None:
        """A game and the payloads of all its events, of one version."""
        async with self._database.connection() as connection:
            game = _stored_game(await one_row(connection, _GAME, {"game_id": game_id}))
            if game is None:
                return None
            # Events are never changed, so those below the version make one picture whatever is appended meanwhile.
            return game, await _payloads(connection, game_id, 0, game.version)

    def known_standing(self, game_id: UUID) -> Standing | None:
        """How a game stands now, if that is known without asking."""
        return self._standings.known(game_id.int)

    async def standing(self, game_id: UUID) -> Standing | None:
        """How a game stands now; asked of many games at once, one statement answers, or none where nobody else can have changed it."""
        return await self._standings.ask(game_id.int)

    async def payloads(self, game_id: UUID, first: int, until: int) -> list[bytes]:
        """The payloads of the events from seq ``first`` on, below ``until``, in order."""
        async with self._database.connection() as connection:
            return await _payloads(connection, game_id, first, until)

    async def events(self, game_id: UUID, first: int = 0) -> list[StoredEvent]:
        """The events from seq ``first`` on, in order; empty where there is none."""
        async with self._database.connection() as connection:
            return await _events(connection, game_id, first)

    async def page(self, wanted: GameFilter, *, limit: int = 50, cursor: str | None = None) -> GamePage:
        """One page of the games that fit, the latest first. Raises ValueError for a cursor that no page gave."""
        async with self._database.connection() as connection:
            return await list_games(connection, wanted, limit=limit, cursor=cursor)

    async def ids(self, wanted: GameFilter, *, limit: int, after: UUID | None = None) -> list[UUID]:
        """The ids of games that fit, in order of id, behind ``after``."""
        async with self._database.connection() as connection:
            return await list_ids(connection, wanted, limit=limit, after=after)

    async def figures(self, wanted: GameFilter, *, limit: int) -> list[PlayerFigures]:
        """What players did in the hands that fit and have ended; of at most ``limit`` players and games, who sat at most hands first."""
        async with self._database.connection() as connection:
            return await figures(connection, wanted, limit=limit)

    async def game_ids(self, size: int = 1000) -> AsyncIterator[UUID]:
        """The ids of all games, in order of id, for work over the whole store."""
        after = _FIRST_ID
        while True:
            async with self._database.connection() as connection:
                rows = await all_rows(connection, _IDS, {"after": after, "limit": size})
            for (after,) in rows:
                yield after
            if len(rows) < size:
                return

    async def verify(self, game_id: UUID) -> ChainReport | None:
        """Recomputes a game's hash chain from the stored bytes and compares it with the ends of every append and the head.

        None: there is no such game.
        """
        async with self._database.connection() as connection:
            game = _stored_game(await one_row(connection, _GAME, {"game_id": game_id}))
            if game is None:
                return None
            events = await _events(connection, game_id, 0, game.version)
            batches = await all_rows(connection, _BATCHES, {"game_id": game_id, "until": game.version})
        return check_chain(game, events, batches)

    async def _create_some(self, games: Sequence[NewGame], *, deduplicate: bool) -> list[Creation]:
        if not all(game.events for game in games):
            raise ValueError("each game needs an event")
        digests = [_digest_of_finished(game) if deduplicate else None for game in games]
        outcomes: list[Creation | None] = [None] * len(games)
        async with self._database.connection() as connection:
            wanted = [(game.owner, digest) for game, digest in zip(games, digests, strict=True) if digest is not None]
            there = await _find_finished(connection, wanted)
            fresh: list[NewGame] = []
            for place, (game, digest) in enumerate(zip(games, digests, strict=True)):
                if digest is None:
                    fresh.append(game)
                    continue
                outcomes[place] = there.get((game.owner, digest))
                if outcomes[place] is None:
                    fresh.append(game if game.request is not None else _with_id_of_record(game, digest))
                    there[game.owner, digest] = AlreadyThere(game_id=fresh[-1].game_id, version=len(game.events))
            try:
                created = iter(await copy_games(connection, fresh))
            except errors.UniqueViolation:
                created = None  # an id is taken; nothing was written
        if created is None:
            return [await self.create(game, deduplicate=deduplicate) for game in games]
        return [outcome or next(created) for outcome in outcomes]


async def _create(connection: Connection, game: NewGame) -> Creation:
    start = chain.opening(game_id=game.game_id, game=game.game, rules=game.rules, header=game.header)
    head = chain.extend(start, 0, game.events)
    parameters = {
        "game_id": game.game_id,
        "game": game.game,
        "owner": game.owner,
        "rules": game.rules,
        "header": game.header,
        "notes": [note.payload for note in game.annotations],
        "authors": [note.author for note in game.annotations],
        **_batch_parameters(game, start, head),
    }
    try:
        await one_row(connection, _CREATE, parameters)
    except errors.UniqueViolation:
        pass  # whichever table says so first: the id is taken
    except errors.LockNotAvailable:
        return StillRunning()
    else:
        return Created(game_id=game.game_id, version=len(game.events), head=head)
    if game.request is not None:
        earlier = await _earlier(connection, game.game_id, game.request)
        if earlier is not None:
            return earlier
    row = await one_row(connection, _HEAD, {"game_id": game.game_id})
    if row is None:
        raise StoreUnavailableError(f"game {game.game_id} was refused as a duplicate and is not there")
    return AlreadyThere(game_id=game.game_id, version=row[0])


async def _refusal(connection: Connection, append: Append) -> Replayed | RequestMismatch | Stale | NotFound:
    """Why an append was not written."""
    if append.request is not None:
        earlier = await _earlier(connection, append.game_id, append.request)
        if earlier is not None:
            return earlier
    row = await one_row(connection, _HEAD, {"game_id": append.game_id})
    if row is None:
        return NotFound()
    version, head = row
    if version == append.expected and append.head not in (None, head):
        raise ValueError(f"the head given for version {version} of game {append.game_id} is not that of the log")
    return Stale(version=version, events=tuple(await _events(connection, append.game_id, append.expected, version)))


async def _earlier(connection: Connection, game_id: UUID, request: RequestKey) -> Replayed | RequestMismatch | None:
    row = await one_row(connection, _REQUEST, {"game_id": game_id, "request_id": request.id})
    if row is None:
        return None
    digest, version, answer = row
    return Replayed(game_id=game_id, version=version, answer=answer) if digest == request.digest else RequestMismatch()


async def _find_finished(connection: Connection, wanted: list[tuple[str, bytes]]) -> dict[tuple[str, bytes], AlreadyThere]:
    """Of (owner, digest) pairs those that are stored already, each with its oldest game."""
    if not wanted:
        return {}
    parameters = {"owners": [owner for owner, _ in wanted], "digests": [digest for _, digest in wanted]}
    rows = await all_rows(connection, _FINISHED, parameters)
    return {(owner, digest): AlreadyThere(game_id=game_id, version=version) for owner, digest, game_id, version in rows}


async def _events(connection: Connection, game_id: UUID, first: int, until: int = _MAX_SEQ) -> list[StoredEvent]:
    rows = await all_rows(connection, _EVENTS, {"game_id": game_id, "first": first, "until": until})
    return [
        StoredEvent(seq=seq, kind=kind, kind_version=version, payload=payload, recorded_at=recorded_at, recorder=recorder)
        for seq, kind, version, payload, recorded_at, recorder in rows
    ]


async def _payloads(connection: Connection, game_id: UUID, first: int, until: int) -> list[bytes]:
    rows = await all_rows(connection, _PAYLOADS, {"game_id": game_id, "first": first, "until": until})
    return [payload for (payload,) in rows]


def _batch_parameters(write: NewGame | Append, previous: bytes, head: bytes) -> dict[str, Any]:
    return {
        "count": len(write.events),
        "previous": previous,
        "head": head,
        "kinds": [event.kind for event in write.events],
        "kind_versions": [event.kind_version for event in write.events],
        "payloads": [event.payload for event in write.events],
        "recorder": write.recorder,
        "request_id": write.request and write.request.id,
        "request_digest": write.request and write.request.digest,
        "answer": write.answer,
        **summary_parameters(write.summary),
    }


def _digest_of_finished(game: NewGame) -> bytes | None:
    return game.summary.digest if game.summary.finished else None


def _with_id_of_record(game: NewGame, digest: bytes) -> NewGame:
    """Equal records of one owner get equal ids, so that of two that race one meets the other at the primary key."""
    return msgspec.structs.replace(game, game_id=_id_from(b"paipu/1 record", game.owner.encode(), digest))


def _id_from(*parts: bytes) -> UUID:
    digest = sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()
    return UUID(bytes=digest[:16], version=5)


def _stored_game(row: tuple[Any, ...] | None) -> StoredGame | None:
    if row is None:
        return None
    game_id, game, owner, rules, header, created_at, version, head, visibility, share_digest, lease_digest, holder, since, until = row
    return StoredGame(
        game_id=game_id,
        game=game,
        owner=owner,
        rules=rules,
        header=header,
        created_at=created_at,
        version=version,
        head=head,
        sharing=Sharing(visibility=visibility, share_digest=share_digest),
        lease=None if lease_digest is None else Lease(digest=lease_digest, holder=holder, since=since, until=until),
    )
