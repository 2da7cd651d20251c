"""What is mistaken for what when a hand of 偎麻雀 is written down."""

from collections.abc import Iterator
from typing import Any

from engine.slips import Slips
from engine.weimaque.deck import INDEX, KINDS, TOKENS
from engine.weimaque.packed import RANKS
from engine.weimaque.rules.chi import runs_with
from schemas import weimaque as w
from schemas.repair import Slip

_ALIKE_IN_A_SUIT = ((0, 1), (1, 2), (6, 9), (0, 6), (0, 9))
"""Ranks whose small characters differ by a stroke: 一二, 二三, 七十, 一七, 一十."""


def _alike(kind: int) -> tuple[str, ...]:
    """The same number in the other suit, then characters of the same suit that look like it or count one more or less."""
    suit, rank = divmod(kind, RANKS)
    near = [rank - 1, rank + 1]
    if suit == 0:
        near += [other for pair in _ALIKE_IN_A_SUIT if rank in pair for other in pair if other != rank]
    found = [(1 - suit) * RANKS + rank] + [suit * RANKS + other for other in dict.fromkeys(near) if 0 <= other < RANKS]
    return tuple(TOKENS[other] for other in found)


_LOOK_ALIKES = {TOKENS[kind]: _alike(kind) for kind in range(KINDS)}


def look_alikes(token: str) -> tuple[str, ...]:
    """The cards that this one is mistaken for."""
    return _LOOK_ALIKES.get(token, ())


def rewritten(event: Any) -> Iterator[tuple[Any, Slip]]:
    """出 for 揭, 碰 for 栽 and the like, and the other runs of a 吃."""
    if isinstance(event, w.Chi):
        kind = INDEX[event.pai]
        used = sorted(event.consumed)
        for a, b in runs_with(kind) if kind >= 0 else ():
            run: Any = [TOKENS[a], TOKENS[b]]
            if sorted(run) != used:
                yield w.Chi(actor=event.actor, pai=event.pai, consumed=run, at=event.at), "consumed"
        for other in (w.Peng, w.Wei):
            yield other(actor=event.actor, pai=event.pai, at=event.at), "kind"
    elif isinstance(event, w.Discard):
        yield w.Reveal(actor=event.actor, pai=event.pai, at=event.at), "kind"
    elif isinstance(event, w.Reveal):
        yield w.Discard(actor=event.actor, pai=event.pai, at=event.at), "kind"
    elif isinstance(event, w.Peng | w.Wei):
        other = w.Wei if isinstance(event, w.Peng) else w.Peng
        yield other(actor=event.actor, pai=event.pai, at=event.at), "kind"
        kind = INDEX[event.pai]
        for a, b in runs_with(kind) if kind >= 0 else ():
            yield w.Chi(actor=event.actor, pai=event.pai, consumed=[TOKENS[a], TOKENS[b]], at=event.at), "kind"


SLIPS = Slips(amend=w.Amend, insert=w.Insert, look_alikes=look_alikes, rewritten=rewritten)
