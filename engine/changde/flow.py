"""How tiles move at 常德麻将: from both ends of the wall into hands, and out of hands."""

from itertools import islice
from typing import Any

from engine.changde.aside import asides
from engine.changde.deck import ZHONG, copies_of_each
from engine.changde.hindsight import due_size
from engine.changde.ma import undealt
from engine.changde.options import ruleset
from engine.changde.packed import RANKS
from engine.changde.state import Table
from engine.changde.wall import Wall
from engine.flow import Flow
from engine.log import EffectiveLog
from schemas import changde as c
from schemas import events as shared


def taken(log: EffectiveLog, size: int) -> dict[int, tuple[int, ...]]:
    """The places in the wall of every 摸, 补章 and 奖码, by its place in the effective log."""
    wall = Wall([-1] * size, linear=ruleset(log.events[0].rules).tail_order == "linear")
    flipped = 0
    places: dict[int, tuple[int, ...]] = {}
    for at, event in enumerate(log.events):
        if isinstance(event, c.Draw | c.Replacement) and wall.left > 0:
            places[at] = (wall.draw() if isinstance(event, c.Draw) else wall.replace(),)
        elif isinstance(event, c.Hu):
            flipped = 0
        elif isinstance(event, c.Ma):
            places[at] = tuple(islice(wall.coming(), flipped, flipped + len(event.pai)))
            flipped += len(event.pai)
    return places


_SPENT = {"暗": 4, "明": 3, "碰": 1}


def spent(event: Any) -> tuple[str, ...]:
    """The tokens that the event takes out of the actor's hand."""
    if isinstance(event, c.Discard):
        return (event.pai,)
    if isinstance(event, c.Peng):
        return (event.pai, event.pai)
    if isinstance(event, c.Kong):
        return (event.pai,) * _SPENT[event.kind]
    return tuple(event.consumed) if isinstance(event, c.Chi) else ()


def _copies(start: c.Start) -> list[int]:
    return copies_of_each(wild=ruleset(start.rules).wild)


def completing(t: Table, seat: int, event: Any) -> int:
    """The tile of the kong that a 抢杠 takes; at a 自摸 it is in the hand."""
    kong = t.robbable or t.owed
    return kong.tile if kong is not None and isinstance(event, c.Hu | shared.Call) and getattr(event, "kind", "抢杠") == "抢杠" else -1


FLOW = Flow(
    lying="wall",
    dealt=lambda hands, lying: c.Deal(hands=hands, wall=lying),
    copies=_copies,
    hand_size=due_size,
    lying_size=lambda start: undealt(ruleset(start.rules)),
    taken=taken,
    into_hand=True,
    spent=spent,
    asides=lambda log, size: asides(log.events, size),
    by_order=frozenset(("cd-ma-tiles", "cd-claim-points", "cd-settle")),
    completing=completing,
    suit=RANKS,
    wild_kinds=(ZHONG,),
    barred=None,
)
