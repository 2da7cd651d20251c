"""Writes the SHA-256 sums of the migrations, after one was added. One that was ever applied anywhere is never edited."""

from hashlib import sha256
from pathlib import Path

from services.store.migrate import migrations_folder

MANIFEST = "SHA256SUMS"


def manifest(folder: Path) -> str:
    """The sums of all SQL files in a folder, in the format of ``sha256sum``."""
    return "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.glob("*.sql")))


if __name__ == "__main__":
    folder = migrations_folder()
    (folder / MANIFEST).write_text(manifest(folder), encoding="utf-8")
