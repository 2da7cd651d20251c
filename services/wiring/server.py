"""The serving program: the service over its store, and the HTTP and page faces over both."""

import asyncio
import contextlib
import gc
import signal
import socket
from collections.abc import Callable
from uuid import UUID

import uvicorn
from litestar.types import ASGIApp

from services.access import OWNER
from services.credentials import Access
from services.http.app import Parts, application
from services.http.guard import LOOPBACK
from services.http.limits import Rate
from services.labour import Labour
from services.live import Live
from services.problems import ProblemError
from services.readiness import Readiness
from services.records import Records
from services.samples import sample_readings
from services.secrets import owner_token
from services.settings import Settings
from services.sharing import Sharing
from services.sittings import Sittings
from services.store.feed import sequence
from services.store.opening import Store
from services.web.pages import PAGES
from services.web.rendering import problem_page
from services.wiring.logs import log_to_standard_error
from services.wiring.opening import opened
from services.wiring.proof import certifier_of
from services.words import Words

GRACE = 10
"""Seconds that running requests have to end when the server stops."""


async def serve(settings: Settings, announce: Callable[[str, str | None], None]) -> signal.Signals:
    """Serves until a signal asks it to stop, and answers which. ``announce`` is told the address once the service can be reached, and,
    where only the one who started it can reach it, the secret by which a browser gets in once.

    Raises:
        ProblemError: unavailable, with the reason: the address is taken, the store cannot be opened.
    """
    log_to_standard_error(settings.log)
    stop = _Stop()
    with contextlib.closing(_listen(settings.host, settings.port)) as listening:
        async with opened(settings) as store:
            parts = parts_of(store, settings)
            if await parts.records.is_empty():
                await _add_samples(parts)
            hosts = (settings.host, *filter(None, settings.hosts.replace(" ", "").split(",")))
            app = application(parts, hosts=hosts, pages=PAGES, lost=problem_page)
            entrance = parts.access.entrance() if settings.database_url is None and settings.host in LOOPBACK else None
            stop.closing = parts.live.close
            # What is there by now stays: the collector need not look through it again and again.
            gc.collect()
            gc.freeze()
            background = [asyncio.create_task(sequence(store.feed)), asyncio.create_task(parts.live.run())]
            try:
                await _run(app, listening, stop, lambda address: announce(address, entrance))
            finally:
                for task in background:
                    task.cancel()
                await asyncio.gather(*background, return_exceptions=True)
                await parts.records.labour.close()
    return stop.asked_by


def parts_of(store: Store, settings: Settings) -> Parts:
    """The services over an open store."""
    records = Records(store.games, store.annotations, store.matches, Labour())
    return Parts(
        records=records,
        access=Access(store.tokens, owner_token(settings.data)),
        sharing=Sharing(records, store.sharing),
        sittings=Sittings(records, store.matches),
        live=Live(records, store.feed),
        certifier=certifier_of(store, settings),
        readiness=Readiness(store.database),
        rate=Rate(settings.rate, settings.burst),
    )


async def _add_samples(parts: Parts) -> None:
    """Gives a fresh store hands to look at, which everybody may see."""
    for line in await parts.records.add_many(OWNER, sample_readings(), mode="record", language="zh"):
        if isinstance(line.id, UUID):
            await parts.sharing.share(OWNER, line.id, "public")


class _Stop:
    """Waits for SIGINT and SIGTERM. Before the server runs they end the program at once, in order; then they end the server."""

    def __init__(self) -> None:
        self.asked_by = signal.SIGTERM
        self.server: uvicorn.Server | None = None
        self.closing: Callable[[], None] = lambda: None
        self._opening = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._ask, number)

    def _ask(self, number: signal.Signals) -> None:
        self.asked_by = number
        if self.server is not None:
            self.closing()
            self.server.should_exit = True
        elif self._opening is not None:
            self._opening.cancel()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        reason = error.strerror or str(error)
        detail = Words(f"不能在 {host}:{port} 上提供服务：{reason}", f"cannot serve at {host}:{port}: {reason}")
        raise ProblemError("unavailable", detail) from error


async def _run(app: ASGIApp, listening: socket.socket, stop: _Stop, announce: Callable[[str], None]) -> None:
    config = uvicorn.Config(
        app,  # pyright: ignore[reportArgumentType] - the same protocol, with types of its own
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    stop.server = _Server(config)
    host, port = listening.getsockname()[:2]
    serving = asyncio.create_task(stop.server.serve(sockets=[listening]))
    while not (stop.server.started or serving.done()):
        await asyncio.sleep(0.01)
    if stop.server.started:
        announce(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
    await serving


class _Server(uvicorn.Server):
    """The server leaves signals to the program, which has more to close than a socket."""

    @contextlib.contextmanager
    def capture_signals(self):
        yield
