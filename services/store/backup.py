"""Backup and restore of a whole database by PostgreSQL's own ``pg_dump`` and ``pg_restore``; the database belongs to Paipu alone."""

import os
import subprocess
import tempfile
from pathlib import Path

import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict

from services.store.migrate import migrate
from services.store.model import StoreUnavailableError
from services.store.server import binaries

_EMPTY = "SELECT NOT EXISTS (SELECT FROM paipu.game) AND NOT EXISTS (SELECT FROM paipu.match) AND NOT EXISTS (SELECT FROM paipu.feed)"
_CLEAR = """
DROP SCHEMA paipu CASCADE;
DROP TABLE public._yoyo_log, public._yoyo_migration, public._yoyo_version, public.yoyo_lock;
"""


class BackupError(Exception):
    """A dump or a restore could not be carried out; nothing was changed."""


def dump(conninfo: str, file: Path) -> None:
    """Writes everything as of one moment to ``file``, in ``pg_dump``'s custom format; appends go on meanwhile.

    ``conninfo`` is the owner's login. The file appears only once it is whole, readable by its owner alone. Raises BackupError.
    """
    file = file.resolve()
    if file.exists() and not file.is_file():
        raise BackupError(f"{file} 不是文件，不能替换 {file} is no file and must not be replaced by one")
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    os.close(descriptor)
    fresh = Path(name)
    try:
        _run("pg_dump", conninfo, "--format=custom", "--file", str(fresh))
        with fresh.open("rb") as written:
            os.fsync(written.fileno())
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)


def restore(conninfo: str, file: Path) -> None:
    """Fills an empty database from a dump and brings it to this version's schema.

    ``conninfo`` is the owner's login. Raises BackupError where anything is stored there already or the file is no dump,
    StoreUnavailableError, MigrationError where the dump is of a later version.
    """
    _run("pg_restore", None, "--list", str(file))
    # The roles belong to the server, not to the dump: the migrations make them.
    migrate(conninfo)
    try:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            if connection.execute(_EMPTY).fetchone() != (True,):
                raise BackupError("数据库不是空的 something is stored there already; restore into an empty database")
            with connection.transaction():
                connection.execute(_CLEAR)
    except psycopg.OperationalError as error:
        raise StoreUnavailableError(str(error)) from error
    try:
        _run("pg_restore", conninfo, "--single-transaction", "--exit-on-error", str(file))
    finally:
        # Also behind a restore that failed: what it would have filled is empty again, and whole.
        migrate(conninfo)


def _run(program: str, conninfo: str | None, *arguments: str) -> None:
    """Runs a program of PostgreSQL. The login goes through its environment, where other users do not see a password."""
    command = [str(binaries() / program), *arguments]
    environment = os.environ
    if conninfo is not None:
        variables = {option.keyword.decode(): (option.envvar or b"").decode() for option in pq.Conninfo.get_defaults()}
        given = {variables[name]: str(value) for name, value in conninfo_to_dict(conninfo).items() if variables.get(name)}
        environment = os.environ | given
        if program == "pg_restore":
            command[1:1] = ["--dbname", given["PGDATABASE"]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise BackupError(f"{program}: {done.stderr.strip()}")
