"""Whether the program lives, and whether it can serve."""

from litestar import Response, get

from services.http.replies import AnyRequest, json_reply
from services.readiness import Readiness


@get("/livez")
async def live(request: AnyRequest) -> Response[bytes]:
    """The program lives."""
    return json_reply({"status": "ok"})


@get("/readyz")
async def ready(request: AnyRequest) -> Response[bytes]:
    """The database answers, at the schema that this version knows."""
    readiness: Readiness = request.app.state["readiness"]
    await readiness.require()
    return json_reply({"status": "ok"})


HANDLERS = [live, ready]
