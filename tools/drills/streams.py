"""Readers of a game's stream of news: those that listen, those that never read what they are sent, and those that vanish."""

import re
import socket
import struct
import threading
import time
from pathlib import Path

from tools.drills.program import Program

_ID = re.compile(rb"\nid: (\d+)\n")


class Reader:
    """One open stream. ``small`` gives it a receive buffer that fills at once, so that the service feels it when nobody reads."""

    def __init__(self, program: Program, game: str, *, small: bool = False) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if small:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        self._socket.settimeout(30)
        self._socket.connect(("127.0.0.1", program.port))
        head = f"GET /api/games/{game}/stream HTTP/1.1\r\nHost: 127.0.0.1:{program.port}\r\nAuthorization: Bearer {program.token}\r\n\r\n"
        self._socket.sendall(head.encode())
        self.status = int(self._socket.recv(12)[9:12])
        self.seen: list[int] = []
        self._ended = False

    def listen(self) -> None:
        """Reads from now on, in a thread of its own, until it is closed."""
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Ends the connection in good order."""
        self._socket.close()

    def vanish(self) -> None:
        """Ends the connection at once, as a phone does that lost its network and then its patience: with a reset."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def has_seen_all(self, upto: int) -> bool:
        """Whether every event up to ``upto`` came. Raises RuntimeError where one came twice, or before one that it stands behind, or where
        the stream ended before."""
        seen = list(self.seen)
        if seen != list(range(len(seen))):
            raise RuntimeError(f"events came as {seen[:5]} … {seen[-5:]}")
        if self._ended and len(seen) <= upto:
            raise RuntimeError(f"the stream ended behind event {len(seen) - 1}, before event {upto}")
        return len(seen) > upto

    def _listen(self) -> None:
        rest = b""
        while True:
            try:
                chunk = self._socket.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                chunk = b""
            if not chunk:
                self._ended = True
                return
            # Each message travels in a piece of its own, so an id is never cut by the marks between pieces; but a read may end in it.
            whole, mark, rest = (rest + chunk).rpartition(b"\n\n")
            self.seen += [int(number) for number in _ID.findall(whole + mark)]


def open_files(pid: int) -> int:
    """How many files and sockets a process holds open."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def settled(pid: int, most: int, seconds: float) -> float:
    """Waits until a process holds at most so many files, and gives how long that took. Raises RuntimeError."""
    started = time.monotonic()
    while open_files(pid) > most:
        if time.monotonic() - started > seconds:
            raise RuntimeError(f"{open_files(pid)} files are open, {most} were before the readers came")
        time.sleep(0.1)
    return time.monotonic() - started
