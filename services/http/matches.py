"""Matches: sittings of many hands."""

from litestar import Response, get, post

from services.http.asked import asker_of, caller_of, id_in_path, shape_of, sittings_of
from services.http.replies import PERSONAL, AnyRequest, json_reply, language_of
from services.sittings import HandWanted, MatchWanted


@get("/api/matches")
async def list_matches(request: AnyRequest) -> Response[bytes]:
    """Lists matches, the latest first."""
    return json_reply(await sittings_of(request).latest(caller_of(request)), headers=PERSONAL)


@post("/api/matches")
async def add_match(request: AnyRequest) -> Response[bytes]:
    """Makes a match."""
    caller = caller_of(request)
    made = await sittings_of(request).create(caller, await shape_of(request, MatchWanted))
    return json_reply(made, status=201, headers={"Location": f"/api/matches/{made.id}"})


@get("/api/matches/{match_id:str}")
async def read_match(request: AnyRequest) -> Response[bytes]:
    """Answers a match with its hands judged together, and the standings."""
    match_id = id_in_path(request, "match_id")
    return json_reply(await sittings_of(request).read(asker_of(request), match_id, language_of(request)), headers=PERSONAL)


@post("/api/matches/{match_id:str}/games")
async def add_hand(request: AnyRequest) -> Response[bytes]:
    """Puts a game behind the other hands of a match."""
    caller, match_id = asker_of(request), id_in_path(request, "match_id")
    wanted = await shape_of(request, HandWanted)
    return json_reply(await sittings_of(request).add(caller, match_id, wanted.game), status=201)


HANDLERS = [list_matches, add_match, read_match, add_hand]
