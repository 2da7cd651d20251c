"""The rule about claims spoken (叫) on the card on the table: 胡 before 碰 before 吃, and the seat order within 胡."""

from typing import Any

from engine.rule import Explanation, Rule
from engine.truth import NO, Truth, both, either, negation
from engine.weimaque.rules.chi import could_chi
from engine.weimaque.rules.facts import last_card_closed, on_table
from engine.weimaque.rules.peng import could_peng
from engine.weimaque.state import OPENING, RESPOND, Table
from engine.weimaque.win import could_open, could_win
from schemas import weimaque as w

_RANK = {"吃": 1, "碰": 2, "胡": 3}


def could_claim(t: Table, seat: int, act: str) -> Truth:
    """Whether the seat could carry out the claim on the card on the table, or win before the first discard: only such a 叫 binds
    (rules §8)."""
    if t.phase == OPENING:
        return could_open(t, seat) if act == "胡" else NO
    if t.phase != RESPOND or seat == t.shouxing:
        return NO
    alive = negation(t.dead[seat])
    if act == "胡":
        return both(alive, could_win(t, seat))
    if last_card_closed(t):
        return NO
    if act == "碰":
        return both(alive, could_peng(t, seat))
    if act == "吃":
        return both(alive, could_chi(t, seat))
    return NO


def _order(t: Table, seat: int) -> int:
    """Place of the seat in the order of 胡: the revealer (before the first discard the dealer), his 下家, his 上家."""
    first = t.dealer if t.phase == OPENING else t.owner
    return 0 if seat == first else 1 if seat == t.next[first] else 2


def _binding(t: Table, p: int, act: str) -> list[tuple[int, int, str]]:
    """(seat, seq, act) of every claim spoken by another player that goes before ``act`` of ``p``."""
    rank = _RANK[act]
    return [
        (seat, seq, said)
        for seat, (seq, said) in t.calls.items()
        if seat != p and (_RANK.get(said, 0) > rank or (said == act == "胡" and _order(t, seat) < _order(t, p)))
    ]


def _priority(t: Table, p: int, k: int, e: Any) -> Truth:
    if not t.calls:
        return NO
    act: str = e.__struct_config__.tag
    if t.phase == RESPOND and act != "胡" and on_table(t, k) == NO:
        # Claims spoken are on the card that lies there, not on one that does not.
        return NO
    answer: Truth = NO
    for seat, _, said in _binding(t, p, act):
        answer = either(answer, could_claim(t, seat, said))
    return answer


def _explain(t: Table, p: int, k: int, e: Any) -> Explanation:
    seat, seq, said = next(
        bound
        for bound in sorted(_binding(t, p, e.__struct_config__.tag), key=lambda b: (-_RANK[b[2]], b[1]))
        if could_claim(t, bound[0], bound[2])
    )
    return Explanation(params={"first": t.names[seat], "said": said, "act": e.__struct_config__.tag}, because=(seq,))


CLAIM_PRIORITY = Rule(
    id="wmq-claim-priority",
    kind="violation",
    zh="胡大于碰，碰大于吃；胡牌先自己，次下家，后上家",
    en="no other player has declared (叫) a possible claim of higher priority on this card",
    message_zh="{first}先叫了{said}，应当先让{first}，{who}不能{act}",
    message_en="{first} called {said}, which goes first; {who} may not {act}",
    cite="栽大于胡牌(自己栽了可以胡)，胡牌大于碰，碰大于吃……自己揭出来的牌自己优先和牌，其次才轮到下家，最后才是上家",
    breach=dict.fromkeys((w.Chi, w.Peng, w.Hu), _priority),
    explain=_explain,
    guarded=True,
)
