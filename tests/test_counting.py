"""Counting many cards at once agrees with counting them one by one."""

from hypothesis import given
from hypothesis import strategies as st

from engine.counting import Counting
from engine.weimaque.deck import INDEX, KINDS, TOKENS

COUNTING = Counting(INDEX, KINDS)
TOKENS_AND_UNKNOWN = [*TOKENS, "?"]


@given(st.lists(st.sampled_from(TOKENS_AND_UNKNOWN), max_size=80))
def test_each_kind_is_counted(cards: list[str]) -> None:
    assert COUNTING.counts(COUNTING.packed(cards)) == [cards.count(token) for token in TOKENS_AND_UNKNOWN]


@given(st.lists(st.sampled_from(TOKENS_AND_UNKNOWN[:2]), min_size=41, max_size=600))
def test_more_than_fit_a_byte_count_as_many(cards: list[str]) -> None:
    counts = COUNTING.counts(COUNTING.packed_part(cards))
    assert counts[:2] == [min(40, cards.count(token)) for token in TOKENS[:2]]
    assert not any(counts[2:])
