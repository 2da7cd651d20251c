"""News of stored games as they come: one follower of the feed wakes everybody who waits for a game, or for any."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from engine.log import CORRECTIONS
from services.access import Caller
from services.answers import EventAnswer
from services.problems import ProblemError, stored
from services.records import Records
from services.store.feed import Feed
from services.store.model import FeedEntry, StoreUnavailableError
from services.words import Words

RETRY_SECONDS = 1.0
PING_SECONDS = 15.0
"""After so long without news a stream says that it still lives."""

MAX_STREAMS = 500
"""So many streams are open at once."""

CORRECTION_WORDS = frozenset(str(kind.__struct_config__.tag) for kind in CORRECTIONS)


Still = Callable[[], Awaitable[Caller]]
"""Looks up anew who asks; ``ProblemError`` where what he showed opens nothing any more."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a stream says: an event or a correction as written, that the hand is over, or only that it lives (``name`` empty)."""

    name: str
    id: int | UnsetType = UNSET
    data: bytes = b""


class FeedLine(msgspec.Struct, frozen=True, kw_only=True):
    """One append in the global order. ``head`` and ``hash`` are told only to who may see everything: they bind hidden cards."""

    position: int
    game: UUID
    first_seq: int
    last_seq: int
    head: str | UnsetType = UNSET
    hash: str | UnsetType = UNSET


class FeedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Appends behind a position, and the position to go on from."""

    entries: list[FeedLine]
    next: int


class _Over(msgspec.Struct, frozen=True):
    version: int


class Live:
    """What happens to stored games, told as it happens."""

    def __init__(self, records: Records, feed: Feed) -> None:
        self._records = records
        self._feed = feed
        self._waiting: defaultdict[UUID | None, set[asyncio.Event]] = defaultdict(set)
        self._closing = False
        self._open = 0

    async def run(self) -> None:
        """Follows the feed for ever and wakes whoever waits. A lost database is waited for; then everybody looks for himself."""
        while True:
            with suppress(StoreUnavailableError):
                after, _ = await self._feed.head()
                self._wake(*self._waiting)
                async for entry in self._feed.follow(after):
                    self._wake(entry.game_id, None)
            await asyncio.sleep(RETRY_SECONDS)

    def close(self) -> None:
        """Ends every stream, now and from now on: the program stops."""
        self._closing = True
        self._wake(*self._waiting)

    async def admit(self, caller: Caller, game_id: UUID, view: str | None) -> None:
        """Whether this stream may be opened.

        Raises:
            ProblemError: as ``Records.open``; invalid or forbidden for the view; too-many for a stream more than can be served.
        """
        (await self._records.open(caller, game_id)).view(view)
        if self._open >= MAX_STREAMS:
            raise ProblemError("too-many", Words(f"至多同时 {MAX_STREAMS} 路直播", f"at most {MAX_STREAMS} streams at once"))

    async def stream(
        self, caller: Caller, game_id: UUID, *, seen: int, view: str | None, ping: float = PING_SECONDS, still: Still | None = None
    ) -> AsyncGenerator[Told]:
        """The events of a game behind the first ``seen``, as a view shows them, for as long as the caller may read it; nothing to say for
        ``ping`` seconds is said too.

        ``still`` is asked before anything is told, so that a token taken back, or expired, ends the stream.
        What a view hides may be opened later (by a correction, or when the hand is over, which is told): then read the record again.
        """
        self._open += 1
        try:
            async for told in self._news(caller, game_id, seen, view, ping, still):
                yield told
        finally:
            self._open -= 1

    async def feed(self, caller: Caller, *, after: int, limit: int, wait: float, still: Still | None = None) -> FeedAnswer:
        """The appends behind a position to games that the caller may read. If there is none, one is waited for up to ``wait`` seconds.

        Raises:
            ProblemError: unavailable; as ``still``, which is asked anew after each wait.
        """
        deadline = asyncio.get_running_loop().time() + wait
        with self._watch(None) as news:
            while True:
                news.clear()
                entries = await stored(self._feed.read(after, limit))
                readable = await self._readable(caller, entries)
                if entries:
                    after = entries[-1].position
                left = deadline - asyncio.get_running_loop().time()
                if readable or left <= 0 or self._closing:
                    return FeedAnswer(entries=readable, next=after)
                if not entries:
                    await _news_or(news, left)
                    caller = await still() if still else caller

    async def _news(
        self, caller: Caller, game_id: UUID, seen: int, view: str | None, ping: float, still: Still | None
    ) -> AsyncGenerator[Told]:
        over = False
        with self._watch(game_id) as news:
            while not self._closing:
                news.clear()
                try:
                    # Asked anew each time: a token or a link may have been taken back, a hand may have ended.
                    caller = await still() if still else caller
                    log = await self._records.open(caller, game_id)
                    answered = await self._records.events_of(log, seen, log.view(view))
                except ProblemError as problem:
                    # A database that is away is waited for: whoever listens need not ask again.
                    if problem.kind != "unavailable":
                        return
                    quiet = RETRY_SECONDS
                else:
                    for event in answered.events:
                        yield _told(event)
                    seen = max(seen, answered.version)
                    ended = log.over()
                    if ended and not over:
                        yield Told(name="over", data=msgspec.json.encode(_Over(log.version)))
                    over = ended
                    quiet = ping
                if not await _news_or(news, quiet) and not self._closing:
                    yield Told(name="")

    async def _readable(self, caller: Caller, entries: list[FeedEntry]) -> list[FeedLine]:
        if caller.is_admin:
            return [
                FeedLine(
                    position=entry.position,
                    game=entry.game_id,
                    first_seq=entry.first_seq,
                    last_seq=entry.last_seq,
                    head=entry.head.hex(),
                    hash=entry.hash.hex(),
                )
                for entry in entries
            ]
        readable = await self._records.readable(caller, {entry.game_id for entry in entries})
        return [
            FeedLine(position=entry.position, game=entry.game_id, first_seq=entry.first_seq, last_seq=entry.last_seq)
            for entry in entries
            if entry.game_id in readable
        ]

    @contextmanager
    def _watch(self, game_id: UUID | None) -> Generator[asyncio.Event]:
        news = asyncio.Event()
        self._waiting[game_id].add(news)
        try:
            yield news
        finally:
            self._waiting[game_id].discard(news)
            if not self._waiting[game_id]:
                del self._waiting[game_id]

    def _wake(self, *games: UUID | None) -> None:
        for game_id in games:
            for news in self._waiting.get(game_id, ()):
                news.set()


async def _news_or(news: asyncio.Event, seconds: float) -> bool:
    """Whether news came within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await news.wait()
    except TimeoutError:
        return False
    return True


def _told(event: EventAnswer) -> Told:
    kind = msgspec.json.decode(event.event, type=_Kind).type
    return Told(name="correction" if kind in CORRECTION_WORDS else "event", id=event.seq, data=msgspec.json.encode(event))


class _Kind(msgspec.Struct):
    type: str
