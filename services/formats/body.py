"""Untyped bodies, strictly read: what a JSON text says, and every oddity that ordinary readers pass over in silence.

A repeated key and a number that neither 64 bits nor a double holds stay visible in the body, so that the walk over it can name their place.
"""

import json
import re
from collections import Counter
from typing import Any, NoReturn, cast

import msgspec

from services.formats.faults import Fault, Unreadable
from services.words import Words

NESTING = 64
"""So many objects and lists may stand inside each other."""

SMALLEST, LARGEST = -(2**63), 2**64 - 1
"""Integers of 64 bits, signed or not, as MessagePack has them."""

EMPTY = Words("是空的", "is empty")
JSON_TEXT = Words("一个完整的 JSON 值", "one whole JSON value")
ONE_VALUE = Words("到此结束：这里只收一个值", "the end: one value is taken")

EXPECTED = {
    "Expecting ','": Words("逗号，或收尾的括号", "a comma, or the bracket that closes"),
    "Expecting ':'": Words("冒号", "a colon"),
    "Expecting property name": Words("双引号里的键", "a key in double quotes"),
    "Illegal trailing comma": Words("逗号后面还有一项", "another entry behind the comma"),
    "Expecting value": Words("一个值", "a value"),
    "Unterminated string": Words("收尾的双引号", "the double quote that closes"),
    "Invalid control character": Words("转义的控制字符，如 \\n", "an escaped control character, as in \\n"),
    "Invalid \\": Words("JSON 里有的转义", "an escape that JSON has"),
    "Extra data": ONE_VALUE,
}
"""What is expected where the reader of JSON gives up, by how his reason begins."""

SURROGATE = re.compile("[\ud800-\udfff]")


class Members(dict[Any, Any]):
    """An object of the body; ``repeated`` are the keys that stand in it more than once."""

    repeated: tuple[str, ...] = ()


class OutOfRange(msgspec.Struct, frozen=True):
    """A number as written that no 64-bit integer and no double holds."""

    text: str


def members_of(value: Any) -> dict[str, Any] | None:
    """The members of an object of a body; ``None`` if it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def items_of(value: Any) -> list[Any] | None:
    """The items of a list of a body; ``None`` if it is none."""
    return cast("list[Any]", value) if isinstance(value, list) else None


def from_json(text: bytes) -> Any:
    """The body of one JSON text.

    Raises:
        Unreadable: it is not JSON, not UTF-8, or nested too deep to be read at all.
    """
    try:
        return _JSON.decode(text.decode())
    except UnicodeDecodeError as error:
        raise Unreadable((_at(text, error.start, Words("不是 UTF-8 文字", "is not UTF-8"), Words("UTF-8 文字", "UTF-8 text")),)) from None
    except json.JSONDecodeError as error:
        place = len(error.doc[: error.pos].encode())
        raise Unreadable((_broken(text, place, error.msg),)) from None
    except RecursionError:
        raise Unreadable((too_deep("$"),)) from None


def too_deep(path: str) -> Fault:
    """The fault of nesting beyond the limit."""
    return Fault(path=path, said=Words("嵌套太深", "is nested too deep"), expected=Words(f"至多 {NESTING} 层", f"at most {NESTING} levels"))


def shown(value: Any) -> str:
    """JSON text of a value of a body, shortened for a message; total on anything that a body can hold."""
    if isinstance(value, OutOfRange):
        text = value.text
    elif isinstance(value, dict):
        text = "{…}" if value else "{}"
    elif isinstance(value, list):
        text = "[…]" if value else "[]"
    elif isinstance(value, str):
        text = SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
    elif value is None or isinstance(value, bool | int | float):
        text = json.dumps(value)
    else:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else f"{text[:59]}…"


def _broken(text: bytes, place: int, reason: str) -> Fault:
    """The fault of a JSON text that its reader gave up at a place, for a reason of his."""
    if not text.strip(b" \t\r\n"):
        return Fault(path="$", said=EMPTY, expected=JSON_TEXT)
    expected = next((words for start, words in EXPECTED.items() if reason.startswith(start)), JSON_TEXT)
    if not text[place:].strip(b" \t\r\n"):
        return _at(text, place, Words("没有写完", "breaks off"), expected)
    return _at(text, place, Words("不是完整的 JSON", "is not well-formed JSON"), expected)


def _at(text: bytes, place: int, said: Words, expected: Words) -> Fault:
    before = text[:place]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
    around = text[place : place + 24].decode(errors="replace")
    where = Words(f"{said.zh}（第 {line} 行第 {column} 字）", f"{said.en} (line {line}, column {column})")
    return Fault(path="$", line=line, said=where, found=shown(around) if around else None, expected=expected)


def _members(pairs: list[tuple[str, Any]]) -> Members:
    members = Members(pairs)
    if len(members) != len(pairs):
        members.repeated = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return members


def _integer(text: str) -> int | OutOfRange:
    if len(text) > 20 or not SMALLEST <= (number := int(text)) <= LARGEST:
        return OutOfRange(text)
    return number


def _real(text: str) -> float | OutOfRange:
    number = float(text)
    return number if abs(number) != float("inf") else OutOfRange(text)


def _constant(text: str) -> NoReturn:
    raise json.JSONDecodeError(f"{text} is no JSON", text, 0)


_JSON = json.JSONDecoder(object_pairs_hook=_members, parse_int=_integer, parse_float=_real, parse_constant=_constant)
