"""The exact engine that is at work: its declared version and a digest of its code, so that no change of a rule goes unnamed."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from engine.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
JUDGING = ("engine", "schemas")
"""The packages that decide a verdict."""


@cache
def engine_version() -> str:
    """``<declared version>+<first 12 hex digits of the digest>``, the same on every machine with the same code."""
    digest = sha256()
    for package in JUDGING:
        for path in sorted((ROOT / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                name, content = path.relative_to(ROOT).as_posix().encode(), path.read_bytes()
                digest.update(len(name).to_bytes(8, "big") + name + len(content).to_bytes(8, "big") + content)
    return f"{VERSION}+{digest.hexdigest()[:12]}"
