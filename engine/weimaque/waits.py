"""听: the cards that a hand waits for, and what each would pay.

A card of which the hand holds two or more counts differently by who reveals it: one's own is 栽'd first, and wins only if the
hand is complete with that meld (R-WEI-FIRST).
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.weimaque.deck import COPIES
from engine.weimaque.laid import Laid, with_meld
from engine.weimaque.packed import UNIT, held, unpack
from engine.weimaque.partition import completing
from engine.weimaque.score import Candidate, Scorer, Win, candidates


class Wait(NamedTuple):
    """A card that wins: how many copies are left unseen, and the total 息 it pays on one's own reveal and on another's (``None``: no
    win that way)."""

    kind: int
    left: int
    own: int | None
    other: int | None


def own_reveal(laid: Laid, hand: int, kind: int, *, last: bool = False, zhe: bool = False) -> Win:
    """The win on one's own reveal of ``kind``, through 栽 if the hand holds two or more of it."""
    if held(hand, kind) >= 2:
        wei = with_meld(laid, "栽", (kind, kind, kind))
        return Win(laid=wei, hand=hand - 2 * UNIT[kind], kind=kind, own_reveal=True, wei=True, last=last, zhe=zhe)
    return Win(laid=laid, hand=hand, kind=kind, own_reveal=True, last=last, zhe=zhe)


_MOST_HANDS = 1 << 14


def waits(scorer: Scorer, laid: Laid, hand: int, seen: Sequence[int] | None = None, *, last: bool = False, zhe: bool = False) -> list[Wait]:
    """The cards that win with ``hand`` (packed) and the melds ``laid``, sorted by kind; none where the hand is not one card short.

    ``seen`` counts by kind the copies that lie open to whoever asks, the player's own among them; without it only the player's own
    count. ``last``: the next reveal is the last of the stock. ``zhe``: the player declared 蛰 before.
    """
    key = (laid, hand, last, zhe)
    totals = scorer.wait_totals.get(key)
    if totals is None:
        # A hand stays the same while the others play: most questions are asked more than once.
        if len(scorer.wait_totals) >= _MOST_HANDS:
            scorer.wait_totals.clear()
        totals = scorer.wait_totals[key] = _totals(scorer, laid, hand, last=last, zhe=zhe)
    if not totals:
        return []
    if seen is None:
        seen = unpack(laid.cards + hand)
    return [Wait(kind, COPIES - seen[kind], own, other) for kind, own, other in totals]


def _totals(scorer: Scorer, laid: Laid, hand: int, *, last: bool, zhe: bool) -> list[tuple[int, int | None, int | None]]:
    """The kinds waited for, with what each pays on one's own reveal and on another's."""
    mine = laid.cards + hand
    found: list[tuple[int, int | None, int | None]] = []
    for kind in completing(hand):
        if held(mine, kind) >= COPIES:
            continue
        win = Win(laid=laid, hand=hand, kind=kind, last=last, zhe=zhe)
        ways = candidates(win)
        other = scorer.best_total(win, ways, own_reveal=False)
        own_ways = _with_own(ways) if held(hand, kind) >= 2 else ways
        own = scorer.best_total(win, own_ways, own_reveal=True)
        if own is not None or other is not None:
            found.append((kind, own, other))
    return found


def _with_own(ways: list[Candidate]) -> list[Candidate]:
    """The ways that are left to a card of one's own of which two are held: 栽'd first, it lies in a triple, worth one more than with
    another's card."""
    return [(hard + 1, triples, pair, tuanyuan, place) for hard, triples, pair, tuanyuan, place in ways if place == "三张"]
