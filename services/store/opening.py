"""Opens the store that the settings name: the embedded server or another, at this version's schema."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import msgspec

from services.settings import Settings
from services.store.annotations import AnnotationLog
from services.store.database import SERVICE_ROLE, Database
from services.store.embedded import EmbeddedServer, EmbeddedServerError
from services.store.feed import Feed
from services.store.log import GameLog
from services.store.matches import MatchLog
from services.store.migrate import migrate
from services.store.model import StoreUnavailableError
from services.store.sharing import SharingLog
from services.store.standings import Standings
from services.store.tokens import TokenLog

_WATCH_SECONDS = 1.0
_REVIVAL_SECONDS = 60.0
_POLL_SECONDS = 0.1


class Store(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is kept, each part over the same database."""

    database: Database
    games: GameLog
    annotations: AnnotationLog
    feed: Feed
    matches: MatchLog
    sharing: SharingLog
    tokens: TokenLog


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """How to connect to the database: as the service does, and with a login that may alter the schema."""

    service: str
    owner: str


@asynccontextmanager
async def reach_database(settings: Settings) -> AsyncGenerator[Reached]:
    """The database that the settings name, whatever its schema; an embedded server runs while the context lasts, and the last program to
    leave it stops it. Raises EmbeddedServerError."""
    if settings.database_url is not None:
        yield Reached(service=settings.database_url, owner=settings.database_owner_url or settings.database_url)
        return
    async with AsyncExitStack() as stack:
        server = EmbeddedServer(settings.data / "postgres")
        await asyncio.to_thread(server.join)
        stack.push_async_callback(asyncio.to_thread, server.leave)
        leaving = asyncio.Event()
        stack.push_async_callback(_end, asyncio.create_task(_watch(server, leaving)), leaving)
        yield Reached(service=server.conninfo(SERVICE_ROLE), owner=server.conninfo())


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncGenerator[Store]:
    """The store at this version's schema, open while the context lasts.

    Raises StoreUnavailableError, MigrationError, or EmbeddedServerError.
    """
    async with reach_database(settings) as reached:
        await _migrate(reached, patience=0 if settings.database_url is not None else _REVIVAL_SECONDS)
        database = Database(
            reached.service,
            size=settings.pool_size,
            pool_timeout=settings.pool_timeout,
            lock_timeout=settings.lock_timeout,
            statement_timeout=settings.statement_timeout,
        )
        await database.open()
        standings = Standings(database)
        try:
            yield Store(
                database=database,
                games=GameLog(database, standings),
                annotations=AnnotationLog(database, standings),
                feed=Feed(database),
                matches=MatchLog(database),
                sharing=SharingLog(database, standings),
                tokens=TokenLog(database),
            )
        finally:
            await database.close()


async def _migrate(reached: Reached, patience: float) -> None:
    """Migrates; a database that is lost meanwhile is given ``patience`` seconds to come back: an embedded one does."""
    deadline = asyncio.get_running_loop().time() + patience
    while True:
        try:
            await asyncio.to_thread(migrate, reached.owner)
        except StoreUnavailableError:
            if asyncio.get_running_loop().time() >= deadline:
                raise
            await asyncio.sleep(_POLL_SECONDS)
        else:
            return


async def _watch(server: EmbeddedServer, leaving: asyncio.Event) -> None:
    """Sees to it that a killed keeper has a successor. A failure is tried again: till then whoever needs the database is told."""
    while True:
        try:
            async with asyncio.timeout(_WATCH_SECONDS):
                await leaving.wait()
                return
        except TimeoutError:
            with suppress(EmbeddedServerError):
                await asyncio.to_thread(server.revive)


async def _end(watch: asyncio.Task[None], leaving: asyncio.Event) -> None:
    # Not cancelled: a revival at work in its thread would go on, and join again behind the leave.
    leaving.set()
    await watch
