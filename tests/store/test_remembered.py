"""What is remembered of the database is asked again in time, for somebody may have changed it by hand and be gone again."""

from collections.abc import Sequence
from typing import Any

import pytest

from services.store import remembered
from services.store.alone import Period
from services.store.remembered import LASTING, Remembered

pytestmark = pytest.mark.anyio

MOMENT = LASTING / 100


class Lonely:
    """A database at which nobody else was ever seen."""

    def __init__(self) -> None:
        self.alone = self
        self.lasting = Period()

    def period(self) -> Period:
        return self.lasting


class Drawer:
    """What stands there, how often somebody looked, the clock, and how long a look takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.there = 1
        self.looks = 0
        self.clock = 100.0
        self.takes = 0.0
        database: Any = Lonely()
        self.memory = Remembered[str, int](database, self.find, lambda found: True)
        monkeypatch.setattr(remembered, "now", lambda: self.clock)

    async def find(self, keys: Sequence[str]) -> dict[str, int]:
        self.looks += 1
        self.clock += self.takes
        return dict.fromkeys(keys, self.there)


@pytest.fixture
def drawer(monkeypatch: pytest.MonkeyPatch) -> Drawer:
    return Drawer(monkeypatch)


async def test_what_is_remembered_is_asked_again_when_its_time_is_over(drawer: Drawer) -> None:
    assert await drawer.memory.ask("a") == 1
    drawer.there = 2
    drawer.clock += LASTING - MOMENT
    assert drawer.memory.known("a") == await drawer.memory.ask("a") == 1
    assert drawer.looks == 1
    drawer.clock += MOMENT
    assert drawer.memory.known("a") is None
    assert await drawer.memory.ask("a") == 2


async def test_its_time_begins_before_it_is_looked_up(drawer: Drawer) -> None:
    drawer.takes = LASTING / 2
    assert await drawer.memory.ask("a") == 1
    drawer.clock += LASTING / 2 - MOMENT
    assert drawer.memory.known("a") == 1
    drawer.clock += MOMENT
    assert drawer.memory.known("a") is None


async def test_a_change_gives_what_was_known_no_longer_time(drawer: Drawer) -> None:
    assert await drawer.memory.ask("a") == 1
    for after in (2, 3, 4):
        drawer.clock += LASTING / 4
        with drawer.memory.changing("a") as change:
            assert change.before == after - 1
            change.after = after
        assert drawer.memory.known("a") == after
    drawer.there = 9
    drawer.clock += LASTING / 4
    assert drawer.memory.known("a") is None
    assert await drawer.memory.ask("a") == 9
