"""Look-ups that are asked at the same moment go in one statement, and none is answered by one that began before it was asked."""

import asyncio
from collections.abc import Sequence

import pytest

from services.store.model import StoreUnavailableError
from services.store.together import Together

pytestmark = pytest.mark.anyio


class Shelves:
    """Something to look in, which counts how often it was looked in, and lets the test go on while it looks."""

    def __init__(self) -> None:
        self.there = {"a": 1, "b": 2}
        self.asked: list[list[str]] = []
        self.open = asyncio.Event()
        self.open.set()

    async def find(self, keys: Sequence[str]) -> dict[str, int]:
        self.asked.append(sorted(keys))
        found = {key: self.there[key] for key in keys if key in self.there}
        await self.open.wait()
        return found


async def test_what_is_asked_at_once_is_one_statement() -> None:
    shelves = Shelves()
    together = Together(shelves.find)
    assert await asyncio.gather(*map(together.ask, "aabc")) == [1, 1, 2, None]
    assert shelves.asked == [["a", "b", "c"]]


async def test_who_asks_while_a_statement_runs_is_answered_by_the_next() -> None:
    shelves = Shelves()
    together = Together(shelves.find)
    shelves.open.clear()
    first = asyncio.create_task(together.ask("a"))
    while not shelves.asked:
        await asyncio.sleep(0)
    shelves.there["a"] = 5
    second = asyncio.create_task(together.ask("a"))
    await asyncio.sleep(0)
    shelves.open.set()
    assert (await first, await second) == (1, 5)


async def test_one_who_goes_away_takes_nothing_from_the_others() -> None:
    shelves = Shelves()
    together = Together(shelves.find)
    shelves.open.clear()
    gone, waiting = asyncio.create_task(together.ask("a")), asyncio.create_task(together.ask("a"))
    await asyncio.sleep(0)
    gone.cancel()
    shelves.open.set()
    assert await waiting == 1


async def test_a_failure_meets_all_who_asked_and_nobody_behind_them() -> None:
    fails = True

    async def find(keys: Sequence[str]) -> dict[str, int]:
        if fails:
            raise StoreUnavailableError("gone")
        return dict.fromkeys(keys, 3)

    together = Together(find)
    refused = await asyncio.gather(together.ask("a"), together.ask("b"), return_exceptions=True)
    assert [type(error) for error in refused] == [StoreUnavailableError] * 2
    fails = False
    assert await together.ask("a") == 3
