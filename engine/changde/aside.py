"""The tile that a 自摸 wins on, which is not among the tiles shown with it: told by the order of the events alone."""

from collections.abc import Sequence
from typing import Any

from schemas import changde as c
from schemas import events as shared

NOBODY = -1
NONE = -1


def asides(events: Sequence[Any], wall: int) -> dict[int, int]:
    """By the place in an effective log, whose ``events`` these are, of every 自摸: the place of the 摸 or 补章 that brought the tile which
    it holds aside, if there is one; ``wall`` is the number of tiles in the wall. The fold says the same of each (``examine.withheld``),
    unless another 胡 stands behind the same draw: whether that ended the hand, the events do not tell, and it is left out."""
    found: dict[int, int] = {}
    turn, responding, drawn = events[0].dealer, False, NONE
    owed, late = NOBODY, False
    left = wall
    claimed = False
    for at, event in enumerate(events):
        kind: type[Any] = event.__class__
        if kind is c.Hu:
            if event.kind == "自摸" and event.actor == turn and not responding and drawn != NONE and not claimed:
                found[at] = drawn
            claimed = True
            continue
        if kind is shared.Exhausted:
            drawn = NONE
        if kind not in _ACTS:
            continue
        claimed = False
        seat: int = event.actor
        was_owed, was_late = owed, late
        if owed == seat:
            late = True
        else:
            owed = NOBODY
        if kind is c.Discard:
            responding, drawn = True, NONE
        elif kind is c.Draw:
            left -= left > 0
            turn, responding, drawn = seat, False, at
        elif kind is c.Replacement:
            left -= left > 0
            is_due = was_owed == seat
            if is_due:
                owed = NOBODY
            if not was_late if is_due else turn == seat and not responding:
                drawn = at
        else:
            turn, responding, drawn = seat, False, NONE
            if kind is c.Kong:
                owed, late = seat if left > 0 else NOBODY, False
    return found


_ACTS = frozenset((c.Discard, c.Draw, c.Replacement, c.Chi, c.Peng, c.Kong))
