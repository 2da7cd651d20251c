"""Rules about 碰, and that there is no 吃."""

from typing import Any

from engine.changde.deck import ZHONG
from engine.changde.rules.facts import SPENT, hand_needed, lying, moment, on_table
from engine.changde.state import RESPOND, Table
from engine.rule import Explanation, Rule
from engine.truth import NO, UNKNOWN, YES, Truth, negation
from schemas import changde as c


def _no_chi(t: Table, p: int, k: int, e: c.Chi) -> Truth:
    return YES


def _target(t: Table, p: int, k: int, e: c.Peng) -> Truth:
    if p == t.owner:
        return YES
    return NO if t.card == k and k >= 0 and t.phase == RESPOND else negation(on_table(t, k))


def _explain_target(t: Table, p: int, k: int, e: c.Peng) -> Explanation:
    own = t.phase == RESPOND and p == t.owner
    why = {"zh": "自己打出的牌不能碰", "en": "one's own discard cannot be claimed"} if own else lying(t)
    return Explanation(params={"why": why}, because=moment(t))


def _held(t: Table, p: int, k: int, e: c.Peng) -> Truth:
    if k < 0:
        return NO if t.size[p] >= 2 else YES
    return negation(t.holds(p, k, 2))


def _explain_held(t: Table, p: int, k: int, e: c.Peng) -> Explanation:
    return Explanation(params={"have": t.at_most(p, k) if k >= 0 else t.size[p]}, needs=hand_needed(t, p, k, 2))


def _zhong(t: Table, p: int, k: int, e: Any) -> Truth:
    if k >= 0:
        return YES if k == ZHONG else NO
    needed = SPENT[e.kind] if isinstance(e, c.Kong) else 2
    return UNKNOWN if t.at_most(p, ZHONG) >= needed else NO


def _explain_zhong(t: Table, p: int, k: int, e: Any) -> Explanation:
    return Explanation(params={"act": e.__struct_config__.tag})


def could_peng(t: Table, seat: int, count: int = 2) -> Truth:
    """Whether the seat could 碰 the discard on the table, or with ``count`` 3 明杠 it."""
    k = t.card
    if t.phase != RESPOND or seat == t.owner or t.wall.left == 0 or k == ZHONG:
        return NO
    if k < 0:
        return UNKNOWN if t.size[seat] >= count else NO
    return t.holds(seat, k, count)


NO_CHI = Rule(
    id="cd-no-chi",
    kind="violation",
    zh="不能吃牌",
    en="there is no 吃",
    message_zh="{who}吃{pai}：常德麻将只能碰、杠，不能吃",
    message_en="{who} claims 吃 of {pai}: this game has 碰 and 杠, and no 吃",
    cite="行牌只能碰或槓牌，不能吃上家的牌",
    breach={c.Chi: _no_chi},
)

PENG_TARGET = Rule(
    id="cd-peng-target",
    kind="violation",
    zh="只能碰别人打出的、还在桌上的牌",
    en="the tile is another's discard, on the table now",
    message_zh="{who}不能碰{pai}：{why[zh]}",
    message_en="{who} cannot 碰 {pai}: {why[en]}",
    cite="玩家手中有兩張同樣的子，然後其他玩家放出和這個一樣的子時，即可碰牌",
    breach={c.Peng: _target},
    explain=_explain_target,
)

PENG_HELD = Rule(
    id="cd-peng-held",
    kind="impossible",
    contradicts="held",
    zh="碰要手中有两张",
    en="the player holds two of it",
    message_zh="{who}碰{pai}要手中有两张，却只有{have}张",
    message_en="{who} needs two {pai} in hand for the 碰 and has {have}",
    cite="玩家手中有兩張同樣的子",
    breach={c.Peng: _held},
    explain=_explain_held,
)

PENG_ZHONG = Rule(
    id="cd-peng-zhong",
    kind="violation",
    zh="红中不能碰，也不能杠",
    en="红中 is neither 碰'd nor 杠'd",
    message_zh="{who}{act}红中：红中是万能牌，不能碰也不能杠",
    message_en="{who} claims {act} of 红中, which is wild and neither 碰'd nor 杠'd",
    cite="在組成玩牌時，紅中可以替代任意一個子來玩",
    reading="R-ZHONG",
    breach={c.Peng: _zhong, c.Kong: _zhong},
    explain=_explain_zhong,
)
