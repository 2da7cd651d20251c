"""The full report on a body: a walk over it that is made from the shapes themselves, so that no shape is described twice.

The typed decoder is fast, but stops at the first fault and does not say what it expected. When it refuses, this walk finds every fault.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, get_args
from uuid import UUID

from msgspec import UNSET, ValidationError, convert, inspect

from engine.weimaque.opening import NAMES as MINGTANG
from schemas.base import Act, Decision, Glyph, Seat
from schemas.cards import ChangdeTile, WeimaqueCard
from schemas.events import Event
from schemas.rulesets import WeimaqueRules
from services.formats.body import LARGEST, NESTING, SMALLEST, SURROGATE, Members, OutOfRange, items_of, members_of, shown
from services.formats.faults import LIMIT, Fault
from services.formats.moments import is_moment
from services.words import Words


class Report:
    """The faults found so far; ``seats`` is how many players sit at the table, ``beyond`` how many faults are not listed."""

    def __init__(self, seats: int = 4) -> None:
        self.seats = seats
        self.faults: list[Fault] = []
        self.beyond = 0

    def add(self, path: str, said: Words, value: Any, expected: Words) -> None:
        """One more fault; a ``value`` of ``UNSET``: nothing stands at the path."""
        if len(self.faults) >= LIMIT:
            self.beyond += 1
            return
        found = None if value is UNSET else shown(value)
        self.faults.append(Fault(path=path, said=said, found=found, expected=expected))


Check = Callable[[Any, str, Report], None]
"""Reports what is wrong with a value at a path."""

WRONG = Words("不对", "will not do")
MISSING = Words("缺少", "is missing")
UNKNOWN = Words("不认识", "is not known here")
REPEATED = Words("重复了", "stands here more than once")
NULL = Words("不能写在这里", "cannot stand here")
LONE = Words("含有不成对的代理字符", "holds a lone surrogate")
BEYOND = Words("超出 64 位", "does not fit 64 bits")
WITHIN = Words("64 位整数，或双精度的数", "an integer of 64 bits, or a number that a double holds")
ANY = Words("文字、数、true、false、列表或对象", "text, a number, true, false, a list or an object")
PAIRED = Words("完整的 Unicode 文字", "whole Unicode characters")
SINGLE = Words("只写一次", "a single one")
NO_MOMENT = Words("不是带时区的时间", "is no moment with an offset")
MOMENT = Words("RFC 3339，如 2026-11-28T20:15:00+08:00", "RFC 3339, as in 2026-11-28T20:15:00+08:00")
NO_MINGTANG = Words("不是名堂", "is no 名堂")
NO_SEAT = Words("这桌没有这个座位", "is no seat at this table")

CARDS: dict[frozenset[Any], tuple[Words, Words]] = {
    frozenset(get_args(WeimaqueCard)): (
        Words("不是偎麻雀的牌", "is no 偎麻雀 card"),
        Words('一…十、壹…拾 或 "?"', '一…十, 壹…拾 or "?"'),
    ),
    frozenset(get_args(ChangdeTile)): (
        Words("不是常德麻将的牌", "is no 常德麻将 tile"),
        Words('1m…9m、1s…9s、1p…9p、7z 或 "?"', '1m…9m, 1s…9s, 1p…9p, 7z or "?"'),
    ),
}
"""What is said of a word that is no card of the game, and what is expected instead."""

ORDERED = {frozenset(get_args(words)): get_args(words) for words in (Act, Decision, Glyph)}
"""Sets of words that have an order of their own; inspection sorts all of them."""


def at(path: str, key: str) -> str:
    """The path of a member."""
    return f"{path}.{key}" if re.fullmatch(r"[\w-]+", key) else f"{path}[{shown(key)}]"


@cache
def check_of(shape: Any) -> Check:
    """The check of a shape, or of anything that a shape is made of."""
    return _check(inspect.type_info(shape))


def check_any(value: Any, path: str, report: Report) -> None:
    """What holds of every value, whatever it is for: no null, nothing repeated, nothing out of range."""
    if isinstance(value, str):
        if SURROGATE.search(value):
            report.add(path, LONE, value, PAIRED)
    elif value is None:
        report.add(path, NULL, value, ANY)
    elif isinstance(value, OutOfRange):
        report.add(path, BEYOND, value, WITHIN)
    elif (items := items_of(value)) is not None:
        for index, item in enumerate(items):
            check_any(item, f"{path}[{index}]", report)
    elif (members := members_of(value)) is not None:
        _check_keys(members, path, report)
        for key, item in members.items():
            check_any(item, at(path, key), report)


def too_deep_at(body: Any) -> str | None:
    """The path of a value that lies too deep, or ``None``. It does not recurse, so that no depth can harm it."""
    waiting: list[tuple[Any, str, int]] = [(body, "$", 1)]
    while waiting:
        value, path, level = waiting.pop()
        members, items = members_of(value), items_of(value)
        if level > NESTING and (members is not None or items is not None):
            return path
        waiting.extend((item, at(path, key), level + 1) for key, item in (members or {}).items())
        waiting.extend((item, f"{path}[{index}]", level + 1) for index, item in enumerate(items or []))
    return None


def span(first: int, last: int) -> Words:
    """Words for a number from ``first`` to ``last``."""
    return Words(f"{first}…{last}", f"{first}…{last}")


def _check(kind: inspect.Type) -> Check:
    if kind == inspect.type_info(Seat):
        return _check_seat
    match kind:
        case inspect.Metadata(type=inner):
            return _check(inner)
        case inspect.AnyType():
            return check_any
        case inspect.ListType():
            return _check_list(kind)
        case inspect.DictType():
            return _check_dict(kind)
        case inspect.StructType():
            return _check_struct(kind)
        case inspect.UnionType():
            return _check_union(kind)
        case inspect.LiteralType(values=values):
            words, kinds = frozenset(values), frozenset(type(word) for word in values)
            return _check_scalar(lambda value: type(value) in kinds and value in words, kind)
        case inspect.IntType(ge=least, le=most):
            low, high = SMALLEST if least is None else least, LARGEST if most is None else most
            return _check_scalar(lambda value: type(value) is int and low <= value <= high, kind)
        case inspect.BoolType():
            return _check_scalar(lambda value: type(value) is bool, kind)
        case inspect.StrType():
            return _check_scalar(lambda value: isinstance(value, str), kind)
        case inspect.UUIDType():
            return _check_scalar(_is_id, kind)
        case _:
            raise TypeError(f"no check for {kind}")


def _check_scalar(fits: Callable[[Any], bool], kind: inspect.Type) -> Check:
    expected = _expected(kind)
    said = WRONG
    if isinstance(kind, inspect.LiteralType) and frozenset(kind.values) in CARDS:
        said, _ = CARDS[frozenset(kind.values)]

    def check(value: Any, path: str, report: Report) -> None:
        if not fits(value):
            beyond = isinstance(value, OutOfRange)
            report.add(path, BEYOND if beyond else said, value, _within(expected) if beyond else expected)
        elif isinstance(value, str) and SURROGATE.search(value):
            report.add(path, LONE, value, PAIRED)

    return check


def _within(expected: Words) -> Words:
    return Words(f"{expected.zh}，不超出 64 位", f"{expected.en} within 64 bits")


def _is_id(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(convert(value, UUID))
    except ValidationError:
        return False


def _check_seat(value: Any, path: str, report: Report) -> None:
    if type(value) is not int or not 0 <= value < report.seats:
        said = NO_SEAT if type(value) is int else WRONG
        report.add(path, said, value, span(0, report.seats - 1))


def _check_list(kind: inspect.ListType) -> Check:
    check_item, expected = _check(kind.item_type), _expected(kind)
    least, most = kind.min_length or 0, kind.max_length

    def check(value: Any, path: str, report: Report) -> None:
        items = items_of(value)
        if items is None:
            report.add(path, BEYOND if isinstance(value, OutOfRange) else WRONG, value, expected)
            return
        if len(items) < least or (most is not None and len(items) > most):
            report.add(path, Words(f"有 {len(items)} 项", f"has {len(items)} entries"), value, expected)
        for index, item in enumerate(items):
            check_item(item, f"{path}[{index}]", report)

    return check


def _check_dict(kind: inspect.DictType) -> Check:
    check_value, expected = _check(kind.value_type), _expected(kind)

    def check(value: Any, path: str, report: Report) -> None:
        members = members_of(value)
        if members is None:
            report.add(path, BEYOND if isinstance(value, OutOfRange) else WRONG, value, expected)
            return
        _check_keys(members, path, report)
        for key, item in members.items():
            check_value(item, at(path, key), report)

    return check


def _check_struct(kind: inspect.StructType) -> Check:
    fields = {field.encode_name: _check_field(kind.cls, field) for field in kind.fields}
    needed = {field.encode_name: _expected(field.type) for field in kind.fields if field.required}
    names = ([kind.tag_field] if kind.tag_field else []) + list(fields)
    known = Words("、".join(names), ", ".join(names))
    expected = _expected(kind)

    def check(value: Any, path: str, report: Report) -> None:
        members = members_of(value)
        if members is None:
            report.add(path, BEYOND if isinstance(value, OutOfRange) else WRONG, value, expected)
            return
        _check_keys(members, path, report)
        for key, item in members.items():
            if key in fields:
                fields[key](item, at(path, key), report)
            elif key != kind.tag_field:
                report.add(at(path, key), UNKNOWN, item, known)
        for name, expected_there in needed.items():
            if name not in members:
                report.add(at(path, name), MISSING, UNSET, expected_there)

    return check


def _check_field(shape: type, field: inspect.Field) -> Check:
    check = _check(field.type)
    if issubclass(shape, Event) and field.name == "at":
        return _both(check, _check_moment)
    if shape is WeimaqueRules and field.name == "values":
        return _both(check, _check_mingtang)
    return check


def _both(first: Check, second: Check) -> Check:
    def check(value: Any, path: str, report: Report) -> None:
        first(value, path, report)
        second(value, path, report)

    return check


def _check_moment(value: Any, path: str, report: Report) -> None:
    if isinstance(value, str) and not is_moment(value):
        report.add(path, NO_MOMENT, value, MOMENT)


def _check_mingtang(value: Any, path: str, report: Report) -> None:
    for name in members_of(value) or {}:
        if name not in MINGTANG:
            report.add(at(path, name), NO_MINGTANG, name, Words("、".join(sorted(MINGTANG)), ", ".join(sorted(MINGTANG))))


def _check_union(kind: inspect.UnionType) -> Check:
    shapes = [part for part in kind.types if isinstance(part, inspect.StructType) and part.tag_field]
    if shapes:
        others = [part for part in kind.types if not any(part is shape for shape in shapes)]
        return _check_tagged(shapes, nullable=any(isinstance(part, inspect.NoneType) for part in others))
    nullable = any(isinstance(part, inspect.NoneType) for part in kind.types)
    parts = [part for part in kind.types if not isinstance(part, inspect.NoneType)]
    checks = [(part, _check(part)) for part in parts]
    expected = _expected(kind)

    def check(value: Any, path: str, report: Report) -> None:
        if value is None and nullable:
            return
        alternatives = [attempt for part, attempt in checks if _same_kind(part, value)]
        if len(alternatives) == 1:
            alternatives[0](value, path, report)
        else:
            report.add(path, BEYOND if isinstance(value, OutOfRange) else WRONG, value, expected)

    return check


def _check_tagged(shapes: list[inspect.StructType], *, nullable: bool) -> Check:
    field = shapes[0].tag_field or "type"
    checks = {shape.tag: _check_struct(shape) for shape in shapes}
    tags = Words("、".join(str(tag) for tag in checks), ", ".join(str(tag) for tag in checks))

    def check(value: Any, path: str, report: Report) -> None:
        if value is None and nullable:
            return
        members = members_of(value)
        if members is None:
            report.add(path, WRONG, value, Words("对象", "an object"))
            return
        tag = members.get(field, UNSET)
        if isinstance(tag, str) and tag in checks:
            checks[tag](value, path, report)
            return
        report.add(f"{path}.{field}", MISSING if tag is UNSET else UNKNOWN, tag, tags)
        _check_keys(members, path, report)

    return check


def _same_kind(kind: inspect.Type, value: Any) -> bool:
    match kind:
        case inspect.Metadata(type=inner):
            return _same_kind(inner, value)
        case inspect.ListType():
            return isinstance(value, list)
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, dict)
        case inspect.LiteralType(values=values):
            return any(type(value) is type(word) for word in values)
        case inspect.IntType():
            return type(value) is int
        case inspect.StrType() | inspect.UUIDType():
            return isinstance(value, str)
        case inspect.BoolType():
            return type(value) is bool
        case _:
            return False


def _check_keys(members: dict[str, Any], path: str, report: Report) -> None:
    if isinstance(members, Members):
        for key in members.repeated:
            report.add(at(path, key), REPEATED, members[key], SINGLE)
    for key in members:
        if SURROGATE.search(key):
            report.add(at(path, key), LONE, key, PAIRED)


def _expected(kind: inspect.Type) -> Words:
    match kind:
        case inspect.Metadata(type=inner):
            return _expected(inner)
        case inspect.LiteralType(values=values):
            if frozenset(values) in CARDS:
                return CARDS[frozenset(values)][1]
            return _any_of([Words(shown(word), shown(word)) for word in ORDERED.get(frozenset(values), values)])
        case inspect.IntType(ge=None, le=None):
            return Words("整数", "an integer")
        case inspect.IntType(ge=least, le=None):
            return Words(f"不小于 {least} 的整数", f"an integer, {least} or more")
        case inspect.IntType(ge=least, le=most):
            return span(int(least or 0), int(most or 0))
        case inspect.BoolType():
            return Words("true 或 false", "true or false")
        case inspect.StrType():
            return Words("文字", "text")
        case inspect.UUIDType():
            return Words("编号", "an id")
        case inspect.NoneType():
            return Words("null", "null")
        case inspect.ListType(min_length=least, max_length=most) if least is not None:
            size = str(least) if least == most else f"{least}…{most}"
            return Words(f"{size} 项的列表", f"a list of {size}")
        case inspect.ListType():
            return Words("列表", "a list")
        case inspect.StructType(fields=fields, tag_field=None):
            names = [field.encode_name for field in fields if field.required] or [field.encode_name for field in fields]
            return Words(f"对象 {{{'、'.join(names)}}}", f"an object {{{', '.join(names)}}}")
        case inspect.StructType() | inspect.DictType():
            return Words("对象", "an object")
        case inspect.UnionType(types=parts):
            return _any_of([_expected(part) for part in parts])
        case _:
            raise TypeError(f"no words for {kind}")


def _any_of(parts: list[Words]) -> Words:
    if len(parts) == 1:
        return parts[0]
    *first, last = parts
    return Words(f"{'、'.join(part.zh for part in first)} 或 {last.zh}", f"{', '.join(part.en for part in first)} or {last.en}")
