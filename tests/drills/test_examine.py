"""What the drills count by is itself able to count: a store that lost or doubled an append is seen."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tools.drills.load import Acknowledged, examine
from tools.drills.program import Answer, Program


class Told(Program):
    """A service that has these notes in every game, and whose audit finds nothing."""

    def __init__(self, *notes: str) -> None:
        super().__init__(Path("nowhere"))
        self._notes = notes

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Any = None) -> Answer | None:
        events = [{"type": "开局"}, *({"type": "裁定", "note": note} for note in self._notes)]
        return Answer(status=200, headers={}, body=msgspec.json.encode({"events": events}))

    def audit(self) -> dict[str, Any]:
        return {"faults": []}


ACKNOWLEDGED = [Acknowledged(game="g", key=f"0.{seq}", seq=seq, at=0.0) for seq in (1, 2, 3)]


@pytest.mark.parametrize(
    ("notes", "lost", "doubled"),
    [
        (("0.1", "0.2", "0.3"), [], []),
        (("0.1", "0.2"), ["g 0.3"], []),
        (("0.1", "0.3", "0.2"), ["g 0.2", "g 0.3"], []),
        (("0.1", "0.2", "0.3", "0.2"), [], ["g 0.2"]),
    ],
)
def test_lost_and_doubled_appends_are_counted(notes: tuple[str, ...], lost: list[str], doubled: list[str]) -> None:
    found = examine(Told(*notes), ACKNOWLEDGED)
    assert (list(found["lost"]), list(found["doubled"])) == (lost, doubled)
