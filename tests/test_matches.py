"""Hands of one sitting: who deals next, what runs up, what was paid beside what was due."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.judge import check
from engine.matches import check_match
from schemas.events import Settlement, Transfer
from schemas.match import MatchVerdict
from schemas.record import Record, WeimaqueRecord
from schemas.weimaque import Start
from tools.weimaque_hands import made, run_out

VECTORS = Path(__file__).parent / "vectors"
GAMES = ("weimaque", "changde")
MATCHES = [
    (game, number, json.loads(line))
    for game in GAMES
    for number, line in enumerate((VECTORS / f"{game}-matches.jsonl").read_text(encoding="utf-8").splitlines())
]
FEES = {"wmq-draw-fee", "wmq-shouxing-fee"}
RUN_WAIT = "壹壹壹叁叁叁伍伍伍一二三四五六十十七八"
POOR_WAIT = "壹壹壹叁叁叁伍陆柒一二三四五六十十七八"


def won(by: str, dealer: str = "甲", hand: str = RUN_WAIT, **more: Any) -> WeimaqueRecord:
    """A hand that ``by`` wins on a reveal of 乙 (甲 deals) or his own."""
    order = "甲乙丙甲乙丙"
    start = order.index(dealer)
    one, two, three = order[start : start + 3]
    return made(f"{one}出玖 {two}揭捌 {three}揭九 {by}胡", dealer=dealer, **{by: hand}, **more)


def told(match: MatchVerdict) -> list[list[tuple[int, str]]]:
    return [
        [(finding.seq, finding.rule) for finding in hand.verdict.findings if finding.rule not in FEES] if hand.verdict else []
        for hand in match.hands
    ]


def paid(record: WeimaqueRecord, *transfers: tuple[int, int, int]) -> WeimaqueRecord:
    payment = Settlement(transfers=[Transfer(from_=payer, to=to, amount=amount) for payer, to, amount in transfers])
    return msgspec.structs.replace(record, events=[*record.events, payment])


def test_the_vectors_are_all_there() -> None:
    assert [sum(game == name for name, _, _ in MATCHES) for game in GAMES] == [8, 4]


@pytest.mark.parametrize(("game", "number", "line"), MATCHES, ids=[f"{game}-{number}" for game, number, _ in MATCHES])
def test_who_deals_beside_an_independent_answer(game: str, number: int, line: dict[str, Any]) -> None:
    records = [msgspec.convert(record, Record) for record in line["records"]]
    match = check_match(records)
    expected = line["expected"]
    findings = [(at, seq, rule) for at, hand in enumerate(told(match)) for seq, rule in hand]
    if expected is None:
        assert findings == []
    else:
        hand: int = expected["hand"] if "hand" in expected else expected["record"]
        assert findings == [(hand, 0, expected["rule"])]
        if "dealer_due" in expected:
            assert match.hands[hand].dealer_due == expected["dealer_due"]
    assert sum(standing.due for standing in match.standings) == 0
    assert [standing.difference for standing in match.standings] == [0] * len(match.standings)


@pytest.mark.parametrize(
    ("hand", "right"),
    [
        (won("甲"), 0),
        (won("乙"), 1),
        (won("丙"), 1),
        (won("甲", dealer="丙"), 0),
        (won("丙", dealer="丙"), 2),
        (run_out("柒", "流局"), 1),
        (run_out("柒", "流局", players=4), 1),
        (won("甲", hand=POOR_WAIT), 1),
        (made("甲出九 流局"), 1),
        (made("甲出九 乙揭捌"), None),
    ],
)
def test_who_deals_behind_a_hand(hand: WeimaqueRecord, right: int | None) -> None:
    start = hand.events[0]
    assert isinstance(start, Start)
    players = len(start.players)
    for dealer in range(players):
        match = check_match([hand, made(f"{'甲乙丙丁'[dealer]}出九", dealer="甲乙丙丁"[dealer], players=players)])
        assert match.hands[1].dealer_due == right
        wrong = right is not None and dealer != right
        assert told(match)[1] == ([(0, "wmq-dealer-next")] if wrong else [])


def test_the_message_names_both() -> None:
    records = [won("甲"), made("乙出九", dealer="乙")]
    verdicts = [check_match(records, lang=lang).hands[1].verdict for lang in ("zh", "en")]
    (zh,), (en,) = (verdict.findings for verdict in verdicts if verdict is not None)
    assert zh.message == "这盘应由甲坐庄，记录是乙"
    assert en.message == "甲 deals this hand; the record says 乙"
    assert zh.params["dealer_due"] == 0


def test_the_verdicts_are_those_on_each_record() -> None:
    records = [won("甲"), made("甲出三 乙揭九 丙揭五", 乙="九九")]
    assert [hand.verdict for hand in check_match(records).hands] == [check(record) for record in records]


def test_what_runs_up_and_what_was_paid() -> None:
    first = paid(won("甲"), (1, 0, 11), (2, 0, 10))
    second = won("甲")
    match = check_match([first, second])
    one, two = match.hands
    assert (one.due, one.paid, one.difference, one.total) == ([22, -11, -11], [21, -11, -10], [-1, 0, 1], [22, -11, -11])
    assert (two.due, two.paid, two.difference, two.total) == ([22, -11, -11], None, None, [44, -22, -22])
    rows = [(row.name, row.hands, row.wins, row.due, row.paid, row.difference) for row in match.standings]
    assert rows == [("甲", 2, 2, 44, 21, -1), ("乙", 2, 0, -22, -11, 0), ("丙", 2, 0, -22, -10, 1)]


def test_a_record_that_could_not_be_read_leaves_open_who_deals() -> None:
    match = check_match([won("甲"), None, made("丙出九", dealer="丙")])
    assert [hand.verdict is None for hand in match.hands] == [False, True, False]
    assert match.hands[2].dealer_due is None
    assert match.hands[1].total == match.hands[2].total == [22, -11, -11]


def test_another_number_of_seats_leaves_open_who_deals() -> None:
    match = check_match([won("甲"), made("丙出九", dealer="丙", players=4)])
    assert match.hands[1].dealer_due is None
    assert match.hands[1].total == [22, -11, -11, 0]


def test_no_hands() -> None:
    assert check_match([]) == MatchVerdict(hands=[], standings=[])


def test_another_player_takes_over_a_seat() -> None:
    start, *rest = won("甲").events
    assert isinstance(start, Start)
    other = msgspec.structs.replace(won("甲"), events=[msgspec.structs.replace(start, players=["甲", "乙", "戊"]), *rest])
    rows = [(row.seat, row.name, row.due) for row in check_match([won("甲"), other]).standings]
    assert rows == [(0, "甲", 44), (2, "丙", -11), (2, "戊", -11), (1, "乙", -22)]
