"""Many cards counted at once: one int with a byte for each kind, so that to count a hand is to add up ints."""

from collections.abc import Mapping, Sequence
from operator import itemgetter

_MANY = 40
"""Five parts of a deal with so many copies of a card each still fit a byte."""


class Counting:
    """Counts the tokens of one deck. Byte ``kind`` of a packed count, the lowest first, is the number of that kind; behind the last kind
    stands the number of unknown cards."""

    def __init__(self, index: Mapping[str, int], kinds: int) -> None:
        self._index = index
        self._one = {token: 1 << 8 * (kind if kind >= 0 else kinds) for token, kind in index.items()}
        self._get = self._one.__getitem__
        self._bytes = kinds + 1

    def kinds(self, cards: Sequence[str]) -> list[int]:
        """The kinds of the cards, in their order."""
        if len(cards) < 2:
            return [self._index[card] for card in cards]
        return [*itemgetter(*cards)(self._index)]

    def packed(self, cards: Sequence[str]) -> int:
        """The cards packed, of no kind more than a byte holds."""
        return sum(map(self._get, cards))

    def packed_part(self, cards: Sequence[str]) -> int:
        """The same for cards that may be any number; more than ``_MANY`` of a kind (no deck has so many) count as that many."""
        if len(cards) > _MANY:
            return sum(one * min(_MANY, cards.count(token)) for token, one in self._one.items())
        return sum(map(self._get, cards))

    def counts(self, packed: int) -> list[int]:
        """The number of each kind, and last that of unknown cards."""
        return list(packed.to_bytes(self._bytes, "little"))
