"""Who sits where: the dealer, 守醒 who sits out, and the order of turns (rules §1)."""

from engine.weimaque.deck import DEALER_HAND, OTHER_HAND
from schemas.weimaque import Start


def shouxing_seat(start: Start) -> int:
    """守醒: with four at the table dealer+2 unless the record says otherwise; -1 with three."""
    if len(start.players) == 3:
        return -1
    return start.shouxing if isinstance(start.shouxing, int) else (start.dealer + 2) % 4


def playing_seats(start: Start) -> tuple[int, ...]:
    """The three seats that play."""
    shouxing = shouxing_seat(start)
    return tuple(seat for seat in range(len(start.players)) if seat != shouxing)


def neighbours(playing: tuple[int, ...], seats: int, step: int) -> tuple[int, ...]:
    """By seat, the next playing seat in the direction of ``step``: 1 gives 下家, -1 gives 上家."""
    found: list[int] = []
    for seat in range(seats):
        at = (seat + step) % seats
        while at not in playing:
            at = (at + step) % seats
        found.append(at)
    return tuple(found)


def due_size(start: Start, seat: int) -> int:
    """How many cards the seat is dealt: the dealer 20, the other players 19, 守醒 none."""
    if seat == shouxing_seat(start):
        return 0
    return DEALER_HAND if seat == start.dealer else OTHER_HAND
