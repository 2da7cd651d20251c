"""Look-ups that are asked at the same moment, answered by one statement."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class Together(Generic[Key, Found]):
    """Finds things by their keys with ``find``, which is given many keys and answers what there is of them.

    One statement runs at a time. Whoever asks meanwhile is answered by the next: never by one that began before he asked, so that what he
    is told is not older than his question.
    """

    def __init__(self, find: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Found]]]) -> None:
        self._find = find
        self._waiting: list[tuple[Key, asyncio.Future[Found | None]]] = []
        self._running: asyncio.Task[None] | None = None

    async def ask(self, key: Key) -> Found | None:
        """What there is under a key. Raises whatever ``find`` raises."""
        answer: asyncio.Future[Found | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, answer))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await answer

    async def _run(self) -> None:
        asked: list[tuple[Key, asyncio.Future[Found | None]]] = []
        try:
            while self._waiting:
                asked, self._waiting = self._waiting, []
                try:
                    found = await self._find(list({key for key, _ in asked}))
                except Exception as error:
                    for _, answer in asked:
                        if not answer.done():
                            answer.set_exception(error)
                else:
                    for key, answer in asked:
                        if not answer.done():
                            answer.set_result(found.get(key))
        finally:
            self._running = None
            # Left over only where the program ends in the middle of a statement.
            for _, answer in (*asked, *self._waiting):
                answer.cancel()
            self._waiting = []
