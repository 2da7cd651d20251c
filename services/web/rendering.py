"""How a page is made: from a template, in the language of its reader, with headers that let it load nothing from elsewhere."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from litestar import Request, Response

from services.access import STRANGER, Caller
from services.credentials import CALLER, SESSION_COOKIE
from services.problems import STATUS, TITLES, ProblemError
from services.secrets import form_token
from services.web.faces import back, card
from services.wording import GAMES
from services.words import Language

SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""Headers of every page: it loads nothing but its own style, and is kept by nobody on the way. Without any referrer a browser would not say
either that a form comes from here."""

HUNAN = timezone(timedelta(hours=8))
"""Days are those of the tables where these games are played."""

AnyRequest = Request[Any, Any, Any]

_templates = Environment(
    loader=PackageLoader("services.web"), autoescape=select_autoescape(), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


async def page(request: AnyRequest, make: Callable[[Language], Awaitable[Response[bytes]]]) -> Response[bytes]:
    """A page, or the page of what went wrong."""
    language = language_of(request)
    try:
        return await make(language)
    except ProblemError as problem:
        return problem_page(request, problem)


def problem_page(request: AnyRequest, problem: ProblemError) -> Response[bytes]:
    """The page of what went wrong."""
    language = language_of(request)
    title = TITLES[problem.kind].in_(language)
    text = render(request, "problem.html", language, title=title, detail=problem.detail.in_(language), kind=problem.kind)
    return html(text, status=STATUS[problem.kind], headers=problem.headers)


def html(text: str, *, status: int = 200, headers: dict[str, str] | None = None) -> Response[bytes]:
    """An answer of HTML."""
    return Response(text.encode(), status_code=status, media_type="text/html", headers={**SECURITY, **(headers or {})})


def render(request: AnyRequest, template: str, language: Language, **values: Any) -> str:
    """The text of a page for whoever asked for it."""

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
        who=caller_of(request).name,
        session_form=form_of(request),
        **values,
    )


def caller_of(request: AnyRequest) -> Caller:
    """Who looks at a page; one whose token is none any more is a stranger."""
    caller: Caller | None = request.scope["state"].get(CALLER)
    return STRANGER if caller is None else caller


def form_of(request: AnyRequest) -> str:
    """What the forms of a page for this browser carry."""
    return form_token(request.cookies.get(SESSION_COOKIE, ""))


def language_of(request: AnyRequest) -> Language:
    """``?lang=``, else what the browser prefers, else zh."""
    asked = request.query_params.get("lang") or request.headers.get("accept-language", "")
    first = next((tag for tag in asked.replace(" ", "").lower().split(",") if tag.startswith(("zh", "en"))), "zh")
    return "en" if first.startswith("en") else "zh"


def _when(moment: datetime, language: Language) -> str:
    moment = moment.astimezone(HUNAN)
    return f"{moment.year}年{moment.month}月{moment.day}日" if language == "zh" else f"{moment:%Y-%m-%d}"
