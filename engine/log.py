"""The effective log: what remains of the log as written after 撤回, 更正, 补记 and 作废, applied in order of writing (format §1)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from schemas import changde, weimaque
from schemas.events import Void, Withdraw

START_TYPES = (weimaque.Start, changde.Start)
DEAL_TYPES = (weimaque.Deal, changde.Deal)
AMEND_TYPES = (weimaque.Amend, changde.Amend)
INSERT_TYPES = (weimaque.Insert, changde.Insert)
CORRECTIONS = frozenset((Withdraw, Void, *AMEND_TYPES, *INSERT_TYPES))


class BadReference(msgspec.Struct, frozen=True, kw_only=True):
    """A correction at ``seq`` that names an event it cannot name. ``why`` is a word of ``REFERENCE_FAULTS``."""

    seq: int
    target: int
    why: str


REFERENCE_FAULTS: dict[str, tuple[str, str]] = {
    "later": ("所指的事件还没有发生", "the event it names was not written yet"),
    "not-effective": ("所指的事件此时已不作数", "the event it names is not effective at that moment"),
    "not-voidable": ("开局和起牌只能更正，不能作废", "开局 and 起牌 can be corrected, not voided"),
    "not-insertable": ("开局和起牌不能补记，它们之间也不能插入事件", "开局 and 起牌 cannot be inserted, nor anything between them"),
    "not-replaceable": ("开局只能更正为开局，起牌只能更正为起牌", "a 开局 can only be corrected to a 开局, a 起牌 to a 起牌"),
    "seats": ("更正后的座位数与本局不符", "the corrected number of seats does not fit this hand"),
}
"""Why a correction may not name an event, zh and en."""


class EffectiveLog(msgspec.Struct, frozen=True, kw_only=True):
    """``events[i]`` holds, and stands at ``seqs[i]`` of the log as written; ``written`` is how many events were written (the version)."""

    written: int
    seqs: Sequence[int]
    events: Sequence[Any]
    bad_references: tuple[BadReference, ...] = ()


def effective_log(written: Sequence[Any]) -> EffectiveLog:
    """Apply the corrections of a log as written. Linear in its length; a correction that names nothing it may name is left out and
    reported."""
    if CORRECTIONS.isdisjoint(map(type, written)):
        return EffectiveLog(written=len(written), seqs=range(len(written)), events=written)
    return _Correcting(written).result()


class _Correcting:
    """The log while corrections are applied: a linked list by seq, so that each correction costs no walk over the log."""

    def __init__(self, written: Sequence[Any]) -> None:
        self.written = written
        self.event: dict[int, Any] = {}
        self.next: dict[int, int] = {}
        self.last = -1
        self.inserted: dict[int, list[int]] = {}
        self.faults: list[BadReference] = []
        for seq, event in enumerate(written):
            self._write(seq, event)

    def _write(self, seq: int, event: Any) -> None:
        kind: type[Any] = event.__class__
        if kind is Withdraw:
            self._withdraw(seq, event.to)
        elif kind is Void:
            self._void(seq, event.seq)
        elif kind in AMEND_TYPES:
            self._amend(seq, event.seq, event.event)
        elif kind in INSERT_TYPES:
            self._insert(seq, event.after, event.event)
        else:
            self._place(seq, event, self.last)

    def _place(self, seq: int, event: Any, behind: int) -> None:
        self.event[seq] = event
        following = self.next.get(behind, -1)
        self.next[behind] = seq
        self.next[seq] = following
        if following < 0:
            self.last = seq

    def _fault(self, seq: int, target: int) -> str | None:
        if target >= seq:
            return "later"
        return None if self.event.get(target) is not None else "not-effective"

    def _refuse(self, seq: int, target: int, why: str) -> None:
        self.faults.append(BadReference(seq=seq, target=target, why=why))

    def _withdraw(self, seq: int, to: int) -> None:
        if why := self._fault(seq, to):
            self._refuse(seq, to, why)
            return
        at = self.next[to]
        self.next[to] = -1
        self.last = to
        while at >= 0:
            self.event.pop(at, None)
            at = self.next.pop(at)

    def _void(self, seq: int, target: int) -> None:
        why = self._fault(seq, target)
        if why is None and isinstance(self.event[target], (*START_TYPES, *DEAL_TYPES)):
            why = "not-voidable"
        if why:
            self._refuse(seq, target, why)
        else:
            self.event[target] = None

    def _amend(self, seq: int, target: int, event: Any) -> None:
        why = self._fault(seq, target)
        if why is None:
            old = self.event[target]
            if isinstance(old, START_TYPES) != isinstance(event, START_TYPES) or isinstance(old, DEAL_TYPES) != isinstance(
                event, DEAL_TYPES
            ):
                why = "not-replaceable"
            elif (isinstance(old, START_TYPES) and len(event.players) != len(old.players)) or (
                isinstance(old, DEAL_TYPES) and len(event.hands) != len(old.hands)
            ):
                why = "seats"
        if why:
            self._refuse(seq, target, why)
        else:
            self.event[target] = event

    def _insert(self, seq: int, after: int, event: Any) -> None:
        why = self._fault(seq, after)
        if why is None:
            following = self.event.get(self.next[after]) if self.next[after] >= 0 else None
            if isinstance(event, (*START_TYPES, *DEAL_TYPES)) or isinstance(following, DEAL_TYPES):
                why = "not-insertable"
        if why:
            self._refuse(seq, after, why)
            return
        self._place(seq, event, self._end_of_insertions(after))
        self.inserted.setdefault(after, []).append(seq)

    def _end_of_insertions(self, after: int) -> int:
        """The last event that was inserted behind ``after`` and is still in place, or behind one of those; ``after`` itself if there is
        none."""
        while inserted := self.inserted.get(after):
            if inserted[-1] in self.next:
                after = inserted[-1]
            else:
                inserted.pop()
        return after

    def result(self) -> EffectiveLog:
        seqs: list[int] = []
        at = self.next.get(-1, -1)
        while at >= 0:
            if self.event.get(at) is not None:
                seqs.append(at)
            at = self.next[at]
        return EffectiveLog(
            written=len(self.written), seqs=seqs, events=[self.event[seq] for seq in seqs], bad_references=tuple(self.faults)
        )
