"""What may be done next: candidates in plenty, filtered by the same rules that judge a record, so that legality exists once."""

from collections.abc import Iterator
from typing import Any

from engine.rule import Breach
from engine.truth import YES
from engine.weimaque.deck import KINDS, TOKENS, token
from engine.weimaque.rulebook import RULES
from engine.weimaque.rules.chi import runs_with
from engine.weimaque.state import BY_REVEAL, DISCARD, NOTHING, OPENING, RESPOND, TURN, Table
from schemas import events as shared
from schemas import weimaque as w

_SEATS = range(4)

_DISCARDS = tuple(tuple(w.Discard(actor=seat, pai=pai) for pai in TOKENS) for seat in _SEATS)
_REVEALS = tuple(tuple(w.Reveal(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_PENGS = tuple(tuple(w.Peng(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_WEIS = tuple(tuple(w.Wei(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_CHIS = tuple(
    tuple(tuple(w.Chi(actor=seat, pai=TOKENS[kind], consumed=[TOKENS[a], TOKENS[b]]) for a, b in runs_with(kind)) for kind in range(KINDS))
    for seat in _SEATS
)
_HUS = tuple(w.Hu(actor=seat) for seat in _SEATS)
_OPENINGS = tuple(tuple(w.Hu(actor=seat, kind=kind) for kind in ("天胡", "九小对", "无对胡")) for seat in _SEATS)
_ZHES = tuple(w.Zhe(actor=seat) for seat in _SEATS)
_DEAD_HANDS = tuple(w.DeadHand(actor=seat) for seat in _SEATS)
_EXHAUSTED = shared.Exhausted()


def _asked(event_type: type, moment: bool) -> tuple[Breach, ...]:
    return tuple(
        rule.breach[event_type]
        for rule in RULES
        if rule.kind != "notice" and not rule.after and rule.moment == moment and event_type in rule.breach
    )


_MOMENT: dict[type, tuple[Breach, ...]]
_CARD: dict[type, tuple[Breach, ...]]
_TYPES = (w.Discard, w.Reveal, w.Chi, w.Peng, w.Wei, w.Hu, w.Zhe, w.DeadHand, shared.Exhausted)
_MOMENT = {event_type: _asked(event_type, True) for event_type in _TYPES}
_CARD = {event_type: _asked(event_type, False) for event_type in _TYPES}


def legal(t: Table) -> list[Any]:
    """Every playing event that no rule of kind impossible or violation refutes, in the order of the table's priorities."""
    if t.ended == YES:
        return []
    return list(_filtered(t))


def _filtered(t: Table) -> Iterator[Any]:
    previous: tuple[type, int] | None = None
    open_moment = False
    for event, seat, kind in _candidates(t):
        event_type = type(event)
        if previous != (event_type, seat):
            previous = (event_type, seat)
            open_moment = all(breach(t, seat, kind, event) != YES for breach in _MOMENT[event_type])
        if open_moment and all(breach(t, seat, kind, event) != YES for breach in _CARD[event_type]):
            yield event


def _candidates(t: Table) -> Iterator[tuple[Any, int, int]]:
    """(event, seat, kind): all that could be worth asking about in this phase."""
    phase = t.phase
    seats = t.playing
    if phase == RESPOND:
        k = t.card
        owner = t.owner
        if t.by == BY_REVEAL:
            yield _WEIS[owner][k + 1], owner, k
            for seat in seats:
                yield _HUS[seat], seat, -1
                yield _ZHES[seat], seat, -1
        for seat in seats:
            if seat != owner:
                yield _PENGS[seat][k + 1], seat, k
        if k >= 0:
            for seat in (owner, t.next[owner]):
                for event in _CHIS[seat][k]:
                    yield event, seat, k
    elif phase <= DISCARD:
        turn = t.turn
        if phase == OPENING:
            for seat in seats:
                for event in _OPENINGS[seat]:
                    yield event, seat, -1
        elif t.fresh_wei != NOTHING:
            yield _HUS[turn], turn, -1
            yield _ZHES[turn], turn, -1
        discards = _DISCARDS[turn]
        for kind in range(KINDS):
            if t.at_most(turn, kind) > 0:
                yield discards[kind], turn, kind
        yield _DEAD_HANDS[turn], turn, -1
    if phase in (RESPOND, TURN) or t.dead[t.turn]:
        lies = t.stock[-t.stock_left] if t.stock is not None and t.stock_left > 0 else -1
        for seat in seats:
            yield _REVEALS[seat][lies + 1], seat, lies
    if t.stock_left == 0:
        yield _EXHAUSTED, -1, -1
