"""An option of a ruleset as the catalogue shows it, and how the rules of a 开局 become the ruleset in force."""

from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

Ruleset = TypeVar("Ruleset", bound=msgspec.Struct)


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One row of an options table (rules pages: §9 of 偎麻雀, §6 of 常德): what a table may agree on differently.

    ``values`` are those that can be listed, default first; where any integer will do, the default alone. ``scoring`` and ``legality`` say
    whether
    sensitivity tries the other values for what a win pays and for what was allowed.
    """

    name: str
    values: tuple[Any, ...]
    reading: str | None
    zh: str
    en: str
    scoring: bool = False
    legality: bool = False


def in_force(ruleset: type[Ruleset], named: msgspec.Struct, defaults: dict[str, Any]) -> Ruleset:
    """The ruleset in force: what ``named`` (the ``rules`` of a 开局) says, over the preset's ``defaults``, over those of the ruleset
    itself."""
    said = {name: value for name in named.__struct_fields__ if (value := getattr(named, name)) is not UNSET}
    return ruleset(**{**defaults, **said})
