"""Turns strangers away before anything of their request is looked at: what is wrong with it is not told to who may not make it."""

from services.credentials import CALLER
from services.http.asked import asker_of, game_id_of, records_of
from services.http.operations import OPERATIONS
from services.http.replies import AnyRequest, pattern_of
from services.problems import ProblemError
from services.refusals import TOKEN_NEEDED


async def let_in(request: AnyRequest) -> None:
    """Lets a request of somebody without a token pass where he has business: what is open, and games that he may read.

    Holders of tokens are let in by what answers them.

    Raises:
        ProblemError: unauthorized; for whoever has the link to another game not-found; unavailable.
    """
    operation = OPERATIONS.get((request.method.lower(), pattern_of(request.scope)))
    if operation is None or operation.reach in ("open", "local"):
        return
    caller = request.scope["state"][CALLER]
    if caller is not None and caller.role is not None:
        return
    of_game = "game_id" in request.path_params
    if caller is None or not (caller.known or (of_game and operation.reach in ("read", "whole"))):
        raise ProblemError("unauthorized", TOKEN_NEEDED)
    if not of_game:
        return
    try:
        game_id = game_id_of(request)
    except ProblemError:
        if caller.known:
            raise
        raise ProblemError("unauthorized", TOKEN_NEEDED) from None
    await records_of(request).open(asker_of(request), game_id)
