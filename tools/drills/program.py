"""The program as its users run it: ``paipu serve`` in a process of its own, and commands beside it."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import msgspec

PAIPU = Path(sys.executable).parent / "paipu"
_START_SECONDS = 120.0
_ANSWER_SECONDS = 30.0


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What an HTTP call came to."""

    status: int
    headers: dict[str, str]
    body: bytes


class Program:
    """A service over a data folder; further environment may name a database. It listens at one port of its own, start after start."""

    def __init__(self, data: Path, **environment: str) -> None:
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIPU_")}
        self._environment |= {"PAIPU_DATA": str(data), **environment}
        self._data = data
        self._process: subprocess.Popen[bytes] | None = None
        self._said: deque[str] = deque(maxlen=50)
        self.port = 0

    def start(self) -> None:
        """Starts it and returns when it can be reached. Raises RuntimeError with what it said."""
        command = [str(PAIPU), "serve", "--port", str(self.port), "--lang", "en"]
        self._process = subprocess.Popen(command, env=self._environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        ready = threading.Event()
        threading.Thread(target=self._listen, args=(self._process, ready), daemon=True).start()
        if not ready.wait(_START_SECONDS) or self._process.poll() is not None:
            self.kill()
            raise RuntimeError(f"the service did not come up: {''.join(self._said)}")

    def kill(self) -> None:
        """Kills it (kill -9)."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Asks it to stop, and gives its exit code."""
        return self._end(signal.SIGTERM)

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process. Raises RuntimeError where it was never started."""
        if self._process is None:
            raise RuntimeError("not started")
        return self._process.pid

    @property
    def token(self) -> str:
        """The owner's token."""
        return (self._data / "token").read_text(encoding="ascii").strip()

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Answer | None:
        """One call on a connection of its own; None where no answer came."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=_ANSWER_SECONDS)
        sent = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return Answer(status=answer.status, headers=dict(answer.getheaders()), body=answer.read())
        except (OSError, HTTPException):
            return None
        finally:
            connection.close()

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Runs a command over the same data."""
        return subprocess.run(
            [str(PAIPU), *arguments], env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False
        )

    def audit(self) -> dict[str, Any]:
        """The report of ``paipu audit``. Raises RuntimeError where it gave none."""
        done = self.run("audit", "--json")
        try:
            return msgspec.json.decode(done.stdout, type=dict[str, Any])
        except msgspec.DecodeError:
            raise RuntimeError(f"audit: {done.stdout.decode()} {done.stderr.decode()}") from None

    def _listen(self, process: subprocess.Popen[bytes], ready: threading.Event) -> None:
        if process.stderr is None:
            return
        with process.stderr:
            for line in process.stderr:
                self._said.append(line.decode(errors="replace"))
                if found := re.search(r"http://[^/]+:(\d+)/", self._said[-1]):
                    self.port = int(found[1])
                    ready.set()
        ready.set()

    def _end(self, number: signal.Signals) -> int:
        if self._process is None:
            return 0
        if self._process.poll() is None:
            self._process.send_signal(number)
        return self._process.wait(120)


def wait_for(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Waits until a condition holds and gives how long that took. Raises RuntimeError."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > seconds:
            raise RuntimeError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.02)
    return time.monotonic() - started
