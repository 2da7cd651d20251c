"""Group commit: writes that come at the same moment go to the server in one message, and are made durable together.

Each is the statement that it would be by itself; sent one behind the other, they are one transaction. If anything is wrong with one of
them, none is written, and each is left to its writer to be done singly. So nobody is refused because of somebody else, and a game that
another program is writing to holds the others up for no longer than ``PATIENCE``.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple
from weakref import WeakSet

from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from services.store.alone import Connection
from services.store.database import Database
from services.store.wire import Type, moment

PATIENCE = 0.1
"""Seconds that a group waits for a row that somebody else holds."""

SIZE = 64
"""So many writes are in a group at most."""

_NAME = b"group"
_PATIENCE_NAME = b"group_patience"
_PATIENCE = f"SELECT set_config('lock_timeout', '{int(PATIENCE * 1000)}ms', true)".encode()


class Singly(Enum):
    """In place of an answer: the write was not done, and is to be done by itself."""

    SINGLY = "singly"


class _Write(NamedTuple):
    key: bytes
    values: list[bytes | None]
    answer: "asyncio.Future[datetime | Singly | None]"


class Group:
    """Writes by one statement that answers one moment, or no row. ``types`` are its parameters, by the names that it has for them."""

    def __init__(self, database: Database, statement: str, types: Mapping[str, Type]) -> None:
        self._database = database
        for number, name in enumerate(types, 1):
            statement = statement.replace(f"%({name})b", f"${number}")
        self._statement = statement.encode()
        self._types = types
        self._oids = [kind.oid for kind in types.values()]
        self._formats = [int(kind.binary) for kind in types.values()]
        self._prepared: WeakSet[Connection] = WeakSet()
        self._waiting: list[_Write] = []
        self._running: asyncio.Task[None] | None = None

    async def write(self, key: bytes, parameters: Mapping[str, Any]) -> datetime | Singly | None:
        """What the statement answers; writes are done in the order of their keys, so that two groups never wait for each other.

        A write that has begun is waited for even by a task that is being cancelled: whether it was done must be known. Raises
        StoreUnavailableError.
        """
        values = [None if parameters[name] is None else kind.write(parameters[name]) for name, kind in self._types.items()]
        write = _Write(key, values, asyncio.get_running_loop().create_future())
        self._waiting.append(write)
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        try:
            return await asyncio.shield(write.answer)
        except asyncio.CancelledError:
            if write in self._waiting:
                self._waiting.remove(write)
            else:
                while not write.answer.done():
                    with suppress(asyncio.CancelledError):
                        await asyncio.wait([write.answer])
            raise

    async def _run(self) -> None:
        group: list[_Write] = []
        try:
            while self._waiting:
                group = sorted(self._waiting[:SIZE], key=lambda write: write.key)
                del self._waiting[:SIZE]
                try:
                    answers = await self._written(group)
                except Exception as error:
                    for write in group:
                        if not write.answer.done():
                            write.answer.set_exception(error)
                            write.answer.exception()  # whoever waited for it may be gone
                else:
                    for write, answer in zip(group, answers, strict=True):
                        if not write.answer.done():
                            write.answer.set_result(answer)
        finally:
            self._running = None
            for write in (*group, *self._waiting):
                write.answer.cancel()
            self._waiting = []

    async def _written(self, group: Sequence[_Write]) -> Sequence[datetime | Singly | None]:
        async with self._database.connection() as connection:
            if not connection.autocommit:
                return [Singly.SINGLY] * len(group)
            try:
                results = await self._sent(connection, group)
            except BaseException:
                # What state it is in nobody knows.
                await connection.close()
                raise
        if any(result.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK, ExecStatus.PIPELINE_SYNC) for result in results):
            return [Singly.SINGLY] * len(group)
        return [_answer(result) for result in results[-1 - len(group) : -1]]

    async def _sent(self, connection: Connection, group: Sequence[_Write]) -> list[PGresult]:
        pgconn = connection.pgconn
        pgconn.enter_pipeline_mode()
        expected = len(group) + 2
        if connection not in self._prepared:
            pgconn.send_prepare(_NAME, self._statement, self._oids)
            pgconn.send_prepare(_PATIENCE_NAME, _PATIENCE)
            expected += 2
        pgconn.send_query_prepared(_PATIENCE_NAME, None)
        for write in group:
            pgconn.send_query_prepared(_NAME, write.values, self._formats, 1)
        pgconn.pipeline_sync()
        results = await _results(pgconn, expected)
        pgconn.exit_pipeline_mode()
        # A statement stays prepared even where what follows it fails.
        if all(result.status == ExecStatus.COMMAND_OK for result in results[: -len(group) - 2]):
            self._prepared.add(connection)
        return results


async def _results(pgconn: PGconn, expected: int) -> list[PGresult]:
    """The results of so many commands of a pipeline, the last of which is its end."""
    results: list[PGresult] = []
    left = pgconn.flush()
    while len(results) < expected:
        await _ready(pgconn.socket, writing=bool(left))
        if left:
            left = pgconn.flush()
        pgconn.consume_input()
        while len(results) < expected and not pgconn.is_busy():
            result = pgconn.get_result()
            # None parts the results of two commands.
            if result is not None:
                results.append(result)
    return results


async def _ready(descriptor: int, *, writing: bool) -> None:
    """Waits until something can be read, or written if that is wanted."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        if writing:
            loop.add_writer(descriptor, ready.set)
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
        if writing:
            loop.remove_writer(descriptor)


def _answer(result: PGresult) -> datetime | None:
    value = result.get_value(0, 0) if result.ntuples else None
    return None if value is None else moment(value)
