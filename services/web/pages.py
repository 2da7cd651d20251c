"""The read-only pages: the list of hands, and a hand's board at every position."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from functools import partial
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from litestar import Request, Response, get
from litestar.types import ControllerRouterHandler

from services.answers import Wanted
from services.problems import STATUS, TITLES, ProblemError
from services.records import Records
from services.web.faces import back, card
from services.wording import GAMES, PHASES, outcome_words
from services.words import Language, Words

KINDS = {
    "impossible": Words("不可能", "impossible"),
    "violation": Words("违规", "violation"),
    "notice": Words("提示", "notice"),
}

SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""Headers of every page: it loads nothing but its own style, and is kept by nobody on the way."""

HUNAN = timezone(timedelta(hours=8))
"""Days are those of the tables where these games are played."""

LOOPBACK = frozenset({"127.0.0.1", "::1"})

AnyRequest = Request[Any, Any, Any]

_templates = Environment(
    loader=PackageLoader("services.web"), autoescape=select_autoescape(), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


@get("/")
async def games_page(request: AnyRequest) -> Response[bytes]:
    """The list of hands, the latest first."""
    return await _page(request, _games)


@get("/games/{game_id:str}")
async def last_page(request: AnyRequest) -> Response[bytes]:
    """A hand at its last position."""
    return await _page(request, _position)


@get("/games/{game_id:str}/{seq:str}")
async def position_page(request: AnyRequest) -> Response[bytes]:
    """A hand at one position."""
    return await _page(request, _position)


@get("/static/paipu.css")
async def style(request: AnyRequest) -> Response[bytes]:
    """The style of the pages."""
    content = files(__package__ or "services.web").joinpath("static/paipu.css").read_bytes()
    return Response(content, media_type="text/css", headers={"Cache-Control": "max-age=3600"})


PAGES: list[ControllerRouterHandler] = [games_page, last_page, position_page, style]
"""The routes of the pages."""


async def _page(request: AnyRequest, make: Callable[[AnyRequest, Language], Awaitable[str]]) -> Response[bytes]:
    """A page, or the page of what went wrong."""
    language = _language(request)
    try:
        _at_home(request)
        text, status = await make(request, language), 200
    except ProblemError as problem:
        title = TITLES[problem.kind].in_(language)
        text = _render("problem.html", language, title=title, detail=problem.detail.in_(language))
        status = STATUS[problem.kind]
    return Response(text.encode(), status_code=status, media_type="text/html", headers=SECURITY)


async def _games(request: AnyRequest, language: Language) -> str:
    query = request.query_params
    game = query.get("game")
    wanted = Wanted(game=game if game in GAMES else None, text=query.get("text") or None)
    page = await _records(request).games(wanted, cursor=query.get("cursor"))
    going_on = {"game": wanted.game, "text": wanted.text, "cursor": page.next, "lang": query.get("lang")}
    more = f"/?{urlencode({name: value for name, value in going_on.items() if value})}"
    return _render("list.html", language, page=page, wanted=wanted, more=more)


async def _position(request: AnyRequest, language: Language) -> str:
    game_id, seq = _game_id(request), _seq(request)
    log, board = await _records(request).board(game_id, seq, view="full", language=language)
    meta = log.record().meta
    title = meta.get("title") if isinstance(meta, dict) else None
    return _render(
        "board.html",
        language,
        id=game_id,
        title=title if isinstance(title, str) and title else Words("未命名", "Untitled").in_(language),
        board=board,
        outcome=outcome_words(board.verdict.outcome, board.names).in_(language),
        phases=PHASES,
        kinds=KINDS,
    )


def _render(template: str, language: Language, **values: Any) -> str:
    def say(zh: str, en: str) -> str:
        return zh if language == "zh" else en

    return _templates.get_template(template).render(
        language=language,
        say=say,
        keep="?lang=en" if language == "en" else "",
        games=GAMES,
        when=partial(_when, language=language),
        card=partial(card, language=language),
        back=partial(back, language=language),
        **values,
    )


def _when(moment: datetime, language: Language) -> str:
    moment = moment.astimezone(HUNAN)
    return f"{moment.year}年{moment.month}月{moment.day}日" if language == "zh" else f"{moment:%Y-%m-%d}"


def _records(request: AnyRequest) -> Records:
    return request.app.state["records"]


def _at_home(request: AnyRequest) -> None:
    """The pages are for the person at this machine; who comes over the network needs a token, and the API."""
    if request.client is not None and request.client.host not in LOOPBACK:
        raise ProblemError("unauthorized", Words("网页只在本机可看", "the pages can be seen on this machine only"))


def _game_id(request: AnyRequest) -> UUID:
    named = str(request.path_params["game_id"])
    try:
        return UUID(named)
    except ValueError:
        raise ProblemError("not-found", Words(f"没有这盘：{named}", f"there is no game {named}")) from None


def _seq(request: AnyRequest) -> int | None:
    text = request.path_params.get("seq")
    if text is None:
        return None
    if not (str(text).isascii() and str(text).isdigit() and len(str(text)) < 10):
        raise ProblemError("not-found", Words(f"没有第 {text} 步", f"there is no event {text}"))
    return int(str(text))


def _language(request: AnyRequest) -> Language:
    asked = request.query_params.get("lang") or request.headers.get("accept-language", "")
    first = next((tag for tag in asked.replace(" ", "").lower().split(",") if tag.startswith(("zh", "en"))), "zh")
    return "en" if first.startswith("en") else "zh"
