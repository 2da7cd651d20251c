"""Databases come to this version's schema, whoever starts when."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from services.store.embedded import EmbeddedServer
from services.store.migrate import MigrationError, applied_migrations, known_migrations, migrate, migrations_folder, require_current
from tools.migrations_manifest import MANIFEST, manifest


@pytest.fixture
def empty(server: EmbeddedServer) -> Iterator[str]:
    """How to reach a database with nothing in it."""
    name = f"empty_{uuid4().hex}"
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield server.conninfo(database=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_no_migration_was_edited() -> None:
    folder = migrations_folder()
    assert (folder / MANIFEST).read_text(encoding="utf-8") == manifest(folder)
    assert len(known_migrations()) == len(manifest(folder).splitlines()) > 0


def test_an_empty_database_gets_all_in_order_and_only_once(empty: str) -> None:
    assert applied_migrations(empty) == []
    assert migrate(empty) == known_migrations()
    assert applied_migrations(empty) == known_migrations()
    assert migrate(empty) == []
    require_current(empty)


def test_programs_that_start_at_once_apply_each_migration_once(empty: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        applied = list(pool.map(migrate, [empty] * 6))
    assert sorted(applied) == [[]] * 5 + [known_migrations()]


def test_a_migrator_that_died_leaves_no_lock_behind(empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *earlier, last = known_migrations()
    for name in earlier:
        shutil.copy(migrations_folder() / f"{name}.sql", tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr("services.store.migrate.migrations_folder", lambda: tmp_path)
        assert migrate(empty) == earlier
    with psycopg.connect(empty, autocommit=True) as connection:
        # As if the program had died within the last migration: yoyo's lock row stays, the migration's own transaction does not.
        connection.execute("INSERT INTO public.yoyo_lock (locked, ctime, pid) VALUES (1, now(), 1)")
    with pytest.raises(MigrationError, match=last):
        require_current(empty)
    assert migrate(empty) == [last]


INTERRUPTED = """
import sys
from pathlib import Path
from services.store import migrate
migrate.migrations_folder = lambda: Path(sys.argv[2])
migrate.migrate(sys.argv[1])
"""


def test_a_migration_that_is_killed_half_way_leaves_nothing_of_itself(empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in migrations_folder().glob("*.sql"):
        shutil.copy(path, tmp_path)
    half = tmp_path / "9998_half.sql"
    half.write_text("CREATE TABLE paipu.half (number integer);\nSELECT pg_sleep(600);\n", encoding="utf-8")
    program = subprocess.Popen([sys.executable, "-P", "-c", INTERRUPTED, empty, str(tmp_path)])
    with psycopg.connect(empty, autocommit=True) as connection:
        asleep = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid() AND state = 'active'"
        while (found := connection.execute(asleep).fetchone()) is None:
            assert program.poll() is None
            time.sleep(0.05)
        program.kill()
        program.wait()
        connection.execute("SELECT pg_terminate_backend(%s, 5000)", found)
        assert connection.execute("SELECT to_regclass('paipu.half')").fetchone() == (None,)
        assert applied_migrations(empty) == known_migrations()
        half.write_text("CREATE TABLE paipu.half (number integer);\n", encoding="utf-8")
        monkeypatch.setattr("services.store.migrate.migrations_folder", lambda: tmp_path)
        assert migrate(empty) == ["9998_half"]
        assert connection.execute("SELECT to_regclass('paipu.half')").fetchone() == ("paipu.half",)


def test_a_database_of_a_later_version_is_refused(empty: str) -> None:
    migrate(empty)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO public._yoyo_migration (migration_hash, migration_id, applied_at_utc) VALUES ('x', '9999_later', now())"
        )
    with pytest.raises(MigrationError, match="9999_later"):
        migrate(empty)


def test_a_login_that_is_no_superuser_can_migrate_and_serve(empty: str, server: EmbeddedServer) -> None:
    name = conninfo_to_dict(empty)["dbname"]
    user = f"administrator_{uuid4().hex[:12]}"
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEROLE").format(sql.Identifier(user)))
        connection.execute(sql.SQL("GRANT paipu_owner, paipu_service TO {} WITH ADMIN OPTION").format(sql.Identifier(user)))
        connection.execute(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(sql.Identifier(str(name)), sql.Identifier(user)))
    login = server.conninfo(user, str(name))
    assert migrate(login) == known_migrations()
    with psycopg.connect(login) as connection:
        connection.execute("SET ROLE paipu_service")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DELETE FROM paipu.event")
