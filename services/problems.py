"""Why a request is refused: RFC 9457 problems, the same over HTTP and on the command line."""

from collections.abc import Awaitable
from datetime import datetime
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from schemas.verdict import Finding
from services.formats.faults import Fault, FaultAnswer, Unreadable, answer
from services.store.model import StoreUnavailableError
from services.words import Language, Words

Result = TypeVar("Result")

ProblemKind = Literal[
    "unreadable", "impossible", "violation", "invalid", "unauthorized", "forbidden", "foreign", "not-found", "method", "not-acceptable",
    "stale", "precondition", "conflict", "key-reused", "slow", "too-large", "unsupported", "too-many", "unavailable", "laborious",
    "internal",
]  # fmt: skip

STATUS: dict[ProblemKind, int] = {
    "unreadable": 400,
    "invalid": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "foreign": 403,
    "not-found": 404,
    "method": 405,
    "not-acceptable": 406,
    "slow": 408,
    "conflict": 409,
    "stale": 412,
    "too-large": 413,
    "unsupported": 415,
    "impossible": 422,
    "violation": 422,
    "key-reused": 422,
    "precondition": 428,
    "too-many": 429,
    "internal": 500,
    "unavailable": 503,
    "laborious": 503,
}
"""HTTP status of each kind of problem."""

TITLES: dict[ProblemKind, Words] = {
    "unreadable": Words("读不懂", "It cannot be read"),
    "invalid": Words("请求有误", "The request is not right"),
    "unauthorized": Words("需要令牌", "A token is needed"),
    "forbidden": Words("没有这个权限", "That is not allowed"),
    "foreign": Words("来路不明", "The request comes from elsewhere"),
    "not-found": Words("没有找到", "It is not here"),
    "method": Words("不支持这种操作", "That cannot be done here"),
    "not-acceptable": Words("没有这种格式", "There is no such format"),
    "slow": Words("太慢", "It takes too long"),
    "conflict": Words("有人正在写", "Somebody else is writing"),
    "stale": Words("版本已变", "The version has moved on"),
    "too-large": Words("太大", "It is too large"),
    "unsupported": Words("不支持这种格式", "The format is not supported"),
    "impossible": Words("记录有不可能的事件", "The record holds what cannot have happened"),
    "violation": Words("记录有违规", "The record breaks the rules"),
    "key-reused": Words("同一个键，不同的内容", "The key was used for something else"),
    "precondition": Words("缺少版本", "The version is missing"),
    "too-many": Words("请求太多", "Too many requests"),
    "internal": Words("程序出错", "The program failed"),
    "laborious": Words("要算太久", "It would take too long"),
    "unavailable": Words("暂时不可用", "It is not available at the moment"),
}
"""What each kind of problem is called."""


class ProblemError(Exception):
    """A request that cannot be carried out.

    ``faults`` are places that cannot be read, ``findings`` what the record breaks, ``more`` further members of the answer, ``headers``
    what else HTTP answers.
    """

    def __init__(
        self,
        kind: ProblemKind,
        detail: Words,
        *,
        faults: tuple[Fault, ...] = (),
        findings: list[Finding] | None = None,
        more: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(detail.en)
        self.kind: ProblemKind = kind
        self.detail = detail
        self.faults = faults
        self.findings = findings
        self.more = more or {}
        self.headers = headers or {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.kind, self.detail, self.faults, self.findings, self.more, self.headers)


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem as it is answered."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FaultAnswer] = []
    findings: list[Finding] | UnsetType = UNSET
    version: int | UnsetType = UNSET
    events: list[Any] | UnsetType = UNSET
    holder: str | UnsetType = UNSET
    since: datetime | UnsetType = UNSET
    until: datetime | UnsetType = UNSET


def _remade(
    kind: ProblemKind, detail: Words, faults: tuple[Fault, ...], findings: list[Finding] | None, more: Any, headers: Any
) -> ProblemError:
    """A problem as it comes from another process."""
    return ProblemError(kind, detail, faults=faults, findings=findings, more=more, headers=headers)


def unreadable(unread: Unreadable) -> ProblemError:
    """The problem of something that cannot be read."""
    count = len(unread.faults)
    detail = Words(f"有 {count} 处读不懂", f"{count} places cannot be read" if count > 1 else "one place cannot be read")
    if count == 1:
        detail = Words(unread.faults[0].message("zh"), unread.faults[0].message("en"))
    return ProblemError("unreadable", detail, faults=unread.faults)


async def stored(asked: Awaitable[Result]) -> Result:
    """What the store answers.

    Raises:
        ProblemError: unavailable.
    """
    try:
        return await asked
    except StoreUnavailableError:
        raise ProblemError("unavailable", Words("数据库暂时不可用", "the database is not available at the moment")) from None


def told(problem: ProblemError, language: Language) -> Problem:
    """The problem in one language."""
    return Problem(
        type=f"/problems/{problem.kind}",
        title=TITLES[problem.kind].in_(language),
        status=STATUS[problem.kind],
        detail=problem.detail.in_(language),
        errors=[answer(fault, language) for fault in problem.faults],
        findings=UNSET if problem.findings is None else problem.findings,
        **problem.more,
    )
