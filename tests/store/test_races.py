"""Phones that write at once: one wins each version, nothing is lost or doubled."""

import asyncio
from collections.abc import Callable
from uuid import UUID

import pytest

from services.store.model import Append, Appended, NewGame, Stale
from services.store.opening import Store

pytestmark = pytest.mark.anyio

WRITERS = 8
ROUNDS = 50


async def test_one_writer_wins_each_version(store: Store, new_game: Callable[..., NewGame], append_of: Callable[..., Append]) -> None:
    given = new_game(1)
    await store.games.create(given)
    for version in range(1, ROUNDS + 1):
        outcomes = await asyncio.gather(
            *(store.games.append(append_of(given.game_id, version, f"{version} {writer}")) for writer in range(WRITERS))
        )
        assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 1
        winner = next(place for place, outcome in enumerate(outcomes) if isinstance(outcome, Appended))
        for outcome in outcomes:
            if isinstance(outcome, Stale):
                assert outcome.version == version + 1
                assert [f"{version} {winner}" in event.payload.decode() for event in outcome.events] == [True]
    report = await store.games.verify(given.game_id)
    assert report is not None
    assert (report.length, report.fault) == (ROUNDS + 1, None)


async def test_writers_that_retry_all_get_in_once(store: Store, new_game: Callable[..., NewGame], append_of: Callable[..., Append]) -> None:
    given = new_game(1)
    await store.games.create(given)

    async def write(writer: int) -> None:
        for number in range(6):
            version, key = 1, f"{writer} {number}"
            while True:
                # As on a bad connection each request is sent twice at once.
                append = append_of(given.game_id, version, key, key=key)
                outcomes = await asyncio.gather(store.games.append(append), store.games.append(append))
                stale = [outcome.version for outcome in outcomes if isinstance(outcome, Stale)]
                if len(stale) < 2:
                    break
                version = max(stale)

    await asyncio.gather(*(write(writer) for writer in range(WRITERS)))
    events = await store.games.events(given.game_id, 1)
    expected = sorted(f'{{"pai":"{writer} {number}","type":"出"}}' for writer in range(WRITERS) for number in range(6))
    assert sorted(event.payload.decode() for event in events) == expected
    report = await store.games.verify(given.game_id)
    assert report is not None
    assert report.fault is None


async def test_writers_of_different_games_never_conflict(
    store: Store, new_game: Callable[..., NewGame], append_of: Callable[..., Append]
) -> None:
    games = [new_game(1) for _ in range(WRITERS)]
    await store.games.create_many(games)

    async def write(game_id: UUID) -> None:
        for version in range(1, 40, 2):
            assert isinstance(await store.games.append(append_of(game_id, version, "一", "二")), Appended)

    await asyncio.gather(*(write(game.game_id) for game in games))
    for game in games:
        report = await store.games.verify(game.game_id)
        assert report is not None
        assert (report.length, report.fault) == (41, None)
