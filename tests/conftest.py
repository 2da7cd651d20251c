"""Fixtures that more than one folder of tests uses: a real PostgreSQL, shared by all test workers, and fresh databases on it."""

import os
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from uuid import uuid4

import hypothesis
import msgspec
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from services.settings import Settings
from services.store.embedded import EmbeddedServer
from services.store.migrate import migrate
from services.store.opening import Store, open_store

# How long an example takes tells of what else the machine does, and not of the program. The tests try the same examples each time, so that
# a change is told from chance; ``make soak`` tries others (``--hypothesis-profile=others``).
PATIENT = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("same", PATIENT, derandomize=True)
hypothesis.settings.register_profile("others", PATIENT, print_blob=True)
hypothesis.settings.load_profile("same")


class TestDatabase(msgspec.Struct, frozen=True, kw_only=True):
    """How to reach one database: as the service does, and as the superuser."""

    __test__ = False

    name: str
    service: str
    superuser: str


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """The embedded server; the workers of one run join the same."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    server = EmbeddedServer(Path(shared) / "postgres")
    server.join()
    yield server
    server.leave()


@pytest.fixture(scope="session")
def template(server: EmbeddedServer) -> str:
    """The name of a migrated, empty database to copy."""
    name = f"template_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    migrate(server.conninfo(database=name))
    return name


@pytest.fixture
def database(server: EmbeddedServer, template: str) -> Iterator[TestDatabase]:
    """A fresh database at this version's schema."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template)))
        yield TestDatabase(
            name=name,
            service=make_conninfo(server.conninfo(), user="paipu_service", dbname=name),
            superuser=make_conninfo(server.conninfo(), dbname=name),
        )
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def settings(database: TestDatabase, tmp_path: Path) -> Settings:
    """Settings of a service over the fresh database."""
    return Settings(data=tmp_path / "var", database_url=database.service, database_owner_url=database.superuser, lock_timeout=2.0)


@pytest.fixture
async def store(settings: Settings) -> AsyncGenerator[Store]:
    """The store over the fresh database."""
    async with open_store(settings) as store:
        yield store
