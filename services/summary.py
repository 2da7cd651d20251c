"""The facts by which stored games are listed: derived from a record and its verdict, never truth."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from msgspec import UNSET

from engine.log import effective_log
from engine.view import is_over_for
from schemas.events import Transfer
from schemas.record import Record
from schemas.verdict import Verdict, WeimaqueOutcome
from services.formats.canonical import canonical, digest
from services.formats.moments import is_moment
from services.store.model import Summary

YEARS = range(1000, 9000)
"""A time of play outside these years is nobody's, and would not survive every change of time zone."""


def summarise(record: Record, verdict: Verdict) -> Summary:
    """The summary of a record that was judged so."""
    start = effective_log(record.events).events[0]
    meta: dict[str, Any] = {} if record.meta is UNSET else record.meta
    title, played_at = meta.get("title"), meta.get("played_at")
    outcome = verdict.outcome
    over = outcome is not None and is_over_for(record, "public")
    sound = outcome if over and outcome is not None and outcome.valid and outcome.certainty == "established" else None
    words = [*start.players, *_words(meta)]
    return Summary(
        players=tuple(searchable(name) for name in start.players),
        dealer=start.dealer,
        title=searchable(title) if isinstance(title, str) else "",
        played_at=moment(played_at) or next((moment(event.at) for event in record.events if event.at is not UNSET), None),
        finished=outcome is not None,
        end=None if outcome is None else outcome.end,
        winners=() if outcome is None else tuple(outcome.winners),
        has_violations=any(finding.kind != "notice" and finding.certainty == "established" for finding in verdict.findings),
        text=searchable("\n".join(words)),
        # Only a finished hand is ever looked for by it.
        digest=None if outcome is None else digest(canonical(record)),
        over=over,
        sound=sound is not None,
        total_xi=sound.total_xi if isinstance(sound, WeimaqueOutcome) else None,
        mingtang=tuple(sound.mingtang) if isinstance(sound, WeimaqueOutcome) else (),
        net=() if sound is None else _net(sound.transfers, len(start.players)),
    )


def _net(transfers: Iterable[Transfer], seats: int) -> tuple[int, ...]:
    net = [0] * seats
    for transfer in transfers:
        net[transfer.from_] -= transfer.amount
        net[transfer.to] += transfer.amount
    return tuple(net)


def moment(text: Any) -> datetime | None:
    """The moment that a text names, if it names one with an offset; a leap second counts as the one before."""
    if not isinstance(text, str) or not is_moment(text):
        return None
    day, clock = text[:11].upper(), text[11:].upper()
    found = datetime.fromisoformat(day + (clock[:6] + "59" + clock[8:] if clock[6:8] == "60" else clock))
    return found if found.year in YEARS else None


def searchable(text: str) -> str:
    """The text without what a database column cannot hold."""
    return text.replace("\x00", "")


def _words(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = [*value.values()]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    elif isinstance(value, list):
        parts = [*value]  # pyright: ignore[reportUnknownVariableType]
    return [word for part in parts for word in _words(part)]
