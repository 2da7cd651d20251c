"""The service over the store of the settings."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from services.credentials import Access
from services.problems import ProblemError
from services.records import Records
from services.secrets import owner_token
from services.settings import Settings
from services.store.embedded import EmbeddedServerError
from services.store.migrate import MigrationError
from services.store.model import StoreUnavailableError
from services.store.opening import Store, open_store
from services.words import Words


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Store]:
    """The store, open while the context lasts.

    Raises:
        ProblemError: unavailable, with the reason.
    """
    async with AsyncExitStack() as stack:
        try:
            store = await stack.enter_async_context(open_store(settings))
        except (StoreUnavailableError, MigrationError, EmbeddedServerError) as error:
            raise ProblemError("unavailable", Words(f"数据库打不开：{error}", f"the store cannot be opened: {error}")) from error
        yield store


@asynccontextmanager
async def open_records(settings: Settings) -> AsyncGenerator[Records]:
    """The service, for a program that serves nobody else.

    Raises:
        ProblemError: unavailable, with the reason.
    """
    async with opened(settings) as store:
        yield Records(store.games, store.annotations, store.matches)


@asynccontextmanager
async def open_access(settings: Settings) -> AsyncGenerator[Access]:
    """The tokens of the store of the settings.

    Raises:
        ProblemError: unavailable, with the reason.
    """
    async with opened(settings) as store:
        yield Access(store.tokens, owner_token(settings.data))
