"""Sittings of many hands."""

import asyncio
from uuid import uuid4

import pytest

from services.store.model import NotFound
from services.store.opening import Store

pytestmark = pytest.mark.anyio


async def test_a_match_keeps_its_games_in_order_of_play(store: Store) -> None:
    first, second, third = uuid4(), uuid4(), uuid4()
    match = await store.matches.create(match_id=uuid4(), owner="owner", header=b"{}", games=(second, first))
    assert await store.matches.add(match.match_id, third) == 2
    assert await store.matches.add(match.match_id, first) == 1
    stored = await store.matches.read(match.match_id)
    assert stored is not None
    assert stored.games == (second, first, third)
    assert await store.matches.of_game(first) == [match.match_id]
    assert await store.matches.create(match_id=match.match_id, owner="x", header=b"x") == stored


async def test_games_added_at_once_all_find_a_place(store: Store) -> None:
    match = await store.matches.create(match_id=uuid4(), owner="owner", header=b"{}")
    games = [uuid4() for _ in range(10)]
    positions = await asyncio.gather(*(store.matches.add(match.match_id, game_id) for game_id in games))
    assert sorted(position for position in positions if not isinstance(position, NotFound)) == list(range(10))
    stored = await store.matches.read(match.match_id)
    assert stored is not None
    assert [games[positions.index(position)] for position in range(10)] == list(stored.games)


async def test_matches_are_listed_and_missing_ones_missed(store: Store) -> None:
    one = await store.matches.create(match_id=uuid4(), owner="甲", header=b"{}")
    two = await store.matches.create(match_id=uuid4(), owner="乙", header=b"{}")
    assert await store.matches.latest() == [two, one]
    assert await store.matches.latest(owner="甲") == [one]
    assert await store.matches.read(uuid4()) is None
    assert await store.matches.add(uuid4(), uuid4()) == NotFound()
    game = uuid4()
    with pytest.raises(ValueError, match="twice"):
        await store.matches.create(match_id=uuid4(), owner="甲", header=b"{}", games=(game, game))
