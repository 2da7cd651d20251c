"""Fill a hand of which some cards are not known so that it divides into triples, runs of one suit and one pair, or so that nothing of it
may be discarded."""

from collections.abc import Iterator, Sequence
from random import Random

_MOST_STEPS = 1_000
"""Groups that are looked at before the search is given up."""


def filled(counts: Sequence[int], unknown: int, pool: Sequence[int], suit: int, wilds: int, random: Random) -> list[int] | None:
    """Counts by kind of ``unknown`` cards out of ``pool`` that complete the hand ``counts``; None if a short random search finds none.

    Kinds stand in suits of ``suit`` kinds each; kinds beyond the last whole suit make no meld. ``wilds`` more cards of the hand stand for
    any. Half of the hands are made of runs rather than triples.
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


def stuck(counts: Sequence[int], unknown: int, pool: Sequence[int], barred: frozenset[int], random: Random) -> list[int] | None:
    """Counts by kind of ``unknown`` cards out of ``pool`` with which the hand ``counts`` holds three or more of every kind that it holds
    and that is not ``barred``; None if a short random search finds none."""
    added = [0] * len(counts)
    for kind, count in enumerate(counts):
        if 0 < count < 3 and kind not in barred:
            added[kind] = 3 - count
    left = unknown - sum(added)
    if left < 0 or any(more > there for more, there in zip(added, pool, strict=True)):
        return None
    while left:
        held = [kind for kind in range(len(counts)) if pool[kind] > added[kind] and (kind in barred or counts[kind] + added[kind] >= 3)]
        new = [kind for kind in range(len(counts)) if kind not in barred and not counts[kind] + added[kind] and pool[kind] >= 3]
        if held and (left < 3 or not new or random.random() < 0.4):
            added[random.choice(held)] += 1
            left -= 1
        elif new and left >= 3:
            added[random.choice(new)] = 3
            left -= 3
        else:
            return None
    return added


class _Search:
    def __init__(self, counts: Sequence[int], pool: Sequence[int], suit: int, random: Random) -> None:
        self.kinds = len(counts) // suit * suit
        self.pool = pool
        self.suit = suit
        self.random = random
        self.runs_first = random.random() < 0.5
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
            if self.runs_first:
                groups.sort(key=lambda group: group[0] == group[-1])
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
