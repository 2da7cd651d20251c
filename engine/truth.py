"""Three-valued answers about hands that may not be fully known: no, unknown, yes — as small ints, so that ``if answer:`` asks whether it
may be so."""

from typing import Final, Literal

Truth = Literal[0, 1, 2]

NO: Final = 0
UNKNOWN: Final = 1
YES: Final = 2


def known(holds: object) -> Truth:
    """A fact that is fully known."""
    return YES if holds else NO


def negation(answer: Truth) -> Truth:
    """Not."""
    return YES if answer == NO else NO if answer == YES else UNKNOWN


def both(a: Truth, b: Truth) -> Truth:
    """And."""
    return a if a < b else b


def either(a: Truth, b: Truth) -> Truth:
    """Or."""
    return a if a > b else b
