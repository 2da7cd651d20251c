"""What is written stays written."""

from collections.abc import Callable, Iterator
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import errors, sql

from services.settings import Settings
from services.store.model import NewGame
from services.store.opening import Store, open_store

pytestmark = pytest.mark.anyio

LOG_TABLES = ("game", "batch", "event", "annotation", "annotation_removal", "match", "match_game", "feed")
HEAD_TABLES = ("game_head", "feed_head")
FORBIDDEN_TO_THE_SERVICE: tuple[LiteralString, ...] = (
    "UPDATE paipu.game_head SET game_id = gen_random_uuid()",
    "DELETE FROM paipu.game_head",
    "DELETE FROM paipu.feed_head",
    "UPDATE paipu.feed_queue SET last_seq = 0",
    "TRUNCATE paipu.feed_queue",
    "TRUNCATE paipu.game_summary",
    "SET session_replication_role = replica",
    "CREATE TABLE paipu.intruder ()",
    "DROP SCHEMA paipu CASCADE",
    "DROP FUNCTION paipu.refuse() CASCADE",
    "CREATE OR REPLACE FUNCTION paipu.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "ALTER ROLE paipu_service SUPERUSER",
    "SET ROLE paipu_owner",
    "SET SESSION AUTHORIZATION postgres",
)


@pytest.fixture
def service(database: Any) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database.service, autocommit=True) as connection:
        yield connection


@pytest.fixture
def superuser(database: Any) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database.superuser, autocommit=True) as connection:
        yield connection


def column_of(connection: psycopg.Connection, table: str) -> sql.Identifier:
    row = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'paipu' AND table_name = %s LIMIT 1", (table,)
    ).fetchone()
    assert row is not None
    return sql.Identifier(row[0])


def rewriting(connection: psycopg.Connection, table: str) -> list[sql.Composed]:
    """The statements that take something back from a table, of no rows or of all."""
    name, column = sql.Identifier("paipu", table), column_of(connection, table)
    return [
        sql.SQL("UPDATE {} SET {} = {}").format(name, column, column),
        sql.SQL("UPDATE {} SET {} = {} WHERE false").format(name, column, column),
        sql.SQL("DELETE FROM {}").format(name),
        sql.SQL("DELETE FROM {} WHERE false").format(name),
        sql.SQL("TRUNCATE {}").format(name),
    ]


@pytest.mark.parametrize("table", LOG_TABLES)
def test_the_service_may_only_add(superuser: psycopg.Connection, service: psycopg.Connection, table: str) -> None:
    name = sql.Identifier("paipu", table)
    altering = [
        sql.SQL("ALTER TABLE {} DISABLE TRIGGER append_only").format(name),
        sql.SQL("ALTER TABLE {} ADD COLUMN more text").format(name),
        sql.SQL("ALTER TABLE {} OWNER TO paipu_service").format(name),
        sql.SQL("DROP TABLE {}").format(name),
        sql.SQL("DROP TRIGGER append_only ON {}").format(name),
    ]
    for statement in [*rewriting(superuser, table), *altering]:
        with pytest.raises(errors.InsufficientPrivilege):
            service.execute(statement)


@pytest.mark.parametrize("statement", FORBIDDEN_TO_THE_SERVICE)
def test_the_service_has_no_way_round(service: psycopg.Connection, statement: LiteralString) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        service.execute(statement)


@pytest.mark.parametrize("role", ["paipu_owner", "postgres"])
@pytest.mark.parametrize("replication", ["origin", "replica"])
@pytest.mark.parametrize("table", LOG_TABLES)
def test_triggers_refuse_the_owner_and_the_superuser_too(superuser: psycopg.Connection, table: str, replication: str, role: str) -> None:
    superuser.execute("SELECT set_config('session_replication_role', %s, false)", (replication,))
    statements = rewriting(superuser, table)
    superuser.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
    for statement in statements:
        with pytest.raises(errors.InsufficientPrivilege, match="append-only"):
            superuser.execute(statement)


@pytest.mark.parametrize("table", HEAD_TABLES)
def test_heads_are_never_removed(superuser: psycopg.Connection, table: str) -> None:
    superuser.execute("SET session_replication_role = replica")
    name = sql.Identifier("paipu", table)
    for statement in (sql.SQL("DELETE FROM {} WHERE false").format(name), sql.SQL("TRUNCATE {}").format(name)):
        with pytest.raises(errors.InsufficientPrivilege, match="append-only"):
            superuser.execute(statement)


def test_the_owner_has_no_login(server: Any) -> None:
    with pytest.raises(psycopg.OperationalError, match="not permitted to log in"):
        psycopg.connect(server.conninfo("paipu_owner"))


async def test_each_connection_of_a_mightier_login_acts_in_the_restricted_role(database: Any, new_game: Callable[..., NewGame]) -> None:
    async with open_store(Settings(database_url=database.superuser)) as store:
        await store.games.create(new_game())
        async with store.database.connection() as connection:
            with pytest.raises(errors.InsufficientPrivilege, match="permission denied"):
                await connection.execute("DELETE FROM event")


async def test_waiting_is_bounded(store: Store) -> None:
    async with store.database.connection() as connection:
        for setting in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
            cursor = await connection.execute("SELECT current_setting(%s)", (setting,))
            assert await cursor.fetchone() not in (None, ("0",))
