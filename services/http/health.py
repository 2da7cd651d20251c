"""Whether the program lives, and whether it can serve."""

from litestar import Response, get

from services.http.asked import records_of
from services.http.replies import AnyRequest, json_reply


@get("/livez")
async def live(request: AnyRequest) -> Response[bytes]:
    """The program lives."""
    return json_reply({"status": "ok"})


@get("/readyz")
async def ready(request: AnyRequest) -> Response[bytes]:
    """The database answers."""
    await records_of(request).ready()
    return json_reply({"status": "ok"})


HANDLERS = [live, ready]
