"""Given: services over fresh databases, asked within this process, and people with tokens of every kind."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import msgspec
import psycopg
import pytest
from litestar.types import ASGIApp
from psycopg import sql
from psycopg.conninfo import make_conninfo

from services.access import OWNER, TokenWanted
from services.http.app import Parts, application
from services.secrets import owner_token
from services.settings import Settings
from services.store.embedded import EmbeddedServer
from services.store.opening import Store, open_store
from services.web.pages import PAGES
from services.wiring.logs import log_to_standard_error
from services.wiring.server import parts_of

VECTORS = Path(__file__).parent.parent / "vectors"


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """A service over a database of its own, and a way to ask it as anybody."""

    parts: Parts
    store: Store
    app: ASGIApp
    owner: str

    def client(self, token: str | None = None, **options: Any) -> httpx.AsyncClient:
        """A client that carries a token, or none."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        transport = httpx.ASGITransport(app=self.app, **options)  # pyright: ignore[reportArgumentType] - the same protocol
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers)

    async def token(self, name: str, **wanted: Any) -> str:
        """The secret of a new token."""
        return (await self.parts.access.create(OWNER, TokenWanted(name=name, **wanted))).token

    async def add(self, record: dict[str, Any], *, key: str | None = None, mode: str = "keep") -> UUID:
        """The id of a record that the owner stores."""
        headers = {} if key is None else {"Idempotency-Key": key}
        async with self.client(self.owner) as client:
            answer = await client.post(f"/api/games?again=1&mode={mode}", json=record, headers=headers)
        assert answer.status_code == 201, answer.text
        while await self.store.feed.advance():
            pass
        return UUID(answer.json()["id"])

    async def link(self, game_id: UUID) -> str:
        """The secret of a new link to a game."""
        share = (await self.parts.sharing.share(OWNER, game_id, "link")).share
        assert isinstance(share, str)
        return share


@pytest.fixture(scope="session", autouse=True)
def quiet() -> None:
    """What is logged is tested elsewhere, in a process of its own."""
    log_to_standard_error("problems")


@pytest.fixture
async def sites(server: EmbeddedServer, template: str, tmp_path: Path) -> AsyncGenerator[Callable[[], Any]]:
    """Opens services, each over a fresh database."""
    async with AsyncExitStack() as stack:

        async def opened(**options: Any) -> Site:
            data = options.pop("data", tmp_path / uuid4().hex)
            return await stack.enter_async_context(_site(server, template, data, options))

        yield opened


@pytest.fixture
async def site(sites: Any) -> Site:
    """A service over a fresh database."""
    return await sites()


@pytest.fixture(scope="session")
def clean() -> list[dict[str, Any]]:
    """All records of both games in which nothing is wrong."""
    names = ("weimaque-records-clean.jsonl", "changde-records-clean.jsonl")
    return [json.loads(line) for name in names for line in (VECTORS / name).read_bytes().splitlines()]


@asynccontextmanager
async def _site(server: EmbeddedServer, template: str, data: Path, options: dict[str, Any]) -> AsyncGenerator[Site]:
    name = f"site_{uuid4().hex}"
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template)))
        try:
            settings = Settings(
                data=data,
                database_url=make_conninfo(server.conninfo(), user="paipu_service", dbname=name),
                database_owner_url=make_conninfo(server.conninfo(), dbname=name),
                rate=0.0,
                pool_size=4,
            )
            settings = msgspec.structs.replace(settings, **options)
            async with open_store(settings) as store:
                parts = parts_of(store, settings)
                yield Site(parts=parts, store=store, app=application(parts, pages=PAGES), owner=owner_token(data))
                await parts.records.labour.close()
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
