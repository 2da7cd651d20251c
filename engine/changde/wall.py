"""The wall: drawn from at the front, replaced from at the tail, each end going past what the other has taken (rules §4, §5)."""

from collections.abc import Iterator
from itertools import compress


class Wall:
    """The tiles still to come. ``kinds`` lists all of the wall in draw order (-1 unknown), ``left`` of them are still there (of those
    from ``front`` on the ones that ``there`` marks), ``ahead`` is the kind of the one that is drawn next (-1 also if there is none).

    The tail is taken in stacks of two counted from the end, the upper tile of the last stack first, or one by one from the end if
    ``linear``.
    """

    __slots__ = ("ahead", "back", "front", "kinds", "left", "linear", "there")

    def __init__(self, kinds: list[int], *, linear: bool) -> None:
        self.kinds = kinds
        self.linear = linear
        self.left = len(kinds)
        self.front = 0
        self.back = 0
        self.there = bytearray(b"\1" * len(kinds))
        self.ahead = kinds[0] if kinds else -1

    def tail_place(self) -> int:
        """Where the next replacement comes from; -1 from an empty wall."""
        if self.left <= 0:
            return -1
        while not self.there[place := self._from_end(self.back)] or place < self.front:
            self.back += 1
        return place

    def behind(self) -> int:
        """The kind of the tile that is the next replacement; -1 if it is not known or there is none."""
        place = self.tail_place()
        return self.kinds[place] if place >= 0 else -1

    def _from_end(self, turn: int) -> int:
        size = len(self.kinds)
        if self.linear:
            return size - 1 - turn
        return size - turn if turn & 1 else max(0, size - 2 - turn)

    def draw(self) -> int:
        """Take from the front of a wall that is not empty; the place."""
        place = self.front
        self.left -= 1
        self.front = front = place + 1
        if self.left > 0 and self.there[front]:
            self.ahead = self.kinds[front]
        else:
            self._look_ahead()
        return place

    def _look_ahead(self) -> None:
        """Go past what was taken from the tail, to the tile that is drawn next."""
        if self.left <= 0:
            self.ahead = -1
            return
        front, there = self.front, self.there
        while not there[front]:
            front += 1
        self.front = front
        self.ahead = self.kinds[front]

    def replace(self) -> int:
        """Take from the tail; the place, -1 if there is none."""
        place = self.tail_place()
        if place >= 0:
            self.there[place] = 0
            self.left -= 1
            self._look_ahead()
        return place

    def kinds_coming(self) -> tuple[int, ...]:
        """The kinds still to be drawn from the front, in order."""
        return tuple(compress(self.kinds[self.front :], self.there[self.front :]))

    def coming(self) -> Iterator[int]:
        """The places still to be drawn from the front, in order."""
        return compress(range(self.front, len(self.kinds)), self.there[self.front :])
