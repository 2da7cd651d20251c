"""Who may see a game beside those that it belongs to, and who is writing a running hand down: the only rows here that change."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from services.store.database import Database, one_row
from services.store.model import Lease, NotFound, Sharing
from services.store.standings import Standings

_SHARE = """
INSERT INTO game_access (game_id, visibility, share_digest, changed_by)
SELECT game_id, %(visibility)b::text, %(share_digest)b::bytea, %(changed_by)b::text FROM game WHERE game_id = %(game_id)b
ON CONFLICT (game_id) DO UPDATE SET visibility = excluded.visibility, share_digest = excluded.share_digest,
    changed_by = excluded.changed_by, changed_at = clock_timestamp()
RETURNING visibility
"""
# One statement decides: the row is taken if it is free, expired, one's own, or if one takes it over.
_TAKE = """
INSERT INTO lease AS held (game_id, digest, holder, since, until)
SELECT game_id, %(digest)b::bytea, %(holder)b::text, clock_timestamp(), clock_timestamp() + %(lasts)b::interval
FROM game WHERE game_id = %(game_id)b
ON CONFLICT (game_id) DO UPDATE SET
    since = CASE WHEN held.digest = %(known)b::bytea THEN held.since ELSE excluded.since END,
    digest = excluded.digest, holder = excluded.holder, until = excluded.until
WHERE held.until <= clock_timestamp() OR held.digest = %(known)b::bytea OR %(take_over)b::boolean
RETURNING digest, holder, since, until
"""
_HELD = "SELECT digest, holder, since, until FROM lease WHERE game_id = %(game_id)b"
_LEAVE = "DELETE FROM lease WHERE game_id = %(game_id)b AND digest = %(digest)b RETURNING game_id"


class SharingLog:
    """Visibility and leases over a database."""

    def __init__(self, database: Database, standings: Standings) -> None:
        self._database = database
        self._standings = standings

    async def share(self, game_id: UUID, sharing: Sharing, changed_by: str) -> bool:
        """Replaces who may see a game; False where there is no such game."""
        parameters = {
            "game_id": game_id,
            "visibility": sharing.visibility,
            "share_digest": sharing.share_digest,
            "changed_by": changed_by,
        }
        with self._standings.changing(game_id.int):
            async with self._database.connection() as connection:
                return await one_row(connection, _SHARE, parameters) is not None

    async def take_lease(
        self, game_id: UUID, *, digest: bytes, holder: str, lasts: timedelta, known: bytes | None, take_over: bool
    ) -> tuple[Lease, bool] | NotFound:
        """Takes or renews the lease of a game; ``known`` is the sum of the secret that the asker has of an earlier one.

        Gives the lease that holds now, and whether it is the asker's.
        """
        parameters: dict[str, Any] = {
            "game_id": game_id,
            "digest": digest,
            "holder": holder,
            "lasts": lasts,
            "known": known,
            "take_over": take_over,
        }
        with self._standings.changing(game_id.int):
            async with self._database.connection() as connection:
                while True:
                    row = await one_row(connection, _TAKE, parameters)
                    if row is not None:
                        return _lease(row), True
                    row = await one_row(connection, _HELD, parameters)
                    if row is not None:
                        return _lease(row), False
                    if await one_row(connection, "SELECT game_id FROM game WHERE game_id = %(game_id)b", parameters) is None:
                        return NotFound()
                    # Whoever held it has left it at this moment: it is free now.

    async def leave_lease(self, game_id: UUID, digest: bytes) -> bool:
        """Gives a lease up; False where it is not the asker's."""
        with self._standings.changing(game_id.int):
            async with self._database.connection() as connection:
                return await one_row(connection, _LEAVE, {"game_id": game_id, "digest": digest}) is not None


def _lease(row: tuple[Any, ...]) -> Lease:
    digest, holder, since, until = row
    return Lease(digest=digest, holder=holder, since=since, until=until)
