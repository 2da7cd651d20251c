"""Who asks. So far one person: the one who started the program, and whoever was given the token."""

import hmac
import os
import secrets
from pathlib import Path

import msgspec


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Who a request comes from; ``name`` is what stands in the log as recorder and owner."""

    name: str


OWNER = Caller(name="owner")
"""The person whose data folder it is."""


class Access:
    """The tokens that this program honours."""

    def __init__(self, token: str) -> None:
        self._token = token

    def caller(self, token: str) -> Caller | None:
        """Who holds this token; ``None`` for one that was never given out."""
        return OWNER if hmac.compare_digest(token.encode(), self._token.encode()) else None


def owner_token(data: Path) -> str:
    """The token in the data folder, which only its owner can read; made at the first start.

    Two programs that start at the same moment agree on one: it is written aside and linked into place, which succeeds once.
    """
    place = data / "token"
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not place.exists():
        fresh = data / f".token-{os.getpid()}-{secrets.token_hex(4)}"
        fresh.touch(mode=0o600)
        try:
            fresh.write_text(f"{secrets.token_urlsafe(32)}\n", encoding="ascii")
            os.link(fresh, place)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return place.read_text(encoding="ascii").strip()
