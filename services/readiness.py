"""Whether the program can serve: the database answers, and is at the schema that this version knows."""

from services.problems import ProblemError, stored
from services.store.database import Database, all_rows
from services.store.migrate import known_migrations
from services.words import Words

_APPLIED = "SELECT migration_id FROM public._yoyo_migration ORDER BY migration_id"


class Readiness:
    """The readiness of a program over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known = known_migrations()

    async def require(self) -> None:
        """Does nothing if the program can serve.

        Raises:
            ProblemError: unavailable.
        """
        applied = await stored(self._applied())
        if applied != self._known:
            raise ProblemError("unavailable", Words("数据库的版本与程序不符", "the database is not at the schema of this version"))

    async def _applied(self) -> list[str]:
        async with self._database.connection() as connection:
            return [name for (name,) in await all_rows(connection, _APPLIED, {})]
