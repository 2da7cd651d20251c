"""Whether this program is the only one at its database. While it is, what it has read stays true until it writes itself."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from weakref import WeakSet

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from services.store.model import StoreUnavailableError

Connection = AsyncConnection[TupleRow]

APPLICATION = "paipu"
"""The name by which every program of this service is known to the server."""

WINDOW = 0.2
"""Seconds for which a look at who is connected holds."""

PAUSE = 0.05
"""Seconds between two looks: short, so that the next is done in time even where everything is slow."""

INTEREST = 10.0
"""So many seconds after it was asked last a program goes on looking."""

SETTLING = 2.5 * WINDOW
"""So many seconds a program that finds others connected waits before its first statement: by then each of them has looked again, and knows
that it is no longer alone."""

_OTHERS = """
SELECT count(*) FROM pg_stat_get_activity(NULL)
WHERE datid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND usesysid IS NOT NULL AND pid <> ALL (%s::int[])
"""
# Sessions of users alone: what the server does by itself (usesysid is null) changes nothing that was written.
_PROGRAMS = """
SELECT count(*) FILTER (WHERE pid <> ALL (%(mine)s::int[])), count(*) FILTER (WHERE pid = ANY (%(settled)s::int[]))
FROM pg_stat_get_activity(NULL)
WHERE datid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND application_name = %(application)s
"""

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def now() -> float:
    """Seconds of a clock that goes on while the machine sleeps."""
    return time.clock_gettime(_CLOCK)


class Period:
    """A time during which a program is alone without interruption."""


class Alone:
    """Looks who else is connected, several times in a ``WINDOW`` while somebody wants to know.

    Of two looks that found nobody, the second begun while the first still held and done within a window, no program can have slipped in
    between: it would have waited (``SETTLING``, more than two windows), and been seen. A session that is no program of this service does
    not wait. While it is there it ends the period like any other; what it does between two looks is not seen.
    """

    def __init__(self, connection: Callable[[], AbstractAsyncContextManager[Connection]]) -> None:
        self._connection = connection
        self._mine: WeakSet[Connection] = WeakSet()
        self._settled: WeakSet[Connection] = WeakSet()
        self._period: Period | None = None
        self._until = 0.0
        self._losses = 0
        self._asked = 0.0
        self._looking: asyncio.Task[None] | None = None

    async def join(self, connection: Connection) -> None:
        """Counts a new connection as this program's, and waits until the other programs know that it is there."""
        self._mine.add(connection)
        parameters = {"mine": _pids(self._mine), "settled": _pids(self._settled), "application": APPLICATION}
        row = await (await connection.execute(_PROGRAMS, parameters)).fetchone()
        others, settled = row or (0, 0)
        if others and not settled:
            await asyncio.sleep(SETTLING)
        self._settled.add(connection)

    def period(self) -> Period | None:
        """The period that lasts at this moment; ``None`` where others are connected, or where that is not known."""
        self._asked = moment = now()
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_on())
        return self._period if moment < self._until else None

    def end(self) -> None:
        """Ends the period: something was written, and it is not known whether. A session that may still be at it counts as another's."""
        self._losses += 1
        self._period = None
        self._until = 0.0

    async def close(self) -> None:
        """Looks no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _look_on(self) -> None:
        try:
            while now() < self._asked + INTEREST:
                try:
                    await self._look()
                except StoreUnavailableError:
                    self.end()
                await asyncio.sleep(PAUSE)
        finally:
            self._looking = None

    async def _look(self) -> None:
        began, losses = now(), self._losses
        async with self._connection() as connection:
            row = await (await connection.execute(_OTHERS, (_pids(self._mine),), prepare=True)).fetchone()
        if row is None or row[0]:
            self.end()
        elif losses == self._losses:
            if self._period is None or began >= self._until:
                self._period = Period()
            self._until = began + WINDOW


def _pids(connections: WeakSet[Connection]) -> list[int]:
    return [connection.info.backend_pid for connection in connections if not connection.closed]
