"""Whole records beside the right answers of an independent implementation."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.judge import check
from schemas.events import Transfer
from schemas.record import Record
from schemas.verdict import Finding, Verdict, WeimaqueOutcome

VECTORS = Path(__file__).parents[1] / "vectors"
FEES = {"wmq-draw-fee", "wmq-shouxing-fee"}
"""Notices about fees that a record's rules do not name; the vectors leave them aside."""


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()]


CLEAN = lines("weimaque-records-clean.jsonl")
OUTCOMES = {entry["line"]: entry["outcome"] for entry in lines("weimaque-records-clean-outcomes.jsonl")}
BAD = lines("weimaque-records-bad.jsonl")


def judged(record: Any) -> Verdict:
    return check(msgspec.convert(record, Record), possible=True)


def told(verdict: Verdict) -> list[Finding]:
    return [finding for finding in verdict.findings if finding.rule not in FEES]


def net(transfers: list[tuple[int, int, int]]) -> dict[tuple[int, int], int]:
    sums: dict[tuple[int, int], int] = {}
    for payer, to, amount in transfers:
        pair = (min(payer, to), max(payer, to))
        sums[pair] = sums.get(pair, 0) + (amount if payer < to else -amount)
    return {pair: amount for pair, amount in sums.items() if amount}


def paid(transfers: list[Transfer]) -> dict[tuple[int, int], int]:
    return net([(transfer.from_, transfer.to, transfer.amount) for transfer in transfers])


def test_the_vectors_are_all_there() -> None:
    assert (len(CLEAN), len(OUTCOMES), len(BAD)) == (60, 60, 70)


@pytest.mark.parametrize("line", range(len(CLEAN)))
def test_a_clean_record_breaks_nothing_and_ends_as_it_should(line: int) -> None:
    verdict = judged(CLEAN[line])
    assert [(finding.seq, finding.rule, finding.message) for finding in told(verdict)] == []
    assert verdict.possible == 0
    outcome, due = verdict.outcome, OUTCOMES[line]
    assert isinstance(outcome, WeimaqueOutcome)
    assert outcome.end == due["end"]
    assert outcome.valid
    assert outcome.certainty == "established"
    assert paid(outcome.transfers) == net([(each["from"], each["to"], each["amount"]) for each in due["transfers"]])
    if outcome.end == "胡":
        assert outcome.winners == [due["winner"]]
        assert (outcome.hard_xi, outcome.total_xi, outcome.mingtang) == (due["hard_xi"], due["total_xi"], due["mingtang"])


@pytest.mark.parametrize("line", range(len(BAD)), ids=[f"{number}-{entry['expected']['rule']}" for number, entry in enumerate(BAD)])
def test_a_broken_record_is_found_out_at_the_broken_event(line: int) -> None:
    expected = BAD[line]["expected"]
    before = {(notice["rule"], notice["seq"]) for notice in expected.get("notices_before", [])}
    findings = [finding for finding in told(judged(BAD[line]["record"])) if (finding.rule, finding.seq) not in before]
    first = findings[0]
    assert first.seq in (expected["seq"], *expected.get("also_at", []))
    there = {finding.rule: finding for finding in findings if finding.seq == first.seq}
    assert expected["rule"] in there
    assert {rule for rule in there if there[rule].kind != "notice"} <= {expected["rule"], *expected.get("beside", [])}
    assert there[expected["rule"]].certainty == "established"
    if "actor" in expected and expected["rule"] != "wmq-settle":
        assert there[expected["rule"]].actor == expected["actor"]
