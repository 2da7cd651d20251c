"""The embedded PostgreSQL as a program sees it: the first to join starts it, the last to leave stops it."""

import subprocess
import sys
import time
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from services.store import server
from services.store.lease import Lease, held_by_someone
from services.store.server import EmbeddedServerError

__all__ = ["DATABASE", "EmbeddedServer", "EmbeddedServerError"]

DATABASE = "paipu"
_READY_SECONDS = 300.0
_LEAVE_SECONDS = 90.0
_POLL_SECONDS = 0.02
_MOST_KEEPERS = 3


class EmbeddedServer:
    """A server over ``folder``, shared by all programs that join it; ``folder`` is made where it is missing, and closed to others.

    Whoever may open the folder is trusted: no password guards the socket, the folders around data and socket do.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self._users = Lease(self._folder / "users.lock")

    def join(self) -> None:
        """Starts the server or joins the one that runs, and returns when it answers. Raises EmbeddedServerError."""
        self._make_folder()
        starting = Lease(self._folder / "start.lock")
        if not starting.take(exclusive=True, timeout=_READY_SECONDS):
            raise EmbeddedServerError(f"另一个程序仍在启动数据库 another program is still starting the database in {self._folder}")
        try:
            # A keeper that is about to end has this lock for itself until its server is down.
            if not self._users.take(exclusive=False, timeout=_READY_SECONDS):
                raise EmbeddedServerError(f"数据库仍在停止 the database in {self._folder} is still stopping")
            self._start_and_wait()
        except BaseException:
            self._users.release()
            raise
        finally:
            starting.release()

    def revive(self) -> None:
        """Starts the server again, at the same address, if its keeper was killed; for a program that has joined."""
        if not held_by_someone(self._folder / "keeper.lock"):
            self.join()

    def leave(self) -> None:
        """Leaves the server. The last to leave returns when it is down."""
        self._users.release()
        lock = self._folder / "users.lock"
        probe = Lease(lock)
        nobody_else = probe.take(exclusive=True, timeout=0)
        probe.release()
        if nobody_else or held_by_someone(lock):
            self._wait_for_keeper()

    def conninfo(self, user: str = server.SUPERUSER, database: str = DATABASE) -> str:
        """How to connect as ``user``: true while anybody uses the server. Raises EmbeddedServerError when none was started here."""
        try:
            socket_folder = (self._folder / "socket").read_text(encoding="utf-8")
        except OSError as error:
            raise EmbeddedServerError(f"数据库未启动 no database was started in {self._folder}") from error
        return make_conninfo(host=socket_folder, user=user, dbname=database)

    def _make_folder(self) -> None:
        try:
            self._folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise EmbeddedServerError(f"无法建立数据目录 the data folder cannot be made: {error}") from error

    def _start_and_wait(self) -> None:
        keepers = 0
        failure: Exception | None = None
        deadline = time.monotonic() + _READY_SECONDS
        while time.monotonic() < deadline:
            # A keeper that was there may be about to die, and one that was started here may be killed; where one after the other is gone,
            # the server cannot run.
            if not held_by_someone(self._folder / "keeper.lock"):
                if keepers == _MOST_KEEPERS:
                    break
                self._start_keeper()
                keepers += 1
            try:
                with psycopg.connect(self.conninfo(database="postgres"), autocommit=True, connect_timeout=10) as connection:
                    _make_database(connection)
                    return
            except (psycopg.OperationalError, EmbeddedServerError) as error:
                failure = error
            time.sleep(_POLL_SECONDS)
        message = f"数据库无法启动 the database cannot be started: {failure}\n{server.log_tail(self._folder)}"
        raise EmbeddedServerError(message) from failure

    def _start_keeper(self) -> None:
        """Whether it stands afterwards shows in its lock; what kept it from that is in the log."""
        server.initialise(self._folder)
        # -P: the folder that the program was started in must not provide our modules.
        command = [sys.executable, "-P", "-m", "services.store.keeper", str(self._folder)]
        with (self._folder / "server.log").open("ab") as log:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, check=False)

    def _wait_for_keeper(self) -> None:
        deadline = time.monotonic() + _LEAVE_SECONDS
        while held_by_someone(self._folder / "keeper.lock") and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)


def _make_database(connection: psycopg.Connection) -> None:
    if connection.execute("SELECT FROM pg_database WHERE datname = %s", (DATABASE,)).fetchone() is None:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
