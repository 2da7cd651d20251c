"""A dump restored into an empty server is the same store, and goes on."""

import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from services.access import OWNER
from services.audit import audit
from services.certificate.certificate import verify
from services.certificate.issuing import Certifier
from services.records import Records
from services.settings import Settings
from services.store.backup import BackupError, dump, restore
from services.store.embedded import EmbeddedServer
from services.store.migrate import known_migrations, migrate, migrations_folder, require_current
from services.store.opening import open_store

pytestmark = pytest.mark.anyio

ROWS = (
    "SELECT (SELECT count(*) FROM paipu.game), (SELECT count(*) FROM paipu.event), (SELECT count(*) FROM paipu.feed), "
    "(SELECT count(*) FROM paipu.batch), (SELECT count(*) FROM paipu.annotation)"
)


@pytest.fixture
def empty(server: EmbeddedServer) -> Iterator[str]:
    name = f"empty_{uuid4().hex}"
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield server.conninfo(database=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def rows(conninfo: str) -> Any:
    with psycopg.connect(conninfo) as connection:
        return connection.execute(ROWS).fetchone()


async def test_dump_restore_audit_append(kept: Any, database: Any, tmp_path: Path) -> None:
    file = tmp_path / "paipu.dump"
    checkpoint = await kept.store.feed.head()
    dump(database.superuser, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    elsewhere = EmbeddedServer(tmp_path / "elsewhere" / "postgres")
    elsewhere.join()
    try:
        restore(elsewhere.conninfo(), file)
        require_current(elsewhere.conninfo())
        assert rows(elsewhere.conninfo()) == rows(database.superuser)
        async with open_store(Settings(data=tmp_path / "elsewhere")) as store:
            with ThreadPoolExecutor(2) as executor:
                report = await audit(store.database.conninfo, store.feed, executor, checkpoint=checkpoint)
            assert report.is_clean
            assert report.games == len(kept.ids)
            records = Records(store.games, store.annotations, store.matches)
            game = await store.games.game(kept.ids[0])
            assert game is not None
            event = '{"type":"过","actor":1}'.encode()
            written = await records.append(OWNER, game.game_id, event, form="json", expected=game.version, mode="keep", language="zh")
            assert written.version == game.version + 1
            assert await store.feed.advance() == 1
            assert (await store.feed.verify(checkpoint)).fault is None
            certifier = Certifier(store.games, store.annotations, store.feed, tmp_path / "elsewhere")
            assert verify(await certifier.certificate(game.game_id)).holds
            # What could not be changed there cannot be changed here.
            with psycopg.connect(elsewhere.conninfo()) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("DELETE FROM paipu.event")
    finally:
        elsewhere.leave()


async def test_a_store_with_games_is_not_restored_over(kept: Any, database: Any, tmp_path: Path) -> None:
    file = tmp_path / "paipu.dump"
    dump(database.superuser, file)
    before = rows(database.superuser)
    with pytest.raises(BackupError, match="empty"):
        restore(database.superuser, file)
    assert rows(database.superuser) == before


def test_what_is_no_dump_changes_nothing(empty: str, tmp_path: Path) -> None:
    migrate(empty)
    file = tmp_path / "paipu.dump"
    file.write_bytes(b"no dump")
    with pytest.raises(BackupError, match="pg_restore"):
        restore(empty, file)
    require_current(empty)


def test_a_dump_that_was_cut_short_leaves_an_empty_store(empty: str, database: Any, tmp_path: Path) -> None:
    file = tmp_path / "paipu.dump"
    dump(database.superuser, file)
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(BackupError, match="pg_restore"):
        restore(empty, file)
    require_current(empty)
    assert rows(empty) == (0, 0, 0, 0, 0)


def test_an_older_dump_is_brought_to_this_version(empty: str, database: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "paipu.dump"
    dump(database.superuser, file)
    later = tmp_path / "migrations"
    later.mkdir()
    for path in migrations_folder().glob("*.sql"):
        (later / path.name).write_bytes(path.read_bytes())
    (later / "9998_later.sql").write_text("CREATE TABLE paipu.later (number integer);\n", encoding="utf-8")
    known = known_migrations()
    monkeypatch.setattr("services.store.migrate.migrations_folder", lambda: later)
    restore(empty, file)
    assert known_migrations() == [*known, "9998_later"]
    require_current(empty)


def test_a_failed_dump_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="pg_dump"):
        dump(f"host={tmp_path} dbname=nothing user=nobody", tmp_path / "paipu.dump")
    assert list(tmp_path.iterdir()) == []


def test_a_dump_takes_the_place_of_no_device_and_follows_links(empty: str, tmp_path: Path) -> None:
    migrate(empty)
    pipe, file, link = tmp_path / "pipe", tmp_path / "paipu.dump", tmp_path / "link"
    os.mkfifo(pipe)
    with pytest.raises(BackupError, match="is no file"):
        dump(empty, pipe)
    assert pipe.is_fifo()
    file.write_bytes(b"")
    link.symlink_to(file)
    dump(empty, link)
    assert link.is_symlink()
    assert file.read_bytes().startswith(b"PGDMP")
