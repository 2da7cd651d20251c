"""Long work of the engine, in processes of its own: it must neither hold up those who ask for little nor go on for ever."""

import asyncio
import pickle
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from services.problems import ProblemError
from services.words import Words

LONG = 400
"""A log of so many events is long work."""

SECONDS = 20.0
"""So long one piece of work may take, and so long it may wait to be begun."""

WORKERS = 2
LENGTH = 8
"""Bytes before each message that say how long it is."""

Result = TypeVar("Result")


class Labour:
    """Processes that work, started when they are first needed.

    Work is a ``functools.partial`` of a function of some module, and its result a value that can be pickled. A program that serves nobody
    else needs none of this: with ``workers=0`` work is done in a thread and takes as long as it takes.
    """

    def __init__(self, workers: int = WORKERS, seconds: float = SECONDS) -> None:
        self._slots = None if workers == 0 else asyncio.Semaphore(workers)
        self._seconds = seconds
        self._idle: list[asyncio.subprocess.Process] = []

    async def do(self, work: Callable[[], Result]) -> Result:
        """The result of a piece of work. What it raises is raised here.

        Raises:
            ProblemError: laborious, if it takes too long, or if so much other work waits.
        """
        if self._slots is None:
            return await asyncio.to_thread(work)
        try:
            async with asyncio.timeout(self._seconds):
                await self._slots.acquire()
        except TimeoutError:
            raise self._too_long() from None
        try:
            return await self._done(work)
        finally:
            self._slots.release()

    async def beside(self, events: int, work: Callable[[], Result]) -> Result:
        """The result of work on a log of so many events, done here and now if that is not long.

        Raises:
            ProblemError: laborious.
        """
        return await self.do(work) if events > LONG else work()

    async def close(self) -> None:
        """Ends the processes that wait for work."""
        while self._idle:
            await _end(self._idle.pop())

    async def _done(self, work: Callable[[], Result]) -> Result:
        worker = self._idle.pop() if self._idle else await self._started()
        try:
            raised, result = await self._asked(worker, work)
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
            # It ended itself when its time was over.
            await _end(worker)
            raise self._too_long() from None
        except BaseException:
            await _end(worker)
            raise
        self._idle.append(worker)
        if raised:
            raise result
        return result

    async def _asked(self, worker: asyncio.subprocess.Process, work: Callable[[], Any]) -> tuple[bool, Any]:
        assert worker.stdin is not None
        assert worker.stdout is not None
        message = pickle.dumps(work)
        worker.stdin.write(len(message).to_bytes(LENGTH, "big") + message)
        async with asyncio.timeout(self._seconds + 5):
            await worker.stdin.drain()
            length = int.from_bytes(await worker.stdout.readexactly(LENGTH), "big")
            return pickle.loads(await worker.stdout.readexactly(length))

    async def _started(self) -> asyncio.subprocess.Process:
        # In a session of its own, so that a Ctrl-C is not meant for it; whatever it might say of an error could tell of hidden cards.
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "services.labourer",
            str(self._seconds),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )

    def _too_long(self) -> ProblemError:
        seconds = f"{self._seconds:g}"
        return ProblemError("laborious", Words(f"{seconds} 秒没有算完", f"it was not done within {seconds} seconds"))


async def _end(worker: asyncio.subprocess.Process) -> None:
    if worker.returncode is None:
        worker.kill()
    await worker.wait()
