"""Writes while database, keeper and writing programs are killed (kill -9) again and again, then counts what was lost: nothing may be.

An append counts as acknowledged when the writing program has reported it; each carries a request key and is retried with it until it is.
Run as ``python -m tools.soak`` (``make soak``).
"""

import argparse
import asyncio
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import msgspec

from services.settings import Settings
from services.store.log import game_id_for
from services.store.model import Append, Appended, NewEvent, NewGame, Replayed, RequestKey, Stale, StoreUnavailableError, Summary
from services.store.opening import Store, open_store

WRITERS = 4
OWNER = "soak"
SHARED_GAME = "shared"
_STALL_SECONDS = 120.0
_SUMMARY = Summary(players=("甲", "乙"), dealer=0)


class Acknowledged(msgspec.Struct, frozen=True, kw_only=True):
    """One append that a writer reported: the event of this key stands at this seq."""

    game_id: UUID
    key: str
    seq: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a soak found. ``lost`` and ``doubled`` are keys, ``broken`` says which chains do not hold; all are empty in a sound store."""

    acknowledged: int
    kills: dict[str, int]
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    broken: tuple[str, ...]

    @property
    def sound(self) -> bool:
        return not (self.lost or self.doubled or self.broken)


async def write(data: Path, name: str) -> None:
    """A writing program: appends to a game of its own and to one that all share, and reports each append on standard output."""
    async with open_store(Settings(data=data)) as store:
        own, shared = [await _open_game(store, game) for game in (name, SHARED_GAME)]
        version = {own: 1, shared: 1}
        number = 0
        while not _input_ended():
            number += 1
            for game_id in (own, shared):
                key = f"{name} {number}"
                version[game_id] = await _append(store, game_id, key, version[game_id])
                line = msgspec.json.encode(Acknowledged(game_id=game_id, key=key, seq=version[game_id] - 1))
                os.write(sys.stdout.fileno(), line + b"\n")


async def _open_game(store: Store, name: str) -> UUID:
    game = NewGame(
        game_id=game_id_for(OWNER, name),
        game="weimaque",
        owner=OWNER,
        recorder=name,
        rules=b"{}",
        header=b"{}",
        events=(NewEvent(kind="开局", payload=b"{}"),),
        summary=_SUMMARY,
        request=RequestKey(id=name, digest=b"same"),
    )
    while True:
        try:
            await store.games.create(game)
        except StoreUnavailableError:
            await asyncio.sleep(0.05)
        else:
            return game.game_id


async def _append(store: Store, game_id: UUID, key: str, version: int) -> int:
    """Appends one event, however long it takes; the version behind it."""
    while True:
        append = Append(
            game_id=game_id,
            expected=version,
            events=(NewEvent(kind="过", payload=key.encode()),),
            recorder=OWNER,
            summary=_SUMMARY,
            request=RequestKey(id=key, digest=key.encode()),
        )
        try:
            outcome = await store.games.append(append)
        except StoreUnavailableError:
            await asyncio.sleep(0.05)
            continue
        match outcome:
            case Appended() | Replayed():
                return outcome.version
            case Stale():
                version = outcome.version
            case _:
                raise RuntimeError(f"{key}: {outcome}")


def _input_ended() -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0])


class _Writers:
    """The writing programs, and what they have reported. A name is never used by two of them."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._started = 0
        self._running: list[subprocess.Popen[bytes]] = []
        self._unfinished: dict[int, bytes] = {}
        self.acknowledged: list[Acknowledged] = []

    def fill_up(self) -> None:
        """Starts programs until there are ``WRITERS``. One that ended by itself has failed."""
        while len(self._running) < WRITERS:
            self._started += 1
            command = [sys.executable, "-P", "-m", "tools.soak", "--write", f"writer {self._started}", "--data", str(self._data)]
            self._running.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))

    def collect(self, seconds: float) -> None:
        """Reads reports for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            pipes = {writer.stdout.fileno(): writer for writer in self._running if writer.stdout is not None}
            for pipe in select.select(list(pipes), [], [], left)[0]:
                if not self._read(pipe):
                    raise RuntimeError(f"a writer ended with {pipes[pipe].wait()}")

    def kill_one(self, chance: random.Random) -> None:
        """Kills one program; what it had reported before still counts."""
        writer = self._running.pop(chance.randrange(len(self._running)))
        writer.kill()
        self._drain(writer)

    def finish(self) -> None:
        """Lets all programs come to an end."""
        for writer in self._running:
            if writer.stdin is not None:
                writer.stdin.close()
        for writer in self._running:
            self._drain(writer)
        self._running.clear()

    def kill_all(self) -> None:
        """Kills all programs."""
        for writer in self._running:
            writer.kill()
            self._drain(writer)
        self._running.clear()

    def _drain(self, writer: subprocess.Popen[bytes]) -> None:
        if writer.stdout is not None:
            while self._read(writer.stdout.fileno()):
                pass
            writer.stdout.close()
        if writer.stdin is not None:
            writer.stdin.close()
        writer.wait()

    def _read(self, pipe: int) -> bool:
        """Takes what a pipe holds; a line that a killed program cut short is no report. False: the pipe has ended."""
        chunk = os.read(pipe, 65536)
        *lines, rest = (self._unfinished.pop(pipe, b"") + chunk).split(b"\n")
        self.acknowledged += [msgspec.json.decode(line, type=Acknowledged) for line in lines]
        if chunk:
            self._unfinished[pipe] = rest
        return bool(chunk)


def soak(data: Path, *, kills: int, appends: int, seed: int = 0) -> Report:
    """Runs writers over a data folder through at least that many kills and acknowledged appends, and examines what is stored."""
    chance = random.Random(seed)
    writers = _Writers(data)
    killed: Counter[str] = Counter()
    server = data / "postgres"

    def kill(*pids: int | None) -> None:
        for pid in pids:
            if pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    attacks: dict[str, Callable[[], None]] = {
        "database": lambda: kill(_postmaster(server)),
        "writer": lambda: writers.kill_one(chance),
        "keeper": lambda: kill(_parent(_postmaster(server))),
        "keeper and database": lambda: kill(_parent(_postmaster(server)), _postmaster(server)),
        "all writers": writers.kill_all,
    }
    progress, last_progress = 0, time.monotonic()
    try:
        while killed.total() < kills or len(writers.acknowledged) < appends:
            writers.fill_up()
            writers.collect(0.2 + chance.random() * 0.5)
            if len(writers.acknowledged) > progress:
                # Only a store that works again is worth the next kill.
                progress, last_progress = len(writers.acknowledged), time.monotonic()
                name = list(attacks)[killed.total() % len(attacks)]
                attacks[name]()
                killed[name] += 1
            elif time.monotonic() - last_progress > _STALL_SECONDS:
                raise RuntimeError(f"no append in {_STALL_SECONDS:.0f} s after {dict(killed)}")
        writers.finish()
    finally:
        writers.kill_all()
    return asyncio.run(_examine(data, writers.acknowledged, dict(killed)))


async def _examine(data: Path, acknowledged: list[Acknowledged], kills: dict[str, int]) -> Report:
    async with open_store(Settings(data=data)) as store:
        stored: dict[UUID, dict[int, str]] = {}
        broken: list[str] = []
        doubled: list[str] = []
        async for game_id in store.games.game_ids():
            events = await store.games.events(game_id)
            stored[game_id] = {event.seq: event.payload.decode() for event in events}
            doubled += [key for key, times in Counter(stored[game_id].values()).items() if times > 1]
            chain = await store.games.verify(game_id)
            if chain is None or chain.fault is not None:
                broken.append(f"{game_id}: {chain}")
        while await store.feed.advance():
            pass
        feed = await store.feed.verify()
        if feed.fault is not None:
            broken.append(f"feed: {feed.fault}")
        published = sum(entry.last_seq - entry.first_seq + 1 for entry in await store.feed.read(limit=feed.length))
        if published != sum(map(len, stored.values())):
            broken.append(f"feed: {published} events are published, {sum(map(len, stored.values()))} are stored")
        lost = [f"{append.game_id} {append.key}" for append in acknowledged if stored.get(append.game_id, {}).get(append.seq) != append.key]
    return Report(acknowledged=len(acknowledged), kills=kills, lost=tuple(lost), doubled=tuple(doubled), broken=tuple(broken))


def _postmaster(folder: Path) -> int | None:
    try:
        return int((folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def _parent(pid: int | None) -> int | None:
    """The parent of a process, where that is not the system's first."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    parent = int(next(line for line in status.splitlines() if line.startswith("PPid:")).split()[1])
    return parent if parent > 1 else None


def main() -> int:
    """The command line; exit code 1 when anything was lost, doubled or broken."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.soak", description="写入时反复 kill -9，清点得失 write while everything is killed"
    )
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--appends", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, help="data folder (default: a temporary one)")
    parser.add_argument("--write", metavar="NAME", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write is not None:
        asyncio.run(write(given.data, given.write))
        return 0
    with tempfile.TemporaryDirectory(prefix="paipu-soak-") as temporary:
        report = soak(given.data or Path(temporary), kills=given.kills, appends=given.appends, seed=given.seed)
    print(f"{report.acknowledged} acknowledged, kills: {report.kills}")
    for kind, faults in (("lost", report.lost), ("doubled", report.doubled), ("broken", report.broken)):
        print(f"{kind}: {len(faults)}", *faults[:20], sep="\n  ")
    return 0 if report.sound else 1


if __name__ == "__main__":
    sys.exit(main())
