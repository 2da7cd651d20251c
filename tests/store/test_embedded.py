"""The embedded server under programs that come, go and get killed."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from services.store import server
from services.store.embedded import EmbeddedServer, EmbeddedServerError
from services.store.lease import Lease, held_by_someone

NOBODY = 65534
# Keeps one right of root's, to get at this Python and at the folders above, which may be closed.
REACH = ("--securebits=+no_setuid_fixup", "--inh-caps=-all,+dac_override", "--ambient-caps=-all,+dac_override")


class Program:
    """A program of its own that has joined the server over a folder."""

    def __init__(self, folder: Path, *prefix: str, path: Path | None = None) -> None:
        environment = {**os.environ, **({} if path is None else {"PATH": str(path)})}
        command = [*prefix, sys.executable, "-W", "error", str(Path(__file__).with_name("program.py")), str(folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def conninfo(self) -> str:
        """How to connect, once the server answers."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the program ended before the server answered"
        return line.strip()

    def leave(self) -> int:
        """Lets the program end by itself; its exit code."""
        self._process.communicate(timeout=60)
        return self._process.returncode

    def kill(self) -> None:
        """Ends the program as kill -9 does."""
        self._process.kill()
        self._process.communicate(timeout=60)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where the server's files are; after the test nothing may run there."""
    folder = tmp_path / "var" / "postgres"
    yield folder
    eventually(lambda: not workers(folder), "every server and worker has ended")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody can get at, which those of pytest are not."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    eventually(lambda: not workers(folder / "var" / "postgres"), "every server and worker has ended")
    shutil.rmtree(folder)


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Program]]:
    """Starts programs over the folder, and ends those that the test leaves running."""
    programs: list[Program] = []

    def start(*prefix: str, at: Path = folder, path: Path | None = None) -> Program:
        programs.append(Program(at, *prefix, path=path))
        return programs[-1]

    yield start
    for program in programs:
        program.kill()


def eventually(holds: Callable[[], bool], what: str, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not in {seconds} s: {what}"
        time.sleep(0.02)


def workers(folder: Path) -> list[int]:
    """The processes that work in the data folder."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if entry.readlink() == folder / "data":
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def postmaster(folder: Path) -> int:
    return int((folder / "data" / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])


def keeper(folder: Path) -> int:
    """The parent of the server."""
    status = Path(f"/proc/{postmaster(folder)}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("PPid:")).split()[1])


def keepers(folder: Path) -> set[int]:
    """The processes that are a keeper of the folder, or are about to become one."""
    found: set[int] = set()
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if entry.read_bytes().split(b"\0")[-3:-1] == [b"services.store.keeper", os.fsencode(folder)]:
                found.add(int(entry.parent.name))
    return found


def answers(conninfo: str) -> bool:
    try:
        with psycopg.connect(conninfo, connect_timeout=5) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def remember(conninfo: str, number: int) -> None:
    with psycopg.connect(conninfo) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS remembered (number int)")
        connection.execute("INSERT INTO remembered VALUES (%s)", (number,))


def remembered(conninfo: str) -> list[int]:
    with psycopg.connect(conninfo) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM remembered ORDER BY number")]


def has_user_namespaces(*prefix: str, reaching: Path) -> bool:
    """Whether a user namespace can be had here, and a folder and the binaries be reached from within."""
    reach = 'cd "$1" && exec "$2" --version'
    command = ["unshare", "--user", f"--map-user={NOBODY}", "sh", "-c", reach, "sh", str(reaching), str(server.binaries() / "postgres")]
    return subprocess.run([*prefix, *command], capture_output=True, check=False).returncode == 0


def nothing(_: str) -> None:
    """Finds nothing, whatever is looked for."""


def test_the_first_starts_it_and_the_last_to_leave_stops_it(folder: Path, start: Callable[..., Program]) -> None:
    first = start()
    conninfo = first.conninfo()
    second = start()
    assert second.conninfo() == conninfo
    assert first.leave() == 0
    assert answers(conninfo)
    assert second.leave() == 0
    # Who leaves last returns when all is down.
    assert workers(folder) == []
    assert not held_by_someone(folder / "keeper.lock")
    assert not answers(conninfo)


def test_programs_that_start_at_once_share_one_server(folder: Path, start: Callable[..., Program]) -> None:
    programs = [start() for _ in range(4)]
    assert len({program.conninfo() for program in programs}) == 1
    assert {program.leave() for program in programs} == {0}
    assert workers(folder) == []


def test_files_are_closed_to_others_and_no_port_is_open(folder: Path, start: Callable[..., Program]) -> None:
    conninfo = start().conninfo()
    socket_folder = Path((folder / "socket").read_text(encoding="utf-8"))
    for closed in (folder.parent, folder, folder / "data", socket_folder):
        assert closed.stat().st_mode & 0o077 == 0, closed
    with psycopg.connect(conninfo) as connection:
        for setting, value in (("listen_addresses", ""), ("fsync", "on"), ("full_page_writes", "on"), ("synchronous_commit", "on")):
            assert connection.execute("SELECT current_setting(%s)", (setting,)).fetchone() == (value,)
        provider = connection.execute("SELECT datlocprovider, datlocale FROM pg_database WHERE datname = current_database()").fetchone()
        assert provider == ("b", "C.UTF-8")


def test_the_server_never_runs_as_root(folder: Path, start: Callable[..., Program]) -> None:
    start().conninfo()
    status = Path(f"/proc/{postmaster(folder)}/status").read_text(encoding="utf-8")
    users = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
    assert "0" not in users
    assert len(set(users)) == 1


def test_a_killed_program_leaves_no_server_behind(folder: Path, start: Callable[..., Program]) -> None:
    program = start()
    remember(program.conninfo(), 1)
    program.kill()
    eventually(lambda: not workers(folder), "the server has ended")
    assert remembered(start().conninfo()) == [1]


def test_one_of_two_killed_programs_takes_nothing_from_the_other(start: Callable[..., Program]) -> None:
    first = start()
    conninfo = first.conninfo()
    start().conninfo()
    first.kill()
    time.sleep(0.5)
    assert answers(conninfo)


def test_a_killed_server_comes_back_with_all_that_was_committed(folder: Path, start: Callable[..., Program]) -> None:
    conninfo = start().conninfo()
    for number in range(3):
        remember(conninfo, number)
        killed = postmaster(folder)
        os.kill(killed, signal.SIGKILL)
        eventually(lambda: answers(conninfo), "the server is back at the same address")
        assert postmaster(folder) != killed
    assert remembered(conninfo) == [0, 1, 2]


def test_a_killed_keeper_takes_the_server_along_and_is_replaced(folder: Path) -> None:
    program = EmbeddedServer(folder)
    program.join()
    conninfo = program.conninfo()
    remember(conninfo, 1)
    for _ in range(2):
        os.kill(keeper(folder), signal.SIGKILL)
        eventually(lambda: not held_by_someone(folder / "keeper.lock"), "the keeper is gone")
        program.revive()
        assert program.conninfo() == conninfo
        assert remembered(conninfo) == [1]
    program.revive()  # nothing to do
    program.leave()
    assert workers(folder) == []


def test_keeper_and_server_killed_together_are_no_obstacle(folder: Path, start: Callable[..., Program]) -> None:
    program = start()
    remember(program.conninfo(), 1)
    server_pid, keeper_pid = postmaster(folder), keeper(folder)
    os.kill(keeper_pid, signal.SIGKILL)
    os.kill(server_pid, signal.SIGKILL)
    program.kill()
    assert remembered(start().conninfo()) == [1]


def test_keepers_killed_while_a_program_joins_are_no_obstacle(folder: Path, start: Callable[..., Program]) -> None:
    start().leave()
    killed: set[int] = set()
    program = start()
    deadline = time.monotonic() + 30
    while len(killed) < 2 and time.monotonic() < deadline:
        for pid in keepers(folder) - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
    assert answers(program.conninfo())


def test_an_initdb_killed_early_leaves_nothing_in_the_way(folder: Path, start: Callable[..., Program]) -> None:
    for _ in range(2):
        program = start()
        eventually(lambda: any(folder.glob("data.new-*/*")), "initdb is at work")
        program.kill()
        assert not (folder / "data").exists()
    assert answers(start().conninfo())
    assert list(folder.glob("data.new-*")) == []


@pytest.mark.parametrize("pid", ["another program's", "nobody's", "no number", "nothing"])
def test_a_stale_pid_file_is_no_obstacle(folder: Path, start: Callable[..., Program], pid: str) -> None:
    program = start()
    remember(program.conninfo(), 1)
    pid_file = folder / "data" / "postmaster.pid"
    lines = pid_file.read_text(encoding="utf-8").splitlines()
    owner = pid_file.stat().st_uid
    program.leave()
    other = subprocess.Popen(["sleep", "60"])
    lines[0] = {"another program's": str(other.pid), "nobody's": str(2**22 - 1), "no number": "x", "nothing": ""}[pid]
    pid_file.write_text("\n".join(lines) + "\n" if lines[0] else "", encoding="utf-8")
    os.chown(pid_file, owner, owner)
    try:
        assert remembered(start().conninfo()) == [1]
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_deep_folder_is_no_obstacle(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["很深的文件夹 with spaces"] * 6, "var", "postgres")
    assert len(os.fsencode(deep)) > 108
    program = EmbeddedServer(deep)
    program.join()
    try:
        assert answers(program.conninfo())
    finally:
        program.leave()


def test_an_ordinary_user_starts_it_as_himself(tmp_path: Path, start: Callable[..., Program]) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    prefix: tuple[str, ...] = ()
    if os.geteuid() == 0:
        os.chown(home, NOBODY, NOBODY)
        prefix = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *REACH)
    folder = home / "var" / "postgres"
    # What he made, root can go on with, and he again.
    for prefix_now in (prefix, (), prefix):
        program = start(*prefix_now, at=folder)
        assert answers(program.conninfo())
        assert (folder / "data").stat().st_uid == home.stat().st_uid
        status = Path(f"/proc/{postmaster(folder)}/status").read_text(encoding="utf-8")
        assert f"Uid:\t{home.stat().st_uid}\t" in status
        assert program.leave() == 0


def test_a_user_without_account_needs_user_namespaces(open_folder: Path, start: Callable[..., Program]) -> None:
    home, stranger = open_folder, 61234
    prefix: tuple[str, ...] = ()
    if os.geteuid() == 0:
        os.chown(home, stranger, stranger)
        prefix = ("setpriv", f"--reuid={stranger}", f"--regid={stranger}", "--clear-groups", *REACH)
    program = start(*prefix, at=home / "var" / "postgres")
    if os.geteuid() != 0 or has_user_namespaces(*prefix, reaching=home):
        assert answers(program.conninfo())
        assert (home / "var" / "postgres" / "data").stat().st_uid == home.stat().st_uid
        assert program.leave() == 0
    else:
        assert program.leave() == 1


def test_without_setpriv_root_needs_user_namespaces(folder: Path, tmp_path: Path, start: Callable[..., Program]) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "unshare").symlink_to(shutil.which("unshare") or "")
    program = start(path=tools)
    if os.geteuid() != 0 or has_user_namespaces(reaching=tmp_path):
        conninfo = program.conninfo()
        assert answers(conninfo)
        # Without setpriv a killed keeper does not take its server along: the next one sees to that.
        os.kill(keeper(folder), signal.SIGKILL)
        again = start()
        assert answers(again.conninfo())
        assert again.leave() == 0
        assert program.leave() == 0
    else:
        assert program.leave() == 1


def test_a_server_that_cannot_start_is_reported_with_its_own_words(folder: Path, start: Callable[..., Program]) -> None:
    start().conninfo()
    eventually(lambda: bool(workers(folder)), "the server runs")
    configuration = folder / "data" / "postgresql.auto.conf"
    start().leave()
    configuration.write_text("shared_buffers = 'much'\n", encoding="utf-8")
    for pid in (keeper(folder), postmaster(folder)):
        os.kill(pid, signal.SIGKILL)
    program = EmbeddedServer(folder)
    with pytest.raises(EmbeddedServerError, match="shared_buffers"):
        program.join()
    configuration.write_text("", encoding="utf-8")


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(EmbeddedServerError, match="cannot be made"):
        EmbeddedServer(tmp_path / "file" / "postgres").join()
    with pytest.raises(EmbeddedServerError, match="no database was started"):
        EmbeddedServer(tmp_path / "other").conninfo()


def test_missing_binaries_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "find_spec", nothing)
    with pytest.raises(EmbeddedServerError, match="PAIPU_DATABASE_URL"):
        server.binaries()


def test_no_way_to_run_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", nothing)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(EmbeddedServerError, match="PAIPU_DATABASE_URL"):
        server.launcher(tmp_path)


def test_a_lease_is_shared_or_exclusive(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    one, two = Lease(path), Lease(path)
    assert one.take(exclusive=False, timeout=0)
    assert two.take(exclusive=False, timeout=0)
    assert not two.take(exclusive=True, timeout=0.05)
    assert not held_by_someone(path)
    one.release()
    one.release()
    assert two.take(exclusive=True, timeout=0)
    assert held_by_someone(path)
    assert not one.take(exclusive=False, timeout=0)
    two.release()
    assert one.take(exclusive=True, timeout=0)
    one.release()
