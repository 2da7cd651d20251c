"""Untyped bodies from MessagePack, strictly read. The format has more than JSON can say; what is more is refused by name."""

import struct
from collections.abc import Callable
from typing import Any

from services.formats.body import EMPTY, NESTING, ONE_VALUE, Members, too_deep
from services.formats.faults import Fault, Unreadable
from services.words import Words

NUMBERS: dict[int, str] = {
    0xCA: ">f", 0xCB: ">d",
    0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
"""Layout of each number by its leading byte."""

LENGTHS: dict[int, tuple[str, str]] = {
    0xD9: ("text", ">B"), 0xDA: ("text", ">H"), 0xDB: ("text", ">I"),
    0xDC: ("list", ">H"), 0xDD: ("list", ">I"),
    0xDE: ("object", ">H"), 0xDF: ("object", ">I"),
}  # fmt: skip
"""What follows a leading byte, and the layout of its length."""

WHOLE = Words("一个完整的 MessagePack 值", "one whole MessagePack value")
SAYABLE = Words("null、true、false、数、文字、列表或对象", "null, true, false, a number, text, a list or an object")

CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def from_msgpack(data: bytes) -> Any:
    """The body of one MessagePack value.

    Raises:
        Unreadable: it is not well formed, holds what JSON cannot say (binary, extensions, keys that are no text), or is nested too deep.
    """
    if not data:
        raise Unreadable((Fault(path="$", said=EMPTY, expected=WHOLE),))
    reader = _Reader(data)
    body = reader.value("$", 1)
    if reader.place != len(data):
        raise reader.broken("后面还有多余的内容", "it is followed by something else", expected=ONE_VALUE)
    return body


class _Reader:
    """A cursor over the bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0
        self.compound: dict[str, Callable[[int, str, int], Any]] = {"text": self.text, "list": self.list, "object": self.object}

    def broken(self, zh: str, en: str, path: str = "$", expected: Words = WHOLE) -> Unreadable:
        said = Words(f"不是可读的 MessagePack：{zh}（第 {self.place} 字节）", f"is no readable MessagePack: {en} (byte {self.place})")
        around = self.data[self.place : self.place + 8].hex(" ")
        return Unreadable((Fault(path=path, said=said, found=around or None, expected=expected),))

    def take(self, length: int) -> bytes:
        taken = self.data[self.place : self.place + length]
        if len(taken) < length:
            raise self.broken("到此中断", "it ends here")
        self.place += length
        return taken

    def number(self, layout: str) -> Any:
        return struct.unpack(layout, self.take(struct.calcsize(layout)))[0]

    def value(self, path: str, level: int) -> Any:
        lead = self.take(1)[0]
        if lead <= 0x7F:
            return lead
        if lead >= 0xE0:
            return lead - 0x100
        if lead <= 0x8F:
            return self.object(lead & 0x0F, path, level)
        if lead <= 0x9F:
            return self.list(lead & 0x0F, path, level)
        if lead <= 0xBF:
            return self.text(lead & 0x1F, path, level)
        if lead in CONSTANTS:
            return CONSTANTS[lead]
        if lead in NUMBERS:
            number = self.number(NUMBERS[lead])
            if number != number or number in (float("inf"), float("-inf")):
                raise self.broken("不是数", "not a number", path, Words("一个数", "a number"))
            return number
        if lead in LENGTHS:
            kind, layout = LENGTHS[lead]
            return self.compound[kind](self.number(layout), path, level)
        raise self.broken(f"0x{lead:02x} 是 JSON 说不出的类型", f"0x{lead:02x} is a type that JSON cannot say", path, SAYABLE)

    def text(self, length: int, path: str, level: int) -> str:
        try:
            return self.take(length).decode()
        except UnicodeDecodeError:
            raise self.broken("不是 UTF-8 文字", "it is not UTF-8", path, Words("UTF-8 文字", "UTF-8 text")) from None

    def list(self, length: int, path: str, level: int) -> list[Any]:
        self.guard(path, level)
        return [self.value(f"{path}[{index}]", level + 1) for index in range(length)]

    def object(self, length: int, path: str, level: int) -> Members:
        self.guard(path, level)
        members, repeated = Members(), list[str]()
        for _ in range(length):
            key = self.value(path, level + 1)
            if not isinstance(key, str):
                raise self.broken("键必须是文字", "a key must be text", path, Words("文字", "text"))
            if key in members:
                repeated.append(key)
            members[key] = self.value(f"{path}.{key}", level + 1)
        members.repeated = tuple(dict.fromkeys(repeated))
        return members

    def guard(self, path: str, level: int) -> None:
        if level > NESTING:
            raise Unreadable((too_deep(path),))
