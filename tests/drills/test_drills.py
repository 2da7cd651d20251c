"""Each drill in its short form; the long one is ``make soak``."""

from pathlib import Path

import msgspec
import pytest

from tools.drills.__main__ import DRILLS, row
from tools.drills.report import Drill

ROUNDS = {"service_killed": 2, "database_away": 2, "disk_full": 2, "two_services": 2, "vanished_clients": 4}


@pytest.mark.parametrize("name", [name for name in DRILLS if name != "everything_killed"])
def test_nothing_is_lost_doubled_or_broken(name: str, tmp_path: Path) -> None:
    drill = DRILLS[name](tmp_path / "data", rounds=ROUNDS.get(name, 1))
    if drill.skipped is not None:
        pytest.skip(drill.skipped)
    assert (drill.lost, drill.doubled, drill.faults) == ((), (), ())
    assert drill.sound
    assert drill.acknowledged >= 20
    assert max(drill.recovery, default=0) < 60


@pytest.mark.parametrize("fault", ["lost", "doubled", "faults"])
def test_a_drill_that_lost_something_is_not_sound(fault: str) -> None:
    sound = Drill(name="x", acknowledged=3, recovery=(1.0, 2.0))
    assert sound.sound
    unsound = msgspec.structs.replace(sound, **{fault: ("game key",)})
    assert not unsound.sound
    assert row(unsound) != row(sound)
