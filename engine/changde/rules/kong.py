"""Rules about 杠."""

from engine.changde.rules.facts import SPENT, due, hand_needed, last_discard, lying, moment, on_table
from engine.changde.state import DISCARD, OPENING, REPLACEMENT, RESPOND, ROB, TURN, Table
from engine.rule import Explanation, Rule
from engine.truth import NO, UNKNOWN, YES, Truth, both, negation
from schemas import changde as c


def _own_moment(t: Table, p: int) -> bool:
    """Whether this is a moment for a 杠 of one's own tiles."""
    if p != t.turn:
        return False
    return t.phase in (TURN, ROB, OPENING, REPLACEMENT) or (t.phase == DISCARD and t.ruleset.kong_after_peng)


def _target(t: Table, p: int, k: int, e: c.Kong) -> Truth:
    if e.kind == "明":
        return YES if p == t.owner else negation(on_table(t, k))
    if not _own_moment(t, p):
        return YES
    return negation(both(_joins(t, p, k), _fresh(t, k))) if e.kind == "碰" else NO


def _joins(t: Table, p: int, k: int) -> Truth:
    """Whether the player has a 碰 of the kind."""
    if p in t.unsure:
        return UNKNOWN
    pengs = t.pengs(p)
    if k < 0:
        return UNKNOWN if pengs else NO
    return YES if k in pengs else UNKNOWN if -1 in pengs else NO


def _fresh(t: Table, k: int) -> Truth:
    """Whether the tile was just drawn, or may have been drawn earlier."""
    if t.ruleset.added_kong_any or t.phase == REPLACEMENT:
        return YES
    if t.drawn < -1 or t.phase not in (TURN, ROB):
        return NO
    return UNKNOWN if t.drawn < 0 or k < 0 else YES if t.drawn == k else NO


def _explain_target(t: Table, p: int, k: int, e: c.Kong) -> Explanation:
    because = moment(t)
    if e.kind == "明":
        own = t.phase == RESPOND and p == t.owner
        why = {"zh": "自己打出的牌不能杠", "en": "one's own discard cannot be claimed"} if own else lying(t)
    elif p == t.turn and t.phase == DISCARD and not t.ruleset.kong_after_peng:
        why = {"zh": "刚碰了牌，出牌之前不能杠", "en": "between a 碰 and the discard that follows it there is no 杠"}
        because = (t.melds[p][-1].seq,)
    elif not _own_moment(t, p):
        why = due(t)
    elif _joins(t, p, k) != YES:
        why = {"zh": f"{t.names[p]}没有碰过它", "en": f"{t.names[p]} has no 碰 of it"}
    else:
        because = (t.pengs(p)[k][0].seq,)
        why = {"zh": "碰杠只能用刚摸到的牌", "en": "a 碰杠 takes the tile just drawn"}
    return Explanation(params={"kong": f"{e.kind}杠", "why": why}, because=because, needs=hand_needed(t, p))


def _held(t: Table, p: int, k: int, e: c.Kong) -> Truth:
    count = SPENT[e.kind]
    if k < 0:
        return NO if t.size[p] >= count else YES
    return negation(t.holds(p, k, count))


def _explain_held(t: Table, p: int, k: int, e: c.Kong) -> Explanation:
    count = SPENT[e.kind]
    return Explanation(
        params={"kong": f"{e.kind}杠", "count": count, "have": t.at_most(p, k) if k >= 0 else t.size[p]}, needs=hand_needed(t, p, k, count)
    )


def _replaceable(t: Table, p: int, k: int, e: c.Kong) -> Truth:
    return NO if t.wall.left > 0 else YES


def _explain_replaceable(t: Table, p: int, k: int, e: c.Kong) -> Explanation:
    if last_discard(t):
        why = {"zh": "最后打出的牌不能要", "en": "the discard after the last tile cannot be claimed"}
    else:
        why = {"zh": "牌墙已经摸完", "en": "the wall is empty"}
    return Explanation(params={"kong": f"{e.kind}杠", "why": why}, because=moment(t))


KONG_TARGET = Rule(
    id="cd-kong-target",
    kind="violation",
    zh="暗杠、碰杠在自己摸牌之后，碰杠用刚摸到的牌加在自己的碰上，明杠要桌上别人打出的牌",
    en="暗杠 and 碰杠 follow one's own draw, 碰杠 adds the tile just drawn to one's own 碰, 明杠 takes another's discard on the table",
    message_zh="{who}此时不能{kong}{pai}：{why[zh]}",
    message_en="{who} may not make a {kong} of {pai} now: {why[en]}",
    cite="自己手中有三張一樣的牌，然後又自摸起一張同樣的牌……當自己摸牌時摸到自己已經碰在桌面的明牌時，就可以槓牌",
    reading="R-KONG",
    options=("added_kong_any", "kong_after_peng"),
    breach={c.Kong: _target},
    explain=_explain_target,
)

KONG_HELD = Rule(
    id="cd-kong-held",
    kind="impossible",
    contradicts="held",
    zh="暗杠手中有四张，明杠三张，碰杠一张",
    en="a 暗杠 has four in hand, a 明杠 three, a 碰杠 one",
    message_zh="{who}{kong}{pai}要手中有{count}张，却只有{have}张",
    message_en="{who} needs {count} {pai} in hand for the {kong} and has {have}",
    cite="當自己手中有三張同樣的牌，而此時桌面上其他玩家放出一張同樣的牌時，就可以槓牌",
    breach={c.Kong: _held},
    explain=_explain_held,
)

KONG_REPLACEABLE = Rule(
    id="cd-kong-replaceable",
    kind="violation",
    zh="杠的时候牌墙还有牌可以补章",
    en="a tile is left for the 补章",
    message_zh="{who}不能{kong}{pai}：{why[zh]}，没有牌补章",
    message_en="{who} may not make a {kong} of {pai}: {why[en]}, so that none is left for the 补章",
    cite="然後從所有待摸的牌最尾巴上摸最後上面一隻牌放入自己的牌中，稱之為“補章”",
    breach={c.Kong: _replaceable},
    explain=_explain_replaceable,
    moment=True,
)
