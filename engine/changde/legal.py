"""What may be done next: candidates in plenty, filtered by the same rules that judge a record, so that legality exists once."""

from typing import Any

from engine.asking import add_allowed, forbidding
from engine.changde.deck import COPIES, KINDS, TOKENS, UNKNOWN, token
from engine.changde.examine import completes, could_rob
from engine.changde.rulebook import RULES
from engine.changde.state import DISCARD, OPENING, PENG, REPLACEMENT, RESPOND, ROB, TURN, Table
from engine.truth import NO, YES
from schemas import changde as c
from schemas import events as shared

_SEATS = range(4)

_DISCARDS = tuple(tuple(c.Discard(actor=seat, pai=pai) for pai in TOKENS) for seat in _SEATS)
_DRAWS = tuple(tuple(c.Draw(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_REPLACEMENTS = tuple(tuple(c.Replacement(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_PENGS = tuple(tuple(c.Peng(actor=seat, pai=token(kind)) for kind in range(-1, KINDS)) for seat in _SEATS)
_CONCEALED = tuple(tuple(c.Kong(actor=seat, pai=token(kind), kind="暗") for kind in range(-1, KINDS)) for seat in _SEATS)
_OPEN = tuple(tuple(c.Kong(actor=seat, pai=token(kind), kind="明") for kind in range(-1, KINDS)) for seat in _SEATS)
_ADDED = tuple(tuple(c.Kong(actor=seat, pai=token(kind), kind="碰") for kind in range(-1, KINDS)) for seat in _SEATS)
_SELF_DRAWS = tuple(c.Hu(actor=seat, kind="自摸") for seat in _SEATS)
_ROBS = tuple(c.Hu(actor=seat, kind="抢杠") for seat in _SEATS)
_EXHAUSTED = shared.Exhausted()

_NOT_WRITTEN = -1
"""The seq of a candidate."""

_TYPES = (c.Discard, c.Draw, c.Replacement, c.Peng, c.Kong, c.Hu, shared.Exhausted)
_FORBIDS = {event_type: forbidding(RULES, event_type) for event_type in _TYPES}

_OF_DISCARDS = [rule for rule in RULES if c.Discard in rule.breach and rule.kind != "notice"]
_OF_MOMENT = tuple(rule.breach[c.Discard] for rule in _OF_DISCARDS if rule.moment)
_OF_TILE = tuple(rule.breach[c.Discard] for rule in _OF_DISCARDS if not rule.moment)
"""A discard is asked about many tiles at one moment, so what asks about the moment alone is asked once."""


def legal(t: Table) -> list[Any]:
    """Every playing event that no rule of kind impossible or violation refutes; behind a 抢杠 that ended the hand, those of further
    robbers.
    """
    found: list[Any] = []
    seq, t.seq = t.seq, _NOT_WRITTEN
    t.examined = None
    phase = t.phase
    if t.robbable is not None:
        for seat in _SEATS:
            if could_rob(t, seat) != NO:
                _ask(t, found, seat, UNKNOWN, _ROBS[seat])
    if t.ended == YES:
        pass
    elif phase == RESPOND:
        _respond(t, found)
    elif phase != REPLACEMENT:
        _own_turn(t, found)
    if t.owed is not None:
        lies = t.wall.behind()
        _ask(t, found, t.owed.actor, lies, _REPLACEMENTS[t.owed.actor][lies + 1])
    t.examined = None
    t.seq = seq
    return found


def _ask(t: Table, found: list[Any], seat: int, kind: int, event: Any) -> None:
    """Put the candidate to all rules that look at its type."""
    if not _FORBIDS[event.__class__](t, seat, kind, event):
        found.append(event)


def _respond(t: Table, found: list[Any]) -> None:
    """Candidates on the discard on the table: of whoever may hold what the claim needs, then the next draw, or the end."""
    if t.wall.left <= 0:
        _ask(t, found, -1, UNKNOWN, _EXHAUSTED)
        return
    k, hand, unseen = t.card, t.hand, t.unseen
    for seat in _SEATS:
        have = 3 if k < 0 or unseen[seat] else hand[seat][k]
        if have >= 2 and seat != t.owner:
            _ask(t, found, seat, k, _PENGS[seat][k + 1])
            if have >= 3:
                _ask(t, found, seat, k, _OPEN[seat][k + 1])
    lies = t.wall.ahead
    draw = _DRAWS[t.turn][lies + 1]
    # Where nothing is pending, whose turn it is may draw what lies there: no rule about the moment is left to ask.
    if t.calm[t.turn]:
        found.append(draw)
    else:
        _ask(t, found, t.turn, lies, draw)


def _own_turn(t: Table, found: list[Any]) -> None:
    """Candidates of the player whose turn it is: the win and the kongs behind his own draw, and the discards."""
    p = t.turn
    vague = t.vague(p)
    if t.phase in (TURN, ROB, OPENING) and completes(t, p) != NO:
        _ask(t, found, p, UNKNOWN, _SELF_DRAWS[p])
    if t.phase != DISCARD or t.ruleset.kong_after_peng:
        if vague or COPIES in t.hand[p]:
            for kind in range(KINDS):
                if t.at_most(p, kind) >= COPIES:
                    _ask(t, found, p, kind, _CONCEALED[p][kind + 1])
        for meld in t.melds[p]:
            if meld.kind == PENG and (meld.tile < 0 or t.at_most(p, meld.tile)):
                _ask(t, found, p, meld.tile, _ADDED[p][meld.tile + 1])
    events = _DISCARDS[p]
    # Where nothing is pending, whose turn it is may discard: only the tile is left to ask about.
    if t.calm[p] or all(breach(t, p, UNKNOWN, events[0]) != YES for breach in _OF_MOMENT):
        add_allowed(t, found, p, events, _OF_TILE)
