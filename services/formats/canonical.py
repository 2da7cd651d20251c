"""Canonical JSON: the one text of a value, by which records are compared, stored and hashed.

UTF-8, keys sorted by code point at every level, no white space, only the escapes that JSON demands, integers as written,
other numbers as the shortest text of the same double.
"""

import hashlib
import json
from typing import Any

import msgspec


def canonical(value: Any) -> bytes:
    """The canonical JSON of a value or of a shape.

    Raises:
        ValueError: for what canonical JSON cannot hold (a lone surrogate, an infinite number).
    """
    plain = msgspec.to_builtins(value)
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def digest(canonical_json: bytes) -> bytes:
    """SHA-256 of a canonical text."""
    return hashlib.sha256(canonical_json).digest()
