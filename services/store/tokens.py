"""Tokens and the browser sessions opened with them. Only sums of secrets are kept; a token is never changed, only taken back."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec

from services.store.database import Database, all_rows, one_row
from services.store.model import NewToken, StoredToken
from services.store.remembered import Remembered

_ADD = """
INSERT INTO token (token_id, name, digest, role, game_id, match_id, viewpoint, created_by, expires_at)
VALUES (%(token_id)b, %(name)b, %(digest)b, %(role)b, %(game_id)b, %(match_id)b, %(viewpoint)b, %(created_by)b, %(expires_at)b)
RETURNING created_at
"""
_TOKENS = """
SELECT digest, token.token_id, name, role, game_id, match_id, viewpoint, created_by, created_at, expires_at, revoked_at,
    revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
FROM token LEFT JOIN token_revocation ON token_revocation.token_id = token.token_id
"""
_OF_DIGEST = _TOKENS + "WHERE digest = ANY (%(digests)b::bytea[])"
_DIGEST = "SELECT digest FROM token WHERE token_id = %(token_id)b"
_ALL = _TOKENS + "ORDER BY created_at, token.token_id"
_REVOKE = """
INSERT INTO token_revocation (token_id, revoked_by)
SELECT token_id, %(revoked_by)b::text FROM token WHERE token_id = %(token_id)b
ON CONFLICT (token_id) DO NOTHING
RETURNING token_id
"""
_OPEN = """
INSERT INTO session (digest, credential, expires_at)
VALUES (%(digest)b, %(credential)b, clock_timestamp() + %(lasts)b::interval) RETURNING created_at
"""
_SESSION = "SELECT credential FROM session WHERE digest = %(digest)b AND expires_at > clock_timestamp()"
_CLOSE = "DELETE FROM session WHERE digest = %(digest)b OR expires_at <= clock_timestamp() RETURNING digest"


class TokenLog:
    """The tokens and sessions over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tokens = Remembered(database, self._find, lambda token: token.usable and token.expires_at is None)

    async def add(self, token: NewToken) -> None:
        """Stores a token."""
        async with self._database.connection() as connection:
            await one_row(connection, _ADD, msgspec.structs.asdict(token))

    async def find(self, digest: bytes) -> StoredToken | None:
        """The token whose secret has this SHA-256."""
        return await self._tokens.ask(digest)

    def known(self, digest: bytes) -> StoredToken | None:
        """The token whose secret has this SHA-256, if that is known without asking."""
        return self._tokens.known(digest)

    async def all(self) -> list[StoredToken]:
        """Every token, the oldest first."""
        async with self._database.connection() as connection:
            return [_token(row[1:]) for row in await all_rows(connection, _ALL, {})]

    async def revoke(self, token_id: UUID, revoked_by: str) -> bool:
        """Takes a token back; False where there is none of that id, or no longer."""
        async with self._database.connection() as connection:
            row = await one_row(connection, _DIGEST, {"token_id": token_id})
            if row is None:
                return False
            with self._tokens.changing(row[0]):
                return await one_row(connection, _REVOKE, {"token_id": token_id, "revoked_by": revoked_by}) is not None

    async def open_session(self, digest: bytes, credential: bytes, lasts: timedelta) -> None:
        """Notes a session, known by the SHA-256 of its secret, that was opened with the token of sum ``credential``."""
        async with self._database.connection() as connection:
            await one_row(connection, _OPEN, {"digest": digest, "credential": credential, "lasts": lasts})

    async def session(self, digest: bytes) -> bytes | None:
        """The sum of the token with which a session that still lasts was opened."""
        async with self._database.connection() as connection:
            row = await one_row(connection, _SESSION, {"digest": digest})
        return None if row is None else row[0]

    async def close_session(self, digest: bytes) -> None:
        """Ends a session, and forgets all that have expired."""
        async with self._database.connection() as connection:
            await all_rows(connection, _CLOSE, {"digest": digest})

    async def _find(self, digests: Sequence[bytes]) -> dict[bytes, StoredToken]:
        async with self._database.connection() as connection:
            rows = await all_rows(connection, _OF_DIGEST, {"digests": digests})
        return {row[0]: _token(row[1:]) for row in rows}


def _token(row: tuple[Any, ...]) -> StoredToken:
    token_id, name, role, game_id, match_id, viewpoint, created_by, created_at, expires_at, revoked_at, usable = row
    return StoredToken(
        token_id=token_id,
        name=name,
        role=role,
        game_id=game_id,
        match_id=match_id,
        viewpoint=viewpoint,
        created_by=created_by,
        created_at=created_at,
        expires_at=expires_at,
        revoked_at=revoked_at,
        usable=usable,
    )
