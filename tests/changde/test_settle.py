"""What a win pays, item by item."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.changde.deck import INDEX
from engine.changde.options import ChangdeRuleset
from engine.changde.settle import NOTHING, SEATS, Kong, KongWord, Winner, settle
from schemas.events import Transfer


def table(preset: str = "standard", **options: Any) -> ChangdeRuleset:
    """A ruleset with some options."""
    return ChangdeRuleset(preset=preset, **options)  # pyright: ignore[reportArgumentType]


def kong(actor: int, word: KongWord, discarder: int = -1, *, valid: bool = True) -> Kong:
    """A kong of whatever tile."""
    return Kong(actor, word, 4, discarder, valid)


def pays(payer: int, payee: int, amount: int, item: str) -> Transfer:
    """One payment."""
    return Transfer(from_=payer, to=payee, amount=amount, for_=item)


def ma(*tiles: str) -> list[int]:
    """Flipped tiles."""
    return [INDEX[pai] for pai in tiles]


def test_self_draw_is_two_from_each() -> None:
    settled = settle([Winner(1, False)], None, 0, [], [], table())
    assert settled.points == (-2, 6, -2, -2)
    assert settled.payments == [pays(0, 1, 2, "自摸"), pays(2, 1, 2, "自摸"), pays(3, 1, 2, "自摸")]


def test_the_robbed_player_pays_every_robber_six() -> None:
    settled = settle([Winner(3, False), Winner(0, False)], 2, 0, [], [], table())
    assert settled.points == (6, 0, -12, 6)
    assert settled.payments == [pays(2, 3, 6, "抢杠"), pays(2, 0, 6, "抢杠")]


def test_everybodys_kongs_are_paid() -> None:
    kongs = [kong(0, "暗杠"), kong(1, "明杠", 3), kong(2, "碰杠")]
    settled = settle([Winner(0, False)], None, 0, kongs, [], table())
    # 自摸 +6 -2 -2 -2; 暗杠 +6 -2 -2 -2; 明杠 +3 for seat 1 from seat 3; 碰杠 +3 for seat 2, -1 from each other.
    assert settled.points == (6 + 6 - 1, -2 - 2 + 3 - 1, -2 - 2 + 3, -2 - 2 - 3 - 1)
    assert pays(3, 1, 3, "明杠") in settled.payments


def test_ma_are_paid_by_every_payer() -> None:
    settled = settle([Winner(0, False)], None, 0, [], ma("1m", "2m", "9p"), table(ma_count=4))
    assert settled.points == (18, -6, -6, -6)
    assert settled.hits == (tuple(ma("1m", "9p")),)
    assert pays(2, 0, 4, "码") in settled.payments


@pytest.mark.parametrize(("rob_ma", "each"), [("triple", 6), ("once", 2), ("none", 0)])
def test_ma_on_a_robbed_kong(rob_ma: str, each: int) -> None:
    settled = settle([Winner(0, False)], 1, 0, [], ma("1m", "5s"), table(ma_count=2, rob_ma=rob_ma))
    assert settled.points == (6 + 2 * each, -6 - 2 * each, 0, 0)
    assert settled.hits == (tuple(ma("1m", "5s")),)
    assert any(payment.for_ == "码" for payment in settled.payments) == (each > 0)


@pytest.mark.parametrize("value", [0, 1, 5, -3])
def test_the_value_of_a_hit(value: int) -> None:
    settled = settle([Winner(0, False)], None, 0, [], ma("1m"), table(ma_count=1, ma_value=value))
    assert settled.points == (6 + 3 * value, -2 - value, -2 - value, -2 - value)


def test_one_hit_more_without_zhong() -> None:
    ruleset = table("hongzhong", ma_count=1, no_zhong_bonus="plus_one_hit")
    assert settle([Winner(0, False)], None, 0, [], ma("2m"), ruleset).points == (12, -4, -4, -4)
    assert settle([Winner(0, True)], None, 0, [], ma("2m"), ruleset).points == (6, -2, -2, -2)
    assert settle([Winner(0, False)], 3, 0, [], ma("2m"), ruleset).points == (12, 0, 0, -12)


def test_robbers_read_their_own_hits() -> None:
    ruleset = table("hongzhong", ma_count=2, ma_mode="shangzhuang")
    flipped = ma("4m", "3s", "3p", "7z")
    # Dealer 1 is 下家 of seat 0 (4, 8) and 对家 of seat 3 (3, 7). Seat 0 holds 红中 and reads two tiles, seat 3 reads four.
    settled = settle([Winner(3, False), Winner(0, True)], 2, 1, [], flipped, ruleset)
    assert settled.hits == (tuple(ma("3s", "3p", "7z")), tuple(ma("4m")))
    assert settled.points == (6 + 6, 0, -12 - 18 - 6, 6 + 18)


def test_a_void_kong_voids_the_players_others_by_option() -> None:
    kongs = [kong(0, "暗杠"), kong(1, "暗杠"), kong(1, "碰杠", valid=False)]
    won = (-2, -2, 6, -2)
    by_0, by_1 = (6, -2, -2, -2), (-2, 6, -2, -2)
    assert settle([Winner(2, False)], None, 0, kongs, [], table()).points == tuple(map(sum, zip(won, by_0, by_1, strict=True)))
    assert settle([Winner(2, False)], None, 0, kongs, [], table(void_all_kongs=True)).points == tuple(map(sum, zip(won, by_0, strict=True)))


def test_nothing_is_due_without_a_winner() -> None:
    assert settle([], None, 0, [kong(0, "暗杠")], ma("1m"), table(ma_count=2)) == NOTHING


@given(
    st.sets(st.integers(1, 3), min_size=1),
    st.booleans(),
    st.integers(0, 3),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["暗杠", "明杠", "碰杠"]), st.integers(1, 3), st.booleans())),
    st.lists(st.integers(-1, 27), max_size=16),
    st.sampled_from([0, 2, 8, "all"]),
    st.sampled_from(["triple", "once", "none"]),
)
def test_points_are_the_payments_and_sum_to_zero(
    seats: set[int], zhong: bool, dealer: int, kongs: list[tuple[int, KongWord, int, bool]], flipped: list[int], count: Any, rob_ma: str
) -> None:
    ruleset = table("hongzhong", ma_count=count, rob_ma=rob_ma, ma_mode="shangzhuang")
    melds = [kong(actor, word, (actor + step) % 4, valid=valid) for actor, word, step, valid in kongs]

    settled = settle([Winner(seat, zhong) for seat in sorted(seats)], 0, dealer, melds, flipped, ruleset)

    assert sum(settled.points) == 0
    for seat in SEATS:
        net = sum(p.amount * ((p.to == seat) - (p.from_ == seat)) for p in settled.payments)
        assert net == settled.points[seat]
    assert all(payment.from_ != payment.to and payment.amount > 0 for payment in settled.payments)
