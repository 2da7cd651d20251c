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

_WATCH_SECONDS = 1.0


class Store(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is kept, each part over the same database."""

    database: Database
    games: GameLog
    annotations: AnnotationLog
    feed: Feed
    matches: MatchLog


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncGenerator[Store]:
    """The store, open while the context lasts; the last program to leave an embedded server stops it.

    Raises StoreUnavailableError, MigrationError, or EmbeddedServerError.
    """
    async with AsyncExitStack() as stack:
        conninfo, owner = settings.database_url, settings.database_owner_url
        if conninfo is None:
            server = EmbeddedServer(settings.data / "postgres")
            await asyncio.to_thread(server.join)
            stack.push_async_callback(asyncio.to_thread, server.leave)
            leaving = asyncio.Event()
            stack.push_async_callback(_end, asyncio.create_task(_watch(server, leaving)), leaving)
            conninfo, owner = server.conninfo(SERVICE_ROLE), server.conninfo()
        await asyncio.to_thread(migrate, owner or conninfo)
        database = Database(
            conninfo,
            size=settings.pool_size,
            pool_timeout=settings.pool_timeout,
            lock_timeout=settings.lock_timeout,
            statement_timeout=settings.statement_timeout,
        )
        await database.open()
        stack.push_async_callback(database.close)
        yield Store(
            database=database,
            games=GameLog(database),
            annotations=AnnotationLog(database),
            feed=Feed(database),
            matches=MatchLog(database),
        )


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
