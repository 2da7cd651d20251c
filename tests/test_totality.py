"""Whatever was written can be folded, judged and shown: shuffled, doubled, out of turn, with cards that are not there."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.games import GAMES
from engine.judge import check, open_table, run
from engine.log import effective_log
from engine.replay import frames
from schemas import changde as c
from schemas import events as shared
from schemas import weimaque as w
from tools.play import whole_hand
from tools.random_hand import random_hand

SEEDS = st.integers(0, 2**32)


def noise(game: str, random: Random, number: int) -> list[Any]:
    """Playing events drawn without looking."""
    tokens: Any = [*GAMES[game].tokens, "?"]

    def card() -> Any:
        return random.choice(tokens)

    def cards() -> list[Any]:
        return [card() for _ in range(random.randrange(16))]

    def seat() -> int:
        return random.randrange(3 if game == "weimaque" else 4)

    common = [
        lambda: shared.Pass(actor=seat()),
        lambda: shared.Call(actor=seat(), act=random.choice(("胡", "碰", "吃", "杠"))),
        lambda: shared.Exhausted(),
        lambda: shared.Settlement(transfers=[shared.Transfer(from_=seat(), to=seat(), amount=random.randrange(-5, 50))]),
    ]
    own = [
        lambda: w.Discard(actor=seat(), pai=card()),
        lambda: w.Reveal(actor=seat(), pai=card()),
        lambda: w.Chi(actor=seat(), pai=card(), consumed=[card(), card()]),
        lambda: w.Peng(actor=seat(), pai=card()),
        lambda: w.Wei(actor=seat(), pai=card()),
        lambda: w.Zhe(actor=seat()),
        lambda: w.DeadHand(actor=seat()),
        lambda: w.Show(actor=seat(), pai=cards()),
        lambda: w.Hu(actor=seat(), hand=cards()),
    ]
    if game == "changde":
        own = [
            lambda: c.Discard(actor=seat(), pai=card()),
            lambda: c.Draw(actor=seat(), pai=card()),
            lambda: c.Chi(actor=seat(), pai=card(), consumed=[card(), card()]),
            lambda: c.Peng(actor=seat(), pai=card()),
            lambda: c.Kong(actor=seat(), pai=card(), kind=random.choice(("暗", "明", "碰"))),
            lambda: c.Replacement(actor=seat(), pai=card()),
            lambda: c.Show(actor=seat(), pai=cards()),
            lambda: c.Hu(actor=seat(), kind=random.choice(("自摸", "抢杠")), hand=cards(), claim=c.Claim(points=random.randrange(20))),
            lambda: c.Ma(pai=cards()),
        ]
    return [random.choice(common if random.random() < 0.2 else own)() for _ in range(number)]


def assert_told(record: Any) -> None:
    """The record is judged and shown at every place, and no count falls below nothing."""
    for lang in ("zh", "en"):
        verdict = check(record, possible=True, lang=lang)
        assert all(finding.message for finding in verdict.findings)
    game = GAMES[record.__struct_config__.tag]
    log = effective_log(record.events)
    table = open_table(game, log)

    def look(at: int, broken: Any) -> None:
        assert all(size >= 0 for size in table.size)
        assert all(count >= 0 for counts in table.hand for count in counts)
        assert all(unseen >= 0 for unseen in table.unseen)

    run(game, log, table, look)
    for view in ("full", "public", 0):
        assert len(frames(record, view=view)) == len(log.events)


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@settings(max_examples=25)
@given(seed=SEEDS)
def test_a_shuffled_hand(game: str, seed: int) -> None:
    random = Random(seed)
    record = whole_hand(game, random)
    played = record.events[2:]
    random.shuffle(played)

    assert_told(replace(record, events=[*record.events[:2], *played]))


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@settings(max_examples=25)
@given(seed=SEEDS)
def test_noise_behind_a_hand(game: str, seed: int) -> None:
    random = Random(seed)
    record = random_hand(game, random, stacked=random.random() < 0.5, faults=0.1)
    kept = record.events[: random.randrange(1, len(record.events) + 1)]

    assert_told(replace(record, events=[*kept, *noise(game, random, 40)]))


@settings(max_examples=25)
@given(seed=SEEDS)
def test_tiles_are_conserved_and_payments_sum_to_nothing(seed: int) -> None:
    random = Random(seed)
    record: Any = whole_hand("changde", random, ma_count=random.choice([0, 4, "all"]))
    game = GAMES["changde"]
    log = effective_log(record.events)
    table = open_table(game, log)
    tiles = 112 if record.events[0].rules.preset == "hongzhong" else 108

    def look(at: int, broken: Any) -> None:
        laid = sum(len(meld.tiles) for melds in table.melds for meld in melds)
        lying = sum(map(len, table.played)) + (table.card >= 0)
        won_from_a_kong = any(win.robbed for win in table.wins)
        assert sum(table.size) + laid + lying + table.wall.left + won_from_a_kong == tiles

    run(game, log, table, look)
    outcome: Any = game.outcome(table)
    assert sum(outcome.points.values()) == 0
    for seat, points in outcome.points.items():
        paid = sum(transfer.amount for transfer in outcome.transfers if transfer.from_ == int(seat))
        taken = sum(transfer.amount for transfer in outcome.transfers if transfer.to == int(seat))
        assert points == taken - paid
