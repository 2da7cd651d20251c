"""Rules about 补章."""

from typing import Any

from engine.changde.deck import token
from engine.changde.state import Table
from engine.rule import Explanation, Rule
from engine.truth import NO, YES, Truth
from schemas import changde as c


def _due(t: Table, p: int, k: int, e: Any) -> Truth:
    owed = t.owed
    return NO if owed is None or t.late or owed.actor != p else YES


def _explain_due(t: Table, p: int, k: int, e: Any) -> Explanation:
    if t.owed is None:
        return Explanation()
    return Explanation(
        params={"kong": t.owed.kind, "tile": token(t.owed.tile), "made": t.owed.seq, "act": e.__struct_config__.tag}, because=(t.owed.seq,)
    )


def _owed(t: Table, p: int, k: int, e: c.Replacement) -> Truth:
    return NO if t.owed is not None and t.owed.actor == p else YES


def _explain_owed(t: Table, p: int, k: int, e: c.Replacement) -> Explanation:
    lost = t.short[p]
    if t.owed is not None:
        name = t.names[t.owed.actor]
        why = {"zh": f"该补章的是{name}", "en": f"it is {name} who owes one"}
        because = (t.owed.seq,)
    elif lost:
        seq = lost[-1].seq
        why = {"zh": f"第{seq}号事件的杠没有及时补章，已经无效", "en": f"the kong of event {seq} had no 补章 in time and is void"}
        because = (seq,)
    else:
        why = {"zh": "没有等着补章的杠", "en": "no kong is waiting for one"}
        because = ()
    return Explanation(params={"why": why}, because=because)


BU_DUE = Rule(
    id="cd-bu-due",
    kind="violation",
    zh="杠了先补章，再做别的",
    en="the 补章 follows its 杠 before the player's next action",
    message_zh="{who}第{made}号事件{kong}{tile}，还没有补章就{act}；再有别人动，这个杠就无效",
    message_en="{who} made a {kong} of {tile} at event {made} and goes on ({act}) without its 补章; once another player acts it is void",
    cite="如果沒有及時補章，則暗槓無效，最後不作為計牌依據",
    reading="R-VOID",
    breach=dict.fromkeys((c.Discard, c.Draw, c.Chi, c.Peng, c.Kong), _due),
    explain=_explain_due,
    moment=True,
    guarded=True,
)

BU_OWED = Rule(
    id="cd-bu-owed",
    kind="violation",
    zh="杠了还没补的人才补章",
    en="a 补章 is made only by a player who owes one",
    message_zh="{who}没有章可补：{why[zh]}",
    message_en="{who} owes no 补章: {why[en]}",
    cite="就可以槓牌……然後從所有待摸的牌最尾巴上摸最後上面一隻牌放入自己的牌中，稱之為“補章”",
    breach={c.Replacement: _owed},
    explain=_explain_owed,
    moment=True,
)
