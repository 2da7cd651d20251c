"""Who sits where: the dealer, 守醒 who sits out, and the order of turns (rules §1)."""

from functools import lru_cache

import msgspec

from engine.weimaque.deck import DEALER_HAND, OTHER_HAND
from schemas.weimaque import Start


def shouxing_seat(start: Start) -> int:
    """守醒: with four at the table dealer+2 unless the record says otherwise; -1 with three."""
    if len(start.players) == 3:
        return -1
    return start.shouxing if isinstance(start.shouxing, int) else (start.dealer + 2) % 4


class Seating(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The seats that play, and by seat 下家 and 上家 among these. ``others[s]`` is the set of playing seats but ``s``, ``offered[s]``
    that of ``s`` and
    his 下家, as bits by seat; ``everybody`` that of all playing seats."""

    shouxing: int
    playing: tuple[int, ...]
    next: tuple[int, ...]
    previous: tuple[int, ...]
    others: tuple[int, ...]
    offered: tuple[int, ...]
    everybody: int
    calm: tuple[bool, ...]
    """By actor, -1 for none: whether it is not 守醒."""


@lru_cache
def seating(seats: int, shouxing: int) -> Seating:
    """The seating at a table of so many seats with 守醒 at ``shouxing`` (-1: nobody)."""
    playing = tuple(seat for seat in range(seats) if seat != shouxing)
    following = _neighbours(playing, seats, 1)
    everybody = sum(1 << seat for seat in playing)
    return Seating(
        shouxing=shouxing,
        playing=playing,
        next=following,
        previous=_neighbours(playing, seats, -1),
        others=tuple(everybody & ~(1 << seat) for seat in range(seats)),
        offered=tuple(1 << seat | 1 << following[seat] for seat in range(seats)),
        everybody=everybody,
        calm=(*(seat != shouxing for seat in range(seats)), True),
    )


def _neighbours(playing: tuple[int, ...], seats: int, step: int) -> tuple[int, ...]:
    found: list[int] = []
    for seat in range(seats):
        at = (seat + step) % seats
        while at not in playing:
            at = (at + step) % seats
        found.append(at)
    return tuple(found)


@lru_cache
def due_sizes(seats: int, dealer: int, shouxing: int) -> list[int]:
    """How many cards each seat is dealt."""
    return [0 if seat == shouxing else DEALER_HAND if seat == dealer else OTHER_HAND for seat in range(seats)]


def due_size(start: Start, seat: int) -> int:
    """How many cards the seat is dealt: the dealer 20, the other players 19, 守醒 none."""
    if seat == shouxing_seat(start):
        return 0
    return DEALER_HAND if seat == start.dealer else OTHER_HAND
