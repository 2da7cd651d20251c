"""What a request asks: its caller, its body within limits, its parameters. What is not right is refused with a problem that names it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from hashlib import sha256
from time import monotonic
from typing import TypeVar
from uuid import UUID

from litestar.exceptions import InternalServerException

from services.access import Caller
from services.answers import Retry, Wanted
from services.credentials import CALLER, Access
from services.formats.claims import read_shape
from services.formats.faults import Unreadable
from services.formats.media import Format, format_of_media
from services.http.identity import still
from services.http.replies import AnyRequest
from services.live import Live
from services.problems import ProblemError, unreadable
from services.pseudonyms import Pseudonyms
from services.records import Records
from services.refusals import TOKEN_NEEDED, game_named
from services.sharing import Sharing
from services.sittings import Sittings
from services.summary import moment
from services.words import Words

MAX_BODY = 4 * 1024 * 1024
"""So many bytes may a body have; so many each line of a batch."""

MAX_FORM = 64 * 1024
"""So many bytes may a body have that is no record and no event."""

PATIENCE = 30
"""Seconds to wait for the next piece of a body."""

TRUST = 1.0
"""Seconds for which it holds who somebody is: of a request that takes longer it is asked again."""

MAX_KEY = 255
"""So many characters may an ``Idempotency-Key`` have."""

GAMES = ("weimaque", "changde")

LARGEST = 2**31 - 1
"""No seq, version or number is larger."""

Choice = TypeVar("Choice", bound=str)
Shape = TypeVar("Shape")


class Known:
    """That it is known who asks. What takes long renews it as it goes on, so that a right that is taken back ends with it."""

    def __init__(self, request: AnyRequest) -> None:
        self._request = request
        self._since = monotonic()

    async def renew(self) -> None:
        """Finds out anew who asks, where that was long ago.

        Raises:
            ProblemError: unauthorized, where what was shown opens nothing any more; unavailable.
        """
        if monotonic() - self._since > TRUST:
            await still(self._request)
            self._since = monotonic()


def records_of(request: AnyRequest) -> Records:
    """The application service behind this request."""
    return request.app.state["records"]


def sharing_of(request: AnyRequest) -> Sharing:
    """Visibility and leases behind this request."""
    return request.app.state["sharing"]


def sittings_of(request: AnyRequest) -> Sittings:
    """The matches behind this request."""
    return request.app.state["sittings"]


def live_of(request: AnyRequest) -> Live:
    """The news behind this request."""
    return request.app.state["live"]


def access_of(request: AnyRequest) -> Access:
    """The tokens behind this request."""
    return request.app.state["access"]


def asker_of(request: AnyRequest) -> Caller:
    """Who asks, be it a stranger.

    Raises:
        ProblemError: unauthorized, for a token that this program never gave out or has taken back.
    """
    caller: Caller | None = request.scope["state"][CALLER]
    if caller is None:
        raise ProblemError("unauthorized", TOKEN_NEEDED)
    return caller


def caller_of(request: AnyRequest) -> Caller:
    """Who asks, where strangers have no business.

    Raises:
        ProblemError: unauthorized, without a token that this program gave out.
    """
    caller = asker_of(request)
    if caller.role is None:
        raise ProblemError("unauthorized", TOKEN_NEEDED)
    return caller


def id_in_path(request: AnyRequest, name: str) -> UUID:
    """An id of the path.

    Raises:
        ProblemError: not-found, for what cannot be one.
    """
    named = str(request.path_params[name])
    try:
        return UUID(named)
    except ValueError:
        raise ProblemError("not-found", Words(f"没有 {named}", f"there is no {named}")) from None


def game_id_of(request: AnyRequest) -> UUID:
    """The game that the path names.

    Raises:
        ProblemError: not-found, for what cannot be a game's id.
    """
    return game_named(request.path_params["game_id"])


def number_in_path(request: AnyRequest, name: str) -> int:
    """A number of the path.

    Raises:
        ProblemError: not-found, for what is none.
    """
    text = str(request.path_params[name])
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ProblemError("not-found", Words(f"没有 {name} {text}", f"there is no {name} {text}"))
    return int(text)


async def body_of(request: AnyRequest, limit: int = MAX_BODY) -> bytes:
    """The whole body.

    Raises:
        ProblemError: too-large.
    """
    body = bytearray()
    async for chunk in chunks_of(request):
        body += chunk
        if len(body) > limit:
            raise ProblemError("too-large", Words(f"至多 {limit} 字节", f"at most {limit} bytes"))
    return bytes(body)


async def chunks_of(request: AnyRequest) -> AsyncIterator[bytes]:
    """The body piece by piece.

    Raises:
        ProblemError: slow, if nothing comes for long; unsupported, if it is packed; unauthorized, where the right to ask was taken back
            meanwhile.
    """
    coding = request.headers.get("content-encoding", "").strip().lower() or "identity"
    if coding != "identity":
        raise ProblemError("unsupported", Words(f"不收压缩的内容（{coding}）", f"a body in {coding} is not taken; send it as it is"))
    arriving, known = aiter(request.stream()), Known(request)
    while True:
        try:
            async with asyncio.timeout(PATIENCE):
                chunk = await anext(arriving)
        except StopAsyncIteration:
            await known.renew()
            return
        except InternalServerException:
            # So the framework says that the sender is gone; there is nobody left to be told.
            raise ProblemError("slow", Words("没有收完就断开了", "the sender went away before it was done")) from None
        except TimeoutError:
            detail = Words(f"{PATIENCE} 秒没有收到内容", f"nothing arrived for {PATIENCE} seconds")
            raise ProblemError("slow", detail) from None
        await known.renew()
        yield chunk


async def shape_of(request: AnyRequest, shape: type[Shape]) -> Shape:
    """The body, which is JSON of a shape.

    Raises:
        ProblemError: unreadable, too-large, slow.
    """
    try:
        return read_shape(await body_of(request, MAX_FORM), shape)
    except Unreadable as unread:
        raise unreadable(unread) from None


def format_of(request: AnyRequest) -> Format | None:
    """The format of the body by its media type; ``None``: its content will tell.

    Raises:
        ProblemError: unsupported.
    """
    media = request.headers.get("content-type", "").strip()
    if not media or media.lower().startswith("application/octet-stream"):
        return None
    form = format_of_media(media)
    if form is None:
        raise ProblemError("unsupported", Words(f"不支持 {media}", f"{media} is not supported"))
    return form


def key_of(request: AnyRequest) -> str | None:
    """The ``Idempotency-Key`` of the request.

    Raises:
        ProblemError: invalid, for a key that is empty, too long or not printable.
    """
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not key or len(key) > MAX_KEY or not (key.isascii() and key.isprintable()):
        detail = Words(f"Idempotency-Key 应为 1…{MAX_KEY} 个可见字符", f"Idempotency-Key must be 1…{MAX_KEY} printable characters")
        raise ProblemError("invalid", detail)
    return key


def retry_of(request: AnyRequest, body: bytes) -> Retry | None:
    """The ``Idempotency-Key`` of the request, bound to its body.

    Raises:
        ProblemError: invalid, for a key that is empty, too long or not printable.
    """
    key = key_of(request)
    return None if key is None else Retry(key=key, digest=sha256(body).digest())


def version_expected(request: AnyRequest) -> int | None:
    """The version that ``If-Match`` names; ``None`` without the header.

    Raises:
        ProblemError: stale, for a tag that no version has; invalid for what is no entity tag.
    """
    header = request.headers.get("if-match")
    if header is None:
        return None
    tag = header.strip()
    if len(tag) < 2 or not (tag.startswith('"') and tag.endswith('"')):
        raise ProblemError("invalid", Words('If-Match 应为 "版本"', 'If-Match must be a version in quotes, as in "12"'))
    number = tag[1:-1]
    if number.isascii() and number.isdigit() and len(number) > 1 and number.startswith("0"):
        raise ProblemError("invalid", Words(f"If-Match 的版本不写前导零：{tag}", f"a version in If-Match has no leading zeros: {tag}"))
    # A tag that this service never gave matches no version.
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else LARGEST


def flag(request: AnyRequest, name: str) -> bool:
    """A parameter that is 1 or 0 (also true, false); absent is 0.

    Raises:
        ProblemError: invalid.
    """
    text = request.query_params.get(name, "0").lower()
    if text not in ("1", "0", "true", "false"):
        raise ProblemError("invalid", Words(f"{name} 应为 1 或 0", f"{name} must be 1 or 0"))
    return text in ("1", "true")


def number(request: AnyRequest, name: str) -> int | None:
    """A parameter that is a number, 0 or more.

    Raises:
        ProblemError: invalid.
    """
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:11]) <= LARGEST):
        raise ProblemError("invalid", Words(f"{name} 应为 0 或以上的整数", f"{name} must be a number, 0 or more"))
    return int(text)


def limit_of(request: AnyRequest, most: int, otherwise: int) -> int:
    """The parameter ``limit``, 1 to ``most``.

    Raises:
        ProblemError: invalid.
    """
    limit = number(request, "limit")
    if limit is None:
        return otherwise
    if not 1 <= limit <= most:
        raise ProblemError("invalid", Words(f"limit 应为 1…{most}", f"limit must be 1…{most}"))
    return limit


def choice(request: AnyRequest, name: str, choices: tuple[Choice, ...], otherwise: Choice) -> Choice:
    """A parameter that is one of some words.

    Raises:
        ProblemError: invalid.
    """
    text = request.query_params.get(name)
    if text is None:
        return otherwise
    for word in choices:
        if word == text:
            return word
    named = [word for word in choices if word]
    raise ProblemError("invalid", Words(f"{name} 应为 {'、'.join(named)}", f"{name} must be one of {', '.join(named)}"))


def pseudonyms_of(request: AnyRequest, caller: Caller) -> Pseudonyms | None:
    """Other names for the people of the answer, where they are asked for.

    Raises:
        ProblemError: invalid.
    """
    return Pseudonyms(access_of(request).pseudonym_key(caller)) if flag(request, "pseudonyms") else None


def time(request: AnyRequest, name: str) -> datetime | None:
    """A parameter that is a moment (RFC 3339) or a day, which begins at midnight UTC.

    Raises:
        ProblemError: invalid.
    """
    text = request.query_params.get(name)
    if text is None:
        return None
    # An unescaped plus sign of an offset arrives as a space.
    written = text.replace(" ", "+")
    found = moment(written) or moment(f"{written}T00:00:00Z")
    if found is None:
        detail = Words(f"{name} 应为日期或 RFC 3339 时间", f"{name} must be a day or a moment as RFC 3339 has it")
        raise ProblemError("invalid", detail)
    return found


def wanted_of(request: AnyRequest) -> Wanted:
    """Which games are asked for.

    Raises:
        ProblemError: invalid.
    """
    has = choice(request, "has", ("", "violations"), "")
    game = choice(request, "game", ("", *GAMES), "")
    query = request.query_params
    match = query.get("match")
    try:
        match_id = None if match is None else UUID(match)
    except ValueError:
        raise ProblemError("invalid", Words("match 应为一场的编号", "match must be the id of a match")) from None
    return Wanted(
        game=game or None,
        player=query.get("player"),
        winner=query.get("winner"),
        since=time(request, "from"),
        until=time(request, "to"),
        has_violations=True if has else None,
        text=query.get("text"),
        match=match_id,
    )
