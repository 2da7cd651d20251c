"""Certificates of stored games: what can be checked without this service."""

import msgspec
from litestar import Response, get

from services.certificate.certificate import redact
from services.certificate.issuing import Certifier
from services.certificate.leaves import Subject, subjects_named
from services.certificate.page import page
from services.http import reference
from services.http.asked import asker_of, choice, game_id_of, records_of
from services.http.replies import AnyRequest, json_reply, language_of
from services.problems import ProblemError
from services.words import Words

FORMS = ("json", "html")

PAGE_HEADERS = {**reference.PAGE_HEADERS, "Cache-Control": "no-store"}
"""Headers of the page: it carries its own style and loads nothing."""


@get("/api/games/{game_id:str}/certificate")
async def read_certificate(request: AnyRequest) -> Response[bytes]:
    """Certifies a game, whole or with parts left out; ``?format=html`` answers the page to print."""
    log = await records_of(request).open(asker_of(request), game_id_of(request))
    if log.hides():
        raise ProblemError("forbidden", Words("牌局未完，不能这样看", "that view is closed to you while the hand is on"))
    form = choice(request, "format", FORMS, "json")
    certifier: Certifier = request.app.state["certifier"]
    certificate = redact(await certifier.certificate(game_id_of(request)), _without(request))
    if form == "html":
        return Response(page(certificate, language_of(request)).encode(), media_type="text/html", headers=PAGE_HEADERS)
    return json_reply(msgspec.json.encode(certificate), headers={"Cache-Control": "no-store"})


def _without(request: AnyRequest) -> list[Subject]:
    try:
        return subjects_named(request.query_params.get("without", ""))
    except ValueError as error:
        raise ProblemError("invalid", Words(f"without 只收 {error}", f"without takes {error}")) from None


HANDLERS = [read_certificate]
