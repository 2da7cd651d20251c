"""Fill a hand of which some cards are not known so that it divides into triples, runs of one suit and one pair, or so that nothing of it
may be discarded."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

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


class Stuck(NamedTuple):
    """A hand of which nothing may be discarded: how many of each kind its unseen cards are, and the kinds of the cards that leave it."""

    unseen: list[int]
    leaving: list[int]


def stuck(
    held: Sequence[int], kept: Sequence[int], unseen: int, leaving: int, pool: Sequence[int], barred: frozenset[int], random: Random
) -> Stuck | None:
    """A hand of the cards ``held`` and ``unseen`` more out of ``pool`` that, once ``leaving`` of them all have left it, holds three or more
    of every kind that it holds and that is not ``barred``; as many as ``kept`` stay. None if a short random search finds none."""
    return _Sticking(held, kept, pool, barred, random).settled(unseen, leaving)


class _Sticking:
    def __init__(self, held: Sequence[int], kept: Sequence[int], pool: Sequence[int], barred: frozenset[int], random: Random) -> None:
        self.held = list(held)
        self.kept = kept
        self.pool = list(pool)
        self.barred = barred
        self.random = random
        self.loose = [kind for kind, count in enumerate(held) if 0 < count < 3 and kind not in barred]
        random.shuffle(self.loose)
        self.added = [0] * len(held)
        self.left: list[int] = []
        self.steps = 0

    def settled(self, unseen: int, leaving: int, settled: int = 0) -> Stuck | None:
        """Every loose kind from that place on leaves the hand, or is made three; then the rest is placed."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            return None
        if settled == len(self.loose):
            return self._placed(unseen, leaving)
        kind = self.loose[settled]
        count = self.held[kind]
        for leaves in self.random.sample((True, False), 2):
            if leaves and not self.kept[kind] and count <= leaving:
                self.left += [kind] * count
                found = self.settled(unseen, leaving - count, settled + 1)
                if found is not None:
                    return found
                del self.left[-count:]
            elif not leaves and 3 - count <= min(unseen, self.pool[kind]):
                self.added[kind] = 3 - count
                found = self.settled(unseen - (3 - count), leaving, settled + 1)
                if found is not None:
                    return found
                self.added[kind] = 0
        return None

    def _placed(self, unseen: int, leaving: int) -> Stuck | None:
        """Of the cards that still have to leave some are known, the others unseen; the unseen ones that stay lie with what is held in
        threes or barred, or are three more."""
        spare = self._spare()
        threes = [kind for kind in range(len(self.held)) if self._is_new(kind)]
        self.random.shuffle(threes)
        for known in self.random.sample(range(min(leaving, len(spare)) + 1), min(leaving, len(spare)) + 1):
            staying = unseen - (leaving - known)
            for melds in range(min(len(threes), staying // 3) + 1 if staying >= 0 else 0):
                added = self.added[:]
                for kind in threes[:melds]:
                    added[kind] = 3
                room = [kind for kind, more in enumerate(added) if self._stays(kind, more) for _ in range(self.pool[kind] - more)]
                if staying - 3 * melds <= len(room):
                    return self._filled(added, room, staying - 3 * melds, [*self.left, *spare[:known]], leaving - known)
        return None

    def _filled(self, added: list[int], room: list[int], more: int, left: list[int], leaving: int) -> Stuck | None:
        for kind in self.random.sample(room, more):
            added[kind] += 1
        rest = [kind for kind, count in enumerate(self.pool) for _ in range(count - added[kind])]
        if leaving > len(rest):
            return None
        for kind in self.random.sample(rest, leaving):
            added[kind] += 1
            left.append(kind)
        self.random.shuffle(left)
        return Stuck(added, left)

    def _spare(self) -> list[int]:
        """The known cards of barred kinds, and fourth ones, that may leave."""
        spare: list[int] = []
        for kind, count in enumerate(self.held):
            stays = self.kept[kind] if kind in self.barred else max(3, self.kept[kind])
            if count > stays:
                spare += [kind] * (count - stays)
        self.random.shuffle(spare)
        return spare

    def _is_new(self, kind: int) -> bool:
        return self.pool[kind] >= 3 and not self.held[kind] and kind not in self.barred

    def _stays(self, kind: int, added: int) -> bool:
        """Whether more cards of the kind may lie in the hand."""
        return kind in self.barred or (kind not in self.left and self.held[kind] + added >= 3)


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
        """The triple, the runs and, as long as there is none, the pair with this kind, in random order or runs first."""
        found: list[tuple[int, ...]] = [(kind,) * 3]
        for low in (kind - 2, kind - 1, kind):
            if low >= 0 and low // self.suit == (low + 2) // self.suit and low + 2 < self.kinds:
                found.append((low, low + 1, low + 2))
        if not paired:
            found.append((kind, kind))
        self.random.shuffle(found)
        if self.runs_first:
            found.sort(key=lambda group: group[0] == group[-1])
        return found
