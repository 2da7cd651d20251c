"""Fill a hand of which some cards are not known so that it divides into triples, runs of one suit and one pair."""

from collections.abc import Iterator, Sequence
from random import Random

_MOST_STEPS = 1_000
"""Groups that are looked at before the search is given up."""


def filled(counts: Sequence[int], unknown: int, pool: Sequence[int], suit: int, wilds: int, random: Random) -> list[int] | None:
    """Counts by kind of ``unknown`` cards out of ``pool`` that complete the hand ``counts``; None if a short random search finds none.

    Kinds stand in suits of ``suit`` kinds each; kinds beyond the last whole suit make no meld. ``wilds`` more cards of the hand stand for
    any.
    """
    if (sum(counts) + unknown + wilds) % 3 != 2:
        return None
    search = _Search(counts, pool, suit, random)
    found = next(search.complete(list(counts), [0] * len(counts), unknown + wilds, False), None)
    if found is None:
        return None
    # What wilds stand for need not be found in the pool.
    for _ in range(wilds):
        kinds = [kind for kind, count in enumerate(found) if count]
        if kinds:
            found[random.choice(kinds)] -= 1
    return found


class _Search:
    def __init__(self, counts: Sequence[int], pool: Sequence[int], suit: int, random: Random) -> None:
        self.kinds = len(counts) // suit * suit
        self.pool = pool
        self.suit = suit
        self.random = random
        self.steps = 0

    def complete(self, left: list[int], added: list[int], unknown: int, paired: bool) -> Iterator[list[int]]:
        """Every way, in random order, to cover the cards ``left`` with groups, ``unknown`` more cards to be taken.

        All of them together are a number of triples and one pair, so that none are left only once there was a pair.
        """
        lowest = next((kind for kind, count in enumerate(left) if count), -1)
        if lowest < 0:
            if unknown == 0:
                yield added
                return
            groups = (group for kind in self.random.sample(range(self.kinds), self.kinds) for group in self._groups(kind, paired))
        elif lowest >= self.kinds:
            return
        else:
            groups = self._groups(lowest, paired)
            self.random.shuffle(groups)
        for group in groups:
            self.steps += 1
            if self.steps > _MOST_STEPS:
                return
            missing = [kind for kind in set(group) for _ in range(max(0, group.count(kind) - left[kind]))]
            if len(missing) > unknown or any(added[kind] + missing.count(kind) > self.pool[kind] for kind in missing):
                continue
            rest, more = left[:], added[:]
            for kind in group:
                rest[kind] = max(0, rest[kind] - 1)
            for kind in missing:
                more[kind] += 1
            yield from self.complete(rest, more, unknown - len(missing), paired or len(group) == 2)

    def _groups(self, kind: int, paired: bool) -> list[tuple[int, ...]]:
        """The triple, the runs and, as long as there is none, the pair with this kind."""
        found: list[tuple[int, ...]] = [(kind,) * 3]
        for low in (kind - 2, kind - 1, kind):
            if low >= 0 and low // self.suit == (low + 2) // self.suit and low + 2 < self.kinds:
                found.append((low, low + 1, low + 2))
        return found if paired else [*found, (kind, kind)]
