"""Who may see a game, and who is writing it down."""

from litestar import Response, delete, get, put

from services.http.asked import asker_of, game_id_of, shape_of, sharing_of
from services.http.replies import PERSONAL, AnyRequest, json_reply
from services.problems import ProblemError
from services.sharing import AccessWanted, LeaseWanted
from services.words import Words


@get("/api/games/{game_id:str}/access")
async def read_access(request: AnyRequest) -> Response[bytes]:
    """Answers who sees a game."""
    return json_reply(await sharing_of(request).visibility(asker_of(request), game_id_of(request)), headers=PERSONAL)


@put("/api/games/{game_id:str}/access")
async def change_access(request: AnyRequest) -> Response[bytes]:
    """Makes a game private, public, or open to whoever has a link, which is made anew."""
    caller, game_id = asker_of(request), game_id_of(request)
    wanted = await shape_of(request, AccessWanted)
    return json_reply(await sharing_of(request).share(caller, game_id, wanted.visibility), headers=PERSONAL)


@put("/api/games/{game_id:str}/lease")
async def take_lease(request: AnyRequest) -> Response[bytes]:
    """Takes, renews or takes over the lease of a game."""
    caller, game_id = asker_of(request), game_id_of(request)
    wanted = await shape_of(request, LeaseWanted)
    return json_reply(await sharing_of(request).take_lease(caller, game_id, wanted), headers=PERSONAL)


@delete("/api/games/{game_id:str}/lease", status_code=204)
async def leave_lease(request: AnyRequest) -> None:
    """Gives a lease up."""
    lease = request.headers.get("paipu-lease")
    if not lease:
        raise ProblemError("invalid", Words("请带上 Paipu-Lease", "send Paipu-Lease"))
    await sharing_of(request).leave_lease(asker_of(request), game_id_of(request), lease)


HANDLERS = [read_access, change_access, take_lease, leave_lease]
