"""The wall: drawn from at the front, replaced from at the tail, each end going past what the other has taken (rules §4, §5)."""

from collections.abc import Iterator


class Wall:
    """The tiles still to come. ``kinds`` lists all of the wall in draw order (-1 unknown), ``left`` of them are still there.

    The tail is taken in stacks of two counted from the end, the upper tile of the last stack first, or one by one from the end if
    ``linear``.
    """

    __slots__ = ("back", "front", "kinds", "left", "linear", "taken")

    def __init__(self, kinds: list[int], *, linear: bool) -> None:
        self.kinds = kinds
        self.linear = linear
        self.left = len(kinds)
        self.front = 0
        self.back = 0
        self.taken = bytearray(len(kinds))

    def front_place(self) -> int:
        """Where the next draw comes from; -1 from an empty wall."""
        if self.left <= 0:
            return -1
        taken = self.taken
        while taken[self.front]:
            self.front += 1
        return self.front

    def tail_place(self) -> int:
        """Where the next replacement comes from; -1 from an empty wall."""
        if self.left <= 0:
            return -1
        while self.taken[place := self._from_end(self.back)] or place < self.front:
            self.back += 1
        return place

    def _from_end(self, turn: int) -> int:
        size = len(self.kinds)
        if self.linear:
            return size - 1 - turn
        return size - turn if turn & 1 else max(0, size - 2 - turn)

    def draw(self) -> int:
        """Take from the front; the place, -1 if there is none."""
        place = self.front_place()
        if place >= 0:
            self.front = place + 1
            self.left -= 1
        return place

    def replace(self) -> int:
        """Take from the tail; the place, -1 if there is none."""
        place = self.tail_place()
        if place >= 0:
            self.taken[place] = 1
            self.left -= 1
        return place

    def coming(self) -> Iterator[int]:
        """The places still to be drawn from the front, in order."""
        return (place for place in range(self.front, len(self.kinds)) if not self.taken[place])
