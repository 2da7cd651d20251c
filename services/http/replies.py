"""Answers: JSON bodies, problems, and what language and media type the asker wants."""

from functools import lru_cache
from typing import Any, cast

import msgspec
from litestar import Request, Response
from litestar.types import ASGIApp, Scope

from services.formats.media import FORMATS, MEDIA, Format
from services.problems import ProblemError, told
from services.words import Language, Words

PROBLEM = "application/problem+json"
NDJSON = "application/x-ndjson"

MEDIA_OF: dict[Format, str] = {form: next(media for media, of in MEDIA.items() if of == form) for form in FORMATS}
"""The media type in which each format is answered."""

PERSONAL = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}
"""Headers of an answer that depends on who asks: no cache may give it to another."""

OF_RECORD = {**PERSONAL, "Vary": "Accept, Authorization, Cookie"}
"""Headers of a record: which format it is in depends on what the asker accepts."""

AnyRequest = Request[Any, Any, Any]


def pattern_of(scope: Scope) -> str:
    """The pattern of the path of a request, as the document writes it; empty where it leads nowhere."""
    return str(cast("dict[str, Any]", scope).get("path_template", "")).replace(":str}", "}")


def answered(request: AnyRequest, response: Response[bytes]) -> ASGIApp:
    """A response to a request that the framework does not see."""
    return cast("Any", response).to_asgi_response(None, request)


def headers_of(scope: Scope) -> list[tuple[bytes, bytes]]:
    """The headers of a request, their names in lower case."""
    return cast("dict[str, Any]", scope)["headers"]


def header_of(scope: Scope, name: bytes) -> str | None:
    """The first header of a name, which is in lower case."""
    for given, value in headers_of(scope):
        if given == name:
            return value.decode("latin-1")
    return None


def json_reply(content: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> Response[bytes]:
    """Content as JSON; bytes are JSON already."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    return Response(body, status_code=status, media_type="application/json", headers=headers)


def problem_reply(problem: ProblemError, language: Language) -> Response[bytes]:
    """A problem as RFC 9457 has it."""
    answered = told(problem, language)
    headers = {**problem.headers, **({"WWW-Authenticate": "Bearer"} if problem.kind == "unauthorized" else {})}
    if problem.kind == "stale":
        headers["ETag"] = etag(problem.more["version"])
    return Response(msgspec.json.encode(answered), status_code=answered.status, media_type=PROBLEM, headers=headers)


def etag(version: int) -> str:
    """The entity tag of a version."""
    return f'"{version}"'


def language_of(request: AnyRequest) -> Language:
    """``?lang=``, else the first of zh and en that ``Accept-Language`` prefers, else zh."""
    asked = request.query_params.get("lang")
    if asked in ("zh", "en"):
        return "en" if asked == "en" else "zh"
    for tag in _by_preference(request.headers.get("accept-language", "")):
        if tag.startswith("en"):
            return "en"
        if tag.startswith("zh") or tag == "*":
            return "zh"
    return "zh"


def format_wanted(request: AnyRequest) -> tuple[Format, str]:
    """The format and media type of a record to be answered: ``?format=``, else what ``Accept`` prefers.

    Raises:
        ProblemError: not-acceptable.
    """
    named = request.query_params.get("format")
    if named is not None:
        for form in FORMATS:
            if form == named:
                return form, MEDIA_OF[form]
        raise _not_acceptable()
    return format_accepted(request.headers.get("accept", "*/*"))


@lru_cache(256)
def format_accepted(header: str) -> tuple[Format, str]:
    """The format and media type of a record that an ``Accept`` header prefers.

    Raises:
        ProblemError: not-acceptable.
    """
    accepted = _by_preference(header)
    for media in accepted:
        if media in MEDIA:
            return MEDIA[media], media
        if media in ("*/*", "application/*"):
            return "json", MEDIA_OF["json"]
    if not accepted:
        return "json", MEDIA_OF["json"]
    raise _not_acceptable()


def _not_acceptable() -> ProblemError:
    known = (*FORMATS, *MEDIA_OF.values())
    return ProblemError("not-acceptable", Words(f"可选 {'、'.join(known)}", f"there are {', '.join(known)}"))


def _by_preference(header: str) -> list[str]:
    """The entries of an Accept header, the preferred first; those of weight 0 are left out."""
    weighed: list[tuple[float, str]] = []
    for entry in header.split(","):
        name, _, parameters = entry.partition(";")
        weight = 1.0
        for parameter in parameters.split(";"):
            key, _, value = parameter.partition("=")
            if key.strip() == "q":
                try:
                    weight = float(value)
                except ValueError:
                    weight = 0.0
        if name.strip() and weight > 0:
            weighed.append((weight, name.strip().lower()))
    return [name for _, name in sorted(weighed, key=lambda pair: -pair[0])]
