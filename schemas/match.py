"""A match: hands of one sitting in their order, judged one by one and together."""

from schemas.base import Answer
from schemas.verdict import Verdict


class MatchHand(Answer, frozen=True, kw_only=True):
    """One hand of a match. All lists are by seat, amounts net: what a seat gets less what it pays.

    ``verdict`` is that on the record, with the finding about its dealer if he is the wrong one; ``None`` for a record that could not be
    read. ``dealer_due`` is the seat that should deal, ``None`` for the first hand and where that is open. ``due`` is what the rules make
    it (``None`` while the outcome is open), ``paid`` what the 结算 say (``None`` if there is none), ``difference`` paid less due.
    ``total`` is what has been due up to and with this hand.
    """

    verdict: Verdict | None
    players: list[str]
    dealer: int | None
    dealer_due: int | None
    due: list[int] | None
    paid: list[int] | None
    difference: list[int] | None
    total: list[int]


class Standing(Answer, frozen=True, kw_only=True):
    """Where a player of the match stands after the last hand: ``hands`` that he sat at, ``wins``, what was ``due`` to him, what was
    ``paid`` and how far that differs, over the hands in which payments are recorded."""

    seat: int
    name: str
    hands: int
    wins: int
    due: int
    paid: int
    difference: int


class MatchVerdict(Answer, frozen=True, kw_only=True):
    """The hands of a match in order, and the standings, highest first."""

    hands: list[MatchHand]
    standings: list[Standing]
