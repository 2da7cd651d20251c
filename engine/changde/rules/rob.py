"""The rule about the window in which a 碰杠 may be robbed (抢杠)."""

from typing import Any

from engine.changde.deck import token
from engine.changde.examine import could_rob, examine
from engine.changde.rules.facts import hand_needed
from engine.changde.state import ADDED_KONG, Table
from engine.rule import Explanation, Rule
from engine.truth import NO, Truth, either
from schemas import changde as c


def _declared(t: Table, p: int, k: int, e: Any) -> Truth:
    """The kong player acts although another player declared a 抢杠 that he can make."""
    kong = t.robbable
    if kong is None or not t.calls or kong.actor != p:
        return NO
    answer: Truth = NO
    for seat, (_, act) in t.calls.items():
        if act == "胡" and seat != p:
            answer = either(answer, could_rob(t, seat))
    return answer


def _hu(t: Table, p: int, k: int, e: c.Hu) -> Truth:
    return _declared(t, p, k, e) if e.kind == "自摸" else examine(t, p, e).no_window


def _explain(t: Table, p: int, k: int, e: Any) -> Explanation:
    if isinstance(e, c.Hu) and e.kind == "抢杠":
        return _explain_closed(t, p)
    word = e.__struct_config__.tag
    callers = [seat for seat, (_, act) in t.calls.items() if act == "胡" and seat != p]
    first = max(callers, key=lambda seat: (could_rob(t, seat), -t.calls[seat][0]))
    seq = t.calls[first][0]
    name = t.names[first]
    return Explanation(
        params={
            "why": {
                "zh": f"{name}第{seq}号事件叫了胡要抢杠，{t.names[p]}要等他，不能先{word}",
                "en": f"{name} called 胡 at event {seq} to rob the kong, so that {t.names[p]} has to wait ({word})",
            }
        },
        because=(seq,),
        needs=hand_needed(t, first),
    )


def _explain_closed(t: Table, p: int) -> Explanation:
    last = next((meld for meld in reversed(t.kongs) if meld.is_kong), None)
    if last is None:
        return Explanation(params={"why": {"zh": "没有人杠过牌，无杠可抢", "en": "there is no kong to rob"}})
    name, pai = t.names[last.actor], token(last.tile)
    if last.kind != ADDED_KONG:
        zh, en = f"{name}的{pai}是{last.kind}，只有碰杠可以抢", f"{name}'s {pai} is a {last.kind}, and only a 碰杠 can be robbed"
    elif last.actor == p:
        zh, en = "不能抢自己的杠", "nobody robs his own kong"
    elif t.owed is last:
        zh, en = f"{name}还没有补章，补了章才能抢", f"{name} has not drawn the 补章 yet; the kong can be robbed behind it"
    else:
        zh, en = f"{name}杠{pai}之后已经过了抢杠的时候", f"the time to rob {name}'s kong of {pai} has passed"
    return Explanation(params={"why": {"zh": zh, "en": en}}, because=(last.seq,))


ROB_WINDOW = Rule(
    id="cd-rob-window",
    kind="violation",
    zh="抢杠只抢碰杠，在补章之后、杠牌的人动之前；有人叫胡要抢，杠牌的人就要等",
    en="抢杠 is only of a 碰杠, inside its window; while a possible one is declared, the kong player does not act",
    message_zh="{who}此时不可：{why[zh]}",
    message_en="not open to {who} now: {why[en]}",
    cite="碰槓要注意摸到手裡的槓是否可以槓牌，如其他玩家能胡這張槓子，則在補章後會搶槓胡牌，由槓牌者全包三方牌資",
    reading="R-ROB",
    options=("rob_window",),
    breach={c.Discard: _declared, c.Kong: _declared, c.Replacement: _declared, c.Hu: _hu},
    explain=_explain,
    moment=True,
    guarded=True,
    unguarded=(c.Hu,),
)
