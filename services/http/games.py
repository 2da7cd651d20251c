"""Stored games: import, list, read, append, replay, verdict, annotations."""

import msgspec
from litestar import Response, delete, get, post

from schemas.frame import Frame
from services.answers import RulingLine
from services.formats.faults import Unreadable
from services.formats.media import Format
from services.formats.reading import Reading, only_reading
from services.formats.writing import write
from services.http.asked import (
    asker_of,
    body_of,
    caller_of,
    choice,
    flag,
    format_of,
    game_id_of,
    limit_of,
    number,
    number_in_path,
    pseudonyms_of,
    records_of,
    retry_of,
    version_expected,
    wanted_of,
)
from services.http.replies import OF_RECORD, PERSONAL, AnyRequest, etag, format_wanted, json_reply, language_of
from services.modes import MODES, Mode
from services.problems import ProblemError, unreadable
from services.records import MAX_PAGE, PAGE, REPAIRS
from services.words import Words

FRAMES = 1000
"""So many frames are answered at once."""

KNOWN = ("now", "then")

APPEND_MODES: tuple[Mode, ...] = ("record", "strict", "keep")


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """Positions in effective order."""

    frames: list[Frame]


class Rulings(msgspec.Struct, frozen=True, kw_only=True):
    """The rulings on a game, in order of writing."""

    rulings: list[RulingLine]


def one_reading(body: bytes, form: Format | None) -> Reading:
    """The one record of a body.

    Raises:
        ProblemError: unreadable, for several records.
    """
    try:
        return only_reading(body, form)
    except Unreadable as unread:
        raise unreadable(unread) from None


@post("/api/games")
async def add_game(request: AnyRequest) -> Response[bytes]:
    """Imports a record, or opens one with just its 开局."""
    caller, language = caller_of(request), language_of(request)
    mode: Mode = choice(request, "mode", MODES, "record")
    again, form = flag(request, "again"), format_of(request)
    body = await body_of(request)
    retry = retry_of(request, body)
    reading = one_reading(body, form)
    imported = await records_of(request).add(caller, reading, mode=mode, language=language, retry=retry, again=again)
    headers = {"Location": f"/api/games/{imported.game_id}", "ETag": etag(imported.version)}
    if imported.replayed:
        headers["Idempotency-Replayed"] = "true"
    return json_reply(imported.body, status=201 if imported.created else 200, headers=headers)


@get("/api/games")
async def list_games(request: AnyRequest) -> Response[bytes]:
    """Lists games, the latest first."""
    caller = caller_of(request)
    wanted = wanted_of(request)
    limit = limit_of(request, MAX_PAGE, PAGE)
    page = await records_of(request).games(caller, wanted, limit=limit, cursor=request.query_params.get("cursor"))
    return json_reply(page, headers=PERSONAL)


@get("/api/games/{game_id:str}")
async def read_game(request: AnyRequest) -> Response[bytes]:
    """Answers the record, in the format that is asked for."""
    caller, game_id, view = asker_of(request), game_id_of(request), request.query_params.get("view")
    form, media = format_wanted(request)
    pseudonyms = pseudonyms_of(request, caller)
    if form == "json" and pseudonyms is None:
        log = await records_of(request).open(caller, game_id)
        content = log.text(log.view(view))
    else:
        log, record = await records_of(request).record(caller, game_id, view=view, pseudonyms=pseudonyms)
        content = write(record, form)
    return Response(content, media_type=media, headers={"ETag": etag(log.version), **OF_RECORD})


@get("/api/games/{game_id:str}/events")
async def read_events(request: AnyRequest) -> Response[bytes]:
    """Answers the events as written."""
    answered = await records_of(request).events(
        asker_of(request), game_id_of(request), number(request, "from") or 0, view=request.query_params.get("view")
    )
    return json_reply(answered, headers={"ETag": etag(answered.version), **PERSONAL})


@post("/api/games/{game_id:str}/events")
async def append_events(request: AnyRequest) -> Response[bytes]:
    """Appends one event, or several at once."""
    caller, language, game_id = asker_of(request), language_of(request), game_id_of(request)
    mode: Mode = choice(request, "mode", APPEND_MODES, "record")
    dry_run, form = flag(request, "dry_run"), format_of(request)
    expected = version_expected(request)
    if expected is None and not dry_run:
        raise ProblemError("precondition", Words('请带上 If-Match: "版本"', 'send If-Match: "<version>"'))
    body = await body_of(request)
    retry = None if dry_run else retry_of(request, body)
    written = await records_of(request).append(
        caller,
        game_id,
        body,
        form=form,
        expected=expected,
        mode=mode,
        language=language,
        retry=retry,
        dry_run=dry_run,
        lease=request.headers.get("paipu-lease"),
    )
    if not written.stored:
        return json_reply(written.body)
    headers = {"ETag": etag(written.version)}
    if written.replayed:
        headers["Idempotency-Replayed"] = "true"
    return json_reply(written.body, status=201, headers=headers)


@get("/api/games/{game_id:str}/frames/{seq:str}")
async def read_frame(request: AnyRequest) -> Response[bytes]:
    """Answers the position behind one event."""
    found = await records_of(request).frame(
        asker_of(request),
        game_id_of(request),
        number_in_path(request, "seq"),
        view=request.query_params.get("view"),
        version=number(request, "version"),
        language=language_of(request),
        hindsight=_hindsight(request),
    )
    return json_reply(found, headers={"ETag": etag(found.version), **PERSONAL})


def _hindsight(request: AnyRequest) -> bool:
    """Whether positions are told as they are known now, or as the table knew them then."""
    return choice(request, "known", KNOWN, "now") == "now"


@get("/api/games/{game_id:str}/frames")
async def read_frames(request: AnyRequest) -> Response[bytes]:
    """Answers the positions behind the effective events of a range."""
    found = await records_of(request).frames(
        asker_of(request),
        game_id_of(request),
        first=number(request, "from") or 0,
        last=number(request, "to"),
        view=request.query_params.get("view"),
        version=number(request, "version"),
        language=language_of(request),
        most=FRAMES,
        hindsight=_hindsight(request),
    )
    return json_reply(Frames(frames=found), headers=PERSONAL)


@get("/api/games/{game_id:str}/variations/{n:str}/frames")
async def read_variation(request: AnyRequest) -> Response[bytes]:
    """Answers the positions behind the events of a variation."""
    found = await records_of(request).variation(
        asker_of(request),
        game_id_of(request),
        number_in_path(request, "n"),
        view=request.query_params.get("view"),
        language=language_of(request),
        most=FRAMES,
    )
    return json_reply(Frames(frames=found), headers=PERSONAL)


@get("/api/games/{game_id:str}/verdict")
async def read_verdict(request: AnyRequest) -> Response[bytes]:
    """Judges the stored log, by its own rules or by others."""
    verdict = await records_of(request).verdict(
        asker_of(request),
        game_id_of(request),
        language=language_of(request),
        possible=flag(request, "possible"),
        witness=flag(request, "witness"),
        sensitivity=flag(request, "sensitivity"),
        rules=request.query_params.get("rules"),
        view=request.query_params.get("view"),
    )
    return json_reply(verdict, headers=PERSONAL)


@post("/api/games/{game_id:str}/repairs", status_code=200)
async def offer_repairs(request: AnyRequest) -> Response[bytes]:
    """Offers repairs of what cannot have happened; nothing is stored."""
    limit = number(request, "limit")
    offered = await records_of(request).repairs(
        asker_of(request),
        game_id_of(request),
        language=language_of(request),
        limit=REPAIRS if limit is None else limit,
        view=request.query_params.get("view"),
    )
    return json_reply(offered, headers={"ETag": etag(offered.version), **PERSONAL})


@get("/api/games/{game_id:str}/annotations")
async def read_notes(request: AnyRequest) -> Response[bytes]:
    """Answers the annotations."""
    return json_reply(await records_of(request).notes(asker_of(request), game_id_of(request)), headers=PERSONAL)


@post("/api/games/{game_id:str}/annotations")
async def add_note(request: AnyRequest) -> Response[bytes]:
    """Adds an annotation."""
    caller, game_id, form = asker_of(request), game_id_of(request), format_of(request)
    added = await records_of(request).annotate(caller, game_id, await body_of(request), form)
    return json_reply(added, status=201, headers={"Location": f"/api/games/{game_id}/annotations/{added.n}"})


@delete("/api/games/{game_id:str}/annotations/{n:str}", status_code=204)
async def remove_note(request: AnyRequest) -> None:
    """Takes an annotation away."""
    caller = asker_of(request)
    await records_of(request).remove_note(caller, game_id_of(request), number_in_path(request, "n"))


@get("/api/games/{game_id:str}/rulings")
async def read_rulings(request: AnyRequest) -> Response[bytes]:
    """Answers what the table decided about findings, and who wrote it down."""
    return json_reply(Rulings(rulings=await records_of(request).rulings(asker_of(request), game_id_of(request))), headers=PERSONAL)


@get("/api/statistics")
async def read_statistics(request: AnyRequest) -> Response[bytes]:
    """Answers what players did in the hands that have ended."""
    return json_reply(await records_of(request).statistics(caller_of(request), wanted_of(request)), headers=PERSONAL)


HANDLERS = [
    add_game,
    list_games,
    read_game,
    read_events,
    append_events,
    read_frame,
    read_frames,
    read_variation,
    read_verdict,
    offer_repairs,
    read_notes,
    add_note,
    remove_note,
    read_rulings,
    read_statistics,
]
