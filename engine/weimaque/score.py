"""What a win pays (rules §4, §5): the best division of the cards under a ruleset, its hard 息, 名堂 and total.

The hot functions take the hand packed (``engine.weimaque.packed``) and the melds on the table summed up (``engine.weimaque.laid``).
A ``Scorer`` belongs to one ruleset and remembers what each combination of circumstances adds, never whole hands.
"""

from typing import Any

import msgspec

from engine.weimaque.hard_xi import PAIR_XI, TURNED_PAIR_XI, concealed_xi
from engine.weimaque.laid import Laid
from engine.weimaque.mingtang import (
    BESIDE,
    BIG_SUIT,
    NO_SUIT,
    REDS_ALIKE,
    ROWS,
    SMALL_SUIT,
    TUANYUAN_ALIKE,
    Amounts,
    Beside,
    Look,
    Place,
    amounts,
    played_rows,
)
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import EVERY_KIND, RED_CARDS, SHIFT, SUIT, UNIT
from engine.weimaque.partition import Run, has_black_run, melds, partitions

NO_CARD = -1
"""In place of the winning card: the dealer's opening win."""

MELDS = 6
WINNING_CARDS = 20

Candidate = tuple[int, int, int, int, Place]
"""One way to divide a win: its hard 息, the set of kinds in concealed triples, the kind of the pair, the set of 团圆 (sets packed),
and what the winning card completes."""

Priced = tuple[int, int, tuple[tuple[str, int], ...], Candidate]
"""A candidate with what it pays: total, hard 息, 名堂 (``Scored.named``)."""


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
    """A win divided in one way, and what that pays. ``named`` are its 名堂 in the order of the tables: an addition whole, a
    multiplier's factor. No ``candidate``: an opening win that pays a fixed amount, however the hand divides.
    """

    hard_xi: int
    total_xi: int
    named: tuple[tuple[str, int], ...]
    candidate: Candidate | None

    @property
    def mingtang(self) -> dict[str, int]:
        """The 名堂 by name."""
        return dict(self.named)


def candidates(win: Win) -> list[Candidate]:
    """Every way to divide the win, each place of the winning card a way of its own. Empty: no shape (rule wmq-hu-shape)."""
    kind, wei, concealed = win.kind, win.wei, win.hand
    unit = 0 if wei or kind < 0 else UNIT[kind]
    concealed += unit
    divided = partitions(concealed)
    if not divided:
        return []
    laid_cards, laid_triples, laid_xi, _, _ = win.laid
    cards = laid_cards + concealed
    if cards % 255 != WINNING_CARDS:
        return []
    four = cards >> 2 & EVERY_KIND
    found: list[Candidate] = []
    for triples, pair in divided:
        hard = laid_xi + 3 * triples.bit_count() + (triples & RED_CARDS).bit_count()
        tuanyuan = four and four & (triples | laid_triples)
        if tuanyuan:
            hard += concealed_xi(tuanyuan)
        hard += TURNED_PAIR_XI[pair] if cards >> 8 * pair & 0xFF > 2 else PAIR_XI[pair]
        if not unit:
            found.append((hard, triples, pair, tuanyuan, "三张" if wei else ""))
            continue
        left = concealed >> 8 * kind & 0xFF
        if triples & unit:
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
    in_runs = win.concealed - 3 * triples - 2 * UNIT[pair]
    return not (has_black_run(in_runs & SUIT) or has_black_run(in_runs >> SHIFT))


_FEWEST_RED_GROUPS = 7
"""满园花 needs a red card in six melds and the pair."""

_MOST_LOOKS = 1 << 16


class _Looks(dict[tuple[int, int, bool, bool, bool, int, bool, bool, bool, Beside, bool], Amounts]):
    """What each look comes to under one ruleset, found when first asked for. Plain tuples ask faster than the named ones they equal."""

    def __init__(self, ruleset: WeimaqueRuleset) -> None:
        super().__init__()
        self._ruleset = ruleset
        self._rows = played_rows(ROWS, ruleset)
        self._without_tuanyuan = [(row, value) for row, value in self._rows if not row.of_tuanyuan]

    def __missing__(self, key: tuple[int, int, bool, bool, bool, int, bool, bool, bool, Beside, bool]) -> Amounts:
        if len(self) >= _MOST_LOOKS:
            self.clear()
        look = Look(*key)
        made = self[key] = amounts(self._rows if look.tuanyuan else self._without_tuanyuan, look, self._ruleset)
        return made


class Scorer:
    """Scores wins under one ruleset."""

    def __init__(self, ruleset: WeimaqueRuleset) -> None:
        self.ruleset = ruleset
        self.wait_totals: dict[tuple[Laid, int, bool, bool], list[tuple[int, int | None, int | None]]] = {}
        """Kept by ``engine.weimaque.waits``: what each wait of a hand pays."""
        self._looks = _Looks(ruleset)
        self._all_multiplied = ruleset.multiplier_base == "all"

    def can_win(self, win: Win) -> bool:
        """Whether some division reaches the minimum of hard 息."""
        hard = best_hard_xi(win)
        return hard is not None and hard >= self.ruleset.min_hard_xi

    def best(self, win: Win) -> Scored | None:
        """The division that the winner gets (rules §4): of those that reach the minimum the one with the highest total, then the
        higher hard 息, then the smallest list of melds. ``None`` if there is no win: no shape, or too few 息 (``best_hard_xi``
        tells which)."""
        found = candidates(win)
        priced = self._priced(win, found, self.ruleset.min_hard_xi, win.own_reveal) if found else None
        if not priced:
            return None
        chosen = priced[0]
        for rival in priced[1:]:
            if _goes_before(win, rival, chosen):
                chosen = rival
        return _scored(chosen)

    def best_total(self, win: Win, found: list[Candidate], *, own_reveal: bool) -> int | None:
        """What the best of the candidates pays, whoever the win says revealed the card; ``None`` if none reaches the minimum."""
        return max([priced[0] for priced in self._priced(win, found, self.ruleset.min_hard_xi, own_reveal)], default=None)

    def every(self, win: Win) -> list[Scored]:
        """All divisions, best first as ``best`` ranks them; those short of the minimum stand behind the others."""
        minimum = self.ruleset.min_hard_xi

        def rank(priced: Priced) -> Any:
            total, hard, _, candidate = priced
            return hard < minimum, -total, -hard, concealed_melds(win, candidate)

        return [_scored(priced) for priced in sorted(self._priced(win, candidates(win), 0, win.own_reveal), key=rank)]

    def _priced(self, win: Win, found: list[Candidate], minimum: int, own_reveal: bool) -> list[Priced]:
        """What each candidate with at least ``minimum`` hard 息 pays."""
        kind, hand, last, zhe = win.kind, win.hand, win.last, win.zhe
        laid_cards, laid_triples, _, laid_all_triples, laid_all_red = win.laid
        cards = laid_cards + (hand if win.wei or kind < 0 else hand + UNIT[kind])
        reds = (cards & RED_CARDS) % 255
        reds_alike = REDS_ALIKE[reds]
        may_be_red = laid_all_red and reds >= _FEWEST_RED_GROUPS
        suit = (NO_SUIT if cards & SUIT else BIG_SUIT) if cards >> SHIFT else SMALL_SUIT
        one_left = hand % 255 == 1
        looks = self._looks
        priced: list[Priced] = []
        for candidate in found:
            hard, triples, pair, tuanyuan, place = candidate
            if hard < minimum:
                continue
            all_triples = laid_all_triples and (triples | laid_triples).bit_count() == MELDS
            all_red = may_be_red and every_group_red(win, candidate)
            beside = BESIDE[kind][pair] if place == "三张" else ""
            alike = TUANYUAN_ALIKE[tuanyuan] if tuanyuan else 0
            pair_won = place == "麻雀"
            look = reds_alike, suit, own_reveal, last, zhe, alike, all_triples, all_red, pair_won, beside, pair_won and one_left
            multiplier, addition, named = looks[look]
            total = (hard + addition) * multiplier if self._all_multiplied else hard * multiplier + addition
            priced.append((total, hard, named, candidate))
        return priced


def _scored(priced: Priced) -> Scored:
    total, hard, named, candidate = priced
    return Scored(hard_xi=hard, total_xi=total, named=named, candidate=candidate)


def _goes_before(win: Win, one: Priced, other: Priced) -> bool:
    if one[:2] != other[:2]:
        return one[:2] > other[:2]
    candidate, rival = one[3], other[3]
    if candidate[1:3] == rival[1:3]:
        return False
    return concealed_melds(win, candidate) < concealed_melds(win, rival)


_MOST_SCORERS = 64
_scorers: dict[bytes, Scorer] = {}


def scorer_of(ruleset: WeimaqueRuleset) -> Scorer:
    """The scorer of a ruleset, the same for equal rulesets, so that what it has found serves every hand played by them."""
    key = msgspec.json.encode(ruleset)
    scorer = _scorers.get(key)
    if scorer is None:
        if len(_scorers) >= _MOST_SCORERS:
            _scorers.clear()
        scorer = _scorers[key] = Scorer(ruleset)
    return scorer
