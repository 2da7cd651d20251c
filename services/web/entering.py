"""How a browser becomes known: with a token, by the link that the program prints when it starts, or by the link to one game."""

from hmac import compare_digest
from urllib.parse import parse_qs

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.types import ControllerRouterHandler

from services.credentials import SESSION, SESSION_COOKIE, Access, share_cookie
from services.problems import ProblemError
from services.secrets import form_token, game_of_share, new_secret
from services.web.rendering import AnyRequest, html, page, render
from services.words import Language, Words

FORM_COOKIE = "paipu_form"
"""The cookie of a browser that is not known yet, so that its form can be told from one that somebody else makes it send."""

MAX_FORM = 16 * 1024


@get("/login")
async def login_page(request: AnyRequest) -> Response[bytes]:
    """The form that asks for a token."""

    async def make(language: Language) -> Response[bytes]:
        secret = request.cookies.get(FORM_COOKIE) or new_secret()
        answer = html(render(request, "login.html", language, form=form_token(secret), wrong=False))
        answer.set_cookie(_cookie(request, FORM_COOKIE, secret))
        return answer

    return await page(request, make)


@post("/login", status_code=200)
async def log_in(request: AnyRequest) -> Response[bytes]:
    """Opens a session for the holder of a token."""

    async def make(language: Language) -> Response[bytes]:
        secret = request.cookies.get(FORM_COOKIE, "")
        fields = await fields_of(request, secret)
        session = await _access(request).log_in(fields.get("token", "").strip())
        if session is None:
            return html(render(request, "login.html", language, form=form_token(secret), wrong=True), status=401)
        return _entered(request, language, session)

    return await page(request, make)


@post("/logout", status_code=200)
async def log_out(request: AnyRequest) -> Response[bytes]:
    """Ends the session."""

    async def make(language: Language) -> Response[bytes]:
        secret = request.cookies.get(SESSION_COOKIE, "")
        await fields_of(request, secret)
        await _access(request).log_out(secret)
        answer = _onward(request, language, "/")
        answer.delete_cookie(SESSION_COOKIE)
        return answer

    return await page(request, make)


@get("/enter/{secret:str}")
async def enter(request: AnyRequest) -> Response[bytes]:
    """Lets the browser of the one who started the program in, once."""

    async def make(language: Language) -> Response[bytes]:
        session = await _access(request).enter(str(request.path_params["secret"]))
        if session is None:
            detail = Words("这个链接已用过，或者不对；请用令牌登录", "this link was used already, or is wrong; log in with a token")
            raise ProblemError("unauthorized", detail)
        return _entered(request, language, session)

    return await page(request, make)


@get("/share/{secret:str}")
async def open_share(request: AnyRequest) -> Response[bytes]:
    """Keeps the link to a game in the browser, and goes there."""

    async def make(language: Language) -> Response[bytes]:
        secret = str(request.path_params["secret"])
        game_id = game_of_share(secret)
        if game_id is None:
            raise ProblemError("not-found", Words("这个链接不对", "this link leads nowhere"))
        answer = _onward(request, language, f"/games/{game_id}")
        answer.set_cookie(_cookie(request, share_cookie(game_id), secret))
        return answer

    return await page(request, make)


async def fields_of(request: AnyRequest, secret: str) -> dict[str, str]:
    """The fields of a form that a page of this site carried, for a browser whose cookie is ``secret``.

    Raises:
        ProblemError: foreign, too-large.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM:
            raise ProblemError("too-large", Words("表单太大", "the form is too large"))
    given = {name: values[-1] for name, values in parse_qs(bytes(body).decode(errors="replace")).items()}
    if not secret or not compare_digest(given.get("form", "").encode(errors="replace"), form_token(secret).encode()):
        detail = Words(
            "这个表单不是从本站网页发出的，请重新打开网页", "this form does not come from a page of this site; open the page again"
        )
        raise ProblemError("foreign", detail)
    return given


def _entered(request: AnyRequest, language: Language, session: str) -> Response[bytes]:
    answer = _onward(request, language, "/")
    answer.set_cookie(_cookie(request, SESSION_COOKIE, session, seconds=int(SESSION.total_seconds())))
    answer.delete_cookie(FORM_COOKIE)
    return answer


def _onward(request: AnyRequest, language: Language, path: str) -> Response[bytes]:
    """A page that goes on by itself. A redirect would not do: with one a browser that comes from elsewhere does not send its cookies."""
    return html(render(request, "onward.html", language, path=path))


def _cookie(request: AnyRequest, key: str, value: str, seconds: int | None = None) -> Cookie:
    secure = request.url.scheme == "https"
    return Cookie(key=key, value=value, path="/", httponly=True, samesite="strict", secure=secure, max_age=seconds)


def _access(request: AnyRequest) -> Access:
    return request.app.state["access"]


HANDLERS: list[ControllerRouterHandler] = [login_page, log_in, log_out, enter, open_share]
