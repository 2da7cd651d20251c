"""Several programs over one database: what any of them does holds for all of them at once, however much each remembers."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from services.access import OWNER
from services.http.app import application
from services.secrets import owner_token
from services.settings import Settings
from services.store.alone import WINDOW
from services.store.database import Database
from services.store.embedded import EmbeddedServer
from services.store.model import Sharing
from services.store.opening import open_store
from services.store.remembered import LASTING
from services.store.sharing import SharingLog
from services.store.standings import Standings
from services.wiring.server import parts_of

pytestmark = pytest.mark.anyio

Site = Any
Second = Callable[[], Any]
SECONDS = 60


@pytest.fixture
def superuser(site: Site, server: EmbeddedServer) -> str:
    """How to reach the database of the site by hand."""
    return server.conninfo(database=str(conninfo_to_dict(site.store.database.conninfo)["dbname"]))


@pytest.fixture
def second(site: Site, superuser: str, tmp_path: Path) -> Second:
    """Opens a second program over the database of the first, and a client that its owner asks it with."""

    @asynccontextmanager
    async def opened() -> AsyncGenerator[httpx.AsyncClient]:
        settings = Settings(
            data=tmp_path / uuid4().hex, database_url=site.store.database.conninfo, database_owner_url=superuser, rate=0.0, pool_size=4
        )
        async with open_store(settings) as store:
            app: Any = application(parts_of(store, settings))
            headers = {"Authorization": f"Bearer {owner_token(settings.data)}"}
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1", headers=headers) as client:
                yield client

    return opened


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Waits until something holds."""
    async with asyncio.timeout(SECONDS):
        while not await holds():
            await asyncio.sleep(0.01)


async def remembered(site: Site, game_id: UUID) -> None:
    """Waits until the program need not ask for the game any more: it is alone, and has read it."""

    async def known() -> bool:
        await site.parts.records.open(OWNER, game_id)
        return site.parts.records.at_hand(OWNER, game_id) is not None

    await until(known)


async def append(client: httpx.AsyncClient, game_id: UUID, version: int, event: Any) -> None:
    answer = await client.post(f"/api/games/{game_id}/events?mode=keep", json=event, headers={"If-Match": f'"{version}"'})
    assert answer.status_code == 201, answer.text


async def test_what_another_program_writes_is_seen_at_once(site: Site, second: Second, clean: list[dict[str, Any]]) -> None:
    """The moment that counts is the one in which the other program comes: the first has just been alone, and is asked all the time."""
    record = clean[0]
    game_id = await site.add({**record, "events": record["events"][:3]})
    version = 3
    async with site.client(site.owner) as owner:

        async def read() -> None:
            while True:
                assert (await owner.get(f"/api/games/{game_id}")).status_code == 200

        for _ in range(3):
            await remembered(site, game_id)
            reading = asyncio.create_task(read())
            async with second() as other:
                for event in record["events"][version : version + 4]:
                    await append(other, game_id, version, event)
                    version += 1
                    answer = await owner.get(f"/api/games/{game_id}")
                    assert answer.headers["etag"] == f'"{version}"'
                    assert len(answer.json()["events"]) == version
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading


async def test_the_first_statement_of_a_program_that_just_came_holds_at_once(site: Site, clean: list[dict[str, Any]]) -> None:
    game_id = await site.add(clean[0])
    for _ in range(3):
        link = await site.link(game_id)
        async with site.client(link) as guest:
            await remembered(site, game_id)
            conninfo = site.store.database.conninfo
            database = Database(conninfo, size=1, pool_timeout=10, lock_timeout=5, statement_timeout=5)
            await database.open()
            try:
                assert await SharingLog(database, Standings(database)).share(game_id, Sharing(), "another")
                assert (await guest.get(f"/api/games/{game_id}")).status_code == 404
            finally:
                await database.close()


async def test_what_another_program_takes_back_is_gone_at_once(site: Site, second: Second, clean: list[dict[str, Any]]) -> None:
    game_id = await site.add(clean[0])
    token, link = await site.token("看牌的", role="reader"), await site.link(game_id)
    async with site.client(token) as reader, site.client(link) as guest, site.client(site.owner) as owner:
        path = f"/api/games/{game_id}"
        for client in (reader, guest):
            assert (await client.get(path)).status_code == 200
        await remembered(site, game_id)
        (listed,) = (await owner.get("/api/tokens")).json()["tokens"]
        async with second() as other:
            note = {"seq": 2, "by": "老何", "text": "另一处写的"}
            assert (await other.post(f"{path}/annotations", json=note)).status_code == 201
            assert [found["text"] for found in (await reader.get(path)).json()["annotations"]][-1:] == ["另一处写的"]
            assert (await other.put(f"{path}/access", json={"visibility": "private"})).status_code == 200
            assert (await guest.get(path)).status_code == 404
            assert (await other.delete(f"/api/tokens/{listed['id']}")).status_code == 204
            assert (await reader.get(path)).status_code == 401
            lease = (await other.put(f"{path}/lease", json={"holder": "另一部手机"})).json()
            busy = await owner.post(f"{path}/events", json={"type": "撤回", "to": 3}, headers={"If-Match": f'"{len(clean[0]["events"])}"'})
            assert (busy.status_code, busy.json()["holder"]) == (409, lease["holder"])


async def test_a_program_that_is_alone_forgets_what_it_changes(site: Site, clean: list[dict[str, Any]]) -> None:
    record = clean[0]
    game_id = await site.add({**record, "events": record["events"][:3]})
    token, link = await site.token("看牌的", role="reader"), await site.link(game_id)
    path = f"/api/games/{game_id}"
    async with site.client(token) as reader, site.client(link) as guest, site.client(site.owner) as owner:
        for version, event in enumerate(record["events"][3:9], 3):
            await remembered(site, game_id)
            await append(owner, game_id, version, event)
            assert (await guest.get(path)).headers["etag"] == f'"{version + 1}"'
        await remembered(site, game_id)
        assert (await owner.post(f"{path}/annotations", json={"seq": 2, "by": "老何", "text": "记一笔"})).status_code == 201
        assert (await owner.get(path)).json()["annotations"][-1]["text"] == "记一笔"
        await remembered(site, game_id)
        assert (await owner.delete(f"{path}/annotations/{len((await owner.get(path)).json()['annotations']) - 1}")).status_code == 204
        assert "记一笔" not in (await owner.get(path)).text
        await remembered(site, game_id)
        await site.link(game_id)
        assert (await guest.get(path)).status_code == 404
        (listed,) = (await owner.get("/api/tokens")).json()["tokens"]
        await until(lambda: _remembers(site, token, reader, path))
        assert (await owner.delete(f"/api/tokens/{listed['id']}")).status_code == 204
        assert (await reader.get(path)).status_code == 401


async def _remembers(site: Site, token: str, reader: httpx.AsyncClient, path: str) -> bool:
    assert (await reader.get(path)).status_code == 200
    return site.parts.access.at_hand(token) is not None


async def test_what_is_changed_by_hand_holds_within_a_second(site: Site, superuser: str, clean: list[dict[str, Any]]) -> None:
    game_id = await site.add(clean[0])
    link = await site.link(game_id)
    path = f"/api/games/{game_id}"
    async with site.client(link) as guest:
        await remembered(site, game_id)
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute("UPDATE paipu.game_access SET visibility = 'private', share_digest = NULL")
        async with asyncio.timeout(LASTING + 2 * WINDOW):
            while (await guest.get(path)).status_code != 404:
                await asyncio.sleep(0.01)


async def test_a_session_of_anybody_else_ends_the_time_alone(site: Site, superuser: str, clean: list[dict[str, Any]]) -> None:
    game_id = await site.add(clean[0])
    await remembered(site, game_id)
    with psycopg.connect(superuser, autocommit=True):
        await asyncio.sleep(2 * WINDOW)
        await site.parts.records.open(OWNER, game_id)
        assert site.parts.records.at_hand(OWNER, game_id) is None
    await remembered(site, game_id)


async def test_a_write_that_may_or_may_not_have_been_done_makes_it_ask_again(
    site: Site, superuser: str, clean: list[dict[str, Any]]
) -> None:
    """A session whose program has lost it may still commit."""
    record = clean[0]
    game_id = await site.add({**record, "events": record["events"][:3]})
    await remembered(site, game_id)
    async with site.client(site.owner) as owner:
        with psycopg.connect(superuser, autocommit=True) as connection, connection.transaction():
            connection.execute("SELECT FROM paipu.game_head WHERE game_id = %s FOR UPDATE", (game_id,))
            path = f"/api/games/{game_id}/events?mode=keep"
            writing = asyncio.create_task(owner.post(path, content=json.dumps(record["events"][3]), headers={"If-Match": '"3"'}))
            await asyncio.sleep(2 * WINDOW)
            writing.cancel()
            with suppress(asyncio.CancelledError):
                await writing
            assert site.parts.records.at_hand(OWNER, game_id) is None
        await remembered(site, game_id)
        with psycopg.connect(superuser, autocommit=True) as connection:
            row = connection.execute("SELECT version FROM paipu.game_head WHERE game_id = %s", (game_id,)).fetchone()
        assert row is not None
        assert (await owner.get(f"/api/games/{game_id}")).headers["etag"] == f'"{row[0]}"'
