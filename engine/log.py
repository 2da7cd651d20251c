"""The effective log: what remains of the log as written after 撤回, 更正, 补记 and 作废, applied in order of writing (format §1)."""

from bisect import bisect_right, insort
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
    """Apply the corrections of a log as written, each in a time that hardly grows with its length; one that names nothing it may name is
    left out and reported."""
    if CORRECTIONS.isdisjoint(map(type, written)):
        return EffectiveLog(written=len(written), seqs=range(len(written)), events=written)
    return _Correcting(written).result()


class _Correcting:
    """The log while corrections are applied, by place. Where an event stands among all that are ever written follows from what it is
    inserted behind, whatever is taken back, so that each correction costs a search in what is in place and no walk over it."""

    def __init__(self, written: Sequence[Any]) -> None:
        self.written = written
        self.seqs = _in_place(written)
        """All that may come into the log, in the order in which they would stand there together."""
        self.place = dict(zip(self.seqs, range(len(self.seqs)), strict=True))
        self.standing: list[int] = []
        """The places that are taken, in order; also those of voided events."""
        self.event: dict[int, Any] = {}
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
            self.event[seq] = event
            self.standing.append(self.place[seq])

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
        kept = bisect_right(self.standing, self.place[to])
        for place in self.standing[kept:]:
            del self.event[self.seqs[place]]
        del self.standing[kept:]

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
            behind = bisect_right(self.standing, self.place[after])
            following = self.event[self.seqs[self.standing[behind]]] if behind < len(self.standing) else None
            if isinstance(event, (*START_TYPES, *DEAL_TYPES)) or isinstance(following, DEAL_TYPES):
                why = "not-insertable"
        if why:
            self._refuse(seq, after, why)
            return
        self.event[seq] = event
        insort(self.standing, self.place[seq])

    def result(self) -> EffectiveLog:
        seqs = [seq for place in self.standing if self.event[seq := self.seqs[place]] is not None]
        return EffectiveLog(
            written=len(self.written), seqs=seqs, events=[self.event[seq] for seq in seqs], bad_references=tuple(self.faults)
        )


def _in_place(written: Sequence[Any]) -> Sequence[int]:
    """The seqs of all events but corrections, and of each 补记 behind the event that it names and what was inserted there before it."""
    inserted: dict[int, list[int]] = {}
    for seq, event in enumerate(written):
        if event.__class__ in INSERT_TYPES and event.after < seq:
            inserted.setdefault(event.after, []).append(seq)
    seqs: list[int] = []
    for seq, event in enumerate(written):
        if event.__class__ in CORRECTIONS:
            continue
        following = [seq]
        while following:
            seqs.append(following.pop())
            following += reversed(inserted.get(seqs[-1], ()))
    return seqs
