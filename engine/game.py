"""What a game gives to the engine: its deck, its rules, its position and how events change it. A third game is one more of these."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from engine.flow import Flow
from engine.log import EffectiveLog
from engine.options import Option
from engine.past import Past
from engine.reading import Reading
from engine.rule import Rule
from engine.slips import Slips
from engine.truth import Truth
from schemas.events import Transfer
from schemas.frame import State, Wait
from schemas.verdict import ChangdeOutcome, WeimaqueOutcome

Outcome = WeimaqueOutcome | ChangdeOutcome


Plain = Callable[[Any, int, int, Any], bool]
"""``plain(table, seq, at, event)``: whether the event breaks no rule, not even perhaps. If so, it has been folded into the table; if not,
or if that cannot be told so fast, the position is as it was."""


class Mask(Protocol):
    """The log as written with what the viewer may not see as ``"?"``; ``shown``: a hand that was shown with a 胡 counts as seen."""

    def __call__(self, events: Sequence[Any], viewer: Any, *, shown: bool = True) -> list[Any]: ...


class Position(Protocol):
    """What the engine asks of a game's working position."""

    seq: int
    at: int
    ended: Truth
    past: Past
    unseen: Sequence[int]
    """By seat, the cards of the hand that nobody ever saw."""

    lost: Sequence[int]
    """By seat, the cards that have left the hand and that nobody named."""

    calm: Sequence[bool]
    """By actor (-1, the last, for none): whether nothing is pending that a guarded rule looks at."""

    end_seq: int
    """Of the event that ended the hand, for certain or perhaps; -1 before."""

    paid: Sequence[tuple[int, Sequence[Transfer]]]
    """The seq of every 结算, and what it says was paid."""

    @property
    def names(self) -> Sequence[str]: ...


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game.

    ``index`` maps the tokens of its cards to kinds. ``open_table(start, deal, log)`` is the position behind the deal, with what the whole
    effective log tells of the hands. ``evolve`` maps event types to what they do to it; types that are missing change nothing. ``plain``
    are the moves that are judged and folded at once where nothing can be amiss, ``weighed`` those types of them that are much more work to
    judge than to fold. ``outcome`` is how the hand ended, None while it goes on.
    ``legal`` lists the playing events that no rule of kind impossible or violation forbids, ``waits`` what completes each hand.
    ``hidden_hands(table, viewer)`` are the seats whose hands the viewer may not see. ``settlement_rule`` compares payments; ``verify``
    judges a claim without a log. ``slips`` is what its events are mistaken for, ``flow`` how its cards move.
    """

    name: str
    zh: str
    en: str
    index: dict[str, int]
    tokens: Sequence[str]
    rules: tuple[Rule, ...]
    options: tuple[Option, ...]
    readings: tuple[Reading, ...]
    settlement_rule: Rule
    dealer_rule: Rule
    evolve: dict[type[Any], Callable[[Any, int, int, Any], None]]
    plain: dict[type[Any], Plain]
    weighed: frozenset[type[Any]]
    open_table: Callable[[Any, Any, EffectiveLog], Any]
    outcome: Callable[[Any], Outcome | None]
    state: Callable[[Any], State]
    legal: Callable[[Any], list[Any]]
    waits: Callable[[Any], list[Wait]]
    verify: Callable[[Any, str], Any]
    next_dealer: Callable[[Any], int | None]
    mask: Mask
    hidden_hands: Callable[[Any, Any], frozenset[int]]
    slips: Slips
    flow: Flow


def net(transfers: Sequence[Transfer]) -> dict[tuple[int, int], int]:
    """Net amounts by pair of seats (lower, higher), positive where the lower pays the higher; pairs that come to nothing are left out."""
    sums: dict[tuple[int, int], int] = {}
    for transfer in transfers:
        a, b = transfer.from_, transfer.to
        pair, amount = ((a, b), transfer.amount) if a < b else ((b, a), -transfer.amount)
        sums[pair] = sums.get(pair, 0) + amount
    return {pair: amount for pair, amount in sums.items() if amount and pair[0] != pair[1]}
