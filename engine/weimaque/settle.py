"""What is paid at the end of a hand (rules §7). Transfers only move 息 between seats, so they always sum to zero."""

from collections.abc import Iterable

from engine.weimaque.options import WeimaqueRuleset
from schemas.events import Transfer
from schemas.rulesets import FixedShare

FOR_WIN = "胡"
FOR_SHOUXING = "守醒"
FOR_DRAW = "臭"


def win_transfers(winner: int, losers: Iterable[int], total_xi: int, shouxing: int | None, ruleset: WeimaqueRuleset) -> list[Transfer]:
    """What a valid win pays: each of the two ``losers`` the winner's total (R-PAY), and 守醒, if there is one, his share (R-SHOUXING)."""
    payers = list(losers)
    paid = _paid(payers, winner, total_xi, FOR_WIN)
    return paid if shouxing is None else paid + _paid(payers, shouxing, shouxing_share(total_xi, ruleset), FOR_SHOUXING)


def shouxing_share(total_xi: int, ruleset: WeimaqueRuleset) -> int:
    """What each loser pays 守醒 when somebody wins ``total_xi``."""
    share = ruleset.shouxing_win
    if isinstance(share, FixedShare):
        return share.fixed
    return total_xi if share == "equal" else 0


def draw_transfers(players: Iterable[int], shouxing: int | None, ruleset: WeimaqueRuleset) -> list[Transfer]:
    """What 臭 pays: each of the three ``players`` pays 守醒, if there is one, the draw fee."""
    return [] if shouxing is None else _paid(players, shouxing, ruleset.draw_fee, FOR_DRAW)


def _paid(payers: Iterable[int], to: int, amount: int, reason: str) -> list[Transfer]:
    return [Transfer(from_=payer, to=to, amount=amount, for_=reason) for payer in payers] if amount else []
