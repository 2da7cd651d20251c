"""Writes that come at the same moment are made durable together, and none suffers from another."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from services.store.model import Append, Appended, GameFilter, NewGame, StillRunning, Summary
from services.store.opening import Store

pytestmark = pytest.mark.anyio

GAMES = 6


@pytest.fixture
async def games(store: Store, new_game: Callable[..., NewGame]) -> list[UUID]:
    """Games of one event each."""
    made = [new_game(1) for _ in range(GAMES)]
    await store.games.create_many(made)
    return [game.game_id for game in made]


async def transactions(store: Store, version: int) -> int:
    """In how many transactions the events of a seq were written."""
    async with store.database.connection() as connection:
        row = await (await connection.execute("SELECT count(DISTINCT xmin::text) FROM event WHERE seq = %s", (version,))).fetchone()
    assert row is not None
    return row[0]


async def append_to_all(store: Store, games: list[UUID], append_of: Callable[..., Append], version: int) -> list[Any]:
    return await asyncio.gather(*(store.games.append(append_of(game, version, f"{version}")) for game in games))


async def test_what_comes_at_once_is_one_transaction(store: Store, games: list[UUID], append_of: Callable[..., Append]) -> None:
    outcomes = await append_to_all(store, games, append_of, 1)
    assert [outcome.version for outcome in outcomes] == [2] * GAMES
    assert await transactions(store, 1) < GAMES
    while await store.feed.advance():
        pass
    assert sorted(entry.game_id for entry in await store.feed.read() if entry.first_seq == 1) == sorted(games)
    for game in games:
        report = await store.games.verify(game)
        assert report is not None
        assert report.fault is None


async def test_a_game_that_somebody_else_writes_to_holds_up_no_other(
    store: Store, games: list[UUID], append_of: Callable[..., Append], database: Any
) -> None:
    held, *free = games
    with psycopg.connect(database.superuser) as connection:
        connection.execute("SELECT FROM paipu.game_head WHERE game_id = %s FOR UPDATE", (held,))
        waiting = asyncio.create_task(store.games.append(append_of(held, 1, "1")))
        async with asyncio.timeout(1.5):
            outcomes = await append_to_all(store, free, append_of, 1)
        assert all(isinstance(outcome, Appended) for outcome in outcomes)
        assert isinstance(await waiting, StillRunning)
    # What went wrong once is forgotten: they go together again.
    assert isinstance(await store.games.append(append_of(held, 1, "1")), Appended)
    await append_to_all(store, games, append_of, 2)
    assert await transactions(store, 2) < GAMES


async def test_a_write_that_cannot_be_done_takes_no_other_with_it(
    store: Store, games: list[UUID], append_of: Callable[..., Append]
) -> None:
    bad, *good = games
    unwritable = Summary(players=("甲\x00", "乙", "丙"), dealer=0)
    broken = Append(game_id=bad, expected=1, events=append_of(bad, 1, "1").events, recorder="phone", summary=unwritable)
    refused, *outcomes = await asyncio.gather(
        store.games.append(broken), *(store.games.append(append_of(game, 1, "1")) for game in good), return_exceptions=True
    )
    assert isinstance(refused, psycopg.DataError)
    assert all(isinstance(outcome, Appended) for outcome in outcomes)
    game = await store.games.game(bad)
    assert game is not None
    assert game.version == 1


async def test_every_kind_of_value_is_kept_as_it_was_given(store: Store, games: list[UUID], append_of: Callable[..., Append]) -> None:
    played_at = datetime(1999, 12, 31, 23, 59, 58, 123457, tzinfo=UTC)
    summary = Summary(
        players=("甲", '乙"', "丙\\"),
        dealer=2,
        title="周六晚 \u2028",
        played_at=played_at,
        finished=True,
        end="胡",
        winners=(0, 2),
        has_violations=True,
        text="文字",
        digest=b"\x00" * 32,
        over=True,
        sound=True,
        total_xi=10**30,
        mingtang=("全黑", "天胡"),
        net=(-(10**25), 0, 10**25),
    )
    given = append_of(games[0], 1, "1", "2", key="k")
    await store.games.append(
        Append(
            game_id=games[0], expected=1, events=given.events, recorder="手机", summary=summary, request=given.request, answer=b"\x01\x00"
        )
    )
    (listed,) = [game for game in (await store.games.page(GameFilter())).games if game.game_id == games[0]]
    assert listed.summary == summary
    events = await store.games.events(games[0], 1)
    assert [(event.payload, event.recorder) for event in events] == [(event.payload, "手机") for event in given.events]


async def test_a_writer_who_goes_away_leaves_a_whole_write_or_none(
    store: Store, games: list[UUID], append_of: Callable[..., Append]
) -> None:
    """Whenever he goes: it is known then which of the two it is."""
    for version in range(1, 30):
        writing = asyncio.create_task(store.games.append(append_of(games[0], version, "1")))
        for _ in range(version):
            await asyncio.sleep(0)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        game = await store.games.game(games[0])
        assert game is not None
        assert game.version == len(await store.games.events(games[0]))
        if game.version == version:
            assert isinstance(await store.games.append(append_of(games[0], version, "1")), Appended)
        await asyncio.sleep(0.01)
        assert len(await store.games.events(games[0])) == version + 1
