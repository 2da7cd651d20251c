"""``legal`` lists just the events that ``check`` accepts: both directions, over every event that could be written next."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.game import Game
from engine.games import GAMES
from engine.judge import judged, open_table, run
from engine.log import effective_log
from engine.truth import YES
from schemas import changde as c
from schemas import events as shared
from schemas import weimaque as w
from tools.play import whole_hand
from tools.random_hand import random_hand

SEEDS = st.integers(0, 2**32)
POSITIONS = 2


def weimaque_events(table: Any, tokens: Any) -> Iterator[Any]:
    """Every playing event of 偎麻雀, of a 吃 with its two cards in order. ``tokens`` are the cards worth naming."""
    for seat in range(len(table.names)):
        for pai in tokens:
            yield w.Discard(actor=seat, pai=pai)
            yield w.Reveal(actor=seat, pai=pai)
            yield w.Peng(actor=seat, pai=pai)
            yield w.Wei(actor=seat, pai=pai)
            if table.card >= 0 and GAMES["weimaque"].tokens[table.card] == pai:
                for a, b in combinations_with_replacement(tokens, 2):
                    yield w.Chi(actor=seat, pai=pai, consumed=[a, b])
        yield w.Zhe(actor=seat)
        yield w.DeadHand(actor=seat)
        yield w.Hu(actor=seat)
        for kind in ("天胡", "九小对", "无对胡"):
            yield w.Hu(actor=seat, kind=kind)
    yield shared.Exhausted()


def changde_events(table: Any, tokens: Any) -> Iterator[Any]:
    """Every playing event of 常德麻将, a 吃 of one kind for all."""
    for seat in range(4):
        for pai in tokens:
            yield c.Discard(actor=seat, pai=pai)
            yield c.Draw(actor=seat, pai=pai)
            yield c.Replacement(actor=seat, pai=pai)
            yield c.Peng(actor=seat, pai=pai)
            yield c.Chi(actor=seat, pai=pai, consumed=[tokens[0], tokens[1]])
            for kind in ("暗", "明", "碰"):
                yield c.Kong(actor=seat, pai=pai, kind=kind)
        yield c.Hu(actor=seat, kind="自摸")
        yield c.Hu(actor=seat, kind="抢杠")
    yield shared.Exhausted()


EVERY = {"weimaque": weimaque_events, "changde": changde_events}


def accepted(game: Game, events: list[Any], event: Any) -> bool:
    """Whether the event, written behind the others, breaks no rule."""
    found = judged(game, effective_log([*events, event])).found
    return not any(broken.seq == len(events) and broken.truth == YES and broken.rule.kind != "notice" for broken in found)


def assert_legal_is_accepted(record: Any, random: Random) -> None:
    game = GAMES[record.__struct_config__.tag]
    # Places behind 杠, 补章, 碰 and near the end are rare and worth more than others.
    ends = [place for place, event in enumerate(record.events, 1) if isinstance(event, c.Kong | c.Replacement | c.Hu | w.Wei | w.Hu)]
    places = {random.randrange(2, len(record.events) + 1) for _ in range(POSITIONS)} | set(random.sample(ends, min(2, len(ends))))
    for place in places:
        events = record.events[:place]
        log = effective_log(events)
        table = open_table(game, log)
        run(game, log, table)
        legal = {in_order(game, event) for event in game.legal(table)}
        assert len(legal) == len(game.legal(table))
        wrong = {
            event for event in EVERY[game.name](table, game.tokens) if accepted(game, events, event) != (in_order(game, event) in legal)
        }
        assert not wrong, (wrong, events)


def in_order(game: Game, event: Any) -> Any:
    """An event as something to compare: of a 吃 the order of the two cards says nothing."""
    if isinstance(event, w.Chi):
        event = replace(event, consumed=sorted(event.consumed, key=game.tokens.index))
        return ("吃", event.actor, event.pai, *event.consumed)
    return event if not isinstance(event, c.Chi) else ("吃", event.actor, event.pai)


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@settings(max_examples=4)
@given(seed=SEEDS)
def test_in_play_by_the_rules(game: str, seed: int) -> None:
    random = Random(seed)

    assert_legal_is_accepted(whole_hand(game, random), random)


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@settings(max_examples=4)
@given(seed=SEEDS)
def test_in_play_against_the_rules(game: str, seed: int) -> None:
    random = Random(seed)

    assert_legal_is_accepted(random_hand(game, random, faults=0.15, talk=0.2, stacked=random.random() < 0.5), random)


CHANGDE_OPTIONS: list[dict[str, Any]] = [
    {"rob_window": "before_bu"},
    {"added_kong_any": True, "kong_after_peng": True},
    {"discard_zhong_forfeits": True, "preset": "hongzhong"},
    {"four_zhong_wins": True, "fifth_copy": False, "preset": "hongzhong"},
    {"seven_pairs": True, "tail_order": "linear"},
]


@pytest.mark.parametrize("options", CHANGDE_OPTIONS, ids=[" ".join(options) for options in CHANGDE_OPTIONS])
@settings(max_examples=4)
@given(seed=SEEDS)
def test_under_other_rules(options: dict[str, Any], seed: int) -> None:
    random = Random(seed)

    assert_legal_is_accepted(whole_hand("changde", random, **options), random)
