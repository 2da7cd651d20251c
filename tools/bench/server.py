"""A PostgreSQL of the bench's own, embedded, in a folder that is gone afterwards, and games to fill it."""

import asyncio
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from uuid import uuid4

import msgspec
import uvloop
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from services.settings import Settings
from services.store.embedded import EmbeddedServer
from services.store.model import NewEvent, NewGame, Summary
from services.store.opening import Store, open_store
from tools.bench import samples

EVENTS_A_GAME = 120

Answer = TypeVar("Answer")


class Running:
    """A store on the bench's server; ``run`` carries out a coroutine on the loop that it was opened in."""

    def __init__(self, runner: asyncio.Runner, store: Store, server: EmbeddedServer) -> None:
        self._runner = runner
        self.store = store
        self.server = server

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """What the coroutine answers."""
        return self._runner.run(work)

    @property
    def service(self) -> str:
        """How to connect as the service does."""
        return make_conninfo(self.server.conninfo(), user="paipu_service", options="-c search_path=paipu")

    @property
    def address(self) -> dict[str, Any]:
        """Where the server is, and the superuser's name."""
        return conninfo_to_dict(self.server.conninfo())


@contextmanager
def running() -> Generator[Running]:
    """The server and a store on it, while the context lasts."""
    with TemporaryDirectory(prefix="paipu-bench-") as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        settings = Settings(data=Path(folder))
        opening = open_store(settings)
        store = runner.run(opening.__aenter__())
        try:
            yield Running(runner, store, EmbeddedServer(settings.data / "postgres"))
        finally:
            runner.run(opening.__aexit__(None, None, None))


def stored_events() -> tuple[NewEvent, ...]:
    """``EVENTS_A_GAME`` real events, as a game's log holds them."""
    record = samples.records("weimaque")[0]
    events = [NewEvent(kind=event.__struct_config__.tag, payload=msgspec.json.encode(event)) for event in record.events[2:]]
    return tuple(islice(cycle(events), EVENTS_A_GAME))


def new_games(count: int, events: tuple[NewEvent, ...]) -> list[NewGame]:
    """So many games of the same events, each with an id of its own."""
    summary = Summary(players=("甲", "乙", "丙", "丁"), dealer=0, title="测速", finished=True, end="胡", winners=(0,))
    return [
        NewGame(
            game_id=uuid4(),
            game="weimaque",
            owner="bench",
            recorder="bench",
            rules=b'{"preset":"dazhuo"}',
            header=b'{"format":"paipu/1","game":"weimaque"}',
            events=events,
            summary=summary,
        )
        for _ in range(count)
    ]
