"""Which tiles complete a hand that is one short, 红中 included, and how many of each are left (rules §5)."""

from collections.abc import Iterator, Sequence

from engine.changde.deck import COPIES, KINDS, ZHONG
from engine.changde.options import ChangdeRuleset
from engine.changde.packed import BASE, POWERS, RANKS, pack
from engine.changde.tables import HAND_NEEDS, SUIT_NEEDS
from engine.changde.win import concealed_size, plain, wins

EVERY_KIND = (1 << KINDS) - 1


class _Helpful(dict[int, tuple[int, int]]):
    """By packed suit, the ranks of which one tile more saves a wild, as bits: where the suit holds the pair, and where another suit does.

    What the tables imply, kept once asked for; there are no more entries than suits of a hand.
    """

    def __missing__(self, packed: int) -> tuple[int, int]:
        value = SUIT_NEEDS[packed]
        as_pair = as_melds = 0
        for rank, power in enumerate(POWERS[:RANKS]):
            if packed // power % BASE < COPIES:
                more = SUIT_NEEDS[packed + power]
                as_pair |= (HAND_NEEDS[more] < HAND_NEEDS[value]) << rank
                as_melds |= (more // 4 < value // 4) << rank
            else:
                alone, with_pair = _with_fifth(packed, rank)
                as_pair |= (with_pair < HAND_NEEDS[value]) << rank
                as_melds |= (alone < value // 4) << rank
        self[packed] = as_pair, as_melds
        return as_pair, as_melds


def _with_fifth(packed: int, rank: int) -> tuple[int, int]:
    """The least wilds of a suit, without and with the pair, to which a fifth copy of a rank is added.

    Some meld or the pair holds that copy; the tiles that remain without it are in the tables again.
    """
    power = POWERS[rank]
    triple = SUIT_NEEDS[packed - 2 * power]
    alone = triple // 4
    with_pair = min(HAND_NEEDS[triple], SUIT_NEEDS[packed - power] // 4)
    for first in range(max(0, rank - 2), min(rank, RANKS - 3) + 1):
        rest = packed + power
        wilds = 0
        for other in POWERS[first : first + 3]:
            if other == power or packed // other % BASE:
                rest -= other
            else:
                wilds += 1
        value = SUIT_NEEDS[rest]
        alone = min(alone, wilds + value // 4)
        with_pair = min(with_pair, wilds + HAND_NEEDS[value])
    return alone, with_pair


_HELPFUL = _Helpful()


def wait_mask(m: int, s: int, p: int, wilds: int) -> int:
    """The kinds that complete a concealed hand one short of its size, as bits by kind; bit 27 (红中) is set whenever any is.

    One tile more saves one wild or costs two more. So all kinds complete a hand that has two wilds to spare; one that is exactly
    one short needs a tile that saves.
    """
    a, b, c = SUIT_NEEDS[m], SUIT_NEEDS[s], SUIT_NEEDS[p]
    short = HAND_NEEDS[a + b + c] - wilds
    if short > 1:
        return 0
    if short < 1:
        return EVERY_KIND
    return (
        _HELPFUL[m][(b | c) & 1]
        | _HELPFUL[s][(a | c) & 1] << 9
        | _HELPFUL[p][(a | b) & 1] << 18
        | 1 << ZHONG
    )  # fmt: skip


def waits(counts: Sequence[int], melds: int, exposed: Sequence[int], seen: Sequence[int], ruleset: ChangdeRuleset) -> list[tuple[int, int]]:
    """Every kind whose draw lets a player win, with the number of its tiles that are not yet seen (0 allowed), in the order of the kinds.

    ``counts`` and ``exposed`` are count vectors of the concealed hand (13 tiles less three a meld) and of the player's melds;
    ``seen`` counts all tiles that the viewer sees, these included. A hand of another size waits for nothing.
    """
    if sum(counts) + 1 != concealed_size(melds):
        return []
    in_set = EVERY_KIND if ruleset.wild else EVERY_KIND >> 1
    if plain(ruleset) and max(counts) <= COPIES and (ruleset.wild or not counts[ZHONG]):
        mask = wait_mask(*pack(counts), counts[ZHONG])
    else:
        mask = sum(1 << kind for kind in kinds_in(in_set) if _completes(kind, counts, melds, exposed, ruleset))
    return [(kind, max(0, COPIES - seen[kind])) for kind in kinds_in(mask & in_set)]


def kinds_in(mask: int) -> Iterator[int]:
    """The kinds whose bits are set, in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _completes(kind: int, counts: Sequence[int], melds: int, exposed: Sequence[int], ruleset: ChangdeRuleset) -> bool:
    if ruleset.wild and not ruleset.fifth_copy and counts[kind] + exposed[kind] >= COPIES:
        return False
    with_it = list(counts)
    with_it[kind] += 1
    return wins(with_it, melds, exposed, ruleset)
