"""The position of a hand of 偎麻雀 as replay shows it, and what each hand waits for (听)."""

from functools import lru_cache

from engine.knowledge import NOTHING
from engine.truth import YES
from engine.weimaque.deck import KINDS, SHOWN, TOKENS, token
from engine.weimaque.state import BY_DISCARD, ENDED, LOST_CHI, LOST_PENG, PHASES, RESPOND, Table
from engine.weimaque.waits import waits
from engine.weimaque.win import laid
from schemas.frame import SeatState, ShownMeld, State, TableCard, Wait


def position(t: Table) -> State:
    """The frozen position. Hands are shown as far as they are known."""
    ended = t.ended == YES
    return State(
        phase="ended" if ended else PHASES[t.phase],
        turn=None if ended or t.phase == ENDED else t.turn,
        stock=t.stock_left,
        table=None
        if t.card == NOTHING or t.phase not in (RESPOND, ENDED)
        else TableCard(pai=token(t.card), actor=t.owner, how="出" if t.by == BY_DISCARD else "揭"),
        seats=[_seat(t, seat) for seat in range(len(t.names))],
        ended=ended,
    )


def _seat(t: Table, seat: int) -> SeatState:
    known = [TOKENS[kind] for kind, count in enumerate(t.least(seat)) for _ in range(count)]
    return SeatState(
        name=t.names[seat],
        hand=None if seat == t.shouxing or seat in t.hidden else known,
        hidden=t.size[seat] if seat in t.hidden else max(0, t.size[seat] - len(known)),
        melds=[_shown(meld.kind, meld.cards) for meld in t.melds[seat]],
        played=[*map(SHOWN.__getitem__, t.played[seat])],
        passed={
            "碰": [token(kind) for kind in range(KINDS) if t.gone[kind] >> seat + LOST_PENG & 1 and t.at_least(seat, kind) >= 2],
            "吃": [token(kind) for kind in range(KINDS) if t.gone[kind] >> seat + LOST_CHI & 1],
        },
    )


@lru_cache(maxsize=1 << 12)
def _shown(kind: str, cards: tuple[int, ...]) -> ShownMeld:
    return ShownMeld(kind=kind, pai=[SHOWN[card] for card in cards])


def position_waits(t: Table) -> list[Wait]:
    """What every known hand waits for that is one card short; a dead hand waits for nothing."""
    if t.ended == YES:
        return []
    found: list[Wait] = []
    seen: list[int] | None = None
    for seat in t.playing:
        summed = laid(t, seat) if not t.vague(seat) and not t.dead[seat] else None
        if summed is None:
            continue
        seen = _seen(t) if seen is None else seen
        for wait in waits(t.scorer, summed, t.packed[seat], seen, last=t.stock_left == 1, zhe=t.zhe[seat] >= 0):
            found.append(Wait(seat=seat, pai=token(wait.kind), left=max(0, wait.left), own=wait.own, other=wait.other))
    return found


def _seen(t: Table) -> list[int]:
    """By kind, the copies that are known to lie outside the stock."""
    seen = [sum(counts[kind] for counts in t.hand) for kind in range(KINDS)]
    for lying in t.played:
        for kind in lying:
            if kind >= 0:
                seen[kind] += 1
    for melds in t.melds:
        for meld in melds:
            for kind in meld.cards:
                if kind >= 0:
                    seen[kind] += 1
    if t.card >= 0:
        seen[t.card] += 1
    return seen
