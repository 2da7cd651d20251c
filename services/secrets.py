"""Secrets of tokens, sessions, links and leases: how they are made, told apart and kept (only as their SHA-256)."""

import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from uuid import UUID

SHARE = "pps_"
"""The secret of a link begins with this, and then with the id of its game."""

_ID_BYTES, _SECRET_BYTES = 16, 24


def new_secret() -> str:
    """256 bits that nobody guesses, as text for a header, a cookie or an address."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> bytes:
    """What is kept of a secret. One that is random and long needs no salt and no slowness."""
    return sha256(secret.encode(errors="surrogatepass")).digest()


def form_token(cookie: str) -> str:
    """What a form must send back to show that it came from a page of the holder of this cookie: nobody else can compute it."""
    return sha256(b"form " + cookie.encode(errors="surrogatepass")).hexdigest()


def new_share(game_id: UUID) -> str:
    """The secret of a link to a game. It names the game, so that it can be looked up by it."""
    return SHARE + urlsafe_b64encode(game_id.bytes + secrets.token_bytes(_SECRET_BYTES)).decode()


def game_of_share(secret: str) -> UUID | None:
    """The game that the secret of a link names; ``None`` for what is none."""
    if not secret.startswith(SHARE) or not secret.isascii():
        return None
    try:
        content = urlsafe_b64decode(secret.removeprefix(SHARE))
    except ValueError:
        return None
    return UUID(bytes=content[:_ID_BYTES]) if len(content) == _ID_BYTES + _SECRET_BYTES else None


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
