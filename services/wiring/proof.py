"""What shows that the store is as it was recorded, over the store of the settings: certificates, audits, backups."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from services.audit import AuditReport, Progress, all_cores, audit
from services.certificate.issuing import Certifier
from services.problems import ProblemError
from services.settings import Settings
from services.store import backup
from services.store.backup import BackupError
from services.store.embedded import EmbeddedServerError
from services.store.migrate import MigrationError
from services.store.model import StoreUnavailableError
from services.store.opening import Reached, Store, reach_database
from services.wiring.opening import opened
from services.words import Words

NOTES = "audit-notes.jsonl"
"""The file of the data folder in which an audit notes how far it has come."""


def certifier_of(store: Store, settings: Settings) -> Certifier:
    """What certifies an open store."""
    return Certifier(store.games, store.annotations, store.feed, settings.data)


@asynccontextmanager
async def open_certifier(settings: Settings) -> AsyncGenerator[Certifier]:
    """What certifies the store of the settings.

    Raises:
        ProblemError: unavailable, with the reason.
    """
    async with opened(settings) as store:
        yield certifier_of(store, settings)


async def audit_store(
    settings: Settings,
    *,
    checkpoint: tuple[int, bytes] | None = None,
    resume: bool = False,
    workers: int | None = None,
    told: Callable[[Progress], None] = lambda _: None,
) -> AuditReport:
    """Audits the store of the settings over all cores; ``resume`` goes on where an audit was broken off.

    Raises:
        ProblemError: unavailable, with the reason.
    """
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    notes = settings.data / NOTES
    if not resume:
        notes.unlink(missing_ok=True)
    async with opened(settings) as store:
        with all_cores(workers) as executor:
            try:
                # What waits to be published belongs to the feed that is told of, and signed by a checkpoint behind.
                while await store.feed.advance():
                    pass
                return await audit(store.database.conninfo, store.feed, executor, checkpoint=checkpoint, resume=notes, told=told)
            except StoreUnavailableError as error:
                raise ProblemError("unavailable", Words(f"数据库不可用：{error}", f"the database went away: {error}")) from error


async def dump(settings: Settings, file: Path) -> None:
    """Writes everything that is stored to a file.

    Raises:
        ProblemError: unavailable, with the reason.
    """
    # Opened once as any program does, so that a fresh data folder has its tables.
    async with opened(settings):
        await _backed_up(settings, lambda reached: backup.dump(reached.owner, file))


async def restore(settings: Settings, file: Path) -> None:
    """Fills an empty store from a dump.

    Raises:
        ProblemError: unavailable, with the reason: something is stored already, the file is no dump, or is of a later version.
    """
    await _backed_up(settings, lambda reached: backup.restore(reached.owner, file))


async def _backed_up(settings: Settings, work: Callable[[Reached], None]) -> None:
    try:
        async with reach_database(settings) as reached:
            await asyncio.to_thread(work, reached)
    except (BackupError, StoreUnavailableError, MigrationError, EmbeddedServerError) as error:
        raise ProblemError("unavailable", Words(str(error), str(error))) from error
