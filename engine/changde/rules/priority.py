"""The rule about claims spoken (叫) on the discard: a 碰 or 杠 that can be made goes before the next draw."""

from engine.changde.deck import token
from engine.changde.rules.facts import hand_needed
from engine.changde.rules.peng import could_peng
from engine.changde.state import Table
from engine.rule import Explanation, Rule
from engine.truth import NO, Truth, either
from schemas import changde as c

_NEEDED = {"碰": 2, "杠": 3}
"""How many tiles each claim on a discard takes from the hand."""


def could_claim(t: Table, seat: int, act: str) -> Truth:
    """Whether the seat could carry out the claim on the discard on the table: only such a 叫 binds (rules §5)."""
    return could_peng(t, seat, _NEEDED[act]) if act in _NEEDED else NO


def _priority(t: Table, p: int, k: int, e: c.Draw) -> Truth:
    if not t.calls:
        return NO
    answer: Truth = NO
    for seat, (_, act) in t.calls.items():
        answer = either(answer, could_claim(t, seat, act))
    return answer


def _explain(t: Table, p: int, k: int, e: c.Draw) -> Explanation:
    first = max(t.calls, key=lambda seat: (could_claim(t, seat, t.calls[seat][1]), -t.calls[seat][0]))
    seq, act = t.calls[first]
    tile = token(t.card)
    needs = hand_needed(t, first, t.card, _NEEDED.get(act, 0))
    return Explanation(params={"first": t.names[first], "said": act, "tile": tile, "called": seq}, because=(t.card_seq, seq), needs=needs)


CLAIM_PRIORITY = Rule(
    id="cd-claim-priority",
    kind="violation",
    zh="胡大于杠、碰，杠、碰大于摸：叫了而且能要的，先让他要",
    en="a claim declared and possible goes before a lower one and before the next draw: 胡, then 杠 and 碰, then 摸",
    message_zh="{first}第{called}号事件叫了{said}{tile}，{first}先{said}，或者说过，{who}才能摸牌",
    message_en="{first} called {said} of {tile} at event {called}: unless 过 takes that back it goes before {who} draws",
    cite="其它三家只要有兩張或者三張與莊家丟出的牌相同的……就可以碰或者槓牌",
    breach={c.Draw: _priority},
    explain=_explain,
    moment=True,
    guarded=True,
)
