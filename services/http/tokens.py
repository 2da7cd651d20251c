"""Tokens: made, listed and taken back by an admin."""

import msgspec
from litestar import Response, delete, get, post

from services.access import TokenLine, TokenWanted
from services.http.asked import access_of, caller_of, id_in_path, shape_of
from services.http.replies import AnyRequest, json_reply

SECRET = {"Cache-Control": "no-store"}


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """Every token that was made, the oldest first."""

    tokens: list[TokenLine]


@get("/api/tokens")
async def list_tokens(request: AnyRequest) -> Response[bytes]:
    """Lists the tokens, without their secrets."""
    return json_reply(Tokens(tokens=await access_of(request).all(caller_of(request))), headers=SECRET)


@post("/api/tokens")
async def add_token(request: AnyRequest) -> Response[bytes]:
    """Makes a token; its secret is answered this once."""
    caller = caller_of(request)
    return json_reply(await access_of(request).create(caller, await shape_of(request, TokenWanted)), status=201, headers=SECRET)


@delete("/api/tokens/{token_id:str}", status_code=204)
async def revoke_token(request: AnyRequest) -> None:
    """Takes a token back."""
    caller = caller_of(request)
    await access_of(request).revoke(caller, id_in_path(request, "token_id"))


HANDLERS = [list_tokens, add_token, revoke_token]
