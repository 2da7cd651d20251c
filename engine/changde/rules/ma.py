"""The rule about 奖码: how many tiles are flipped after a win, and which."""

from typing import Any

from engine.changde.deck import token
from engine.changde.outcome import ma_owed
from engine.changde.state import Table
from engine.rule import Explanation, Rule
from engine.truth import NO, UNKNOWN, YES, Truth
from schemas import changde as c
from schemas import events as shared


def _due(t: Table) -> tuple[int, int]:
    """The least and the most tiles that are to be flipped for the wins of this hand, should they stand."""
    return ma_owed(t, t.wins) if t.wins else (0, 0)


def _tiles(t: Table, p: int, k: int, e: c.Ma) -> Truth:
    least, most = _due(t)
    flipped = len(t.ma) + len(e.pai)
    if not least <= flipped <= most or t.misplaced(e.pai):
        return YES
    # Of a win that perhaps does not stand nothing may be due.
    return UNKNOWN if least < most or (flipped and t.ended == UNKNOWN) or "?" in e.pai or _unrecorded(t, e) else NO


def _unrecorded(t: Table, e: c.Ma) -> bool:
    """Whether nobody wrote down what lay where the tiles were to be flipped: it may be those, or others, and they lie further on or in a
    hand."""
    if not t.wins:
        return False
    deal = t.log.events[1]
    wall, hands = (deal.wall, deal.hands) if isinstance(deal, c.Deal) else (None, (None,))
    open_places = [number for number, place in enumerate(t.wall.coming()) if wall is None or (place < len(wall) and wall[place] == "?")]
    flipped = range(len(t.ma), len(t.ma) + len(e.pai))
    elsewhere = len(open_places) > 1 or any(hand is None or "?" in hand for hand in hands)
    return elsewhere and any(number in flipped for number in open_places)


def _missing(t: Table, p: int, k: int, e: shared.Settlement) -> Truth:
    if t.ma_seq >= 0:
        return NO
    least, most = _due(t)
    return YES if least else UNKNOWN if most else NO


def _explain(t: Table, p: int, k: int, e: Any) -> Explanation:
    least, most = _due(t)
    because = (t.end_seq,) if t.wins else ()
    number = str(least) if least == most else f"{least}–{most}"
    pai = e.pai if isinstance(e, c.Ma) else ()
    flipped = len(t.ma) + len(pai)
    wrong = t.misplaced(pai)
    is_right = isinstance(e, c.Ma) and not wrong and least == flipped == most
    is_nameless = "?" in pai
    if not isinstance(e, c.Ma):
        zh, en = f"应翻{number}张奖码，没有翻就结算了", f"{number} 码 are due and none was flipped before the 结算"
    elif is_right and is_nameless:
        zh, en = "奖码从牌墙前头翻，翻的是什么没有写全", "码 are flipped from the front of the wall, and not all are named"
    elif is_right and _unrecorded(t, e):
        zh, en = "奖码从牌墙前头翻，那里是什么没有记下", "码 are flipped from the front of the wall, and what lay there is not written down"
    elif not least <= flipped <= most or not wrong:
        zh, en = f"应翻{number}张奖码，翻了{flipped}张", f"{number} 码 are due, {flipped} are flipped"
    else:
        tile, lies = map(token, wrong[0])
        zh, en = (
            f"奖码从牌墙前头翻，这里应是{lies}，不是{tile}",
            f"码 are flipped from the front of the wall, where {lies} lies, not {tile}",
        )
    needs = ({"question": "wall"},) if is_right and not is_nameless and t.ended != UNKNOWN else ()
    return Explanation(params={"why": {"zh": zh, "en": en}, "due": least, "flipped": flipped}, because=because, needs=needs)


MA_TILES = Rule(
    id="cd-ma-tiles",
    kind="violation",
    zh="奖码张数与约定相符（该加倍就加倍，牌墙不够才可少），是牌墙接下来的牌，结算前不能缺",
    en="as many 码 are flipped as agreed (double where due, fewer only if the wall is short), the wall's next tiles, and before the 结算",
    message_zh="{why[zh]}",
    message_en="{why[en]}",
    cite="當玩家胡牌後，胡牌者可根據事先約定進行獎碼……如果胡牌者手中無紅中，則可以比手中有紅中胡牌多獎勵一倍的子為碼",
    reading="R-MA-FRONT",
    options=("ma_count", "no_zhong_bonus"),
    breach={c.Ma: _tiles, shared.Settlement: _missing},
    explain=_explain,
)
