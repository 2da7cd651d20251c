"""Values as they go over the wire to PostgreSQL: the types of the log alone, in binary where that is simple."""

import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

_INT = struct.Struct(">i")
_LONG = struct.Struct(">q")
_ARRAY = struct.Struct(">iiIii")
_EMPTY_ARRAY = struct.Struct(">iiI")
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Type(NamedTuple):
    """A type of PostgreSQL: its number, how a value of it is written, and whether that is binary."""

    oid: int
    write: Callable[[Any], bytes]
    binary: bool = True


def _int(value: int) -> bytes:
    return _INT.pack(value)


def _bytes(value: bytes) -> bytes:
    return value


def _bool(value: bool) -> bytes:
    return b"\x01" if value else b"\x00"


def _uuid(value: UUID) -> bytes:
    return value.bytes


def _moment(value: datetime) -> bytes:
    return _LONG.pack((value - _EPOCH) // _MICROSECOND)


def moment(written: bytes) -> datetime:
    """The moment that a binary ``timestamptz`` tells."""
    return _EPOCH + _LONG.unpack(written)[0] * _MICROSECOND


def _number(value: int) -> bytes:
    return str(value).encode()


def _numbers(values: Sequence[int]) -> bytes:
    return f"{{{','.join(map(str, values))}}}".encode()


BYTEA = Type(17, _bytes)
BOOL = Type(16, _bool)
INT = Type(23, _int)
TEXT = Type(25, str.encode)
UUID_TYPE = Type(2950, _uuid)
TIMESTAMPTZ = Type(1184, _moment)
NUMERIC = Type(1700, _number, binary=False)
NUMERICS = Type(1231, _numbers, binary=False)


def _array_of(oid: int, element: Type) -> Type:
    def write(values: Sequence[Any]) -> bytes:
        if not values:
            return _EMPTY_ARRAY.pack(0, 0, element.oid)
        parts = [_ARRAY.pack(1, 0, element.oid, len(values), 1)]
        for value in values:
            written = element.write(value)
            parts += (_INT.pack(len(written)), written)
        return b"".join(parts)

    return Type(oid, write)


BYTEAS = _array_of(1001, BYTEA)
INTS = _array_of(1007, INT)
TEXTS = _array_of(1009, TEXT)
