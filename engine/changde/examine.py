"""A 胡 in the position: whether it is one, and why not, as far as the hand is known."""

from collections.abc import Callable
from itertools import chain

import msgspec

from engine.changde.deck import COPIES, INDEX, KINDS, ZHONG
from engine.changde.packed import ONE, pack, suits
from engine.changde.state import OPENING, REPLACEMENT, ROB, TURN, Meld, Table
from engine.changde.waits import EVERY_KIND, kinds_in, wait_mask
from engine.changde.win import complete, concealed_size, plain, wins
from engine.knowledge import NOTHING
from engine.truth import NO, UNKNOWN, YES, Truth, both, either, known, negation
from schemas.changde import Hu


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """A claimed 胡. ``valid``: it stands; the other answers say for each rule whether it is broken.

    ``robbed`` is the kong of a 抢杠. ``has_zhong``: whether there is a 红中 among the winner's tiles.
    """

    actor: int
    robbed: Meld | None
    valid: Truth
    no_own_draw: Truth
    no_window: Truth
    no_shape: Truth
    short: Truth
    forfeited: Truth
    not_as_shown: Truth
    has_zhong: Truth


def at_own_draw(t: Table, seat: int) -> bool:
    """Whether the seat has just drawn, or is the dealer before his first action."""
    return t.turn == seat and t.phase in (TURN, ROB, OPENING, REPLACEMENT)


def withheld(t: Table, seat: int) -> int:
    """The kind of the tile that a 自摸 of the seat would win on, which is not among the tiles shown; ``NOTHING`` if it has no such tile."""
    return t.drawn if t.turn == seat and t.phase in (TURN, ROB) else NOTHING


def has_won(t: Table, seat: int) -> bool:
    """Whether the seat has a win that is not refuted."""
    return any(win.actor == seat for win in t.wins)


def is_short(t: Table, seat: int) -> bool:
    """Whether the seat owes a 补章 or has lost one for good."""
    return bool(t.short[seat]) or (t.owed is not None and t.owed.actor == seat)


def forfeited(t: Table, seat: int) -> Truth:
    """Whether the seat may not win because it discarded 红中 (R-ZHONG)."""
    if not (t.ruleset.discard_zhong_forfeits and t.ruleset.wild):
        return NO
    return YES if t.zhong_played[seat] >= 0 else UNKNOWN if t.blank[seat] else NO


def completes(t: Table, seat: int, taken: int = NOTHING) -> Truth:
    """Whether the hand of the seat is complete, the tile ``taken`` from elsewhere included; without one the seat is at its own draw."""
    melds = len(t.melds[seat])
    if seat in t.unsure:
        return UNKNOWN
    if t.size[seat] + (taken != NOTHING) != concealed_size(melds):
        return NO
    if not t.vague(seat) and taken != -1:
        if t.exact and plain(t.ruleset) and (taken < 0 or t.hand[seat][taken] < COPIES):
            m, s, p, wilds = suits(t.packed[seat] + (ONE[taken] if taken >= 0 else 0))
            return NO if (wilds and not t.ruleset.wild) or not complete(m, s, p, wilds) else YES
        return known(_wins(t, seat, _counts(t, seat, taken), taken == NOTHING))
    return _may_complete(t, seat, taken)


def _counts(t: Table, seat: int, taken: int) -> list[int]:
    counts = t.least(seat)
    if taken >= 0:
        counts[taken] += 1
    return counts


def exposed(t: Table, seat: int) -> list[int]:
    """The count vector of the seat's melds, unknown tiles left out."""
    counts = [0] * KINDS
    for meld in t.melds[seat]:
        for kind in meld.tiles:
            if kind >= 0:
                counts[kind] += 1
    return counts


def _wins(t: Table, seat: int, counts: list[int], own_draw: bool, unseen: int = 0) -> bool:
    return wins(counts, len(t.melds[seat]), exposed(t, seat), t.ruleset, own_draw=own_draw, unseen=unseen)


def _may_complete(t: Table, seat: int, taken: int) -> Truth:
    """As ``completes`` where some tiles are not known: no if not even the best tiles would do, yes if the worst would."""
    if taken == NOTHING and t.exact and plain(t.ruleset) and t.holds_no_other(seat):
        # The same, asked by what is packed already.
        unseen = t.size[seat] - sum(t.hand[seat])
        m, s, p, wilds = suits(t.packed[seat])
        if unseen < 0 or (wilds and not t.ruleset.wild) or not complete(m, s, p, wilds + unseen):
            return NO
        if unseen > 1:
            return UNKNOWN
        mask = wait_mask(m, s, p, wilds)
        return _last_tile(t, seat, taken, mask, lambda kind: mask >> kind & 1)
    counts = _counts(t, seat, taken)
    own_draw = taken == NOTHING
    unseen = t.size[seat] + (not own_draw) - sum(counts)
    if unseen < 0 or not _wins(t, seat, counts, own_draw, unseen):
        return NO
    if not t.ruleset.fifth_copy and any(-1 in meld.tiles for meld in t.melds[seat]):
        return UNKNOWN
    if unseen == 0:
        return YES
    if unseen > 1:
        return UNKNOWN
    in_tables = max(counts[:ZHONG]) <= COPIES
    likely = wait_mask(*pack(counts), counts[ZHONG]) if in_tables else 0
    if in_tables and plain(t.ruleset) and (t.ruleset.wild or not counts[ZHONG]):
        return _last_tile(t, seat, taken, likely, lambda kind: likely >> kind & 1)

    def answer(kind: int) -> bool:
        counts[kind] += 1
        is_won = _wins(t, seat, counts, own_draw)
        counts[kind] -= 1
        return is_won

    return _last_tile(t, seat, taken, likely, answer)


def _last_tile(t: Table, seat: int, taken: int, likely: int, completes: Callable[[int], object]) -> Truth:
    """Whether the last tile ``completes`` the hand: the unseen one of the hand, or the unknown one ``taken``. Kinds that are ``likely`` to
    (a bit each) are asked about first, others to find one that does not.
    """

    def may_be(kind: int) -> bool:
        return taken == -1 or t.at_most(seat, kind) > t.at_least(seat, kind)

    unlikely = EVERY_KIND & ~likely
    yes = any(may_be(kind) and completes(kind) for kind in chain(kinds_in(likely), kinds_in(unlikely)))
    no = any(may_be(kind) and not completes(kind) for kind in chain(kinds_in(unlikely), kinds_in(likely)))
    return UNKNOWN if yes == no else known(yes)


def could_rob(t: Table, seat: int) -> Truth:
    """Whether the seat could win on the kong that may be, or will be, robbed."""
    kong = t.robbable or t.owed
    if kong is None or kong.actor == seat or is_short(t, seat):
        return NO
    return both(completes(t, seat, kong.tile), negation(forfeited(t, seat)))


def examine(t: Table, seat: int, event: Hu) -> Examined:
    """Examine the claim of ``event`` in this position. The answer is kept, since several rules and ``evolve`` ask for it."""
    if t.examined is None or t.examined[0] != t.seq or t.examined[1] is not event:
        t.examined = (t.seq, event, _examine(t, seat, event))
    return t.examined[2]


def _examine(t: Table, seat: int, event: Hu) -> Examined:
    robbed: Meld | None = None
    no_own_draw: Truth = NO
    no_window: Truth = NO
    taken = NOTHING
    if event.kind == "自摸":
        no_own_draw = known(not at_own_draw(t, seat))
    else:
        robbed = t.robbable
        if robbed is None or robbed.actor == seat:
            no_window = YES
        else:
            taken = robbed.tile
    short = known(is_short(t, seat))
    unasked = no_own_draw == YES or no_window == YES or short == YES
    no_shape = NO if unasked else negation(completes(t, seat, taken))
    no_right = forfeited(t, seat)
    not_as_shown: Truth = NO
    if isinstance(event.hand, list):
        aside = withheld(t, seat) if event.kind == "自摸" else NOTHING
        not_as_shown = t.shown_otherwise(seat, [INDEX[token] for token in event.hand], aside)
    broken = either(either(either(no_own_draw, no_window), either(short, no_shape)), either(no_right, not_as_shown))
    return Examined(
        actor=seat,
        robbed=robbed,
        valid=negation(broken),
        no_own_draw=no_own_draw,
        no_window=no_window,
        no_shape=no_shape,
        short=short,
        forfeited=no_right,
        not_as_shown=not_as_shown,
        has_zhong=t.holds(seat, ZHONG, 1),
    )
