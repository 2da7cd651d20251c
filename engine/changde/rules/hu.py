"""Rules about 胡: whether a win is one, and whether what was declared agrees."""

from bisect import bisect_right

from engine.changde.deck import INDEX, KINDS, token
from engine.changde.examine import examine, withheld
from engine.changde.outcome import settled
from engine.changde.rules.facts import due, hand_needed, moment
from engine.changde.settle import Settlement
from engine.changde.state import RESPOND, Table
from engine.knowledge import NOTHING
from engine.rule import Explanation, Rule
from engine.truth import NO, UNKNOWN, YES, Truth, both, known
from schemas import changde as c


def _no_own_draw(t: Table, p: int, k: int, e: c.Hu) -> Truth:
    return examine(t, p, e).no_own_draw


def _explain_source(t: Table, p: int, k: int, e: c.Hu) -> Explanation:
    if t.phase == RESPOND:
        owner, pai = t.names[t.owner], token(t.card)
        why = {"zh": f"{owner}打出的{pai}只能碰、杠，不能胡", "en": f"{owner}'s discard {pai} can be claimed for 碰 or 杠, not won on"}
    else:
        why = due(t)
    return Explanation(params={"why": why}, because=moment(t))


def _no_shape(t: Table, p: int, k: int, e: c.Hu) -> Truth:
    return examine(t, p, e).no_shape


def _explain_shape(t: Table, p: int, k: int, e: c.Hu) -> Explanation:
    robbed = examine(t, p, e).robbed
    tiles = _hand(t, p) + ([] if robbed is None else [token(robbed.tile)])
    return Explanation(
        params={"tiles": " ".join(tiles), "count": len(tiles) + 3 * len(t.melds[p])},
        because=() if robbed is None else (robbed.seq,),
        needs=hand_needed(t, p),
    )


def _hand(t: Table, p: int) -> list[str]:
    """The tiles of the hand as far as they are known, then ``"?"``."""
    tiles: list[str] = [token(kind) for kind in range(KINDS) for _ in range(t.at_least(p, kind))]
    return tiles + ["?"] * (t.size[p] - len(tiles))


def _short(t: Table, p: int, k: int, e: c.Hu) -> Truth:
    return examine(t, p, e).short


def _explain_short(t: Table, p: int, k: int, e: c.Hu) -> Explanation:
    kong = t.owed if t.owed is not None and t.owed.actor == p else t.short[p][0]
    return Explanation(params={"kong": kong.kind, "tile": token(kong.tile), "made": kong.seq}, because=(kong.seq,))


def _forfeited(t: Table, p: int, k: int, e: c.Hu) -> Truth:
    return examine(t, p, e).forfeited


def _explain_forfeited(t: Table, p: int, k: int, e: c.Hu) -> Explanation:
    seq = t.zhong_played[p]
    if seq < 0:
        return Explanation(params={"when": {"zh": "可能", "en": "perhaps"}}, needs=({"seat": p, "question": "discards"},))
    return Explanation(params={"when": {"zh": f"第{seq}号事件", "en": f"at event {seq}"}}, because=(seq,))


def _shown(t: Table, p: int, k: int, e: c.Hu) -> Truth:
    return examine(t, p, e).not_as_shown


def _shown_openly(t: Table, p: int, k: int, e: c.Show) -> Truth:
    return t.shown_otherwise(p, [INDEX[pai] for pai in e.pai])


def _explain_shown(t: Table, p: int, k: int, e: c.Hu | c.Show) -> Explanation:
    left = _hand(t, p)
    aside = withheld(t, p) if isinstance(e, c.Hu) and e.kind == "自摸" else NOTHING
    if aside != NOTHING and token(aside) in left:
        left.remove(token(aside))
    shown = e.pai if isinstance(e, c.Show) else e.hand
    return Explanation(params={"left": " ".join(left), "shown": " ".join(shown) if isinstance(shown, list) else ""})


def _declared(e: c.Hu) -> int | None:
    """The points that the winner declared, if he did."""
    claim = e.claim
    return claim.points if isinstance(claim, c.Claim) and isinstance(claim.points, int) else None


def _settlement(t: Table, p: int, e: c.Hu) -> Settlement | None:
    """What the win pays, with the 码 that the log goes on to flip; None if that is not known."""
    return settled(t, [examine(t, p, e)], _ma_ahead(t))


def _ma_ahead(t: Table) -> list[int]:
    """The 码 that the log goes on to flip, as many as the wall could have. The log is gone through once, whoever else declares a win."""
    if t.ma_ahead is None:
        events = t.log.events
        flips = [(at, INDEX[pai]) for at in range(t.at + 1, len(events)) if isinstance(events[at], c.Ma) for pai in events[at].pai]
        t.ma_ahead = [at for at, _ in flips], [kind for _, kind in flips]
    places, kinds = t.ma_ahead
    first = bisect_right(places, t.at)
    return kinds[first : first + len(t.wall.kinds)]


def claim_points(t: Table, p: int, k: int, e: c.Hu) -> Truth:
    """Whether the points declared are not what the win pays."""
    declared = _declared(e)
    if declared is None or not (valid := examine(t, p, e).valid):
        return NO
    settlement = _settlement(t, p, e)
    return both(valid, UNKNOWN if settlement is None else known(settlement.points[p] != declared))


def _explain_points(t: Table, p: int, k: int, e: c.Hu) -> Explanation:
    settlement = _settlement(t, p, e)
    said = _declared(e)
    if settlement is None:
        if examine(t, p, e).valid != YES:
            return Explanation(params={"said": said, "right": {"zh": "还不知道能不能胡", "en": "whether it is a win is not known"}})
        unknown = {"zh": "奖码还不知道", "en": "not known before the 码 are"}
        return Explanation(params={"said": said, "right": unknown}, needs=({"question": "ma"},))
    points = settlement.points[p]
    return Explanation(params={"said": said, "points": points, "right": {"zh": f"应为{points}", "en": f"it is {points}"}})


HU_SOURCE = Rule(
    id="cd-hu-source",
    kind="violation",
    zh="胡的是自己摸的、补的牌，或抢别人的杠",
    en="the win is on one's own draw or replacement, or robs a kong",
    message_zh="{who}这时没有自己摸的牌可胡：{why[zh]}",
    message_en="{who} has no draw of his own to win on: {why[en]}",
    cite="胡牌只有兩種情況，一是自摸胡牌，二是搶槓胡牌……其他玩家放出來的子不能胡，只能碰或槓",
    breach={c.Hu: _no_own_draw},
    explain=_explain_source,
)

HU_SHAPE = Rule(
    id="cd-hu-shape",
    kind="violation",
    zh="十四张成四句话加一对将",
    en="14 tiles make four melds and a pair",
    message_zh="{who}的牌不成四句话加一对将（手中{tiles}，连桌上共{count}张）",
    message_en="{who}'s tiles make no four melds and a pair (in hand {tiles}; {count} with those on the table)",
    cite="胡牌時，必須是有任意一對牌做將，然後其他牌組成三個順子一句話或者三個同樣子一句話",
    options=("fifth_copy", "seven_pairs", "four_zhong_wins"),
    breach={c.Hu: _no_shape},
    explain=_explain_shape,
)

HU_SHORT = Rule(
    id="cd-hu-short",
    kind="violation",
    zh="胡的人不欠补章，也没有无效的杠使他少牌",
    en="the winner owes no 补章, and no void kong left his hand short",
    message_zh="{who}第{made}号事件{kong}{tile}没有补章，少一张牌，不能胡",
    message_en="{who} has not drawn the 补章 of the {kong} of {tile} at event {made}: one tile short, the hand cannot win",
    cite="如果沒有及時補章，則暗槓無效，最後不作為計牌依據",
    reading="R-VOID",
    breach={c.Hu: _short},
    explain=_explain_short,
)

HU_FORFEIT = Rule(
    id="cd-hu-forfeit",
    kind="violation",
    zh="本桌打出红中的人这局不能胡",
    en="where the table plays so, the winner discarded no 红中",
    message_zh="{who}{when[zh]}打出过红中，本桌这样就不能胡",
    message_en="{who} discarded 红中 {when[en]}, and at this table may not win then",
    cite="在組成玩牌時，紅中可以替代任意一個子來玩",
    reading="R-ZHONG",
    options=("discard_zhong_forfeits",),
    breach={c.Hu: _forfeited},
    explain=_explain_forfeited,
)

HU_SHOWN = Rule(
    id="cd-hu-shown",
    kind="impossible",
    contradicts="shown",
    zh="亮出的牌就是记录里他手中的牌",
    en="the tiles shown (胡 hand, 亮) are those the record leaves the player",
    message_zh="{who}亮出{shown}，可按记录应是{left}",
    message_en="{who} shows {shown}, but by the record it is {left}",
    cite="",
    breach={c.Hu: _shown, c.Show: _shown_openly},
    explain=_explain_shown,
)

CLAIM_POINTS = Rule(
    id="cd-claim-points",
    kind="violation",
    zh="胡的人报的分与算出的相同",
    en="what the winner of a valid win declared equals what is computed",
    message_zh="{who}报{said}分，{right[zh]}",
    message_en="{who} declares {said} points; {right[en]}",
    cite="自摸後，其他玩家要付給自摸者每家2分……由槓牌的玩家全賠自摸的牌資，三方每家2分總計6分",
    breach={c.Hu: claim_points},
    explain=_explain_points,
)
