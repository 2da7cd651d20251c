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
        raise Unreadable((_at(text, error.start, "不是 UTF-8 文字", "is not UTF-8"),)) from None
    except json.JSONDecodeError as error:
        place = len(error.doc[: error.pos].encode())
        raise Unreadable((_at(text, place, "不是完整的 JSON", "is not well-formed JSON"),)) from None
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


def _at(text: bytes, place: int, zh: str, en: str) -> Fault:
    before = text[:place]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
    around = text[place : place + 24].decode(errors="replace")
    where_zh, where_en = f"{zh}（第 {line} 行第 {column} 字）", f"{en} (line {line}, column {column})"
    return Fault(path="$", line=line, said=Words(where_zh, where_en), found=shown(around) if around else None)


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
