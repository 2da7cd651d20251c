"""``paipu repair`` and ``paipu amend``, ``check --witness`` and ``replay --as-known``."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.main import main

VECTORS = Path(__file__).parents[2] / "vectors"


@pytest.fixture
def record() -> dict[str, Any]:
    return json.loads((VECTORS / "weimaque-records-clean.jsonl").read_text().splitlines()[3])


@pytest.fixture
def broken(record: dict[str, Any], tmp_path: Path) -> Path:
    """A file with the record in which a discard stands for another seat."""
    seq = next(seq for seq, event in enumerate(record["events"]) if seq > 4 and event["type"] == "出")
    events = [dict(event) for event in record["events"]]
    events[seq]["actor"] = (events[seq]["actor"] + 1) % len(events[0]["players"])
    path = tmp_path / "broken.paipu.json"
    path.write_text(json.dumps({**record, "events": events}))
    return path


def told(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_repair_can_be_amended(broken: Path, record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repair", "--json", str(broken)]) == 1
    best = told(capsys)["repairs"][0]
    events = json.dumps(best["events"])
    assert main(["amend", "--dry-run", "--json", str(broken), events]) == 0
    impact = told(capsys)
    assert {(f["seq"], f["rule"]) for f in impact["cleared"]} == {(c["seq"], c["rule"]) for c in best["clears"]}
    mended = tmp_path / "mended.paipu.json"
    assert main(["amend", str(broken), events, "-o", str(mended)]) == 0
    assert json.loads(mended.read_text())["events"][-1:] == best["events"]
    assert main(["check", str(mended)]) == 0
    capsys.readouterr()
    assert main(["repair", str(mended)]) == 0
    assert "没有可更正的" in capsys.readouterr().out


def test_repairs_are_told_in_words(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repair", "--limit", "1", str(broken)]) == 1
    assert "应为" in capsys.readouterr().out
    assert main(["repair", "--limit", "1", "--lang", "en", str(broken)]) == 1
    assert "should be" in capsys.readouterr().out


def test_what_cannot_be_appended_is_told(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["amend", str(broken), '{"type": "出"}']) == 3
    assert main(["amend", str(broken), "not json"]) == 3
    assert main(["amend", str(broken), '{"type": "过", "actor": 0}', "-o", "record.unknown"]) == 2
    assert main(["repair", "/nowhere"]) == 3
    capsys.readouterr()


def test_witnesses_and_the_position_as_known(record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = {**record["events"][1], "hands": [None] * len(record["events"][1]["hands"]), "stock": None}
    path = tmp_path / "hidden.paipu.json"
    path.write_text(json.dumps({**record, "events": [record["events"][0], deal, *record["events"][2:]]}))
    assert main(["check", "--possible", "--witness", "--json", str(path)]) == 0
    verdict = told(capsys)
    assert sum("witness" in finding for finding in verdict["findings"]) == verdict["possible"] > 0
    assert main(["replay", "--at", "1", "--json", str(path)]) == 0
    now = told(capsys)
    assert main(["replay", "--at", "1", "--as-known", "--json", str(path)]) == 0
    then = told(capsys)
    assert sum(len(seat["hand"] or ()) for seat in then["state"]["seats"]) < sum(len(seat["hand"] or ()) for seat in now["state"]["seats"])
    assert main(["replay", "--as-known", str(path)]) == 0
    capsys.readouterr()
