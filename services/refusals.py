"""Why the application service refuses: what every part of it says in the same words."""

from hmac import compare_digest
from uuid import UUID

from services.access import Caller
from services.problems import ProblemError
from services.secrets import digest_of
from services.store.model import (
    Lease,
    StoredGame,
)
from services.words import Words

TOKEN_NEEDED = Words("请带上 Authorization: Bearer <令牌>", "send Authorization: Bearer <token>")


def require_creator(caller: Caller) -> None:
    """Only who may open games.

    Raises:
        ProblemError: unauthorized, forbidden.
    """
    if not caller.known:
        raise ProblemError("unauthorized", TOKEN_NEEDED)
    require(caller.may_create)


def require(allowed: bool) -> None:
    """Only where it is allowed.

    Raises:
        ProblemError: forbidden.
    """
    if not allowed:
        raise ProblemError("forbidden", Words("这个令牌不能这样做", "this token does not allow that"))


def require_lease(game: StoredGame, lease: str | None) -> None:
    """Only who holds the lease of a game, where somebody does; ``lease`` is the secret that the asker has.

    Raises:
        ProblemError: conflict, which names the holder.
    """
    held = game.lease
    if held is None or (lease is not None and compare_digest(held.digest, digest_of(lease))):
        return
    raise lease_held(held)


def lease_held(held: Lease) -> ProblemError:
    """The problem of a hand that somebody else is writing down."""
    since = held.since.isoformat(timespec="seconds")
    return ProblemError(
        "conflict",
        Words(f"{held.holder} 从 {since} 起在记这盘", f"{held.holder} has been writing this hand down since {since}"),
        more={"holder": held.holder, "since": held.since, "until": held.until},
    )


def no_event(seq: int) -> ProblemError:
    """There is no such event."""
    return ProblemError("not-found", Words(f"没有第 {seq} 个事件", f"there is no event {seq}"))


def no_note(number: int) -> ProblemError:
    """There is no such annotation."""
    return ProblemError("not-found", Words(f"没有第 {number} 条批注", f"there is no annotation {number}"))


def no_variation(number: int) -> ProblemError:
    """The annotation has no variation that could be played."""
    return ProblemError("not-found", Words(f"第 {number} 条批注没有变化", f"annotation {number} has no variation"))


def game_named(text: str) -> UUID:
    """The id of a game as it stands in a path or on a command line.

    Raises:
        ProblemError: not-found, for what cannot be one.
    """
    try:
        return UUID(text)
    except ValueError:
        raise not_found(text) from None


def not_found(game_id: UUID | str) -> ProblemError:
    """There is no such game, or it is none of the asker's business."""
    return ProblemError("not-found", Words(f"没有这盘：{game_id}", f"there is no game {game_id}"))


def key_reused() -> ProblemError:
    """The idempotency key came with other content before."""
    return ProblemError("key-reused", Words("这个 Idempotency-Key 用于别的内容", "this Idempotency-Key came with another body before"))


def running() -> ProblemError:
    """Another write has not ended."""
    return ProblemError("conflict", Words("这盘正在被写入，请稍后再试", "another write to this game has not ended; try again"))
