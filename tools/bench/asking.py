"""A client that costs little: prepared requests over connections that stay open, so that the server is what is measured."""

import os
import re
import selectors
import socket
import subprocess
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager

from tools.bench.samples import ROOT

_ADDRESS = re.compile(r"http://([^/\s]+)/")
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_SECONDS = 60


class WrongAnswerError(Exception):
    """A server did not start, or answered with another status than it should."""


@contextmanager
def served(*command: str, **settings: str) -> Generator[str]:
    """A server, run by a command in a process of its own; its host and port, from the address that it announces.

    ``settings`` are variables of its environment.
    """
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **settings}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if found := _ADDRESS.search(line):
                    yield found[1]
                    return
            raise WrongAnswerError(f"the server did not start: {said}")
        finally:
            process.terminate()
            process.wait(_SECONDS)


def request(host: str, method: str, path: str, token: str, body: bytes = b"", version: int | None = None) -> bytes:
    """One request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Authorization: Bearer {token}"]
    if version is not None:
        lines.append(f'If-Match: "{version}"')
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Connection:
    """A connection that sends its requests one after the other, each once the one before is answered."""

    def __init__(self, host: str, requests: Sequence[bytes], expected: int) -> None:
        name, _, port = host.rpartition(":")
        self.socket = socket.create_connection((name, int(port)), timeout=_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answers: list[bytes] = []
        self._requests = iter(requests)
        self._status = f"HTTP/1.1 {expected} ".encode()
        self._received = b""

    def send_next(self) -> bool:
        """Send the next request; False if there is none."""
        for waiting in self._requests:
            self.socket.sendall(waiting)
            return True
        return False

    def receive(self) -> bool:
        """Take what has arrived; True once the answer is whole. Raises WrongAnswerError."""
        arrived = self.socket.recv(1 << 18)
        if not arrived:
            raise WrongAnswerError("the connection was closed")
        self._received += arrived
        head, separator, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not separator or length is None or len(body) < int(length[1]):
            return False
        if not head.startswith(self._status):
            raise WrongAnswerError(f"{head.decode()}\n{body.decode()}")
        self.answers.append(body)
        self._received = b""
        return True


def ask(host: str, requests: Sequence[Sequence[bytes]], expected: int = 200) -> list[list[bytes]]:
    """The bodies answered to several sequences of requests, each sequence on a connection of its own, all at once.

    Raises WrongAnswerError if a status is not ``expected``.
    """
    with ExitStack() as stack:
        selector = stack.enter_context(selectors.DefaultSelector())
        connections = [Connection(host, sequence, expected) for sequence in requests]
        for connection in connections:
            stack.enter_context(connection.socket)
            if connection.send_next():
                selector.register(connection.socket, selectors.EVENT_READ, connection)
        while selector.get_map():
            for key, _ in selector.select(_SECONDS):
                connection: Connection = key.data
                if connection.receive() and not connection.send_next():
                    selector.unregister(connection.socket)
    return [connection.answers for connection in connections]
