"""Finds out who asks, before anything else is done: by a token, a link, or the cookie of a browser that showed one."""

from hmac import compare_digest
from uuid import UUID

from services.access import STRANGER, Caller
from services.credentials import CALLER, SESSION_COOKIE, Access, share_cookie
from services.http.replies import AnyRequest
from services.problems import ProblemError
from services.refusals import TOKEN_NEEDED
from services.secrets import digest_of, form_token, game_of_share
from services.words import Words

FORM_HEADER = "paipu-form"
"""A script of a page sends back here what the page's forms carry."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


async def identify(request: AnyRequest) -> None:
    """Notes who asks: ``None`` for whoever shows a token that is none, or is one no longer.

    Raises:
        ProblemError: foreign, for a change that a browser is made to send from elsewhere; unavailable.
    """
    request.scope["state"][CALLER] = await _caller(request)


async def still(request: AnyRequest) -> Caller:
    """Who asks, looked up anew: for an answer that lasts, during which a token may be taken back or expire and a session may end.

    Raises:
        ProblemError: unauthorized, where what was shown opens nothing any more; unavailable.
    """
    caller = await _caller(request)
    if caller is None:
        raise ProblemError("unauthorized", TOKEN_NEEDED)
    return caller


async def bearer(access: Access, header: str) -> Caller | None:
    """Whoever an ``Authorization`` header names; ``None`` for a token that is none, or is one no longer.

    Raises:
        ProblemError: unavailable.
    """
    token = _token(header)
    return None if token is None else await access.caller(token)


def bearer_at_hand(access: Access, header: str) -> Caller | None:
    """Whoever an ``Authorization`` header names, if that is known without asking."""
    token = _token(header)
    return None if token is None else access.at_hand(token)


def _token(header: str) -> str | None:
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


async def _caller(request: AnyRequest) -> Caller | None:
    access: Access = request.app.state["access"]
    header = request.headers.get("authorization", "")
    if header:
        return await bearer(access, header)
    caller = STRANGER
    cookie = request.cookies.get(SESSION_COOKIE)
    if cookie:
        caller = await access.session(cookie) or STRANGER
        if caller is not STRANGER and request.method not in SAFE and request.scope["path"].startswith("/api/"):
            _require_form(request, cookie)
    share = _share(request)
    if share is None:
        return caller
    return Caller(
        name=caller.name,
        role=caller.role,
        game_id=caller.game_id,
        match_id=caller.match_id,
        viewpoint=caller.viewpoint,
        share_digest=digest_of(share),
    )


def _share(request: AnyRequest) -> str | None:
    share = request.query_params.get("share")
    if share is None:
        try:
            share = request.cookies.get(share_cookie(UUID(str(request.path_params.get("game_id")))))
        except ValueError:
            return None
    return share if share and game_of_share(share) is not None else None


def _require_form(request: AnyRequest, cookie: str) -> None:
    given = request.headers.get(FORM_HEADER, "")
    if not compare_digest(given.encode(), form_token(cookie).encode()):
        raise ProblemError("foreign", Words("这个请求不是从本站网页发出的", "this request does not come from a page of this site"))
