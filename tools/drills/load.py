"""Load: phones that write to a game of their own and to one that all share, each event with a key, sent again until it is acknowledged."""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from tools.drills.program import Answer, Program

OPENING = msgspec.json.encode(
    {
        "format": "paipu/1",
        "game": "weimaque",
        "events": [{"type": "开局", "rules": {"preset": "dazhuo"}, "players": ["甲", "乙", "丙"], "dealer": 0}],
    }
)
"""A hand that has just been opened."""

_PAUSE = 0.05


class Acknowledged(msgspec.Struct, frozen=True, kw_only=True):
    """An append that was answered: the event with this key stands at this seq."""

    game: str
    key: str
    seq: int
    at: float


class Load:
    """Writers over one or several services on the same store. What they could not yet write they try again for as long as it takes."""

    def __init__(self, programs: Sequence[Program], writers: int) -> None:
        self._programs = programs
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._write, args=(number,), daemon=True) for number in range(writers)]
        self.acknowledged: list[Acknowledged] = []
        self.answers: Counter[int] = Counter()
        self.slowest = 0.0
        self.failure: BaseException | None = None
        self.shared = ""

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(120)
        if self.failure is not None:
            raise self.failure

    def pause_after(self, moment: float, appends: int) -> float:
        """Waits until so many appends more are acknowledged, and gives the longest time (seconds) from ``moment`` on in which none was.
        Raises RuntimeError."""
        self.until(len(self.acknowledged) + appends)
        with self._lock:
            times = sorted(append.at for append in self.acknowledged if append.at > moment)
        return max(after - before for before, after in pairwise([moment, *times]))

    def until(self, appends: int, seconds: float = 300.0) -> None:
        """Waits until so many appends are acknowledged. Raises RuntimeError."""
        deadline = time.monotonic() + seconds
        while len(self.acknowledged) < appends:
            if self.failure is not None:
                raise self.failure
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(self.acknowledged)} appends in {seconds:.0f} s; answers so far: {dict(self.answers)}")
            time.sleep(0.02)

    def _write(self, writer: int) -> None:
        program = self._programs[writer % len(self._programs)]
        try:
            games = [self._open(program, f"writer {writer}"), self._open(program, "shared")]
            self.shared = games[1]
            versions = dict.fromkeys(games, 1)
            number = 0
            while not self._stop.is_set():
                number += 1
                for game in filter(None, games):
                    self._append(program, game, f"{writer}.{number}", versions)
        except BaseException as error:
            self.failure = error

    def _open(self, program: Program, key: str) -> str:
        while not self._stop.is_set():
            answer = self._ask(program, "/api/games?mode=keep", OPENING, {"Idempotency-Key": key})
            if answer is not None and answer.status in (200, 201):
                return msgspec.json.decode(answer.body)["id"]
            self._unless_refused(answer)
        return ""

    def _append(self, program: Program, game: str, key: str, versions: dict[str, int]) -> None:
        event = msgspec.json.encode({"type": "裁定", "seq": 0, "rule": "drill", "decision": "stood", "note": key})
        while not self._stop.is_set():
            headers = {"If-Match": f'"{versions[game]}"', "Idempotency-Key": key}
            answer = self._ask(program, f"/api/games/{game}/events?mode=keep", event, headers)
            if answer is not None and answer.status == 201:
                told = msgspec.json.decode(answer.body)
                versions[game] = told["version"]
                with self._lock:
                    self.acknowledged.append(Acknowledged(game=game, key=key, seq=told["seqs"][0], at=time.monotonic()))
                return
            if answer is not None and answer.status == 412:
                versions[game] = msgspec.json.decode(answer.body)["version"]
            else:
                self._unless_refused(answer)

    def _ask(self, program: Program, path: str, body: bytes, headers: dict[str, str]) -> Answer | None:
        started = time.monotonic()
        answer = program.ask("POST", path, body, {"Content-Type": "application/json", **headers})
        with self._lock:
            self.answers[0 if answer is None else answer.status] += 1
            self.slowest = max(self.slowest, time.monotonic() - started)
        return answer

    def _unless_refused(self, answer: Answer | None) -> None:
        """Waits a moment where a retry is right: behind no answer, 409 and 503. Raises RuntimeError for any other answer."""
        if answer is not None and answer.status not in (409, 503):
            raise RuntimeError(f"{answer.status}: {answer.body.decode(errors='replace')}")
        time.sleep(_PAUSE)


def examine(program: Program, acknowledged: Sequence[Acknowledged]) -> dict[str, tuple[str, ...]]:
    """What a running service has of all that was acknowledged, and what its audit says: ``lost``, ``doubled`` and ``faults``."""
    stored: dict[str, list[str]] = {}
    doubled: list[str] = []
    for game in {append.game for append in acknowledged}:
        answer = program.ask("GET", f"/api/games/{game}")
        if answer is None or answer.status != 200:
            raise RuntimeError(f"{game}: {answer}")
        events: list[dict[str, Any]] = msgspec.json.decode(answer.body)["events"]
        stored[game] = [event.get("note", "") for event in events]
        doubled += [f"{game} {key}" for key, times in Counter(stored[game]).items() if key and times > 1]
    lost = [f"{append.game} {append.key}" for append in acknowledged if stored[append.game][append.seq : append.seq + 1] != [append.key]]
    faults = [str(fault) for fault in program.audit()["faults"]]
    return {"lost": tuple(lost), "doubled": tuple(doubled), "faults": tuple(faults)}
