"""The drills themselves. Each works in a folder of its own, and examines what is stored when it is over."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg import sql

from services.store.embedded import EmbeddedServer
from tools.drills.database import DatabaseServer
from tools.drills.load import OPENING, Load, examine
from tools.drills.program import Program, wait_for
from tools.drills.report import Drill
from tools.drills.streams import Reader, open_files, settled

SOME = 20
"""So many appends show that a store works."""


def service_killed(folder: Path, *, rounds: int, writers: int = 4) -> Drill:
    """kill -9 of the service under load, again and again; its embedded database goes with it each time."""
    program, recovery = Program(folder), list[float]()
    program.start()
    with Load([program], writers) as load:
        for _ in range(rounds):
            load.until(len(load.acknowledged) + SOME)
            program.kill()
            killed = time.monotonic()
            program.start()
            recovery.append(load.pause_after(killed, SOME))
    return _examined("kill -9 of the service", program, load, recovery)


def database_killed(folder: Path, *, rounds: int, writers: int = 4) -> Drill:
    """kill -9 of the embedded database under load; the service stays."""
    program, recovery = Program(folder), list[float]()
    program.start()
    with Load([program], writers) as load:
        for _ in range(rounds):
            load.until(len(load.acknowledged) + SOME)
            killed = time.monotonic()
            os.kill(_postmaster(folder), 9)
            recovery.append(load.pause_after(killed, SOME))
    return _examined("kill -9 of the database", program, load, recovery)


def database_away(folder: Path, *, rounds: int, away: float = 3.0, writers: int = 4) -> Drill:
    """The database on another machine goes away, in good order and by kill -9, and comes back; the service must answer 503 meanwhile."""
    database, recovery, refusal = DatabaseServer(folder / "database"), list[float](), list[float]()
    database.start()
    with psycopg.connect(database.conninfo(database="postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE paipu")
    login = {"PAIPU_DATABASE_OWNER_URL": database.conninfo(), "PAIPU_DATABASE_URL": database.conninfo("paipu_service")}
    program = Program(folder / "var", PAIPU_POOL_TIMEOUT="2", **login)
    # The first start makes the role that the service logs in as: it is of the server, and a program of the owner makes it.
    Program(folder / "var", PAIPU_DATABASE_URL=database.conninfo()).run("export", "--all")
    program.start()
    try:
        with Load([program], writers) as load:
            for number in range(rounds):
                load.until(len(load.acknowledged) + SOME)
                (database.stop if number % 2 else database.kill)()
                gone = time.monotonic()
                wait_for(lambda: _status(program, "/readyz") == 503, 30, "503 while the database is away")
                refusal.append(time.monotonic() - gone)
                if _status(program, "/livez") != 200:
                    raise RuntimeError("the service died with its database")
                time.sleep(away)
                database.start()
                recovery.append(load.pause_after(time.monotonic(), SOME))
        told: dict[str, float | str] = {"503 within (s)": round(max(refusal), 2), "answers 503": load.answers[503]}
        return _examined("database away and back", program, load, recovery, told)
    finally:
        program.kill()
        database.remove()


def disk_full(folder: Path, *, rounds: int, writers: int = 2, megabytes: int = 160) -> Drill:
    """The disk of the data folder fills up under load, and has room again later: a small file system in memory, so this needs root."""
    name = "disk full"
    folder.mkdir(parents=True, exist_ok=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        return Drill(name=name, skipped=f"no small file system can be mounted: {mounted.stderr.strip()}")
    program, recovery, filler = Program(folder / "var"), list[float](), folder / "filler"
    try:
        program.start()
        with Load([program], writers) as load:
            for number in range(rounds):
                load.until(len(load.acknowledged) + SOME)
                _fill(filler)
                if number % 2:
                    _use_up_the_log(folder / "var")
                refused = load.answers[503] + load.answers[0]
                wait_for(lambda seen=refused: load.answers[503] + load.answers[0] > seen + 2, 300, "refusals on a full disk")
                if _status(program, "/livez") != 200:
                    raise RuntimeError("the service died of a full disk")
                filler.unlink()
                recovery.append(load.pause_after(time.monotonic(), SOME))
        return _examined(name, program, load, recovery, {"answers 503": load.answers[503]})
    finally:
        program.kill()
        wait_for(lambda: subprocess.run(["umount", str(folder)], capture_output=True, check=False).returncode == 0, 120, "umount")


def two_services(folder: Path, *, rounds: int, writers: int = 4) -> Drill:
    """Two services on one data folder, all writers in one game too; one is stopped, then killed, and comes back: the other goes on."""
    first, second = Program(folder), Program(folder)
    first.start()
    second.start()
    recovery = list[float]()
    with Load([first, second], writers) as load:
        for number in range(rounds):
            load.until(len(load.acknowledged) + SOME)
            (first.kill if number % 2 else first.stop)()
            gone = time.monotonic()
            recovery.append(load.pause_after(gone, SOME))
            first.start()
        load.until(len(load.acknowledged) + SOME)
    second.stop()
    return _examined("two services on one folder", first, load, recovery, {"clean conflicts (412)": load.answers[412]})


def clock_back(folder: Path, *, rounds: int, writers: int = 2) -> Drill:
    """Every append is dated an hour before the one before it: the database's clock runs backwards. Order is by seq and position alone."""
    database = DatabaseServer(folder / "database")
    database.start()
    with psycopg.connect(database.conninfo(database="postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE paipu")
    program = Program(folder / "var", PAIPU_DATABASE_URL=database.conninfo())
    program.start()
    try:
        with psycopg.connect(database.conninfo(), autocommit=True) as connection:
            connection.execute("CREATE SEQUENCE paipu.tick; GRANT USAGE ON paipu.tick TO paipu_service")
            for table, column in (("batch", "recorded_at"), ("feed_queue", "queued_at"), ("feed", "published_at"), ("game", "created_at")):
                connection.execute(
                    sql.SQL(
                        "ALTER TABLE {} ALTER {} SET DEFAULT '2026-01-01'::timestamptz - nextval('paipu.tick') * interval '1 hour'"
                    ).format(sql.Identifier("paipu", table), sql.Identifier(column))
                )
        with Load([program], writers) as load:
            load.until(rounds * SOME)
        with psycopg.connect(database.conninfo(), autocommit=True) as connection:
            backwards = connection.execute(
                "SELECT count(*) FROM paipu.batch JOIN paipu.batch AS next ON next.game_id = batch.game_id "
                "AND next.first_seq = batch.last_seq + 1 WHERE next.recorded_at < batch.recorded_at"
            ).fetchone()
        told: dict[str, float | str] = {"appends dated before their predecessor": backwards[0] if backwards else 0}
        return _examined("the clock runs backwards", program, load, [], told)
    finally:
        program.kill()
        database.remove()


def vanished_clients(folder: Path, *, rounds: int, writers: int = 2) -> Drill:
    """Clients that vanish in mid-upload, of one record, of an append and of a batch, while others write; and some that just stay silent."""
    program = Program(folder)
    program.start()
    with Load([program], writers) as load:
        load.until(SOME)
        game = load.acknowledged[0].game
        before = _count(program)
        uploads: list[Callable[[], bytes]] = [
            lambda: _request(program, "/api/games", OPENING, cut=len(OPENING) // 2),
            lambda: _request(program, f"/api/games/{game}/events", b'{"type":"\xe8\xbf\x87","actor":0}', cut=9),
            lambda: _request(program, "/api/games:batch", OPENING * 40, cut=len(OPENING) * 20 + 30),
        ]
        silent: list[socket.socket] = []
        for number in range(rounds):
            for upload in uploads:
                connection = socket.create_connection(("127.0.0.1", program.port), timeout=30)
                connection.sendall(upload())
                if number % 4 == 3:
                    silent.append(connection)
                else:
                    connection.close()
        moment = time.monotonic()
        recovery = [load.pause_after(moment, SOME)]
        for connection in silent:
            connection.close()
        after = _count(program)
    told: dict[str, float | str] = {"uploads cut short": rounds * 3, "games stored by them": after - before}
    drilled = _examined("clients that vanish in mid-upload", program, load, recovery, told)
    if after != before:
        raise RuntimeError(f"{after - before} games were stored by uploads that never ended")
    return drilled


def streams(folder: Path, *, rounds: int, writers: int = 2) -> Drill:
    """Readers of a stream that never read or that vanish, beside some that listen: these miss nothing, and the rest are let go."""
    program = Program(folder)
    program.start()
    with Load([program], writers) as load:
        load.until(SOME)
        calm = open_files(program.pid)
        listening = [Reader(program, load.shared) for _ in range(2)]
        refused = [reader.status for reader in listening if reader.status != 200]
        if refused:
            raise RuntimeError(f"streams answer {refused}")
        for reader in listening:
            reader.listen()
        silent = [Reader(program, load.shared, small=True) for _ in range(rounds * 2)]
        for number in range(rounds * 4):
            reader = Reader(program, load.shared)
            (reader.vanish if number % 2 else reader.close)()
        recovery = [load.pause_after(time.monotonic(), SOME * 5)]
        last = max(append.seq for append in load.acknowledged if append.game == load.shared)
        for reader in listening:
            wait_for(lambda reader=reader: reader.has_seen_all(last), 30, "the listening readers saw every event")
        for reader in silent:
            reader.vanish()
        for reader in listening:
            reader.close()
        # Each writer has a connection of its own, open or not at this moment.
        released = settled(program.pid, calm + writers + 2, 60)
    told: dict[str, float | str] = {
        "readers that never read": len(silent),
        "that vanished": rounds * 4,
        "let go within (s)": round(released, 1),
    }
    return _examined("slow and vanished readers", program, load, recovery, told)


def _examined(name: str, program: Program, load: Load, recovery: list[float], told: dict[str, float | str] | None = None) -> Drill:
    found = examine(program, load.acknowledged)
    code = program.stop()
    faults = found["faults"] if code == 0 else (*found["faults"], f"exit code {code}")
    return Drill(
        name=name,
        acknowledged=len(load.acknowledged),
        lost=found["lost"],
        doubled=found["doubled"],
        faults=faults,
        recovery=tuple(round(seconds, 3) for seconds in recovery),
        told={**(told or {}), "slowest answer (s)": round(load.slowest, 2)},
    )


def _status(program: Program, path: str) -> int:
    answer = program.ask("GET", path)
    return 0 if answer is None else answer.status


def _count(program: Program) -> int:
    return int(program.run("export", "--all").stdout.count(b"\n"))


def _request(program: Program, path: str, body: bytes, *, cut: int) -> bytes:
    """A request that announces its whole body and sends only the beginning of it."""
    given = {"Host": f"127.0.0.1:{program.port}", "Authorization": f"Bearer {program.token}", "Content-Length": str(len(body))}
    given |= {"Idempotency-Key": uuid4().hex, "If-Match": '"1"'}
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body[:cut]


def _postmaster(folder: Path) -> int:
    return int((folder / "postgres" / "data" / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])


def _use_up_the_log(data: Path) -> None:
    """Makes the database need a new file for its write-ahead log at once: where the disk is full it must go down, and come back."""
    with suppress(psycopg.Error), psycopg.connect(EmbeddedServer(data / "postgres").conninfo(), autocommit=True) as connection:
        for _ in range(20):
            connection.execute("SELECT txid_current(), pg_switch_wal()")


def _fill(filler: Path) -> None:
    """Takes all the room that is left."""
    with filler.open("wb", buffering=0) as file:
        free = shutil.disk_usage(filler.parent).free
        try:
            while free > 0:
                free -= file.write(bytes(min(free, 1 << 20)))
        except OSError:
            pass
