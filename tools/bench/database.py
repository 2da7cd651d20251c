"""Goals about the log in PostgreSQL: imports beside a bare COPY, appends beside ``eventsourcing``, on one server."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import psycopg
from psycopg import sql

from services.store.model import NewGame
from tools.bench.goal import Goal, Measured
from tools.bench.peers import peer
from tools.bench.server import EVENTS_A_GAME, Running, new_games, running, stored_events
from tools.bench.timing import WALL, Side, compare

IMPORTED = 500
APPENDED = 40
_IMPORTS = 5
_APPENDS = 9

_TABLES = ("game", "game_head", "batch", "event", "feed_queue", "game_summary")

_COLUMNS = """
SELECT attname FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''
ORDER BY attnum
"""


class _Filled(NamedTuple):
    """The rows of one table as an import left them."""

    table: str
    columns: list[str]
    types: list[int]
    rows: list[tuple[Any, ...]]

    def anew(self, ids: dict[UUID, UUID]) -> "_Filled":
        """The same rows of other games."""
        place = self.columns.index("game_id")
        return self._replace(rows=[(*row[:place], ids[row[place]], *row[place + 1 :]) for row in self.rows])


def _filled(connection: psycopg.Connection, table: str) -> _Filled:
    names = [name for (name,) in connection.execute(_COLUMNS, (f"paipu.{table}",)).fetchall()]
    cursor = connection.cursor(binary=True)
    listed = sql.SQL(", ").join(map(sql.Identifier, names))
    rows = cursor.execute(sql.SQL("SELECT {} FROM {}").format(listed, sql.Identifier("paipu", table))).fetchall()
    return _Filled(table, names, [column.type_code for column in cursor.description or ()], rows)


def _copy(connection: psycopg.Connection, tables: Sequence[_Filled]) -> None:
    """The rows of all tables by COPY, in one transaction."""
    with connection.transaction():
        for filled in tables:
            columns = sql.SQL(", ").join(map(sql.Identifier, filled.columns))
            statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(sql.Identifier("paipu", filled.table), columns)
            with connection.cursor().copy(statement) as copy:
                copy.set_types(filled.types)
                for row in filled.rows:
                    copy.write_row(row)


def _import() -> Measured:
    with running() as here, psycopg.connect(here.service, autocommit=True) as connection:
        events = stored_events()
        games = [new_games(IMPORTED, events) for _ in range(_IMPORTS + 2)]
        here.run(here.store.games.create_many(games[0]))
        with psycopg.connect(here.server.conninfo()) as reading:
            filled = [_filled(reading, table) for table in _TABLES]
        bare: list[list[_Filled]] = []
        for _ in range(_IMPORTS + 1):
            ids = {game.game_id: uuid4() for game in games[0]}
            bare.append([table.anew(ids) for table in filled])
        waiting = iter(games[1:])
        copied = iter(bare)
        found = compare(
            Side(run=lambda: here.run(here.store.games.create_many(next(waiting))), units=IMPORTED * EVENTS_A_GAME),
            Side(run=lambda: _copy(connection, next(copied)), units=IMPORTED * EVENTS_A_GAME),
            rounds=_IMPORTS,
            clock=WALL,
        )
    return Measured(value=found.ratio, times={"import, an event": found.ours * 1e6, "bare COPY, an event": found.other * 1e6})


async def _create_each(here: Running, games: list[NewGame]) -> None:
    for game in games:
        await here.store.games.create(game)


def _appends() -> Measured:
    postgres, persistence = peer("eventsourcing.postgres"), peer("eventsourcing.persistence")
    with running() as here:
        where = here.address
        with psycopg.connect(here.server.conninfo(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE peer")
        datastore = postgres.PostgresDatastore("peer", where["host"], where.get("port", 5432), where["user"], "none")
        recorder = postgres.PostgresApplicationRecorder(datastore)
        recorder.create_table()
        events = stored_events()
        games = iter([new_games(APPENDED, events) for _ in range(_APPENDS + 1)])
        streams = iter(
            [
                [
                    [persistence.StoredEvent(game_id, seq, event.kind, event.payload) for seq, event in enumerate(events, 1)]
                    for game_id in (uuid4() for _ in range(APPENDED))
                ]
                for _ in range(_APPENDS + 1)
            ]
        )

        def record() -> None:
            for stream in next(streams):
                recorder.insert_events(stream)

        try:
            found = compare(
                Side(run=lambda: here.run(_create_each(here, next(games))), units=APPENDED * EVENTS_A_GAME),
                Side(run=record, units=APPENDED * EVENTS_A_GAME),
                rounds=_APPENDS,
                clock=WALL,
            )
        finally:
            datastore.close()
    return Measured(value=found.ratio, times={"Paipu, an event": found.ours * 1e6, "eventsourcing, an event": found.other * 1e6})


GOALS = (
    Goal(
        name="import",
        zh="导入许多盘，比直接 COPY 同样的行",
        en="import of many games against bare COPY of the same rows",
        great=0.7,
        floor=0.5,
        measure=_import,
    ),
    Goal(
        name="appends",
        zh="一次写入一盘，快于 eventsourcing",
        en="appends, a game a call, against eventsourcing on the same server",
        great=2.5,
        floor=1.5,
        measure=_appends,
    ),
)
