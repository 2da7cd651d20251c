"""Import and export of many records in one request. They are taken and given line by line, never held whole."""

from collections.abc import AsyncIterator
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Stream

from services.answers import BatchLine
from services.formats.canonical import canonical
from services.formats.faults import Fault
from services.formats.reading import LineReader, Reading
from services.http.asked import MAX_BODY, Known, caller_of, choice, chunks_of, flag, key_of, limit_of, pseudonyms_of, records_of, wanted_of
from services.http.replies import NDJSON, PERSONAL, AnyRequest, language_of
from services.modes import MODES, Mode
from services.problems import ProblemError
from services.words import Words

GROUP = 200
"""So many records are handed to the store at once."""

UNREADABLE = frozenset({"not-found", "forbidden", "unauthorized"})

EXPORT = 1000
MAX_EXPORT = 10_000
"""Records in one answer: as many unless asked otherwise, and at most."""


@post("/api/games:batch")
async def add_batch(request: AnyRequest) -> Response[bytes]:
    """Imports JSON Lines of records, each committed or refused by itself; answers one line a record.

    The answers are sent when the upload has ended: a client that writes before it reads must not be kept waiting. An upload that broke off
    is sent again from its beginning with the same ``Idempotency-Key``: what was stored is answered with the id that it has.
    """
    caller, language = caller_of(request), language_of(request)
    mode: Mode = choice(request, "mode", MODES, "record")
    again, key = flag(request, "again"), key_of(request)
    answers: list[BatchLine] = []
    waiting: list[Reading] = []
    async for reading in _readings(request):
        waiting.append(reading)
        if len(waiting) == GROUP:
            answers += await records_of(request).add_many(caller, waiting, mode=mode, language=language, again=again, key=key)
            waiting.clear()
    answers += await records_of(request).add_many(caller, waiting, mode=mode, language=language, again=again, key=key)
    return Response(b"".join(msgspec.json.encode(line) + b"\n" for line in answers), status_code=200, media_type=NDJSON)


def after_of(request: AnyRequest) -> UUID | None:
    """The game behind which to go on.

    Raises:
        ProblemError: invalid.
    """
    text = request.query_params.get("after")
    try:
        return None if text is None else UUID(text)
    except ValueError:
        raise ProblemError("invalid", Words("after 应为一盘的编号", "after must be the id of a game")) from None


async def _readings(request: AnyRequest) -> AsyncIterator[Reading]:
    reader = LineReader()
    rest, skipping = b"", False
    async for chunk in chunks_of(request):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if not skipping:
                for reading in reader.feed(line):
                    yield reading
            skipping = False
        if len(rest) > MAX_BODY:
            if not skipping:
                most = Words(f"至多 {MAX_BODY} 字节", f"at most {MAX_BODY} bytes")
                yield reader.refuse(Fault(path="$", said=Words("一行太长", "is too long a line"), expected=most))
            rest, skipping = b"", True
    if not skipping:
        for reading in reader.feed(rest):
            yield reading
    for reading in reader.close():
        yield reading


@get("/api/games:export")
async def export(request: AnyRequest) -> Stream:
    """Answers the records that fit and may be read, as JSON Lines, in order of their ids; ``Link`` leads to those behind them."""
    caller, records = caller_of(request), records_of(request)
    size = limit_of(request, MAX_EXPORT, EXPORT)
    ids = await records.ids(caller, wanted_of(request), limit=size + 1, after=after_of(request))
    headers = {**PERSONAL, "Content-Type": NDJSON}
    if len(ids) > size:
        ids.pop()
        following = urlencode({**request.query_params.dict(), "after": str(ids[-1])}, doseq=True)
        headers["Link"] = f'<{request.url.path}?{following}>; rel="next"'
    pseudonyms = pseudonyms_of(request, caller)

    async def lines() -> AsyncIterator[bytes]:
        known = Known(request)
        for game_id in ids:
            await known.renew()
            try:
                _, record = await records.record(caller, game_id, pseudonyms=pseudonyms)
            except ProblemError as problem:
                if problem.kind in UNREADABLE:
                    continue  # it was listed, and is not his to read any more
                raise
            yield canonical(record) + b"\n"

    return Stream(lines(), headers=headers)


HANDLERS = [add_batch, export]
