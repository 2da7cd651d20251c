"""The position of a hand of 常德麻将 as replay shows it, and what each hand waits for (听)."""

from engine.changde.deck import COPIES, KINDS, ZHONG, token
from engine.changde.examine import exposed, forfeited, is_short
from engine.changde.outcome import kongs
from engine.changde.settle import Winner, settle
from engine.changde.state import PHASES, RESPOND, Table
from engine.changde.waits import wait_mask, waits
from engine.changde.win import concealed_size, plain
from engine.knowledge import NOTHING
from engine.truth import NO, YES
from schemas.frame import SeatState, ShownMeld, State, TableCard, Wait

_SEATS = range(4)


def position(t: Table) -> State:
    """The frozen position. Hands are shown as far as they are known."""
    ended = t.ended == YES
    return State(
        phase="ended" if ended else PHASES[t.phase],
        turn=None if ended else t.turn,
        stock=t.wall.left,
        table=_on_table(t),
        seats=[_seat(t, seat) for seat in _SEATS],
        ended=ended,
    )


def _on_table(t: Table) -> TableCard | None:
    """The kong that may be robbed, or the discard that may be claimed."""
    if t.robbable is not None:
        return TableCard(pai=token(t.robbable.tile), actor=t.robbable.actor, how="杠")
    if t.phase == RESPOND and t.card != NOTHING:
        return TableCard(pai=token(t.card), actor=t.owner, how="出")
    return None


def _seat(t: Table, seat: int) -> SeatState:
    known = [token(kind) for kind in range(KINDS) for _ in range(t.at_least(seat, kind))]
    hidden = seat in t.hidden and seat not in t.shown
    return SeatState(
        name=t.names[seat],
        hand=None if hidden else known,
        hidden=t.size[seat] if hidden else t.size[seat] - len(known),
        melds=[ShownMeld(kind=meld.kind, pai=[token(kind) for kind in meld.tiles]) for meld in t.melds[seat]],
        played=[token(kind) for kind in t.played[seat]],
        passed={"碰": [], "吃": []},
    )


def position_waits(t: Table) -> list[Wait]:
    """What every known hand waits for that is one tile short; a hand that cannot win any more waits for nothing."""
    found: list[Wait] = []
    if t.ended == YES:
        return found
    for seat in _SEATS:
        mask = _mask(t, seat)
        if not mask:
            continue
        points = settle([Winner(seat, has_zhong=True)], None, t.dealer, kongs(t, None), (), t.ruleset).points[seat]
        for kind in range(KINDS if t.ruleset.wild else ZHONG):
            if mask >> kind & 1:
                left = max(0, COPIES - t.seen[kind])
                found.append(Wait(seat=seat, pai=token(kind), left=left, own=points, other=None if kind == ZHONG else points))
    return found


def _mask(t: Table, seat: int) -> int:
    """The kinds that complete the seat's hand, as bits by kind; 0 if it is not known, not one short, or may not win."""
    melds = len(t.melds[seat])
    if t.size[seat] + 1 != concealed_size(melds) or t.unseen[seat] or t.lost[seat]:
        return 0
    if is_short(t, seat) or forfeited(t, seat) != NO:
        return 0
    m, s, p, wilds = t.packed[seat]
    if t.exact and plain(t.ruleset) and (t.ruleset.wild or not wilds):
        return wait_mask(m, s, p, wilds)
    return sum(1 << kind for kind, _ in waits(t.hand[seat], melds, exposed(t, seat), t.seen, t.ruleset))
