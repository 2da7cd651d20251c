"""What the application service is asked and answers: the shapes that HTTP sends and the command line prints."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from schemas.repair import Impact, Repair
from schemas.verdict import ChangdeOutcome, Finding, WeimaqueOutcome
from services.problems import Problem

Outcome = WeimaqueOutcome | ChangdeOutcome | None


class Retry(msgspec.Struct, frozen=True, kw_only=True):
    """The key by which a request is known if it comes twice, and the SHA-256 of its body."""

    key: str
    digest: bytes


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which games to list; what is ``None`` does not filter.

    ``player`` and ``winner`` are names. ``since`` and ``until`` bound the time of play, ``until`` exclusive. ``text`` is looked
    for in all words of a game, ``match`` is a match that it is part of.
    """

    game: str | None = None
    player: str | None = None
    winner: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    has_violations: bool | None = None
    text: str | None = None
    match: UUID | None = None


class GameAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it stands after an import. In mode ``prefix``: how many events were kept and dropped, and why."""

    id: UUID
    version: int
    findings: list[Finding]
    outcome: Outcome
    next: list[Any]
    kept: int | UnsetType = UNSET
    dropped: int | UnsetType = UNSET
    error: Any = UNSET


class AppendAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What an append did: the findings that it added and those that it cleared, and the playing events that are legal now; of a dry run
    also its whole ``impact``."""

    version: int
    seqs: list[int]
    findings: list[Finding]
    cleared: list[Finding]
    next: list[Any]
    outcome: Outcome
    impact: Impact | UnsetType = UNSET


class RepairsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How a record could be mended, best first. Nothing is mended before somebody appends the events."""

    version: int
    repairs: list[Repair]


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an import, as JSON; ``created`` is false if nothing was written, ``replayed`` true for a request that came before."""

    game_id: UUID
    version: int
    body: bytes
    created: bool
    replayed: bool = False


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an append, as JSON; ``stored`` is false for a dry run."""

    version: int
    body: bytes
    stored: bool
    replayed: bool = False


class BatchLine(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one record of a batch; ``line`` is where it begins, from 1."""

    line: int
    status: int
    id: UUID | UnsetType = UNSET
    error: Problem | UnsetType = UNSET


class EventAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An event as written, and when and by whom."""

    seq: int
    recorded_at: datetime
    recorder: str
    event: msgspec.Raw


class EventsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Events of a log as written, from some seq on."""

    version: int
    events: list[EventAnswer]


class NoteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An annotation with its number within the game, its author and when it was written."""

    n: int
    author: str
    recorded_at: datetime
    annotation: msgspec.Raw


class NoteRemoved(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of an annotation that was taken away."""

    n: int
    removed_by: str
    removed_at: datetime


class NotesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The annotations of a game, and what is left of those that were taken away."""

    annotations: list[NoteAnswer]
    removed: list[NoteRemoved]


class RulingLine(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided, at event ``seq``, about a finding of ``rule`` at event ``on``, by whom and when; ``effective`` is false if the
    ruling was taken back."""

    seq: int
    on: int
    rule: str
    decision: str
    note: str | UnsetType = UNSET
    author: str
    recorded_at: datetime
    effective: bool


class PlayerLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a player did at one of the games: hands that ended, wins that stand, their average 息 (``None`` where none has any), what he got
    less what he paid, and how often each 名堂 was in his wins."""

    player: str
    game: str
    hands: int
    wins: int
    average_xi: float | None
    net: int
    mingtang: dict[str, int]


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """What players did, who sat at most hands first."""

    players: list[PlayerLine]


class GameLine(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a list. ``has_violations`` is ``None`` where the hand is on and not all of it may be seen."""

    id: UUID
    game: str
    version: int
    title: str
    players: tuple[str, ...]
    dealer: int
    played_at: datetime | None
    created_at: datetime
    finished: bool
    end: str | None
    winners: tuple[int, ...]
    has_violations: bool | None
    visibility: str = "private"


class GameList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of games, the latest first, and the cursor of the page behind it."""

    games: list[GameLine]
    next: str | None
