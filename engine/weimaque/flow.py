"""How cards move at 偎麻雀: out of hands only, and from the stock to the table."""

from typing import Any

from engine.flow import Flow
from engine.log import EffectiveLog
from engine.weimaque.deck import COPIES, KINDS, STOCK_SIZE
from engine.weimaque.packed import RANKS, kinds_of
from engine.weimaque.seating import due_size
from engine.weimaque.state import BY_REVEAL, RESPOND, Table
from schemas import weimaque as w


def taken(log: EffectiveLog, size: int) -> dict[int, tuple[int, ...]]:
    """The place in the stock of every reveal, by its place in the effective log."""
    places: dict[int, tuple[int, ...]] = {}
    for at, event in enumerate(log.events):
        if isinstance(event, w.Reveal) and len(places) < size:
            places[at] = (len(places),)
    return places


def spent(event: Any) -> tuple[str, ...]:
    """The tokens that the event takes out of the actor's hand."""
    if isinstance(event, w.Discard):
        return (event.pai,)
    if isinstance(event, w.Peng | w.Wei):
        return (event.pai, event.pai)
    return tuple(event.consumed) if isinstance(event, w.Chi) else ()


def completing(t: Table, seat: int, event: Any) -> int:
    """The card on the table, unless it was 栽'd."""
    return t.card if t.phase == RESPOND and t.by == BY_REVEAL else -1


FLOW = Flow(
    lying="stock",
    dealt=lambda hands, lying: w.Deal(hands=hands, stock=lying),
    copies=lambda start: [COPIES] * KINDS,
    hand_size=due_size,
    lying_size=lambda start: STOCK_SIZE,
    taken=taken,
    into_hand=False,
    spent=spent,
    asides=lambda log, size: {},
    by_order=frozenset(),
    completing=completing,
    suit=RANKS,
    wild_kinds=(),
    barred=lambda table, seat: frozenset(kinds_of(table.banned[seat])),
)
