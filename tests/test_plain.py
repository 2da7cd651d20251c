"""A plain move says only of events that break nothing at all that they are plain, and changes the position just as ``evolve`` does."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.games import GAMES
from engine.judge import open_table
from engine.log import effective_log
from engine.steps import plans
from schemas import changde, weimaque
from schemas import events as shared
from schemas.record import Record
from tools.bench.play import in_the_dark

VECTORS = Path(__file__).parent / "vectors"

RULES: dict[str, list[dict[str, Any]]] = {
    "weimaque": [
        {},
        {"chi_passed": "able"},
        {"chi_passed": "seen", "own_discard_blocks_peng": True},
        {"may_chi_if_can_peng": True, "discard_ban": "whole_meld"},
        {"forbid_dead_claim": True, "last_card_claims": True},
    ],
    "changde": [{}, {"tail_order": "linear"}, {"rob_window": "before_bu"}, {"kong_after_peng": True}],
}


def recorded(game: str) -> Iterator[Any]:
    """Faultless hands and faulty ones."""
    for line in (VECTORS / f"{game}-records-clean.jsonl").read_bytes().splitlines():
        yield msgspec.json.decode(line, type=Record)
    for line in (VECTORS / f"{game}-records-bad.jsonl").read_bytes().splitlines():
        yield msgspec.convert(json.loads(line)["record"], Record)


def otherwise_ruled(record: Any, options: dict[str, Any]) -> Any:
    """The record played by rules with these options on top."""
    start, *events = record.events
    return replace(record, events=[replace(start, rules=replace(start.rules, **options)), *events])


def masked(record: Any, choose: Random) -> Any:
    """The record with some of the cards of its events unknown, perhaps of its hands too."""
    start, deal, *events = record.events
    of_hands = choose.choice((0, 0.2))
    cards = [
        replace(event, pai="?") if isinstance(getattr(event, "pai", None), str) and choose.random() < 0.1 else event for event in events
    ]
    hands = [["?" if choose.random() < of_hands else card for card in hand] if hand else hand for hand in deal.hands]
    return replace(record, events=[start, replace(deal, hands=hands), *cards])


def shuffled(record: Any, choose: Random) -> Any:
    """The record with some of its events at another place, by another seat, or of another card, and with words and payments among them."""
    start, deal, *events = record.events
    for _ in range(5):
        at = choose.randrange(len(events))
        change = choose.randrange(5)
        event = events[at]
        if change == 0:
            events.insert(choose.randrange(len(events)), events.pop(at))
        elif change == 1:
            del events[at]
            events = events or [event]
        elif change == 2 and isinstance(getattr(event, "actor", None), int):
            events[at] = replace(event, actor=choose.randrange(len(start.players)))
        elif change == 3:
            seat = choose.randrange(len(start.players))
            words = [
                shared.Pass(actor=seat),
                shared.Call(actor=seat, act=choose.choice(("胡", "碰", "吃"))),
                shared.Settlement(transfers=[]),
            ]
            events.insert(at, choose.choice(words))
        elif isinstance(getattr(event, "pai", None), str):
            others = [other.pai for other in events if isinstance(getattr(other, "pai", None), str)]
            events[at] = replace(event, pai=choose.choice(others))
    return replace(record, events=[start, deal, *events])


def variants(game: str) -> Iterator[Any]:
    choose = Random(7)
    for number, record in enumerate(recorded(game)):
        yield record
        if len(record.events) < 3 or not isinstance(record.events[1], weimaque.Deal | changde.Deal):
            continue
        options = RULES[game]
        other = otherwise_ruled(record, options[number % len(options)])
        yield from (other, in_the_dark(other), masked(other, choose), shuffled(other, choose), masked(shuffled(other, choose), choose))


KEPT = {"seq", "at", "barring", "examined", "joinable", "laid", "laid_melds", "leaving", "ma_ahead", "named_later", "past", "settled"}
"""What is no part of the position: where it stands, and answers that are kept."""


def position(table: Any) -> dict[str, Any]:
    """All that a table holds but ``KEPT``, the wall spelled out."""
    held = {slot: getattr(table, slot) for slot in _slots(table) if slot not in KEPT}
    if "wall" in held:
        held["wall"] = {slot: getattr(table.wall, slot) for slot in _slots(table.wall)}
    return held


def _slots(table: Any) -> list[str]:
    return [slot for owner in type(table).__mro__ for slot in getattr(owner, "__slots__", ())]


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_a_plain_move_breaks_nothing_and_changes_what_evolve_changes(game: str) -> None:
    plain, by_type = GAMES[game].plain, plans(game)
    found: Counter[tuple[type[Any], bool]] = Counter()
    for record in variants(game):
        log = effective_log(record.events)
        tried, table = open_table(GAMES[game], log), open_table(GAMES[game], log)
        for at, (seq, event) in enumerate(zip(log.seqs, log.events, strict=True)):
            event_type: type[Any] = event.__class__
            plan = by_type[event_type]
            answer = event_type in plain and plain[event_type](tried, seq, at, event)
            found[event_type, answer] += 1
            assert answer or position(tried) == position(table)
            actor, card = getattr(event, "actor", -1), getattr(event, "pai", None)
            kind = GAMES[game].index[card] if isinstance(card, str) else -1
            table.seq, table.at = tried.seq, tried.at = seq, at
            broken = [breach(table, actor, kind, event) for breach in (*plan.always, *plan.guarded)]
            if plan.evolve is not None:
                plan.evolve(table, actor, kind, event)
                if not answer:
                    plan.evolve(tried, actor, kind, event)
            broken += [breach(table, actor, kind, event) for breach in plan.after]
            assert not (answer and any(broken)), (event, broken)
            assert position(tried) == position(table)
    for event_type in plain:
        assert found[event_type, True] > 30
        assert found[event_type, False]
