"""Logs that no hand can be: judging them, and hiding what is hidden in them, costs by the event what a short one costs, and what is told
of a finding has a bound."""

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from engine.judge import check
from engine.past import MOST_INVOLVED
from engine.view import masked
from tools.bench import samples
from tools.bench.play import in_the_dark
from tools.odd_logs import FIRST, KINDS, odd_log

SHORT = 300


def dealt(game: str) -> Any:
    """A recorded hand that seat 0 deals, so that it takes part."""
    return next(record for record in samples.records(game) if record.events[0].dealer == 0)


def steps_taken(work: Callable[[], Any]) -> int:
    """How many lines of the program are gone through: the same on every machine."""
    steps = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        steps += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return steps


@pytest.mark.parametrize(("game", "kind"), KINDS)
@pytest.mark.parametrize("dark", [False, True])
def test_twice_the_events_take_twice_the_steps(game: str, kind: str, dark: bool) -> None:
    hand = dealt(game)
    if dark:
        hand = in_the_dark(hand)
    short, long = odd_log(hand, kind, SHORT), odd_log(hand, kind, 2 * SHORT)
    check(long, possible=True)  # What is remembered from one record to the next is remembered in both.
    assert steps_taken(partial(check, long, possible=True)) < 2.3 * steps_taken(partial(check, short, possible=True))


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_twice_the_events_take_twice_the_steps_to_hide(game: str, kind: str) -> None:
    short, long = (odd_log(dealt(game), kind, events) for events in (SHORT, 2 * SHORT))
    masked(long, "public")
    assert steps_taken(partial(masked, long, "public")) < 2.3 * steps_taken(partial(masked, short, "public"))


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_a_finding_names_no_more_events_than_can_be_read(game: str, kind: str) -> None:
    verdict = check(odd_log(dealt(game), kind, SHORT), possible=True)
    assert all(len(finding.because) <= MOST_INVOLVED + 2 for finding in verdict.findings)


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_of_too_many_events_the_first_and_the_last_are_named(game: str) -> None:
    half = MOST_INVOLVED // 2
    record = odd_log(dealt(game), "one seat, one card", SHORT)
    held = {finding.seq: finding.because for finding in check(record).findings if finding.rule.endswith("-discard-held")}
    last = max(held)
    assert last == SHORT - 1
    assert held[last] == [*range(1, half + 1), *range(last - half, last)]
    whole = FIRST + MOST_INVOLVED - 1
    assert held[whole] == [*range(1, whole)]
