"""How cards move in a game: what a deal is made of, where drawn cards lie, and what each event takes out of a hand."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.log import EffectiveLog


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """What a game gives to the search for complete deals.

    ``lying`` names the field of 起牌 with the cards that are not dealt, ``dealt(hands, lying)`` makes one of tokens. ``copies(start)``
    counts the deck by kind, ``hand_size(start, seat)`` and ``lying_size(start)`` are how many cards are dealt and how many are not.
    ``taken(log)`` gives, by place in the effective log, the places that its cards come from; ``into_hand`` says whether a card that
    is drawn goes into the hand. ``spent(event)`` are the tokens that the event takes out of the actor's hand; ``asides(log, size)``
    gives, by place of the event that shows a hand, the place of the one that drew the card which that leaves out. ``by_order``
    are the rules that may turn on the order of cards that were never drawn and on those flipped of them. ``completing(table, seat,
    event)`` is the kind of the card that a 胡 of the seat would win on and that is not in its hand, -1 if there is none; kinds stand in
    suits of ``suit``, ``wild_kinds`` are those that stand for any other. ``barred(table, seat)`` are the kinds that the seat may not
    discard, however many it holds; None where all may be.
    """

    lying: str
    dealt: Callable[[list[Any], list[Any]], Any]
    copies: Callable[[Any], list[int]]
    hand_size: Callable[[Any, int], int]
    lying_size: Callable[[Any], int]
    taken: Callable[[EffectiveLog, int], dict[int, tuple[int, ...]]]
    into_hand: bool
    spent: Callable[[Any], Sequence[str]]
    asides: Callable[[EffectiveLog, int], dict[int, int]]
    by_order: frozenset[str]
    completing: Callable[[Any, int, Any], int]
    suit: int
    wild_kinds: tuple[int, ...]
    barred: Callable[[Any, int], frozenset[int]] | None
