"""What players did in the hands that fit, counted by the database from the summaries of hands that have ended."""

from services.store.database import Connection, all_rows
from services.store.listing import FITS, filter_parameters
from services.store.model import GameFilter, PlayerFigures

_FIGURES = f"""
WITH hand AS (
    SELECT game_summary.game_id, game, players, winners, sound, total_xi, mingtang, net
    FROM game_summary LEFT JOIN game_access ON game_access.game_id = game_summary.game_id
    WHERE {FITS} AND over
), sat AS (
    SELECT hand.*, seat.name, sound AND seat.place::int - 1 = ANY (winners) AS won, coalesce(net[seat.place], 0) AS gained
    FROM hand, unnest(players) WITH ORDINALITY AS seat (name, place)
    WHERE %(player)b::text IS NULL OR seat.name = %(player)b
), counted AS (
    SELECT name, game, count(*) AS hands, count(*) FILTER (WHERE won) AS wins,
        coalesce(sum(total_xi) FILTER (WHERE won), 0) AS total_xi, count(total_xi) FILTER (WHERE won) AS wins_with_xi, sum(gained) AS net
    FROM sat GROUP BY name, game ORDER BY hands DESC, name, game LIMIT %(limit)b
), named AS (
    SELECT name, game, word, count(*) AS times FROM sat, unnest(mingtang) AS word WHERE won GROUP BY name, game, word
)
SELECT name, game, hands, wins, total_xi, wins_with_xi, net,
    ARRAY (SELECT word FROM named WHERE named.name = counted.name AND named.game = counted.game ORDER BY times DESC, word),
    ARRAY (SELECT times FROM named WHERE named.name = counted.name AND named.game = counted.game ORDER BY times DESC, word)
FROM counted ORDER BY hands DESC, name, game
"""


async def figures(connection: Connection, wanted: GameFilter, *, limit: int) -> list[PlayerFigures]:
    """At most ``limit`` players and games, who sat at most hands first."""
    rows = await all_rows(connection, _FIGURES, {**filter_parameters(wanted), "limit": limit})
    return [
        PlayerFigures(
            player=name,
            game=game,
            hands=hands,
            wins=wins,
            total_xi=int(total_xi),
            wins_with_xi=wins_with_xi,
            net=int(net),
            mingtang=dict(zip(words, times, strict=True)),
        )
        for name, game, hands, wins, total_xi, wins_with_xi, net, words, times in rows
    ]
