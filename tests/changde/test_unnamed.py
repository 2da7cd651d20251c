"""What unnamed tiles leave open, and what they do not."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.judge import check
from schemas import changde as c
from schemas.base import UNSET
from tools.changde_hands import made
from tools.play import whole_hand

WON = "111222333m4447p7p"


def told(record: Any) -> set[tuple[int, str, str]]:
    return {(finding.seq, finding.rule, finding.certainty) for finding in check(record, possible=True).findings}


@pytest.mark.parametrize("wall_known", [False, True])
def test_a_flipped_tile_that_is_not_named_may_be_from_elsewhere(wall_known: bool) -> None:
    record = made("甲自摸:12 奖码12p", {"甲": WON}, ma_count=2)
    assert not told(record)
    start, deal, win, flips = record.events
    assert isinstance(deal, c.Deal)
    hidden = [start, deal if wall_known else replace(deal, wall=None), win, replace(flips, pai=["1p", "?"])]
    verdict = check(replace(record, events=hidden), possible=True)
    assert {(finding.seq, finding.rule, finding.certainty) for finding in verdict.findings} == {
        (2, "cd-claim-points", "possible"),
        (3, "cd-ma-tiles", "possible"),
    }
    needs = verdict.findings[-1].needs
    assert isinstance(needs, list)
    assert needs[0]["question"] == "card"
    assert verdict.outcome is not None
    assert verdict.outcome.certainty == "possible"


def test_flipped_tiles_rule_out_no_deal_that_some_order_of_the_wall_makes_possible() -> None:
    random = Random("orders")
    tried = 0
    while tried < 40:
        record: Any = whole_hand("changde", random, ma_count="all")
        start, deal, *played = record.events
        if not isinstance(played[-2], c.Ma):
            continue
        tried += 1
        *before, win, flips, paid = played
        assert not told(record)
        hands = [list(hand) for hand in deal.hands]
        hands[win.actor][random.randrange(13)] = "?"
        first = sum(isinstance(event, c.Draw) for event in before)
        wall, flipped = list(deal.wall), list(flips.pai)
        for place in random.sample(range(len(flipped)), 6):
            wall[first + place] = "?"
            flipped[place] = random.choice([flips.pai[place], "?"])
        hidden = [replace(win, hand=UNSET), replace(flips, pai=flipped), paid]
        events = [start, replace(deal, hands=hands, wall=wall), *before, *hidden]
        assert not {found for found in told(replace(record, events=events)) if found[2] == "established"}


def test_an_unnamed_kong_that_only_one_deal_allows_settles_which() -> None:
    record: Any = made("甲暗杠1p 甲补章5s 甲自摸", {"甲": "1111p234567m8834s"}, ma_count=0)
    start, deal, kong, *rest = record.events
    hands = [["?" if at == 0 and seat < 2 else tile for at, tile in enumerate(hand)] for seat, hand in enumerate(deal.hands)]
    assert deal.hands[0][0] == "1p"
    hidden = replace(record, events=[start, replace(deal, hands=hands), replace(kong, pai="?"), *rest])
    assert told(hidden) == told(record) == set()
    assert check(hidden).outcome == check(record).outcome


@pytest.mark.parametrize("hidden_seq", [2, 3])
def test_what_a_kong_of_an_unnamed_discard_pays_is_open(hidden_seq: int) -> None:
    record: Any = made("甲出1p 乙明杠1p 乙补章5s 乙自摸", {"甲": "1p", "乙": "111p234567m8834s"}, ma_count=0)
    whole = check(record)
    assert whole.findings == []
    assert whole.outcome is not None
    assert "明杠" in {paid.for_ for paid in whole.outcome.transfers}
    events = list(record.events)
    events[hidden_seq] = replace(events[hidden_seq], pai="?")
    outcome = check(replace(record, events=events)).outcome
    assert outcome is not None
    assert outcome.certainty == ("possible" if hidden_seq == 2 else "established")


def test_kongs_are_paid_for_in_the_order_in_which_they_were_made() -> None:
    play = "甲出1p 乙碰1p 乙出9s 丙摸9s 丙出9s 丁摸9p 丁出9p 甲摸9p 甲出9p 乙摸2m 乙暗杠2m 乙补章1p 乙碰杠1p 乙补章5s 乙自摸"
    record: Any = made(play, {"甲": "1p", "乙": "11p222m567m8834s9s"}, ma_count=0)
    outcome = check(record).outcome
    assert outcome is not None
    assert outcome.valid
    assert [paid.for_ for paid in outcome.transfers] == ["自摸"] * 3 + ["暗杠"] * 3 + ["碰杠"] * 3
