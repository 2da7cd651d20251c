"""Goals about single hands: wins, waits, divisions, settlements."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from engine.changde.packed import Packed
from engine.changde.waits import wait_mask
from engine.changde.win import complete
from engine.weimaque.deck import COPIES, KINDS, TOKENS
from engine.weimaque.laid import Laid
from engine.weimaque.options import ruleset
from engine.weimaque.packed import held, kinds_of
from engine.weimaque.partition import partitions
from engine.weimaque.score import Scorer, Win, scorer_of
from engine.weimaque.settle import win_transfers
from engine.weimaque.waits import Wait, own_reveal, waits
from schemas.rulesets import WeimaqueRules
from tools.bench import samples
from tools.bench.goal import Goal, Measured
from tools.bench.peers import peer
from tools.bench.samples import WinSample
from tools.bench.timing import ROUNDS, Side, compare, in_turns, once
from tools.weimaque_twin import Case, waits_of_twin

HANDS = 300
"""Hands on each side of a round. Every round has new ones: what a program remembers of a hand must not count."""

_WARM_UP = 20
"""Batches of other hands before the first round, so that what is measured is a program that has been running for a while."""

_ROUNDS = range(_WARM_UP, _WARM_UP + ROUNDS)

_KNOWN = 7

Hand = TypeVar("Hand")
Other = TypeVar("Other")


def _beside(
    ours: Callable[[list[Hand]], object],
    our_hands: Callable[[int], list[Hand]],
    other: str,
    theirs: Callable[[list[Other]], object],
    their_hands: Callable[[int], list[Other]],
) -> Measured:
    """Our work on new hands in every round, by seed, against theirs; beside it both on hands that come again and again."""
    for seed in range(_WARM_UP):
        ours(our_hands(seed))
    theirs(their_hands(0))
    our_batches, their_batches = map(our_hands, _ROUNDS), map(their_hands, _ROUNDS)

    def seconds(work: Callable[[list[Any]], object], batches: Iterator[list[Any]]) -> float:
        hands = next(batches)
        return once(lambda: work(hands), len(hands))

    found = in_turns(lambda: seconds(ours, our_batches), lambda: seconds(theirs, their_batches), ROUNDS)
    our_known, their_known = our_hands(_WARM_UP), their_hands(_WARM_UP)
    known = compare(
        Side(run=lambda: ours(our_known), units=len(our_known)), Side(run=lambda: theirs(their_known), units=len(their_known)), _KNOWN
    )
    return Measured(
        value=found.ratio,
        times={"Paipu": found.ours * 1e6, other: found.other * 1e6},
        note=f"the same hands again and again: {known.ratio:.1f}x, {known.ours * 1e6:.3g} µs",
    )


def _complete(hands: list[Packed]) -> list[bool]:
    return [complete(m, s, p, 0) for m, s, p in hands]


def _changde_win() -> Measured:
    is_agari = peer("mahjong.agari").Agari.is_agari
    return _beside(
        _complete,
        lambda seed: samples.packed_tiles(samples.mahjong_wins(seed, HANDS)),
        "mahjong is_agari",
        lambda hands: [is_agari(counts) for counts in hands],
        lambda seed: samples.mahjong_wins(seed, HANDS),
    )


def _near_misses(seed: int) -> list[list[int]]:
    changed = samples.with_one_changed(seed, samples.mahjong_wins(seed, HANDS))
    return [counts for counts, packed in zip(changed, samples.packed_tiles(changed), strict=True) if not complete(*packed, 0)]


def _changde_near_miss() -> Measured:
    is_agari = peer("mahjong.agari").Agari.is_agari
    return _beside(
        _complete,
        lambda seed: samples.packed_tiles(_near_misses(seed)),
        "mahjong is_agari",
        lambda hands: [is_agari(counts) for counts in hands],
        _near_misses,
    )


def _changde_wilds() -> Measured:
    hands = samples.mahjong_wins(0, HANDS)
    whole = samples.packed_tiles(hands)
    for seed in range(4):
        hands = samples.with_one_less(seed, hands)
    with_wilds = samples.packed_tiles(hands)
    found = compare(
        Side(run=lambda: [complete(m, s, p, 0) for m, s, p in whole], units=HANDS),
        Side(run=lambda: [complete(m, s, p, 4) for m, s, p in with_wilds], units=HANDS),
    )
    return Measured(value=found.ratio, times={"w = 0": found.ours * 1e6, "w = 4": found.other * 1e6})


def _changde_waits() -> Measured:
    is_agari = peer("mahjong.agari").Agari.is_agari

    def one_short(seed: int) -> list[list[int]]:
        return samples.with_one_less(seed, samples.mahjong_wins(seed, HANDS))

    def by_trying(hands: list[list[int]]) -> list[int]:
        masks: list[int] = []
        for counts in hands:
            mask = 0
            for kind in range(27):
                counts[kind] += 1
                if is_agari(counts):
                    mask |= 1 << kind
                counts[kind] -= 1
            masks.append(mask)
        return masks

    return _beside(
        lambda hands: [wait_mask(m, s, p, 0) for m, s, p in hands],
        lambda seed: samples.packed_tiles(one_short(seed)),
        "27 x mahjong is_agari",
        by_trying,
        lambda seed: one_short(seed)[: HANDS // 6],
    )


def _weimaque_partitions() -> Measured:
    divide_hand = peer("mahjong.hand_calculating.divider").HandDivider.divide_hand
    return _beside(
        lambda hands: [partitions(cards) for cards in hands],
        lambda seed: [sample.win().concealed for sample in samples.weimaque_wins(seed, HANDS, most_laid=0)],
        "mahjong divide_hand",
        lambda hands: [divide_hand(counts) for counts in hands],
        lambda seed: samples.mahjong_wins(seed, HANDS),
    )


def _weimaque_settlement() -> Measured:
    estimate = peer("mahjong.hand_calculating.hand").HandCalculator.estimate_hand_value
    config = peer("mahjong.hand_calculating.hand_config").HandConfig(is_riichi=True)
    rules = ruleset(WeimaqueRules(preset="dazhuo"))
    scorer = scorer_of(rules)

    def settle(wins: list[WinSample]) -> None:
        for sample in wins:
            scored = scorer.best(sample.win())
            if scored is not None:
                win_transfers(0, (1, 3), scored.total_xi, 2, rules)

    return _beside(
        settle,
        lambda seed: samples.weimaque_wins(seed, HANDS),
        "mahjong estimate_hand_value",
        lambda hands: [estimate(tiles, tiles[0], config=config) for tiles in hands],
        lambda seed: [samples.tiles_136(counts) for counts in samples.mahjong_wins(seed, HANDS)],
    )


def waits_by_trying(scorer: Scorer, laid: Laid, hand: int) -> list[Wait]:
    """``waits`` without its short cut: all 20 kinds are settled, as another's card and as one's own."""
    cards = laid.cards + hand
    found: list[Wait] = []
    for kind in range(KINDS):
        mine = held(cards, kind)
        if mine >= COPIES:
            continue
        other = scorer.best(Win(laid=laid, hand=hand, kind=kind))
        own = scorer.best(own_reveal(laid, hand, kind))
        if own is not None or other is not None:
            found.append(Wait(kind, COPIES - mine, own and own.total_xi, other and other.total_xi))
    return found


def written(sample: WinSample) -> Case:
    """A hand that is one card short as the naive twin reads it."""
    cards = "".join(TOKENS[kind] for kind in kinds_of(sample.hand))
    table = [(word, "".join(TOKENS[kind] for kind in meld)) for word, meld in sample.melds]
    return Case(table, cards, "", own=False, last=False, wei=False, zhe=False)


_NAIVE_HANDS = 6
"""Hands of a round that the naive twin tries: it is slow."""


def _weimaque_waits() -> Measured:
    rules = ruleset(WeimaqueRules(preset="dazhuo"))
    scorer = scorer_of(rules)

    def find(wins: list[WinSample]) -> None:
        for sample in wins:
            waits(scorer, sample.laid, sample.hand)

    def try_naively(wins: list[WinSample]) -> None:
        for sample in wins:
            waits_of_twin(written(sample), rules)

    def try_with_scorer(wins: list[WinSample]) -> None:
        for sample in wins:
            waits_by_trying(scorer, sample.laid, sample.hand)

    def one_short(seed: int) -> list[WinSample]:
        return samples.weimaque_wins(seed, HANDS)

    naive = _beside(find, one_short, "20 kinds tried by the naive twin", try_naively, lambda seed: one_short(-seed - 1)[:_NAIVE_HANDS])
    scorer.wait_totals.clear()
    quick = _beside(find, one_short, "20 kinds scored", try_with_scorer, lambda seed: one_short(-seed - 1))
    note = f"the peer is the scorer of tools.weimaque_twin; against our own scorer for each of 20 kinds {quick.value:.2f}x"
    return Measured(value=naive.value, times=naive.times, note=note)


GOALS = (
    Goal(
        name="changde-win",
        zh="常德：判断成胡（没有红中）快于 is_agari",
        en="常德 win check, no wilds, against is_agari",
        great=25,
        floor=12,
        measure=_changde_win,
    ),
    Goal(
        name="changde-near-miss",
        zh="常德：判断差一张，快于 is_agari",
        en="常德 near miss, against is_agari",
        great=12,
        floor=6,
        measure=_changde_near_miss,
    ),
    Goal(
        name="changde-wilds",
        zh="常德：四张红中比没有红中",
        en="常德 win check, four wilds against none",
        great=1.2,
        floor=1.5,
        faster=False,
        measure=_changde_wilds,
    ),
    Goal(
        name="changde-waits",
        zh="常德：听牌快于 27 次 is_agari",
        en="常德 waits against 27 x is_agari",
        great=60,
        floor=12,
        measure=_changde_waits,
    ),
    Goal(
        name="weimaque-partitions",
        zh="偎麻雀：全部分法快于 divide_hand",
        en="偎麻雀 all partitions against divide_hand",
        great=15,
        floor=8,
        measure=_weimaque_partitions,
    ),
    Goal(
        name="weimaque-settlement",
        zh="偎麻雀：完整结算快于 estimate_hand_value",
        en="偎麻雀 full settlement against estimate_hand_value",
        great=12,
        floor=6,
        measure=_weimaque_settlement,
    ),
    Goal(
        name="weimaque-waits",
        zh="偎麻雀：听牌快于朴素算法逐张试 20 种",
        en="偎麻雀 waits (听) against its naive twin x 20",
        great=8,
        floor=5,
        measure=_weimaque_waits,
    ),
)
