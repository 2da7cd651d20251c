"""Kill -9 in the midst of writing loses nothing; the long form is ``make soak``."""

from pathlib import Path

from tools.soak import soak


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    report = soak(tmp_path / "var", kills=6, appends=200)
    assert sum(report.kills.values()) >= 6
    assert len(report.kills) == 5
    assert report.acknowledged >= 200
    assert (report.lost, report.doubled, report.broken) == ((), (), ())
    assert report.sound
