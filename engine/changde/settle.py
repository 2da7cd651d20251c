"""What a win pays: every item of rules §4 as transfers from seat to seat. Without a win nothing is due, kongs included."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from engine.changde.ma import bonus_hits, ma_hits
from engine.changde.options import ChangdeRuleset

SEATS = range(4)
OTHERS = tuple(tuple(seat for seat in SEATS if seat != player) for player in SEATS)
"""By player, the three who pay him."""

SELF_DRAW = 2
"""自摸, from each other player."""
ROB = 6
"""抢杠: what the three would have paid, from the robbed one."""
CONCEALED_KONG = 2
"""暗杠, from each other player."""
OPEN_KONG = 3
"""明杠, from the discarder."""
ADDED_KONG = 1
"""碰杠, from each other player."""

_ROBBED_MA = {"triple": 3, "once": 1, "none": 0}
"""How often the robbed one pays the 码, by ``rob_ma``."""

KongWord = Literal["暗杠", "明杠", "碰杠"]


class Kong(NamedTuple):
    """A kong of the hand. ``discarder`` is the seat whose discard made a 明杠, else -1. ``valid`` is false for one whose 补章 was
    never made.
    """

    actor: int
    word: KongWord
    kind: int
    discarder: int
    valid: bool


class Winner(NamedTuple):
    """A valid winner, and whether there is a 红中 among his 14 tiles."""

    seat: int
    has_zhong: bool


class Payment(NamedTuple):
    """``amount`` points go from one seat to another for one item (自摸 抢杠 码 暗杠 明杠 碰杠)."""

    payer: int
    payee: int
    amount: int
    item: str


class Settlement(NamedTuple):
    """Net points by seat (their sum is zero), the payments that they are made of, and the kinds that hit for each winner."""

    points: tuple[int, int, int, int]
    payments: tuple[Payment, ...]
    hits: tuple[tuple[int, ...], ...]


NOTHING = Settlement((0, 0, 0, 0), (), ())
"""What a hand without a valid win settles to."""


def settle(
    winners: Sequence[Winner], robbed: int | None, dealer: int, kongs: Sequence[Kong], ma: Sequence[int], ruleset: ChangdeRuleset
) -> Settlement:
    """The settlement of a hand that ended with these valid winners: one by 自摸 (``robbed`` is ``None``), or those who robbed the
    kong of seat ``robbed``.

    ``kongs`` are everybody's, the robbed one left out: it reads as 碰. ``ma`` are the kinds flipped, -1 for an unknown one.
    """
    if not winners:
        return NOTHING
    hits: list[tuple[int, ...]] = []
    payments: list[Payment] = []
    for winner in winners:
        own = ma_hits(ruleset, ma, dealer, winner.seat, winner.has_zhong)
        hits.append(tuple(own))
        payments += _win(winner, robbed, len(own), ruleset)
    for kong in counted(kongs, ruleset):
        payments += _kong(kong)
    points = [0, 0, 0, 0]
    for payer, payee, amount, _ in payments:
        points[payer] -= amount
        points[payee] += amount
    return Settlement((points[0], points[1], points[2], points[3]), tuple(payments), tuple(hits))


def counted(kongs: Sequence[Kong], ruleset: ChangdeRuleset) -> list[Kong]:
    """The kongs that score: the valid ones, with ``void_all_kongs`` only of players all of whose kongs are valid."""
    tainted = {kong.actor for kong in kongs if not kong.valid} if ruleset.void_all_kongs else set[int]()
    return [kong for kong in kongs if kong.valid and kong.actor not in tainted]


def _win(winner: Winner, robbed: int | None, hits: int, ruleset: ChangdeRuleset) -> list[Payment]:
    seat = winner.seat
    for_ma = (hits + bonus_hits(ruleset, winner.has_zhong)) * ruleset.ma_value
    if robbed is None:
        item, amount, payers = "自摸", SELF_DRAW, OTHERS[seat]
    else:
        item, amount, payers = "抢杠", ROB, (robbed,)
        for_ma *= _ROBBED_MA[ruleset.rob_ma]
    if not for_ma:
        return [Payment(payer, seat, amount, item) for payer in payers]
    return [payment for payer in payers for payment in (Payment(payer, seat, amount, item), Payment(payer, seat, for_ma, "码"))]


def _kong(kong: Kong) -> list[Payment]:
    actor, word = kong.actor, kong.word
    if word == "明杠":
        return [Payment(kong.discarder, actor, OPEN_KONG, word)]
    amount = CONCEALED_KONG if word == "暗杠" else ADDED_KONG
    return [Payment(payer, actor, amount, word) for payer in OTHERS[actor]]
