"""What may be done next: candidates in plenty, filtered by the same rules that judge a record, so that legality exists once."""

from typing import Any

from engine.asking import add_allowed, forbidding
from engine.knowledge import NOTHING
from engine.truth import NO, YES
from engine.weimaque.deck import KINDS, TOKENS, UNKNOWN, token
from engine.weimaque.packed import UNIT
from engine.weimaque.partition import partitions
from engine.weimaque.rulebook import RULES
from engine.weimaque.rules.chi import runs_with
from engine.weimaque.state import BY_REVEAL, DISCARD, NO_CHI, OPENING, RESPOND, TURN, Table
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


_NOT_WRITTEN = -1
"""The seq of a candidate."""

_TYPES = (w.Discard, w.Reveal, w.Chi, w.Peng, w.Wei, w.Hu, w.Zhe, w.DeadHand, shared.Exhausted)
_FORBIDS = {event_type: forbidding(RULES, event_type) for event_type in _TYPES}

_OF_DISCARDS = [rule for rule in RULES if w.Discard in rule.breach and rule.kind != "notice"]
_DISCARD_MOMENT = tuple(rule.breach[w.Discard] for rule in _OF_DISCARDS if rule.moment)
_DISCARD_CARD = tuple(rule.breach[w.Discard] for rule in _OF_DISCARDS if not rule.moment)
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
        reveal = _REVEALS[following][lies + 1]
        # Where nothing is pending, whose turn it is may reveal what lies there: no rule about the moment is left to ask.
        if following == t.turn and t.calm[following]:
            found.append(reveal)
        else:
            _ask(t, found, following, lies, reveal)
    if t.stock_left == 0:
        _ask(t, found, -1, UNKNOWN, _EXHAUSTED)
    t.examined = None
    t.seq = seq
    return found


def _ask(t: Table, found: list[Any], seat: int, kind: int, event: Any) -> None:
    """Put the candidate to all rules that look at its type."""
    if not _FORBIDS[event.__class__](t, seat, kind, event):
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
            if k < 0 or unseen[seat] or t.lost[seat] or partitions(t.packed[seat] + UNIT[k]):
                _wins(t, found, seat)
    for seat in t.playing:
        if seat != owner and (k < 0 or unseen[seat] or hand[seat][k] >= 2):
            _ask(t, found, seat, k, _PENGS[seat][k + 1])
    if k >= 0:
        for seat in chi_seats:
            if t.gone[k] & NO_CHI[seat]:
                continue
            counts = hand[seat]
            for event, a, b in _CHIS[seat][k]:
                if (counts[a] and counts[b]) or unseen[seat]:
                    _ask(t, found, seat, k, event)


def _wins(t: Table, found: list[Any], seat: int) -> None:
    """胡 and 蛰 of the seat, if it could win and no rule forbids them."""
    if could_win(t, seat) != NO:
        _ask(t, found, seat, UNKNOWN, _HUS[seat])
        _ask(t, found, seat, UNKNOWN, _ZHES[seat])


def _discards(t: Table, found: list[Any]) -> None:
    """Candidates of who is to discard, and before the first discard the opening wins of everybody."""
    turn = t.turn
    if t.phase == OPENING:
        for seat in t.playing:
            if could_open(t, seat) != NO:
                for event in _OPENINGS[seat]:
                    _ask(t, found, seat, UNKNOWN, event)
    elif t.fresh_wei != NOTHING:
        _wins(t, found, turn)
    events = _DISCARDS[turn]
    # Where nothing is pending, a hand that is not dead may discard: only the card is left to ask about.
    quiet = t.calm[turn] and not t.dead[turn]
    others = len(found)
    if quiet or all(breach(t, turn, UNKNOWN, events[0]) != YES for breach in _DISCARD_MOMENT):
        add_allowed(t, found, turn, events, _DISCARD_CARD, t.banned[turn])
    known = not (t.unseen[turn] or t.lost[turn] or t.banned_perhaps[turn])
    if not (quiet and known and len(found) > others):
        _ask(t, found, turn, UNKNOWN, _DEAD_HANDS[turn])
