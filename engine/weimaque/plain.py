"""The plain moves of 偎麻雀: the events that make up nearly all of a log, judged and folded at once where nothing can be amiss.

Each answers whether the event breaks no rule for certain *and* not even perhaps; it then has changed the position just as ``evolve`` does.
Otherwise it has changed nothing, and the rules are asked one by one. So a plain move never refuses anything: it is a sum of what the rules
ask, good for most hands only, and tests hold it against rules and ``evolve`` at every position.

What ``Table.calm`` says covers every guarded rule. The other conditions stand in the order of the rules page as far as that is fast.
"""

from engine.game import Plain
from engine.knowledge import NOTHING
from engine.truth import NO, YES
from engine.weimaque.deck import INDEX, KINDS, STOCK_SIZE, UNKNOWN
from engine.weimaque.evolve import hu, let_pass, taken_by_chi, wei_due
from engine.weimaque.packed import UNIT, held_once_or_twice
from engine.weimaque.rules.chi import runs_with
from engine.weimaque.rules.facts import never_kan
from engine.weimaque.score import Scored
from engine.weimaque.seating import due_sizes
from engine.weimaque.state import (
    BY_DISCARD,
    BY_REVEAL,
    CHI,
    DISCARD,
    NO_CHI,
    NO_PENG,
    OPENING,
    PENG,
    PLAYED_BY,
    RESPOND,
    TURN,
    UNEASY,
    WEI,
    Meld,
    Table,
)
from engine.weimaque.win import could_win, examine
from schemas import events as shared
from schemas import weimaque as w
from schemas.base import UNSET

_RUNS = frozenset((kind, *pair) for kind in range(KINDS) for low, high in runs_with(kind) for pair in ((low, high), (high, low)))
"""A card and the two that make a run with it, in either order."""


def _start(t: Table, seq: int, at: int, e: w.Start) -> bool:
    t.seq = seq
    t.at = at
    return t.shouxing < 0 or t.shouxing == (t.dealer + 2) % 4


def _deal(t: Table, seq: int, at: int, e: w.Deal) -> bool:
    dealer = t.dealer
    if (
        t.fifth
        or t.phase
        or t.size != due_sizes(len(t.names), dealer, t.shouxing)
        or t.stock_left != STOCK_SIZE
        or t.unseen[dealer]
        or not held_once_or_twice(t.packed[dealer])
    ):
        return False
    t.seq = seq
    t.at = at
    return True


def _discard(t: Table, seq: int, at: int, e: w.Discard) -> bool:
    p = e.actor
    k = INDEX[e.pai]
    hand = t.hand[p]
    have = hand[k]
    if (
        k < 0
        or not t.calm[p]
        or p != t.turn
        or t.phase > DISCARD
        or not 0 < have < 3
        or (t.banned[p] | t.banned_perhaps[p]) & UNIT[k]
        or t.dead[p]
        or t.lost[p]
        or (t.unseen[p] and (have + t.free[k] > 2 or not t.size[p]))
    ):
        return False
    t.seq = seq
    t.at = at
    hand[k] = have - 1
    t.packed[p] -= UNIT[k]
    t.size[p] -= 1
    t.gone[k] |= PLAYED_BY[p]
    t.card = k
    t.owner = p
    t.by = BY_DISCARD
    t.card_seq = seq
    t.phase = RESPOND
    t.turn = t.next[p]
    return True


def _reveal(t: Table, seq: int, at: int, e: w.Reveal) -> bool:
    p = e.actor
    k = INDEX[e.pai]
    left = t.stock_left
    if k < 0 or not t.calm[p] or p != t.turn or not RESPOND <= t.phase <= TURN or (t.stock is not None and t.stock[-left] != k):
        return False
    t.seq = seq
    t.at = at
    card, owner = t.card, t.owner
    if card >= 0 and (gone := t.passing[t.by][owner]) >= 0:
        t.played[owner].append(card)
        lost = t.gone[card]
        if gone & ~lost:
            t.gone[card] = lost | gone
            t.trail.append((t.card_seq, card, gone))
    elif card != NOTHING:
        let_pass(t)
    t.stock_left = left - 1
    if left == 1:
        t.resting = t.calm = UNEASY
    t.card = k
    t.owner = p
    t.by = BY_REVEAL
    t.card_seq = seq
    t.phase = RESPOND
    t.turn = t.next[p]
    if left == 1 or t.hand[p][k] + (t.free[k] if t.unseen[p] else 0) >= 2:
        t.wei_due = wei_due(t, p, k)
        if t.wei_due:
            t.calm = UNEASY
    return True


def _peng(t: Table, seq: int, at: int, e: w.Peng) -> bool:
    p = e.actor
    k = INDEX[e.pai]
    hand = t.hand[p]
    have = hand[k]
    if (
        k < 0
        or t.card != k
        or p == t.owner
        or have < 2
        or not (t.calm[p] or _free_to_claim(t, p))
        or (t.gone[k] | t.gone_perhaps[k]) & NO_PENG[p]
        or t.peng_perhaps[k]
        or t.dead[p]
        or t.lost[p]
        or t.fifth
        or t.ruleset.forbid_dead_claim
    ):
        return False
    unit = UNIT[k]
    left = t.packed[p] - 2 * unit
    banned = t.banned[p] | unit
    if t.size[p] < 2 or not never_kan(t, p, left) & ~(banned | t.banned_perhaps[p]):
        return False
    t.seq = seq
    t.at = at
    hand[k] = have - 2
    t.packed[p] = left
    t.size[p] -= 2
    t.banned[p] = banned
    t.melds[p].append(Meld(PENG, (k, k, k), k, seq))
    t.card = t.fresh_wei = NOTHING
    t.phase = DISCARD
    t.turn = p
    if t.calm is UNEASY:
        t.calm = t.resting
        t.calls = {}
        t.win = None
    return True


def _wei(t: Table, seq: int, at: int, e: w.Wei) -> bool:
    p = e.actor
    k = INDEX[e.pai]
    hand = t.hand[p]
    have = hand[k]
    if t.wei_due != YES or p != t.owner or k < 0 or t.card != k or have < 2 or t.ended or t.fifth or t.dead[p] or t.lost[p]:
        return False
    left = t.packed[p] - 2 * UNIT[k]
    if t.size[p] < 2 or not never_kan(t, p, left) & ~(t.banned[p] | t.banned_perhaps[p]):
        return False
    t.seq = seq
    t.at = at
    hand[k] = have - 2
    t.packed[p] = left
    t.size[p] -= 2
    t.melds[p].append(Meld(WEI, (k, k, k), k, seq))
    t.card = NOTHING
    t.fresh_wei = k
    t.wei_fits = YES
    t.phase = DISCARD
    t.turn = p
    t.calm = t.resting
    t.wei_due = NO
    t.calls = {}
    t.win = None
    return True


def _chi(t: Table, seq: int, at: int, e: w.Chi) -> bool:
    p = e.actor
    k = INDEX[e.pai]
    first, second = e.consumed
    a, b = INDEX[first], INDEX[second]
    hand, owner = t.hand[p], t.owner
    if (
        t.card != k
        or (owner != t.previous[p] and (owner != p or t.by != BY_REVEAL))
        or (k, a, b) not in _RUNS
        or not hand[a]
        or not hand[b]
        or not t.calm[p]
        or (t.gone[k] | t.gone_perhaps[k]) & NO_CHI[p]
        or t.chi_perhaps[k]
        or (hand[k] + (t.free[k] if t.unseen[p] else 0) > 1 and not t.ruleset.may_chi_if_can_peng)
        or t.dead[p]
        or t.lost[p]
        or t.fifth
        or t.ruleset.forbid_dead_claim
    ):
        return False
    left = t.packed[p] - UNIT[a] - UNIT[b]
    banned = t.banned[p] | UNIT[k]
    if t.ruleset.discard_ban == "whole_meld":
        banned |= UNIT[a] | UNIT[b]
    if t.size[p] < 2 or not never_kan(t, p, left) & ~(banned | t.banned_perhaps[p]):
        return False
    t.seq = seq
    t.at = at
    taken_by_chi(t, p)
    hand[a] -= 1
    hand[b] -= 1
    t.packed[p] = left
    t.size[p] -= 2
    t.banned[p] = banned
    t.melds[p].append(Meld(CHI, (k, a, b), k, seq))
    t.card = t.fresh_wei = NOTHING
    t.phase = DISCARD
    t.turn = p
    return True


def _zhe(t: Table, seq: int, at: int, e: w.Zhe) -> bool:
    p = e.actor
    if not t.calm[p] or not t.ruleset.zhe or could_win(t, p) != YES:
        return False
    t.seq = seq
    t.at = at
    if t.zhe[p] < 0:
        t.zhe[p] = seq
    return True


def _hu(t: Table, seq: int, at: int, e: w.Hu) -> bool:
    """A win that stands breaks none of the rules about its card and its hand: left are what was declared, and what the table's rules do not
    say (``wmq-shouxing-fee``)."""
    p = e.actor
    if not (t.calm[p] or _free_to_claim(t, p)) or (t.shouxing >= 0 and not t.ruleset.shouxing_named):
        return False
    t.seq = seq
    t.at = at
    win = examine(t, p, e)
    scored = win.scored
    if win.valid != YES or scored is None or not (e.claim is UNSET or _agrees(e.claim, scored)):
        return False
    hu(t, p, UNKNOWN, e)
    return True


def _pass(t: Table, seq: int, at: int, e: shared.Pass) -> bool:
    p = e.actor
    if p == t.shouxing:
        return False
    t.seq = seq
    t.at = at
    t.calls.pop(p, None)
    return True


def _call(t: Table, seq: int, at: int, e: shared.Call) -> bool:
    p = e.actor
    if p == t.shouxing:
        return False
    t.seq = seq
    t.at = at
    if t.phase == RESPOND or t.phase == OPENING:
        t.calls[p] = (seq, e.act)
        t.calm = UNEASY
    return True


def _settlement(t: Table, seq: int, at: int, e: shared.Settlement) -> bool:
    if t.wei_due:
        return False
    t.seq = seq
    t.at = at
    t.paid.append((seq, e.transfers))
    return True


def _free_to_claim(t: Table, p: int) -> bool:
    """Whether nothing is pending but claims that the player himself spoke."""
    return not (t.wei_due or t.ended or t.fifth) and t.stock_left > 0 and p != t.shouxing and t.calls.keys() == {p}


def _agrees(claim: w.Claim, scored: Scored) -> bool:
    """Whether what was declared is what the win scores."""
    return (
        (claim.hard_xi is UNSET or claim.hard_xi == scored.hard_xi)
        and (claim.total_xi is UNSET or claim.total_xi == scored.total_xi)
        and (claim.mingtang is UNSET or claim.mingtang == scored.mingtang)
    )


PLAIN: dict[type, Plain] = {
    w.Start: _start,
    w.Deal: _deal,
    w.Discard: _discard,
    w.Reveal: _reveal,
    w.Peng: _peng,
    w.Wei: _wei,
    w.Chi: _chi,
    w.Zhe: _zhe,
    w.Hu: _hu,
    shared.Pass: _pass,
    shared.Call: _call,
    shared.Settlement: _settlement,
}
"""The plain moves by event type."""

WEIGHED: frozenset[type] = frozenset((w.Hu, w.Zhe))
"""Of these a fold alone makes do without: what a win is worth takes longer than all else."""
