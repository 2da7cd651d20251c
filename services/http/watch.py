"""What the operator sees of every request: its method, the pattern of its path, its status and how long it took. Never what it carried:
paths, parameters, bodies and tokens may hold names and hidden cards."""

from time import perf_counter
from typing import Any, cast

import structlog
from litestar import Response, get
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from services.http.asked import asker_of
from services.http.guard import LOOPBACK
from services.http.replies import AnyRequest, pattern_of
from services.problems import ProblemError
from services.refusals import TOKEN_NEEDED
from services.words import Words

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NOWHERE = "(nowhere)"
"""The pattern of a path that leads nowhere: such paths are without number."""

_log = structlog.get_logger("paipu.http")


class Watch:
    """Counts and times the requests of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter("paipu_requests", "Requests answered", ["method", "path", "status"], registry=self.registry)
        self._seconds = Histogram("paipu_request_seconds", "Time until the answer was sent", ["method", "path"], registry=self.registry)
        self._running = Gauge("paipu_requests_running", "Requests being answered", registry=self.registry)

    def watched(self, app: ASGIApp) -> ASGIApp:
        """The application, watched."""

        async def watching(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            status = 0

            async def noting(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                await send(message)

            began = perf_counter()
            self._running.inc()
            try:
                await app(scope, receive, noting)
            finally:
                self._running.dec()
                self._note(scope, status, perf_counter() - began)

        return watching

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        given = cast("dict[str, Any]", scope)["method"]
        method = given if given in METHODS else "(other)"
        path = pattern_of(scope) or NOWHERE
        self._requests.labels(method, path, status).inc()
        self._seconds.labels(method, path).observe(seconds)
        _log.info("request", method=method, path=path, status=status, ms=round(seconds * 1000, 1))


@get("/metrics")
async def metrics(request: AnyRequest) -> Response[bytes]:
    """Answers the counts for Prometheus: to programs on this machine, and to admins."""
    caller = asker_of(request)
    here = request.client is not None and request.client.host in LOOPBACK
    if not (here or caller.is_admin):
        if not caller.known:
            raise ProblemError("unauthorized", TOKEN_NEEDED)
        raise ProblemError("forbidden", Words("只有管理员可以", "only an admin may do that"))
    watch: Watch = request.app.state["watch"]
    return Response(generate_latest(watch.registry), media_type=CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8"))


HANDLERS = [metrics]
