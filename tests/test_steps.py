"""The steps written out for each event type ask just what the plans say, in that order, and fold as the game does."""

from random import Random
from typing import Any

import pytest

from engine.games import GAMES
from engine.judge import fold, open_table
from engine.log import effective_log
from engine.rule import Breached
from engine.steps import Asked, folds, plans, steps
from engine.truth import NO
from schemas import changde, weimaque
from schemas import events as shared
from tools.play import whole_hand

TYPES = {
    "weimaque": (weimaque.Start, weimaque.Deal, weimaque.Discard, weimaque.Reveal, weimaque.Chi, weimaque.Zhe, weimaque.Hu),
    "changde": (changde.Start, changde.Deal, changde.Discard, changde.Draw, changde.Kong, changde.Hu, changde.Ma, shared.Settlement),
}


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_every_question_of_the_plan_is_put_once(game: str) -> None:
    for event_type in TYPES[game]:
        plan = plans(game)[event_type]
        named = steps(game)[event_type].__globals__
        asked = steps(game)[event_type].__code__.co_names
        put = [named[name] for name in asked if name.startswith(("always_", "guarded_", "after_"))]
        assert put == [*plan.always, *plan.guarded, *plan.after]


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_a_step_without_a_breach_does_what_the_fold_does(game: str) -> None:
    record = whole_hand(game, Random(1))
    log = effective_log(record.events)
    judged, folded = open_table(GAMES[game], log), open_table(GAMES[game], log)

    def nothing_but_notices(asked: Asked, table: Any, actor: int, kind: int, event: Any) -> list[Breached]:
        broken = [rule for rule, breach in asked if breach(table, actor, kind, event)]
        assert [rule.kind for rule in broken] == ["notice"] * len(broken)
        return []

    for at, (seq, event) in enumerate(zip(log.seqs, log.events, strict=True)):
        event_type: type[Any] = event.__class__
        assert not steps(game)[event_type](judged, seq, at, event, nothing_but_notices)
        folds(game)[event_type](folded, seq, at, event)
        assert GAMES[game].state(judged) == GAMES[game].state(folded)
    again = open_table(GAMES[game], log)
    fold(GAMES[game], log, again)
    assert GAMES[game].state(again) == GAMES[game].state(folded)
    assert again.ended != NO
