"""What a win pays (rules §4, §5): the best division of the cards under a ruleset, its hard 息, 名堂 and total.

The hot functions take the hand packed (``engine.weimaque.packed``) and the melds on the table summed up (``engine.weimaque.laid``).
A ``Scorer`` belongs to one ruleset and remembers what each combination of circumstances adds, never whole hands.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from engine.weimaque.hard_xi import PAIR_XI, TURNED_PAIR_XI, concealed_xi
from engine.weimaque.laid import Laid
from engine.weimaque.mingtang import (
    BESIDE,
    BIG_SUIT,
    NO_SUIT,
    OF_CARDS,
    OF_DIVISION,
    OF_TUANYUAN,
    SMALL_SUIT,
    Amounts,
    Beside,
    Cards,
    Division,
    Place,
    Tuanyuan,
    amounts,
    in_table_order,
)
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import EVERY_KIND, RED_CARDS, SHIFT, SUIT, UNIT
from engine.weimaque.partition import Run, melds, partitions, runs

NO_CARD = -1
"""In place of the winning card: the dealer's opening win."""

MELDS = 6

Candidate = tuple[int, int, int, int, Place]
"""One way to divide a win: its hard 息, the set of kinds in concealed triples, the kind of the pair, the set of 团圆 (sets packed),
and what the winning card completes."""


class Win(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A hand to be divided, and how the winning card came.

    ``hand`` are the concealed cards (packed) without the winning card; ``kind`` is the winning card or ``NO_CARD``. ``wei``: it was
    栽'd and lies in ``laid``. ``last``: it was the last of the stock. ``zhe``: the winner declared 蛰 earlier in the hand.
    """

    laid: Laid
    hand: int
    kind: int = NO_CARD
    own_reveal: bool = False
    last: bool = False
    wei: bool = False
    zhe: bool = False

    @property
    def concealed(self) -> int:
        """The cards to be divided: the hand, with the winning card unless that was 栽'd."""
        return self.hand if self.wei or self.kind < 0 else self.hand + UNIT[self.kind]


class Scored(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A win divided in one way, and what that pays. ``mingtang`` are all that it holds, in the order of the tables: an addition
    whole, a multiplier's factor."""

    hard_xi: int
    total_xi: int
    mingtang: dict[str, int]
    candidate: Candidate


def candidates(win: Win) -> list[Candidate]:
    """Every way to divide the win, each place of the winning card a way of its own. Empty: no shape (rule wmq-hu-shape)."""
    laid, kind, wei = win.laid, win.kind, win.wei
    concealed = win.hand if wei or kind < 0 else win.hand + UNIT[kind]
    divided = partitions(concealed)
    if not divided:
        return []
    cards = laid.cards + concealed
    four = cards >> 2 & EVERY_KIND
    found: list[Candidate] = []
    for triples, pair in divided:
        hard = laid.hard_xi + 3 * triples.bit_count() + (triples & RED_CARDS).bit_count()
        tuanyuan = four and four & (triples | laid.triples)
        if tuanyuan:
            hard += concealed_xi(tuanyuan)
        hard += TURNED_PAIR_XI[pair] if cards >> 8 * pair & 0xFF > 2 else PAIR_XI[pair]
        if wei:
            found.append((hard, triples, pair, tuanyuan, "三张"))
        elif kind < 0:
            found.append((hard, triples, pair, tuanyuan, ""))
        else:
            left = concealed >> 8 * kind & 0xFF
            if triples >> 8 * kind & 1:
                left -= 3
                found.append((hard if win.own_reveal else hard - 1, triples, pair, tuanyuan, "三张"))
            if pair == kind:
                left -= 2
                found.append((hard, triples, pair, tuanyuan, "麻雀"))
            if left:
                found.append((hard, triples, pair, tuanyuan, "顺子"))
    return found


def best_hard_xi(win: Win) -> int | None:
    """The most hard 息 that any division has; ``None`` if there is no shape. A win needs the ruleset's ``min_hard_xi``."""
    found = candidates(win)
    return max(found)[0] if found else None


def concealed_melds(win: Win, candidate: Candidate) -> list[Run]:
    """The triples and runs that a candidate makes of the concealed cards, sorted."""
    _, triples, pair, _, _ = candidate
    return melds(win.concealed, (triples, pair))


def every_group_red(win: Win, candidate: Candidate) -> bool:
    """Whether every meld, on the table and concealed, and the pair have a red card."""
    _, triples, pair, _, _ = candidate
    if not win.laid.all_red or not UNIT[pair] & RED_CARDS or triples & ~RED_CARDS:
        return False
    return all((UNIT[first] | UNIT[second] | UNIT[third]) & RED_CARDS for first, second, third in runs(win.concealed, (triples, pair)))


Key = TypeVar("Key", bound=tuple[object, ...])


class _Remembered(dict[Key, Amounts], Generic[Key]):
    """What the 名堂 of one kind come to, found when first asked for."""

    def __init__(self, find: Callable[[Key], Amounts]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: Key) -> Amounts:
        made = self[key] = self._find(key)
        return made


_NOTHING = Amounts(1, 0, ())
_FEWEST_RED_GROUPS = 7
"""满园花 needs a red card in six melds and the pair."""

_Priced = tuple[int, int, Candidate, Amounts, Amounts, Amounts]
"""Total and hard 息 of a candidate, and what the 名堂 of the cards, the 团圆 and the division come to."""


class Scorer:
    """Scores wins under one ruleset."""

    def __init__(self, ruleset: WeimaqueRuleset) -> None:
        self.ruleset = ruleset
        self._all_multiplied = ruleset.multiplier_base == "all"
        self._cards = _Remembered[tuple[int, int, bool, bool, bool]](lambda key: amounts(OF_CARDS, Cards(*key), ruleset))
        self._tuanyuan = _Remembered[tuple[int, bool]](lambda key: amounts(OF_TUANYUAN, Tuanyuan(*key), ruleset))
        self._division = _Remembered[tuple[int, bool, bool, Place, Beside, bool]](lambda key: amounts(OF_DIVISION, Division(*key), ruleset))

    def can_win(self, win: Win) -> bool:
        """Whether some division reaches the minimum of hard 息."""
        minimum = self.ruleset.min_hard_xi
        return any(candidate[0] >= minimum for candidate in candidates(win))

    def best(self, win: Win) -> Scored | None:
        """The division that the winner gets (rules §4): of those that reach the minimum the one with the highest total, then the
        higher hard 息, then the smallest list of melds. ``None`` if there is no win: no shape, or too few 息 (``best_hard_xi``
        tells which)."""
        found = candidates(win)
        if not found:
            return None
        minimum = self.ruleset.min_hard_xi
        chosen: _Priced | None = None
        for priced in self._priced(win, found):
            if priced[1] >= minimum and (chosen is None or _goes_before(win, priced, chosen)):
                chosen = priced
        return chosen and _scored(chosen)

    def every(self, win: Win) -> list[Scored]:
        """All divisions, best first as ``best`` ranks them; those short of the minimum stand behind the others."""
        minimum = self.ruleset.min_hard_xi
        ranked = sorted(
            self._priced(win, candidates(win)),
            key=lambda priced: (priced[1] < minimum, -priced[0], -priced[1], concealed_melds(win, priced[2])),
        )
        return [_scored(priced) for priced in ranked]

    def _priced(self, win: Win, found: list[Candidate]) -> list[_Priced]:
        laid, kind, hand = win.laid, win.kind, win.hand
        cards = laid.cards + hand if win.wei or kind < 0 else laid.cards + hand + UNIT[kind]
        reds = (cards & RED_CARDS) % 255
        suit = NO_SUIT if cards & SUIT and cards >> SHIFT else BIG_SUIT if cards >> SHIFT else SMALL_SUIT
        of_cards = self._cards[reds, suit, win.own_reveal, win.last, win.zhe]
        few_reds = reds if reds < 2 else 2
        one_left = hand % 255 == 1
        priced: list[_Priced] = []
        for candidate in found:
            hard, triples, pair, tuanyuan, place = candidate
            of_tuanyuan = self._tuanyuan[tuanyuan, reds == 4 * (tuanyuan & RED_CARDS).bit_count()] if tuanyuan else _NOTHING
            all_triples = laid.all_triples and (triples | laid.triples).bit_count() == MELDS
            all_red = reds >= _FEWEST_RED_GROUPS and laid.all_red and every_group_red(win, candidate)
            side = BESIDE[kind][pair] if place == "三张" else ""
            of_division = self._division[few_reds, all_triples, all_red, place, side, one_left]
            additions = of_cards.addition + of_tuanyuan.addition + of_division.addition
            total = (hard + additions) * of_division.multiplier if self._all_multiplied else hard * of_division.multiplier + additions
            priced.append((total, hard, candidate, of_cards, of_tuanyuan, of_division))
        return priced


def _goes_before(win: Win, one: _Priced, other: _Priced) -> bool:
    if one[0] != other[0]:
        return one[0] > other[0]
    if one[1] != other[1]:
        return one[1] > other[1]
    return concealed_melds(win, one[2]) < concealed_melds(win, other[2])


def _scored(priced: _Priced) -> Scored:
    total, hard, candidate, of_cards, of_tuanyuan, of_division = priced
    named = in_table_order(of_cards.named + of_tuanyuan.named + of_division.named)
    return Scored(hard_xi=hard, total_xi=total, mingtang=dict(named), candidate=candidate)
