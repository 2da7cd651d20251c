"""What a card that nobody named may have been, and what perhaps follows from it: rights that seats perhaps lost, kinds that one perhaps
may not discard.

What an event names later out of a hand was still in it: an unnamed card was none of those.
"""

from collections.abc import Callable, Iterable
from typing import Any

from engine.log import EffectiveLog
from engine.truth import NO, UNKNOWN, Truth
from engine.weimaque.deck import INDEX, KINDS
from engine.weimaque.state import LOST_CHI, LOST_PENG, SELF_PLAYED, Table
from schemas import weimaque as w

EVERY = tuple(range(KINDS))


def named_later(log: EffectiveLog) -> dict[int, list[int]]:
    """By the place in the log of each claim, and of each event that takes unnamed cards out of a hand: how many of each kind later events
    name out of it."""
    later: dict[int, list[int]] = {}
    counts: dict[int, list[int]] = {}
    for at in range(len(log.events) - 1, -1, -1):
        event = log.events[at]
        spent = _spent(event)
        if not spent:
            continue
        named = counts.setdefault(event.actor, [0] * KINDS)
        if len(spent) > 1 or "?" in spent:
            later[at] = named[:]
        for token in spent:
            if token != "?":
                named[INDEX[token]] += 1
    return later


def _spent(event: Any) -> tuple[str, ...]:
    event_type: type[Any] = event.__class__
    if event_type is w.Reveal:
        return ()
    if event_type is w.Discard:
        return (event.pai,)
    if event_type is w.Peng or event_type is w.Wei:
        return (event.pai, event.pai)
    return tuple(event.consumed) if event_type is w.Chi else ()


def still_held(t: Table) -> list[int] | None:
    """How many of each kind are named out of the actor's hand behind the event that is read; None where that is not kept."""
    if t.named_later is None:
        t.named_later = named_later(t.log)
    return t.named_later.get(t.at)


def out_of_hand(t: Table, seat: int, count: int) -> tuple[int, ...]:
    """The kinds of which ``count`` unnamed cards may leave the seat's hand at the event that is read. The answer is kept, since several
    rules and ``evolve`` ask for it."""
    asked = t.at, seat, count, t.packed[seat], t.size[seat]
    if t.leaving[0] != asked:
        t.leaving = asked, _out_of_hand(t, seat, count)
    return t.leaving[1]


def _out_of_hand(t: Table, seat: int, count: int) -> tuple[int, ...]:
    later = still_held(t)
    if later is None or t.fifth:
        return EVERY
    hand, unseen = t.hand[seat], t.unseen[seat]
    if unseen:
        return tuple([kind for kind in EVERY if t.at_most(seat, kind) - later[kind] >= count])
    return tuple([kind for kind, have, named in zip(EVERY, hand, later, strict=True) if have - named >= count])


def of_some_unnamed(t: Table, seat: int, answer: Callable[[int], Truth]) -> Truth:
    """The answer about an unnamed card that leaves the seat's hand: yes or no only if it is the same for every kind that it may be."""
    common: Truth | None = None
    for kind in out_of_hand(t, seat, 1):
        answered = answer(kind)
        if common is not None and answered != common:
            return UNKNOWN
        common = answered
        if common == UNKNOWN:
            break
    return NO if common is None else common


def out_of_stock(t: Table) -> tuple[int, ...]:
    """The kinds that an unnamed reveal may be."""
    return EVERY if t.fifth else tuple(kind for kind in EVERY if t.free[kind])


def perhaps_lost(t: Table, kinds: Iterable[int], gone: int) -> None:
    """What ``gone`` says (``Table.gone``) is perhaps so of each of the kinds."""
    for kind in kinds:
        t.gone_perhaps[kind] |= gone


def perhaps_passed(t: Table, kinds: Iterable[int]) -> None:
    """The card on the table, which perhaps is of one of the kinds, perhaps goes by unclaimed."""
    gone = t.passing[t.by][t.owner]
    if gone < 0:
        gone = ~gone | t.seating.offered[t.owner] << LOST_CHI
    perhaps_lost(t, kinds, gone)


def perhaps_taken_by_chi(t: Table, kinds: Iterable[int]) -> None:
    """The card on the table, which perhaps is of one of the kinds, is perhaps 吃'd."""
    owner = 1 << t.owner
    perhaps_lost(t, kinds, t.seating.everybody << LOST_PENG | owner << LOST_CHI | owner << SELF_PLAYED)
