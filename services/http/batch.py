"""Import of many records in one request. The upload is taken line by line and never held whole."""

from collections.abc import AsyncIterator

import msgspec
from litestar import Response, post

from services.answers import BatchLine
from services.formats.faults import Fault
from services.formats.reading import LineReader, Reading
from services.http.asked import MAX_BODY, caller_of, choice, flag, records_of
from services.http.replies import NDJSON, AnyRequest, language_of
from services.modes import MODES, Mode
from services.words import Words

GROUP = 200
"""So many records are handed to the store at once."""


@post("/api/games:batch")
async def add_batch(request: AnyRequest) -> Response[bytes]:
    """Imports JSON Lines of records, each committed or refused by itself; answers one line a record.

    The answers are sent when the upload has ended: a client that writes before it reads must not be kept waiting.
    """
    caller, language = caller_of(request), language_of(request)
    mode: Mode = choice(request, "mode", MODES, "record")
    again = flag(request, "again")
    answers: list[BatchLine] = []
    waiting: list[Reading] = []
    async for reading in _readings(request):
        waiting.append(reading)
        if len(waiting) == GROUP:
            answers += await records_of(request).add_many(caller, waiting, mode=mode, language=language, again=again)
            waiting.clear()
    answers += await records_of(request).add_many(caller, waiting, mode=mode, language=language, again=again)
    return Response(b"".join(msgspec.json.encode(line) + b"\n" for line in answers), status_code=200, media_type=NDJSON)


async def _readings(request: AnyRequest) -> AsyncIterator[Reading]:
    reader = LineReader()
    rest, skipping = b"", False
    async for chunk in request.stream():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if not skipping:
                for reading in reader.feed(line):
                    yield reading
            skipping = False
        if len(rest) > MAX_BODY:
            if not skipping:
                yield reader.refuse(Fault(path="$", said=Words(f"一行至多 {MAX_BODY} 字节", f"a line has at most {MAX_BODY} bytes")))
            rest, skipping = b"", True
    if not skipping:
        for reading in reader.feed(rest):
            yield reading
    for reading in reader.close():
        yield reading


HANDLERS = [add_batch]
