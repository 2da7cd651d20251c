"""Rules about who acts when, and about the stock that is revealed from."""

from typing import Any

from engine.rule import Explanation, Rule
from engine.truth import NO, UNKNOWN, YES, Truth, either, known, negation
from engine.weimaque.deck import token
from engine.weimaque.rules.facts import chi_cards, due, last_card_closed, leaves_discard, legal_discard
from engine.weimaque.seating import shouxing_seat
from engine.weimaque.state import DISCARD, RESPOND, TURN, Table
from schemas import events as shared
from schemas import weimaque as w

PLAYED = (w.Discard, w.Reveal, w.Chi, w.Peng, w.Wei, w.Zhe, w.Hu, w.DeadHand)
"""The playing actions of a seat."""


def _shouxing_acts(t: Table, p: int, k: int, e: Any) -> Truth:
    """Behind the end that is what is told of every playing action, whosever it is: it alone makes the record wrong."""
    if p != t.shouxing or (t.ended == YES and isinstance(e, PLAYED)):
        return NO
    return YES


def _shouxing_sits(t: Table, p: int, k: int, e: w.Start) -> Truth:
    seat = shouxing_seat(e)
    return known(seat >= 0 and seat != (e.dealer + 2) % 4)


def _explain_shouxing(t: Table, p: int, k: int, e: Any) -> Explanation:
    if isinstance(e, w.Start):
        right = t.names[(e.dealer + 2) % 4]
        return Explanation(
            params={"wrong": {"zh": f"守醒应坐庄家对面，是{right}", "en": f"守醒 sits opposite the dealer: that is {right}"}},
        )
    name = t.names[p]
    return Explanation(params={"wrong": {"zh": f"{name}守醒，不参与游戏", "en": f"{name} is 守醒 and takes no part in the play"}})


def _after_end(t: Table, p: int, k: int, e: Any) -> Truth:
    return t.ended


def _explain_after_end(t: Table, p: int, k: int, e: Any) -> Explanation:
    return Explanation(because=(t.end_seq,), params={"end": t.end_seq})


def _stock_empty(t: Table, p: int, k: int, e: w.Reveal) -> Truth:
    return NO if t.stock_left > 0 or t.ended == YES else YES


def _stock_order(t: Table, p: int, k: int, e: w.Reveal) -> Truth:
    if t.stock is None or k < 0 or t.stock_left <= 0:
        return NO
    lies = t.stock[-t.stock_left]
    return known(lies >= 0 and lies != k)


def _explain_stock_order(t: Table, p: int, k: int, e: w.Reveal) -> Explanation:
    return Explanation(params={"lies": token(t.stock[-t.stock_left]) if t.stock is not None else "?"}, because=(1,))


def _turn_discard(t: Table, p: int, k: int, e: w.Discard) -> Truth:
    if t.phase > DISCARD or p != t.turn:
        return YES
    if t.phase != DISCARD:
        return NO
    return t.dead[p] if t.dead_seq[p] != t.melds[p][-1].seq else UNKNOWN if p in t.dead_before else NO


def _turn_reveal(t: Table, p: int, k: int, e: w.Reveal) -> Truth:
    phase = t.phase
    if phase in (RESPOND, TURN):
        return NO if p == t.turn else YES
    if phase <= DISCARD and p == t.next[t.turn]:
        return negation(t.dead[t.turn])
    return YES


def _turn_claim(t: Table, p: int, k: int, e: w.Peng | w.Chi) -> Truth:
    if t.stock_left == 0 and last_card_closed(t):
        return YES
    if not t.ruleset.forbid_dead_claim:
        return t.dead[p]
    cards = chi_cards(k, e) if isinstance(e, w.Chi) else (k, k, k)
    return either(t.dead[p], negation(leaves_discard(t, p, k, cards)))


def _turn_wei(t: Table, p: int, k: int, e: w.Wei) -> Truth:
    return t.dead[p]


def _turn_dead_hand(t: Table, p: int, k: int, e: w.DeadHand) -> Truth:
    if t.phase > DISCARD or p != t.turn:
        return YES
    return legal_discard(t, p)


def _explain_turn(t: Table, p: int, k: int, e: Any) -> Explanation:
    because: list[int] = []
    if isinstance(e, w.Chi | w.Peng | w.Wei) and t.dead[p]:
        why = {"zh": f"{t.names[p]}已是死手，不能再要牌", "en": f"{t.names[p]} is a dead hand and may take nothing"}
        because.append(t.dead_seq[p])
    elif isinstance(e, w.Chi | w.Peng) and last_card_closed(t):
        why = {"zh": "底牌已揭完，最后的牌只能胡或栽", "en": "the stock is empty: its last card may only be won on or 栽'd"}
    elif isinstance(e, w.Chi | w.Peng):
        why = {"zh": "要了就没有能出的牌，本桌不许", "en": "taking it leaves no card that may be discarded, which this table forbids"}
    elif isinstance(e, w.Discard) and t.phase == DISCARD and p == t.turn:
        why = {"zh": f"{t.names[p]}已是死手，不再出牌", "en": f"{t.names[p]} is a dead hand and discards nothing"}
        because.append(t.dead_seq[p])
    elif isinstance(e, w.DeadHand) and t.phase <= DISCARD and p == t.turn:
        why = {"zh": f"{t.names[p]}还有能出的牌", "en": f"{t.names[p]} still has a card that may be discarded"}
    else:
        why = due(t)
        if t.phase == RESPOND:
            because.append(t.card_seq)
    needs: tuple[dict[str, Any], ...] = ()
    if t.dead[t.turn] == UNKNOWN or t.vague(p):
        needs = ({"seat": p, "question": "hand"},)
    return Explanation(params={"why": why, "act": e.__struct_config__.tag}, because=tuple(because), needs=needs)


SHOUXING_ACTS = Rule(
    id="wmq-shouxing-acts",
    kind="violation",
    zh="守醒不参与游戏，坐庄家对面",
    en="守醒 takes no playing action, and sits at dealer+2",
    message_zh="{wrong[zh]}",
    message_en="{wrong[en]}",
    cite="庄家对面的人守醒，守醒的人负责数牌，不参与游戏",
    breach={w.Start: _shouxing_sits, **dict.fromkeys((*PLAYED, w.Show, shared.Pass, shared.Call), _shouxing_acts)},
    explain=_explain_shouxing,
    moment=True,
    alone=True,
    guarded=True,
    unguarded=(w.Start,),
)

TURN_RULE = Rule(
    id="wmq-turn",
    kind="violation",
    zh="轮到谁谁动，而且这时可以这样动",
    en="the actor is the one whose turn it is, and the action is one this moment offers",
    message_zh="{who}此时不能{act}：{why[zh]}",
    message_en="{who} may not {act} now: {why[en]}",
    cite="第一张牌由庄家出，以后谁要了牌谁就出牌……如果出出来的牌没有人要，出牌人的下家就从底牌拿一张上来",
    options=("last_card_claims", "forbid_dead_claim"),
    breach={
        w.Discard: _turn_discard,
        w.Reveal: _turn_reveal,
        w.Peng: _turn_claim,
        w.Chi: _turn_claim,
        w.Wei: _turn_wei,
        w.DeadHand: _turn_dead_hand,
    },
    explain=_explain_turn,
    moment=True,
    but_of_card=(w.Peng, w.Chi),
    catch_all=True,
)

STOCK_EMPTY = Rule(
    id="wmq-stock-empty",
    kind="impossible",
    zh="揭牌时底牌还有牌",
    en="a reveal has a card left to reveal",
    message_zh="底牌已经揭完，{who}没有牌可揭",
    message_en="the stock is empty; there is nothing for {who} to reveal",
    cite="数出22张放到一边作为底牌",
    breach={w.Reveal: _stock_empty},
    moment=True,
    guarded=True,
    alone=True,
)

STOCK_ORDER = Rule(
    id="wmq-stock-order",
    kind="impossible",
    zh="底牌已知时，揭出的就是那里放着的牌",
    en="where the stock is known, a reveal is the card that lies there",
    message_zh="{who}揭出{pai}，可底牌这里是{lies}",
    message_en="{who} reveals {pai}, but the stock has {lies} there",
    cite="从底牌里面拿来牌叫“揭”牌",
    breach={w.Reveal: _stock_order},
    explain=_explain_stock_order,
)

AFTER_END = Rule(
    id="wmq-after-end",
    kind="impossible",
    zh="一盘结束后不再有动作",
    en="no playing action follows the end of the hand",
    message_zh="第{end}号事件后这盘已经结束，{who}不会再动",
    message_en="the hand ended with event {end}; {who} cannot act after it",
    cite="",
    breach=dict.fromkeys(PLAYED, _after_end),
    explain=_explain_after_end,
    moment=True,
    alone=True,
    guarded=True,
)
