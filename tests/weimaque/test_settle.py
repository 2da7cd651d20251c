"""What is paid at the end of a hand."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.settle import draw_transfers, win_transfers
from schemas.events import Transfer
from schemas.rulesets import FixedShare


def plain(transfers: list[Transfer]) -> list[tuple[int, int, int, object]]:
    return [(transfer.from_, transfer.to, transfer.amount, transfer.for_) for transfer in transfers]


@pytest.mark.parametrize(
    ("shouxing_win", "shares"),
    [
        ("none", []),
        ("equal", [(1, 2, 42, "守醒"), (3, 2, 42, "守醒")]),
        (FixedShare(fixed=10), [(1, 2, 10, "守醒"), (3, 2, 10, "守醒")]),
        (FixedShare(fixed=0), []),
    ],
)
def test_both_losers_pay_the_total_and_the_share_of_shouxing(shouxing_win: FixedShare, shares: list[tuple[int, int, int, object]]) -> None:
    ruleset = WeimaqueRuleset(preset="dazhuo", shouxing_win=shouxing_win)

    assert plain(win_transfers(0, [1, 3], 42, 2, ruleset)) == [(1, 0, 42, "胡"), (3, 0, 42, "胡"), *shares]
    assert plain(win_transfers(0, [1, 2], 42, None, ruleset)) == [(1, 0, 42, "胡"), (2, 0, 42, "胡")]


def test_everybody_pays_shouxing_on_a_draw() -> None:
    ruleset = WeimaqueRuleset(preset="dazhuo", draw_fee=10)

    assert plain(draw_transfers([0, 1, 3], 2, ruleset)) == [(0, 2, 10, "臭"), (1, 2, 10, "臭"), (3, 2, 10, "臭")]
    assert draw_transfers([0, 1, 2], None, ruleset) == []
    assert draw_transfers([0, 1, 3], 2, msgspec.structs.replace(ruleset, draw_fee=0)) == []


@given(st.integers(-500, 500), st.sampled_from(["none", "equal"]) | st.integers(-50, 50).map(lambda fixed: FixedShare(fixed=fixed)))
def test_transfers_sum_to_zero(total: int, shouxing_win: FixedShare) -> None:
    balance: Counter[int] = Counter()
    for transfer in win_transfers(1, [2, 0], total, 3, WeimaqueRuleset(preset="dazhuo", shouxing_win=shouxing_win)):
        balance[transfer.from_] -= transfer.amount
        balance[transfer.to] += transfer.amount

    assert sum(balance.values()) == 0
    assert balance[1] == 2 * total
