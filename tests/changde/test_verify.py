"""Wins claimed without a log: right answers of an independent implementation, every option that flips one, and every way to be wrong."""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.changde.faults import MESSAGES
from engine.changde.verify import verify
from schemas.cards import ChangdeTile
from schemas.verify import ChangdeVerdict, ChangdeVerify

VECTORS = Path(__file__).parents[1] / "vectors" / "changde-wins.jsonl"
LINES = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]

Claim = dict[str, Any]


def tiles(text: str) -> list[str]:
    """Tokens of tiles written as ``123m 55s 7z ?``."""
    return [pai for word in text.split() for pai in ([word] if word == "?" else [rank + word[-1] for rank in word[:-1]])]


def meld(kind: str, text: str, **more: Any) -> Claim:
    """A meld on the table."""
    return {"kind": kind, "pai": tiles(text), **more}


def claimed(
    hand: str = "123m 456m 789m 23s 55p", win: str | None = "1s", robbed: int | None = None, preset: str = "standard", **more: Any
) -> Claim:
    """A claim of seat 2, dealer 0; every other member and option by name (options are those that are no member of a claim)."""
    members = {name: more.pop(name) for name in ("melds", "kongs", "ma", "dealer", "winner", "claim") if name in more}
    source: Claim | None = None
    if win is not None:
        source = {"pai": win, "kind": "自摸"} if robbed is None else {"pai": win, "kind": "抢杠", "from": robbed}
    ma = tiles(members.pop("ma", ""))
    return {
        "game": "changde",
        "rules": {"preset": preset, **more},
        "hand": tiles(hand),
        "win": source,
        "dealer": 0,
        "winner": 2,
        "ma": ma,
        **members,
    }


def judged(claim: Claim, lang: str = "zh") -> ChangdeVerdict:
    """The verdict on a claim as it would come over the wire."""
    return verify(msgspec.convert(claim, ChangdeVerify), lang)


def points(claim: Claim) -> list[int]:
    """Net points by seat of a claim that is valid."""
    verdict = judged(claim)
    assert verdict.valid, verdict.reasons
    return [verdict.points[str(seat)] for seat in range(4)]


def broken(claim: Claim) -> list[str]:
    """The rules that a claim breaks; then nothing is due."""
    verdict = judged(claim)
    assert verdict.valid is not bool(verdict.reasons)
    if not verdict.valid:
        assert set(verdict.points.values()) == {0}
        assert verdict.transfers == []
        assert verdict.ma_hits == []
    return [reason.rule for reason in verdict.reasons]


@pytest.mark.parametrize("line", range(len(LINES)), ids=lambda line: f"{line} {LINES[line]['case']}")
def test_vectors(line: int) -> None:
    expected = LINES[line]["expect"]
    verdict = judged(LINES[line]["verify"])
    assert (verdict.valid, verdict.points) == (expected["valid"], expected["points"])


# What it pays


def test_self_draw_and_rob() -> None:
    assert points(claimed()) == [-2, -2, 6, -2]
    assert points(claimed(robbed=3)) == [0, 0, 6, -6]


def test_the_dealer_wins_with_the_hand_he_was_dealt() -> None:
    opening = claimed("123m 456m 789m 123s 55p", None, winner=0)
    assert points(opening) == [6, -2, -2, -2]
    assert points(claimed("123m 456m 789m 123s 55p", None, winner=0, ma="1m", ma_count=1)) == [12, -4, -4, -4]


@pytest.mark.parametrize(("rob_ma", "lost"), [("triple", 6 + 12), ("once", 6 + 4), ("none", 6)])
def test_ma_of_a_robbed_kong(rob_ma: str, lost: int) -> None:
    assert points(claimed(robbed=3, ma="1p 9s", ma_count=2, rob_ma=rob_ma)) == [0, 0, lost, -lost]


def test_ma_modes() -> None:
    flipped = "15s 26p 48p 3p"
    assert points(claimed(ma=flipped, ma_count=8)) == [-6, -6, 18, -6]
    # Dealer and winner: 1 5 9; dealer 上家: 2 6; 下家: 4 8; 对家: 3 7.
    for dealer, hits in ((2, 2), (1, 2), (3, 2), (0, 1)):
        gained = 2 + 2 * hits
        expected = [-gained, -gained, 3 * gained, -gained]
        assert points(claimed(ma=flipped, ma_count=8, ma_mode="shangzhuang", dealer=dealer)) == expected


def test_zhong_among_the_ma_hits_in_both_modes() -> None:
    for mode in ("159", "shangzhuang"):
        verdict = judged(claimed(ma="7z 2s", ma_count=1, ma_mode=mode, preset="hongzhong", dealer=2))
        assert verdict.ma_hits == ["7z"]
        assert verdict.points["2"] == 12


def test_ma_value() -> None:
    assert points(claimed(ma="1p", ma_count=1, ma_value=5)) == [-7, -7, 21, -7]


@pytest.mark.parametrize(
    ("bonus", "flipped", "hits"),
    [("double_tiles", "1p 9s", 2), ("plus_one_tile", "1p 9s", 2), ("plus_one_hit", "1p", 2), ("none", "1p", 1)],
)
def test_the_bonus_of_a_winner_without_zhong(bonus: str, flipped: str, hits: int) -> None:
    gained = 2 + 2 * hits
    assert points(claimed(preset="hongzhong", ma=flipped, ma_count=1, no_zhong_bonus=bonus)) == [-gained, -gained, 3 * gained, -gained]
    with_zhong = claimed(win="7z", preset="hongzhong", ma="1p", ma_count=1, no_zhong_bonus=bonus)
    assert points(with_zhong) == [-4, -4, 12, -4]


def test_the_winning_tile_counts_among_the_14() -> None:
    assert broken(claimed(win="7z", preset="hongzhong", ma="1p 9s", ma_count=1)) == ["cd-ma-tiles"]
    assert broken(claimed(win="1s", preset="hongzhong", ma="1p 9s", ma_count=1)) == []


def test_all_ma_have_no_bonus() -> None:
    flipped = "1p 9s 5p 7z"
    for bonus in ("double_tiles", "plus_one_tile", "plus_one_hit", "none"):
        assert points(claimed(preset="hongzhong", ma=flipped, ma_count="all", no_zhong_bonus=bonus)) == [-10, -10, 30, -10]


def test_every_kong_at_the_table_is_paid() -> None:
    kongs = [
        {"actor": 2, "kind": "暗杠", "pai": "9p"},
        {"actor": 0, "kind": "明杠", "pai": "9s", "from": 3},
        {"actor": 1, "kind": "碰杠", "pai": "8s"},
    ]
    claim = claimed("123m 456m 23s 55p", melds=[meld("暗杠", "9999p")], kongs=kongs)
    assert points(claim) == [-2 - 2 + 3 - 1, -2 - 2 + 3, 6 + 6 - 1, -2 - 2 - 3 - 1]


def test_without_a_list_the_winners_own_kongs_count() -> None:
    melds = [meld("暗杠", "9999p"), meld("碰杠", "8888p"), meld("明杠", "7777p", **{"from": 1})]
    assert points(claimed("23s 55p", melds=melds)) == [-5, -8, 18, -5]
    melds[2] = meld("明杠", "7777p")
    assert points(claimed("23s 55p", melds=melds)) == [-5, -5, 15, -5]
    assert points(claimed("23s 55p", melds=melds, kongs=[])) == [-2, -2, 6, -2]


def test_a_robbed_kong_scores_nothing_even_if_it_is_listed() -> None:
    robbed = {"actor": 3, "kind": "碰杠", "pai": "1s"}
    assert points(claimed("23s 55p 123m 456m 789m", robbed=3, kongs=[robbed])) == [0, 0, 6, -6]


def test_transfers_say_what_they_are_for() -> None:
    verdict = judged(claimed(robbed=3, ma="1p", ma_count=1))
    assert msgspec.to_builtins(verdict.transfers) == [
        {"from": 3, "to": 2, "amount": 6, "for": "抢杠"},
        {"from": 3, "to": 2, "amount": 6, "for": "码"},
    ]


def test_the_division_shows_the_melds_and_what_zhong_stands_for() -> None:
    verdict = judged(
        claimed("46m 7z 55p", win="5m", preset="hongzhong", melds=[meld("碰", "999p"), meld("暗杠", "8888p"), meld("碰", "777p")])
    )
    assert not verdict.valid
    verdict = judged(
        claimed("46m 7z 5p", win="5p", preset="hongzhong", melds=[meld("碰", "999p"), meld("暗杠", "8888p"), meld("碰", "777p")])
    )
    assert msgspec.to_builtins(verdict.melds) == [
        {"kind": "碰", "pai": tiles("999p")},
        {"kind": "暗杠", "pai": tiles("8888p")},
        {"kind": "碰", "pai": tiles("777p")},
        {"kind": "顺子", "pai": ["4m", "7z", "6m"], "stands_for": ["5m"]},
        {"kind": "将", "pai": ["5p", "5p"]},
    ]


# Options that decide whether it is a win


@pytest.mark.parametrize(
    ("hand", "win", "option", "winning", "losing"),
    [
        ("11m 44m 11s 99s 77p 33p 5p", "5p", "seven_pairs", True, False),
        ("14m 7m 147s 147p 9p 777z", "7z", "four_zhong_wins", True, False),
        ("1111m 234s 567s 88s 7z", "8s", "fifth_copy", True, False),
    ],
)
def test_options_that_decide(hand: str, win: str, option: str, winning: bool, losing: bool) -> None:
    assert broken(claimed(hand, win, preset="hongzhong", **{option: winning})) == []
    assert broken(claimed(hand, win, preset="hongzhong", **{option: losing})) == ["cd-hu-shape"]


def test_defaults_of_the_options_that_decide() -> None:
    assert broken(claimed("11m 44m 11s 99s 77p 33p 5p", "5p")) == ["cd-hu-shape"]
    assert broken(claimed("14m 7m 147s 147p 9p 777z", "7z", preset="hongzhong")) == ["cd-hu-shape"]
    assert broken(claimed("1111m 234s 567s 88s 7z", "8s", preset="hongzhong")) == []


def test_four_zhong_do_not_rob() -> None:
    claim = claimed("14m 7m 147s 147p 7777z", "9p", robbed=3, preset="hongzhong", four_zhong_wins=True)
    assert broken(claim) == ["cd-hu-shape"]


@pytest.mark.parametrize(
    "option",
    [
        {"rob_window": "before_bu"},
        {"draw_dealer": "next"},
        {"added_kong_any": True},
        {"kong_after_peng": True},
        {"void_all_kongs": True},
        {"discard_zhong_forfeits": True},
        {"tail_order": "linear"},
    ],
)
def test_options_about_the_course_of_a_hand_change_no_claim(option: dict[str, Any]) -> None:
    melds = [meld("暗杠", "9999p")]
    assert points(claimed("123m 456m 3s 55p 7z", "1s", preset="hongzhong", melds=melds, **option)) == [-4, -4, 12, -4]


# What is wrong with it


@pytest.mark.parametrize(
    ("claim", "rules"),
    [
        (claimed("123m 456m 789m 23s 5p"), ["cd-hu-shape"]),
        (claimed("123m 456m 789m 23s 555p"), ["cd-hu-shape"]),
        (claimed("123m 456m 789m 24s 55p"), ["cd-hu-shape"]),
        (claimed("123m 456m 789m 2s ? 55p"), ["cd-hu-shape"]),
        (claimed(win="?"), ["cd-hu-shape"]),
        (claimed("", "1s"), ["cd-hu-shape"]),
        (claimed("55p", melds=[meld("碰", f"{n}{n}{n}s") for n in range(2, 7)]), ["cd-hu-shape"]),
        (claimed("1111m 123m 456m 55p 1s", "1s"), ["cd-copies", "cd-hu-shape"]),
        (claimed("111m 11m 123m 456m 55p", "1p"), ["cd-copies", "cd-hu-shape"]),
        (claimed("111m 11m 234m 456m 55p", "5p"), ["cd-copies"]),
        (claimed(win="7z"), ["cd-copies", "cd-hu-shape"]),
        (claimed("123m 456m 3s 55p 2s", ma="1s 1s 1s", ma_count=4, melds=[meld("碰", "111s")]), ["cd-copies"]),
        (claimed(ma="1s", ma_count=1, robbed=3), ["cd-copies"]),
        (claimed("123m 456m 789m 123s 5p", "5p", robbed=3), ["cd-copies"]),
        (claimed(kongs=[{"actor": 0, "kind": "暗杠", "pai": "1s"}]), ["cd-copies"]),
        (claimed(kongs=[{"actor": 0, "kind": "暗杠", "pai": "9s"}, {"actor": 1, "kind": "碰杠", "pai": "9s"}]), ["cd-copies"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("吃", "123s")]), ["cd-no-chi"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("碰", "11s")]), ["cd-peng-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("碰", "112s")]), ["cd-peng-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("碰", "11s ?")]), ["cd-peng-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("碰", "")]), ["cd-peng-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("碰", "1111s")]), ["cd-peng-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("碰", "111s", **{"from": 2})]), ["cd-peng-target"]),
        (claimed("123m 456m 789m 5p", "5p", preset="hongzhong", melds=[meld("碰", "11s 7z")]), ["cd-peng-zhong", "cd-peng-held"]),
        (claimed("123m 456m 789m 5p", "5p", preset="hongzhong", melds=[meld("碰", "777z")]), ["cd-peng-zhong"]),
        (claimed("123m 456m 789m 5p", "5p", preset="hongzhong", melds=[meld("暗杠", "7777z")]), ["cd-peng-zhong"]),
        (claimed("123m 456m 789m 5p", "5p", preset="hongzhong", melds=[meld("暗杠", "111s 7z")]), ["cd-peng-zhong", "cd-kong-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("暗杠", "111s")]), ["cd-kong-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("碰杠", "1112s")]), ["cd-kong-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("暗杠", "111s ?")]), ["cd-kong-held"]),
        (claimed("123m 456m 789m 5p", "5p", melds=[meld("明杠", "1111s", **{"from": 2})]), ["cd-kong-target"]),
        (claimed(kongs=[{"actor": 0, "kind": "明杠", "pai": "9s"}]), ["cd-kong-target"]),
        (claimed(kongs=[{"actor": 0, "kind": "明杠", "pai": "9s", "from": 0}]), ["cd-kong-target"]),
        (claimed(kongs=[{"actor": 0, "kind": "暗杠", "pai": "?"}]), ["cd-kong-held"]),
        (claimed(kongs=[{"actor": 0, "kind": "暗杠", "pai": "7z"}], preset="hongzhong"), ["cd-peng-zhong"]),
        (claimed(kongs=[{"actor": 0, "kind": "暗杠", "pai": "7z"}]), ["cd-copies", "cd-peng-zhong"]),
        (claimed(kongs=[{"actor": 2, "kind": "暗杠", "pai": "9s"}]), ["cd-kong-held"]),
        (claimed(winner=1, win=None, hand="123m 456m 789m 123s 55p"), ["cd-hu-source"]),
        (claimed(winner=0, win=None, hand="123m 456m 789m 55p", melds=[meld("碰", "111s")]), ["cd-hu-source"]),
        (
            claimed(winner=0, win=None, hand="123m 456m 789m 123s 55p", kongs=[{"actor": 1, "kind": "暗杠", "pai": "9s"}]),
            ["cd-kong-target"],
        ),
        (claimed() | {"win": {"pai": "1s", "kind": "自摸", "from": 1}}, ["cd-hu-source"]),
        (claimed() | {"win": {"pai": "1s", "kind": "抢杠"}}, ["cd-rob-window"]),
        (claimed(robbed=2), ["cd-rob-window"]),
        (claimed(win="7z", robbed=1, preset="hongzhong"), ["cd-peng-zhong"]),
        (claimed(ma="1p"), ["cd-ma-tiles"]),
        (claimed(ma="1p 2p", ma_count=1), ["cd-ma-tiles"]),
        (claimed(ma="1p 2p 3p", ma_count=1, preset="hongzhong"), ["cd-ma-tiles"]),
        (claimed(ma="1p 2p", ma_count=1, preset="hongzhong", no_zhong_bonus="plus_one_hit"), ["cd-ma-tiles"]),
        (claimed(ma="?", ma_count=1), ["cd-ma-tiles"]),
        (claimed(ma="7z", ma_count=1), ["cd-copies"]),
    ],
)
def test_faults(claim: Claim, rules: list[str]) -> None:
    assert broken(claim) == rules


def test_the_same_kong_of_the_winner_listed_twice() -> None:
    kong = {"actor": 2, "kind": "暗杠", "pai": "9p"}
    claim = claimed("123m 456m 23s 55p", melds=[meld("暗杠", "9999p")], kongs=[kong, kong])
    assert broken(claim) == ["cd-copies"]


def test_two_discarders_of_one_kong() -> None:
    kongs = [{"actor": 2, "kind": "明杠", "pai": "9p", "from": 1}]
    claim = claimed("123m 456m 23s 55p", melds=[meld("明杠", "9999p", **{"from": 3})], kongs=kongs)
    assert broken(claim) == ["cd-kong-target"]
    assert broken(claimed("123m 456m 23s 55p", melds=[meld("明杠", "9999p", **{"from": 1})], kongs=kongs)) == []


def test_a_void_kong_leaves_the_hand_short() -> None:
    claim = claimed("123m 456m 23s 5p", melds=[meld("暗杠", "9999p")], kongs=[])
    assert broken(claim) == ["cd-hu-short", "cd-hu-shape"]


def test_every_fault_is_told() -> None:
    claim = claimed("123m 456m 2s", "5p", robbed=2, melds=[meld("吃", "123s"), meld("碰", "12s")], ma="1p")
    assert broken(claim) == ["cd-no-chi", "cd-peng-held", "cd-rob-window", "cd-hu-shape", "cd-ma-tiles"]


def test_fewer_ma_than_agreed_are_accepted() -> None:
    assert points(claimed(ma="1p", ma_count=8)) == [-4, -4, 12, -4]
    assert points(claimed(ma="", ma_count=8)) == [-2, -2, 6, -2]


def test_messages_in_both_languages() -> None:
    claim = claimed("123m 456m 789m 23s 5p")
    assert [reason.message for reason in judged(claim).reasons] == ["手牌连胡的牌应有 14 张，写了 13 张"]
    assert [reason.message for reason in judged(claim, "en").reasons] == [
        "the hand with its winning tile has 14 tiles beside the melds, not 13"
    ]
    assert all(zh and en and zh != en for zh, en in MESSAGES.values())


# The claim beside the answer


def test_a_claim_that_agrees_or_does_not() -> None:
    assert judged(claimed()).claim is None
    agreeing = judged(claimed(claim={"points": 6})).claim
    assert agreeing is not None
    assert (agreeing.agrees, agreeing.differs) == (True, [])
    differing = judged(claimed(claim={"points": 8})).claim
    assert differing is not None
    assert not differing.agrees
    assert [(d.field, d.claimed, d.computed) for d in differing.differs] == [("points", 8, 6)]
    silent = judged(claimed(claim={})).claim
    assert silent is not None
    assert silent.agrees


def test_a_claim_of_an_invalid_win_agrees_with_nothing() -> None:
    for claim in ({}, {"points": 0}, {"points": 6}):
        comparison = judged(claimed("123m 456m 789m 23s 5p", claim=claim)).claim
        assert comparison is not None
        assert not comparison.agrees


# Other readings


def readings(claim: Claim) -> dict[tuple[str, Any], tuple[bool, int]]:
    """Other readings that change the answer: validity and the winner's points."""
    return {(other.option, other.value): (other.valid, dict(other.points or {})["2"]) for other in judged(claim).sensitivity}


def test_no_reading_matters_to_a_plain_win() -> None:
    assert readings(claimed()) == {}


def test_readings_of_the_ma() -> None:
    assert readings(claimed(ma="1p 3p 5p", ma_count=4)) == {("ma_mode", "shangzhuang"): (True, 12)}
    assert readings(claimed(ma="1p", ma_count=1, robbed=3)) == {
        ("ma_mode", "shangzhuang"): (True, 6),
        ("rob_ma", "once"): (True, 8),
        ("rob_ma", "none"): (True, 6),
    }


def test_readings_of_the_bonus_look_only_at_the_tiles_that_would_have_been_flipped() -> None:
    assert readings(claimed(preset="hongzhong", ma="2p 2s 1p 9p", ma_count=2)) == {
        ("ma_mode", "shangzhuang"): (True, 6),
        ("no_zhong_bonus", "plus_one_tile"): (True, 12),
        ("no_zhong_bonus", "plus_one_hit"): (True, 12),
        ("no_zhong_bonus", "none"): (True, 6),
    }


def test_too_many_ma_may_be_right_under_another_reading() -> None:
    claim = claimed(preset="hongzhong", ma="1p 9p", ma_count=1, no_zhong_bonus="none")
    assert broken(claim) == ["cd-ma-tiles"]
    assert readings(claim) == {("no_zhong_bonus", "double_tiles"): (True, 18), ("no_zhong_bonus", "plus_one_tile"): (True, 18)}


def test_the_reading_of_the_fifth_copy() -> None:
    hand = "1111m 234s 567s 88s 7z"
    assert readings(claimed(hand, "8s", preset="hongzhong")) == {("fifth_copy", False): (False, 0)}
    assert readings(claimed(hand, "8s", preset="hongzhong", fifth_copy=False)) == {("fifth_copy", True): (True, 6)}
    [reading] = judged(claimed(hand, "8s", preset="hongzhong")).sensitivity
    assert reading.points == {"0": 0, "1": 0, "2": 0, "3": 0}


# Any claim whatever has an answer

any_tile = st.sampled_from(get_args(ChangdeTile))
any_tiles = st.lists(any_tile, max_size=15)
any_seat = st.integers(0, 3)


def shape(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[Claim]:
    """Objects with these members."""
    return st.fixed_dictionaries(required, optional=optional)


any_rules = shape(
    {"preset": st.sampled_from(["standard", "hongzhong"])},
    {
        "ma_count": st.sampled_from([0, 1, 8, "all"]),
        "ma_mode": st.sampled_from(["159", "shangzhuang"]),
        "no_zhong_bonus": st.sampled_from(["plus_one_tile", "plus_one_hit", "none"]),
        "seven_pairs": st.booleans(),
        "four_zhong_wins": st.booleans(),
        "fifth_copy": st.booleans(),
    },
)
any_win = shape({"pai": any_tile, "kind": st.sampled_from(["自摸", "抢杠"])}, {"from": any_seat})
any_meld = shape({"kind": st.sampled_from(["碰", "明杠", "暗杠", "碰杠", "吃"]), "pai": any_tiles}, {"from": any_seat})
any_kong = shape({"actor": any_seat, "kind": st.sampled_from(["明杠", "暗杠", "碰杠"]), "pai": any_tile}, {"from": any_seat})
any_claim = shape(
    {
        "game": st.just("changde"),
        "rules": any_rules,
        "hand": any_tiles,
        "dealer": any_seat,
        "winner": any_seat,
        "win": st.none() | any_win,
    },
    {
        "melds": st.lists(any_meld, max_size=6),
        "kongs": st.lists(any_kong, max_size=6),
        "ma": any_tiles,
        "claim": st.none() | shape({}, {"points": st.integers(-50, 50)}),
    },
)


@settings(max_examples=200)
@given(any_claim, st.sampled_from(["zh", "en"]))
def test_any_claim_has_an_answer(claim: Claim, lang: str) -> None:
    verdict = judged(claim, lang)
    assert verdict.valid is not bool(verdict.reasons)
    assert sum(verdict.points.values()) == 0
    assert all(reason.message for reason in verdict.reasons)
    assert msgspec.json.encode(verdict)
