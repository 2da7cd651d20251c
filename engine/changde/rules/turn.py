"""Rules about who acts when, and about the wall that is drawn from."""

from typing import Any

from engine.changde.deck import token
from engine.changde.examine import has_won
from engine.changde.rules.facts import ACTS, due, last_discard, moment
from engine.changde.state import RESPOND, Table
from engine.rule import Explanation, Rule
from engine.truth import NO, YES, Truth, negation
from schemas import changde as c

PLAYED = (c.Discard, c.Draw, c.Chi, c.Peng, c.Kong, c.Replacement)
"""The playing actions of a seat, 胡 aside."""


def _turn_discard(t: Table, p: int, k: int, e: c.Discard) -> Truth:
    return NO if p == t.turn and t.phase != RESPOND else YES


def _turn_draw(t: Table, p: int, k: int, e: c.Draw) -> Truth:
    return NO if p == t.turn and t.phase == RESPOND else YES


def _turn_peng(t: Table, p: int, k: int, e: c.Peng) -> Truth:
    return YES if last_discard(t) else NO


def _explain_turn(t: Table, p: int, k: int, e: Any) -> Explanation:
    word = e.__struct_config__.tag
    return Explanation(params={"act": {"zh": word, "en": ACTS[word]}, "why": due(t)}, because=moment(t))


def _wall_empty(t: Table, p: int, k: int, e: Any) -> Truth:
    """Behind the end it is the end that is told."""
    return NO if t.wall.left > 0 else negation(t.ended)


def _explain_act(t: Table, p: int, k: int, e: Any) -> Explanation:
    word = e.__struct_config__.tag
    return Explanation(params={"act": {"zh": word, "en": ACTS[word]}})


def _draw_order(t: Table, p: int, k: int, e: c.Draw) -> Truth:
    lies = t.wall.ahead
    return NO if lies == k or lies < 0 or k < 0 else YES


def _replacement_order(t: Table, p: int, k: int, e: c.Replacement) -> Truth:
    lies = t.wall.behind()
    return NO if lies == k or lies < 0 or k < 0 else YES


def _explain_order(t: Table, p: int, k: int, e: Any) -> Explanation:
    front = isinstance(e, c.Draw)
    lies = t.wall.ahead if front else t.wall.behind()
    end = {"zh": "前头", "en": "front"} if front else {"zh": "尾上", "en": "tail"}
    word = e.__struct_config__.tag
    return Explanation(params={"act": {"zh": word, "en": ACTS[word]}, "end": end, "lies": token(lies)}, because=(1,))


def _after_end(t: Table, p: int, k: int, e: Any) -> Truth:
    return t.ended


def _after_end_hu(t: Table, p: int, k: int, e: c.Hu) -> Truth:
    """Behind the first of them, more players may rob the same kong, once each."""
    if t.ended and t.robbable is not None and e.kind == "抢杠" and not has_won(t, p):
        return NO
    return t.ended


def _explain_after_end(t: Table, p: int, k: int, e: Any) -> Explanation:
    word = e.__struct_config__.tag
    return Explanation(params={"end": t.end_seq, "act": {"zh": word, "en": ACTS[word]}}, because=(t.end_seq,))


TURN_RULE = Rule(
    id="cd-turn",
    kind="violation",
    zh="轮到谁谁动，而且这时可以这样动",
    en="it is the actor's turn, and the action is one that this moment offers",
    message_zh="{who}此时不能{act[zh]}：{why[zh]}",
    message_en="{who} may not {act[en]} now: {why[en]}",
    cite="莊家從牌中選出一張最無用的牌丟出。此時，其它三家只要有兩張或者三張與莊家丟出的牌相同的……就可以碰或者槓牌",
    breach={c.Discard: _turn_discard, c.Draw: _turn_draw, c.Peng: _turn_peng},
    explain=_explain_turn,
    moment=True,
    catch_all=True,
)

WALL_EMPTY = Rule(
    id="cd-wall-empty",
    kind="impossible",
    zh="摸牌、补章时牌墙还有牌",
    en="a draw has a tile left",
    message_zh="牌墙已经摸完，{who}没有牌可{act[zh]}",
    message_en="the wall is empty: there is no tile for {who} to {act[en]}",
    cite="從所有待摸的牌最尾巴上摸最後上面一隻牌放入自己的牌中",
    breach={c.Draw: _wall_empty, c.Replacement: _wall_empty},
    explain=_explain_act,
    moment=True,
    guarded=True,
    alone=True,
)

WALL_ORDER = Rule(
    id="cd-wall-order",
    kind="impossible",
    zh="牌墙已知时，摸到、补到的就是那里放着的牌",
    en="where the wall is known, a draw or 补章 is the tile that lies there",
    message_zh="{who}{act[zh]}到{pai}，可牌墙{end[zh]}是{lies}",
    message_en="{who} gets {pai}, but the {end[en]} of the wall is {lies}",
    cite="從所有待摸的牌最尾巴上摸最後上面一隻牌放入自己的牌中，稱之為“補章”",
    options=("tail_order",),
    breach={c.Draw: _draw_order, c.Replacement: _replacement_order},
    explain=_explain_order,
)

AFTER_END = Rule(
    id="cd-after-end",
    kind="impossible",
    zh="一局结束后不再有动作",
    en="nothing is played after the end",
    message_zh="第{end}号事件后这局已经结束，{who}不能再{act[zh]}",
    message_en="the hand ended with event {end}; {who} cannot {act[en]} after it",
    cite="",
    breach={**dict.fromkeys(PLAYED, _after_end), c.Hu: _after_end_hu},
    explain=_explain_after_end,
    moment=True,
    guarded=True,
    alone=True,
)
