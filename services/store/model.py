"""What goes into the store and what it answers. The store knows no rules: bodies are bytes, derived facts are given by the caller."""

from datetime import datetime
from uuid import UUID

import msgspec


class StoreUnavailableError(Exception):
    """The database cannot be reached, or did not answer in time.

    Whether a write was done is then unknown: retry with the same request key.
    """


class NewEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event to be written: its type word, and its canonical JSON with ``type``."""

    kind: str
    payload: bytes
    kind_version: int = 1


class StoredEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event as it stands in the log; ``recorded_at`` is the database's clock, ``recorder`` the name of the token that wrote it."""

    seq: int
    kind: str
    kind_version: int
    payload: bytes
    recorded_at: datetime
    recorder: str


class RequestKey(msgspec.Struct, frozen=True, kw_only=True):
    """A caller's idempotency key, and the SHA-256 of the body that it came with."""

    id: str
    digest: bytes


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Derived facts by which games are listed: a cache that the caller computes from the log and may rebuild at any time.

    ``winners`` are seats into ``players``. ``text`` is what a text search looks at. ``digest`` is the SHA-256 of the canonical record and
    is compared only for finished games. ``over``: the hand has certainly ended, so that nothing of it is hidden any more. ``sound``: its
    outcome stands beyond doubt; only then ``total_xi``, ``mingtang`` (names) and ``net`` (what each seat gets less what it pays) are given.
    """

    players: tuple[str, ...]
    dealer: int
    title: str = ""
    played_at: datetime | None = None
    finished: bool = False
    end: str | None = None
    winners: tuple[int, ...] = ()
    has_violations: bool = False
    text: str = ""
    digest: bytes | None = None
    over: bool = False
    sound: bool = False
    total_xi: int | None = None
    mingtang: tuple[str, ...] = ()
    net: tuple[int, ...] = ()


class NewAnnotation(msgspec.Struct, frozen=True, kw_only=True):
    """A comment to be written, as canonical JSON, and the name of the token that writes it."""

    payload: bytes
    author: str


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """A comment as stored; ``number`` counts from 0 within its game and is never used again."""

    number: int
    payload: bytes
    author: str
    recorded_at: datetime


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """The tombstone of a comment."""

    number: int
    removed_by: str
    removed_at: datetime


class NewGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be stored with the events it has so far (at least one).

    ``header`` is the canonical JSON of the record without events and annotations, ``rules`` that of the rules it was opened with; both are
    bound by the first link of the hash chain and never change. ``answer`` is given back when ``request`` comes again.
    """

    game_id: UUID
    game: str
    owner: str
    recorder: str
    rules: bytes
    header: bytes
    events: tuple[NewEvent, ...]
    summary: Summary
    annotations: tuple[NewAnnotation, ...] = ()
    request: RequestKey | None = None
    answer: bytes = b""


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Events (at least one) to be written behind version ``expected``, all or none.

    ``head`` is the hash at that version, if the caller has read it (saves a query). ``summary`` are the facts that hold after the append.
    """

    game_id: UUID
    expected: int
    events: tuple[NewEvent, ...]
    recorder: str
    summary: Summary
    head: bytes | None = None
    request: RequestKey | None = None
    answer: bytes = b""


class Created(msgspec.Struct, frozen=True, kw_only=True, tag="created"):
    """The game is stored and durable."""

    game_id: UUID
    version: int
    head: bytes


class AlreadyThere(msgspec.Struct, frozen=True, kw_only=True, tag="already-there"):
    """Nothing was written: the owner has this very finished game, or a game of this id exists."""

    game_id: UUID
    version: int


class Appended(msgspec.Struct, frozen=True, kw_only=True, tag="appended"):
    """The events are stored and durable; the first has seq ``version - len(events)``."""

    version: int
    head: bytes
    recorded_at: datetime


class Replayed(msgspec.Struct, frozen=True, kw_only=True, tag="replayed"):
    """Nothing was written: this request was carried out before, led to ``version`` and was answered ``answer``."""

    game_id: UUID
    version: int
    answer: bytes


class RequestMismatch(msgspec.Struct, frozen=True, kw_only=True, tag="request-mismatch"):
    """Nothing was written: the request key was used before, with another body."""


class Stale(msgspec.Struct, frozen=True, kw_only=True, tag="stale"):
    """Nothing was written: the game is at ``version``; ``events`` are those from the expected version on."""

    version: int
    events: tuple[StoredEvent, ...]


class StillRunning(msgspec.Struct, frozen=True, kw_only=True, tag="still-running"):
    """Nothing was written: another write to this game has not ended within the lock time-out."""


class NotFound(msgspec.Struct, frozen=True, kw_only=True, tag="not-found"):
    """There is no such game."""


Creation = Created | AlreadyThere | Replayed | RequestMismatch | StillRunning
AppendOutcome = Appended | Replayed | RequestMismatch | Stale | StillRunning | NotFound


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes a running hand down, since when, and until when nobody else may; ``digest`` is the SHA-256 of the holder's secret."""

    digest: bytes
    holder: str
    since: datetime
    until: datetime


class Sharing(msgspec.Struct, frozen=True, kw_only=True):
    """Who may see a game beside those that it belongs to: ``private``, ``link`` (whoever has the secret of
    ``share_digest``), ``public``."""

    visibility: str = "private"
    share_digest: bytes | None = None


class StoredGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game's immutable opening facts, the version and hash at its head, who may see it and who is writing it down."""

    game_id: UUID
    game: str
    owner: str
    rules: bytes
    header: bytes
    created_at: datetime
    version: int
    head: bytes
    sharing: Sharing = Sharing()
    lease: Lease | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What may have become of a game since it was read: its version and the hash at its head, who may see it, who is writing it down, and
    how many comments were written and how many of them taken away."""

    version: int
    head: bytes
    sharing: Sharing = Sharing()
    lease: Lease | None = None
    written: int = 0
    removed: int = 0


class Audience(msgspec.Struct, frozen=True, kw_only=True):
    """For whom games are listed.

    He may see those that he owns as ``name``, the one ``game_id``, those of ``match_id``, public ones, and ``everything`` where that is
    true. Of a hand that is on he may know all that is hidden if it is his own, or if it is one of the others and ``trusted`` is true.
    """

    name: str | None = None
    game_id: UUID | None = None
    match_id: UUID | None = None
    everything: bool = False
    trusted: bool = False


EVERYBODY = Audience(everything=True, trusted=True)
"""The audience of a program that works for nobody in particular."""


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which games to list; what is None does not filter. What a filter may not know of a hand that is on, no such hand fits.

    ``player`` and ``winner`` are names; ``match_id`` is the match that a game must be part of, ``among`` are the
    games of which it must be one. ``since`` and ``until`` bound the time of
    play (that of recording where play has none), ``until`` exclusive. ``text`` is looked for anywhere in the summary's text, without
    regard to case.
    """

    owner: str | None = None
    game: str | None = None
    player: str | None = None
    winner: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    has_violations: bool | None = None
    text: str | None = None
    match_id: UUID | None = None
    among: list[UUID] | None = None
    audience: Audience = EVERYBODY


class ListedGame(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a list of games. ``version`` is that of the summary; ``opened``: nothing of the hand is hidden from the audience."""

    game_id: UUID
    game: str
    owner: str
    version: int
    created_at: datetime
    summary: Summary
    visibility: str = "private"
    opened: bool = True


class GamePage(msgspec.Struct, frozen=True, kw_only=True):
    """Games, the latest first; ``next`` is the cursor of the page behind, or None."""

    games: tuple[ListedGame, ...]
    next: str | None


class ChainReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of recomputing a chain over ``length`` links; ``fault`` says where it breaks first (seq or feed position) and why."""

    length: int
    head: bytes
    fault: tuple[int, str] | None = None


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One append in the global order: positions are dense from 1, and no entry ever appears before a position already read."""

    position: int
    game_id: UUID
    first_seq: int
    last_seq: int
    head: bytes
    hash: bytes


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A sitting of many hands; ``games`` in order of play."""

    match_id: UUID
    owner: str
    header: bytes
    created_at: datetime
    games: tuple[UUID, ...]


class PlayerFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What a player did at one of the games: ``hands`` that ended, ``wins`` that stand, the sum of their total 息, what he got net, and how
    often each 名堂 was seen in his wins."""

    player: str
    game: str
    hands: int
    wins: int
    total_xi: int
    wins_with_xi: int
    net: int
    mingtang: dict[str, int]


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token to be stored: its holder's name, the SHA-256 of its secret, what it allows, and for which game or match alone."""

    token_id: UUID
    name: str
    digest: bytes
    role: str
    game_id: UUID | None
    match_id: UUID | None
    viewpoint: str
    created_by: str
    expires_at: datetime | None


class StoredToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token as stored. ``usable`` is false once it was taken back or has expired."""

    token_id: UUID
    name: str
    role: str
    game_id: UUID | None
    match_id: UUID | None
    viewpoint: str
    created_by: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    usable: bool
