"""Rules about 出 (discards) and dead hands."""

from collections.abc import Sequence
from typing import Any

from engine.rule import Explanation, Rule, earlier
from engine.truth import NO, UNKNOWN, YES, Truth, both, either, negation
from engine.weimaque.rules.facts import barred_by_taking, taking
from engine.weimaque.state import Table
from engine.weimaque.unnamed import of_some_unnamed
from engine.weimaque.win import could_open, could_win
from schemas import weimaque as w


def _held(t: Table, p: int, k: int, e: w.Discard) -> Truth:
    if k < 0:
        return NO if t.size[p] > 0 else YES
    return NO if t.hand[p][k] >= 1 and not t.lost[p] else negation(t.holds(p, k, 1))


def _kan(t: Table, p: int, k: int, e: w.Discard) -> Truth:
    if k < 0:
        return of_some_unnamed(t, p, lambda kind: t.holds(p, kind, 3))
    return t.holds(p, k, 3)


def _explain_kan(t: Table, p: int, k: int, e: w.Discard) -> Explanation:
    return Explanation(params={"have": max(3, t.at_least(p, k)) if k >= 0 else 3})


def _claimed(t: Table, p: int, k: int, e: w.Discard) -> Truth:
    if k < 0:
        return of_some_unnamed(t, p, lambda kind: barred_by_taking(t, p, kind))
    return barred_by_taking(t, p, k)


def _explain_claimed(t: Table, p: int, k: int, e: w.Discard) -> Explanation:
    seq = taking(t, p, k)
    return earlier("taken", seq)


def _dead_hand(t: Table, p: int, k: int, e: Any) -> Truth:
    """Seen behind the event that took the card, or the deal. Who wins at once, with the 栽 that he has just made or the hand as it was
    dealt, need not discard, and as long as he may still do so nothing is told."""
    if isinstance(e, w.Deal):
        p = t.dealer
    if t.dead_seq[p] != t.seq or p == t.shouxing or t.ended == YES:
        return NO
    dead = both(t.dead[p], UNKNOWN) if p in t.dead_before else t.dead[p]
    following = t.following()
    if isinstance(e, w.Wei) and (following is None or (isinstance(following, w.Hu) and following.actor == p)):
        return both(dead, negation(could_win(t, p)))
    if isinstance(e, w.Deal):
        declarers = t.playing if following is None else (following.actor,) if isinstance(following, w.Hu) else ()
        return both(dead, negation(_some_opening(t, declarers)))
    return dead


def _some_opening(t: Table, seats: Sequence[int]) -> Truth:
    answer: Truth = NO
    for seat in seats:
        answer = either(answer, could_open(t, seat))
    return answer


def _explain_dead_hand(t: Table, p: int, k: int, e: Any) -> Explanation:
    if isinstance(e, w.Deal):
        return Explanation(params={"actor": t.dealer, "how": {"zh": "起手就", "en": "the hand as dealt"}})
    return Explanation(params={"how": {"zh": "要了这张后", "en": "the hand left after taking this"}})


DISCARD_HELD = Rule(
    id="wmq-discard-held",
    kind="impossible",
    contradicts="held",
    zh="打出的牌在手中",
    en="the card is in hand",
    message_zh="{who}打出{pai}，可手中没有{pai}",
    message_en="{who} discards {pai}, which is not in hand",
    cite="出牌时抽取一张放到桌面",
    breach={w.Discard: _held},
)

DISCARD_KAN = Rule(
    id="wmq-discard-kan",
    kind="violation",
    zh="手中有三张相同的字不能出",
    en="the hand does not hold three of the kind",
    message_zh="{who}手中有{have}张{pai}，砍牌不能出",
    message_en="{who} holds {have} {pai}; a 砍 may not be discarded",
    cite="自己手中有三张相同的字不能出(栽过除外)",
    reading="R-KAN",
    breach={w.Discard: _kan},
    explain=_explain_kan,
)

DISCARD_CLAIMED = Rule(
    id="wmq-discard-claimed",
    kind="violation",
    zh="自己吃过或碰过的字不能出",
    en="the kind is not one the player 吃'd or 碰'd",
    message_zh="{who}在{when[zh]}吃过或碰过{pai}，不能再打出",
    message_en="{who} took {pai} {when[en]} and may not discard it",
    cite="自己吃过或碰过的字不能出",
    reading="R-CLAIMED",
    options=("discard_ban",),
    breach={w.Discard: _claimed},
    explain=_explain_claimed,
)

DEAD_HAND = Rule(
    id="wmq-dead-hand",
    kind="notice",
    zh="该出牌的人有能出的牌",
    en="a player who must discard has a legal discard",
    message_zh="{who}{how[zh]}没有能出的牌，成了死手",
    message_en="{who} has no card that may be discarded: {how[en]} is dead",
    cite="出牌限制:自己手中有三张相同的字不能出(栽过除外);自己吃过或碰过的字不能出",
    reading="R-DEAD",
    options=("forbid_dead_claim",),
    breach=dict.fromkeys((w.Deal, w.Chi, w.Peng, w.Wei), _dead_hand),
    explain=_explain_dead_hand,
    after=True,
)
