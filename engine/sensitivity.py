"""Where the verdict on a record hangs on a reading: what it would be if one doubtful option of its rules were read otherwise (design,
Sensitivity)."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.game import Game
from engine.games import game_of
from engine.judge import Breached, judged, under
from engine.log import effective_log
from engine.options import Option
from engine.truth import YES
from schemas.base import UNSET
from schemas.verdict import Named, OtherVerdict


def other_verdicts(record: Any, *, rules: Any = None) -> list[OtherVerdict]:
    """Every probed option, one at a time, with each other value under which the findings or the outcome differ; in the order of the
    options table. ``rules`` stand in for those of the record (what-if)."""
    game = game_of(record)
    log = effective_log(record.events)
    if rules is not None:
        log = under(log, rules)
    found, _, outcome = judged(game, log)
    standing = _named(found)
    other_ones: list[OtherVerdict] = []
    for option, value, rules in _other_rules(game, log.events[0].rules):
        other_found, _, other_outcome = judged(game, under(log, rules))
        other = _named(other_found)
        if other != standing or other_outcome != outcome:
            other_ones.append(
                OtherVerdict(
                    reading=option.reading,
                    option=option.name,
                    value=value,
                    cleared=[name for name in standing if name not in other],
                    added=[name for name in other if name not in standing],
                    outcome=other_outcome,
                )
            )
    return other_ones


def _other_rules(game: Game, rules: Any) -> Iterator[tuple[Option, Any, Any]]:
    """The rules with one probed option set to another of its values; only what departs from the value in force is tried."""
    for option in game.options:
        if not (option.scoring or option.legality):
            continue
        named = getattr(rules, option.name)
        in_force = named if named is not UNSET else option.values[0]
        for value in option.values:
            if value != in_force:
                yield option, value, msgspec.structs.replace(rules, **{option.name: value})


def _named(found: Sequence[Breached]) -> list[Named]:
    """The established findings by what names them."""
    return [Named(seq=breached.seq, rule=breached.rule.id) for breached in found if breached.truth == YES]
