"""Goals about HTTP: reading a stored record beside a bare answer of the same bytes, appending beside pgbench."""

import os
import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from services.store.embedded import EmbeddedServer
from services.store.log import _APPEND as APPEND  # pyright: ignore[reportPrivateUsage] - the very statement, not one like it
from services.store.model import Summary
from services.store.server import binaries
from services.store.summaries import summary_parameters
from tools.bench import samples
from tools.bench.asking import ask, request, served
from tools.bench.goal import Goal, Measured
from tools.bench.peers import Unmeasurable
from tools.bench.timing import WALL, Side, compare, in_turns, once

CONNECTIONS = 8
_READS = 60
_ROUNDS = 7
_PROGRAM = str(Path(sys.executable).with_name("paipu"))
_OPENING = 2
"""Events that a game is opened with: 开局 and 起牌."""


class _Serving(NamedTuple):
    host: str
    token: str
    folder: Path

    def request(self, method: str, path: str, body: bytes = b"", version: int | None = None) -> bytes:
        return request(self.host, method, path, self.token, body, version)


@contextmanager
def _paipu() -> Generator[_Serving]:
    with TemporaryDirectory(prefix="paipu-bench-") as name, served(_PROGRAM, "serve", "--port=0", PAIPU_DATA=name) as host:
        folder = Path(name)
        yield _Serving(host, (folder / "token").read_text(encoding="ascii").strip(), folder)


def _read() -> Measured:
    with _paipu() as paipu:
        text = samples.recorded("weimaque")[0]
        ((imported,),) = ask(paipu.host, [[paipu.request("POST", "/api/games?again=1", text)]], expected=201)
        get = paipu.request("GET", f"/api/games/{msgspec.json.decode(imported)['id']}")
        ((content,),) = ask(paipu.host, [[get]])
        file = paipu.folder / "answer.json"
        file.write_bytes(content)
        with served(sys.executable, "-m", "tools.bench.bare", str(file)) as bare:
            get_bare = request(bare, "GET", "/", paipu.token)
            found = compare(
                Side(run=lambda: ask(paipu.host, [[get] * _READS] * CONNECTIONS), units=_READS * CONNECTIONS),
                Side(run=lambda: ask(bare, [[get_bare] * _READS] * CONNECTIONS), units=_READS * CONNECTIONS),
                rounds=_ROUNDS,
                clock=WALL,
            )
    return Measured(
        value=found.ratio,
        times={"Paipu GET": found.ours * 1e6, "bare ASGI": found.other * 1e6},
        note=f"{len(content)} bytes, {CONNECTIONS} connections",
    )


class _Appending:
    """Rounds of appends over HTTP: every connection records one hand, an event a request."""

    def __init__(self, paipu: _Serving) -> None:
        self._paipu = paipu
        self._record: dict[str, Any] = msgspec.json.decode(max(samples.recorded("weimaque"), key=len))
        self.events = [msgspec.json.encode(event) for event in self._record["events"][_OPENING:]]
        self._opening = msgspec.json.encode({**self._record, "events": self._record["events"][:_OPENING]})

    def seconds(self) -> float:
        """Seconds an append."""
        opening = self._paipu.request("POST", "/api/games", self._opening)
        answers = ask(self._paipu.host, [[opening]] * CONNECTIONS, expected=201)
        games = [msgspec.json.decode(body)["id"] for (body,) in answers]
        hands = [
            [
                self._paipu.request("POST", f"/api/games/{game}/events", event, version)
                for version, event in enumerate(self.events, _OPENING)
            ]
            for game in games
        ]
        return once(lambda: ask(self._paipu.host, hands, expected=201), len(self.events) * CONNECTIONS, clock=WALL)


_CONSTANT_HEAD = bytes(32)
_TRANSACTIONS = re.compile(r"tps = ([0-9.]+)")


class _Pgbench:
    """Rounds of the same statement from pgbench, on the server that Paipu uses: every client appends to a game of its own."""

    def __init__(self, folder: Path, event: bytes, events: int) -> None:
        self._program = binaries() / "pgbench"
        if not self._program.exists():
            raise Unmeasurable(f"没有 pgbench，no pgbench beside the server's programs: {self._program.name}")
        self._server = EmbeddedServer(folder / "postgres")
        self._script = folder / "append.sql"
        self._events = events
        self._rounds = count(1)
        parameters = {
            "count": 1,
            "previous": _CONSTANT_HEAD,
            "head": _CONSTANT_HEAD,
            "kinds": ["出"],
            "kind_versions": [1],
            "payloads": [event],
            "recorder": "owner",
            "request_id": None,
            "request_digest": None,
            "answer": b"",
            **summary_parameters(Summary(players=("甲", "乙", "丙", "丁"), dealer=0)),
        }
        statement = APPEND
        for name, value in parameters.items():
            statement = statement.replace(f"%({name})b", sql.Literal(value).as_string())
        statement = statement.replace("%(game_id)b", "lpad(to_hex(:round * 1000 + :client_id), 32, '0')::uuid")
        statement = " ".join(statement.replace("%(expected)b", ":version").split())
        self._script.write_text(f"{statement};\n\\set version :version + 1\n", encoding="utf-8")

    def seconds(self) -> float:
        """Seconds an append."""
        number = next(self._rounds)
        with psycopg.connect(self._server.conninfo(), autocommit=True) as connection:
            for client in range(CONNECTIONS):
                game = UUID(int=number * 1000 + client)
                connection.execute(
                    "INSERT INTO paipu.game (game_id, game, owner, rules, header) VALUES (%s, 'weimaque', 'owner', '', '')", (game,)
                )
                connection.execute("INSERT INTO paipu.game_head VALUES (%s, %s, %s)", (game, _OPENING, _CONSTANT_HEAD))
        where = conninfo_to_dict(self._server.conninfo())
        command = [
            *(str(self._program), "--no-vacuum", "--protocol=prepared", f"--client={CONNECTIONS}", f"--transactions={self._events}"),
            *(f"--define=round={number}", f"--define=version={_OPENING}", f"--file={self._script}"),
            *(f"--host={where['host']}", "--username=paipu_service", str(where["dbname"])),
        ]
        environment = {**os.environ, "PGOPTIONS": "-c search_path=paipu"}
        told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found = _TRANSACTIONS.search(told.stdout)
        if found is None or "number of failed transactions: 0" not in told.stdout:
            raise RuntimeError(told.stdout + told.stderr)
        return 1 / float(found[1])


def _append() -> Measured:
    with _paipu() as paipu:
        appending = _Appending(paipu)
        pgbench = _Pgbench(paipu.folder, appending.events[0], len(appending.events))
        appending.seconds()
        pgbench.seconds()
        found = in_turns(appending.seconds, pgbench.seconds, _ROUNDS)
    return Measured(
        value=found.ratio,
        times={"Paipu POST": found.ours * 1e6, "pgbench": found.other * 1e6},
        note=f"{CONNECTIONS} connections",
    )


GOALS = (
    Goal(
        name="get",
        zh="读取一份存好的记录，比裸 ASGI 应答同样的字节",
        en="GET of a stored record against a bare ASGI answer of the same bytes",
        great=0.8,
        floor=0.5,
        measure=_read,
    ),
    Goal(
        name="post",
        zh="记一个事件，比 pgbench 执行同一条语句",
        en="POST append against pgbench with the same statement",
        great=0.5,
        floor=0.25,
        measure=_append,
    ),
)
