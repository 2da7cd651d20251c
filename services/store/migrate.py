"""Brings a database to the schema that this version knows: numbered plain SQL, run by yoyo under an advisory lock."""

from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict

from services.store.database import SERVICE_ROLE
from services.store.model import StoreUnavailableError

_LOCK = 0x7061697075  # "paipu": any number that no other program uses on this database
_KNOWN = "SELECT migration_id FROM public._yoyo_migration ORDER BY migration_id"


class MigrationError(Exception):
    """The database cannot be brought to, or is already beyond, the schema that this version knows."""


def migrations_folder() -> Path:
    """Where the numbered SQL files lie: at the top of the checkout that this program runs from."""
    return Path(__file__).resolve().parents[2] / "migrations"


def known_migrations() -> list[str]:
    """The names of the migrations of this version, in order. Raises MigrationError where the files did not come with the program."""
    names = sorted(path.stem for path in migrations_folder().glob("*.sql"))
    if not names:
        raise MigrationError(f"没有升级脚本 there are no migrations in {migrations_folder()}")
    return names


def applied_migrations(conninfo: str) -> list[str]:
    """The names of the migrations that the database has, in order. Raises StoreUnavailableError."""
    try:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            return _applied(connection)
    except psycopg.OperationalError as error:
        raise StoreUnavailableError(str(error)) from error


def migrate(conninfo: str) -> list[str]:
    """Applies what is missing and gives the names of what was applied. Any number of programs may do this at once.

    ``conninfo`` is a login that may make roles and schemas. Raises MigrationError when the database is of a later version than this one,
    StoreUnavailableError when it cannot be reached.
    """
    try:
        with psycopg.connect(conninfo, autocommit=True) as guard:
            if _missing(_applied(guard)) == []:
                return []
            guard.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
            missing = _missing(_applied(guard))
            if missing:
                _apply(conninfo)
                guard.execute(f"GRANT SELECT ON public._yoyo_migration TO {SERVICE_ROLE}")
            return missing
    except psycopg.OperationalError as error:
        raise StoreUnavailableError(str(error)) from error
    except psycopg.Error as error:
        raise MigrationError(str(error)) from error


def require_current(conninfo: str) -> None:
    """Raises MigrationError unless the database is at just this version's schema; for a login that may not migrate."""
    missing = _missing(applied_migrations(conninfo))
    if missing:
        raise MigrationError(f"数据库尚未升级 the database lacks migrations: {', '.join(missing)}")


def _applied(connection: psycopg.Connection[Any]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('public._yoyo_migration') IS NOT NULL")
        exists = cursor.fetchone()
        if exists is None or not exists[0]:
            return []
        return [name for (name,) in cursor.execute(_KNOWN)]


def _missing(applied: list[str]) -> list[str]:
    known = known_migrations()
    unknown = [name for name in applied if name not in known]
    if unknown:
        raise MigrationError(f"数据库属于更新的版本 the database is of a later version, it has {', '.join(unknown)}")
    return [name for name in known if name not in applied]


def _apply(conninfo: str) -> None:
    # Imported here: a database that is up to date, the usual case, needs no yoyo.
    yoyo: Any = import_module("yoyo")
    backend: Any = yoyo.get_backend(_yoyo_address(conninfo))
    try:
        backend.execute("SET search_path TO public")
        # Whoever left a row in yoyo's own lock table is gone: its advisory lock would still be held otherwise.
        backend.break_lock()
        migrations = yoyo.read_migrations(str(migrations_folder()))
        with backend.lock():
            backend.apply_migrations(backend.to_apply(migrations))
    finally:
        backend.connection.close()


def _yoyo_address(conninfo: str) -> str:
    parameters = {name: str(value) for name, value in conninfo_to_dict(conninfo).items() if value is not None}
    database = parameters.pop("dbname", "")
    return f"postgresql+psycopg:///{quote(database)}?{urlencode(parameters)}"
