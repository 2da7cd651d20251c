"""Hands of one sitting in their order: who deals next, what runs up, and how what was paid differs from what was due."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from engine.game import Game, Outcome
from engine.games import game_of
from engine.judge import Breached, in_order, judged, verdict
from engine.log import EffectiveLog, effective_log
from engine.rule import Explanation
from engine.truth import YES
from schemas.events import Settlement, Transfer
from schemas.match import MatchHand, MatchVerdict, Standing


class _Before(NamedTuple):
    """The hand before: its game, its number of seats, and who deals behind it (``None``: open)."""

    game: str
    seats: int
    dealer_due: int | None


def check_match(records: Sequence[Any], *, lang: str = "zh", possible: bool = False) -> MatchVerdict:
    """The verdicts on the hands of a match. ``None`` stands for a record that could not be read: who deals behind it is open.

    A seat is the same person while its name stays the same.
    """
    hands: list[MatchHand] = []
    total: list[int] = []
    before: _Before | None = None
    for record in records:
        if record is None:
            before = None
            hands.append(_unread(total))
            continue
        game = game_of(record)
        log = effective_log(record.events)
        start = log.events[0]
        seats = len(start.players)
        total = total + [0] * (seats - len(total))
        whole = judged(game, log, explain_open=possible)
        due_dealer = before.dealer_due if before is not None and (before.game, before.seats) == (game.name, seats) else None
        if due_dealer is not None and due_dealer != start.dealer:
            whole = whole._replace(found=in_order(game, [*whole.found, _wrong_dealer(game, start, due_dealer)]))
        due = _due(whole.outcome, seats)
        paid = _paid(log, seats)
        if due is not None:
            total = [sum_before + gained for sum_before, gained in zip(total, due + [0] * (len(total) - seats), strict=True)]
        hands.append(
            MatchHand(
                verdict=verdict(game, log, whole, lang=lang, possible=possible),
                players=list(start.players),
                dealer=start.dealer,
                dealer_due=due_dealer,
                due=due,
                paid=paid,
                difference=None if due is None or paid is None else [given - owed for given, owed in zip(paid, due, strict=True)],
                total=total,
            )
        )
        before = _Before(game.name, seats, game.next_dealer(whole.table))
    return MatchVerdict(hands=hands, standings=standings(hands))


def standings(hands: Iterable[MatchHand]) -> list[Standing]:
    """Where everybody stands, highest first; players that are level stay in the order of their seats."""
    found: dict[tuple[int, str], Standing] = {}
    for hand in hands:
        for seat, name in enumerate(hand.players):
            standing = found.get((seat, name)) or Standing(seat=seat, name=name, hands=0, wins=0, due=0, paid=0, difference=0)
            found[seat, name] = msgspec.structs.replace(
                standing,
                hands=standing.hands + 1,
                wins=standing.wins + _won(hand, seat),
                due=standing.due + (hand.due[seat] if hand.due is not None else 0),
                paid=standing.paid + (hand.paid[seat] if hand.paid is not None else 0),
                difference=standing.difference + (hand.difference[seat] if hand.difference is not None else 0),
            )
    return sorted(found.values(), key=lambda standing: (-standing.due, standing.seat))


def _unread(total: Sequence[int]) -> MatchHand:
    return MatchHand(verdict=None, players=[], dealer=None, dealer_due=None, due=None, paid=None, difference=None, total=list(total))


def _wrong_dealer(game: Game, start: Any, due: int) -> Breached:
    return Breached(
        seq=0,
        rule=game.dealer_rule,
        truth=YES,
        actor=-1,
        kind=-1,
        explanation=Explanation(params={"due": start.players[due], "found": start.players[start.dealer], "dealer_due": due}),
        after_impossible=-1,
    )


def _due(outcome: Outcome | None, seats: int) -> list[int] | None:
    return None if outcome is None or outcome.certainty == "possible" else _by_seat(outcome.transfers, seats)


def _paid(log: EffectiveLog, seats: int) -> list[int] | None:
    payments = [event for event in log.events if isinstance(event, Settlement)]
    return _by_seat((transfer for payment in payments for transfer in payment.transfers), seats) if payments else None


def _by_seat(transfers: Iterable[Transfer], seats: int) -> list[int]:
    amounts = [0] * seats
    for transfer in transfers:
        amounts[transfer.from_] -= transfer.amount
        amounts[transfer.to] += transfer.amount
    return amounts


def _won(hand: MatchHand, seat: int) -> bool:
    outcome = hand.verdict.outcome if hand.verdict is not None else None
    return outcome is not None and outcome.end == "胡" and outcome.valid and outcome.certainty == "established" and seat in outcome.winners
