"""What is paid at the end of a hand (rules §7). Transfers only move 息 between seats, so they always sum to zero."""

from collections.abc import Iterable, Sequence

from engine.weimaque.options import WeimaqueRuleset
from schemas.events import Transfer
from schemas.rulesets import FixedShare

FOR_WIN = "胡"
FOR_SHOUXING = "守醒"
FOR_DRAW = "臭"


def win_transfers(winner: int, losers: Sequence[int], total_xi: int, shouxing: int | None, ruleset: WeimaqueRuleset) -> list[Transfer]:
    """What a valid win pays: each of the two ``losers`` the winner's total (R-PAY), and 守醒, if there is one, his share (R-SHOUXING)."""
    paid = [Transfer(from_=loser, to=winner, amount=total_xi, for_=FOR_WIN) for loser in losers]
    share = 0 if shouxing is None else shouxing_share(total_xi, ruleset)
    if shouxing is not None and share:
        paid += [Transfer(from_=loser, to=shouxing, amount=share, for_=FOR_SHOUXING) for loser in losers]
    return paid


def shouxing_share(total_xi: int, ruleset: WeimaqueRuleset) -> int:
    """What each loser pays 守醒 when somebody wins ``total_xi``."""
    share = ruleset.shouxing_win
    if share == "none":
        return 0
    return share.fixed if isinstance(share, FixedShare) else total_xi


def draw_transfers(players: Iterable[int], shouxing: int | None, ruleset: WeimaqueRuleset) -> list[Transfer]:
    """What 臭 pays: each of the three ``players`` pays 守醒, if there is one, the draw fee."""
    fee = ruleset.draw_fee
    return [Transfer(from_=player, to=shouxing, amount=fee, for_=FOR_DRAW) for player in players] if shouxing is not None and fee else []
