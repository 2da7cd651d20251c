"""Questions put to many events and candidates: written out one after another as the source of one function, since a loop over them would
cost as much as they do, and put once about cards that are alike to them."""

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Any

from engine.knowledge import Hands
from engine.rule import Breach, Rule
from engine.truth import YES

ARGUMENTS = "(table, actor, kind, event)"

Forbids = Callable[[Any, int, int, Any], bool]
"""``forbids(table, actor, kind, event)``: whether a rule that is no mere notice is broken for certain."""


def any_of(name: str, breaches: Sequence[Breach], names: dict[str, Any], answer: str = "") -> str:
    """The source that asks, by ``name`` and number, until one answers what ``answer`` compares with (that it may be so). The questions
    are entered under their ``names``."""
    names.update((f"{name}_{number}", breach) for number, breach in enumerate(breaches))
    return " or ".join(f"{name}_{number}{ARGUMENTS}{answer}" for number in range(len(breaches))) or "False"


def where_not_calm(asked: str) -> str:
    """The source that asks only where something is pending (``Position.calm``)."""
    return f"not table.calm[actor] and ({asked})"


def forbidding(rules: Iterable[Rule], event_type: type[Any]) -> Forbids:
    """What the rules say of a candidate of the type. What cannot be is seldom one, so that is asked last."""
    asked = [rule for rule in rules if event_type in rule.breach and rule.kind != "notice" and not rule.after]
    asked.sort(key=lambda rule: rule.kind == "impossible")
    names: dict[str, Any] = {}
    certain = f" == {YES}"
    always = [rule.breach[event_type] for rule in asked if not rule.is_guarded_at(event_type)]
    guarded = [rule.breach[event_type] for rule in asked if rule.is_guarded_at(event_type)]
    source = f"""
def forbids{ARGUMENTS}:
    return {any_of("always", always, names, certain)} or {where_not_calm(any_of("guarded", guarded, names, certain))}
"""
    exec(compile(source, f"<what forbids {event_type.__name__}>", "exec"), names)
    return names["forbids"]


def add_allowed(hands: Hands, found: list[Any], seat: int, events: Sequence[Any], asked: Sequence[Breach], barred: int = 0) -> None:
    """Add those of ``events``, one for each kind, that play a card out of the seat's hand and that none of the questions forbids.

    The questions know a card by how many of it the hand holds and may hold, and by whether it is among the kinds ``barred`` (bit
    ``8 * kind``): kinds alike in all of that are asked about once.
    """
    hand, free, later = hands.hand[seat], hands.free, hands.later[seat]
    kinds = range(len(hand))
    answers: dict[tuple[int, ...] | int, bool] = {}
    unseen = hands.unseen[seat]
    for kind in kinds if unseen else compress(kinds, hand):
        is_barred = barred and barred >> 8 * kind & 1
        alike = (hand[kind], is_barred, free[kind], later[kind]) if unseen else hand[kind] << 1 | is_barred
        allowed = answers.get(alike)
        if allowed is None:
            allowed = answers[alike] = _none_forbids(asked, hands, seat, kind, events[kind])
        if allowed:
            found.append(events[kind])


def _none_forbids(asked: Sequence[Breach], hands: Hands, seat: int, kind: int, event: Any) -> bool:
    for breach in asked:  # noqa: SIM110 - a generator costs twice as much
        if breach(hands, seat, kind, event) == YES:
            return False
    return True
