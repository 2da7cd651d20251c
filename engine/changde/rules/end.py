"""Rules about the end of a hand: 流局, what is paid, and who deals next."""

from engine.changde.rules.facts import due, moment
from engine.changde.state import RESPOND, Table
from engine.rule import Explanation, Rule
from engine.truth import YES, Truth
from schemas import events as shared


def _draw(t: Table, p: int, k: int, e: shared.Exhausted) -> Truth:
    if t.wall.left > 0 or t.phase != RESPOND:
        return YES
    return t.ended


def _explain_draw(t: Table, p: int, k: int, e: shared.Exhausted) -> Explanation:
    if t.ended == YES:
        return Explanation(params={"why": {"zh": "这局已经结束", "en": "the hand is over already"}}, because=(t.end_seq,))
    if t.wall.left > 0:
        return Explanation(params={"why": {"zh": f"牌墙还有{t.wall.left}张", "en": f"{t.wall.left} tiles are left in the wall"}})
    return Explanation(params={"why": due(t)}, because=moment(t))


DRAW = Rule(
    id="cd-draw",
    kind="violation",
    zh="牌墙摸完、没有人胡、也没有该补章该出牌的，才是流局",
    en="流局 is when the wall is empty, nobody won, and no 补章 or discard is still due; not before",
    message_zh="还不是流局：{why[zh]}",
    message_en="this is no 流局: {why[en]}",
    cite="所有槓牌只有牌局最後胡牌時才有效，如本局牌無人胡牌，則無效",
    breach={shared.Exhausted: _draw},
    explain=_explain_draw,
)

SETTLE = Rule(
    id="cd-settle",
    kind="violation",
    zh="实付与应付相同",
    en="the payments recorded equal those computed",
    message_zh="实付与应付不同：{differs[zh]}",
    message_en="what was paid is not what is due: {differs[en]}",
    cite="自摸後，其他玩家要付給自摸者每家2分……由槓牌的玩家全賠自摸的牌資，三方每家2分總計6分",
    reading="R-MULTI",
    options=("ma_value", "rob_ma", "void_all_kongs"),
)

DEALER_NEXT = Rule(
    id="cd-dealer-next",
    kind="violation",
    zh="胡牌的人下局坐庄，几家抢杠由被抢的人坐庄，流局照约定",
    en="in a match: the winner deals next, with several robbers the robbed player, after a 流局 as agreed",
    message_zh="这局应由{due}坐庄，记录是{found}",
    message_en="{due} deals this hand; the record says {found}",
    cite="只有上局胡牌調色字的莊家一方可得到十四張牌",
    reading="R-DEALER",
    options=("draw_dealer",),
)
