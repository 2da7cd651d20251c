"""The container file and the unit are sound, and ask for no more than the program needs."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
HADOLINT = Path(sys.executable).parent / "hadolint"
CLOSED = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "CapabilityBoundingSet": "",
    "RestrictNamespaces": "yes",
    "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
    "UMask": "0077",
    "StateDirectoryMode": "0700",
}


class Unit(configparser.RawConfigParser):
    """A unit file: names keep their case and may come again."""

    def __init__(self) -> None:
        super().__init__(strict=False, delimiters=("=",), comment_prefixes=("#",), interpolation=None)

    def optionxform(self, optionstr: str) -> str:
        return optionstr


@pytest.fixture
def unit() -> Unit:
    read = Unit()
    read.read(DEPLOY / "paipu.service", encoding="utf-8")
    return read


def test_the_container_file_has_no_fault() -> None:
    linted = subprocess.run([HADOLINT, "--no-color", DEPLOY / "Containerfile"], capture_output=True, text=True, timeout=60, check=False)
    assert (linted.returncode, linted.stdout) == (0, "")


def test_the_container_runs_as_nobody_in_particular_from_locked_requirements() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    last = text[text.rindex("\nFROM ") :]
    user = re.findall(r"^USER (\d+):(\d+)$", last, re.MULTILINE)
    assert len(user) == 1
    assert "0" not in user[0]
    assert last.index("USER ") < last.index("ENTRYPOINT ")
    assert "--require-hashes -r requirements.lock" in text
    assert "pip" not in last
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
    assert copied
    assert all((ROOT / name).exists() for line in copied for name in line.split())
    assert (ROOT / "migrations").name in " ".join(copied)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here to read its units")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    here = tmp_path / "paipu.service"
    program = Path(sys.executable).parent / "paipu"
    here.write_text(
        (DEPLOY / "paipu.service").read_text(encoding="utf-8").replace("/srv/paipu/.venv/bin/paipu", str(program)), encoding="utf-8"
    )
    verified = subprocess.run(["systemd-analyze", "verify", here], capture_output=True, text=True, timeout=60, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")


def test_the_unit_asks_for_no_rights(unit: Unit) -> None:
    service = dict(unit["Service"])
    assert CLOSED.items() <= service.items()
    assert service["User"] not in ("", "root", "0")
    assert service["ExecStart"] == "/srv/paipu/.venv/bin/paipu serve"
    assert "PAIPU_HOST=127.0.0.1" in (DEPLOY / "paipu.service").read_text(encoding="utf-8")


def test_the_unit_lets_the_database_end_in_good_order(unit: Unit) -> None:
    assert unit["Service"]["KillMode"] == "mixed"
    # Longer than the program itself waits for its requests and its database.
    assert int(unit["Service"]["TimeoutStopSec"]) >= 100


def test_the_user_is_that_of_both() -> None:
    sysusers = (DEPLOY / "paipu.sysusers").read_text(encoding="utf-8").split()
    assert sysusers[:3] == ["u", "paipu", "60870"]
    assert "USER 60870:60870" in (DEPLOY / "Containerfile").read_text(encoding="utf-8")
