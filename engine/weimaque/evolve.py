"""How each event changes the position of a hand of 偎麻雀. Total: whatever was really done can be folded, legal or not; nothing is judged
here."""

from collections.abc import Callable
from typing import Any

from engine.knowledge import NOTHING
from engine.truth import NO, UNKNOWN, YES, Truth, both, negation
from engine.weimaque.laid import makes_run
from engine.weimaque.packed import UNIT
from engine.weimaque.rules.chi import may_hold_run
from engine.weimaque.rules.facts import chi_cards, kinds_barred_by, legal_discard, on_table
from engine.weimaque.rules.priority import could_claim
from engine.weimaque.state import (
    BY_DISCARD,
    BY_REVEAL,
    CHI,
    DISCARD,
    ENDED,
    LOST_CHI,
    LOST_PENG,
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
from engine.weimaque.unnamed import EVERY, out_of_hand, out_of_stock, perhaps_lost, perhaps_passed, perhaps_taken_by_chi
from engine.weimaque.win import could_win, examine
from schemas import events as shared
from schemas import weimaque as w

Evolve = Callable[[Table, int, int, Any], None]


def _leave_hand(t: Table, p: int, k: int, count: int) -> None:
    """``count`` cards of the kind leave the hand, as far as they are there."""
    if k < 0:
        t.lost[p] += count
    else:
        hand = t.hand[p]
        have = hand[k]
        if have >= count:
            hand[k] = have - count
            t.packed[p] -= UNIT[k] * count
        else:
            hand[k] = 0
            t.packed[p] -= UNIT[k] * have
            if not (t.unseen[p] or t.lost[p]):
                count = have
    left = t.size[p] - count
    t.size[p] = left if left > 0 else 0


def _settle_down(t: Table) -> None:
    """Whatever was pending is over: claims spoken on an earlier card are void, and a 胡 that play goes on after was none."""
    t.calm = t.resting
    t.wei_due = NO
    t.calls = {}
    if t.ended != YES:
        t.win = None


def _put_on_table(t: Table, p: int, k: int, by: int) -> None:
    t.card = k
    t.owner = p
    t.by = by
    t.card_seq = t.seq
    t.phase = RESPOND
    t.turn = t.next[p]
    if t.calm is UNEASY:
        _settle_down(t)
    if k < 0:
        t.murky = True


def let_pass(t: Table) -> None:
    """The card on the table goes by unclaimed: it lies before its owner, and players lose rights to its kind (R-PASS)."""
    k, owner = t.card, t.owner
    t.played[owner].append(k)
    if k >= 0:
        gone = t.passing[t.by][owner]
        if gone < 0:
            gone = ~gone | _lost_by_ability(t, k) << LOST_CHI
        lose(t, k, gone)
    else:
        perhaps_passed(t, t.card_kinds)
    t.card = NOTHING


def _lost_by_ability(t: Table, k: int) -> int:
    """The seats that lose 吃 of the card on the table because they could have taken it; who perhaps could, perhaps loses it."""
    able = 0
    for seat in (t.owner, t.next[t.owner]):
        answer = could_claim(t, seat, CHI) if may_hold_run(t, seat, k) else NO
        if answer == YES:
            able |= 1 << seat
        elif answer == UNKNOWN:
            t.chi_perhaps[k] |= 1 << seat
    return able


def lose(t: Table, k: int, gone: int) -> None:
    """The seats in ``gone`` (as in ``Table.gone``) lose what they have not lost yet by the card on the table, which is of kind ``k``."""
    lost = t.gone[k]
    if gone & ~lost:
        t.gone[k] = lost | gone
        t.trail.append((t.card_seq, k, gone))


def taken_by_chi(t: Table, p: int) -> None:
    """The card on the table is 吃'd: the others, and he himself, have let a 碰 of it pass; a revealer passed over loses 吃 of it. Whose
    possible 叫 was overridden has let nothing pass."""
    k, owner = t.card, t.owner
    lost_peng = t.seating.others[owner]
    if t.by == BY_DISCARD and t.ruleset.own_discard_blocks_peng:
        lost_peng = t.seating.everybody
    lost_chi = 0
    if p != owner and t.by == BY_REVEAL:
        able = could_claim(t, owner, CHI) if t.ruleset.chi_passed == "able" else YES
        if able == YES:
            lost_chi = 1 << owner
        elif able == UNKNOWN:
            t.chi_perhaps[k] |= 1 << owner
    for seat, (_, act) in t.calls.items():
        if seat == p or not (bound := could_claim(t, seat, act)):
            continue
        if bound == UNKNOWN:
            t.peng_perhaps[k] |= lost_peng & 1 << seat
            t.chi_perhaps[k] |= lost_chi & 1 << seat
        lost_peng &= ~(1 << seat)
        lost_chi &= ~(1 << seat)
    if p != owner and t.by == BY_REVEAL:
        t.gone[k] |= PLAYED_BY[owner]
    lose(t, k, lost_peng << LOST_PENG | lost_chi << LOST_CHI)


def _take(t: Table, p: int, k: int) -> None:
    """The card on the table, if it is the one claimed, is taken; another that lies there goes by."""
    card = t.card
    if card != NOTHING and (card == k or card < 0 or k < 0):
        if card < 0 or k < 0:
            perhaps_passed(t, [kind for kind in t.card_kinds if kind != k] if card < 0 else (card,))
        t.card = NOTHING
    elif card != NOTHING:
        let_pass(t)
    t.fresh_wei = NOTHING
    t.phase = DISCARD
    t.turn = p
    if t.calm is UNEASY:
        _settle_down(t)


def _claim(t: Table, p: int, k: int, kind: str, cards: tuple[int, int, int], may_be: tuple[int, ...] = ()) -> None:
    """A meld is laid; where a card of it is not named, that is of one of the kinds ``may_be``."""
    t.melds[p].append(Meld(kind, cards, k, t.seq))
    for barred in kinds_barred_by(t, k, cards):
        if barred < 0:
            t.murky = True
            if kind != WEI:
                t.unnamed_bars[p] += 1
                for perhaps in may_be:
                    t.banned_perhaps[p] |= UNIT[perhaps]
        elif kind != WEI:
            t.banned[p] |= UNIT[barred]
    _note_death(t, p)


def _note_death(t: Table, p: int) -> None:
    """Who must discard and has no card that he may discard is a dead hand from now on (R-DEAD)."""
    if t.dead[p] != YES:
        dead = negation(legal_discard(t, p))
        if dead:
            if t.dead[p]:
                t.dead_before.add(p)
            t.dead[p] = dead
            t.dead_seq[p] = t.seq


def _deal(t: Table, p: int, k: int, e: w.Deal) -> None:
    _note_death(t, t.dealer)


def _discard(t: Table, p: int, k: int, e: w.Discard) -> None:
    if t.card != NOTHING:
        let_pass(t)
    if k >= 0:
        hand = t.hand[p]
        if hand[k] and t.size[p]:
            hand[k] -= 1
            t.packed[p] -= UNIT[k]
            t.size[p] -= 1
        else:
            _leave_hand(t, p, k, 1)
        t.gone[k] |= PLAYED_BY[p]
    else:
        t.card_kinds = out_of_hand(t, p, 1)
        perhaps_lost(t, t.card_kinds, PLAYED_BY[p])
        _leave_hand(t, p, k, 1)
    _put_on_table(t, p, k, BY_DISCARD)


def _reveal(t: Table, p: int, k: int, e: w.Reveal) -> None:
    if t.card != NOTHING:
        let_pass(t)
    left = t.stock_left
    if left > 0:
        if k < 0 and t.stock is not None:
            k = t.stock[-left]
        t.stock_left = left - 1
        if left == 1:
            t.resting = t.calm = UNEASY
    if k < 0:
        t.card_kinds = out_of_stock(t)
    _put_on_table(t, p, k, BY_REVEAL)
    if t.unseen[p] or k < 0 or t.hand[p][k] >= 2:
        t.wei_due = wei_due(t, p, k)
        if t.wei_due:
            t.calm = UNEASY


def wei_due(t: Table, p: int, k: int) -> Truth:
    """Whether who has revealed the card has to 栽 it."""
    if p == t.shouxing:
        return NO
    if k < 0:
        return UNKNOWN if t.size[p] >= 2 else NO
    return both(t.holds(p, k, 2), negation(t.dead[p]))


def _chi(t: Table, p: int, k: int, e: w.Chi) -> None:
    cards = chi_cards(k, e)
    if t.card == k and k >= 0:
        taken_by_chi(t, p)
    elif t.card == -1 or (t.card >= 0 > k):
        perhaps_taken_by_chi(t, (t.card,) if t.card >= 0 else (k,) if k >= 0 else t.card_kinds)
    _take(t, p, k)
    _leave_hand(t, p, cards[1], 1)
    _leave_hand(t, p, cards[2], 1)
    run = makes_run(cards)
    if run != YES:
        (t.no_runs if run == NO else t.perhaps_runs)[p] += 1
    _claim(t, p, k, CHI, cards, EVERY)


def _peng(t: Table, p: int, k: int, e: w.Peng) -> None:
    may_be = out_of_hand(t, p, 2) if k < 0 else ()
    _take(t, p, k)
    _leave_hand(t, p, k, 2)
    _claim(t, p, k, PENG, (k, k, k), may_be)


def _wei(t: Table, p: int, k: int, e: w.Wei) -> None:
    fits = on_table(t, k) if p == t.owner and t.by == BY_REVEAL else NO
    _take(t, p, k)
    _leave_hand(t, p, k, 2)
    if fits:
        t.fresh_wei = k
        t.wei_fits = fits
    _claim(t, p, k, WEI, (k, k, k))


def _pass(t: Table, p: int, k: int, e: shared.Pass) -> None:
    t.calls.pop(p, None)


def _call(t: Table, p: int, k: int, e: shared.Call) -> None:
    if t.phase in (OPENING, RESPOND):
        t.calls[p] = (t.seq, e.act)
        t.calm = UNEASY


def _let_wei_go(t: Table, p: int) -> None:
    """A 栽 that was due is missed, and told of, at the first act of whoever plays; 守醒 does not."""
    if p != t.shouxing:
        t.wei_due = NO


def _zhe(t: Table, p: int, k: int, e: w.Zhe) -> None:
    if t.zhe[p] < 0:
        could = could_win(t, p)
        if could == YES:
            t.zhe[p] = t.seq
        elif could == UNKNOWN:
            t.zhe_perhaps.add(p)
    _let_wei_go(t, p)
    if t.win is not None and t.ended != YES:
        t.win = None


def _show(t: Table, p: int, k: int, e: w.Show) -> None:
    t.hidden -= {p}


def hu(t: Table, p: int, k: int, e: w.Hu) -> None:
    """A win that is refuted changes nothing, since play may go on; otherwise the hand is over, for certain or perhaps."""
    if t.ended == YES:
        return
    t.win = examine(t, p, e)
    _let_wei_go(t, p)
    t.calm = UNEASY
    if isinstance(e.hand, list):
        t.hidden -= {p}
    if t.win.valid != NO:
        t.resting = UNEASY
        t.ended = t.win.valid
        t.end_seq = t.seq
        if t.win.valid == YES:
            t.phase = ENDED


def _dead_hand(t: Table, p: int, k: int, e: w.DeadHand) -> None:
    _let_wei_go(t, p)
    if t.phase > DISCARD or p != t.turn:
        return
    _note_death(t, p)
    t.phase = TURN
    t.turn = t.next[p]
    t.calm = UNEASY
    t.calls = {}
    if t.ended != YES:
        t.win = None


def _exhausted(t: Table, p: int, k: int, e: shared.Exhausted) -> None:
    if t.ended == YES:
        return
    if t.card != NOTHING:
        let_pass(t)
    t.wei_due = NO
    t.win = None
    t.calm = t.resting = UNEASY
    t.ended = YES
    t.end_seq = t.seq
    t.phase = ENDED


def _settled(t: Table, p: int, k: int, e: shared.Settlement) -> None:
    t.wei_due = NO
    t.paid.append((t.seq, e.transfers))


EVOLVE: dict[type[Any], Evolve] = {
    w.Deal: _deal,
    w.Discard: _discard,
    w.Reveal: _reveal,
    w.Chi: _chi,
    w.Peng: _peng,
    w.Wei: _wei,
    shared.Pass: _pass,
    shared.Call: _call,
    w.Zhe: _zhe,
    w.Show: _show,
    w.Hu: hu,
    w.DeadHand: _dead_hand,
    shared.Exhausted: _exhausted,
    shared.Settlement: _settled,
}
"""What each event does to the table. Events that are not here change no position."""
