"""Answers of the database that need not be asked again: those that only this program could have changed since, and has not."""

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from services.store.alone import Period, now
from services.store.database import Database
from services.store.together import Together

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")

CAPACITY = 10_000
"""So many answers are remembered; that which was not asked for longest is forgotten first."""

LASTING = 1.0
"""So many seconds an answer is remembered: what somebody changes by hand in the database, and is gone again before this program looks who
is there, holds by then."""


class Change(Generic[Found]):
    """A change under way: what was known ``before``, if anything was, and what stands there ``after``, if whoever changes it can tell."""

    def __init__(self, before: Found | None) -> None:
        self.before = before
        self.after: Found | None = None


class Remembered(Generic[Key, Found]):
    """Finds things by their keys as ``Together`` does; where it ``lasts``, what was found is remembered while this program is alone.

    Whoever changes what stands under a key does so within ``changing``.
    """

    def __init__(
        self, database: Database, find: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Found]]], lasts: Callable[[Found], bool]
    ) -> None:
        self._database = database
        self._together = Together(find)
        self._lasts = lasts
        self._answers: OrderedDict[Key, tuple[Period, float, Found]] = OrderedDict()
        self._asking: dict[Key, object] = {}
        self._changing: Counter[Key] = Counter()

    def known(self, key: Key) -> Found | None:
        """What there is under a key at this moment, if that is known without asking."""
        answer = self._answers.get(key)
        if answer is None or answer[0] is not self._database.alone.period() or now() >= answer[1]:
            return None
        return answer[2]

    async def ask(self, key: Key) -> Found | None:
        """What there is under a key at this moment. Raises whatever ``find`` raises."""
        known = self.known(key)
        if known is not None:
            return known
        period, moment = self._database.alone.period(), now()
        if period is None or key in self._changing:
            return await self._together.ask(key)
        # Whoever changes something meanwhile takes the mark away: what is found then may be what was before.
        mark = self._asking[key] = object()
        try:
            found = await self._together.ask(key)
            unchanged = self._asking.get(key) is mark
        finally:
            if self._asking.get(key) is mark:
                del self._asking[key]
        if found is not None and unchanged and self._lasts(found) and self._database.alone.period() is period:
            self._remember(key, period, moment + LASTING, found)
        return found

    @contextmanager
    def changing(self, key: Key) -> "Generator[Change[Found]]":
        """While what stands under a key is being changed. If that fails, nothing is known for certain any more."""
        change = Change(self.known(key))
        period = None if change.before is None else self._database.alone.period()
        # What follows from what was known holds no longer than that.
        until = 0.0 if change.before is None else self._answers[key][1]
        self._changing[key] += 1
        self._forget(key)
        # Another change meanwhile takes the mark away.
        mark = self._asking[key] = object()
        try:
            yield change
        except BaseException:
            self._database.alone.end()
            raise
        finally:
            undisturbed = self._asking.get(key) is mark
            self._forget(key)
            self._changing[key] -= 1
            if not self._changing[key]:
                del self._changing[key]
        if change.after is not None and undisturbed and period is not None and period is self._database.alone.period():
            self._remember(key, period, until, change.after)

    def _remember(self, key: Key, period: Period, until: float, found: Found) -> None:
        self._answers[key] = (period, until, found)
        self._answers.move_to_end(key)
        if len(self._answers) > CAPACITY:
            self._answers.popitem(last=False)

    def _forget(self, key: Key) -> None:
        self._answers.pop(key, None)
        self._asking.pop(key, None)
