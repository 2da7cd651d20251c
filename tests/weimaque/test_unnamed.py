"""What an unnamed card leaves open, and what it does not."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.judge import check
from engine.weimaque.mingtang import ROWS
from schemas import weimaque as w
from tools.weimaque_hands import made

WEI_WAIT = "伍伍一一一三三三五五五七七七九九九拾拾"
"""Wins by a 栽 of 伍."""


def unnamed(record: Any, *seqs: int) -> Any:
    """The record with the cards of some events not named, in the stock neither; of a 吃 the card that was taken."""
    hidden = [replace(event, pai="?") if seq in seqs else event for seq, event in enumerate(record.events)]
    hidden[1] = replace(record.events[1], stock=None)
    return replace(record, events=hidden)


def told(record: Any) -> set[tuple[int, str, str]]:
    return {(finding.seq, finding.rule, finding.certainty) for finding in check(record, possible=True).findings}


def outcome_of(record: Any) -> Any:
    return msgspec.to_builtins(check(record).outcome)


def test_a_wei_named_behind_a_reveal_that_is_not_leaves_the_win_open() -> None:
    record = made("甲出二 乙揭伍 乙栽伍 乙胡", 乙=WEI_WAIT)
    whole = check(record)
    assert whole.findings == []
    assert whole.outcome is not None
    assert whole.outcome.certainty == "established"
    masked = unnamed(record, 3)
    assert {(4, "wmq-wei-own", "possible"), (5, "wmq-hu-revealed", "possible")} <= told(masked)
    outcome = check(masked).outcome
    assert outcome is not None
    assert outcome.certainty == "possible"


def test_whether_a_win_behind_an_unnamed_wei_has_the_shape_turns_on_its_being_the_card_just_revealed() -> None:
    record = made("甲出二 乙出拾 乙揭伍 乙栽伍 乙胡", 乙=WEI_WAIT)
    assert (6, "wmq-hu-shape", "established") in told(record)
    masked = replace(record, events=[*record.events[:5], replace(record.events[5], pai="?"), *record.events[6:]])
    open_answers = {(5, "wmq-wei-own", "possible"), (6, "wmq-hu-revealed", "possible"), (6, "wmq-hu-shape", "possible")}
    assert open_answers <= told(masked)
    outcome = check(masked).outcome
    assert outcome is not None
    assert not outcome.valid
    assert outcome.certainty == "established"


def test_a_claim_that_makes_no_run_is_no_meld_of_a_hand_that_is_not_all_known_either() -> None:
    play = "甲出二 乙揭一 甲碰一 乙揭三 甲碰三 乙揭五 甲碰五 乙揭九 甲吃九七六 甲出拾 乙揭柒 甲胡"
    record = made(play, 甲="二一一三三五五七六拾壹壹壹叁叁叁伍伍伍柒")
    assert "wmq-hu-shape" not in {rule for _, rule, _ in told(record)}
    outcome = check(record).outcome
    assert outcome is not None
    assert outcome.valid
    masked = unnamed(record, 2)
    assert {found for found in told(masked) if found[2] == "established"} <= told(record)
    outcome = check(masked).outcome
    assert outcome is not None
    assert outcome.valid


def test_any_card_may_be_what_shouxing_claimed_without_a_hand() -> None:
    record = made("甲出柒 !丙栽柒 乙揭一 丁揭三 甲揭柒 乙吃柒伍陆", players=4, 乙="伍陆", chi_passed="seen")
    events = list(record.events)
    events[3] = replace(events[3], pai="?")
    certain = {found for found in told(replace(record, events=events)) if found[2] == "established"}
    assert certain <= told(record)


@pytest.mark.parametrize("ban", ["whole_meld", "claimed"])
def test_the_named_cards_of_a_meld_are_barred_whatever_was_taken(ban: str) -> None:
    record = made("甲出三 乙吃三一二 乙出一", 乙="一一二", discard_ban=ban)
    assert ((4, "wmq-discard-claimed", "established") in told(record)) == (ban == "whole_meld")
    assert ((4, "wmq-discard-claimed", "established") in told(unnamed(record, 2, 3))) == (ban == "whole_meld")


def test_a_win_that_play_goes_on_after_is_none_though_the_claim_was_spoken() -> None:
    for play in ("甲出二 丙胡 乙碰二", "甲出二 丙胡 乙叫碰 乙碰二"):
        assert check(made(play, 乙="二二")).outcome is None


def test_the_bound_of_a_total_counts_an_addition_as_often_as_it_may_be_counted() -> None:
    values = {row.name: 0 for row in ROWS} | {"假八碰头": 100}
    record = made("甲出九 乙揭二 乙胡", 乙="一一一一三三三三壹壹壹壹叁叁叁叁贰五五", jiabapengtou_once=False, values=values)
    total = outcome_of(record)["total_xi"]
    deal = record.events[1]
    assert isinstance(deal, w.Deal)
    hands = [None if seat == 1 else hand for seat, hand in enumerate(deal.hands)]
    least, most = outcome_of(replace(record, events=[record.events[0], replace(deal, hands=hands, stock=None), *record.events[2:]]))[
        "total_xi_range"
    ]
    assert total == 224
    assert least <= total <= most
