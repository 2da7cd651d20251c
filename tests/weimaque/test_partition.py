"""The packed cards and the tables behind every division."""

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.weimaque.deck import INDEX, KINDS
from engine.weimaque.packed import EVERY_KIND, RANKS, fours, held, kinds_of, pack, pack_kinds, size, unpack
from engine.weimaque.partition import PURE, completing, has_black_run, melds, partitions, runs, with_pair
from tools.weimaque_tables import TARGET, packed, pure_suits

counts = st.lists(st.integers(0, 4), min_size=KINDS, max_size=KINDS)


def cards_of(text: str) -> int:
    return pack_kinds(INDEX[card] for card in text)


@given(counts)
def test_packing_keeps_every_count(vector: list[int]) -> None:
    cards = pack(vector)

    assert unpack(cards) == vector
    assert kinds_of(cards) == [kind for kind, count in enumerate(vector) for _ in range(count)]
    assert pack_kinds(kinds_of(cards)) == cards
    assert size(cards) == sum(vector)
    assert cards % 3 == sum(vector) % 3
    assert [held(cards, kind) for kind in range(KINDS)] == vector
    assert kinds_of(fours(cards)) == [kind for kind in range(KINDS) if vector[kind] == 4]


def test_a_count_that_is_none_cannot_be_packed() -> None:
    with pytest.raises(ValueError, match="bytes must be in range"):
        pack([-1, *[0] * (KINDS - 1)])


def test_the_table_on_file_is_what_its_tool_builds() -> None:
    suits = pure_suits()

    assert TARGET.read_bytes() == packed(suits)
    assert len(suits) == len(PURE) == 34_407
    for suit, choices in suits.items():
        spread = {sum(1 << 8 * rank for rank in range(RANKS) if ranks >> rank & 1) for ranks in choices}
        assert set(PURE[pack(suit)]) == spread


def test_tables_are_ready_soon_after_import() -> None:
    script = "import time; start = time.process_time(); import engine.weimaque.partition; print(time.process_time() - start)"

    spent = float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)

    assert spent < 0.15


@pytest.mark.parametrize(
    ("cards", "divisions"),
    [
        ("一一", [("", "一")]),
        ("一二三一一", [("一二三", "一")]),
        ("一一一二二二三三三四四", [("一一一 二二二 三三三", "四"), ("一二三 一二三 一二三", "四"), ("一二三 二三四 二三四", "一")]),
        ("九十壹贰贰", []),
        ("一二三壹贰叁", []),
        ("八九十拾拾", [("八九十", "拾")]),
        ("一一一一", []),
        ("二二二二三四贰贰", [("二二二 二三四", "贰")]),
        ("", []),
    ],
)
def test_divisions(cards: str, divisions: list[tuple[str, str]]) -> None:
    packed_cards = cards_of(cards)
    expected = {(tuple(tuple(INDEX[card] for card in meld) for meld in text.split()), INDEX[pair]) for text, pair in divisions}

    found = partitions(packed_cards)

    assert {(tuple(melds(packed_cards, partition)), partition[1]) for partition in found} == expected
    assert len(found) == len(divisions)


@given(st.lists(st.integers(0, 7), max_size=5), st.integers(0, RANKS - 1))
def test_runs_of_one_suit(starts: list[int], pair: int) -> None:
    tally = Counter(kind for start in starts for kind in (start, start + 1, start + 2))
    tally[pair] += 2
    cards = pack_kinds(tally.elements())

    assert runs(cards, (0, pair)) == sorted((start, start + 1, start + 2) for start in starts)
    assert has_black_run(cards - 2 * (1 << 8 * pair)) == bool({2, 3} & set(starts))
    if max(tally.values()) <= 4:
        assert (0, pair) in with_pair(cards)


@given(counts.filter(lambda vector: sum(vector) % 3 == 1))
def test_completing_cards_are_those_that_divide(vector: list[int]) -> None:
    cards = pack(vector)
    expected = [kind for kind in range(KINDS) if vector[kind] < 4 and partitions(cards + (1 << 8 * kind))]

    assert completing(cards) == expected


def test_a_fifth_copy_never_completes() -> None:
    cards = cards_of("一一一一二三九")

    assert completing(cards) == [INDEX["九"]]
    assert completing(cards_of("一一一一")) == []


def test_every_kind_is_a_set_of_twenty() -> None:
    assert kinds_of(EVERY_KIND) == list(range(KINDS))
