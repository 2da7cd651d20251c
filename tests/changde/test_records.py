"""Records that an implementation of another hand has judged: clean ones, broken ones, and hands of one sitting."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.games import GAMES
from engine.judge import check, judged
from engine.log import effective_log
from schemas.changde import Start
from schemas.record import ChangdeRecord

VECTORS = Path(__file__).parents[1] / "vectors"


def lines(name: str) -> list[Any]:
    return [msgspec.json.decode(line) for line in (VECTORS / name).read_bytes().splitlines()]


CLEAN = lines("changde-records-clean.jsonl")
BAD = lines("changde-records-bad.jsonl")
MATCHES = lines("changde-matches.jsonl")


def record(body: Any) -> ChangdeRecord:
    return msgspec.convert(body, ChangdeRecord)


@pytest.mark.parametrize("body", CLEAN, ids=[str(number) for number in range(len(CLEAN))])
def test_nothing_is_found_in_a_clean_record(body: Any) -> None:
    verdict = check(record(body), possible=True)

    assert verdict.findings == []
    assert verdict.possible == 0
    assert verdict.outcome is not None
    assert verdict.outcome.certainty == "established"


@pytest.mark.parametrize("line", BAD, ids=[line["mutator"] + str(number) for number, line in enumerate(BAD)])
def test_what_is_wrong_is_found_first(line: Any) -> None:
    expected = line["expected"]

    findings = check(record(line["record"])).findings

    assert findings, expected
    assert findings[0].seq == expected["seq"]
    here = {finding.rule for finding in findings if finding.seq == expected["seq"]}
    assert expected["rule"] in here
    assert here <= {expected["rule"], *line["also"]}
    assert all(finding.message and "{" not in finding.message for finding in findings)


@pytest.mark.parametrize("line", BAD, ids=[line["mutator"] + str(number) for number, line in enumerate(BAD)])
def test_findings_are_told_in_both_languages(line: Any) -> None:
    zh = check(record(line["record"]), lang="zh").findings
    en = check(record(line["record"]), lang="en").findings

    assert [(finding.seq, finding.rule) for finding in zh] == [(finding.seq, finding.rule) for finding in en]
    assert all(one.message != other.message for one, other in zip(zh, en, strict=True))


@pytest.mark.parametrize("match", MATCHES, ids=[str(number) for number in range(len(MATCHES))])
def test_who_deals_the_next_hand(match: Any) -> None:
    game = GAMES["changde"]
    wrong: list[int] = []
    due: int | None = None
    for number, body in enumerate(match["records"]):
        hand = record(body)
        start = hand.events[0]
        assert isinstance(start, Start)
        if due is not None and start.dealer != due:
            wrong.append(number)
        due = game.next_dealer(judged(game, effective_log(hand.events)).table)

    expected = match["expected"]
    assert wrong[:1] == ([] if expected is None else [expected["record"]])
