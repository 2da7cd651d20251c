"""What a win pays: every item of rules §4 as transfers from seat to seat. Without a win nothing is due, kongs included."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from engine.changde.ma import bonus_hits, ma_hits
from engine.changde.options import ChangdeRuleset
from schemas.events import Transfer

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


class Settlement(NamedTuple):
    """Net points by seat (their sum is zero), the payments that they are made of (``for``: 自摸 抢杠 码 暗杠 明杠 碰杠), and the kinds
    that hit for each winner."""

    points: tuple[int, ...]
    payments: list[Transfer]
    hits: tuple[tuple[int, ...], ...]


NOTHING = Settlement((0, 0, 0, 0), [], ())
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
    paid = _Paid()
    hits: list[tuple[int, ...]] = []
    for seat, has_zhong in winners:
        own = ma_hits(ruleset, ma, dealer, seat, has_zhong)
        hits.append(tuple(own))
        for_ma = (len(own) + bonus_hits(ruleset, has_zhong)) * ruleset.ma_value
        if robbed is None:
            paid.add(OTHERS[seat], seat, SELF_DRAW, "自摸", for_ma)
        else:
            paid.add((robbed,), seat, ROB, "抢杠", for_ma * _ROBBED_MA[ruleset.rob_ma])
    for actor, word, _, discarder, _ in counted(kongs, ruleset):
        if word == "明杠":
            paid.add((discarder,), actor, OPEN_KONG, word)
        else:
            paid.add(OTHERS[actor], actor, CONCEALED_KONG if word == "暗杠" else ADDED_KONG, word)
    return Settlement(tuple(paid.points), paid.payments, tuple(hits))


class _Paid:
    """Payments as they add up."""

    __slots__ = ("payments", "points")

    def __init__(self) -> None:
        self.points = [0, 0, 0, 0]
        self.payments: list[Transfer] = []

    def add(self, payers: Sequence[int], payee: int, amount: int, item: str, for_ma: int = 0) -> None:
        """Each of the payers pays the amount for the item, and so much for 码."""
        points, payments = self.points, self.payments
        for payer in payers:
            payments.append(Transfer(from_=payer, to=payee, amount=amount, for_=item))
            if for_ma:
                payments.append(Transfer(from_=payer, to=payee, amount=for_ma, for_="码"))
            points[payer] -= amount + for_ma
        points[payee] += (amount + for_ma) * len(payers)


def counted(kongs: Sequence[Kong], ruleset: ChangdeRuleset) -> list[Kong]:
    """The kongs that score: the valid ones, with ``void_all_kongs`` only of players all of whose kongs are valid."""
    valid = [kong for kong in kongs if kong.valid]
    if not ruleset.void_all_kongs or len(valid) == len(kongs):
        return valid
    tainted = {kong.actor for kong in kongs if not kong.valid}
    return [kong for kong in valid if kong.actor not in tainted]
