"""The position of a hand of 常德麻将 as replay shows it, and what each hand waits for (听)."""

from functools import lru_cache

from engine.changde.deck import COPIES, KINDS, OTHER_HAND, SHOWN, TOKENS, ZHONG, token
from engine.changde.examine import exposed, forfeited, is_short
from engine.changde.outcome import kongs
from engine.changde.packed import suits
from engine.changde.settle import SELF_DRAW, Winner, settle
from engine.changde.state import PHASES, RESPOND, Table
from engine.changde.waits import wait_mask, waits
from engine.changde.win import plain
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
    known = [TOKENS[kind] for kind, count in enumerate(t.least(seat)) for _ in range(count)]
    hidden = seat in t.hidden and seat not in t.shown
    return SeatState(
        name=t.names[seat],
        hand=None if hidden else known,
        hidden=t.size[seat] if hidden else max(0, t.size[seat] - len(known)),
        melds=[_shown(meld.kind, meld.tiles) for meld in t.melds[seat]],
        played=[*map(SHOWN.__getitem__, t.played[seat])],
        passed={"碰": [], "吃": []},
    )


@lru_cache(maxsize=1 << 12)
def _shown(kind: str, cards: tuple[int, ...]) -> ShownMeld:
    return ShownMeld(kind=kind, pai=[SHOWN[card] for card in cards])


def position_waits(t: Table) -> list[Wait]:
    """What every known hand waits for that is one tile short; a hand that cannot win any more waits for nothing."""
    found: list[Wait] = []
    if t.ended == YES:
        return found
    size, laid, unseen, lost = t.size, t.melds, t.unseen, t.lost
    for seat in _SEATS:
        if size[seat] + 3 * len(laid[seat]) != OTHER_HAND or unseen[seat] or lost[seat]:
            continue
        packed = t.packed[seat]
        known_for, kinds = t.wait_kinds[seat]
        if known_for != packed or not t.exact:
            kinds = _completing(t, seat)
            t.wait_kinds[seat] = packed, kinds
        if kinds and not is_short(t, seat) and forfeited(t, seat) == NO:
            seen = t.seen
            asked = (_points(t, seat), kinds, [seen[kind] for kind in kinds])
            if t.seat_waits[seat][0] != asked:
                t.seat_waits[seat] = asked, _waits(seat, *asked)
            found += t.seat_waits[seat][1]
    return found


def _waits(seat: int, points: int, kinds: list[int], seen: list[int]) -> list[Wait]:
    """The waits of a seat, of each of whose kinds so many copies lie outside the wall."""
    return [
        Wait(seat=seat, pai=TOKENS[kind], left=max(0, COPIES - copies), own=points, other=None if kind == ZHONG else points)
        for kind, copies in zip(kinds, seen, strict=True)
    ]


def _points(t: Table, seat: int) -> int:
    """The net points of a 自摸 of the seat, 码 aside; a 抢杠 pays as much."""
    if t.kong_changes == 0:
        return 3 * SELF_DRAW
    if t.win_points[0] != t.kong_changes:
        scoring = kongs(t, None)
        pays = [settle([Winner(winner, has_zhong=True)], None, t.dealer, scoring, (), t.ruleset).points[winner] for winner in _SEATS]
        t.win_points = t.kong_changes, pays
    return t.win_points[1][seat]


def _completing(t: Table, seat: int) -> list[int]:
    """The kinds that complete a known hand that is one tile short."""
    m, s, p, wilds = suits(t.packed[seat])
    if not (t.exact and plain(t.ruleset) and (t.ruleset.wild or not wilds)):
        return [kind for kind, _ in waits(t.hand[seat], len(t.melds[seat]), exposed(t, seat), t.seen, t.ruleset)]
    mask = wait_mask(m, s, p, wilds)
    return [kind for kind in range(KINDS if t.ruleset.wild else ZHONG) if mask >> kind & 1] if mask else []
