"""Many games at once, by COPY into every table of the log, in one transaction."""

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from services.store import chain
from services.store.database import Connection, one_row
from services.store.model import Created, Creation, NewGame
from services.store.summaries import SUMMARY_COLUMNS, summary_parameters


async def copy_games(connection: Connection, games: Sequence[NewGame]) -> list[Creation]:
    """Stores new games, all or none. psycopg's UniqueViolation passes where an id is taken."""
    if not games:
        return []
    created: list[Creation] = []
    openings: list[bytes] = []
    for game in games:
        openings.append(chain.opening(game_id=game.game_id, game=game.game, rules=game.rules, header=game.header))
        head = chain.extend(openings[-1], 0, game.events)
        created.append(Created(game_id=game.game_id, version=len(game.events), head=head))
    heads = [outcome.head for outcome in created if isinstance(outcome, Created)]
    placed = list(zip(games, openings, heads, strict=True))
    async with connection.transaction():
        now = (await one_row(connection, "SELECT clock_timestamp()", {}) or (None,))[0]
        await _copy(
            connection,
            "COPY game (game_id, game, owner, rules, header, created_at) FROM STDIN (FORMAT BINARY)",
            ("uuid", "text", "text", "bytea", "bytea", "timestamptz"),
            ((game.game_id, game.game, game.owner, game.rules, game.header, now) for game in games),
        )
        await _copy(
            connection,
            "COPY game_head (game_id, version, head_hash) FROM STDIN (FORMAT BINARY)",
            ("uuid", "int4", "bytea"),
            ((game.game_id, len(game.events), head) for game, _, head in placed),
        )
        await _copy(
            connection,
            "COPY batch (game_id, first_seq, last_seq, prev_hash, head_hash, recorder, recorded_at, answer, request_id, request_digest) "
            "FROM STDIN (FORMAT BINARY)",
            ("uuid", "int4", "int4", "bytea", "bytea", "text", "timestamptz", "bytea", "text", "bytea"),
            (_batch_row(game, start, head, now) for game, start, head in placed),
        )
        await _copy(
            connection,
            "COPY event (game_id, seq, kind, kind_version, payload) FROM STDIN (FORMAT BINARY)",
            ("uuid", "int4", "text", "int4", "bytea"),
            ((game.game_id, seq, event.kind, event.kind_version, event.payload) for game in games for seq, event in enumerate(game.events)),
        )
        await _copy(
            connection,
            "COPY feed_queue (game_id, first_seq, last_seq, head_hash, queued_at) FROM STDIN (FORMAT BINARY)",
            ("uuid", "int4", "int4", "bytea", "timestamptz"),
            ((game.game_id, 0, len(game.events) - 1, head, now) for game, _, head in placed),
        )
        await _copy(
            connection,
            "COPY annotation (game_id, number, payload, author, recorded_at) FROM STDIN (FORMAT BINARY)",
            ("uuid", "int4", "bytea", "text", "timestamptz"),
            ((game.game_id, number, note.payload, note.author, now) for game in games for number, note in enumerate(game.annotations)),
        )
        await _copy(
            connection,
            f"COPY game_summary ({SUMMARY_COLUMNS}) FROM STDIN (FORMAT BINARY)",
            (
                *("uuid", "int4", "text", "text", "timestamptz", "timestamptz"),
                *("text[]", "int4", "text", "timestamptz", "bool", "text", "int4[]", "text[]", "bool", "text", "bytea"),
                *("bool", "bool", "numeric", "text[]", "numeric[]"),
            ),
            (_summary_row(game, now) for game in games),
        )
    return created


def _batch_row(game: NewGame, start: bytes, head: bytes, now: object) -> tuple[Any, ...]:
    request = (None, None) if game.request is None else (game.request.id, game.request.digest)
    return (game.game_id, 0, len(game.events) - 1, start, head, game.recorder, now, game.answer, *request)


def _summary_row(game: NewGame, now: object) -> tuple[Any, ...]:
    values = summary_parameters(game.summary)
    happened_at = game.summary.played_at or now
    return (game.game_id, len(game.events), game.game, game.owner, now, happened_at, *values.values())


async def _copy(connection: Connection, statement: LiteralString, types: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    async with connection.cursor().copy(statement) as copy:
        copy.set_types(types)
        for row in rows:
            await copy.write_row(row)
