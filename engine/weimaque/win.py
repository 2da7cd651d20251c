"""A 胡 in the position: whether it is one, why not, and what it scores, as far as the hand is known."""

from functools import lru_cache

import msgspec

from engine.knowledge import NOTHING
from engine.truth import NO, UNKNOWN, YES, Truth, both, either, known, negation
from engine.weimaque.deck import INDEX
from engine.weimaque.deck import UNKNOWN as UNKNOWN_CARD
from engine.weimaque.laid import Laid, lay, makes_run
from engine.weimaque.open_win import OpenWin, Range, bounds, opening_bounds
from engine.weimaque.opening import KINDS_OF_OPENING, OpeningKind, OpeningWin, opening_win
from engine.weimaque.packed import UNIT
from engine.weimaque.partition import partitions
from engine.weimaque.score import MELDS, Scored, Scorer, Win, best_hard_xi
from engine.weimaque.state import BY_REVEAL, CHI, DISCARD, OPENING, RESPOND, Table
from schemas.weimaque import Hu

SIZE = 3 * MELDS + 2
"""The cards of six melds and a pair."""

_opening_win = lru_cache(maxsize=256)(opening_win)
"""A dealt hand is asked about at every position before the first discard."""


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """A claimed 胡. ``valid``: it breaks none of the wmq-hu-… rules and skips no 栽; the other answers say for each of these rules
    whether it is broken.

    ``scored`` is what it pays if it is known to be complete, ``hard_xi`` the best that any division of it has (None: no shape, or not
    known).
    """

    actor: int
    valid: Truth
    not_revealed: Truth
    no_shape: Truth
    too_few_xi: Truth
    dead: Truth
    no_opening: Truth
    not_as_shown: Truth
    scored: Scored | None
    hard_xi: int | None
    win: Win | None
    opening: OpeningKind | None
    open_win: OpenWin | None = None

    def ranges(self, scorer: Scorer) -> tuple[Range, Range]:
        """The least and the most hard 息 that it may have, and likewise the total it may pay."""
        if self.scored is not None:
            return (self.scored.hard_xi, self.scored.hard_xi), (self.scored.total_xi, self.scored.total_xi)
        if self.open_win is not None:
            return self.open_win.ranges(scorer)
        if self.opening is None:
            return bounds(scorer)
        return opening_bounds(self.opening, scorer)


def laid(t: Table, seat: int) -> Laid | None:
    """The seat's melds summed up; None if a card in them is not known. The sum is kept, and grows with the melds.

    A 吃 of cards that make no run is no meld: it is left out, and with its cards missing the twenty never divide.
    """
    summed, melds, done = t.laid[seat], t.melds[seat], t.laid_melds[seat]
    if summed is None or done == len(melds):
        return summed
    new = melds[done:]
    if any(UNKNOWN_CARD in meld.cards for meld in new):
        summed = None
    else:
        summed = lay([(meld.kind, meld.cards) for meld in new if meld.kind != CHI or makes_run(meld.cards)], summed)
    t.laid[seat] = summed
    t.laid_melds[seat] = len(melds)
    return summed


def _winning(t: Table, seat: int) -> Win | None:
    """The hand that the seat would win with now, if all of it is known; None otherwise."""
    return None if t.vague(seat) else _known_part(t, seat)


def _known_part(t: Table, seat: int) -> Win | None:
    """What is known of the hand that the seat would win with now; None if melds or winning card are not."""
    summed = laid(t, seat)
    if summed is None:
        return None
    wei = t.phase == DISCARD
    kind = t.fresh_wei if wei else t.card
    if kind < 0:
        return None
    return Win(
        laid=summed,
        hand=t.packed[seat],
        kind=kind,
        own_reveal=wei or seat == t.owner,
        last=t.stock_left == 0,
        wei=wei,
        zhe=t.zhe[seat] >= 0,
    )


def _open_win(t: Table, seat: int) -> OpenWin | None:
    """The win with a hand of the right size, where some of its cards were never seen or a 蛰 is in doubt; None where more is unknown."""
    if t.lost[seat]:
        return None
    unseen = t.unseen[seat]
    win = _known_part(t, seat)
    if win is None:
        return None
    free, places = t.free, t.places
    return OpenWin(
        win=win,
        zhe_open=seat in t.zhe_perhaps and t.zhe[seat] < 0,
        unseen=unseen,
        least=tuple([max(0, copies - places + unseen) for copies in free]),
        most=tuple([min(copies, unseen) for copies in free]),
    )


def _complete_size(t: Table, seat: int) -> Truth:
    """Whether the number of cards fits six melds and a pair; a 吃 that makes no run is no meld."""
    concealed = t.size[seat] + (0 if t.phase == DISCARD else 1)
    most = len(t.melds[seat]) - t.no_runs[seat]
    needed, rest = divmod(SIZE - concealed, 3)
    if rest or not most - t.perhaps_runs[seat] <= needed <= most:
        return NO
    return UNKNOWN if t.perhaps_runs[seat] else YES


def at_a_win(t: Table, seat: int) -> Truth:
    """Whether a card lies there that the seat may win on: a reveal on the table, or one's own 栽 just made."""
    if t.phase == RESPOND:
        return known(t.by == BY_REVEAL)
    return t.wei_fits if t.phase == DISCARD and t.turn == seat and t.fresh_wei != NOTHING else NO


def could_win(t: Table, seat: int) -> Truth:
    """Whether the seat could win on the card on the table, or with the 栽 that it has just made."""
    there = at_a_win(t, seat)
    if not there:
        return NO
    if t.card >= 0 and not (t.unseen[seat] or t.lost[seat]) and not partitions(t.packed[seat] + UNIT[t.card]):
        return NO
    win = _winning(t, seat)
    if win is not None:
        complete = known(t.scorer.can_win(win))
    elif not _complete_size(t, seat):
        complete = NO
    else:
        open_win = _open_win(t, seat)
        complete = UNKNOWN if open_win is None else open_win.can_win(t.ruleset.min_hard_xi)
    return both(both(both(there, complete), negation(_dead(t, seat))), negation(either(t.wei_due, _skips_wei(t, seat))))


def _skips_wei(t: Table, seat: int) -> Truth:
    """Whether a win on the card on the table would skip the 栽 that the seat owes to its own reveal, told already or not (R-WEI-FIRST)."""
    if t.phase != RESPOND or t.by != BY_REVEAL or seat != t.owner:
        return NO
    return either(t.wei_due, both(t.holds(seat, t.card, 2), negation(t.dead[seat])) if t.card >= 0 else NO)


def could_open(t: Table, seat: int) -> Truth:
    """Whether the seat could declare an opening win, before the first discard (rules §6)."""
    if t.phase != OPENING or seat == t.shouxing or t.ruleset.preset != "dazhuo":
        return NO
    if t.vague(seat):
        return UNKNOWN
    hand = t.packed[seat]
    return known(any(_opening_win(kind, hand, t.scorer) for kind in KINDS_OF_OPENING if kind != "天胡" or seat == t.dealer))


def _dead(t: Table, seat: int) -> Truth:
    """Whether the seat is a dead hand that may not win: not one whose last 栽, of its own reveal, made it so just now (rules §8)."""
    if t.dead[seat] and t.phase == DISCARD and t.turn == seat and t.fresh_wei != NOTHING and t.melds[seat][-1].seq == t.dead_seq[seat]:
        return UNKNOWN if seat in t.dead_before or t.wei_fits != YES else NO
    return t.dead[seat]


def examine(t: Table, seat: int, event: Hu) -> Examined:
    """Examine the claim of ``event`` in this position. The answer is kept, since several rules and ``evolve`` ask for it."""
    if t.examined is None or t.examined[0] != t.seq or t.examined[1] is not event:
        t.examined = (t.seq, event, _examine(t, seat, event))
    return t.examined[2]


def _examine(t: Table, seat: int, event: Hu) -> Examined:
    not_as_shown = t.shown_otherwise(seat, [INDEX[token] for token in event.hand]) if isinstance(event.hand, list) else NO
    if isinstance(event.kind, str):
        return _examine_opening(t, seat, event.kind, not_as_shown)
    not_revealed = negation(at_a_win(t, seat))
    no_shape: Truth = NO
    too_few: Truth = NO
    scored: Scored | None = None
    hard: int | None = None
    win: Win | None = None
    open_win: OpenWin | None = None
    if not_revealed != YES:
        win = _winning(t, seat)
        if win is None:
            complete = _complete_size(t, seat)
            open_win = _open_win(t, seat) if complete else None
            scored = open_win.scored(t.scorer) if open_win is not None else None
            if scored is not None:
                hard = scored.hard_xi
                open_win = None
            elif open_win is not None:
                no_shape = negation(open_win.shape())
                too_few = open_win.too_few_xi(t.ruleset.min_hard_xi)
            else:
                no_shape = UNKNOWN if complete else YES
                too_few = UNKNOWN if complete else NO
        else:
            scored = t.scorer.best(win)
            if scored is not None and seat in t.zhe_perhaps and not win.zhe:
                open_win = _open_win(t, seat)
            hard = best_hard_xi(win) if scored is None else scored.hard_xi
            no_shape = known(hard is None)
            too_few = known(hard is not None and scored is None)
    dead = _dead(t, seat)
    broken = either(either(not_revealed, no_shape), either(too_few, either(dead, not_as_shown)))
    # One's own reveal is won through 栽 (R-WEI-FIRST): what skipped it does not stand, as a claim without a log does not.
    broken = either(broken, _skips_wei(t, seat))
    return Examined(
        actor=seat,
        valid=negation(broken) if seat != t.shouxing else NO,
        not_revealed=not_revealed,
        # Of a win on no reveal its cards are not asked.
        no_shape=both(negation(not_revealed), no_shape),
        too_few_xi=both(negation(not_revealed), too_few),
        dead=dead,
        no_opening=NO,
        not_as_shown=not_as_shown,
        scored=scored if open_win is None else None,
        hard_xi=hard,
        win=win,
        opening=None,
        open_win=open_win,
    )


def _examine_opening(t: Table, seat: int, kind: OpeningKind, not_as_shown: Truth) -> Examined:
    found: OpeningWin | None = None
    if t.phase != OPENING or t.ruleset.preset != "dazhuo" or (kind == "天胡" and seat != t.dealer) or seat == t.shouxing:
        missed: Truth = YES
    elif t.vague(seat):
        missed = UNKNOWN
    else:
        found = _opening_win(kind, t.packed[seat], t.scorer)
        missed = known(found is None)
    return Examined(
        actor=seat,
        valid=negation(either(missed, not_as_shown)),
        not_revealed=NO,
        no_shape=NO,
        too_few_xi=NO,
        dead=NO,
        no_opening=missed,
        not_as_shown=not_as_shown,
        scored=found.scored if found else None,
        hard_xi=found.scored.hard_xi if found else None,
        win=None,
        opening=kind,
    )
