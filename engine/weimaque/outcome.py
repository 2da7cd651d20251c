"""How a hand of 偎麻雀 ended and what is due, from the position at its end."""

from engine.truth import NO, YES
from engine.weimaque.settle import draw_transfers, win_transfers
from engine.weimaque.state import Table
from schemas.verdict import WeimaqueOutcome


def outcome(t: Table) -> WeimaqueOutcome | None:
    """The outcome; None while the hand goes on. A 胡 that does not stand pays nothing; what an open one pays is not known yet."""
    win = t.win
    if win is None:
        if t.ended != YES:
            return None
        return WeimaqueOutcome(
            end="流局",
            winners=[],
            valid=True,
            certainty="established",
            hard_xi=None,
            total_xi=None,
            mingtang={},
            transfers=draw_transfers(t.playing, t.shouxing if t.shouxing >= 0 else None, t.ruleset),
        )
    scored = win.scored
    if win.valid == NO:
        return WeimaqueOutcome(
            end="胡",
            winners=[win.actor],
            valid=False,
            certainty="established",
            hard_xi=None,
            total_xi=None,
            mingtang={},
            transfers=[],
        )
    losers = [seat for seat in t.playing if seat != win.actor]
    if win.valid == YES and scored is not None and t.ended == YES:
        return WeimaqueOutcome(
            end="胡",
            winners=[win.actor],
            valid=True,
            certainty="established",
            hard_xi=scored.hard_xi,
            total_xi=scored.total_xi,
            mingtang=scored.mingtang,
            transfers=win_transfers(win.actor, losers, scored.total_xi, t.shouxing if t.shouxing >= 0 else None, t.ruleset),
        )
    hard, total = win.ranges(t.scorer)
    return WeimaqueOutcome(
        end="胡",
        winners=[win.actor],
        valid=True,
        certainty="possible",
        hard_xi=None,
        total_xi=None,
        mingtang={},
        transfers=[],
        hard_xi_range=list(hard),
        total_xi_range=list(total),
    )


def next_dealer(t: Table) -> int | None:
    """Who deals the next hand: the dealer if he won, else, and after 臭, seat dealer+1 (rules §2); None while that is open."""
    ended = outcome(t)
    if ended is None or ended.certainty == "possible":
        return None
    if ended.valid and ended.winners == [t.dealer]:
        return t.dealer
    return (t.dealer + 1) % len(t.names)
