"""How a game's summary lies in its table."""

from typing import Any

from services.store import wire
from services.store.model import Summary

SUMMARY_COLUMNS = (
    "game_id, version, game, owner, created_at, happened_at, players, dealer, title, played_at, finished, outcome_end, winners, "
    "winner_names, has_violations, search_text, digest, over, sound, total_xi, mingtang, net"
)
"""The columns, in the order in which rows are written."""

SUMMARY_VALUES = (
    "coalesce(%(played_at)b, created_at), %(players)b::text[], %(dealer)b, %(title)b, %(played_at)b, %(finished)b, %(outcome_end)b, "
    "%(winners)b::int[], %(winner_names)b::text[], %(has_violations)b, %(search_text)b, %(digest)b, %(over)b, %(sound)b, "
    "%(total_xi)b::numeric, %(mingtang)b::text[], %(net)b::numeric[]"
)
"""The values behind ``created_at``, as parameters that ``summary_parameters`` gives."""

SUMMARY_TYPES = {
    "players": wire.TEXTS,
    "dealer": wire.INT,
    "title": wire.TEXT,
    "played_at": wire.TIMESTAMPTZ,
    "finished": wire.BOOL,
    "outcome_end": wire.TEXT,
    "winners": wire.INTS,
    "winner_names": wire.TEXTS,
    "has_violations": wire.BOOL,
    "search_text": wire.TEXT,
    "digest": wire.BYTEA,
    "over": wire.BOOL,
    "sound": wire.BOOL,
    "total_xi": wire.NUMERIC,
    "mingtang": wire.TEXTS,
    "net": wire.NUMERICS,
}
"""What these parameters are."""

SUMMARY_UPDATES = (
    "version = excluded.version, happened_at = excluded.happened_at, players = excluded.players, dealer = excluded.dealer, "
    "title = excluded.title, played_at = excluded.played_at, finished = excluded.finished, outcome_end = excluded.outcome_end, "
    "winners = excluded.winners, winner_names = excluded.winner_names, has_violations = excluded.has_violations, "
    "search_text = excluded.search_text, digest = excluded.digest, over = excluded.over, sound = excluded.sound, "
    "total_xi = excluded.total_xi, mingtang = excluded.mingtang, net = excluded.net"
)
"""The assignments by which a later summary replaces an earlier one."""


def summary_parameters(summary: Summary) -> dict[str, Any]:
    """The parameters of ``SUMMARY_VALUES``."""
    return {
        "players": list(summary.players),
        "dealer": summary.dealer,
        "title": summary.title,
        "played_at": summary.played_at,
        "finished": summary.finished,
        "outcome_end": summary.end,
        "winners": list(summary.winners),
        "winner_names": [summary.players[seat] for seat in summary.winners],
        "has_violations": summary.has_violations,
        "search_text": summary.text,
        "digest": summary.digest,
        "over": summary.over,
        "sound": summary.sound,
        "total_xi": summary.total_xi,
        "mingtang": list(summary.mingtang),
        "net": list(summary.net),
    }
