"""Lists of games from their summaries, the latest first, a page at a time."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from services.store.database import Connection, all_rows
from services.store.model import GameFilter, GamePage, ListedGame, Summary

IN_SCOPE = """(
    game_summary.game_id = %(scope_game)b::uuid
    OR EXISTS (SELECT FROM match_game WHERE match_game.game_id = game_summary.game_id AND match_game.match_id = %(scope_match)b::uuid)
    OR %(everything)b::boolean
)"""
"""Whether a game is among those that the audience was let in for."""

VISIBLE = f"""(
    {IN_SCOPE} OR game_summary.owner = %(name)b::text OR game_access.visibility = 'public'
)"""
"""Whether the audience may know of a game."""

OPENED = f"(game_summary.over OR game_summary.owner = %(name)b::text OR (%(trusted)b::boolean AND {IN_SCOPE}))"
"""Whether nothing of a game is hidden from the audience."""

FITS = f"""
    {VISIBLE}
    AND (%(owner)b::text IS NULL OR game_summary.owner = %(owner)b)
    AND (%(game)b::text IS NULL OR game = %(game)b)
    AND (%(player)b::text IS NULL OR %(player)b = ANY (players))
    AND (%(winner)b::text IS NULL OR (%(winner)b = ANY (winner_names) AND {OPENED}))
    AND (%(since)b::timestamptz IS NULL OR happened_at >= %(since)b)
    AND (%(until)b::timestamptz IS NULL OR happened_at < %(until)b)
    AND (%(has_violations)b::boolean IS NULL OR (has_violations = %(has_violations)b AND {OPENED}))
    AND (%(text)b::text IS NULL OR strpos(lower(search_text), lower(%(text)b)) > 0)
    AND (%(among)b::uuid[] IS NULL OR game_summary.game_id = ANY (%(among)b))
    AND (%(match_id)b::uuid IS NULL
        OR EXISTS (SELECT FROM match_game WHERE match_game.game_id = game_summary.game_id AND match_game.match_id = %(match_id)b))
"""
"""Whether a game is wanted."""

_PAGE = f"""
SELECT game_summary.game_id, version, game, owner, created_at, happened_at, players, dealer, title, played_at, finished, outcome_end,
    winners, has_violations, search_text, digest, over, sound, total_xi, mingtang, net,
    coalesce(visibility, 'private'), coalesce({OPENED}, false)
FROM game_summary LEFT JOIN game_access ON game_access.game_id = game_summary.game_id
WHERE {FITS}
    AND (%(before)b::timestamptz IS NULL OR (happened_at, game_summary.game_id) < (%(before)b, %(before_id)b::uuid))
ORDER BY happened_at DESC, game_summary.game_id DESC
LIMIT %(limit)b
"""

_IDS = f"""
SELECT game_summary.game_id FROM game_summary LEFT JOIN game_access ON game_access.game_id = game_summary.game_id
WHERE {FITS} AND game_summary.game_id > %(after)b
ORDER BY game_summary.game_id LIMIT %(limit)b
"""

_NO_ID = UUID(int=0)


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
        **filter_parameters(wanted),
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


async def list_ids(connection: Connection, wanted: GameFilter, *, limit: int, after: UUID | None) -> list[UUID]:
    """The ids, in order, of at most ``limit`` games that fit, behind ``after``."""
    parameters = {**filter_parameters(wanted), "after": after or _NO_ID, "limit": limit}
    return [game_id for (game_id,) in await all_rows(connection, _IDS, parameters)]


def filter_parameters(wanted: GameFilter) -> dict[str, Any]:
    """The parameters of ``FITS``."""
    given = {name: value for name, value in msgspec.structs.asdict(wanted).items() if name != "audience"}
    audience = wanted.audience
    return {
        **given,
        "name": audience.name,
        "scope_game": audience.game_id,
        "scope_match": audience.match_id,
        "everything": audience.everything,
        "trusted": audience.trusted,
    }


def _listed(row: tuple[Any, ...]) -> ListedGame:
    game_id, version, game, owner, created_at, _, players, dealer, title, played_at, finished, end, winners, violations, *rest = row
    text, digest, over, sound, total_xi, mingtang, net, visibility, opened = rest
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
        over=over,
        sound=sound,
        total_xi=None if total_xi is None else int(total_xi),
        mingtang=tuple(mingtang),
        net=tuple(map(int, net)),
    )
    return ListedGame(
        game_id=game_id,
        game=game,
        owner=owner,
        version=version,
        created_at=created_at,
        summary=summary,
        visibility=visibility,
        opened=opened,
    )


def _write_cursor(place: _Place) -> str:
    return urlsafe_b64encode(_encoder.encode(place)).decode().rstrip("=")


def _read_cursor(cursor: str) -> _Place:
    try:
        return _decoder.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, msgspec.DecodeError) as error:
        raise ValueError(f"not a cursor: {cursor!r}") from error
