"""Lists of games from their summaries, the latest first, a page at a time."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from services.store.database import Connection, all_rows
from services.store.model import GameFilter, GamePage, ListedGame, Summary

_PAGE = """
SELECT game_id, version, game, owner, created_at, happened_at, players, dealer, title, played_at, finished, outcome_end, winners,
    has_violations, search_text, digest
FROM game_summary
WHERE (%(owner)b::text IS NULL OR owner = %(owner)b)
    AND (%(game)b::text IS NULL OR game = %(game)b)
    AND (%(player)b::text IS NULL OR %(player)b = ANY (players))
    AND (%(winner)b::text IS NULL OR %(winner)b = ANY (winner_names))
    AND (%(since)b::timestamptz IS NULL OR happened_at >= %(since)b)
    AND (%(until)b::timestamptz IS NULL OR happened_at < %(until)b)
    AND (%(has_violations)b::boolean IS NULL OR has_violations = %(has_violations)b)
    AND (%(text)b::text IS NULL OR strpos(lower(search_text), lower(%(text)b)) > 0)
    AND (%(before)b::timestamptz IS NULL OR (happened_at, game_id) < (%(before)b, %(before_id)b::uuid))
ORDER BY happened_at DESC, game_id DESC
LIMIT %(limit)b
"""


class _Place(msgspec.Struct, frozen=True, array_like=True):
    """The last game of a page, in the order of the list."""

    happened_at: datetime
    game_id: UUID


_encoder = msgspec.msgpack.Encoder(uuid_format="bytes")
_decoder = msgspec.msgpack.Decoder(_Place)


async def list_games(connection: Connection, wanted: GameFilter, *, limit: int, cursor: str | None) -> GamePage:
    """At most ``limit`` games that fit, from ``cursor`` on. Raises ValueError for a cursor that no page gave."""
    place = None if cursor is None else _read_cursor(cursor)
    parameters: dict[str, Any] = {
        **msgspec.structs.asdict(wanted),
        "before": place and place.happened_at,
        "before_id": place and place.game_id,
        "limit": limit + 1,
    }
    rows = await all_rows(connection, _PAGE, parameters)
    following = None
    if len(rows) > limit:
        rows.pop()
        following = _write_cursor(_Place(rows[-1][5], rows[-1][0]))
    return GamePage(games=tuple(_listed(row) for row in rows), next=following)


def _listed(row: tuple[Any, ...]) -> ListedGame:
    game_id, version, game, owner, created_at, _, players, dealer, title, played_at, finished, end, winners, violations, text, digest = row
    summary = Summary(
        players=tuple(players),
        dealer=dealer,
        title=title,
        played_at=played_at,
        finished=finished,
        end=end,
        winners=tuple(winners),
        has_violations=violations,
        text=text,
        digest=digest,
    )
    return ListedGame(game_id=game_id, game=game, owner=owner, version=version, created_at=created_at, summary=summary)


def _write_cursor(place: _Place) -> str:
    return urlsafe_b64encode(_encoder.encode(place)).decode().rstrip("=")


def _read_cursor(cursor: str) -> _Place:
    try:
        return _decoder.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, msgspec.DecodeError) as error:
        raise ValueError(f"not a cursor: {cursor!r}") from error
