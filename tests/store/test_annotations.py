"""Comments beside the log."""

import asyncio
from collections.abc import Callable
from uuid import uuid4

import pytest

from services.store.model import NewAnnotation, NewGame, NotFound
from services.store.opening import Store

pytestmark = pytest.mark.anyio


def note(text: str) -> NewAnnotation:
    return NewAnnotation(payload=text.encode(), author="丁")


async def test_comments_are_numbered_and_leave_the_version_alone(store: Store, new_game: Callable[..., NewGame]) -> None:
    given = new_game(2, annotations=(note("随牌谱来的"),))
    await store.games.create(given)
    added = await store.annotations.add(given.game_id, note("该等一等"))
    assert not isinstance(added, NotFound)
    assert (added.number, added.payload, added.author) == (1, "该等一等".encode(), "丁")
    assert [kept.number for kept in await store.annotations.of_game(given.game_id)] == [0, 1]
    game = await store.games.game(given.game_id)
    assert game is not None
    assert game.version == 2


async def test_a_removed_comment_is_gone_and_its_number_never_used_again(store: Store, new_game: Callable[..., NewGame]) -> None:
    given = new_game(2)
    await store.games.create(given)
    await store.annotations.add(given.game_id, note("a"))
    assert await store.annotations.remove(given.game_id, 0, "甲")
    assert not await store.annotations.remove(given.game_id, 0, "甲")
    assert not await store.annotations.remove(given.game_id, 5, "甲")
    assert await store.annotations.of_game(given.game_id) == []
    added = await store.annotations.add(given.game_id, note("b"))
    assert not isinstance(added, NotFound)
    assert added.number == 1


async def test_comments_written_at_once_get_numbers_of_their_own(store: Store, new_game: Callable[..., NewGame]) -> None:
    given = new_game(2)
    await store.games.create(given)
    await asyncio.gather(*(store.annotations.add(given.game_id, note(str(number))) for number in range(12)))
    kept = await store.annotations.of_game(given.game_id)
    assert [annotation.number for annotation in kept] == list(range(12))
    assert {annotation.payload for annotation in kept} == {str(number).encode() for number in range(12)}


async def test_no_comment_without_a_game(store: Store) -> None:
    assert await store.annotations.add(uuid4(), note("a")) == NotFound()
    assert await store.annotations.of_game(uuid4()) == []
    assert not await store.annotations.remove(uuid4(), 0, "甲")
