"""What the fold keeps beside the position for speed agrees with the position: calm moments, packed hands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.asking import forbidding
from engine.changde.packed import suits, whole
from engine.games import GAMES, game_of
from engine.judge import open_table
from engine.log import effective_log
from engine.steps import plans
from engine.truth import NO, YES
from engine.weimaque.packed import pack
from schemas.record import Record

VECTORS = Path(__file__).parent / "vectors"


def recorded(game: str) -> Iterator[Any]:
    """Faultless hands and faulty ones."""
    for line in (VECTORS / f"{game}-records-clean.jsonl").read_bytes().splitlines():
        yield msgspec.json.decode(line, type=Record)
    for line in (VECTORS / f"{game}-records-bad.jsonl").read_bytes().splitlines():
        yield msgspec.convert(json.loads(line)["record"], Record)


def positions(record: Any) -> Iterator[tuple[Any, Any, int, int]]:
    """The position before every event, the event, its actor and its card."""
    game = game_of(record)
    log = effective_log(record.events)
    table = open_table(game, log)
    for at, (seq, event) in enumerate(zip(log.seqs, log.events, strict=True)):
        table.seq, table.at = seq, at
        actor, card = getattr(event, "actor", -1), getattr(event, "pai", None)
        kind = game.index[card] if isinstance(card, str) else -1
        yield table, event, actor, kind
        event_type: type[Any] = event.__class__
        evolve = game.evolve.get(event_type)
        if evolve is not None:
            evolve(table, actor, kind, event)


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_no_guarded_rule_is_broken_where_the_position_is_calm(game: str) -> None:
    by_type = plans(game)
    calm = 0
    for record in recorded(game):
        for table, event, actor, kind in positions(record):
            if table.calm[actor]:
                calm += 1
                assert all(breach(table, actor, kind, event) == NO for breach in by_type[type(event)].guarded)
    assert calm > 2000


def test_the_packed_hand_is_the_hand_at_weimaque() -> None:
    for record in recorded("weimaque"):
        for table, *_ in positions(record):
            assert table.packed == [pack(hand) for hand in table.hand]


def test_the_packed_hand_is_the_hand_at_changde() -> None:
    for record in recorded("changde"):
        for table, *_ in positions(record):
            if table.exact:
                assert table.packed == [whole(hand) for hand in table.hand]
                assert [suits(hand)[3] for hand in table.packed] == [hand[27] for hand in table.hand]


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_what_forbids_an_event_are_the_rules_that_it_breaks(game: str) -> None:
    rules = GAMES[game].rules
    forbid: dict[type[Any], Any] = {}
    forbidden = 0
    for record in recorded(game):
        for table, event, actor, kind in positions(record):
            event_type: type[Any] = event.__class__
            if event_type not in forbid:
                forbid[event_type] = forbidding(rules, event_type)
            broken = any(
                rule.breach[event_type](table, actor, kind, event) == YES
                for rule in rules
                if event_type in rule.breach and rule.kind != "notice" and not rule.after
            )
            assert forbid[event_type](table, actor, kind, event) == broken
            forbidden += broken
    assert forbidden > 20
