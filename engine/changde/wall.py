"""The wall: drawn from at the front, replaced from at the tail, each end going past what the other has taken (rules §4, §5)."""

from collections.abc import Iterator
from operator import itemgetter


class Wall:
    """The tiles still to come. ``kinds`` lists all of the wall in draw order (-1 unknown); ``places`` are those in it from which nothing
    was taken yet, the one that is drawn next last.

    The tail is taken in stacks of two counted from the end, the upper tile of the last stack first, or one by one from the end if
    ``linear``. ``halved`` says that of the last stack the upper tile was taken.
    """

    __slots__ = ("halved", "kinds", "linear", "places")

    def __init__(self, kinds: list[int], *, linear: bool) -> None:
        self.kinds = kinds
        self.linear = linear
        self.places = [*range(len(kinds) - 1, -1, -1)]
        self.halved = False

    @property
    def left(self) -> int:
        """How many tiles are still there."""
        return len(self.places)

    @property
    def ahead(self) -> int:
        """The kind of the tile that is drawn next; -1 if it is not known or there is none."""
        places = self.places
        return self.kinds[places[-1]] if places else -1

    def behind(self) -> int:
        """The kind of the tile that is the next replacement; -1 if it is not known or there is none."""
        places = self.places
        return self.kinds[places[self._tail()]] if places else -1

    def _tail(self) -> int:
        """Where among ``places`` the next replacement is."""
        return 0 if self.linear or self.halved or len(self.places) == 1 else 1

    def draw(self) -> int:
        """Take from the front of a wall that is not empty; the place."""
        return self.places.pop()

    def replace(self) -> int:
        """Take from the tail; the place, -1 if there is none."""
        if not self.places:
            return -1
        tail = self._tail()
        self.halved = tail == 1
        return self.places.pop(tail)

    def kinds_coming(self) -> tuple[int, ...]:
        """The kinds still to be drawn from the front, in order."""
        places = self.places
        if len(places) < 2:
            return tuple([self.kinds[place] for place in places])
        return itemgetter(*places)(self.kinds)[::-1]

    def coming(self) -> Iterator[int]:
        """The places still to be drawn from the front, in order."""
        return reversed(self.places)
