"""News as they come: the events of one game as server-sent events, and the appends to all games for other programs."""

from collections.abc import AsyncIterator

from litestar import Response, get
from litestar.response import Stream
from msgspec import UNSET

from services.http.asked import LARGEST, asker_of, caller_of, game_id_of, limit_of, live_of, number
from services.http.identity import still
from services.http.replies import PERSONAL, AnyRequest, json_reply
from services.live import Told
from services.problems import ProblemError
from services.words import Words

EVENT_STREAM = "text/event-stream"

ENTRIES = 100
MAX_ENTRIES = 1000
MAX_WAIT = 30
"""Entries of the feed in one answer: as many unless asked otherwise, and at most; seconds that an answer waits for news."""


@get("/api/games/{game_id:str}/stream")
async def stream(request: AnyRequest) -> Stream:
    """Sends the events of a game as they are written, from ``Last-Event-ID`` or ``from`` on."""
    caller, game_id, view = asker_of(request), game_id_of(request), request.query_params.get("view")
    seen = _seen(request)
    live = live_of(request)
    await live.admit(caller, game_id, view)

    async def messages() -> AsyncIterator[bytes]:
        # A first word, so that a reader knows at once that the stream is open.
        yield b": paipu\n\n"
        async for told in live.stream(caller, game_id, seen=seen, view=view, still=lambda: still(request)):
            yield message(told)

    return Stream(messages(), headers={**PERSONAL, "Cache-Control": "no-store", "Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no"})


@get("/api/feed")
async def feed(request: AnyRequest) -> Response[bytes]:
    """Answers the appends behind a position, in the one order in which everybody sees them."""
    caller = caller_of(request)
    after, limit, wait = number(request, "after") or 0, limit_of(request, MAX_ENTRIES, ENTRIES), number(request, "wait") or 0
    answer = await live_of(request).feed(caller, after=after, limit=limit, wait=min(wait, MAX_WAIT), still=lambda: still(request))
    return json_reply(answer, headers=PERSONAL)


def message(told: Told) -> bytes:
    """One thing told as a server-sent event; nothing to tell is a comment."""
    if not told.name:
        return b": ping\n\n"
    identified = b"" if told.id is UNSET else f"id: {told.id}\n".encode()
    return b"event: " + told.name.encode() + b"\n" + identified + b"data: " + told.data + b"\n\n"


def _seen(request: AnyRequest) -> int:
    """How many events the reader has already."""
    last = request.headers.get("last-event-id")
    if last is None:
        return number(request, "from") or 0
    if not (last.isascii() and last.isdigit() and len(last) < 10 and int(last) < LARGEST):
        raise ProblemError("invalid", Words("Last-Event-ID 应为事件号", "Last-Event-ID must be the seq of an event"))
    return int(last) + 1


HANDLERS = [stream, feed]
