"""Turns away what a page from elsewhere makes a browser send here: a foreign Host (a name rebound to this address) or a foreign Origin."""

from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from litestar import Request
from litestar.types import ASGIApp, Receive, Scope, Send

from services.http.replies import AnyRequest, answered, header_of, language_of, problem_reply
from services.problems import ProblemError
from services.words import Words

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""Names by which this machine always knows itself."""


EVERYWHERE = frozenset({"0.0.0.0", "::"})
"""What a program listens on that listens on every address."""


def origin_authority(origin: str) -> str | None:
    """The ``name:port`` of an origin, in lower case; ``None`` for what is no origin."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


@lru_cache(256)
def host_name(authority: str) -> str | None:
    """The name in ``name:port``, in lower case; ``None`` for what is no authority."""
    try:
        parts = urlsplit(f"//{authority}")
        # A port is read where it is asked for: one that is none shows only then.
        return parts.hostname if parts.netloc == authority and parts.port != 0 else None
    except ValueError:
        return None


def guard(app: ASGIApp, hosts: frozenset[str]) -> ASGIApp:
    """The application, closed to requests for other hosts than ``hosts`` and from pages of other origins than itself.

    Where it listens on every address, any address will do as a host: a name can be rebound, an address cannot.
    """
    by_address = not hosts.isdisjoint(EVERYWHERE)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        refused = _refused(scope, hosts, by_address=by_address) if scope["type"] == "http" else None
        if refused is None:
            await app(scope, receive, send)
        else:
            request: AnyRequest = Request(scope, receive, send)
            await answered(request, problem_reply(refused, language_of(request)))(scope, receive, send)

    return guarded


def _refused(scope: Scope, hosts: frozenset[str], *, by_address: bool) -> ProblemError | None:
    host, origin = header_of(scope, b"host") or "", header_of(scope, b"origin")
    name = host_name(host)
    if name not in hosts and not (by_address and _is_address(name)):
        return ProblemError("foreign", Words(f"这里不是 {host}", f"this is not {host}"))
    if origin is not None and origin_authority(origin) != host.lower():
        return ProblemError("foreign", Words(f"不接受来自 {origin} 的请求", f"requests from {origin} are not accepted"))
    return None


def _is_address(name: str | None) -> bool:
    try:
        ip_address(name or "")
    except ValueError:
        return False
    return True
