"""Rules about 胡: whether a win is one, and whether what was declared agrees."""

from typing import Any

from engine.rule import Explanation, Rule
from engine.truth import NO, UNKNOWN, YES, Truth, both, known, negation
from engine.weimaque.deck import INDEX, token
from engine.weimaque.state import Table
from engine.weimaque.win import could_win, examine
from schemas import weimaque as w


def _needs(t: Table, p: int) -> tuple[dict[str, Any], ...]:
    return ({"seat": p, "question": "hand", "unknown": t.unseen[p] + t.lost[p]},) if t.vague(p) else ()


def _not_revealed(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    return examine(t, p, e).not_revealed


def _explain_not_revealed(t: Table, p: int, k: int, e: w.Hu) -> Explanation:
    return Explanation(because=(t.card_seq,) if t.card_seq >= 0 else ())


def _no_shape(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    return examine(t, p, e).no_shape


def _too_few_xi(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    return examine(t, p, e).too_few_xi


def _explain_open(t: Table, p: int, k: int, e: w.Hu) -> Explanation:
    hard = examine(t, p, e).hard_xi
    return Explanation(params={"hard_xi": "?" if hard is None else hard, "min_hard_xi": t.ruleset.min_hard_xi}, needs=_needs(t, p))


def _dead(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    return examine(t, p, e).dead


def _explain_dead(t: Table, p: int, k: int, e: w.Hu) -> Explanation:
    return Explanation(params={"dead": t.dead_seq[p]}, because=(t.dead_seq[p],), needs=_needs(t, p))


def _no_opening(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    return examine(t, p, e).no_opening


def _explain_opening(t: Table, p: int, k: int, e: w.Hu) -> Explanation:
    if t.ruleset.preset != "dazhuo":
        why = {"zh": "小卓没有起手胡", "en": "小卓 has no opening wins"}
    elif t.phase != 0:
        why = {"zh": "已经出过第一张牌", "en": "the first discard has been made"}
    elif e.kind == "天胡" and p != t.dealer:
        why = {"zh": "天胡只有庄家才有", "en": "天胡 is the dealer's alone"}
    else:
        why = {"zh": "手牌不合条件", "en": "the hand does not meet its condition"}
    return Explanation(params={"opening": e.kind, "why": why}, needs=_needs(t, p))


def _shown(t: Table, p: int, k: int, e: w.Hu | w.Show) -> Truth:
    if isinstance(e, w.Show):
        return t.shown_otherwise(p, [INDEX[pai] for pai in e.pai])
    return examine(t, p, e).not_as_shown


def _explain_shown(t: Table, p: int, k: int, e: w.Hu | w.Show) -> Explanation:
    left = "".join(token(kind) * t.at_least(p, kind) for kind in range(len(t.hand[p])))
    unknown = t.size[p] - len(left)
    left += "?" * max(0, unknown)
    shown = e.pai if isinstance(e, w.Show) else e.hand
    return Explanation(params={"left": left or "无", "shown": "".join(shown) if isinstance(shown, list) else ""})


def _claim_xi(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    if not (isinstance(e.claim, w.Claim) and isinstance(e.claim.hard_xi, int)):
        return NO
    win = examine(t, p, e)
    return both(win.valid, _outside(e.claim.hard_xi, win.ranges(t.scorer)[0])) if win.valid else NO


def _claim_mingtang(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    if not (isinstance(e.claim, w.Claim) and isinstance(e.claim.mingtang, dict)):
        return NO
    win = examine(t, p, e)
    return both(win.valid, UNKNOWN if win.scored is None else known(e.claim.mingtang != win.scored.mingtang))


def _claim_total(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    if not (isinstance(e.claim, w.Claim) and isinstance(e.claim.total_xi, int)):
        return NO
    win = examine(t, p, e)
    return both(win.valid, _outside(e.claim.total_xi, win.ranges(t.scorer)[1])) if win.valid else NO


def _outside(declared: int, possible: tuple[int, int]) -> Truth:
    """Whether an amount is another than the one that lies somewhere in a range."""
    least, most = possible
    return YES if not least <= declared <= most else NO if least == most else UNKNOWN


def _explain_claim(t: Table, p: int, k: int, e: w.Hu) -> Explanation:
    win = examine(t, p, e)
    if not isinstance(e.claim, w.Claim):
        return Explanation()
    scored = win.scored
    mingtang = scored.mingtang if scored is not None else {}
    hard, total = win.ranges(t.scorer)
    said = e.claim.mingtang if isinstance(e.claim.mingtang, dict) else {}
    return Explanation(
        params={
            "hard_xi": _range(hard),
            "total_xi": _range(total),
            "mingtang": mingtang,
            "said_hard": e.claim.hard_xi if isinstance(e.claim.hard_xi, int) else None,
            "said_total": e.claim.total_xi if isinstance(e.claim.total_xi, int) else None,
            "right": {"zh": _listed(mingtang, "无" if scored else "未知"), "en": _listed(mingtang, "none" if scored else "unknown")},
            "said": {"zh": _listed(said, "无"), "en": _listed(said, "none")},
        },
        needs=_needs(t, p),
    )


def _range(bounds: tuple[int, int]) -> int | str:
    least, most = bounds
    return least if least == most else f"{least}–{most}"


def _listed(mingtang: dict[str, int], nothing: str) -> str:
    return "、".join(f"{name} {value}" for name, value in mingtang.items()) or nothing


def _zhe(t: Table, p: int, k: int, e: w.Zhe) -> Truth:
    if not t.ruleset.zhe:
        return YES
    return negation(could_win(t, p))


def _explain_zhe(t: Table, p: int, k: int, e: w.Zhe) -> Explanation:
    if not t.ruleset.zhe:
        why = {"zh": "本桌没有蛰一蛰", "en": "this table does not play it"}
    else:
        why = {"zh": "这时并不能胡桌上的牌", "en": "no win on the card on the table was possible"}
    return Explanation(params={"why": why}, needs=_needs(t, p))


HU_REVEALED = Rule(
    id="wmq-hu-revealed",
    kind="violation",
    zh="胡的牌是揭出来的（起手胡除外）",
    en="the winning card is a reveal (opening wins excepted)",
    message_zh="{who}胡的不是揭出来的牌；出的牌不能胡",
    message_en="{who} claims a win, but not on a reveal; a discard cannot be won on",
    cite="只能是揭的牌才可以胡牌，出的牌不能胡牌",
    breach={w.Hu: _not_revealed},
    explain=_explain_not_revealed,
)

HU_SHAPE = Rule(
    id="wmq-hu-shape",
    kind="violation",
    zh="二十张成六句话加一对麻雀，桌上的话不变",
    en="20 cards = six melds + one pair, with the exposed melds kept",
    message_zh="{who}的二十张牌凑不成六句话加一对麻雀",
    message_en="{who}'s twenty cards make no six melds and a pair",
    cite="有麻雀(两张相同的牌)",
    breach={w.Hu: _no_shape},
    explain=_explain_open,
)

HU_XI = Rule(
    id="wmq-hu-xi",
    kind="violation",
    zh="硬息达到胡牌所需",
    en="some partition reaches min_hard_xi (10)",
    message_zh="{who}胡牌，硬息最多{hard_xi}，需要{min_hard_xi}",
    message_en="{who} has at most {hard_xi} hard 息; a win needs {min_hard_xi}",
    cite="胡牌条件:1:硬息达到10个",
    options=("min_hard_xi",),
    breach={w.Hu: _too_few_xi},
    explain=_explain_open,
)

HU_DEAD = Rule(
    id="wmq-hu-dead",
    kind="violation",
    zh="死手不能胡",
    en="the winner's hand is not dead",
    message_zh="{who}从第{dead}号事件起是死手，不能胡",
    message_en="{who} has been a dead hand since event {dead} and may not win",
    cite="出牌限制:自己手中有三张相同的字不能出(栽过除外);自己吃过或碰过的字不能出",
    reading="R-DEAD",
    breach={w.Hu: _dead},
    explain=_explain_dead,
)

HU_OPENING = Rule(
    id="wmq-hu-opening",
    kind="violation",
    zh="起手胡合乎条件，只在大卓、第一张牌打出之前",
    en="an opening win meets its condition (大卓, before the first discard)",
    message_zh="{who}不能胡{opening}：{why[zh]}",
    message_en="{who} may not declare {opening}: {why[en]}",
    cite="九小对:起手9对牌即可倒牌叫胡……天胡:起手就胡牌[硬息有10个以上]……无对胡:起手没有一对牌或只有一对黑字牌，即可倒牌",
    reading="R-WUDUI",
    options=("wudui_two_black",),
    breach={w.Hu: _no_opening},
    explain=_explain_opening,
)

HU_SHOWN = Rule(
    id="wmq-hu-shown",
    kind="impossible",
    contradicts="shown",
    zh="亮出的牌就是记录里他手中剩下的牌",
    en="the cards shown (胡 hand, 亮) are those the record leaves the player",
    message_zh="{who}亮出{shown}，可按记录手中应是{left}",
    message_en="{who} shows {shown}, but by the record the hand is {left}",
    cite="",
    breach={w.Hu: _shown, w.Show: _shown},
    explain=_explain_shown,
)

CLAIM_XI = Rule(
    id="wmq-claim-xi",
    kind="violation",
    zh="报的硬息与算出的相同",
    en="the hard 息 declared by the winner of a valid win is what is computed",
    message_zh="{who}报硬息{said_hard}，应为{hard_xi}",
    message_en="{who} declares {said_hard} hard 息; it is {hard_xi}",
    cite="这是硬息(字面息，牌面息)的计算方法",
    breach={w.Hu: _claim_xi},
    explain=_explain_claim,
)

CLAIM_MINGTANG = Rule(
    id="wmq-claim-mingtang",
    kind="violation",
    zh="报的名堂与算出的相同，不多不少",
    en="the 名堂 declared by the winner of a valid win are all that are computed, and no others",
    message_zh="{who}报名堂：{said[zh]}；应为：{right[zh]}",
    message_en="{who} declares the 名堂 {said[en]}; they are {right[en]}",
    cite="胡牌之后要再计算总息，总息就是硬息加名堂息",
    breach={w.Hu: _claim_mingtang},
    explain=_explain_claim,
)

CLAIM_TOTAL = Rule(
    id="wmq-claim-total",
    kind="violation",
    zh="报的总息与算出的相同",
    en="the total declared by the winner of a valid win is what is computed",
    message_zh="{who}报总息{said_total}，应为{total_xi}",
    message_en="{who} declares a total of {said_total}; it is {total_xi}",
    cite="胡牌之后要再计算总息，总息就是硬息加名堂息",
    reading="R-MULT",
    breach={w.Hu: _claim_total},
    explain=_explain_claim,
)

ZHE = Rule(
    id="wmq-zhe",
    kind="violation",
    zh="蛰的人这时能胡桌上的牌，而且本桌有蛰",
    en="蛰 is declared by a player who could win on the card now on the table, where the ruleset has it",
    message_zh="{who}不能蛰：{why[zh]}",
    message_en="{who} may not declare 蛰: {why[en]}",
    cite="蛰一蛰:要胡牌时，亮明胡牌的字口，但却不去胡牌，要胡后面的",
    options=("zhe",),
    breach={w.Zhe: _zhe},
    explain=_explain_zhe,
)
