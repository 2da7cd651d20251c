"""The program with a database of its own: it starts from nothing, is killed, comes back with all it acknowledged, and stops when told."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

PAIPU = Path(sys.executable).parent / "paipu"


def started(data: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A service on a data folder, and its address."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIPU_")}
    process = subprocess.Popen([PAIPU, "serve", "--port", "0"], stderr=subprocess.PIPE, env={**environment, "PAIPU_DATA": str(data)})
    assert process.stderr is not None
    said = ""
    while not (found := re.search(r"http://\S+", said)):
        line = process.stderr.readline().decode()
        assert line, said
        said += line
    return process, found[0].rstrip("/")


def ended(process: subprocess.Popen[bytes], number: signal.Signals) -> int:
    process.send_signal(number)
    code = process.wait(60)
    assert process.stderr is not None
    process.stderr.close()
    return code


def test_killed_and_started_again_it_has_all_that_it_acknowledged(tmp_path: Path, clean: list[dict[str, Any]]) -> None:
    record = clean[1]
    events = record["events"]
    process, address = started(tmp_path)
    token = (tmp_path / "token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}"}
    samples = httpx.get(f"{address}/api/games", headers=headers).json()["games"]
    assert {game["game"] for game in samples} == {"weimaque", "changde"}
    path = httpx.post(f"{address}/api/games", json={**record, "events": events[:1]}, headers=headers).headers["Location"]
    acknowledged = 1
    for number in (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM):
        for event in events[acknowledged : acknowledged + 5]:
            answer = httpx.post(f"{address}{path}/events", json=event, headers={**headers, "If-Match": f'"{acknowledged}"'})
            assert answer.status_code == 201
            acknowledged += 1
        assert ended(process, number) == (0 if number is signal.SIGTERM else -signal.SIGKILL)
        process, address = started(tmp_path)
        assert (tmp_path / "token").read_text().strip() == token
        assert httpx.get(f"{address}{path}", headers=headers).json()["events"] == events[:acknowledged]
    assert len(httpx.get(f"{address}/api/games", headers=headers).json()["games"]) == len(samples) + 1
    assert ended(process, signal.SIGTERM) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_while_it_starts_it_leaves_nothing_running(tmp_path: Path, number: signal.Signals) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIPU_")}
    process = subprocess.Popen(
        [PAIPU, "serve", "--port", "0"], stderr=subprocess.DEVNULL, env={**environment, "PAIPU_DATA": str(tmp_path / "data")}
    )
    deadline = time.monotonic() + 30
    while not (tmp_path / "data").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(60) in (0, 130, -number)
    deadline = time.monotonic() + 30
    while _running_below(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _running_below(tmp_path) == []


def _running_below(folder: Path) -> list[str]:
    """The command lines of running programs that speak of the folder."""
    found: list[str] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = place.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line:
            found.append(line)
    return found
