"""How often both witnesses of a possible finding are found, by rule and by how much of a hand is unknown, and how long that takes.

``python -m tools.witnesses [--hands N] [--seed S] [--game GAME] [--mask NAME]`` prints a table. A share is of the findings that the
record leaves possible; of those of kind impossible, which no deal that fits breaks, only ``legal`` is counted.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from random import Random
from statistics import mean
from time import process_time
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine.games import GAMES
from engine.witness import check_with_witnesses
from schemas.base import UNSET
from tools.random_hand import random_hand

Mask = Callable[[str, Any, Random], Any]


def _with_deal(record: Any, **members: Any) -> Any:
    return replace(record, events=[record.events[0], replace(record.events[1], **members), *record.events[2:]])


def _a_card(game: str, record: Any, random: Random) -> Any:
    deal = record.events[1]
    hands: list[Any] = [list(hand) for hand in deal.hands]
    hand = random.choice([hand for hand in hands if hand])
    hand[random.randrange(len(hand))] = "?"
    return _with_deal(record, hands=hands)


def _a_hand(game: str, record: Any, random: Random) -> Any:
    hands: list[Any] = list(record.events[1].hands)
    hands[random.choice([seat for seat, hand in enumerate(hands) if hand])] = None
    return _with_deal(record, hands=hands)


def _all_hands(game: str, record: Any, random: Random) -> Any:
    return _with_deal(record, hands=[None] * len(record.events[1].hands))


def _lying(game: str, record: Any, random: Random) -> Any:
    return _with_deal(record, **{GAMES[game].flow.lying: None})


def _the_deal(game: str, record: Any, random: Random) -> Any:
    return _lying(game, _all_hands(game, record, random), random)


def some_cards(share: float) -> Mask:
    """A mask that makes this share of all cards, those of every event, unknown."""

    def mask(game: str, record: Any, random: Random) -> Any:
        def hidden(cards: Any) -> Any:
            if isinstance(cards, str):
                return "?" if random.random() < share else cards
            return None if cards is None else [hidden(card) for card in cards]

        events: list[Any] = []
        for event in record.events:
            named = {name: getattr(event, name, UNSET) for name in ("hands", "stock", "wall", "pai", "consumed", "hand")}
            events.append(replace(event, **{name: hidden(cards) for name, cards in named.items() if cards is not UNSET}))
        return replace(record, events=events)

    return mask


MASKS: dict[str, Mask] = {
    "a card": _a_card,
    "a hand": _a_hand,
    "all hands": _all_hands,
    "stock or wall": _lying,
    "the deal": _the_deal,
    "10 %": some_cards(0.1),
    "30 %": some_cards(0.3),
    "60 %": some_cards(0.6),
}
"""What is hidden, by name, from little to much."""


class Measured(NamedTuple):
    """Over some masked hands: by rule, the possible findings and those with a ``legal`` and a ``broken`` deal (or all that it can have),
    and the seconds that each hand took."""

    possible: Counter[str]
    legal: Counter[str]
    broken: Counter[str]
    seconds: list[float]


def measured(game: str, mask: Mask, hands: int, seed: object) -> Measured:
    """Witnesses of random hands, some played against the rules and some with an early win."""
    told = Measured(Counter(), Counter(), Counter(), [])
    for number in range(hands):
        random = Random(f"{seed} {number}")
        faults = random.choice((0.0, 0.03, 0.15))
        record = random_hand(game, random, faults=faults, claims=random.choice((0.1, 0.5, 0.9)), stacked=random.random() < 0.5)
        hidden = mask(game, record, random)
        began = process_time()
        verdict = check_with_witnesses(hidden)
        told.seconds.append(process_time() - began)
        for finding in verdict.findings:
            if finding.certainty == "possible" and finding.witness is not UNSET:
                told.possible[finding.rule] += 1
                told.legal[finding.rule] += finding.witness.legal is not None
                told.broken[finding.rule] += finding.witness.broken is not None or finding.kind == "impossible"
    return told


def main() -> None:
    """Measure as the command line says, and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--seed", default="witnesses")
    parser.add_argument("--game", choices=list(GAMES), action="append")
    parser.add_argument("--mask", choices=list(MASKS), action="append")
    parser.add_argument("--rules", action="store_true", help="a line for every rule too")
    asked = parser.parse_args()
    print(f"{'game':9} {'unknown':14} {'possible':>8} {'legal':>6} {'broken':>6}   mean s   most s")
    for game in asked.game or GAMES:
        for name in asked.mask or MASKS:
            told = measured(game, MASKS[name], asked.hands, asked.seed)
            number = max(1, told.possible.total())
            shares = f"{told.legal.total() / number:6.1%} {told.broken.total() / number:6.1%}"
            print(
                f"{game:9} {name:14} {told.possible.total():8} {shares}   {mean(told.seconds):6.2f}   {max(told.seconds):6.2f}", flush=True
            )
            for rule, count in sorted(told.possible.items()) if asked.rules else ():
                print(f"{'':9} {rule:24} {count:8} {told.legal[rule] / count:6.1%} {told.broken[rule] / count:6.1%}", flush=True)


if __name__ == "__main__":
    main()
