"""Rules about 碰."""

from engine.rule import Explanation, Rule, earlier
from engine.truth import NO, UNKNOWN, YES, Truth, both, negation
from engine.weimaque.rules.facts import among, leaves_discard, let_go, on_table
from engine.weimaque.state import LOST_PENG, PENG, Table
from engine.weimaque.unnamed import out_of_hand
from schemas import weimaque as w


def _target(t: Table, p: int, k: int, e: w.Peng) -> Truth:
    if t.card == k and k >= 0 and p != t.owner:
        return NO
    return YES if p == t.owner else negation(on_table(t, k))


def _held(t: Table, p: int, k: int, e: w.Peng) -> Truth:
    if k < 0:
        return NO if t.size[p] >= 2 else YES
    return NO if t.hand[p][k] >= 2 and not t.lost[p] else negation(t.holds(p, k, 2))


def _explain_held(t: Table, p: int, k: int, e: w.Peng) -> Explanation:
    return Explanation(params={"have": t.at_most(p, k) if k >= 0 else t.size[p]})


def _passed(t: Table, p: int, k: int, e: w.Peng) -> Truth:
    if k < 0:
        return UNKNOWN if any(among(t, p, kind, LOST_PENG, t.peng_perhaps[kind]) for kind in out_of_hand(t, p, 2)) else NO
    gone = among(t, p, k, LOST_PENG, t.peng_perhaps[k])
    return both(gone, t.holds(p, k, 2)) if gone else NO


def _explain_passed(t: Table, p: int, k: int, e: w.Peng) -> Explanation:
    seq = let_go(t, p, k, PENG)
    return earlier("gone", seq)


def could_peng(t: Table, seat: int) -> Truth:
    """Whether the seat could 碰 the card on the table under its target, hand and 过张 (the moment's own bars aside)."""
    k = t.card
    if k < 0 or seat == t.owner:
        return NO if k != -1 or seat == t.owner else UNKNOWN
    held = both(t.holds(seat, k, 2), leaves_discard(t, seat, k, (k, k, k)))
    return both(held, negation(among(t, seat, k, LOST_PENG, t.peng_perhaps[k])))


PENG_TARGET = Rule(
    id="wmq-peng-target",
    kind="violation",
    zh="只能碰别人出的或揭的、还在桌上的牌",
    en="the card is another player's discard or reveal, on the table now",
    message_zh="{who}碰{pai}，可桌上没有别人打出或揭出的{pai}",
    message_en="{who} claims 碰 of {pai}, but no other player's {pai} is on the table",
    cite="自己手中有相同的两张或三张……和别人发出来的牌放到一起组成一句话",
    breach={w.Peng: _target},
)

PENG_HELD = Rule(
    id="wmq-peng-held",
    kind="impossible",
    contradicts="held",
    zh="碰要手中有两张",
    en="the player holds two of it",
    message_zh="{who}碰{pai}要手中有两张，却只有{have}张",
    message_en="{who} needs two {pai} in hand for the 碰 and has {have}",
    cite="自己手中有相同的两张或三张，根据自己的需要选择是否将这两张拿下来",
    breach={w.Peng: _held},
    explain=_explain_held,
)

PENG_PASSED = Rule(
    id="wmq-peng-passed",
    kind="violation",
    zh="过张牌不能再碰",
    en="the kind is not 过张 for 碰",
    message_zh="{pai}是{who}的过张：{when[zh]}那张没有碰，这盘不能再碰",
    message_en="{pai} is 过张 for {who}, who let one go {when[en]}: no 碰 of it in this hand",
    cite="过张牌(第一次出现后没有碰，第二次出来的同一张牌)不能再碰",
    reading="R-PASS",
    options=("own_discard_blocks_peng",),
    breach={w.Peng: _passed},
    explain=_explain_passed,
)
