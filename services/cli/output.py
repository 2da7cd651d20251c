"""What the commands print: data on standard output, messages on standard error, and the exit codes."""

import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from schemas.record import Record
from services.formats.faults import Unreadable
from services.formats.reading import Reading, read
from services.problems import ProblemError, told, unreadable
from services.words import Language, Words

CLEAN, FOUND, USAGE, UNREADABLE, FAILED, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes: nothing found; a violation, an invalid claim or a refused import; wrong usage; input that cannot be read; a conflict or
a remote failure; interrupted. Over many records the worst counts."""

CODES = {
    "unreadable": UNREADABLE,
    "too-large": UNREADABLE,
    "not-found": UNREADABLE,
    "impossible": FOUND,
    "violation": FOUND,
    "invalid": USAGE,
}
"""Exit code of a problem; of any other it is ``FAILED``."""


def code_of(problem: ProblemError) -> int:
    """The exit code of a problem."""
    return CODES.get(problem.kind, FAILED)


def show(text: str) -> None:
    """A line of data."""
    sys.stdout.write(f"{text}\n")


def show_json(value: Any) -> None:
    """An answer as JSON on one line."""
    sys.stdout.write(f"{msgspec.json.encode(value).decode()}\n")


def show_bytes(data: bytes) -> None:
    """Data that may be no text."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def put(data: bytes, output: str | None) -> None:
    """Data to a file, or to standard output without one.

    Raises:
        OSError: it cannot be written; what stood in the file still stands there.
    """
    with putting(output) as write:
        write(data)


@contextmanager
def putting(output: str | None) -> Generator[Callable[[bytes], None]]:
    """Data bit by bit to a file, which is replaced only once all of it is there, or to standard output without one.

    Raises:
        OSError: it cannot be written; what stood in the file still stands there.
    """
    if output is None or output == "-":
        yield show_bytes
        return
    target = Path(output).resolve()
    if target.exists() and not target.is_file():
        # A device or a pipe holds nothing that could be lost, and must not be replaced by a file.
        with target.open("wb") as opened:
            yield _writer(opened)
        return
    try:
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}-"[:64], dir=target.parent))
    except OSError as error:
        raise OSError(error.errno, error.strerror, output) from None
    try:
        fresh = beside / "fresh"
        with fresh.open("xb") as opened:
            yield _writer(opened)
        if target.exists():
            shutil.copymode(target, fresh)
        fresh.replace(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _writer(opened: BinaryIO) -> Callable[[bytes], None]:
    def write(data: bytes) -> None:
        opened.write(data)

    return write


def cannot_write(error: OSError) -> Words:
    """What is said where the system refuses to read or to write."""
    reason = error.strerror or str(error)
    where = "" if error.filename is None else f" {error.filename}"
    return Words(f"读写不了{where}：{reason}", f"cannot read or write{where}: {reason}")


def say(words: Words, language: Language) -> None:
    """A message to the person at the terminal."""
    sys.stderr.write(f"{words.in_(language)}\n")


def complain(problem: ProblemError, language: Language, *, as_json: bool, source: str = "") -> int:
    """Tells a problem, as JSON on standard output or in words on standard error; its exit code."""
    if as_json:
        show_json({"error": told(problem, language)})
        return code_of(problem)
    where = f"{source}: " if source else ""
    lines = [fault.message(language) + _line(fault.line, language) for fault in problem.faults] or [problem.detail.in_(language)]
    for line in lines:
        sys.stderr.write(f"{where}{line}\n")
    return code_of(problem)


def problem_of(reading: Reading) -> ProblemError:
    """The problem of a record that cannot be read."""
    return unreadable(Unreadable(reading.faults))


def data_of(name: str) -> bytes:
    """The content of a file, or of standard input for ``-``.

    Raises:
        ProblemError: unreadable, if there is no such file.
    """
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise _not_opened(name, error) from None


def require_file(name: str) -> None:
    """That a file is there and can be read, before anything is done with it.

    Raises:
        ProblemError: unreadable.
    """
    try:
        with Path(name).open("rb"):
            return
    except OSError as error:
        raise _not_opened(name, error) from None


def readings_of(names: list[str]) -> Iterator[tuple[str, Reading | ProblemError]]:
    """The records of files, one after the other, each with the name of its file; a file that cannot be opened is its own answer."""
    for name in names:
        try:
            data = data_of(name)
        except ProblemError as problem:
            yield name, problem
            continue
        for reading in read(data):
            yield name, reading


def each_record(names: list[str], options: Namespace, work: Callable[[str, Record], int]) -> int:
    """Does something with every record of the files; the worst exit code. What cannot be read, or ends in a problem, is told by itself."""
    worst = CLEAN
    for name, reading in readings_of(names):
        try:
            code = work(name, record_of(reading))
        except ProblemError as problem:
            code = complain(problem, options.lang, as_json=options.json, source=name)
        worst = max(worst, code)
    return worst


def record_of(reading: Reading | ProblemError) -> Record:
    """The record that was read.

    Raises:
        ProblemError: unreadable.
    """
    if isinstance(reading, ProblemError):
        raise reading
    if reading.record is None:
        raise problem_of(reading)
    return reading.record


def _not_opened(name: str, error: OSError) -> ProblemError:
    reason = error.strerror or str(error)
    return ProblemError("unreadable", Words(f"打不开 {name}：{reason}", f"cannot open {name}: {reason}"))


def _line(line: int | None, language: Language) -> str:
    if line is None or line == 1:
        return ""
    return f"（第 {line} 行）" if language == "zh" else f" (line {line})"
