"""Knowledge only grows: whatever is established of a record in which cards are unknown is found in the full record too."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.judge import check
from schemas import changde as c
from schemas import weimaque as w
from schemas.base import UNSET
from schemas.record import Record
from tools.play import whole_hand
from tools.random_hand import random_hand

SEEDS = st.integers(0, 2**32)


VECTORS = Path(__file__).parent / "vectors"


def established(record: Any) -> set[tuple[int, str]]:
    return {(found.seq, found.rule) for found in check(record).findings}


def masked(random: Random, events: list[Any], share: float) -> list[Any]:
    """The events with some of their cards unknown."""

    def card(token: str) -> str:
        return "?" if random.random() < share else token

    def cards(tokens: Sequence[str]) -> list[str]:
        return [card(token) for token in tokens]

    def part(tokens: Sequence[str] | None) -> list[str] | None:
        return None if tokens is None or random.random() < share / 2 else cards(tokens)

    hidden: list[Any] = []
    for event in events:
        if isinstance(event, w.Deal):
            event = replace(event, hands=[part(hand) for hand in event.hands], stock=part(event.stock))
        elif isinstance(event, c.Deal):
            event = replace(event, hands=[part(hand) for hand in event.hands], wall=part(event.wall))
        elif isinstance(event, w.Hu | c.Hu):
            if event.hand is not UNSET:
                event = replace(event, hand=UNSET if random.random() < share else cards(event.hand))
        elif isinstance(event, w.Chi | c.Chi):
            event = replace(event, pai=card(event.pai), consumed=cards(event.consumed))
        elif isinstance(event, w.Show | c.Show | c.Ma):
            event = replace(event, pai=cards(event.pai))
        elif isinstance(getattr(event, "pai", None), str):
            event = replace(event, pai=card(event.pai))
        hidden.append(event)
    return hidden


def assert_nothing_new(random: Random, record: Any) -> None:
    full = check(record)
    found = {(finding.seq, finding.rule) for finding in full.findings}
    for share in (0.02, 0.1, 0.4, 1.0):
        hidden = replace(record, events=masked(random, record.events, share))
        verdict = check(hidden)
        new = [finding for finding in verdict.findings if (finding.seq, finding.rule) not in found]
        assert not new, (share, new[0], hidden.events)
        outcome = verdict.outcome
        if outcome is not None and outcome.certainty == "established":
            assert outcome == full.outcome, (share, hidden.events)


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@settings(max_examples=60)
@given(seed=SEEDS)
def test_a_legal_hand_stays_clean(game: str, seed: int) -> None:
    random = Random(seed)
    options: dict[str, Any] = {} if game == "weimaque" else {"ma_count": random.choice([0, 2, "all"])}

    assert_nothing_new(random, whole_hand(game, random, **options))


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@settings(max_examples=60)
@given(seed=SEEDS)
def test_what_breaks_a_rule_is_found_or_left_open(game: str, seed: int) -> None:
    random = Random(seed)
    record = random_hand(game, random, faults=0.1, talk=0.2, stacked=random.random() < 0.5)
    if any(finding.kind == "impossible" for finding in check(record).findings):
        return

    assert_nothing_new(random, record)


def test_codes_flipped_from_elsewhere_tell_of_no_fifth_copy() -> None:
    """奖码 from the wrong end of the wall break a rule and no fact; with the front of the wall unknown that must stay so."""
    tried = 0
    for line in (VECTORS / "changde-records-clean.jsonl").read_bytes().splitlines():
        record = msgspec.json.decode(line)
        events = record["events"]
        place = next((at for at, event in enumerate(events) if event["type"] == "奖码"), None)
        wall = events[1]["wall"]
        if place is None or wall is None or not 0 < len(events[place]["pai"]) < 12:
            continue
        flipped = len(events[place]["pai"])
        front = sum(event["type"] == "摸" for event in events)
        events[place]["pai"] = wall[front + flipped + 6 : front + 2 * flipped + 6]
        del events[place + 1 :]
        full = established(msgspec.convert(record, Record))
        assert any(rule == "cd-ma-tiles" for _, rule in full) or events[place]["pai"] == wall[front : front + flipped]
        for hidden in ([*wall[:front], *["?"] * flipped, *wall[front + flipped :]], [*wall[:front], *["?"] * len(wall[front:])], None):
            events[1]["wall"] = hidden
            masked_record = msgspec.convert(record, Record)
            assert established(masked_record) <= full
            if hidden is None or hidden[-1] == "?":
                assert full <= {(finding.seq, finding.rule) for finding in check(masked_record, possible=True).findings}
        tried += 1
    assert tried > 5
