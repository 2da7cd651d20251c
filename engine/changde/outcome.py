"""How a hand of 常德麻将 ended and what is due, from the position at its end."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

from engine.changde.deck import ZHONG
from engine.changde.examine import Examined
from engine.changde.ma import ma_flipped
from engine.changde.sensitivity import by_seat
from engine.changde.settle import NOTHING, Kong, Settlement, Winner, settle
from engine.changde.state import CHI, GOOD, NEXT, OPEN_KONG, PENG, Meld, Table
from engine.truth import NO, UNKNOWN, YES
from schemas.verdict import ChangdeOutcome

MOST_IN_DOUBT = 4
"""Of more 明杠 than this of which it is not known whether they pay, what is paid is left open without trying."""


def outcome(t: Table) -> ChangdeOutcome | None:
    """The outcome; None while the hand goes on. A 胡 that does not stand pays nothing; what one pays that perhaps stands, or whose 码 are
    not known, is open.
    """
    if t.wins:
        settlement = settled(t, t.wins, t.ma) if t.ended == YES else None
        return _answer("胡", [win.actor for win in t.wins], settlement)
    if t.ended == YES:
        return _answer("流局", [], None if t.doubtful else NOTHING)
    if t.false_win is not None:
        return _answer("胡", [t.false_win.actor], NOTHING, valid=False)
    return None


def _answer(end: Any, winners: list[int], settlement: Settlement | None, *, valid: bool = True) -> ChangdeOutcome:
    return ChangdeOutcome(
        end=end,
        winners=winners,
        valid=valid,
        certainty="possible" if settlement is None else "established",
        points={} if settlement is None else by_seat(settlement.points),
        transfers=[] if settlement is None else settlement.payments,
    )


def ma_owed(t: Table, wins: Sequence[Examined]) -> tuple[int, int]:
    """The least and the most 码 that these winners are due, as far as it is known who of them holds 红中."""
    left = len(t.to_flip())
    due = [ma_flipped(t.ruleset, flags, left) for flags in _flags(wins)]
    return min(due), max(due)


def _flags(wins: Sequence[Examined]) -> list[tuple[bool, ...]]:
    """Every way in which the winners may hold 红中."""
    if all(win.has_zhong != UNKNOWN for win in wins):
        return [tuple([win.has_zhong == YES for win in wins])]
    return list(product(*((False, True) if win.has_zhong == UNKNOWN else (win.has_zhong == YES,) for win in wins)))


def settled(t: Table, wins: Sequence[Examined], written: Sequence[int]) -> Settlement | None:
    """What these wins pay with the 码 that were flipped, and where those are not written with the tiles of the wall; None if that hangs
    on something unknown.
    """
    asked = (tuple(win.actor for win in wins), tuple(written), t.end_seq if t.wins else t.seq)
    if t.settled is None or t.settled[0] != asked:
        t.settled = asked, _settled(t, wins, written)
    return t.settled[1]


def _settled(t: Table, wins: Sequence[Examined], written: Sequence[int]) -> Settlement | None:
    if any(win.valid != YES for win in wins):
        return None
    robbed = wins[0].robbed
    scoring = _doubted(t, robbed)
    in_doubt = [place for place, (_, is_in_doubt) in enumerate(scoring) if is_in_doubt]
    if len(in_doubt) > MOST_IN_DOUBT:
        return None
    lying = t.to_flip()
    answers: list[Settlement] = []
    for flags, left_out in product(_flags(wins), _subsets(in_doubt)):
        due = ma_flipped(t.ruleset, flags, len(lying))
        flipped = [*written[:due], *lying[len(written) : due]]
        for unknown in (-1, ZHONG) if -1 in flipped else (-1,):
            answers.append(
                settle(
                    winners=[Winner(win.actor, has_zhong) for win, has_zhong in zip(wins, flags, strict=True)],
                    robbed=None if robbed is None else robbed.actor,
                    dealer=t.dealer,
                    kongs=[kong for place, (kong, _) in enumerate(scoring) if place not in left_out],
                    ma=[unknown if kind < 0 else kind for kind in flipped],
                    ruleset=t.ruleset,
                )
            )
    first = answers[0]
    if len(answers) == 1:
        return first
    return first if all(answer.points == first.points and answer.payments == first.payments for answer in answers) else None


def kongs(t: Table, robbed: Meld | None) -> list[Kong]:
    """Everybody's kongs, by seat and in order, the robbed one left out: it reads as 碰. A 明杠 of nobody's discard pays nothing."""
    return [kong for kong, _ in _doubted(t, robbed)]


def _doubted(t: Table, robbed: Meld | None) -> list[tuple[Kong, bool]]:
    """The same, each with whether it may be one of nobody's discard."""
    made = [
        (Kong(meld.actor, meld.kind, meld.tile, meld.source, meld.bu == GOOD), meld.in_doubt)
        for meld in t.kongs
        if meld.kind != PENG and meld.kind != CHI and meld is not robbed and (meld.kind != OPEN_KONG or meld.source not in (-1, meld.actor))
    ]
    return sorted(made, key=lambda kong: kong[0].actor)


def _subsets(places: Sequence[int]) -> list[tuple[int, ...]]:
    """Every choice of some of them, of none first."""
    return [chosen for size in range(len(places) + 1) for chosen in combinations(places, size)]


def next_dealer(t: Table) -> int | None:
    """Who deals the next hand: the winner, with several robbers the robbed player; after a draw or a win that does not stand as agreed
    (R-DEALER).

    None while that is open.
    """
    if t.ended == UNKNOWN or t.doubtful or any(win.valid == UNKNOWN for win in t.wins):
        return None
    if len(t.wins) > 1:
        return t.wins[0].robbed.actor
    if t.wins:
        return t.wins[0].actor
    if t.ended == NO and t.false_win is None:
        return None
    if t.ruleset.draw_dealer == "next":
        return NEXT[t.dealer]
    return t.last_drawer if t.ruleset.draw_dealer == "last_drawer" and t.last_drawer >= 0 else t.dealer
