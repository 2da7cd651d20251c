"""Claimed wins, rules and other shapes by themselves, read as strictly as records."""

from typing import Any, TypeVar

import msgspec

from schemas.rulesets import ChangdeRules, WeimaqueRules
from schemas.verify import Verify
from services.formats.body import EMPTY, from_json
from services.formats.body import too_deep as nested_too_deep
from services.formats.faults import Fault, Unreadable
from services.formats.media import Format, format_of_content
from services.formats.msgpack_body import from_msgpack
from services.formats.reading import BOM
from services.formats.shapes import Report, check_of, too_deep_at
from services.words import Words

Shape = TypeVar("Shape")

Rules = WeimaqueRules | ChangdeRules

RULES: dict[str, type[Rules]] = {"weimaque": WeimaqueRules, "changde": ChangdeRules}
"""The rules of each game as 开局 names them."""


class ClaimReading(msgspec.Struct, frozen=True, kw_only=True):
    """One claim of an input, or what is wrong with it; ``index`` counts from 0, ``line`` from 1."""

    index: int = 0
    line: int | None = None
    claim: Verify | None = None
    faults: tuple[Fault, ...] = ()


def read_claims(data: bytes, form: Format | None = None) -> list[ClaimReading]:
    """Every claim of an input: one object, or one a line."""
    form = form or format_of_content(data)
    if form != "jsonl":
        return [_claim(data, form, 0, None if form == "msgpack" else 1)]
    lines = [(number, line) for number, line in enumerate(data.removeprefix(BOM).split(b"\n"), 1) if line.strip()]
    if not lines:
        return [ClaimReading(line=1, faults=(Fault(path="$", line=1, said=EMPTY, expected=Words("一手胡牌", "a claimed win")),))]
    return [_claim(line, "json", index, number) for index, (number, line) in enumerate(lines)]


def read_rules(text: bytes, game: str, *, named: str = "rules") -> Rules:
    """The rules of a game from JSON, or from a preset's name alone. ``named`` is the parameter or option in which they were given.

    Raises:
        Unreadable: they are none; paths begin with that name.
    """
    try:
        body = {"preset": text.decode()} if text.isalpha() and text.isascii() else from_json(text)
        return _converted(body, RULES[game])
    except Unreadable as unread:
        faults = (msgspec.structs.replace(fault, path=f"{named}{fault.path[1:]}") for fault in unread.faults)
        raise Unreadable(tuple(faults)) from None


def read_shape(text: bytes, shape: type[Shape]) -> Shape:
    """A value of a shape from JSON.

    Raises:
        Unreadable: with every fault of it.
    """
    return _converted(from_json(text.removeprefix(BOM)), shape)


def _claim(data: bytes, form: Format, index: int, line: int | None) -> ClaimReading:
    try:
        body = from_msgpack(data) if form == "msgpack" else from_json(data.removeprefix(BOM))
        return ClaimReading(index=index, line=line, claim=_converted(body, Verify))
    except Unreadable as unread:
        faults = tuple(
            msgspec.structs.replace(fault, record=index, line=line if line is None or fault.line is None else line + fault.line - 1)
            for fault in unread.faults
        )
        return ClaimReading(index=index, line=line, faults=faults)


def _converted(body: Any, shape: Any) -> Any:
    deep = too_deep_at(body)
    if deep is not None:
        raise Unreadable((nested_too_deep(deep),))
    report = Report()
    check_of(shape)(body, "$", report)
    if report.faults:
        raise Unreadable(tuple(report.faults))
    return msgspec.convert(body, shape)
