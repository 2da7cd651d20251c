"""For every rule of both games a short record that breaks it, for the catalogue; made by ``tools.rule_examples``."""

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import UNSET, UnsetType

from schemas.record import Record


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """``record`` breaks ``rule`` at event ``seq``, and nothing before that. ``before`` is the hand before it, for a rule about a match."""

    rule: str
    seq: int
    record: Record
    before: Record | UnsetType = UNSET


@cache
def examples(game: str) -> dict[str, Example]:
    """The examples of a game by rule."""
    text = files(__name__).joinpath(f"{game}.jsonl").read_bytes()
    return {example.rule: example for example in msgspec.json.Decoder(Example).decode_lines(text)}
