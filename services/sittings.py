"""Matches: sittings of many hands, judged together, as far as the one who asks may see them."""

from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import msgspec

from engine.matches import check_match
from schemas.match import MatchHand, Standing
from schemas.record import Record
from services.access import Caller
from services.formats.canonical import canonical
from services.problems import ProblemError, stored
from services.records import Records
from services.store.matches import MatchLog
from services.store.model import Match, NotFound
from services.words import Language, Words

MAX_HANDS = 500
"""So many hands may a match have."""

MAX_TITLE = 200
LISTED = 100
"""So many matches are listed."""


class MatchWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match to be made: its title, and the games that are part of it, in order of play."""

    title: str = ""
    games: list[UUID] = []


class HandWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game that becomes the last hand of a match."""

    game: UUID


class HandPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a hand stands in its match, from 0."""

    position: int


class MatchLine(msgspec.Struct, frozen=True, kw_only=True):
    """One match of a list; ``games`` in order of play."""

    id: UUID
    title: str
    owner: str
    created_at: datetime
    games: list[UUID]


class MatchList(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, the latest first."""

    matches: list[MatchLine]


class SittingHand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand of a match; ``hand`` is ``None`` where the asker may not read the game."""

    game: UUID
    hand: MatchHand | None


class Sitting(msgspec.Struct, frozen=True, kw_only=True):
    """A match with its hands judged together, and where everybody stands."""

    id: UUID
    title: str
    owner: str
    created_at: datetime
    hands: list[SittingHand]
    standings: list[Standing]


class _Header(msgspec.Struct, frozen=True):
    title: str = ""


_HEADER = msgspec.json.Decoder(_Header)


class Sittings:
    """The matches of a store."""

    def __init__(self, records: Records, matches: MatchLog) -> None:
        self._records = records
        self._matches = matches

    async def create(self, caller: Caller, wanted: MatchWanted) -> MatchLine:
        """Makes a match of games that the caller decides about.

        Raises:
            ProblemError: unauthorized, forbidden, not-found for a game; invalid; unavailable.
        """
        _require_maker(caller)
        if len(set(wanted.games)) != len(wanted.games):
            raise ProblemError("invalid", Words("同一盘不能出现两次", "a game stands there twice"))
        if len(wanted.games) > MAX_HANDS:
            raise _too_long()
        if len(wanted.title) > MAX_TITLE:
            raise ProblemError("invalid", Words(f"标题至多 {MAX_TITLE} 字", f"a title has at most {MAX_TITLE} characters"))
        for game_id in wanted.games:
            await self._require_game(caller, game_id)
        made = await stored(
            self._matches.create(match_id=uuid4(), owner=caller.name, header=canonical({"title": wanted.title}), games=tuple(wanted.games))
        )
        return _line(made)

    async def add(self, caller: Caller, match_id: UUID, game_id: UUID) -> HandPlace:
        """Puts a game that the caller decides about behind the other hands of a match that he keeps.

        Raises:
            ProblemError: unauthorized, forbidden, not-found; too-large; unavailable.
        """
        match = await self._open(caller, match_id)
        keeps = caller.may_create and (caller.name == match.owner or caller.match_id == match_id or caller.is_admin)
        if not keeps:
            raise ProblemError("forbidden", Words("这个令牌不能这样做", "this token does not allow that"))
        await self._require_game(caller, game_id)
        if len(match.games) >= MAX_HANDS and game_id not in match.games:
            raise _too_long()
        position = await stored(self._matches.add(match_id, game_id))
        if isinstance(position, NotFound):
            raise _not_found(match_id)
        return HandPlace(position=position)

    async def latest(self, caller: Caller) -> MatchList:
        """The matches that the caller may read, the latest first.

        Raises:
            ProblemError: unavailable.
        """
        if caller.match_id is not None:
            match = await stored(self._matches.read(caller.match_id))
            return MatchList(matches=[] if match is None else [_line(match)])
        everywhere = caller.role is not None and caller.game_id is None
        found = await stored(self._matches.latest(limit=LISTED)) if everywhere else []
        return MatchList(matches=[_line(match) for match in found])

    async def read(self, caller: Caller, match_id: UUID, language: Language) -> Sitting:
        """A match with its hands judged together as the caller may see them. A hand that he may not read counts for nobody.

        Raises:
            ProblemError: unauthorized, not-found, unavailable.
        """
        match = await self._open(caller, match_id)
        records: list[Record | None] = []
        for game_id in match.games:
            try:
                _, record = await self._records.record(caller, game_id)
            except ProblemError as refused:
                if refused.kind not in ("not-found", "unauthorized"):
                    raise
                records.append(None)
            else:
                records.append(record)
        events = sum(len(record.events) for record in records if record is not None)
        verdict = await self._records.labour.beside(events, partial(check_match, records, lang=language))
        return Sitting(
            **_facts(match),
            hands=[
                SittingHand(game=game_id, hand=None if record is None else hand)
                for game_id, record, hand in zip(match.games, records, verdict.hands, strict=True)
            ],
            standings=verdict.standings,
        )

    async def _open(self, caller: Caller, match_id: UUID) -> Match:
        match = await stored(self._matches.read(match_id))
        everywhere = caller.role is not None and caller.game_id is None and caller.match_id is None
        if match is not None and (everywhere or caller.match_id == match_id):
            return match
        if not caller.known:
            raise ProblemError("unauthorized", Words("请带上令牌", "send a token"))
        raise _not_found(match_id)

    async def _require_game(self, caller: Caller, game_id: UUID) -> None:
        # A match lets its tokens into its games, so only who decides about a game may put it there.
        log = await self._records.open(caller, game_id)
        if not log.rights.manage:
            raise ProblemError("forbidden", Words(f"{game_id} 不归你管", f"game {game_id} is not yours to decide about"))


def _require_maker(caller: Caller) -> None:
    if not caller.known:
        raise ProblemError("unauthorized", Words("请带上令牌", "send a token"))
    if not caller.may_create or caller.match_id is not None:
        raise ProblemError("forbidden", Words("这个令牌不能这样做", "this token does not allow that"))


def _line(match: Match) -> MatchLine:
    return MatchLine(**_facts(match), games=list(match.games))


def _facts(match: Match) -> dict[str, Any]:
    title = _HEADER.decode(match.header).title
    return {"id": match.match_id, "title": title, "owner": match.owner, "created_at": match.created_at}


def _not_found(match_id: UUID) -> ProblemError:
    return ProblemError("not-found", Words(f"没有这场：{match_id}", f"there is no match {match_id}"))


def _too_long() -> ProblemError:
    return ProblemError("too-large", Words(f"一场至多 {MAX_HANDS} 盘", f"a match has at most {MAX_HANDS} hands"))
