"""The global order of all appends: a transactional queue, moved into a chained feed at dense positions by a sequencer."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import psycopg
import structlog

from services.store import chain
from services.store.database import Connection, Database, all_rows, is_ending, one_row
from services.store.model import ChainReport, FeedEntry, StoreUnavailableError

CHANNEL = "paipu_feed"
"""The NOTIFY channel: a hint without content. Notifications get lost, so a reader polls all the same."""

POLL_SECONDS = 1.0

_log = structlog.get_logger("paipu.store")

_LOCK_HEAD = "SELECT position, hash FROM feed_head FOR UPDATE"
_TAKE = """
WITH oldest AS (
    SELECT game_id, max(first_seq) AS upto
    FROM (SELECT game_id, first_seq FROM feed_queue ORDER BY queued_at, game_id, first_seq LIMIT %(limit)b) AS taken
    GROUP BY game_id
)
DELETE FROM feed_queue USING oldest
WHERE feed_queue.game_id = oldest.game_id AND feed_queue.first_seq <= oldest.upto
RETURNING feed_queue.queued_at, feed_queue.game_id, feed_queue.first_seq, feed_queue.last_seq, feed_queue.head_hash
"""
_PUBLISH = """
WITH published AS (
    INSERT INTO feed (position, game_id, first_seq, last_seq, head_hash, hash)
    SELECT * FROM unnest(
        %(positions)b::bigint[], %(game_ids)b::uuid[], %(first_seqs)b::int[], %(last_seqs)b::int[], %(heads)b::bytea[], %(hashes)b::bytea[]
    )
)
UPDATE feed_head SET position = %(position)b, hash = %(hash)b
"""
_READ = """
SELECT position, game_id, first_seq, last_seq, head_hash, hash FROM feed
WHERE position > %(after)b ORDER BY position LIMIT %(limit)b
"""
_HEAD = "SELECT position, hash FROM feed_head"
_WITHOUT_BATCH = """
SELECT feed.position FROM feed
LEFT JOIN batch ON batch.game_id = feed.game_id AND batch.first_seq = feed.first_seq
    AND batch.last_seq = feed.last_seq AND batch.head_hash = feed.head_hash
WHERE feed.position > %(after)b AND feed.position <= %(upto)b AND batch.game_id IS NULL
ORDER BY feed.position LIMIT 1
"""


class Feed:
    """The feed over a database. Positions count from 1 without gaps; what is published at a position never changes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def advance(self, limit: int = 1000) -> int:
        """Publishes about ``limit`` of the oldest queued appends and gives how many. Programs that call it at once take turns."""
        async with self._database.connection() as connection, connection.transaction():
            row = await one_row(connection, _LOCK_HEAD, {})
            if row is None:
                raise StoreUnavailableError("the feed has no head")
            position, link = row
            queued = _in_order(await all_rows(connection, _TAKE, {"limit": limit}))
            if not queued:
                return 0
            hashes: list[bytes] = []
            for place, (_, game_id, first_seq, last_seq, head) in enumerate(queued, position + 1):
                link = chain.feed_link(link, position=place, game_id=game_id, first_seq=first_seq, last_seq=last_seq, head=head)
                hashes.append(link)
            await connection.execute(
                _PUBLISH,
                {
                    "positions": list(range(position + 1, position + 1 + len(queued))),
                    "game_ids": [row[1] for row in queued],
                    "first_seqs": [row[2] for row in queued],
                    "last_seqs": [row[3] for row in queued],
                    "heads": [row[4] for row in queued],
                    "hashes": hashes,
                    "position": position + len(queued),
                    "hash": link,
                },
            )
            await connection.execute(f"NOTIFY {CHANNEL}")
            return len(queued)

    async def read(self, after: int = 0, limit: int = 1000) -> list[FeedEntry]:
        """The entries behind position ``after``, in order."""
        async with self._database.connection() as connection:
            return await _read(connection, after, limit)

    async def head(self) -> tuple[int, bytes]:
        """The last position and its hash: a checkpoint. Kept elsewhere, it shows later whether anything before it was taken away."""
        async with self._database.connection() as connection:
            row = await one_row(connection, _HEAD, {})
        if row is None:
            raise StoreUnavailableError("the feed has no head")
        return row[0], row[1]

    async def follow(self, after: int = 0) -> AsyncGenerator[FeedEntry]:
        """Every entry behind ``after``, for ever, as it is published. Raises StoreUnavailableError when the connection is lost, or whatever
        else the database fails by."""
        try:
            async with self._database.apart() as listener:
                await listener.execute(f"LISTEN {CHANNEL}")
                while True:
                    for entry in await self.read(after):
                        yield entry
                        after = entry.position
                    async for _ in listener.notifies(timeout=POLL_SECONDS, stop_after=1):
                        pass
        except psycopg.Error as error:
            _log.warning("feed.not_followed", error=type(error).__name__)
            raise StoreUnavailableError(str(error)) from error

    async def verify(self, checkpoint: tuple[int, bytes] | None = None, size: int = 1000) -> ChainReport:
        """Recomputes the feed's chain, looks for each append that it names, and compares it with head and checkpoint."""
        head = await self.head()
        known = [head] if checkpoint is None else [head, checkpoint]
        link, position = chain.FEED_START, 0
        while True:
            async with self._database.connection() as connection:
                entries = await _read(connection, position, size)
                missing = await one_row(connection, _WITHOUT_BATCH, {"after": position, "upto": position + len(entries)})
            for entry in entries:
                fault = None
                following = chain.feed_link(
                    link,
                    position=position + 1,
                    game_id=entry.game_id,
                    first_seq=entry.first_seq,
                    last_seq=entry.last_seq,
                    head=entry.head,
                )
                if entry.position != position + 1:
                    fault = "缺少一项 the entry is missing"
                elif following != entry.hash:
                    fault = "内容不符 the entry is not what was published"
                elif missing is not None and missing[0] == entry.position:
                    fault = "牌谱被删改 the append that the entry names is not in the log"
                elif any(at == entry.position and hash_there != following for at, hash_there in known):
                    fault = "与存照不符 the entry is not that of the head or the checkpoint"
                if fault is not None:
                    return ChainReport(length=position, head=link, fault=(position + 1, fault))
                link, position = following, entry.position
            if len(entries) < size:
                break
        if position < max(at for at, _ in known):
            return ChainReport(length=position, head=link, fault=(position + 1, "末尾被截 entries at the end are missing"))
        return ChainReport(length=position, head=link)


async def sequence(feed: Feed, pause: float = 0.05) -> None:
    """Sequences for ever: publishes what is queued, then pauses (seconds). A lost database is waited for, and so is one that fails
    otherwise: the feed may fall behind, but it must not stand still until somebody notices."""
    while True:
        try:
            published = await feed.advance()
        except (StoreUnavailableError, psycopg.Error) as error:
            if is_ending():
                raise asyncio.CancelledError from error
            _log.warning("feed.not_sequenced", error=type(error).__name__)
            published = 0
            await asyncio.sleep(POLL_SECONDS)
        if not published:
            await asyncio.sleep(pause)


def _in_order(queued: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """By time of queueing; the appends of one game always in their own order, whatever the clock did in between."""
    latest: dict[Any, Any] = {}
    keyed: list[tuple[Any, tuple[Any, ...]]] = []
    for row in sorted(queued, key=lambda row: (row[1], row[2])):
        queued_at, game_id, first_seq = row[:3]
        latest[game_id] = max(queued_at, latest.get(game_id, queued_at))
        keyed.append(((latest[game_id], game_id, first_seq), row))
    return [row for _, row in sorted(keyed, key=lambda pair: pair[0])]


async def _read(connection: Connection, after: int, limit: int) -> list[FeedEntry]:
    rows = await all_rows(connection, _READ, {"after": after, "limit": limit})
    return [
        FeedEntry(position=position, game_id=game_id, first_seq=first_seq, last_seq=last_seq, head=head, hash=link)
        for position, game_id, first_seq, last_seq, head, link in rows
    ]
