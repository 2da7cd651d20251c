"""The store as an audit reads it: whole spans of game ids in one snapshot, by a plain connection that a worker process opens for itself."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import msgspec
import psycopg
from psycopg import sql

from services.store.chain_check import check_chain
from services.store.database import SERVICE_ROLE
from services.store.model import ChainReport, StoredEvent, StoredGame, StoreUnavailableError

LAST_ID = UUID(int=2**128 - 1)

_SPAN: LiteralString = "game_id >= %(first)s AND game_id <= %(last)s"
_GAMES: LiteralString = f"""
SELECT game_id, game, owner, rules, header, created_at, version, head_hash FROM game LEFT JOIN game_head USING (game_id)
WHERE {_SPAN} ORDER BY game_id
"""
_EVENTS: LiteralString = f"SELECT game_id, seq, kind, kind_version, payload FROM event WHERE {_SPAN} ORDER BY game_id, seq"
_BATCHES: LiteralString = f"""
SELECT game_id, first_seq, last_seq, prev_hash, head_hash FROM batch WHERE {_SPAN} ORDER BY game_id, first_seq
"""
_ORPHANS: LiteralString = f"""
SELECT part, game_id FROM (
    SELECT DISTINCT 'event' AS part, game_id FROM event WHERE {_SPAN}
    UNION SELECT DISTINCT 'batch', game_id FROM batch WHERE {_SPAN}
    UNION SELECT DISTINCT 'game_head', game_id FROM game_head WHERE {_SPAN}
    UNION SELECT DISTINCT 'annotation', game_id FROM annotation WHERE {_SPAN}
    UNION SELECT DISTINCT 'annotation_removal', game_id FROM annotation_removal WHERE {_SPAN}
) AS found WHERE NOT EXISTS (SELECT FROM game WHERE game.game_id = found.game_id) ORDER BY game_id, part
"""
_VERDICTS: LiteralString = f"""
SELECT game_id, engine, version, ruleset, body FROM verdict WHERE {_SPAN} ORDER BY game_id, judged_at
"""
_KEEP: LiteralString = """
INSERT INTO verdict (game_id, engine, version, ruleset, body)
VALUES (%(game_id)s, %(engine)s, %(version)s, %(ruleset)s, %(body)s)
ON CONFLICT (game_id, engine) DO UPDATE
SET version = excluded.version, ruleset = excluded.ruleset, body = excluded.body, judged_at = clock_timestamp()
WHERE verdict.version <= excluded.version
"""
_UNFED: LiteralString = """
SELECT game_id, first_seq FROM batch
WHERE NOT EXISTS (
    SELECT FROM feed WHERE feed.game_id = batch.game_id AND feed.first_seq = batch.first_seq
        AND feed.last_seq = batch.last_seq AND feed.head_hash = batch.head_hash
) AND NOT EXISTS (
    SELECT FROM feed_queue AS queue WHERE queue.game_id = batch.game_id AND queue.first_seq = batch.first_seq
        AND queue.last_seq = batch.last_seq AND queue.head_hash = batch.head_hash
) ORDER BY game_id, first_seq LIMIT %(limit)s
"""
_QUEUED_FOR_NOTHING: LiteralString = """
SELECT game_id, first_seq FROM feed_queue AS queue
WHERE NOT EXISTS (
    SELECT FROM batch WHERE batch.game_id = queue.game_id AND batch.first_seq = queue.first_seq
        AND batch.last_seq = queue.last_seq AND batch.head_hash = queue.head_hash
) ORDER BY game_id, first_seq LIMIT %(limit)s
"""
_FED_NOTHING: LiteralString = """
SELECT game_id, first_seq FROM feed
WHERE NOT EXISTS (
    SELECT FROM batch WHERE batch.game_id = feed.game_id AND batch.first_seq = feed.first_seq
        AND batch.last_seq = feed.last_seq AND batch.head_hash = feed.head_hash
) ORDER BY position LIMIT %(limit)s
"""
_MATCHED_NOTHING: LiteralString = """
SELECT match_id, game_id FROM match_game
WHERE NOT EXISTS (SELECT FROM game WHERE game.game_id = match_game.game_id)
    OR NOT EXISTS (SELECT FROM match WHERE match.match_id = match_game.match_id)
ORDER BY match_id, game_id LIMIT %(limit)s
"""
_BORDERS: LiteralString = """
SELECT game_id FROM (SELECT game_id, row_number() OVER (ORDER BY game_id) AS place FROM game) AS numbered
WHERE place %% %(size)s = 0 ORDER BY game_id
"""

MOST_TOLD = 1000
"""So many rows that should not be there are named one by one."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """All game ids from ``first`` to ``last``, both included."""

    first: UUID
    last: UUID


class CachedVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict as an engine gave it on the first ``version`` events, by the rules of this digest."""

    engine: str
    version: int
    ruleset: bytes
    body: bytes


class AuditedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it was found: its events, what its chain comes to, and the verdicts of past audits, the latest last."""

    game: StoredGame
    events: list[StoredEvent]
    chain: ChainReport
    verdicts: list[CachedVerdict]


class Stray(msgspec.Struct, frozen=True, kw_only=True):
    """A row that should not be there, or one that lacks its counterpart: its table, whose it is, where, and what is wrong with it."""

    table: str
    of: UUID
    seq: int | None
    fault: str


def spans(conninfo: str, size: int) -> list[Span]:
    """The whole space of ids in spans of about ``size`` games each. Raises StoreUnavailableError."""
    with _snapshot(conninfo) as connection:
        borders = [border for (border,) in connection.execute(_BORDERS, {"size": size})]
    starts = [UUID(int=0), *(UUID(int=border.int + 1) for border in borders if border != LAST_ID)]
    ends = [*(UUID(int=start.int - 1) for start in starts[1:]), LAST_ID]
    return [Span(first=first, last=last) for first, last in zip(starts, ends, strict=True)]


def read_span(conninfo: str, span: Span) -> tuple[list[AuditedGame], list[Stray]]:
    """All games of a span with their chains checked, and rows of games that are not there; of one moment. Raises StoreUnavailableError."""
    with _snapshot(conninfo) as connection:
        bounds = {"first": span.first, "last": span.last}
        rows = connection.execute(_GAMES, bounds).fetchall()
        events = _by_game(connection, _EVENTS, bounds)
        batches = _by_game(connection, _BATCHES, bounds)
        verdicts = _by_game(connection, _VERDICTS, bounds)
        strays = [
            Stray(table=part, of=game_id, seq=None, fault="没有这盘 its game is not there")
            for part, game_id in connection.execute(_ORPHANS, bounds)
        ]
    games: list[AuditedGame] = []
    for game_id, game, owner, rules, header, created_at, version, head in rows:
        stored = StoredGame(
            game_id=game_id,
            game=game,
            owner=owner,
            rules=rules,
            header=header,
            created_at=created_at,
            version=-1 if version is None else version,
            head=head or b"",
        )
        found = [_event(row, created_at) for row in events.get(game_id, [])]
        games.append(
            AuditedGame(
                game=stored,
                events=found,
                chain=check_chain(stored, found, batches.get(game_id, [])),
                verdicts=[
                    CachedVerdict(engine=engine, version=at, ruleset=ruleset, body=body)
                    for engine, at, ruleset, body in verdicts.get(game_id, [])
                ],
            )
        )
    return games, strays


def strays(conninfo: str) -> list[Stray]:
    """Appends that feed and queue do not know, entries of theirs that no append stands behind, matches of games that are not there."""
    asked: list[tuple[str, LiteralString, str]] = [
        ("batch", _UNFED, "绕过了服务 it was written behind the service's back: neither feed nor queue know it"),
        ("feed", _FED_NOTHING, "牌谱被删改 it was published, and is not in the log"),
        ("feed_queue", _QUEUED_FOR_NOTHING, "排队而无写入 it is queued, and no append is there"),
    ]
    found: list[Stray] = []
    with _snapshot(conninfo) as connection:
        for table, statement, fault in asked:
            for game_id, seq in connection.execute(statement, {"limit": MOST_TOLD}):
                found.append(Stray(table=table, of=game_id, seq=seq, fault=fault))
        for match_id, game_id in connection.execute(_MATCHED_NOTHING, {"limit": MOST_TOLD}):
            found.append(Stray(table="match_game", of=match_id, seq=None, fault=f"没有这盘或这场 match or game {game_id} is not there"))
    return found


def keep_verdicts(conninfo: str, verdicts: list[tuple[UUID, CachedVerdict]]) -> None:
    """Keeps what an engine found, one verdict an engine and game. Raises StoreUnavailableError."""
    if not verdicts:
        return
    with _connected(conninfo) as connection, connection.transaction(), connection.cursor() as cursor:
        cursor.executemany(_KEEP, [{"game_id": game_id, **msgspec.structs.asdict(verdict)} for game_id, verdict in verdicts])


@contextmanager
def _connected(conninfo: str) -> Generator[psycopg.Connection[Any]]:
    try:
        with psycopg.connect(conninfo, autocommit=True, application_name="paipu audit") as connection:
            connection.execute("SELECT set_config('search_path', 'paipu', false)")
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(SERVICE_ROLE)))
            yield connection
    except psycopg.OperationalError as error:
        raise StoreUnavailableError(str(error)) from error


@contextmanager
def _snapshot(conninfo: str) -> Generator[psycopg.Connection[Any]]:
    """A connection whose statements all see the same moment: appends that go on meanwhile are not half seen."""
    with _connected(conninfo) as connection, connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield connection


def _by_game(connection: psycopg.Connection[Any], statement: LiteralString, bounds: dict[str, UUID]) -> dict[UUID, list[tuple[Any, ...]]]:
    """Rows by the game id in front."""
    rows: dict[UUID, list[tuple[Any, ...]]] = {}
    for game_id, *rest in connection.cursor(binary=True).execute(statement, bounds):
        rows.setdefault(game_id, []).append(tuple(rest))
    return rows


def _event(row: tuple[Any, ...], written: datetime) -> StoredEvent:
    """An event for its chain alone: when and by whom it was written is not part of that."""
    seq, kind, version, payload = row
    return StoredEvent(seq=seq, kind=kind, kind_version=version, payload=payload, recorded_at=written, recorder="")
