"""Words for people: everything the services say is said in Chinese first and completely in English too."""

from typing import Literal

import msgspec

Language = Literal["zh", "en"]


class Words(msgspec.Struct, frozen=True):
    """One thing said in both languages."""

    zh: str
    en: str

    def in_(self, language: Language) -> str:
        """The words in one language."""
        return self.zh if language == "zh" else self.en
