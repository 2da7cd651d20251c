"""The global order skips nothing, whoever commits late."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from services.store.database import Connection, Database, configure
from services.store.feed import sequence
from services.store.log import GameLog
from services.store.model import Append, Appended, FeedEntry, NewGame
from services.store.opening import Store

pytestmark = pytest.mark.anyio


class OneConnection(Database):
    """A database that is one connection of the test's, so that the test decides when it commits."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        yield self._connection


@asynccontextmanager
async def held(conninfo: str) -> AsyncGenerator[Connection]:
    """A connection as the service's, with a transaction that stays open until the test commits it."""
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        await configure(connection, lock_timeout=2, statement_timeout=10)
        await connection.set_autocommit(False)
        yield connection


async def publish(store: Store) -> None:
    while await store.feed.advance():
        pass


async def test_a_late_commit_is_not_skipped_where_a_naive_reader_skips_it(
    store: Store, database: Any, new_game: Callable[..., NewGame]
) -> None:
    with psycopg.connect(database.superuser, autocommit=True) as superuser:
        superuser.execute("CREATE TABLE paipu.naive (id bigserial PRIMARY KEY, game_id uuid)")
        superuser.execute("GRANT ALL ON paipu.naive, paipu.naive_id_seq TO paipu_service")
    slow, quick = new_game(1), new_game(1)
    naively_seen: list[UUID] = []
    naive_position = 0

    async def read_naively() -> None:
        nonlocal naive_position
        async with store.database.connection() as connection:
            cursor = await connection.execute("SELECT id, game_id FROM naive WHERE id > %s ORDER BY id", (naive_position,))
            async for position, game_id in cursor:
                naively_seen.append(game_id)
                naive_position = position

    seen: list[FeedEntry] = []

    async def read() -> None:
        await publish(store)
        seen.extend(await store.feed.read(seen[-1].position if seen else 0))

    async with held(database.service) as connection:
        # When one writer is late with its commit and another, who began later, is not,
        await connection.execute("INSERT INTO naive (game_id) VALUES (%s)", (slow.game_id,))
        await GameLog(OneConnection(connection)).create(slow)
        async with store.database.connection() as other:
            await other.execute("INSERT INTO naive (game_id) VALUES (%s)", (quick.game_id,))
        await store.games.create(quick)
        await read_naively()
        await read()
        await connection.commit()
    await read_naively()
    await read()
    # then a reader of a sequence has missed an event for ever, and the feed's reader none.
    assert naively_seen == [quick.game_id]
    assert [(entry.position, entry.game_id) for entry in seen] == [(1, quick.game_id), (2, slow.game_id)]


async def test_a_reader_beside_many_writers_sees_every_append_once_and_in_order(
    store: Store, database: Any, new_game: Callable[..., NewGame], append_of: Callable[..., Append]
) -> None:
    chance = random.Random(7)
    games = [new_game(1) for _ in range(8)]
    await store.games.create_many(games)
    appends = 12
    seen: list[FeedEntry] = []

    async def write(game_id: UUID) -> None:
        async with held(database.service) as connection:
            log = GameLog(OneConnection(connection))
            for version in range(1, appends + 1):
                assert isinstance(await log.append(append_of(game_id, version, "一")), Appended)
                await asyncio.sleep(chance.random() * 0.02)
                await connection.commit()

    async def follow() -> None:
        async for entry in store.feed.follow():
            seen.append(entry)
            if len(seen) == len(games) * (appends + 1):
                return

    sequencers = [asyncio.create_task(sequence(store.feed, 0.005)) for _ in range(2)]
    try:
        async with asyncio.timeout(60):
            await asyncio.gather(follow(), *(write(game.game_id) for game in games))
    finally:
        for sequencer in sequencers:
            sequencer.cancel()
        await asyncio.gather(*sequencers, return_exceptions=True)
    assert [entry.position for entry in seen] == list(range(1, len(seen) + 1))
    for game in games:
        assert [entry.first_seq for entry in seen if entry.game_id == game.game_id] == list(range(appends + 1))
    report = await store.feed.verify()
    assert (report.length, report.fault) == (len(seen), None)


async def test_a_small_turn_takes_the_oldest_and_never_a_games_later_append_first(
    store: Store, database: Any, new_game: Callable[..., NewGame], append_of: Callable[..., Append]
) -> None:
    one, other = new_game(1), new_game(1)
    for game in (one, other):
        await store.games.create(game)
    await store.games.append(append_of(one.game_id, 1, "二"))
    with psycopg.connect(database.superuser, autocommit=True) as superuser:
        # As if the clock had been set back between the two appends.
        superuser.execute("UPDATE paipu.feed_queue SET queued_at = queued_at - interval '1 hour' WHERE first_seq = 1")
    assert await store.feed.advance(limit=1) == 2
    assert await store.feed.advance(limit=1) == 1
    assert await store.feed.advance(limit=1) == 0
    entries = await store.feed.read()
    assert [(entry.game_id, entry.first_seq) for entry in entries] == [(one.game_id, 0), (one.game_id, 1), (other.game_id, 0)]
    assert await store.feed.read(after=1, limit=1) == entries[1:2]


TAMPERING: list[tuple[LiteralString, int]] = [
    ("DELETE FROM paipu.feed WHERE position = 2", 2),
    ("DELETE FROM paipu.feed WHERE position = 4", 4),
    ("UPDATE paipu.feed SET head_hash = 'x' WHERE position = 3", 3),
    ("UPDATE paipu.feed SET last_seq = 7 WHERE position = 1", 1),
    ("DELETE FROM paipu.batch WHERE game_id = (SELECT game_id FROM paipu.feed WHERE position = 3)", 3),
    (
        "DELETE FROM paipu.feed WHERE position = 4;"
        "UPDATE paipu.feed_head SET position = 3, hash = (SELECT hash FROM paipu.feed WHERE position = 3)",
        4,
    ),
    ("UPDATE paipu.feed_head SET hash = 'x'", 4),
]


@pytest.mark.parametrize(("statement", "where"), TAMPERING)
async def test_what_is_taken_away_is_noticed(
    store: Store, database: Any, new_game: Callable[..., NewGame], statement: LiteralString, where: int
) -> None:
    for _ in range(4):
        await store.games.create(new_game(1))
        await publish(store)
    checkpoint = await store.feed.head()
    assert (await store.feed.verify(checkpoint)).fault is None
    with psycopg.connect(database.superuser, autocommit=True) as connection:
        for table in ("feed", "batch"):
            connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER append_only").format(sql.Identifier("paipu", table)))
        connection.execute(statement)
    for size in (1, 2, 1000):
        fault = (await store.feed.verify(checkpoint, size)).fault
        assert fault is not None
        assert fault[0] == where


async def test_an_empty_feed_is_sound(store: Store) -> None:
    assert await store.feed.advance() == 0
    assert await store.feed.read() == []
    report = await store.feed.verify(await store.feed.head())
    assert (report.length, report.fault) == (0, None)


async def test_the_sequencer_survives_a_database_that_fails(
    store: Store, database: Any, new_game: Callable[..., NewGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.store.feed.POLL_SECONDS", 0.01)
    await store.games.create(new_game(1))
    failures = iter([psycopg.errors.DiskFull("no space"), psycopg.errors.DeadlockDetected("deadlock")])
    advance = store.feed.advance

    async def failing(*, limit: int = 1000) -> int:
        if (failure := next(failures, None)) is not None:
            raise failure
        return await advance(limit=limit)

    monkeypatch.setattr(store.feed, "advance", failing)
    sequencer = asyncio.create_task(sequence(store.feed, 0.005))
    try:
        async with asyncio.timeout(20):
            while not await store.feed.read():
                await asyncio.sleep(0.01)
    finally:
        sequencer.cancel()
        await asyncio.gather(sequencer, return_exceptions=True)


@pytest.mark.parametrize("failure", [psycopg.OperationalError, psycopg.ProgrammingError])
async def test_a_sequencer_ends_even_where_its_statement_fails_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch, failure: type[psycopg.Error]
) -> None:
    async def failing(*_: Any) -> int:
        try:
            return await asyncio.sleep(60, 0)
        except asyncio.CancelledError as error:
            raise failure("the connection broke while it was given up") from error

    monkeypatch.setattr(store.feed, "advance", failing)
    sequencer = asyncio.create_task(sequence(store.feed))
    await asyncio.sleep(0.01)
    sequencer.cancel()
    done, _ = await asyncio.wait([sequencer], timeout=5)
    assert done
    assert sequencer.cancelled()


async def test_a_statement_that_fails_while_its_task_ends_is_no_lost_database(store: Store) -> None:
    async def use() -> None:
        async with store.database.connection():
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError as error:
                raise psycopg.OperationalError("the connection broke while it was given up") from error

    user = asyncio.create_task(use())
    await asyncio.sleep(0.05)
    user.cancel()
    await asyncio.wait([user], timeout=5)
    assert user.cancelled()


async def test_a_cancellation_that_comes_together_with_a_connection_is_not_lost(database: Any) -> None:
    narrow = Database(database.service, size=1, pool_timeout=5, lock_timeout=2, statement_timeout=10)
    await narrow.open()
    reached: list[str] = []

    async def use() -> None:
        async with narrow.connection():
            reached.append("a statement")

    try:
        for turns in range(12):
            async with narrow.connection():
                user = asyncio.create_task(use())
                await asyncio.sleep(0.01)
            # The connection has just been given back: it comes to the user some turns of the loop later.
            for _ in range(turns):
                await asyncio.sleep(0)
            if user.done():
                continue
            reached.clear()
            user.cancel()
            await asyncio.wait([user], timeout=5)
            assert user.cancelled(), turns
            assert reached == []
    finally:
        await narrow.close()
