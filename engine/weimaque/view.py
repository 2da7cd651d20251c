"""What a viewer may see of a running hand of 偎麻雀: his own hand, all hands if he is 守醒, that of whoever called 胡, never the stock; no
栽 of those whose hands he may not see."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.log import CORRECTIONS, effective_log
from engine.truth import NO
from engine.weimaque.deck import INDEX
from engine.weimaque.evolve import EVOLVE
from engine.weimaque.hindsight import dealt
from engine.weimaque.seating import shouxing_seat
from engine.weimaque.state import Table
from schemas import weimaque as w

_MOST_GONE_THROUGH = 20_000
"""Events of all versions of a log together: a hand of 100 events may be corrected 100 times."""

_CARDED = (w.Discard, w.Reveal, w.Chi, w.Peng, w.Wei)


def hidden_hands(t: Table, viewer: Any) -> frozenset[int]:
    """The playing seats whose hands the viewer may not see."""
    return frozenset(t.playing) - _open_hands(t.log.events, viewer)


def mask(events: Sequence[Any], viewer: Any, *, shown: bool = True) -> list[Any]:
    """The log as written, with what the viewer may not see as ``"?"``: other hands, the stock, others' 栽 and the reveals that they come
    from or are due by. ``shown`` is whether a hand that was shown with a 胡 counts as seen."""
    open_hands = _open_hands(effective_log(events).events if shown else events[:1], viewer)
    face_down = _face_down(events, open_hands)
    return [_masked(seq, event, open_hands, face_down) for seq, event in enumerate(events)]


def _open_hands(events: Sequence[Any], viewer: Any) -> frozenset[int]:
    """The seats whose hands the viewer may see by the effective log: whoever calls 胡 shows his, whether it stands or not."""
    start: w.Start = events[0]
    if viewer == shouxing_seat(start):
        return frozenset(range(len(start.players)))
    return frozenset([viewer, *(event.actor for event in events if isinstance(event, w.Hu))])


def _masked(seq: int, event: Any, open_hands: frozenset[int], face_down: frozenset[int]) -> Any:
    if isinstance(event, w.Amend):
        return msgspec.structs.replace(event, event=_masked(event.seq, event.event, open_hands, face_down))
    if isinstance(event, w.Insert):
        return msgspec.structs.replace(event, event=_masked(seq, event.event, open_hands, face_down))
    if isinstance(event, w.Deal):
        hands = [hand if seat in open_hands else None for seat, hand in enumerate(event.hands)]
        return msgspec.structs.replace(event, hands=hands, stock=None)
    if getattr(event, "actor", None) in open_hands:
        return event
    if isinstance(event, w.Wei) or (isinstance(event, w.Reveal) and seq in face_down):
        return msgspec.structs.replace(event, pai="?")
    return event


def _face_down(events: Sequence[Any], open_hands: frozenset[int]) -> frozenset[int]:
    """The seqs of others' reveals that went, or by the known hand had to go, face down into a 栽: now, or as the log stood before one of
    its corrections; all of them where the log was corrected more often than can be gone through."""
    versions = [seq for seq, event in enumerate(events) if type(event) in CORRECTIONS]
    if len(versions) * len(events) > _MOST_GONE_THROUGH:
        return frozenset(range(len(events)))
    return frozenset[int]().union(*(_face_down_now(events[:version], open_hands) for version in (*versions, len(events))))


def _face_down_now(events: Sequence[Any], open_hands: frozenset[int]) -> set[int]:
    log = effective_log(events)
    deal = log.events[1] if len(log.events) > 1 and isinstance(log.events[1], w.Deal) else None
    table = Table(log.events[0], dealt(log.events[0], deal, log.seqs, log.events), log)
    down: set[int] = set()
    for seq, event in zip(log.seqs, log.events, strict=True):
        table.seq = seq
        if isinstance(event, w.Wei):
            down.add(table.card_seq)
        event_type: type[Any] = event.__class__
        evolve = EVOLVE.get(event_type)
        if evolve is not None:
            kind = INDEX[event.pai] if isinstance(event, _CARDED) else -1
            evolve(table, getattr(event, "actor", -1), kind, event)
        if isinstance(event, w.Reveal) and table.wei_due != NO and event.actor not in open_hands:
            down.add(seq)
    return down
