"""What may be done next: candidates in plenty, filtered by the same rules that judge a record, so that legality exists once."""

from typing import Any

from engine.knowledge import NOTHING
from engine.rule import Breach, Rule
from engine.truth import NO, YES
from engine.weimaque.deck import KINDS, TOKENS, UNKNOWN, token
from engine.weimaque.packed import UNIT
from engine.weimaque.partition import partitions
from engine.weimaque.rulebook import RULES
from engine.weimaque.rules.chi import runs_with
from engine.weimaque.state import BY_REVEAL, DISCARD, OPENING, RESPOND, TURN, Table
from engine.weimaque.win import could_open, could_win
from schemas import events as shared
from schemas import weimaque as w

_SEATS = range(4)

_DISCARDS = tuple(tuple(w.Discard(actor=seat, pai=pai) for pai in TOKENS) for seat in _SEATS)
_REVEALS = tuple(tuple(w.Reveal(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_PENGS = tuple(tuple(w.Peng(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_WEIS = tuple(tuple(w.Wei(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_CHIS = tuple(
    tuple(
        tuple((w.Chi(actor=seat, pai=TOKENS[kind], consumed=[TOKENS[a], TOKENS[b]]), a, b) for a, b in runs_with(kind))
        for kind in range(KINDS)
    )
    for seat in _SEATS
)
_HUS = tuple(w.Hu(actor=seat) for seat in _SEATS)
_OPENINGS = tuple(tuple(w.Hu(actor=seat, kind=kind) for kind in ("天胡", "九小对", "无对胡")) for seat in _SEATS)
_ZHES = tuple(w.Zhe(actor=seat) for seat in _SEATS)
_DEAD_HANDS = tuple(w.DeadHand(actor=seat) for seat in _SEATS)
_EXHAUSTED = shared.Exhausted()


def _asked(event_type: type[Any]) -> list[Rule]:
    return [rule for rule in RULES if event_type in rule.breach and rule.kind != "notice" and not rule.after]


def _of_card(rule: Rule, event_type: type[Any]) -> bool:
    return not rule.moment or event_type in rule.but_of_card


_NOT_WRITTEN = -1
"""The seq of a candidate."""

_TYPES = (w.Discard, w.Reveal, w.Chi, w.Peng, w.Wei, w.Hu, w.Zhe, w.DeadHand, shared.Exhausted)


def _breaches(event_type: type[Any], *, guarded: bool) -> tuple[Breach, ...]:
    """The questions to ask about a candidate. What cannot be is seldom among them, so that is asked last."""
    asked = sorted(_asked(event_type), key=lambda rule: rule.kind == "impossible")
    return tuple(rule.breach[event_type] for rule in asked if rule.is_guarded_at(event_type) == guarded)


_ALWAYS = {event_type: _breaches(event_type, guarded=False) for event_type in _TYPES}
_GUARDED = {event_type: _breaches(event_type, guarded=True) for event_type in _TYPES}
_DISCARD_MOMENT = tuple(rule.breach[w.Discard] for rule in _asked(w.Discard) if not _of_card(rule, w.Discard))
_DISCARD_CARD = tuple(rule.breach[w.Discard] for rule in _asked(w.Discard) if _of_card(rule, w.Discard))
"""A discard is asked about many cards at one moment, so what asks about the moment alone is asked once."""


def legal(t: Table) -> list[Any]:
    """Every playing event that no rule of kind impossible or violation refutes."""
    if t.ended == YES:
        return []
    found: list[Any] = []
    seq, t.seq = t.seq, _NOT_WRITTEN
    t.examined = None
    phase = t.phase
    if phase == RESPOND:
        _claims(t, found)
    elif phase <= DISCARD:
        _discards(t, found)
    if phase in (RESPOND, TURN) or t.dead[t.turn]:
        following = t.turn if phase in (RESPOND, TURN) else t.next[t.turn]
        lies = t.stock[-t.stock_left] if t.stock is not None and t.stock_left > 0 else UNKNOWN
        _ask(t, found, following, lies, _REVEALS[following][lies + 1])
    if t.stock_left == 0:
        _ask(t, found, -1, UNKNOWN, _EXHAUSTED)
    t.examined = None
    t.seq = seq
    return found


def _ask(t: Table, found: list[Any], seat: int, kind: int, event: Any) -> None:
    """Put the candidate to all rules that look at its type."""
    event_type: type[Any] = event.__class__
    for breach in _ALWAYS[event_type]:
        if breach(t, seat, kind, event) == YES:
            return
    if not t.calm[seat]:
        for breach in _GUARDED[event_type]:
            if breach(t, seat, kind, event) == YES:
                return
    found.append(event)


def _claims(t: Table, found: list[Any]) -> None:
    """Candidates on the card on the table: of whoever may hold what the claim needs."""
    k, owner = t.card, t.owner
    hand, unseen = t.hand, t.unseen
    chi_seats = (t.turn,)
    if t.by == BY_REVEAL:
        chi_seats = (owner, t.turn)
        if k < 0 or unseen[owner] or hand[owner][k] >= 2:
            _ask(t, found, owner, k, _WEIS[owner][k + 1])
        for seat in t.playing:
            if (k < 0 or unseen[seat] or t.lost[seat] or partitions(t.packed[seat] + UNIT[k])) and could_win(t, seat) != NO:
                _ask(t, found, seat, UNKNOWN, _HUS[seat])
                _ask(t, found, seat, UNKNOWN, _ZHES[seat])
    for seat in t.playing:
        if seat != owner and (k < 0 or unseen[seat] or hand[seat][k] >= 2):
            _ask(t, found, seat, k, _PENGS[seat][k + 1])
    if k >= 0:
        for seat in chi_seats:
            counts = hand[seat]
            for event, a, b in _CHIS[seat][k]:
                if (counts[a] and counts[b]) or unseen[seat]:
                    _ask(t, found, seat, k, event)


def _discards(t: Table, found: list[Any]) -> None:
    """Candidates of who is to discard, and before the first discard the opening wins of everybody."""
    turn = t.turn
    if t.phase == OPENING:
        for seat in t.playing:
            if could_open(t, seat) != NO:
                for event in _OPENINGS[seat]:
                    _ask(t, found, seat, UNKNOWN, event)
    elif t.fresh_wei != NOTHING and could_win(t, turn) != NO:
        _ask(t, found, turn, UNKNOWN, _HUS[turn])
        _ask(t, found, turn, UNKNOWN, _ZHES[turn])
    events = _DISCARDS[turn]
    for breach in _DISCARD_MOMENT:
        if breach(t, turn, UNKNOWN, events[0]) == YES:
            break
    else:
        found += [events[kind] for kind in _discardable(t, turn)]
    _ask(t, found, turn, UNKNOWN, _DEAD_HANDS[turn])


def _discardable(t: Table, seat: int) -> list[int]:
    """The kinds that the seat may discard now, as far as the card goes. The rules know a card by how many of it the hand holds and may
    hold, and by whether it is barred; kinds alike in all of that are asked about once."""
    events = _DISCARDS[seat]
    banned, free, unseen = t.banned[seat], t.free, t.unseen[seat]
    answers: dict[tuple[int, bool, int], bool] = {}
    found: list[int] = []
    for kind, have in enumerate(t.hand[seat]):
        if have or unseen:
            alike = have, not banned & UNIT[kind], free[kind]
            if alike not in answers:
                answers[alike] = all(breach(t, seat, kind, events[kind]) != YES for breach in _DISCARD_CARD)
            if answers[alike]:
                found.append(kind)
    return found
