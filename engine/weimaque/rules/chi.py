"""Rules about 吃."""

from engine.rule import Explanation, Rule, earlier
from engine.truth import NO, UNKNOWN, YES, Truth, both, either, known, negation
from engine.weimaque.deck import INDEX
from engine.weimaque.laid import makes_run
from engine.weimaque.rules.facts import among, chi_cards, leaves_discard, let_go, on_table, own_play
from engine.weimaque.state import BY_REVEAL, CHI, LOST_CHI, SELF_PLAYED, Table
from schemas import weimaque as w


def _target(t: Table, p: int, k: int, e: w.Chi) -> Truth:
    if t.owner != t.previous[p] and not (t.owner == p and t.by == BY_REVEAL):
        return YES
    return negation(on_table(t, k))


def _run(t: Table, p: int, k: int, e: w.Chi) -> Truth:
    return negation(makes_run(chi_cards(k, e)))


def _held(t: Table, p: int, k: int, e: w.Chi) -> Truth:
    a, b = INDEX[e.consumed[0]], INDEX[e.consumed[1]]
    if a >= 0 and b >= 0 and a != b and not (t.unseen[p] or t.lost[p]):
        hand = t.hand[p]
        return NO if hand[a] and hand[b] else YES
    if a == b:
        return NO if a < 0 and t.size[p] >= 2 else YES if a < 0 else negation(t.holds(p, a, 2))
    held = both(YES if a < 0 else t.holds(p, a, 1), YES if b < 0 else t.holds(p, b, 1))
    return negation(held if t.size[p] >= 2 else NO)


def _explain_held(t: Table, p: int, k: int, e: w.Chi) -> Explanation:
    missing = sorted({card for card in e.consumed if INDEX[card] >= 0 and t.at_most(p, INDEX[card]) < e.consumed.count(card)})
    return Explanation(params={"missing": "、".join(missing) or "、".join(e.consumed)})


def _discarded(t: Table, p: int, k: int, e: w.Chi) -> Truth:
    if k < 0:
        return UNKNOWN if any(among(t, p, kind, SELF_PLAYED) for kind in range(len(t.gone))) else NO
    return among(t, p, k, SELF_PLAYED)


def _explain_discarded(t: Table, p: int, k: int, e: w.Chi) -> Explanation:
    seq = own_play(t, p, k)
    return earlier("gone", seq)


def _passed(t: Table, p: int, k: int, e: w.Chi) -> Truth:
    if k < 0:
        return UNKNOWN if any(among(t, p, kind, LOST_CHI, perhaps) for kind, perhaps in enumerate(t.chi_perhaps)) else NO
    return among(t, p, k, LOST_CHI, t.chi_perhaps[k])


def _explain_passed(t: Table, p: int, k: int, e: w.Chi) -> Explanation:
    seq = let_go(t, p, k, CHI)
    return earlier("gone", seq)


def _could_peng(t: Table, p: int, k: int, e: w.Chi) -> Truth:
    if t.ruleset.may_chi_if_can_peng:
        return NO
    if k < 0:
        return UNKNOWN
    return t.holds(p, k, 2)


def _explain_could_peng(t: Table, p: int, k: int, e: w.Chi) -> Explanation:
    return Explanation(params={"have": max(2, t.at_least(p, k)) if k >= 0 else 2})


def runs_with(kind: int) -> tuple[tuple[int, int], ...]:
    """The pairs of kinds that make a run with ``kind``."""
    return _RUNS[kind]


_RUNS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((kind + a, kind + b) for a, b in ((-2, -1), (-1, 1), (1, 2)) if (kind + a) // 10 == kind // 10 == (kind + b) // 10)
    for kind in range(20)
)


def may_hold_run(t: Table, seat: int, kind: int) -> bool:
    """Whether the seat may hold two cards that make a run with the kind: only then can it 吃 one."""
    if t.unseen[seat]:
        return True
    hand = t.hand[seat]
    for a, b in _RUNS[kind]:  # noqa: SIM110 - a generator costs twice as much
        if hand[a] and hand[b]:
            return True
    return False


def could_chi(t: Table, seat: int) -> Truth:
    """Whether the seat could 吃 the card on the table under all bars of this page (the moment's own bars aside)."""
    k = t.card
    if k < 0:
        return UNKNOWN if k == -1 else NO
    if t.owner != t.previous[seat] and not (t.owner == seat and t.by == BY_REVEAL):
        return NO
    bars = either(among(t, seat, k, SELF_PLAYED), among(t, seat, k, LOST_CHI, t.chi_perhaps[k]))
    if not t.ruleset.may_chi_if_can_peng:
        bars = either(bars, t.holds(seat, k, 2))
    if bars == YES:
        return NO
    return both(_has_run(t, seat, k), negation(bars))


def _has_run(t: Table, seat: int, k: int) -> Truth:
    """Whether the hand has two cards that make a run with the kind, and taking it leaves a discard where the table asks for one."""
    if not (t.vague(seat) or t.ruleset.forbid_dead_claim):
        return known(may_hold_run(t, seat, k))
    run: Truth = NO
    for a, b in _RUNS[k]:
        held = t.holds(seat, a, 1)
        if held > run:
            held = both(held, t.holds(seat, b, 1))
        if held > run:
            run = either(run, both(held, leaves_discard(t, seat, k, (k, a, b))))
    return run


CHI_TARGET = Rule(
    id="wmq-chi-target",
    kind="violation",
    zh="只能吃上家的牌或自己揭的牌",
    en="the card is 上家's discard or reveal, or one's own reveal",
    message_zh="{who}吃{pai}，可桌上没有上家的或自己揭的{pai}",
    message_en="{who} claims 吃 of {pai}, but no {pai} of 上家's or of {who}'s own reveal is on the table",
    cite="从上家那里出来的牌，如果没有人碰，自己可以吃;如果是自己揭的牌，不栽，也可以吃……下家出的或揭的牌不能吃",
    breach={w.Chi: _target},
)

CHI_RUN = Rule(
    id="wmq-chi-run",
    kind="violation",
    zh="吃的三张是同类相连的字",
    en="the three cards are consecutive and of one suit",
    message_zh="{who}用{consumed}吃{pai}，三张不是同类相连的字",
    message_en="{who} takes {pai} with {consumed}: the three are no run of one suit",
    cite="大字只能吃大字，小字只能吃小字。吃的时候，先把被吃的牌放在桌上，再按顺序把手中的两张牌放在被吃牌的上面或旁边",
    breach={w.Chi: _run},
    explain=lambda t, p, k, e: Explanation(params={"consumed": "".join(e.consumed)}),
)

CHI_HELD = Rule(
    id="wmq-chi-held",
    kind="impossible",
    contradicts="held",
    zh="吃要手中有那两张",
    en="the player holds the two cards named",
    message_zh="{who}吃{pai}要用的{missing}不在手中",
    message_en="{who} does not hold {missing}, needed to 吃 {pai}",
    cite="再按顺序把手中的两张牌放在被吃牌的上面或旁边",
    breach={w.Chi: _held},
    explain=_explain_held,
)

CHI_DISCARDED = Rule(
    id="wmq-chi-discarded",
    kind="violation",
    zh="自己出过的字不能吃",
    en="the player has not played that kind himself",
    message_zh="{who}在{when[zh]}打过{pai}，不能再吃",
    message_en="{who} played {pai} {when[en]} and may not 吃 it",
    cite="自己出过的字也不能吃",
    breach={w.Chi: _discarded},
    explain=_explain_discarded,
)

CHI_PASSED = Rule(
    id="wmq-chi-passed",
    kind="violation",
    zh="过张牌不能吃",
    en="the kind is not 过张 for 吃",
    message_zh="{pai}是{who}的过张：{when[zh]}那张没有吃，这盘不能再吃",
    message_en="{pai} is 过张 for {who}, who let one go {when[en]}: no 吃 of it in this hand",
    cite="吃牌限制:自己出过的牌不能吃;过张牌不能吃",
    reading="R-PASS",
    options=("chi_passed",),
    breach={w.Chi: _passed},
    explain=_explain_passed,
)

CHI_COULD_PENG = Rule(
    id="wmq-chi-could-peng",
    kind="violation",
    zh="可以碰的牌不能吃",
    en="the player does not hold two or more of it, barred from 碰 or not",
    message_zh="{who}手中有{have}张{pai}，可以碰的牌不能吃",
    message_en="{who} holds {have} {pai}; a card that one could 碰 may not be 吃'd",
    cite="可以碰的牌不能吃",
    options=("may_chi_if_can_peng",),
    breach={w.Chi: _could_peng},
    explain=_explain_could_peng,
)
