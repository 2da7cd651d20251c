"""The pages: the list of hands, a hand's board at every position, and for its owner who may see it."""

from importlib.resources import files
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.types import ControllerRouterHandler
from msgspec import UNSET

from services.answers import Wanted
from services.credentials import SESSION_COOKIE
from services.problems import ProblemError
from services.records import Records
from services.refusals import game_named
from services.sharing import Sharing, visibility_named
from services.web import entering, mending
from services.web.entering import fields_of
from services.web.rendering import AnyRequest, caller_of, html, page, render
from services.wording import GAMES, PHASES, outcome_words
from services.words import Language, Words

KINDS = {
    "impossible": Words("不可能", "impossible"),
    "violation": Words("违规", "violation"),
    "notice": Words("提示", "notice"),
}

VISIBILITY = {
    "private": Words("只有自己和有令牌的人", "only you, and holders of tokens"),
    "link": Words("有链接的人（会换一个新链接）", "whoever has the link (which is made anew)"),
    "public": Words("所有人", "everybody"),
}


@get("/")
async def games_page(request: AnyRequest) -> Response[bytes]:
    """The list of hands, the latest first."""

    async def make(language: Language) -> Response[bytes]:
        query = request.query_params
        game = query.get("game")
        wanted = Wanted(game=game if game in GAMES else None, text=query.get("text") or None)
        found = await _records(request).games(caller_of(request), wanted, cursor=query.get("cursor"))
        going_on = {"game": wanted.game, "text": wanted.text, "cursor": found.next, "lang": query.get("lang")}
        more = f"/?{urlencode({name: value for name, value in going_on.items() if value})}"
        return html(render(request, "list.html", language, page=found, wanted=wanted, more=more))

    return await page(request, make)


@get("/games/{game_id:str}")
async def last_page(request: AnyRequest) -> Response[bytes]:
    """A hand at its last position."""
    return await _position(request)


@get("/games/{game_id:str}/{seq:str}")
async def position_page(request: AnyRequest) -> Response[bytes]:
    """A hand at one position."""
    return await _position(request)


@post("/games/{game_id:str}/sharing", status_code=200)
async def share(request: AnyRequest) -> Response[bytes]:
    """Decides who may see a hand; a link that is made is shown this once."""

    async def make(language: Language) -> Response[bytes]:
        game_id = game_named(request.path_params["game_id"])
        fields = await fields_of(request, request.cookies.get(SESSION_COOKIE, ""))
        visibility = visibility_named(fields.get("visibility", ""))
        if visibility is None:
            raise ProblemError("invalid", Words("没有这种选择", "there is no such choice"))
        sharing: Sharing = request.app.state["sharing"]
        answered = await sharing.share(caller_of(request), game_id, visibility)
        link = None if answered.share is UNSET else f"{request.url.scheme}://{request.url.netloc}/share/{answered.share}"
        return html(render(request, "shared.html", language, id=game_id, visibility=VISIBILITY[visibility].in_(language), link=link))

    return await page(request, make)


@get("/static/paipu.css")
async def style(request: AnyRequest) -> Response[bytes]:
    """The style of the pages."""
    content = files(__package__ or "services.web").joinpath("static/paipu.css").read_bytes()
    return Response(content, media_type="text/css", headers={"Cache-Control": "max-age=3600"})


PAGES: list[ControllerRouterHandler] = [games_page, last_page, position_page, share, style, *entering.HANDLERS, *mending.HANDLERS]
"""The routes of the pages."""


async def _position(request: AnyRequest) -> Response[bytes]:
    async def make(language: Language) -> Response[bytes]:
        game_id, seq = game_named(request.path_params["game_id"]), _seq(request)
        log, board = await _records(request).board(caller_of(request), game_id, seq, language=language)
        meta = log.record().meta
        title = meta.get("title") if isinstance(meta, dict) else None
        text = render(
            request,
            "board.html",
            language,
            id=game_id,
            title=title if isinstance(title, str) and title else Words("未命名", "Untitled").in_(language),
            board=board,
            outcome=outcome_words(board.verdict.outcome, board.names).in_(language),
            phases=PHASES,
            kinds=KINDS,
            visibility=log.game.sharing.visibility if log.rights.manage else None,
            visibilities={name: words.in_(language) for name, words in VISIBILITY.items()},
        )
        return html(text)

    return await page(request, make)


def _records(request: AnyRequest) -> Records:
    return request.app.state["records"]


def _seq(request: AnyRequest) -> int | None:
    text = request.path_params.get("seq")
    if text is None:
        return None
    if not (str(text).isascii() and str(text).isdigit() and len(str(text)) < 10):
        raise ProblemError("not-found", Words(f"没有第 {text} 步", f"there is no event {text}"))
    return int(str(text))
