"""Every way to complete a record, where there are few: the deals, and with each the cards that events leave unnamed."""

from collections.abc import Iterator, Sequence
from itertools import chain
from math import perm, prod
from random import Random

from engine.completions import UNKNOWN, Deal, Open
from engine.log import EffectiveLog
from engine.playing import played

MOST_TRIED = 4
"""Deals that are made, equal ones included, for each that may be found."""


def every(known: Open, most: int, *, in_order: bool) -> Iterator[EffectiveLog] | None:
    """Every complete log that may fit, in mixed order; each by itself if ``in_order``, otherwise one for all that differ only in the order
    of cards never drawn and in the names of flipped ones, which stay unnamed. None if they are more than ``most``, as far as that can be
    told without going through them, or cannot be listed. Whoever asks still has to judge whether anything in one is impossible."""
    deals = _deals(known, most, in_order=in_order)
    if not deals:
        return None
    first = _InTurn()
    played(known, deals[0], first, flips=in_order)
    if len(deals) * prod(of for _, of in first.path) > most:
        return None
    return _by_turns([_played(known, deal, flips=in_order) for deal in Random(0).sample(deals, len(deals))])


def _by_turns(parts: Sequence[Iterator[EffectiveLog]]) -> Iterator[EffectiveLog]:
    """One of each part, another of each, and so on, each made only when it is asked for: most are never judged."""
    going = list(parts)
    while going:
        for part in going[:]:
            log = next(part, None)
            if log is None:
                going.remove(part)
            else:
                yield log


class _InTurn:
    """Every choice in turn: ``path`` is which of how many was chosen each time."""

    def __init__(self) -> None:
        self.path: list[tuple[int, int]] = []
        self.made = 0

    def choose(self, options: Sequence[int], likely: Sequence[int] = (), together: int = 1) -> int:
        if self.made == len(self.path):
            self.path.append((0, len(options)))
        chosen, _ = self.path[self.made]
        self.made += 1
        return options[chosen]

    def next(self) -> bool:
        """Go on to the next path; false behind the last."""
        self.made = 0
        while self.path:
            chosen, of = self.path.pop()
            if chosen + 1 < of:
                self.path.append((chosen + 1, of))
                return True
        return False


def _played(known: Open, deal: Deal, *, flips: bool) -> Iterator[EffectiveLog]:
    """The log with this deal and every choice of what is not named."""
    choices = _InTurn()
    while True:
        yield played(known, deal, choices, flips=flips)
        if not choices.next():
            return


def _deals(known: Open, most: int, *, in_order: bool) -> list[Deal] | None:
    """Every complete deal, or None if they are more than ``most``."""
    if not known.consistent or sum(known.pool) != known.unknown:
        return None
    found: dict[tuple[tuple[int, ...], ...], Deal] = {}
    tried = 0
    for part, dealt in _placed(known):
        unknown = [place for place, kind in enumerate(part.lying) if kind < 0]
        single = [place for place in unknown if in_order or place in known.told_places]
        rest = [place for place in unknown if not (in_order or place in known.told_places)]
        room = [*dealt, *([1] * len(single)), len(rest)]
        if perm(sum(map(bool, known.pool)), len(single)) > most or max(_ways(known.pool, size) for size in set(room)) > most:
            return None
        for cards in _fillings(known.pool, room):
            tried += 1
            deal = _filled(part, cards, [*single, *rest])
            found.setdefault((*map(tuple, deal.hands), tuple(deal.lying)), deal)
            if tried > MOST_TRIED * most or len(found) > most:
                return None
    return list(found.values())


def _placed(known: Open) -> Iterator[tuple[Deal, list[int]]]:
    """Every way in which the cards that were needed were dealt or drawn before, the rest left open, and how many cards are then unknown in
    each hand as it was dealt; some may come twice."""
    needs = [(seat, at, kind) for seat, needs in enumerate(known.needs) for at, kind in needs]
    hands = [counts[:] for counts in known.hands]
    room = known.dealt[:]
    lying = known.lying[:]

    def place(number: int) -> Iterator[tuple[Deal, list[int]]]:
        if number == len(needs):
            yield Deal(hands=[counts[:] for counts in hands], lying=lying[:]), room[:]
            return
        seat, at, kind = needs[number]
        if room[seat]:
            room[seat] -= 1
            hands[seat][kind] += 1
            yield from place(number + 1)
            room[seat] += 1
            hands[seat][kind] -= 1
        for drawn_at, drawn in known.drawn[seat]:
            if drawn_at < at and lying[drawn] < 0:
                lying[drawn] = kind
                yield from place(number + 1)
                lying[drawn] = UNKNOWN

    return place(0)


def _filled(part: Deal, cards: Sequence[Sequence[int]], unknown: Sequence[int]) -> Deal:
    """The deal with these kinds more in the hands, by seat, and behind them in the places that are ``unknown``."""
    hands = [counts[:] for counts in part.hands]
    for hand, more in zip(hands, cards, strict=False):
        for kind in more:
            hand[kind] += 1
    lying = part.lying[:]
    for place, kind in zip(unknown, chain.from_iterable(cards[len(hands) :]), strict=True):
        lying[place] = kind
    return Deal(hands=hands, lying=lying)


def _ways(copies: Sequence[int], size: int) -> int:
    """How many different sets of so many cards there are."""
    ways = [1] + [0] * size
    for count in filter(None, copies):
        ways = [sum(ways[max(0, taken - count) : taken + 1]) for taken in range(size + 1)]
    return ways[size]


def _fillings(copies: Sequence[int], room: Sequence[int]) -> Iterator[list[list[int]]]:
    """Every way to fill places with so much ``room``, with kinds in order, where all copies are used."""
    if len(room) == 1:
        yield [[kind for kind, count in enumerate(copies) for _ in range(count)]]
        return
    for chosen in _sets(copies, room[0], 0):
        left = list(copies)
        for kind in chosen:
            left[kind] -= 1
        for others in _fillings(left, room[1:]):
            yield [chosen, *others]


def _sets(copies: Sequence[int], size: int, lowest: int) -> Iterator[list[int]]:
    """Every set of so many cards of kinds from ``lowest`` on."""
    if not size:
        yield []
        return
    for kind in range(lowest, len(copies)):
        for count in range(min(size, copies[kind]), 0, -1):
            for others in _sets(copies, size - count, kind + 1):
                yield [kind] * count + others
