"""Facts about the position that several rules ask for."""

from typing import Any

from engine.changde.deck import token
from engine.changde.state import DISCARD, OPENING, REPLACEMENT, RESPOND, ROB, Table
from engine.knowledge import NOTHING
from engine.truth import NO, UNKNOWN, YES, Truth

ACTS: dict[str, str] = {"出": "discard", "摸": "draw", "碰": "碰", "杠": "杠", "补章": "draw a 补章", "吃": "吃", "胡": "declare 胡"}
"""The playing actions, and what they are called in an English sentence."""

SPENT = {"暗": 4, "明": 3, "碰": 1}
"""How many tiles each kind of 杠 takes from the hand."""


def on_table(t: Table, kind: int) -> Truth:
    """Whether the discard on the table is of this kind."""
    if t.phase != RESPOND or t.card == NOTHING:
        return NO
    if kind < 0 or t.card < 0:
        return UNKNOWN
    return YES if t.card == kind else NO


def last_discard(t: Table) -> bool:
    """Whether the discard on the table is the one after the last tile of the wall, which nobody may claim."""
    return t.phase == RESPOND and t.wall.left == 0


def lying(t: Table) -> dict[str, str]:
    """What lies on the table, zh and en, for messages."""
    if t.phase != RESPOND or t.card == NOTHING:
        return {"zh": "桌上没有打出的牌", "en": "no discard is on the table"}
    name, pai = t.names[t.owner], token(t.card)
    return {"zh": f"桌上是{name}打出的{pai}", "en": f"the discard on the table is {name}'s {pai}"}


def due(t: Table) -> dict[str, str]:
    """What the moment offers, zh and en, for messages."""
    name = t.names[t.turn]
    if t.phase == OPENING:
        return {"zh": f"该庄家{name}出牌（或自摸、暗杠）", "en": f"the dealer {name} is to discard (or to win, or to 暗杠)"}
    if t.phase == DISCARD:
        return {"zh": f"{name}碰了牌，该出牌", "en": f"{name} made a 碰 and is to discard"}
    if t.phase == RESPOND:
        if last_discard(t):
            return {
                "zh": "牌已摸完，最后打出的牌不能要，该流局",
                "en": "the wall is empty and its last discard cannot be claimed: the hand is a 流局",
            }
        said = lying(t)
        return {"zh": f"{said['zh']}，没有人要就该{name}摸牌", "en": f"{said['en']}; unless it is claimed, {name} is to draw"}
    if t.phase == REPLACEMENT:
        return {"zh": f"该{name}补章", "en": f"{name} is to draw the 补章"}
    if t.phase == ROB:
        return {
            "zh": f"{name}补了章，没有人抢杠就该{name}出牌",
            "en": f"{name} has drawn the 补章; unless the kong is robbed, {name} is to act",
        }
    return {"zh": f"该{name}出牌（或自摸、杠）", "en": f"{name} is to discard (or to win, or to 杠)"}


def moment(t: Table) -> tuple[int, ...]:
    """The earlier seq that makes this moment what it is."""
    if t.phase == RESPOND:
        return (t.card_seq,)
    return (t.owed.seq,) if t.phase == REPLACEMENT and t.owed is not None else ()


def hand_needed(t: Table, seat: int, kind: int = -1, count: int = 0) -> tuple[dict[str, Any], ...]:
    """The open condition of a merely possible finding: the seat's hand, or so many tiles of a kind in it."""
    if not t.vague(seat):
        return ()
    if kind < 0:
        return ({"seat": seat, "question": "hand", "unknown": t.unseen[seat] + t.lost[seat]},)
    return ({"seat": seat, "kind": token(kind), "count": count},)
