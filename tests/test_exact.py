"""Of records with few unknown cards every way to complete them is judged, but never more than a limit."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.exact import MOST_COMPLETE, MOST_JUDGED, decided, is_open
from engine.games import GAMES
from engine.judge import open_table, run
from engine.log import EffectiveLog, effective_log
from engine.rule import Breached
from schemas.events import Pass
from tools.random_hand import random_hand


def with_few_unknown(game: str, random: Random, passes: int) -> EffectiveLog:
    """A hand of which four dealt cards and one in an event are unknown, with so many passes behind it."""
    record: Any = random_hand(game, random, faults=0.15, stacked=True, claims=0.9)
    start, deal, *events = record.events
    hands: list[Any] = [list(hand) for hand in deal.hands]
    for _ in range(4):
        hand = random.choice([hand for hand in hands if hand])
        hand[random.randrange(len(hand))] = "?"
    named = [place for place, event in enumerate(events) if isinstance(getattr(event, "pai", None), str)]
    if named and random.random() < 0.7:
        place = random.choice(named)
        events[place] = replace(events[place], pai="?")
    return effective_log([start, replace(deal, hands=hands), *events, *[Pass(actor=start.dealer)] * passes])


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@pytest.mark.parametrize("passes", [0, 100, 1000, 30_000])
def test_no_more_is_judged_than_the_limits_say(game: str, passes: int) -> None:
    random = Random(passes)
    judged: list[int] = []
    for _ in range(60 if passes < 30_000 else 3):
        log = with_few_unknown(game, random, passes)
        found = run(GAMES[game], log, open_table(GAMES[game], log))
        if is_open(found, None):
            lengths: list[int] = []

            def judge(full: EffectiveLog, lengths: list[int] = lengths) -> tuple[list[Breached], None]:
                lengths.append(len(full.events))
                return [], None

            decided(GAMES[game], log, found, None, judge)
            assert len(lengths) <= MOST_COMPLETE
            judged.append(sum(lengths))
    assert max(judged) <= MOST_JUDGED
    assert any(judged) == (passes < 30_000)
