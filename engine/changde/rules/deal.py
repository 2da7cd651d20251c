"""Rules about the deal and the set of tiles."""

from collections import Counter
from typing import Any

from engine.changde.deck import INDEX, copies_of_each, token
from engine.changde.hindsight import DUE_SIZES, due_size
from engine.changde.ma import undealt
from engine.changde.state import Table
from engine.rule import Explanation, Rule
from engine.truth import NO, YES, Truth, known
from schemas import changde as c


def _wrong_sizes(t: Table, deal: c.Deal) -> list[tuple[str, str, int, int]]:
    """(zh, en, found, due) of every part of the deal that has the wrong number of tiles."""
    wrong: list[tuple[str, str, int, int]] = []
    for seat, hand in enumerate(deal.hands):
        size = due_size(t.start, seat)
        if hand is not None and len(hand) != size:
            wrong.append((t.names[seat], t.names[seat], len(hand), size))
    rest = undealt(t.ruleset)
    if deal.wall is not None and len(deal.wall) != rest:
        wrong.append(("牌墙", "the wall", len(deal.wall), rest))
    return wrong


def _deal_size(t: Table, p: int, k: int, e: c.Deal) -> Truth:
    if t.size == DUE_SIZES[t.dealer] and t.wall.left == undealt(t.ruleset):
        return NO
    return known(_wrong_sizes(t, e))


def _explain_deal_size(t: Table, p: int, k: int, e: c.Deal) -> Explanation:
    wrong = _wrong_sizes(t, e)
    return Explanation(
        params={
            "wrong": {
                "zh": "、".join(f"{zh}有{found}张，应为{size}张" for zh, _, found, size in wrong),
                "en": ", ".join(f"{en} has {found} tiles instead of {size}" for _, en, found, size in wrong),
            }
        }
    )


def _copies(t: Table, p: int, k: int, e: Any) -> Truth:
    return YES if t.fifth and t.seq in t.fifth else NO


def _flipped_copies(t: Table, p: int, k: int, e: c.Ma) -> Truth:
    return known(_flipped_too_often(t, e))


def _flipped_too_often(t: Table, e: c.Ma) -> list[int]:
    """The kinds that are flipped more often than they can lie in the wall, wherever in it they lie."""
    more = Counter(map(INDEX.__getitem__, e.pai))
    most = copies_of_each(wild=t.ruleset.wild)
    return [kind for kind, count in more.items() if kind >= 0 and t.seen[kind] + t.flipped[kind] + count > most[kind]]


def _explain_copies(t: Table, p: int, k: int, e: Any) -> Explanation:
    tile = token(_flipped_too_often(t, e)[0] if isinstance(e, c.Ma) else t.fifth[t.seq])
    if tile == "7z" and not t.ruleset.wild:
        why = {"zh": "常规打法没有红中（7z）", "en": "the standard set has no 红中 (7z)"}
    else:
        why = {"zh": f"{tile}出现了第五张，每种只有四张", "en": f"a fifth {tile} shows up; there are four of each"}
    return Explanation(params={"fifth": tile, "why": why})


DEAL_SIZE = Rule(
    id="cd-deal-size",
    kind="violation",
    zh="庄家十四张，其余各十三张，牌墙是其余的牌",
    en="the dealer has 14 tiles, the others 13, a known wall all the rest",
    message_zh="起牌张数不对：{wrong[zh]}",
    message_en="the deal has wrong sizes: {wrong[en]}",
    cite="只有上局胡牌調色字的莊家一方可得到十四張牌，其餘的人十三張",
    breach={c.Deal: _deal_size},
    explain=_explain_deal_size,
)

COPIES_OF_EACH = Rule(
    id="cd-copies",
    kind="impossible",
    contradicts="copies",
    zh="每种牌不超过四张；红中只有红中打法才有",
    en="no tile is seen more than four times; 红中 only where it is played",
    message_zh="{why[zh]}",
    message_en="{why[en]}",
    cite="從一萬至九萬，各4張，共36張……萬能紅中：共4張",
    breach={
        **dict.fromkeys((c.Deal, c.Discard, c.Draw, c.Chi, c.Peng, c.Kong, c.Replacement, c.Show, c.Hu), _copies),
        c.Ma: _flipped_copies,
    },
    explain=_explain_copies,
    moment=True,
    guarded=True,
)
