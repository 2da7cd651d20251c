"""A process that does long work: it reads one piece after the other from standard input and writes what came of it to standard output."""

import pickle
import signal
import sys
from typing import BinaryIO

from services.labour import LENGTH


def labour(given: BinaryIO, told: BinaryIO, seconds: float) -> None:
    """Works until there is no more. A piece that takes longer than ``seconds`` ends the process, whether or not anybody still waits."""
    while head := given.read(LENGTH):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            answer = (False, pickle.loads(given.read(int.from_bytes(head, "big")))())
        except Exception as error:  # raised again where the work was asked for
            answer = (True, error)
        message = pickle.dumps(answer)
        signal.setitimer(signal.ITIMER_REAL, 0)
        told.write(len(message).to_bytes(LENGTH, "big") + message)
        told.flush()


if __name__ == "__main__":
    labour(sys.stdin.buffer, sys.stdout.buffer, float(sys.argv[1]))
