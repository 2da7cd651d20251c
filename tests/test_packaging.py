"""The environment that the locks describe, and the packages under their own names."""

import re
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = {"schemas", "engine", "services", "tools"}


def pins(lock: str) -> dict[str, str]:
    """What a lock holds: the name and the rest of its line."""
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    return {match[1]: match[2] for line in lines if (match := re.match(r"([A-Za-z0-9._-]+)==([^ ;\\]+)", line))}


def test_nothing_else_installs_our_package_names() -> None:
    ours = {distribution.name for distribution in distributions() if distribution.name == "paipu"}
    assert ours == {"paipu"}
    for distribution in distributions():
        if distribution.name != "paipu":
            installed = {path.parts[0].removesuffix(".py") for path in distribution.files or ()}
            assert installed.isdisjoint(PACKAGES), distribution.name


def test_locks_pin_hashes_and_name_no_host() -> None:
    for path in ROOT.glob("requirements*.lock"):
        text = path.read_text(encoding="utf-8")
        entries = re.split(r"\n(?=\S)", text.strip())
        assert len(entries) > 20
        assert all("==" in entry and "--hash=sha256:" in entry for entry in entries), path.name
        assert "://" not in text
        assert "--index" not in text


def test_development_has_all_that_runs_in_the_same_versions() -> None:
    runtime, development = pins("requirements.lock"), pins("requirements-dev.lock")
    assert runtime
    assert runtime.items() <= development.items()
