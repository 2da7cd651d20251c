"""Opening wins (起手胡, rules §6): won with the hand as it was dealt, before the first discard, in 大卓 only.

九小对 and 无对胡 pay a fixed amount; 天胡 pays what its hand would pay, and an amount on top.
"""

from functools import lru_cache
from typing import Final, Literal

import msgspec

from engine.weimaque.deck import DEALER_HAND, IS_RED, OTHER_HAND
from engine.weimaque.laid import NOTHING_LAID
from engine.weimaque.mingtang import ROWS, Mingtang, amounts, played_rows
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import RANKS, size, unpack
from engine.weimaque.score import Scored, Scorer, Win

OpeningKind = Literal["天胡", "九小对", "无对胡"]
KINDS_OF_OPENING: Final[tuple[OpeningKind, ...]] = ("天胡", "九小对", "无对胡")

Counts = list[int]


class OpeningWin(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An opening win that stands, and what it pays."""

    kind: OpeningKind
    scored: Scored


def pairs(counts: Counts) -> int:
    """How many pairs a hand holds: four of a kind are two, three are one."""
    return sum([count // 2 for count in counts])


def repeated(counts: Counts) -> list[tuple[int, int]]:
    """The kinds held twice or more, and how often."""
    return [(kind, count) for kind, count in enumerate(counts) if count >= 2]


def _runs_with(counts: Counts, kind: int) -> bool:
    """Whether two other cards of the hand make a run with a card of ``kind``: without them it can never be 团圆."""
    number = kind % RANKS
    return any(
        number + one >= 0 and number + other < RANKS and counts[kind + one] and counts[kind + other]
        for one, other in ((-2, -1), (-1, 1), (1, 2))
    )


def no_pairs(counts: Counts, two_black: bool) -> bool:
    """Whether a hand is 无对胡: no kind twice; or one, black; or (``two_black``) two, both black, each exactly twice, neither able
    to become 团圆."""
    twice = repeated(counts)
    if any(IS_RED[kind] for kind, _ in twice):
        return False
    if len(twice) < 2:
        return True
    return two_black and len(twice) == 2 and all(count == 2 and not _runs_with(counts, kind) for kind, count in twice)


TIANHU: Final = Mingtang[Scored](
    name="天胡",
    kind="addition",
    small=None,
    large=100,
    zh="庄家起手 20 张就胡，硬息够数",
    en="the dealer's twenty cards are a complete hand with enough hard 息",
    cite="大卓 27",
    times=lambda _hand, _ruleset: 1,
)

FIXED: Final[tuple[Mingtang[Counts], ...]] = (
    Mingtang(
        name="九小对",
        kind="addition",
        small=None,
        large=50,
        zh="起手九对",
        en="nine pairs are dealt; four of a kind are two, three are one",
        cite="大卓 26",
        times=lambda counts, _: pairs(counts) >= 9,
    ),
    Mingtang(
        name="十对",
        kind="addition",
        small=None,
        large=100,
        zh="起手十对，代替九小对",
        en="ten pairs are dealt, instead of 九小对",
        cite="大卓 26",
        times=lambda counts, _: pairs(counts) >= 10,
        replaces=lambda _: ("九小对",),
        shown="九小对",
    ),
    Mingtang(
        name="无对胡",
        kind="addition",
        small=None,
        large=50,
        zh="起手没有对子，或只有一种黑字成对，或只有两对黑字且都没有团圆的门子",
        en="no pair is dealt, or a single black kind, or two black pairs that cannot become 团圆",
        cite="大卓 28",
        reading="R-WUDUI",
        times=lambda counts, ruleset: no_pairs(counts, ruleset.wudui_two_black),
    ),
)


NAMES: Final[frozenset[str]] = frozenset(row.name for row in (*ROWS, *FIXED, TIANHU))
"""Every 名堂 of §5 and §6: what the option ``values`` may name."""


@lru_cache(maxsize=256)
def _rows(kind: OpeningKind, scorer: Scorer) -> list[tuple[Mingtang[Counts], int]]:
    """The rows of an opening win of a fixed amount that the scorer's ruleset plays, each with its value."""
    return played_rows([row for row in FIXED if (row.shown or row.name) == kind], scorer.ruleset)


def played(kind: OpeningKind, scorer: Scorer) -> bool:
    """Whether the scorer's ruleset has this opening win."""
    if scorer.ruleset.preset != "dazhuo":
        return False
    return bool(TIANHU.value(scorer.ruleset) if kind == "天胡" else _rows(kind, scorer))


def opening_sizes(kind: OpeningKind) -> tuple[int, ...]:
    """How many cards the hand may have been dealt: 天胡 is the dealer's."""
    return (DEALER_HAND,) if kind == "天胡" else (OTHER_HAND, DEALER_HAND)


def opening_win(kind: OpeningKind, hand: int, scorer: Scorer) -> OpeningWin | None:
    """The opening win ``kind`` with the dealt ``hand`` (packed), or ``None`` if it does not stand. Whose hand it is, and whether
    it is still time, is not asked."""
    if not played(kind, scorer) or size(hand) not in opening_sizes(kind):
        return None
    scored = _tianhu(hand, scorer) if kind == "天胡" else _fixed(kind, hand, scorer)
    return scored and OpeningWin(kind=kind, scored=scored)


def every_opening_win(hand: int, scorer: Scorer) -> list[OpeningWin]:
    """All opening wins that the dealt hand would stand as, the highest first."""
    found = [win for kind in KINDS_OF_OPENING if (win := opening_win(kind, hand, scorer)) is not None]
    return sorted(found, key=lambda win: -win.scored.total_xi)


def _tianhu(hand: int, scorer: Scorer) -> Scored | None:
    scored = scorer.best(Win(laid=NOTHING_LAID, hand=hand))
    return scored and with_tianhu(scored, scorer.ruleset)


def with_tianhu(scored: Scored, ruleset: WeimaqueRuleset) -> Scored:
    """What a division of the dealer's hand pays as 天胡: no multiplier reaches the amount on top."""
    amount = TIANHU.value(ruleset)
    if not amount:
        return scored
    return msgspec.structs.replace(scored, total_xi=scored.total_xi + amount, named=(*scored.named, (TIANHU.name, amount)))


def _fixed(kind: OpeningKind, hand: int, scorer: Scorer) -> Scored | None:
    found = amounts(_rows(kind, scorer), unpack(hand), scorer.ruleset)
    return Scored(hard_xi=0, total_xi=found.addition, named=found.named, candidate=None) if found.named else None
