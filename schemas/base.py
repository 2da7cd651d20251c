"""What all shapes have in common, and the small types that they are made of."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

shape_version = 1
"""Version of the shapes in this package; see docs on upcasting before changing it."""


class Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An immutable shape with named fields; a key that it does not know is an error. An absent member is ``UNSET``, never ``None``."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An immutable shape that the program writes and never reads from strangers."""


Seat = Annotated[int, msgspec.Meta(ge=0, le=3, description="座位 seat, 0–3 in turn order")]
Seq = Annotated[int, msgspec.Meta(ge=0, description="序号 index of an event in the log as written")]
Act = Literal["胡", "碰", "吃", "杠"]
Decision = Literal["stood", "retracted", "penalised"]
Glyph = Literal["!!", "!", "!?", "?!", "?", "??"]
Game = Literal["weimaque", "changde"]

Absent = UnsetType
"""``int | Absent`` is a member that may be absent."""

__all__ = ["UNSET", "Absent", "Act", "Answer", "Decision", "Game", "Glyph", "Seat", "Seq", "Shape", "shape_version"]
