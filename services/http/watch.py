"""What the operator sees of every request: its method, the pattern of its path, its status and how long it took. Never what it carried:
paths, parameters, bodies and tokens may hold names and hidden cards."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from time import perf_counter
from typing import Any, cast

import structlog
from litestar import Response, get
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from services.http.asked import asker_of
from services.http.guard import LOOPBACK
from services.http.replies import AnyRequest, pattern_of
from services.problems import ProblemError
from services.refusals import TOKEN_NEEDED
from services.words import Words

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NOWHERE = "(nowhere)"
"""The pattern of a path that leads nowhere: such paths are without number."""

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds that part the buckets in which requests are counted by how long they took; a bound belongs to the bucket below it."""

BOUND_NAMES = (*map(str, BOUNDS), "+Inf")


class Watch(Collector):
    """Counts and times the requests of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(self)
        self.running = 0
        self._log = structlog.get_logger("paipu.http").bind()
        self._answered: defaultdict[tuple[str, str, int], int] = defaultdict(int)
        self._taken: defaultdict[tuple[str, str], _Taken] = defaultdict(_Taken)

    def collect(self) -> Iterator[Metric]:
        """What was counted, as Prometheus wants it."""
        requests = CounterMetricFamily("paipu_requests", "Requests answered", labels=["method", "path", "status"])
        for (method, path, status), number in self._answered.items():
            requests.add_metric([method, path, str(status)], number)
        seconds = HistogramMetricFamily("paipu_request_seconds", "Time until the answer was sent", labels=["method", "path"])
        for (method, path), taken in self._taken.items():
            seconds.add_metric([method, path], list(zip(BOUND_NAMES, accumulate(taken.buckets), strict=True)), taken.sum)
        yield requests
        yield seconds
        yield GaugeMetricFamily("paipu_requests_running", "Requests being answered", self.running)

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
            self.running += 1
            try:
                await app(scope, receive, noting)
            finally:
                self.running -= 1
                self.note(cast("dict[str, Any]", scope)["method"], pattern_of(scope) or NOWHERE, status, perf_counter() - began)

        return watching

    def note(self, method: str, path: str, status: int, seconds: float) -> None:
        """Counts, times and logs a request; ``path`` is the pattern of its path."""
        if method not in METHODS:
            method = "(other)"
        self._answered[method, path, status] += 1
        taken = self._taken[method, path]
        taken.buckets[bisect_left(BOUNDS, seconds)] += 1
        taken.sum += seconds
        self._log.info("request", method=method, path=path, status=status, ms=round(seconds * 1000, 1))


class _Taken:
    """How long requests took: so many in each bucket, and the sum of seconds."""

    def __init__(self) -> None:
        self.buckets = [0] * len(BOUND_NAMES)
        self.sum = 0.0


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
