"""Connections of the service: a pool whose every connection acts in the restricted role, within time-outs."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any, LiteralString
from weakref import WeakKeyDictionary

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from services.store.alone import APPLICATION, SETTLING, Alone, Connection
from services.store.model import StoreUnavailableError

SERVICE_ROLE = "paipu_service"

IDLE_SECONDS = 1.0
"""A connection that lay unused for longer is asked whether it still answers before it is given out. One that was in use just now is not:
the question would cost as much as most statements, and a database that goes away in between answers 503 either way."""

_last_use: WeakKeyDictionary[Connection, float] = WeakKeyDictionary()


async def _check_after_a_while(connection: Connection) -> None:
    if time.monotonic() - _last_use.get(connection, 0.0) > IDLE_SECONDS:
        await AsyncConnectionPool.check_connection(connection)


def is_ending() -> bool:
    """Whether the task that runs is being cancelled. A statement that fails meanwhile fails because of that, and whoever waits for a lost
    database must not take it for one and go on."""
    return _cancellations() > 0


def _cancellations() -> int:
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()


class Database:
    """A pool of autocommit connections in the service's role.

    A connection that logs in as another role takes the service's by SET ROLE. That keeps mistakes from changing the log, not an intruder
    who can run any SQL he likes: he can RESET ROLE. A login that is the service's role, as at the embedded server, has nothing to go
    back to.
    """

    def __init__(self, conninfo: str, *, size: int, pool_timeout: float, lock_timeout: float, statement_timeout: float) -> None:
        self._lock_timeout = lock_timeout
        self._statement_timeout = statement_timeout
        self.conninfo = conninfo
        self.pool_timeout = pool_timeout
        self._pool = AsyncConnectionPool(
            conninfo,
            kwargs={"autocommit": True, "application_name": APPLICATION},
            connection_class=AsyncConnection[TupleRow],
            min_size=1,
            max_size=size,
            configure=self._configure,
            check=_check_after_a_while,
            open=False,
        )

    @cached_property
    def alone(self) -> Alone:
        """Whether this program is the only one that is connected."""
        return Alone(self.connection)

    async def open(self) -> None:
        """Connects, and settles where other programs are connected. Raises StoreUnavailableError when no connection comes up within the
        pool's time-out."""
        try:
            await self._pool.open(wait=True, timeout=self.pool_timeout + SETTLING)
        except PoolTimeout as error:
            await self._pool.close()
            raise StoreUnavailableError(str(error)) from error

    async def close(self) -> None:
        """Closes every connection."""
        await self.alone.close()
        await self._pool.close()

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection for one or a few statements. Raises StoreUnavailableError where the database is out of reach or too slow."""
        cancelled = _cancellations()
        try:
            async with self._pool.connection(self.pool_timeout) as connection:
                # asyncio.wait_for, by which the pool waits, loses a cancellation that comes together with the connection.
                if _cancellations() > cancelled:
                    raise asyncio.CancelledError
                try:
                    yield connection
                finally:
                    _last_use[connection] = time.monotonic()
        except (PoolTimeout, psycopg.OperationalError, psycopg.InterfaceError) as error:
            if is_ending():
                raise asyncio.CancelledError from error
            raise StoreUnavailableError(str(error)) from error

    @asynccontextmanager
    async def apart(self) -> AsyncGenerator[Connection]:
        """A connection that is none of the pool, for as long as it is needed. Raises psycopg.OperationalError."""
        async with await AsyncConnection[TupleRow].connect(self.conninfo, autocommit=True, application_name=APPLICATION) as connection:
            await self.alone.join(connection)
            yield connection

    async def _configure(self, connection: Connection) -> None:
        await configure(connection, lock_timeout=self._lock_timeout, statement_timeout=self._statement_timeout)
        await self.alone.join(connection)


async def configure(connection: Connection, *, lock_timeout: float, statement_timeout: float) -> None:
    """Puts a connection into the service's role and bounds how long it may wait (seconds)."""
    milliseconds = {
        "lock_timeout": lock_timeout,
        "statement_timeout": statement_timeout,
        "idle_in_transaction_session_timeout": statement_timeout,
    }
    settings: dict[str, str] = {name: f"{int(seconds * 1000)}ms" for name, seconds in milliseconds.items()}
    settings["search_path"] = "paipu"
    for name, value in settings.items():
        await connection.execute("SELECT set_config(%s, %s, false)", (name, value))
    await connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(SERVICE_ROLE)))


async def one_row(connection: Connection, statement: LiteralString, parameters: dict[str, Any]) -> tuple[Any, ...] | None:
    """The first row that a statement answers, in binary."""
    cursor = connection.cursor(binary=True)
    await cursor.execute(statement, parameters, prepare=True)
    return await cursor.fetchone()


async def all_rows(connection: Connection, statement: LiteralString, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    """All rows that a statement answers, in binary."""
    cursor = connection.cursor(binary=True)
    await cursor.execute(statement, parameters, prepare=True)
    return await cursor.fetchall()
