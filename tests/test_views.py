"""Views: two hands that differ only in what a viewer may not see are the same to that viewer, and what he is told is true."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.completions import Open
from engine.games import GAMES
from engine.judge import check, fold, open_table
from engine.log import effective_log
from engine.playing import AtRandom, played
from engine.replay import frame, frames, legal_now
from engine.truth import UNKNOWN
from engine.view import Viewer, is_over, masked
from schemas import changde as c
from schemas import weimaque as w
from schemas.events import Settlement, Void, Withdraw
from schemas.record import WeimaqueRecord
from schemas.rulesets import WeimaqueRules
from tools.play import whole_hand
from tools.random_hand import random_hand

BOTH = pytest.mark.parametrize("game", ["weimaque", "changde"])
SEEDS = st.integers(0, 2**32)
WITHOUT_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)

encode = msgspec.json.Encoder().encode
replace = msgspec.structs.replace


def running_hand(game: str, random: Random) -> Any:
    """The beginning of a full hand."""
    record: Any = random_hand(
        game, random, faults=random.choice((0.0, 0.1)), stacked=random.random() < 0.3, claims=random.choice((0.1, 0.5, 0.9))
    )
    return replace(record, events=record.events[: random.randrange(2, len(record.events) + 1)])


def viewers(record: Any) -> list[Viewer]:
    return ["public", *range(len(record.events[0].players))]


def another(game: str, record: Any, view: Viewer, random: Random) -> Any:
    """Another full hand that looks the same to the viewer; None if none was found."""
    seen = masked(record, view)
    known = Open(GAMES[game], effective_log(seen.events))
    for _ in range(20):
        deal = known.sample(random)
        if deal is None:
            continue
        other = replace(record, events=list(played(known, deal, AtRandom(random)).events))
        if other.events != record.events and masked(other, view).events == seen.events:
            return other
    return None


@BOTH
@settings(max_examples=25, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS)
def test_what_a_viewer_may_not_see_changes_nothing_for_him(game: str, seed: int) -> None:
    random = Random(seed)
    record = running_hand(game, random)
    for view in viewers(record):
        if masked(record, view) is record:
            continue
        other = another(game, record, view, random)
        if other is None:
            continue
        for lang in ("zh", "en"):
            assert encode(frames(record, view=view, lang=lang)) == encode(frames(other, view=view, lang=lang))
            assert encode(check(masked(record, view), lang=lang, possible=True)) == encode(
                check(masked(other, view), lang=lang, possible=True)
            )
        assert encode(legal_now(record, view)) == encode(legal_now(other, view))
        assert encode(masked(record, view)) == encode(masked(other, view))
        last = len(record.events) - 1
        assert encode(frame(record, last, view=view, hindsight=False)) == encode(frame(other, last, view=view, hindsight=False))


@BOTH
def test_other_hands_are_found_for_most_views(game: str) -> None:
    random = Random("others")
    found = all_of_them = 0
    for _ in range(25):
        record = running_hand(game, random)
        for view in viewers(record):
            if masked(record, view) is not record:
                all_of_them += 1
                found += another(game, record, view, random) is not None
    assert found >= 0.6 * all_of_them > 0


@BOTH
@settings(max_examples=25, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS)
def test_what_a_viewer_is_told_is_true(game: str, seed: int) -> None:
    record = running_hand(game, Random(seed))
    full = {(finding.seq, finding.rule) for finding in check(record).findings}
    for view in viewers(record):
        assert {(finding.seq, finding.rule) for finding in check(masked(record, view)).findings} <= full
        for told, true in zip(frames(record, view=view), frames(record), strict=True):
            for seen, seat in zip(told.state.seats, true.state.seats, strict=True):
                assert seen.hidden + len(seen.hand or ()) == seat.hidden + len(seat.hand or ()) or seen.hand is None
                assert all((seat.hand or []).count(card) >= (seen.hand or []).count(card) for card in seen.hand or ())


def test_a_wei_that_was_taken_back_stays_face_down() -> None:
    hands: list[Any] = [list("一二三四五六七八九十" * 2), list("壹壹贰贰叁叁叁叁肆肆肆肆伍伍伍伍陆陆陆")]
    start = w.Start(rules=WeimaqueRules(preset="dazhuo"), players=["甲", "乙", "丙"], dealer=0)
    played: list[Any] = [
        start,
        w.Deal(hands=[*hands, None], stock=None),
        w.Discard(actor=0, pai="二"),
        w.Reveal(actor=1, pai="壹"),
        w.Wei(actor=1, pai="壹"),
    ]
    for corrections in ([Withdraw(to=2)], [Void(seq=4)], [w.Amend(seq=4, event=w.Discard(actor=1, pai="陆"))]):
        events = [*played, *corrections]
        seen = GAMES["weimaque"].mask(events, "public")
        assert seen[3].pai == "?"
        assert seen[4].pai == "?"
        assert GAMES["weimaque"].mask(events, 1)[3].pai == "壹"


def test_a_wei_stays_face_down_in_a_log_that_was_corrected_too_often() -> None:
    """Too often to look at the log as it stood before each correction: then no reveal of a hidden hand is shown."""

    def corrected(card: Any, other: Any) -> Any:
        hands: list[Any] = [list("一二三四五六七八九十" * 2), [card, card, *"贰贰叁叁叁叁肆肆肆肆伍伍伍伍陆陆陆"], None]
        start = w.Start(rules=WeimaqueRules(preset="dazhuo"), players=["甲", "乙", "丙"], dealer=0)
        events: list[Any] = [
            start,
            w.Deal(hands=hands, stock=None),
            w.Discard(actor=0, pai="二"),
            w.Reveal(actor=1, pai=card),
            w.Wei(actor=1, pai=card),
            Void(seq=4),
            w.Amend(seq=3, event=w.Reveal(actor=1, pai=other)),
            w.Insert(after=3, event=w.Reveal(actor=1, pai=other)),
        ]
        return WeimaqueRecord(format="paipu/1", events=[*events, *[w.Amend(seq=2, event=w.Discard(actor=0, pai="三"))] * 200])

    one, two = corrected("壹", "柒"), corrected("捌", "拾")
    for view in ("public", 0, 2):
        seen = masked(one, view)
        assert [seen.events[3].pai, seen.events[6].event.pai, seen.events[7].event.pai] == ["?", "?", "?"]
        assert encode(seen) == encode(masked(two, view))
    assert masked(one, 1).events[3].pai == "壹"


@BOTH
def test_once_the_hand_has_ended_every_viewer_sees_everything(game: str) -> None:
    record: Any = next(hand for seed in range(50) if check(hand := random_hand(game, Random(seed), faults=0.0)).outcome is not None)
    open_to_all = encode(frames(record))
    for view in viewers(record):
        assert encode(frames(record, view=view)) == open_to_all


@BOTH
def test_a_finished_hand_is_open_to_everybody(game: str) -> None:
    random = Random("finished")
    ended = 0
    for _ in range(40):
        record = whole_hand(game, random)
        assert is_over(GAMES[game], record.events)
        ended += isinstance(record.events[-1], Settlement)
        for view in viewers(record):
            assert masked(record, view) is record
    assert ended


@BOTH
def test_who_calls_a_win_shows_his_hand_and_one_that_does_not_stand_opens_no_other(game: str) -> None:
    random = Random("called")
    called = 0
    while called < 10:
        record = running_hand(game, random)
        seats = [seat for seat, hand in enumerate(record.events[1].hands) if hand]
        caller, other = random.sample(seats, 2)
        hu: Any = w.Hu(actor=caller) if game == "weimaque" else c.Hu(actor=caller, kind="自摸")
        false = replace(record, events=[*record.events, hu])
        outcome = check(false).outcome
        if is_over(GAMES[game], record.events) or outcome is None or outcome.valid:
            continue
        called += 1
        seen = masked(false, "public").events
        assert seen[1].hands[caller] == record.events[1].hands[caller]
        assert seen[1].hands[other] is None or any(isinstance(event, type(hu)) and event.actor == other for event in record.events)
        shown = frames(false, view="public")[-1].state.seats[caller]
        assert shown.hand is not None
        paid = replace(false, events=[*false.events, Settlement(transfers=[])])
        table = fold_public(game, false)
        assert (masked(paid, "public") is paid) == (table.ended == UNKNOWN)


def fold_public(game: str, record: Any) -> Any:
    """The position at the end of a record as the public sees it."""
    log = effective_log(GAMES[game].mask(record.events, "public"))
    table = open_table(GAMES[game], log)
    fold(GAMES[game], log, table)
    return table
