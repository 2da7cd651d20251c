"""The shortest way to a stored record: the request that is made most often is answered before the framework looks at it.

Who asks, how often he may, and what he may see are decided by what decides it everywhere (``Access``, ``Rate``, ``Records``), from what
those know without asking the database. A request that asks for anything out of the ordinary, one about which anything has to be asked, and
one that is to be refused go on to the framework, as do all others.
"""

from functools import lru_cache
from time import perf_counter
from typing import Any, NamedTuple, cast
from uuid import UUID

from litestar.types import ASGIApp, Receive, Scope, Send

from services.access import STRANGER
from services.credentials import Access
from services.http.guard import host_name
from services.http.identity import bearer_at_hand
from services.http.limits import Rate
from services.http.replies import OF_RECORD, format_accepted, headers_of
from services.http.watch import Watch
from services.problems import ProblemError
from services.records import Records

PREFIX = "/api/games/"
PATTERN = PREFIX + "{game_id}"
LENGTH = len(PREFIX) + 36
"""So long is the path of a game that is named by its id as ids are written."""

HEADERS = [(name.lower().encode(), value.encode()) for name, value in OF_RECORD.items()]


@lru_cache(4096)
def _game_named(text: str) -> UUID:
    return UUID(text)


class Quick(NamedTuple):
    """The services that answer, and the ``hosts`` that are this program's own."""

    records: Records
    access: Access
    rate: Rate
    watch: Watch
    hosts: frozenset[str]

    def before(self, app: ASGIApp) -> ASGIApp:
        """The application, with a short way to the records of games before it."""

        async def answering(scope: Scope, receive: Receive, send: Send) -> None:
            began = perf_counter()
            found = self._found(scope)
            if found is None:
                await app(scope, receive, send)
                return
            version, content, media = found
            headers = [
                (b"content-type", media.encode()),
                (b"etag", b'"%d"' % version),
                *HEADERS,
                (b"content-length", b"%d" % len(content)),
            ]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": content, "more_body": False})
            self.watch.note("GET", PATTERN, 200, perf_counter() - began)

        return answering

    def _found(self, scope: Scope) -> tuple[int, bytes, str] | None:
        """The version of the record that is asked for as JSON, the record, and its media type."""
        request = cast("dict[str, Any]", scope)
        if request["type"] != "http" or request["method"] != "GET" or request["query_string"]:
            return None
        path: str = request["path"]
        if len(path) != LENGTH or not path.startswith(PREFIX):
            return None
        given: dict[bytes, bytes] = {}
        for name, value in headers_of(scope):
            given.setdefault(name, value)
        if b"cookie" in given or b"origin" in given or host_name(given.get(b"host", b"").decode("latin-1")) not in self.hosts:
            return None
        try:
            form, media = format_accepted(given.get(b"accept", b"*/*").decode("latin-1"))
            game_id = _game_named(path[len(PREFIX) :])
        except (ProblemError, ValueError):
            return None
        if form != "json":
            return None
        header = given.get(b"authorization", b"").decode("latin-1")
        caller = bearer_at_hand(self.access, header) if header else STRANGER
        log = None if caller is None else self.records.at_hand(caller, game_id)
        if caller is None or log is None:
            return None
        client: tuple[str, int] | None = request["client"]
        try:
            content = log.text(log.view())
            self.rate.admit_caller(caller, "" if client is None else client[0])
        except Exception:
            # Whatever it is, the framework meets it too, and what goes wrong there is told and logged as everywhere.
            return None
        return log.version, content, media
