"""What is done with each type of event: the rules that ask before and behind it, how it changes the position, and all of that written out
as one function.

A loop over the questions to ask would cost as much as the questions: a function that puts them one after another is made once a type.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, get_origin

import msgspec

from engine.asking import ARGUMENTS, any_of, where_not_calm
from engine.game import Game, Plain
from engine.games import GAMES
from engine.rule import Breach, Breached, Rule

Evolve = Callable[[Any, int, int, Any], None]

Asked = tuple[tuple[Rule, Breach], ...]
"""Rules, each with its question about one type of event."""

Tell = Callable[[Asked, Any, int, int, Any], list[Breached]]
"""``tell(asked, table, actor, kind, event)``: all that is broken at the event, where one of the rules is, or perhaps is."""

Step = Callable[[Any, int, int, Any, Tell], list[Breached] | None]
"""``step(table, seq, at, event, tell)`` judges an event and folds it into the table: what it broke, if anything."""

Fold = Callable[[Any, int, int, Any], None]
"""``fold(table, seq, at, event)`` folds an event into the table without judging it."""


Made = TypeVar("Made")


class Plan(NamedTuple):
    """The questions asked before an event of one type, always and where the position is not calm; what it does; the questions asked
    behind it. ``before_rules`` and ``after_rules`` are those that ask, in the order of the rules page."""

    always: tuple[Breach, ...]
    guarded: tuple[Breach, ...]
    evolve: Evolve | None
    after: tuple[Breach, ...]
    before_rules: tuple[Rule, ...]
    after_rules: tuple[Rule, ...]


def _plan(game: Game, event_type: type[Any]) -> Plan:
    asked = [rule for rule in game.rules if event_type in rule.breach]
    before = tuple(rule for rule in asked if not rule.after)
    after = tuple(rule for rule in asked if rule.after)
    return Plan(
        always=tuple(rule.breach[event_type] for rule in before if not rule.is_guarded_at(event_type)),
        guarded=tuple(rule.breach[event_type] for rule in before if rule.is_guarded_at(event_type)),
        evolve=game.evolve.get(event_type),
        after=tuple(rule.breach[event_type] for rule in after),
        before_rules=before,
        after_rules=after,
    )


_SOURCE = """
def step(table, seq, at, event, tell):
    table.seq = seq
    table.at = at
    actor = {actor}
    kind = {kind}
    broken = None
    if {before}:
        broken = tell(asked_calm if table.calm[actor] else asked_before, table, actor, kind, event)
    {evolve}
    if {after}:
        broken = (broken or []) + tell(asked_behind, table, actor, kind, event)
    return broken


def fold(table, seq, at, event):
    table.seq = seq
    table.at = at
    actor = {actor}
    kind = {kind}
    {evolve}
"""


def _asked(rules: Sequence[Rule], event_type: type[Any]) -> Asked:
    return tuple((rule, rule.breach[event_type]) for rule in rules)


@cache
def _written_out(name: str, event_type: type[Any]) -> tuple[Step, Fold]:
    """The step and the fold of one event type, compiled from ``_SOURCE``."""
    plan = plans(name)[event_type]
    fields = {field.name: field.type for field in msgspec.structs.fields(event_type)}
    names: dict[str, Any] = {
        "evolve": plan.evolve,
        "asked_before": _asked(plan.before_rules, event_type),
        "asked_calm": _asked([rule for rule in plan.before_rules if not rule.is_guarded_at(event_type)], event_type),
        "asked_behind": _asked(plan.after_rules, event_type),
        "index": GAMES[name].index,
    }
    source = _SOURCE.format(
        actor="event.actor" if "actor" in fields else "-1",
        kind="index[event.pai]" if get_origin(fields.get("pai")) is Literal else "-1",
        before=f"{any_of('always', plan.always, names)} or {where_not_calm(any_of('guarded', plan.guarded, names))}",
        evolve=f"evolve{ARGUMENTS}" if plan.evolve is not None else "pass",
        after=any_of("after", plan.after, names),
    )
    exec(compile(source, f"<steps of {event_type.__name__}>", "exec"), names)
    return names["step"], names["fold"]


class _ByType(dict[type[Any], Made]):
    """Something by event type, made when the type is first met."""

    def __init__(self, make: Callable[[type[Any]], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, event_type: type[Any]) -> Made:
        made = self[event_type] = self._make(event_type)
        return made


@cache
def plans(name: str) -> dict[type[Any], Plan]:
    """The plans of a game by event type."""
    game = GAMES[name]
    return _ByType(lambda event_type: _plan(game, event_type))


def _never(table: Any, seq: int, at: int, event: Any) -> bool:
    """In place of the plain move of a type that has none."""
    return False


@cache
def plain_moves(name: str) -> dict[type[Any], Plain]:
    """The plain moves of a game by event type."""
    plain = GAMES[name].plain
    return _ByType(lambda event_type: plain.get(event_type, _never))


@cache
def plain_folds(name: str) -> dict[type[Any], Plain]:
    """Those of them that are no more work than to fold alone."""
    game = GAMES[name]
    return _ByType(lambda event_type: _never if event_type in game.weighed else game.plain.get(event_type, _never))


@cache
def steps(name: str) -> dict[type[Any], Step]:
    """The steps of a game by event type."""
    return _ByType(lambda event_type: _written_out(name, event_type)[0])


@cache
def folds(name: str) -> dict[type[Any], Fold]:
    """The folds of a game by event type."""
    return _ByType(lambda event_type: _written_out(name, event_type)[1])
