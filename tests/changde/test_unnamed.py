"""What unnamed tiles leave open, and what they do not."""

from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.changde import examine
from engine.changde.aside import asides
from engine.changde.deck import INDEX
from engine.changde.ma import undealt
from engine.changde.options import ruleset
from engine.judge import check
from engine.knowledge import NOTHING
from schemas import changde as c
from schemas.base import UNSET
from tools.changde_hands import made
from tools.play import whole_hand
from tools.random_hand import random_hand

ACTS = (c.Draw, c.Replacement, c.Discard, c.Peng, c.Chi, c.Kong)

WON = "111222333m4447p7p"


def assert_right(record: Any, hidden: list[Any]) -> None:
    """What is told of the record with these events instead is right about the record."""
    assert not [finding for finding in check(record).findings if finding.kind == "impossible"]
    full, masked = check(record), check(replace(record, events=hidden), possible=True)
    broken = {(finding.seq, finding.rule) for finding in full.findings}
    certain = {(finding.seq, finding.rule) for finding in masked.findings if finding.certainty == "established"}
    assert certain <= broken <= {(finding.seq, finding.rule) for finding in masked.findings}
    if masked.outcome is None or masked.outcome.certainty == "established":
        assert masked.outcome == full.outcome


def without(hand: Sequence[Any], *tiles: Any) -> list[Any]:
    """The hand with one of each of these not named."""
    left = list(hand)
    for tile in tiles:
        left[left.index(tile)] = "?"
    return left


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


def test_what_was_flipped_behind_a_refuted_win_tells_nothing_of_what_is_drawn_later() -> None:
    record: Any = made("甲出9m 乙摸1s 乙自摸 乙出1s 丙摸2s 丙出2s", {"甲": "9m"}, ma_count=1)
    start, deal, discard, draw, win, *later = record.events
    record = replace(record, events=[start, deal, discard, draw, win, c.Ma(pai=[deal.wall[-1]]), *later])
    assert deal.wall[-1] != "2s"
    assert_right(record, [start, replace(deal, wall=None), *record.events[2:]])


def test_flips_behind_each_win_begin_where_the_wall_then_begins() -> None:
    record: Any = made("甲自摸 甲出9m 乙摸7p 乙自摸", {"甲": "9m", "乙": "111222333m4447p"}, ma_count=2)
    start, deal, refuted, *later = record.events
    events = [start, deal, refuted, c.Ma(pai=[deal.wall[0]]), *later, c.Ma(pai=list(deal.wall[1:3]))]
    for wall in (None, [*deal.wall[:1], "?", "?", *deal.wall[3:]], [*deal.wall[:2], "?", "?", *deal.wall[4:]]):
        assert_right(replace(record, events=events), [start, replace(deal, wall=wall), *events[2:]])


def test_a_replacement_out_of_turn_is_not_the_tile_that_a_win_holds_aside() -> None:
    record: Any = made("甲出9m 乙摸5p 丙补章8s 乙自摸 奖码5p", {"甲": "9m", "乙": "111222333m444s9p"}, ma_count=0)
    start, deal, discard, draw, replacement, win, _ = record.events
    win = replace(win, hand=deal.hands[1])
    wall = without(deal.wall, "5p", "5p")
    hands = [deal.hands[0], without(deal.hands[1], "9p"), *deal.hands[2:]]
    shown = replace(win, hand=without(deal.hands[1], "9p"))
    record = replace(record, events=[start, deal, discard, draw, replacement, win])
    assert_right(record, [start, replace(deal, hands=hands, wall=wall), discard, draw, replacement, shown])


def test_a_replacement_that_nobody_owes_is_not_held_aside() -> None:
    record: Any = made("甲出1p 乙补章8s 乙自摸", {"甲": "1p", "乙": "888s123456m9p9p2p2p"}, ma_count=0)
    start, deal, discard, replacement, win = record.events
    win = replace(win, hand=[*deal.hands[1], "8s"])
    hidden = [deal.hands[0], ["?", *deal.hands[1][1:-1], "?"], *deal.hands[2:]]
    record = replace(record, events=[start, deal, discard, replacement, win])
    assert_right(record, [start, replace(deal, hands=hidden, wall=None), discard, replacement, win])


def test_a_tile_drawn_before_a_discard_is_not_held_aside() -> None:
    hands = {"甲": "9m", "乙": "9m7p", "丙": "111222333m44s7p5p"}
    record: Any = made("甲出9m 乙摸5p 乙出9m 乙自摸 丙摸7p 丙自摸", hands, ma_count=0)
    start, deal, discard, draw, second, win, *later = record.events
    shown = [*deal.hands[1], "5p"]
    shown.remove("9m")
    dealt = [deal.hands[0], without(deal.hands[1], "7p"), without(deal.hands[2], "5p"), deal.hands[3]]
    record = replace(record, events=[start, deal, discard, draw, second, replace(win, hand=shown), *later])
    hidden = replace(win, hand=without(shown, "7p"))
    assert_right(record, [start, replace(deal, hands=dealt), discard, draw, second, hidden, *later])


def test_the_events_tell_of_the_tile_held_aside_what_the_fold_does(monkeypatch: pytest.MonkeyPatch) -> None:
    folded: dict[int, int] = {}
    withheld = examine.withheld

    def listening(t: Any, seat: int) -> int:
        folded[t.at] = withheld(t, seat)
        return folded[t.at]

    monkeypatch.setattr(examine, "withheld", listening)
    random = Random("aside")
    held = 0
    for _ in range(150):
        window = random.choice(["after_bu", "before_bu"])
        record: Any = random_hand("changde", random, faults=0.2, claims=0.9, rob_window=window)
        start: Any = record.events[0]
        events: list[Any] = list(record.events)
        for _ in range(random.randrange(12)):
            seat = random.randrange(4)
            odd = random.choice(
                [c.Draw(actor=seat, pai="1m"), c.Replacement(actor=seat, pai="1m"), c.Kong(actor=seat, pai="1m", kind="暗")]
            )
            events.insert(random.randrange(2, len(events) + 1), random.choice([odd, c.Hu(actor=seat, kind="自摸")]))
        events = [replace(event, hand=[]) if isinstance(event, c.Hu) and event.kind == "自摸" else event for event in events]
        folded.clear()
        check(replace(record, events=events))
        told = asides(events, undealt(ruleset(start.rules)))
        for at, kind in folded.items():
            if at in told:
                assert INDEX[events[told[at]].pai] == kind
                held += 1
            else:
                since = takewhile(lambda event: not isinstance(event, ACTS), reversed(events[:at]))
                assert kind == NOTHING or any(isinstance(event, c.Hu) for event in since)
    assert held > 50
