"""A win with a hand of which some cards were never seen: what it may be for all that is known, found over every way to fill the hand."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement, islice

import msgspec

from engine.truth import NO, UNKNOWN, YES, Truth
from engine.weimaque.hard_xi import TURNED_PAIR_XI
from engine.weimaque.mingtang import ROWS
from engine.weimaque.opening import FIXED, TIANHU, OpeningKind
from engine.weimaque.packed import RANKS, SHIFT, SUIT, UNIT
from engine.weimaque.partition import PURE, with_pair
from engine.weimaque.score import MELDS, Scored, Scorer, Win, best_hard_xi

MOST_UNSEEN = 4
"""With more unseen cards than this a win is left open, unless they are of few kinds."""

MOST_OF_FEW_KINDS = 6
FEW_KINDS = 6
"""So many unseen cards may there be if they are of so few kinds."""

_MOST_TRIED = 400
"""How many ways to fill a hand are looked at before the question is left open."""

MOST_A_TRIPLE = 4
"""The hard 息 of a red 栽 or 砍, and of a red 团圆."""

_MOST_TUANYUAN = 4
_OFTEN = {"印胡": _MOST_TUANYUAN, "纯印": _MOST_TUANYUAN, "多红": 11, "假八碰头": 2}
"""How often at most the additions are counted that may be counted more than once."""

Range = tuple[int, int]


@lru_cache(maxsize=MOST_UNSEEN + 1)
def _handfuls(count: int) -> tuple[int, ...]:
    """Every ``count`` cards of one suit, packed."""
    return tuple(sum(UNIT[rank] for rank in ranks) for ranks in combinations_with_replacement(range(RANKS), count))


@lru_cache(maxsize=4096)
def _dividing(suit: int, count: int, paired: bool) -> tuple[int, ...]:
    """The ``count`` cards that make the cards of one suit into triples and runs, and a pair if ``paired``."""
    return _that_divide(suit, _handfuls(count), paired)


def _that_divide(suit: int, handfuls: Sequence[int], paired: bool) -> tuple[int, ...]:
    if paired:
        return tuple([more for more in handfuls if with_pair(suit + more)])
    return tuple([more for more in handfuls if suit + more in PURE])


def _limited(limits: Sequence[tuple[int, int, int]], count: int) -> list[int]:
    """Every ``count`` cards, packed, with so many of each rank as ``limits`` say: (rank, least, most)."""
    found = [(0, count)]
    for rank, least, most in limits:
        found = [(cards + taken * UNIT[rank], left - taken) for cards, left in found for taken in range(least, min(most, left) + 1)]
    return [cards for cards, left in found if not left]


@lru_cache(maxsize=1024)
def bounds(scorer: Scorer, laid_xi: int = MELDS * MOST_A_TRIPLE, concealed: int = 0) -> tuple[Range, Range]:
    """Hard 息 and totals that no win goes beyond whose melds on the table are worth ``laid_xi`` and whose hand makes ``concealed`` more."""
    ruleset = scorer.ruleset
    most_hard = laid_xi + (concealed + _MOST_TUANYUAN) * MOST_A_TRIPLE + max(TURNED_PAIR_XI)
    least_hard = min(ruleset.min_hard_xi, most_hard)
    factors = [1, *(row.value(ruleset) for row in ROWS if row.kind == "multiplier")]
    added = [row.value(ruleset) * _OFTEN.get(row.name, 1) for row in ROWS if row.kind == "addition"]
    extremes = [
        (hard, factor, extra)
        for hard in (least_hard, most_hard)
        for factor in factors
        for extra in (sum(value for value in added if value < 0), sum(value for value in added if value > 0))
    ]
    if ruleset.multiplier_base == "all":
        totals = [(hard + extra) * factor for hard, factor, extra in extremes]
    else:
        totals = [hard * factor + extra for hard, factor, extra in extremes]
    return (least_hard, most_hard), (min(totals), max(totals))


def opening_bounds(kind: OpeningKind, scorer: Scorer) -> tuple[Range, Range]:
    """The same of an opening win."""
    if kind == "天胡":
        hard, (least, most) = bounds(scorer, 0, MELDS)
        amount = TIANHU.value(scorer.ruleset)
        return hard, (least + amount, most + amount)
    paid = [row.value(scorer.ruleset) for row in FIXED if (row.shown or row.name) == kind]
    return (0, 0), (min(paid), max(paid))


class OpenWin(msgspec.Struct, frozen=True, kw_only=True):
    """A win as far as it is known: ``win.hand`` are the known cards, ``unseen`` more are in the hand, of kind ``k`` at least ``least[k]``
    and at most ``most[k]``. ``zhe_open``: whether a 蛰 counts is not known either."""

    win: Win
    zhe_open: bool
    unseen: int
    least: tuple[int, ...]
    most: tuple[int, ...]

    def shape(self) -> Truth:
        """Whether the cards make melds and a pair."""
        if not self.tractable:
            return UNKNOWN
        dividing = sum(len(small) * len(big) for small, big in self._halves())
        if not dividing:
            return NO
        return YES if dividing == self._ways() else UNKNOWN

    def too_few_xi(self, minimum: int) -> Truth:
        """Whether they make a shape, but one short of ``minimum`` hard 息."""
        shape = self.shape()
        return shape if shape == NO or not self.tractable else self._too_few(shape, minimum)

    def _too_few(self, shape: Truth, minimum: int) -> Truth:
        short = reaching = False
        for number, win in enumerate(self.filled()):
            if number == _MOST_TRIED or (short and reaching):
                return UNKNOWN
            hard = best_hard_xi(win)
            short = short or hard is None or hard < minimum
            reaching = reaching or (hard is not None and hard >= minimum)
        if not short:
            return NO
        return UNKNOWN if reaching else shape

    def can_win(self, minimum: int) -> Truth:
        """Whether they make a shape with the minimum of hard 息. Several rules ask that of one and the same win."""
        return _can_win(self, minimum)

    def found_to_win(self, minimum: int) -> Truth:
        """The same, looked up afresh."""
        shape = self.shape()
        if shape == NO or not self.tractable:
            return shape
        few = self._too_few(shape, minimum)
        return NO if few == YES else shape if few == NO else self._any_reaching(minimum)

    def _any_reaching(self, minimum: int) -> Truth:
        for number, win in enumerate(self.filled()):
            if number == _MOST_TRIED:
                return UNKNOWN
            hard = best_hard_xi(win)
            if hard is not None and hard >= minimum:
                return UNKNOWN
        return NO

    def scored(self, scorer: Scorer) -> Scored | None:
        """What it pays, if that is the same whatever it is; None if it is not, or if it may be no win at all."""
        if not self.tractable or self.zhe_open or self.shape() != YES:
            return None
        first: Scored | None = None
        for win in self.filled():
            best = scorer.best(win)
            if best is None or (
                first is not None and (best.total_xi, best.hard_xi, best.named) != (first.total_xi, first.hard_xi, first.named)
            ):
                return None
            first = best
        return first

    def ranges(self, scorer: Scorer) -> tuple[Range, Range]:
        """The least and the most hard 息, and likewise the total, of all wins that it may be. Where these are too many to be looked at,
        bounds that no win goes beyond."""
        return _ranges(self, scorer)

    def found_ranges(self, scorer: Scorer) -> tuple[Range, Range]:
        """The same, looked up afresh."""
        if self.tractable:
            wins = list(islice(self.filled(), _MOST_TRIED + 1))
            if self.zhe_open:
                wins += [msgspec.structs.replace(win, zhe=True) for win in wins]
            scored = [best for win in wins if (best := scorer.best(win)) is not None] if len(wins) <= _MOST_TRIED else []
            if scored:
                hard = [best.hard_xi for best in scored]
                total = [best.total_xi for best in scored]
                return (min(hard), max(hard)), (min(total), max(total))
        laid = self.win.laid
        return bounds(scorer, laid.hard_xi, MELDS - laid.cards % 255 // 3)

    def filled(self) -> Iterator[Win]:
        """Every win of some shape that it may be."""
        for small, big in self._halves():
            for more in small:
                for other in big:
                    yield msgspec.structs.replace(self.win, hand=self.win.hand + more + (other << SHIFT))

    @property
    def tractable(self) -> bool:
        """Whether the ways to fill the hand are few enough to be listed."""
        return self.unseen <= MOST_UNSEEN or (self.unseen <= MOST_OF_FEW_KINDS and sum(map(bool, self.most)) <= FEW_KINDS)

    def _halves(self) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """The cards that may fill the 小字, and with each of these those that may fill the 大字."""
        concealed = self.win.concealed
        small, big = concealed & SUIT, concealed >> SHIFT
        for count in range(self.unseen + 1):
            over = (small + count) % 3
            if over != 1 and (big + self.unseen - count) % 3 == 2 - over:
                left = self._filling(small, 0, count, over == 2)
                if left:
                    right = self._filling(big, RANKS, self.unseen - count, over == 0)
                    if right:
                        yield left, right

    def _filling(self, suit: int, first: int, count: int, paired: bool) -> Sequence[int]:
        """The ``count`` cards that may be in the hand and make one suit, whose first kind is ``first``, into melds."""
        limits = [(rank, self.least[first + rank], self.most[first + rank]) for rank in range(RANKS) if self.most[first + rank]]
        if len(limits) <= FEW_KINDS:
            return _that_divide(suit, _limited(limits, count), paired)
        handfuls = _dividing(suit, count, paired)
        for rank in range(RANKS):
            low, high = self.least[first + rank], self.most[first + rank]
            if handfuls and (low or high < count):
                handfuls = tuple([more for more in handfuls if low <= more >> 8 * rank & 0xFF <= high])
        return handfuls

    def _ways(self) -> int:
        """In how many ways the hand may be filled at all."""
        ways = 1
        for bounds_of_kind in zip(self.least, self.most, strict=True):
            if bounds_of_kind != (0, 0):
                ways *= _choices(*bounds_of_kind)
        return ways >> _DIGIT * self.unseen & (1 << _DIGIT) - 1


_DIGIT = 64
"""Bits for the number of ways to take so many cards: of twenty kinds with at most four copies there are no more than ``5 ** 20`` in all."""


@cache
def _choices(low: int, high: int) -> int:
    """From ``low`` to ``high`` cards of one kind as a polynomial: a digit for each number of cards, 1 where that many may be taken. The
    product of such is that of all their kinds together."""
    return sum(1 << _DIGIT * count for count in range(low, high + 1))


@lru_cache(maxsize=4)
def _can_win(win: OpenWin, minimum: int) -> Truth:
    return win.found_to_win(minimum)


@lru_cache(maxsize=256)
def _ranges(win: OpenWin, scorer: Scorer) -> tuple[Range, Range]:
    return win.found_ranges(scorer)
