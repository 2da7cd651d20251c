"""The rule about 出 (discards)."""

from engine.changde.rules.facts import hand_needed
from engine.changde.state import Table
from engine.rule import Explanation, Rule
from engine.truth import NO, YES, Truth, negation
from schemas import changde as c


def _held(t: Table, p: int, k: int, e: c.Discard) -> Truth:
    if k < 0:
        return NO if t.size[p] > 0 else YES
    if t.hand[p][k] > t.lost[p]:
        return NO
    return negation(t.holds(p, k, 1))


def _explain(t: Table, p: int, k: int, e: c.Discard) -> Explanation:
    return Explanation(needs=hand_needed(t, p, k, 1))


DISCARD_HELD = Rule(
    id="cd-discard-held",
    kind="impossible",
    contradicts="held",
    zh="打出的牌在手中",
    en="the tile is in hand",
    message_zh="{who}打出{pai}，可手中没有{pai}",
    message_en="{who} discards {pai}, which is not in hand",
    cite="莊家從牌中選出一張最無用的牌丟出",
    breach={c.Discard: _held},
    explain=_explain,
)
