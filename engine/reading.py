"""A reading: how a passage of the source text is taken where it is silent, damaged or at odds with itself."""

import msgspec


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """``id`` is its name on the rules page (R-…), ``zh`` and ``en`` say what the text leaves open and how it is read here."""

    id: str
    zh: str
    en: str
