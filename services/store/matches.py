"""Matches: sittings of many hands, as lists of games that only grow."""

from typing import Any
from uuid import UUID

from psycopg import errors

from services.store.database import Database, all_rows, one_row
from services.store.model import Match, NotFound

_CREATE = """
WITH opened AS (
    INSERT INTO match (match_id, owner, header) VALUES (%(match_id)b, %(owner)b, %(header)b) RETURNING match_id, created_at
), listed AS (
    INSERT INTO match_game (match_id, position, game_id)
    SELECT match_id, place::int - 1, part.game_id FROM opened, unnest(%(games)b::uuid[]) WITH ORDINALITY AS part (game_id, place)
)
SELECT created_at FROM opened
"""
_ADD = """
INSERT INTO match_game (match_id, position, game_id)
SELECT match_id, (SELECT coalesce(max(position) + 1, 0) FROM match_game WHERE match_id = %(match_id)b), %(game_id)b
FROM match WHERE match_id = %(match_id)b
RETURNING position
"""
_POSITION = "SELECT position FROM match_game WHERE match_id = %(match_id)b AND game_id = %(game_id)b"
_MATCHES = """
SELECT match_id, owner, header, created_at,
    ARRAY (SELECT game_id FROM match_game WHERE match_game.match_id = match.match_id ORDER BY position)
FROM match
"""
_READ = _MATCHES + "WHERE match_id = %(match_id)b"
_LIST = _MATCHES + "WHERE %(owner)b::text IS NULL OR owner = %(owner)b ORDER BY created_at DESC, match_id LIMIT %(limit)b"
_OF_GAME = "SELECT match_id FROM match_game WHERE game_id = %(game_id)b ORDER BY added_at, match_id"


class MatchLog:
    """The matches over a database. ``header`` is canonical JSON that the store does not read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, *, match_id: UUID, owner: str, header: bytes, games: tuple[UUID, ...] = ()) -> Match:
        """Stores a new match; a match that is there under this id is given back as it is."""
        parameters: dict[str, Any] = {"match_id": match_id, "owner": owner, "header": header, "games": list(games)}
        async with self._database.connection() as connection:
            try:
                row = await one_row(connection, _CREATE, parameters)
            except errors.UniqueViolation:
                row = None
        if row is not None:
            return Match(match_id=match_id, owner=owner, header=header, created_at=row[0], games=games)
        match = await self.read(match_id)
        if match is None:
            raise ValueError(f"a game stands twice among {games}")
        return match

    async def add(self, match_id: UUID, game_id: UUID) -> int | NotFound:
        """Puts a game behind the others and gives its position from 0; that which it has where it is there already."""
        parameters = {"match_id": match_id, "game_id": game_id}
        async with self._database.connection() as connection:
            while True:
                try:
                    row = await one_row(connection, _ADD, parameters)
                except errors.UniqueViolation:
                    row = await one_row(connection, _POSITION, parameters)
                    if row is None:
                        continue  # another game took the position at the same moment
                return NotFound() if row is None else row[0]

    async def read(self, match_id: UUID) -> Match | None:
        """A match with its games in order of play."""
        async with self._database.connection() as connection:
            row = await one_row(connection, _READ, {"match_id": match_id})
        return None if row is None else _match(row)

    async def latest(self, *, owner: str | None = None, limit: int = 100) -> list[Match]:
        """Matches, of one owner or of all, the latest first."""
        async with self._database.connection() as connection:
            return [_match(row) for row in await all_rows(connection, _LIST, {"owner": owner, "limit": limit})]

    async def of_game(self, game_id: UUID) -> list[UUID]:
        """The matches that a game is part of."""
        async with self._database.connection() as connection:
            return [match_id for (match_id,) in await all_rows(connection, _OF_GAME, {"game_id": game_id})]


def _match(row: tuple[Any, ...]) -> Match:
    match_id, owner, header, created_at, games = row
    return Match(match_id=match_id, owner=owner, header=header, created_at=created_at, games=tuple(games))
