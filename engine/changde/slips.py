"""What is mistaken for what when a hand of 常德麻将 is written down."""

from collections.abc import Iterator
from typing import Any

from engine.slips import Slips
from schemas import changde as c
from schemas.repair import Slip

_SUITS = "msp"


def _alike(token: str) -> tuple[str, ...]:
    """The same number in the other suits, then the neighbours in its own."""
    number, suit = int(token[0]), token[1]
    near = [f"{number}{other}" for other in _SUITS if other != suit]
    return tuple(near + [f"{other}{suit}" for other in (number - 1, number + 1) if 1 <= other <= 9])


_LOOK_ALIKES = {token: _alike(token) for suit in _SUITS for token in [f"{number}{suit}" for number in range(1, 10)]}


def look_alikes(token: str) -> tuple[str, ...]:
    """The tiles that this one is mistaken for."""
    return _LOOK_ALIKES.get(token, ())


def rewritten(event: Any) -> Iterator[tuple[Any, Slip]]:
    """Other kinds of 杠, 碰 for 杠, 摸 for 补章, one way to win for the other."""
    if isinstance(event, c.Kong):
        for kind in ("暗", "明", "碰"):
            if kind != event.kind:
                yield c.Kong(actor=event.actor, pai=event.pai, kind=kind, at=event.at), "kind"
        yield c.Peng(actor=event.actor, pai=event.pai, at=event.at), "kind"
    elif isinstance(event, c.Peng | c.Chi):
        yield c.Kong(actor=event.actor, pai=event.pai, kind="明", at=event.at), "kind"
        if isinstance(event, c.Chi):
            yield c.Peng(actor=event.actor, pai=event.pai, at=event.at), "kind"
    elif isinstance(event, c.Draw | c.Replacement):
        other = c.Replacement if isinstance(event, c.Draw) else c.Draw
        yield other(actor=event.actor, pai=event.pai, at=event.at), "kind"
        yield c.Discard(actor=event.actor, pai=event.pai, at=event.at), "kind"
    elif isinstance(event, c.Discard):
        yield c.Draw(actor=event.actor, pai=event.pai, at=event.at), "kind"
    elif isinstance(event, c.Hu):
        kind = "抢杠" if event.kind == "自摸" else "自摸"
        yield c.Hu(actor=event.actor, kind=kind, hand=event.hand, claim=event.claim, at=event.at), "kind"


SLIPS = Slips(amend=c.Amend, insert=c.Insert, look_alikes=look_alikes, rewritten=rewritten)
