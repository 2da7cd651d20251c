"""Comments on games, beside the log: they do not change a game's version. A removed one leaves a tombstone and keeps its number."""

from uuid import UUID

from psycopg import errors

from services.store.database import Database, all_rows, one_row
from services.store.model import Annotation, NewAnnotation, NotFound, Removal
from services.store.standings import Standings

_ADD = """
INSERT INTO annotation (game_id, number, payload, author)
SELECT game_id, (SELECT coalesce(max(number) + 1, 0) FROM annotation WHERE game_id = %(game_id)b), %(payload)b, %(author)b::text
FROM game WHERE game_id = %(game_id)b
RETURNING number, recorded_at
"""
_LIST = """
SELECT number, payload, author, recorded_at FROM annotation
WHERE game_id = %(game_id)b
    AND NOT EXISTS (
        SELECT FROM annotation_removal AS removal WHERE removal.game_id = annotation.game_id AND removal.number = annotation.number
    )
ORDER BY number
"""
_REMOVED = "SELECT number, removed_by, removed_at FROM annotation_removal WHERE game_id = %(game_id)b ORDER BY number"
_REMOVE = """
INSERT INTO annotation_removal (game_id, number, removed_by)
SELECT game_id, number, %(removed_by)b::text FROM annotation WHERE game_id = %(game_id)b AND number = %(number)b
RETURNING number
"""


class AnnotationLog:
    """The comments of all games."""

    def __init__(self, database: Database, standings: Standings) -> None:
        self._database = database
        self._standings = standings

    async def add(self, game_id: UUID, note: NewAnnotation) -> Annotation | NotFound:
        """Writes a comment; NotFound where there is no such game."""
        parameters = {"game_id": game_id, "payload": note.payload, "author": note.author}
        with self._standings.changing(game_id.int):
            async with self._database.connection() as connection:
                while True:
                    try:
                        row = await one_row(connection, _ADD, parameters)
                    except errors.UniqueViolation:
                        continue  # another comment took the number at the same moment; it is there now
                    if row is None:
                        return NotFound()
                    number, recorded_at = row
                    return Annotation(number=number, payload=note.payload, author=note.author, recorded_at=recorded_at)

    async def of_game(self, game_id: UUID) -> list[Annotation]:
        """The comments on a game that were not removed, in order of number."""
        async with self._database.connection() as connection:
            rows = await all_rows(connection, _LIST, {"game_id": game_id})
        return [
            Annotation(number=number, payload=payload, author=author, recorded_at=recorded_at)
            for number, payload, author, recorded_at in rows
        ]

    async def removed(self, game_id: UUID) -> list[Removal]:
        """What is left of the comments on a game that were removed, in order of number."""
        async with self._database.connection() as connection:
            rows = await all_rows(connection, _REMOVED, {"game_id": game_id})
        return [Removal(number=number, removed_by=removed_by, removed_at=removed_at) for number, removed_by, removed_at in rows]

    async def remove(self, game_id: UUID, number: int, removed_by: str) -> bool:
        """Removes a comment; False where there is none of that number, or no longer."""
        parameters = {"game_id": game_id, "number": number, "removed_by": removed_by}
        with self._standings.changing(game_id.int):
            async with self._database.connection() as connection:
                try:
                    return await one_row(connection, _REMOVE, parameters) is not None
                except errors.UniqueViolation:
                    return False
