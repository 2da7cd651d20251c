"""A PostgreSQL server that a drill starts and stops as it likes, as if it stood on another machine."""

import subprocess
import tempfile
import time
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from services.store import server


class DatabaseServer:
    """A server over a folder, which the drill alone starts, stops and kills."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, mode=0o700)
        server.initialise(folder)
        self._way = server.launcher(folder)
        server.give(folder / "data", self._way)
        self._socket = Path(tempfile.mkdtemp(prefix="paipu-drill-"))  # not below the folder: a socket's path must be short
        server.give(self._socket, self._way)

    def start(self) -> None:
        """Starts it and returns when it answers."""
        self._process = server.start(self._folder, self._socket, self._way)
        while True:
            try:
                with psycopg.connect(self.conninfo(database="postgres"), connect_timeout=5):
                    return
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    raise RuntimeError(server.log_tail(self._folder)) from None
                time.sleep(0.02)

    def stop(self) -> None:
        """Stops it in good order."""
        if self._process is not None:
            server.stop(self._process)

    def kill(self) -> None:
        """Kills it (kill -9), and waits until the workers that it leaves behind have seen that."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            server.settle(self._folder / "data")

    def remove(self) -> None:
        """Stops it for good."""
        self.stop()
        for left in self._socket.iterdir():
            left.unlink()
        self._socket.rmdir()

    def conninfo(self, user: str = server.SUPERUSER, database: str = "paipu") -> str:
        """How to connect."""
        return make_conninfo(host=str(self._socket), user=user, dbname=database)
