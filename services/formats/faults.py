"""What is wrong with bytes that cannot be read: where, what was found, what was expected, in both languages."""

import msgspec
from msgspec import UNSET, UnsetType

from services.words import Language, Words

NOTHING = Words("没有", "absent")
"""What is found where nothing stands."""

LIMIT = 1000
"""So many faults of one record are listed one by one; what is beyond is counted."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that cannot be read.

    ``record`` counts the records of the input from 0, ``line`` its lines from 1, ``seq`` the events of the record from 0.
    ``path`` is the place in the record (``$.events[12].pai``), ``found`` what stands there as JSON, shortened; ``None`` if nothing does.
    ``expected`` is what could stand there instead.
    """

    path: str
    said: Words
    expected: Words
    found: str | None = None
    record: int = 0
    line: int | None = None
    seq: int | None = None

    def message(self, language: Language) -> str:
        """The whole sentence: ``$.events[12].pai: "四万" 不是偎麻雀的牌；应为 一…十、壹…拾 或 "?"``."""
        found = "" if self.found is None else f"{self.found} "
        sentence = f"{self.path}: {found}{self.said.in_(language)}"
        joint = "；应为 " if language == "zh" else "; expected "
        return f"{sentence}{joint}{self.expected.in_(language)}"


class FaultAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A fault as HTTP and the CLI answer it."""

    record: int
    path: str
    message: str
    found: str
    expected: str
    line: int | UnsetType = UNSET
    seq: int | UnsetType = UNSET


def answer(fault: Fault, language: Language) -> FaultAnswer:
    """The fault in one language, without what is not known of it."""
    return FaultAnswer(
        record=fault.record,
        path=fault.path,
        message=fault.message(language),
        found=NOTHING.in_(language) if fault.found is None else fault.found,
        expected=fault.expected.in_(language),
        line=UNSET if fault.line is None else fault.line,
        seq=UNSET if fault.seq is None else fault.seq,
    )


class Unreadable(Exception):  # noqa: N818 - the contract's word for it
    """Bytes that are no record; ``faults`` says everything that is wrong with them."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(fault.message("en") for fault in faults[:3]))
        self.faults = faults
