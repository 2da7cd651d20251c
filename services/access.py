"""Who asks, and what he may do: roles, their reach, and the view that each gives of a hand that is still on."""

from datetime import datetime
from hmac import compare_digest
from typing import Literal, get_args
from uuid import UUID

import msgspec

from services.store.model import Audience, StoredGame

Role = Literal["reader", "recorder", "reviewer", "referee", "admin"]
"""What a token is for: to read; to write hands down; to comment as well as read; to rule on findings as well; everything."""

ROLES: tuple[Role, ...] = get_args(Role)

Viewpoint = Literal["public", "守醒", "0", "1", "2", "3"]
"""From where a token sees a hand that is on: as the public, as whoever sits out, or from a seat."""

VIEWPOINTS: tuple[Viewpoint, ...] = get_args(Viewpoint)

View = Viewpoint | Literal["full"]


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Who a request comes from.

    ``name`` is what stands in the log as recorder and owner. ``role`` reaches as far as ``game_id`` or ``match_id``, everywhere without
    them; it is ``None`` for a stranger. Whoever also holds a link to a game has the SHA-256 of its secret as ``share_digest``.
    """

    name: str
    role: Role | None = None
    game_id: UUID | None = None
    match_id: UUID | None = None
    viewpoint: Viewpoint = "public"
    share_digest: bytes | None = None

    @property
    def known(self) -> bool:
        """Whether he showed a token, or a link."""
        return self.role is not None or self.share_digest is not None

    @property
    def is_admin(self) -> bool:
        """Whether he may do everything everywhere."""
        return self.role == "admin" and self.game_id is None and self.match_id is None

    @property
    def may_create(self) -> bool:
        """Whether he may open games."""
        return self.role in ("recorder", "admin") and self.game_id is None


OWNER = Caller(name="owner", role="admin")
"""The person whose data folder it is."""

STRANGER = Caller(name="")
"""Somebody without a token."""


class Rights(msgspec.Struct, frozen=True, kw_only=True):
    """What a caller may do with one game: read it, write events, rule on findings, comment, decide who sees it. ``view`` is what he sees
    while the hand is on."""

    read: bool = False
    write: bool = False
    rule: bool = False
    annotate: bool = False
    manage: bool = False
    view: View = "public"


def rights_of(caller: Caller, game: StoredGame, *, in_match: bool) -> Rights:
    """The rights of a caller; ``in_match``: the game is part of the match that his role reaches to.

    A name counts as the owner's only with a role that writes: a reader's token of the same name owns nothing.
    """
    role = caller.role
    reached = role is not None and (
        caller.game_id == game.game_id or in_match or (caller.game_id is None and caller.match_id is None)
    )  # fmt: skip
    mine = caller.may_create and caller.name == game.owner
    manages = mine or (reached and role == "admin")
    writes = manages or (reached and role == "recorder" and not (caller.game_id is None and caller.match_id is None))
    return Rights(
        read=reached or mine or game.sharing.visibility == "public" or _has_link(caller, game),
        write=writes,
        rule=writes or (reached and role == "referee"),
        annotate=writes or (reached and role in ("reviewer", "referee")),
        manage=manages,
        view="full" if writes else caller.viewpoint if reached else "public",
    )


def audience_of(caller: Caller) -> Audience:
    """For whom games are listed if this caller asks: just those that he may read."""
    return Audience(
        name=caller.name if caller.may_create else None,
        game_id=caller.game_id,
        match_id=caller.match_id,
        everything=caller.role is not None and caller.game_id is None and caller.match_id is None,
        trusted=caller.role == "admin" or (caller.role == "recorder" and not (caller.game_id is None and caller.match_id is None)),
    )


def role_named(text: str) -> Role | None:
    """The role of a name."""
    return next((role for role in ROLES if role == text), None)


def viewpoint_named(text: str) -> Viewpoint | None:
    """The viewpoint of a name."""
    return next((viewpoint for viewpoint in VIEWPOINTS if viewpoint == text), None)


class TokenLine(msgspec.Struct, frozen=True, kw_only=True):
    """A token as it is listed: everything but its secret."""

    id: UUID
    name: str
    role: str
    game: UUID | None
    match: UUID | None
    viewpoint: str
    created_by: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    usable: bool


class TokenWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token to be made: for whom, for what, for which game or match alone, from where its holder sees running hands, for how many
    days."""

    name: str
    role: Role
    game: UUID | None = None
    match: UUID | None = None
    viewpoint: Viewpoint = "public"
    days: int | None = None


class NewTokenAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A token that was made. ``token`` is its secret, which is shown this once."""

    id: UUID
    token: str


def _has_link(caller: Caller, game: StoredGame) -> bool:
    # The secret of a link holds the id of its game, so that no two games have the same.
    given, wanted = caller.share_digest, game.sharing.share_digest
    return given is not None and wanted is not None and compare_digest(given, wanted)
