"""Who may see a game beside those that it belongs to, and who is writing a running hand down."""

from datetime import datetime, timedelta
from typing import Literal, get_args
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from services.access import Caller
from services.problems import ProblemError, stored
from services.records import Records
from services.refusals import lease_held, not_found, require
from services.secrets import digest_of, new_secret, new_share
from services.store.model import NotFound
from services.store.model import Sharing as StoredSharing
from services.store.sharing import SharingLog
from services.words import Words

Visibility = Literal["private", "link", "public"]
"""Who may read a game beside its owner and the holders of tokens: nobody, whoever has the link, everybody."""

VISIBILITIES: tuple[Visibility, ...] = get_args(Visibility)

LEASE = timedelta(minutes=2)
"""So long a lease lasts unless it is renewed."""

MAX_HOLDER = 100


class AccessWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who shall see a game. ``link`` makes a new link each time: the one before no longer opens anything."""

    visibility: Visibility


class AccessAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Who sees a game; ``share`` is the secret of a link that was made just now, and is shown this once."""

    visibility: str
    share: str | UnsetType = UNSET


class LeaseWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A lease that is asked for: the name of the device or person; ``lease`` is the secret of the one to be renewed, ``take_over`` takes it
    from whoever has it."""

    holder: str
    lease: str | None = None
    take_over: bool = False


class LeaseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A lease that was given. ``lease`` is its secret, to be sent as ``Paipu-Lease`` with every append."""

    lease: str
    holder: str
    since: datetime
    until: datetime


def visibility_named(text: str) -> Visibility | None:
    """The visibility of a name."""
    return next((visibility for visibility in VISIBILITIES if visibility == text), None)


class Sharing:
    """Visibility and leases of stored games."""

    def __init__(self, records: Records, sharing: SharingLog) -> None:
        self._records = records
        self._sharing = sharing

    async def visibility(self, caller: Caller, game_id: UUID) -> AccessAnswer:
        """Who sees a game.

        Raises:
            ProblemError: not-found, unauthorized; forbidden but for its owner and admins; unavailable.
        """
        log = await self._records.open(caller, game_id)
        require(log.rights.manage)
        return AccessAnswer(visibility=log.game.sharing.visibility)

    async def share(self, caller: Caller, game_id: UUID, visibility: Visibility) -> AccessAnswer:
        """Decides who sees a game. Whatever links there were open nothing from now on.

        Raises:
            ProblemError: not-found, unauthorized; forbidden but for its owner and admins; unavailable.
        """
        log = await self._records.open(caller, game_id)
        require(log.rights.manage)
        secret = new_share(game_id) if visibility == "link" else None
        sharing = StoredSharing(visibility=visibility, share_digest=None if secret is None else digest_of(secret))
        await stored(self._sharing.share(game_id, sharing, caller.name))
        return AccessAnswer(visibility=visibility, share=UNSET if secret is None else secret)

    async def take_lease(self, caller: Caller, game_id: UUID, wanted: LeaseWanted) -> LeaseAnswer:
        """Takes, renews or takes over the lease of a game: while it lasts only its holder appends.

        Raises:
            ProblemError: not-found, unauthorized; forbidden but for who may write; conflict, which names the holder; invalid; unavailable.
        """
        log = await self._records.open(caller, game_id)
        require(log.rights.write)
        if not wanted.holder.strip() or len(wanted.holder) > MAX_HOLDER or not wanted.holder.isprintable():
            raise ProblemError(
                "invalid", Words(f"holder 应为 1…{MAX_HOLDER} 个可见字符", f"holder has 1…{MAX_HOLDER} printable characters")
            )
        known = None if wanted.lease is None else digest_of(wanted.lease)
        # Renewed, a lease keeps its secret; otherwise the secret is new, so that whoever had the old one is shut out.
        secret = wanted.lease if known is not None and log.game.lease is not None and log.game.lease.digest == known else new_secret()
        taken = await stored(
            self._sharing.take_lease(
                game_id,
                digest=digest_of(secret or ""),
                holder=wanted.holder,
                lasts=LEASE,
                known=known,
                take_over=wanted.take_over,
            )
        )
        if isinstance(taken, NotFound):
            raise not_found(game_id)
        lease, mine = taken
        if not mine:
            raise lease_held(lease)
        return LeaseAnswer(lease=secret or "", holder=lease.holder, since=lease.since, until=lease.until)

    async def leave_lease(self, caller: Caller, game_id: UUID, lease: str) -> None:
        """Gives a lease up.

        Raises:
            ProblemError: not-found, also for a lease that is not held; unauthorized; forbidden but for who may write; unavailable.
        """
        log = await self._records.open(caller, game_id)
        require(log.rights.write)
        if not await stored(self._sharing.leave_lease(game_id, digest_of(lease))):
            raise ProblemError("not-found", Words("没有这个占用", "that lease is not held"))
