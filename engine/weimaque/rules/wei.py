"""Rules about 栽 (偎)."""

from typing import Any

from engine.rule import Explanation, Rule
from engine.truth import NO, YES, Truth, both, negation
from engine.weimaque.deck import token
from engine.weimaque.rules.facts import on_table
from engine.weimaque.state import BY_REVEAL, Table
from schemas import events as shared
from schemas import weimaque as w


def _wei_missed(t: Table, p: int, k: int, e: Any) -> Truth:
    return NO if t.ended == YES else t.wei_due


def _wei_missed_by_other(t: Table, p: int, k: int, e: w.Wei) -> Truth:
    return t.wei_due if p != t.owner else both(t.wei_due, negation(on_table(t, k)))


def _explain_missed(t: Table, p: int, k: int, e: Any) -> Explanation:
    return Explanation(
        params={"revealer": t.names[t.owner], "pai": token(t.card), "actor": t.owner},
        because=(t.card_seq,),
        needs=({"seat": t.owner, "kind": token(t.card), "count": 2, "seq": t.card_seq},) if t.vague(t.owner) else (),
    )


def _wei_own(t: Table, p: int, k: int, e: w.Wei) -> Truth:
    if t.by != BY_REVEAL or p != t.owner:
        return YES
    return negation(on_table(t, k))


def _wei_held(t: Table, p: int, k: int, e: w.Wei) -> Truth:
    if k < 0:
        return NO if t.size[p] >= 2 else YES
    return NO if t.hand[p][k] >= 2 and not t.lost[p] else negation(t.holds(p, k, 2))


def _explain_held(t: Table, p: int, k: int, e: w.Wei) -> Explanation:
    return Explanation(params={"have": t.at_most(p, k) if k >= 0 else t.size[p]})


WEI_MISSED = Rule(
    id="wmq-wei-missed",
    kind="violation",
    zh="揭出的字自己手中有两张以上，先栽再说",
    en="a reveal of a kind of which the revealer holds two or more is 栽'd before anything else",
    message_zh="{revealer}揭出{pai}，手中有两张以上{pai}，应当先栽",
    message_en="{revealer} revealed {pai} and holds two or more of it: it must be 栽'd first",
    cite="如果是自己揭的字且自己手中有两张或三张相同的字，一定要拿出两张来，盖在桌面",
    reading="R-WEI-FIRST",
    breach={
        **dict.fromkeys((w.Discard, w.Reveal, w.Chi, w.Peng, w.Zhe, w.Hu, w.DeadHand, shared.Exhausted, shared.Settlement), _wei_missed),
        w.Wei: _wei_missed_by_other,
    },
    explain=_explain_missed,
    moment=True,
    guarded=True,
)

WEI_OWN = Rule(
    id="wmq-wei-own",
    kind="violation",
    zh="只能栽自己刚揭的字",
    en="栽 is made on one's own reveal, just made",
    message_zh="{who}栽{pai}，可这不是自己刚揭的字",
    message_en="{who} makes a 栽 of {pai}, which is not a reveal of {who}'s own, just made",
    cite="栽(偎):如果是自己揭的字",
    breach={w.Wei: _wei_own},
)

WEI_HELD = Rule(
    id="wmq-wei-held",
    kind="impossible",
    contradicts="held",
    zh="栽要手中另有两张",
    en="the player holds two more of it",
    message_zh="{who}栽{pai}要手中有两张，却只有{have}张",
    message_en="{who} needs two {pai} in hand for the 栽 and has {have}",
    cite="自己手中有两张或三张相同的字，一定要拿出两张来",
    breach={w.Wei: _wei_held},
    explain=_explain_held,
)
