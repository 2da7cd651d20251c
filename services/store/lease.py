"""Locks on files (flock): the kernel gives them back when their holder ends, however it ends, so nobody keeps lists of living processes."""

import fcntl
import os
import time
from pathlib import Path

_POLL_SECONDS = 0.02


class Lease:
    """A lock on one file, shared or exclusive, held until ``release`` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self, *, exclusive: bool, timeout: float) -> bool:
        """Takes the lock, or changes one that is held; waits at most ``timeout`` seconds. False: somebody else has it."""
        if self._descriptor is None:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        mode = (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB
        deadline = time.monotonic() + timeout
        while True:
            try:
                fcntl.flock(self._descriptor, mode)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    return False
                time.sleep(_POLL_SECONDS)
            else:
                return True

    def release(self) -> None:
        """Gives the lock back, if it is held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def held_by_someone(path: Path) -> bool:
    """Whether another holds the lock exclusively at this moment."""
    probe = Lease(path)
    try:
        return not probe.take(exclusive=False, timeout=0)
    finally:
        probe.release()
