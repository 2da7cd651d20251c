"""How games stand: what may become of one at any moment, whoever writes."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from services.store.database import Database, all_rows
from services.store.model import Lease, Sharing, Standing
from services.store.remembered import Remembered

_STANDING = """
SELECT asked.game_id, head.version, head.head_hash, coalesce(access.visibility, 'private'), access.share_digest,
    held.digest, held.holder, held.since, held.until,
    coalesce((SELECT max(number) + 1 FROM annotation WHERE annotation.game_id = asked.game_id), 0),
    (SELECT count(*) FROM annotation_removal WHERE annotation_removal.game_id = asked.game_id)
FROM unnest((SELECT %(game_ids)b::uuid[])) AS asked (game_id)
CROSS JOIN LATERAL (SELECT version, head_hash FROM game_head WHERE game_head.game_id = asked.game_id LIMIT 1) AS head
LEFT JOIN LATERAL (
    SELECT visibility, share_digest FROM game_access WHERE game_access.game_id = asked.game_id LIMIT 1
) AS access ON true
LEFT JOIN LATERAL (
    SELECT digest, holder, since, until FROM lease WHERE lease.game_id = asked.game_id AND until > clock_timestamp() LIMIT 1
) AS held ON true
"""
# One plan for any number of games, by their keys: the sub-select hides how many there are, and LIMIT keeps the planner from joining whole
# tables. Planning anew would take longer than the statement.


class Standings(Remembered[int, Standing]):
    """The standing of every game, by its id (as the integer that it is: those are quicker to look up). One that somebody holds a lease on
    changes by itself, and is asked each time."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, self._find, lambda standing: standing.lease is None)

    async def _find(self, game_ids: Sequence[int]) -> dict[int, Standing]:
        async with self._database.connection() as connection:
            rows = await all_rows(connection, _STANDING, {"game_ids": [UUID(int=number) for number in game_ids]})
        return {row[0].int: _standing(row) for row in rows}


def _standing(row: tuple[Any, ...]) -> Standing:
    _, version, head, visibility, share_digest, lease_digest, holder, since, until, written, removed = row
    return Standing(
        version=version,
        head=head,
        sharing=Sharing(visibility=visibility, share_digest=share_digest),
        lease=None if lease_digest is None else Lease(digest=lease_digest, holder=holder, since=since, until=until),
        written=written,
        removed=removed,
    )
