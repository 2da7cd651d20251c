"""The keeper: a small process that runs one embedded server for as long as any program uses it.

Programs hold a shared lock on ``users.lock``. The keeper restarts a server that dies; when it can have that lock for itself alone, nobody
is left, however they went: it stops the server and ends. It holds ``keeper.lock`` while it lives. Run as
``python -m services.store.keeper FOLDER``.
"""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from services.store import server
from services.store.lease import Lease

POLL_SECONDS = 0.1
_TAKE_OVER_SECONDS = 30.0
_LEAST_UPTIME = 2.0
_MOST_SHORT_LIVES = 5


def main(arguments: list[str]) -> int:
    """Becomes the keeper of the folder named. The call returns once the keeper stands, and the keeper goes on in a process of its own."""
    folder = Path(arguments[0])
    lease = Lease(folder / "keeper.lock")
    if not lease.take(exclusive=True, timeout=_TAKE_OVER_SECONDS):
        return 1
    # A server that outlived its keeper must be gone before anybody takes its answer for that of the one to come.
    server.settle(folder / "data")
    # The child shares the lock, so there is no moment without it; and nobody need wait for a grandchild.
    if os.fork():
        return 0
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    _keep(folder)
    return 0


def _keep(folder: Path) -> None:
    way = server.launcher(folder)
    users = Lease(folder / "users.lock")
    server.give(folder / "data", way)
    socket_folder = _socket_folder(folder, way)
    process: subprocess.Popen[bytes] | None = None
    started = 0.0
    short_lives = 0
    while not users.take(exclusive=True, timeout=0):
        if process is None or process.poll() is not None:
            if process is not None:
                short_lives = short_lives + 1 if time.monotonic() - started < _LEAST_UPTIME else 0
            if short_lives == _MOST_SHORT_LIVES:
                break  # it cannot run; whoever waits for it sees the keeper gone and reads the log
            server.settle(folder / "data")
            process = server.start(folder, socket_folder, way)
            started = time.monotonic()
        time.sleep(POLL_SECONDS)
    if process is not None and process.poll() is None:
        server.stop(process)
    shutil.rmtree(socket_folder, ignore_errors=True)


def _socket_folder(folder: Path, way: server.Launcher) -> Path:
    """A folder for the server's socket, closed to others, with a short path (a socket's path holds about a hundred bytes).

    It keeps its name from keeper to keeper where that is still to be had: programs may hold the address of one that was killed.
    """
    note = folder / "socket"
    if note.exists():
        earlier = Path(note.read_text(encoding="utf-8"))
        if _is_ours(earlier, way):
            for dead in earlier.iterdir():
                dead.unlink()
            server.give(earlier, way)
            return earlier
        with suppress(OSError):
            earlier.mkdir(mode=0o700)
            server.give(earlier, way)
            return earlier
    made = Path(tempfile.mkdtemp(prefix="paipu-"))
    server.give(made, way)
    fresh = folder / "socket.new"
    fresh.write_text(str(made), encoding="utf-8")
    fresh.replace(note)
    return made


def _is_ours(folder: Path, way: server.Launcher) -> bool:
    """Whether a folder under the shared temporary directory is still the one made here, and not another's of the same name."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid in (os.geteuid(), way.owner) and stat.S_IMODE(found.st_mode) == 0o700


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
