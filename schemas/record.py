"""A record ``paipu/1``: one hand (盘) of one of the games."""

from typing import Any, Literal

from schemas.base import UNSET, Absent, Glyph, Seq, Shape
from schemas.changde import ChangdeEvent
from schemas.weimaque import WeimaqueEvent

FORMAT: Literal["paipu/1"] = "paipu/1"


class Annotated(Shape, frozen=True, kw_only=True):
    """What every annotation has: a comment by ``by`` on the event ``seq``."""

    seq: Seq
    by: str
    text: str
    glyph: Glyph | Absent = UNSET
    tags: list[str] | Absent = UNSET


class WeimaqueAnnotation(Annotated, frozen=True, kw_only=True):
    """``line`` is a variation: events played instead, from before ``seq``."""

    line: list[WeimaqueEvent] | Absent = UNSET


class ChangdeAnnotation(Annotated, frozen=True, kw_only=True):
    """``line`` is a variation: events played instead, from before ``seq``."""

    line: list[ChangdeEvent] | Absent = UNSET


class WeimaqueRecord(Shape, tag_field="game", tag="weimaque", frozen=True, kw_only=True):
    """A hand of 安乡偎麻雀. Unknown keys of ``meta`` are kept."""

    format: Literal["paipu/1"]
    events: list[WeimaqueEvent]
    meta: dict[str, Any] | Absent = UNSET
    annotations: list[WeimaqueAnnotation] | Absent = UNSET


class ChangdeRecord(Shape, tag_field="game", tag="changde", frozen=True, kw_only=True):
    """A hand of 常德麻将. Unknown keys of ``meta`` are kept."""

    format: Literal["paipu/1"]
    events: list[ChangdeEvent]
    meta: dict[str, Any] | Absent = UNSET
    annotations: list[ChangdeAnnotation] | Absent = UNSET


Record = WeimaqueRecord | ChangdeRecord
Annotation = WeimaqueAnnotation | ChangdeAnnotation
