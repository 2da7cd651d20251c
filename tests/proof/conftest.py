"""Given: a store with hands of both games in it, and ways to change it behind the service's back."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, LiteralString
from uuid import UUID

import msgspec
import psycopg
import pytest

from services.access import OWNER
from services.audit import AuditReport, audit
from services.records import Records
from services.samples import sample_readings
from services.store.opening import Store

LOG_TABLES = ("game", "batch", "event", "annotation", "annotation_removal", "match", "match_game", "feed", "game_head", "feed_head")


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A store with the sample hands, all of them in the feed, and their ids in order of import."""

    store: Store
    records: Records
    ids: list[UUID]
    conninfo: str

    async def audit(self, **options: Any) -> AuditReport:
        """Audits it, in threads: what a worker process does is the same."""
        with ThreadPoolExecutor(2) as executor:
            return await audit(self.conninfo, self.store.feed, executor, **options)


@pytest.fixture
async def kept(store: Store, database: Any) -> Kept:
    records = Records(store.games, store.annotations, store.matches)
    lines = await records.add_many(OWNER, sample_readings(), mode="keep", language="zh")
    ids = [line.id for line in lines if isinstance(line.id, UUID)]
    assert len(ids) == len(lines) > 5
    while await store.feed.advance():
        pass
    return Kept(store=store, records=records, ids=ids, conninfo=database.service)


@pytest.fixture
def intruder(database: Any) -> Iterator[Callable[..., None]]:
    """Runs a statement as the superuser, with every trigger of the log switched off."""
    with psycopg.connect(database.superuser, autocommit=True) as connection:
        for table in LOG_TABLES:
            connection.execute(f"ALTER TABLE paipu.{table} DISABLE TRIGGER ALL".encode())
        connection.execute("SET search_path TO paipu")

        def run(statement: LiteralString, *parameters: Any, least: int = 1) -> None:
            done = connection.execute(statement, parameters)
            assert done.rowcount >= least, "the statement changed nothing"

        yield run
