"""The HTTP application: every route, and what becomes of whatever goes wrong in one."""

from collections.abc import Callable, Sequence

import msgspec
import structlog
from litestar import Litestar, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, ControllerRouterHandler

from services.certificate.issuing import Certifier
from services.credentials import Access
from services.http import batch, certificates, document, games, health, judging, live, matches, sharing, tokens, watch
from services.http.door import let_in
from services.http.guard import LOOPBACK, guard
from services.http.identity import identify
from services.http.limits import Rate
from services.http.quick import Quick
from services.http.replies import AnyRequest, language_of, pattern_of, problem_reply
from services.http.watch import Watch
from services.live import Live
from services.problems import ProblemError, ProblemKind
from services.readiness import Readiness
from services.records import Records
from services.sharing import Sharing
from services.sittings import Sittings
from services.words import Words

KINDS: dict[int, ProblemKind] = {404: "not-found", 405: "method", 413: "too-large", 415: "unsupported"}
"""The kind of problem for what the framework itself refuses."""

HANDLERS = (
    *games.HANDLERS,
    *batch.HANDLERS,
    *live.HANDLERS,
    *sharing.HANDLERS,
    *matches.HANDLERS,
    *judging.HANDLERS,
    *certificates.HANDLERS,
    *tokens.HANDLERS,
    *health.HANDLERS,
    *watch.HANDLERS,
    *document.HANDLERS,
)
"""The routes of the API."""

_log = structlog.get_logger("paipu.http")


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """The services behind the application."""

    records: Records
    access: Access
    sharing: Sharing
    sittings: Sittings
    live: Live
    certifier: Certifier
    readiness: Readiness
    rate: Rate


Lost = Callable[[AnyRequest, ProblemError], Response[bytes]]
"""What a browser is shown where there is nothing."""


def application(
    parts: Parts, hosts: Sequence[str] = (), pages: Sequence[ControllerRouterHandler] = (), lost: Lost | None = None
) -> ASGIApp:
    """The application over the services. ``hosts`` are the names it answers to beside those of this machine, ``pages`` further
    routes, ``lost`` what a browser is shown at a path that leads nowhere."""
    watching = Watch()

    async def enter(request: AnyRequest) -> None:
        await identify(request)
        parts.rate.admit(request)
        await let_in(request)

    def refused(request: AnyRequest, error: HTTPException) -> Response[bytes]:
        problem = _refused(request, error)
        to_be_read = problem.kind == "not-found" and "text/html" in request.headers.get("accept", "")
        return lost(request, problem) if lost and to_be_read else problem_reply(problem, language_of(request))

    app = Litestar(
        route_handlers=[*HANDLERS, *pages],
        state=State({**msgspec.structs.asdict(parts), "watch": watching}),
        before_request=enter,
        exception_handlers={ProblemError: _problem, HTTPException: refused, Exception: _failed},
        openapi_config=None,
        request_max_body_size=None,
        logging_config=None,
    )
    names = LOOPBACK | {host.lower() for host in hosts}
    short = Quick(records=parts.records, access=parts.access, rate=parts.rate, watch=watching, hosts=names)
    return short.before(watching.watched(guard(app, names)))


def routes() -> set[tuple[str, str]]:
    """Method and path of every route of the API, as the document writes them."""
    return {
        (method.lower(), path.replace(":str}", "}")) for handler in HANDLERS for path in handler.paths for method in handler.http_methods
    }


def _problem(request: AnyRequest, error: ProblemError) -> Response[bytes]:
    if error.kind in ("internal", "unavailable"):
        _log.error("request failed", method=request.method, path=pattern_of(request.scope), error=error.kind)
    return problem_reply(error, language_of(request))


def _refused(request: AnyRequest, error: HTTPException) -> ProblemError:
    kind = KINDS.get(error.status_code, "invalid" if error.status_code < 500 else "internal")
    where = request.url.path
    details: dict[str, Words] = {
        "not-found": Words(f"没有 {where}", f"there is nothing at {where}"),
        "method": Words(f"{where} 不接受 {request.method}", f"{where} does not take {request.method}"),
    }
    return ProblemError(kind, details.get(kind, Words(error.detail, error.detail)))


def _failed(request: AnyRequest, error: Exception) -> Response[bytes]:
    # What a request carried may be somebody's hidden cards: neither the answer nor the log repeats it.
    _log.error("request failed", method=request.method, path=pattern_of(request.scope), error=type(error).__name__, at=_place(error))
    return problem_reply(ProblemError("internal", Words("程序出错，已记录", "the program failed; it was logged")), language_of(request))


def _place(error: Exception) -> str:
    trace = error.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
