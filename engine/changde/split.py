"""One way to divide a winning hand into melds and a pair, with the tile that each 红中 stands for."""

from collections.abc import Iterator, Sequence

from engine.changde.deck import COPIES, ZHONG, token
from engine.changde.least import NEVER
from engine.changde.options import ChangdeRuleset
from engine.changde.packed import RANKS
from engine.changde.win import concealed_size, limits, unpaired
from schemas.base import UNSET
from schemas.verify import Group

RUN = "顺子"
TRIPLE = "刻子"
PAIR = "将"
SEVEN_PAIRS = "对子"
FOUR_ZHONG = "四红中"
LOOSE = "散牌"

_Part = tuple[str, tuple[int, ...], tuple[int, ...]]
"""A group: its name, the kinds it is read as, and how many of the hand's own tiles fill each place (1 or 0, then a 红中 does)."""


def split(counts: Sequence[int], melds: int, exposed: Sequence[int], ruleset: ChangdeRuleset, *, own_draw: bool = True) -> list[Group]:
    """One division of the concealed tiles of a hand that ``engine.changde.win.wins`` accepts (same arguments), the pair last; empty
    if it does not.

    Groups are named 顺子, 刻子, 将; the other wins of the ruleset show as 对子, or as 四红中 and 散牌. 红中 are used last and stand
    for themselves where nothing else is wanted.
    """
    if sum(counts) != concealed_size(melds) or (counts[ZHONG] and not ruleset.wild):
        return []
    room = [NEVER] * ZHONG
    if ruleset.wild and not ruleset.fifth_copy:
        most = [limit for suit in limits(counts, exposed) for limit in suit]
        room = [limit - copies for limit, copies in zip(most, counts[:ZHONG], strict=True)]
    parts = _divide(list(counts[:ZHONG]), counts[ZHONG], True, room)
    if parts is not None:
        return [_group(*part) for part in sorted(parts, key=_order)]
    if ruleset.seven_pairs and melds == 0 and unpaired(counts) <= counts[ZHONG]:
        return [_group(*part) for part in _pairs(counts)]
    if ruleset.wild and ruleset.four_zhong_wins and own_draw and counts[ZHONG] >= COPIES:
        loose = [token(kind) for kind in range(ZHONG) for _ in range(counts[kind])]
        return [Group(kind=FOUR_ZHONG, pai=[token(ZHONG)] * COPIES), *([Group(kind=LOOSE, pai=loose)] if loose else [])]
    return []


def _divide(counts: list[int], wilds: int, pair: bool, room: list[int]) -> list[_Part] | None:
    """The parts of a hand that still has these tiles and wilds and needs a pair or not; ``room`` is how many wilds may stand for
    each kind.
    """
    lowest = next((kind for kind in range(ZHONG) if counts[kind]), None)
    if lowest is None:
        return _of_zhong(wilds, pair)
    ways = [(name, kinds, _own_tiles(counts, kinds)) for name, kinds in _holding(lowest, pair)]
    for name, kinds, own in sorted(ways, key=_wilds):
        spent = own.count(0)
        if spent > wilds or not _fits(kinds, own, room):
            continue
        _move(counts, room, kinds, own, -1)
        rest = _divide(counts, wilds - spent, pair and name != PAIR, room)
        _move(counts, room, kinds, own, 1)
        if rest is not None:
            return [(name, kinds, own), *rest]
    return None


def _holding(kind: int, pair: bool) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every group that may hold the lowest tile of a hand."""
    rank = kind % RANKS
    for first in range(min(rank, RANKS - 3), max(0, rank - 2) - 1, -1):
        start = kind - rank + first
        yield RUN, (start, start + 1, start + 2)
    yield TRIPLE, (kind, kind, kind)
    if pair:
        yield PAIR, (kind, kind)


def _own_tiles(counts: Sequence[int], kinds: tuple[int, ...]) -> tuple[int, ...]:
    """Which places of a group the hand's own tiles fill. A tile at hand is never worse than a wild: elsewhere the two could change
    places.
    """
    return tuple(int(counts[kind] > kinds[:place].count(kind)) for place, kind in enumerate(kinds))


def _wilds(part: _Part) -> int:
    return part[2].count(0)


def _fits(kinds: tuple[int, ...], own: tuple[int, ...], room: Sequence[int]) -> bool:
    return all(kinds.count(kind) - sum(o for k, o in zip(kinds, own, strict=True) if k == kind) <= room[kind] for kind in set(kinds))


def _move(counts: list[int], room: list[int], kinds: tuple[int, ...], own: tuple[int, ...], by: int) -> None:
    for kind, mine in zip(kinds, own, strict=True):
        (counts if mine else room)[kind] += by


def _of_zhong(wilds: int, pair: bool) -> list[_Part] | None:
    """What is left of the wilds as 红中 themselves."""
    pairs = [(PAIR, (ZHONG, ZHONG), (0, 0))] if pair else []
    left = wilds - 2 * len(pairs)
    if left < 0 or left % 3:
        return None
    return [(TRIPLE, (ZHONG,) * 3, (0,) * 3)] * (left // 3) + pairs


def _pairs(counts: Sequence[int]) -> list[_Part]:
    """Seven pairs, 红中 beside every odd tile and the rest among themselves."""
    parts: list[_Part] = []
    wilds = counts[ZHONG]
    for kind in range(ZHONG):
        parts += [(SEVEN_PAIRS, (kind, kind), (1, 1))] * (counts[kind] // 2)
        if counts[kind] % 2:
            parts.append((SEVEN_PAIRS, (kind, kind), (1, 0)))
            wilds -= 1
    return parts + [(SEVEN_PAIRS, (ZHONG, ZHONG), (0, 0))] * (wilds // 2)


def _order(part: _Part) -> tuple[bool, tuple[int, ...]]:
    return part[0] == PAIR, part[1]


def _group(name: str, kinds: tuple[int, ...], own: tuple[int, ...]) -> Group:
    stands_for = [token(kind) for kind, mine in zip(kinds, own, strict=True) if not mine]
    return Group(
        kind=name,
        pai=[token(kind if mine else ZHONG) for kind, mine in zip(kinds, own, strict=True)],
        stands_for=list[str](stands_for) if stands_for else UNSET,
    )
