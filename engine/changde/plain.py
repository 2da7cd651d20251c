"""The plain moves of 常德麻将: the events that make up nearly all of a log, judged and folded at once where nothing can be amiss.

Each answers whether the event breaks no rule for certain *and* not even perhaps; it then has changed the position just as ``evolve`` does.
Otherwise it has changed nothing, and the rules are asked one by one. So a plain move never refuses anything: it is a sum of what the rules
ask, good for most hands only, and tests hold it against rules and ``evolve`` at every position.

What ``Table.calm`` says covers every guarded rule, and that the wall is not empty.
"""

from engine.changde.deck import COPIES, INDEX, UNKNOWN, ZHONG
from engine.changde.evolve import enter_hand, hu
from engine.changde.examine import examine
from engine.changde.hindsight import DUE_SIZES
from engine.changde.ma import undealt
from engine.changde.packed import ONE
from engine.changde.rules.hu import claim_points
from engine.changde.state import DISCARD, NEXT, PENG, RESPOND, TURN, UNEASY, Meld, Table
from engine.game import Plain
from engine.knowledge import NOTHING
from engine.truth import YES
from schemas import changde as c


def _deal(t: Table, seq: int, at: int, e: c.Deal) -> bool:
    if t.fifth or t.size != DUE_SIZES[t.dealer] or t.wall.left != undealt(t.ruleset):
        return False
    t.seq = seq
    t.at = at
    return True


def _draw(t: Table, seq: int, at: int, e: c.Draw) -> bool:
    p = e.actor
    k = INDEX[e.pai]
    wall = t.wall
    places = wall.places
    if p != t.turn or t.phase != RESPOND or not t.calm[p] or wall.kinds[places[-1]] != k:
        return False
    t.seq = seq
    t.at = at
    card = t.card
    if card != NOTHING:
        t.played[t.owner].append(card)
        t.card = NOTHING
    places.pop()
    if not places:
        t.calm = t.resting = UNEASY
    if k >= 0:
        hand = t.hand[p]
        have = hand[k] + 1
        hand[k] = have
        t.packed[p] += ONE[k]
        t.size[p] += 1
        t.seen[k] += 1
        t.drawn = k
        if have > COPIES:
            t.exact = False
    else:
        enter_hand(t, p, k)
    t.last_drawer = p
    t.phase = TURN
    return True


def _discard(t: Table, seq: int, at: int, e: c.Discard) -> bool:
    p = e.actor
    k = INDEX[e.pai]
    hand = t.hand[p]
    have = hand[k]
    if p != t.turn or t.phase == RESPOND or not t.calm[p] or k < 0 or have <= t.lost[p] or t.size[p] <= 0:
        return False
    t.seq = seq
    t.at = at
    if t.card != NOTHING:
        t.played[t.owner].append(t.card)
    hand[k] = have - 1
    t.packed[p] -= ONE[k]
    t.size[p] -= 1
    if k == ZHONG and t.zhong_played[p] < 0:
        t.zhong_played[p] = seq
    t.card = k
    t.owner = p
    t.card_seq = seq
    t.drawn = NOTHING
    t.turn = NEXT[p]
    t.phase = RESPOND
    return True


def _peng(t: Table, seq: int, at: int, e: c.Peng) -> bool:
    p = e.actor
    k = INDEX[e.pai]
    hand = t.hand[p]
    have = hand[k]
    if t.card != k or t.phase != RESPOND or p == t.owner or k < 0 or k == ZHONG or have < 2 or not t.calm[p] or t.lost[p] or t.size[p] < 2:
        return False
    t.seq = seq
    t.at = at
    hand[k] = have - 2
    t.packed[p] -= 2 * ONE[k]
    t.size[p] -= 2
    t.melds[p].append(Meld(p, PENG, (k, k, k), t.owner, seq))
    t.card = t.drawn = NOTHING
    t.turn = p
    t.phase = DISCARD
    return True


def _hu(t: Table, seq: int, at: int, e: c.Hu) -> bool:
    """A win that stands breaks none of the rules about its tile and its hand: left is what was declared."""
    p = e.actor
    if t.ended or t.fifth or t.calls:
        return False
    t.seq = seq
    t.at = at
    if examine(t, p, e).valid != YES or claim_points(t, p, UNKNOWN, e):
        return False
    hu(t, p, UNKNOWN, e)
    return True


PLAIN: dict[type, Plain] = {c.Deal: _deal, c.Draw: _draw, c.Discard: _discard, c.Peng: _peng, c.Hu: _hu}
"""The plain moves by event type."""

WEIGHED: frozenset[type] = frozenset((c.Hu,))
"""Of these a fold alone makes do without: what a win is worth takes longer than all else."""
