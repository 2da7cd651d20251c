"""Witnesses of possible findings: the search ends, serves every finding, and gives nothing that is not complete."""

from random import Random
from time import process_time
from typing import Any, cast

import msgspec
import pytest

import engine.plan
import engine.witness
from engine.fill import filled, stuck
from engine.judge import check
from engine.witness import MOST_FOLDED, MOST_READ, MOST_TOLD, MOST_TRIED_IN_ALL, check_with_witnesses
from schemas import changde as c
from schemas import weimaque as w
from schemas.base import UNSET
from schemas.record import ChangdeRecord, WeimaqueRecord
from schemas.rulesets import ChangdeRules, WeimaqueRules
from tools.bench import samples
from tools.bench.play import in_the_dark
from tools.odd_logs import odd_log
from tools.random_hand import random_hand
from tools.witnesses import MASKS, measured

replace = msgspec.structs.replace


def nameless(record: Any, random: Random | None = None) -> Any:
    """The record without any card; with ``random``, about half of the cards that events name are left and the deal is told in part."""

    def hidden(token: str) -> str:
        return token if random is not None and random.random() < 0.5 else "?"

    def without(event: Any) -> Any:
        members: dict[str, Any] = {}
        for name in ("pai", "consumed", "hand"):
            cards: Any = getattr(event, name, None)
            if isinstance(cards, str):
                members[name] = hidden(cards)
            elif isinstance(cards, list):
                members[name] = list(map(hidden, cast("list[str]", cards)))
        return replace(event, **members)

    start, deal, *events = record.events
    hands = [[hidden(token) for token in hand] for hand in deal.hands]
    lying = "wall" if hasattr(deal, "wall") else "stock"
    return replace(record, events=[start, replace(deal, hands=hands, **{lying: None}), *map(without, events)])


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@pytest.mark.parametrize("seed", range(4))
def test_the_search_ends_soon(game: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    record = nameless(random_hand(game, Random(seed), faults=0.05))
    judged = 0
    run = engine.witness.run

    def counted(*arguments: Any) -> Any:
        nonlocal judged
        judged += 1
        return run(*arguments)

    monkeypatch.setattr(engine.witness, "run", counted)
    began = process_time()
    check_with_witnesses(record)
    assert judged <= MOST_TRIED_IN_ALL
    assert judged * len(record.events) <= MOST_FOLDED
    assert process_time() - began < 10


def test_deals_that_come_to_nothing_are_not_made_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long log in which no card has a name and each is claimed, hardly any deal fits."""
    opened = 0
    open_to_deals = engine.plan.Open

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal opened
        opened += 1
        return open_to_deals(*arguments, **named)

    monkeypatch.setattr(engine.plan, "Open", counted)
    record = odd_log(in_the_dark(samples.records("weimaque")[0]), "吃 of no name", 2_000)
    assert any(finding.certainty == "possible" for finding in check_with_witnesses(record).findings)
    assert 0 < opened <= 1 + MOST_READ / len(record.events)


def test_the_witnesses_of_a_long_log_do_not_swell_the_answer() -> None:
    hand = next(record for record in samples.records("weimaque") if record.events[0].dealer == 0)
    record = odd_log(hand, "reveals of no name", 5_000)
    told = [finding.witness for finding in check_with_witnesses(record).findings if finding.witness is not UNSET]
    deals = [deal for witness in told for deal in (witness.legal, witness.broken) if deal is not None]
    assert deals
    assert len(deals) < 2 * len(told)
    assert sum(len(msgspec.json.encode(deal)) for deal in deals) <= MOST_TOLD


def test_the_filling_of_a_hand_is_given_up_in_time() -> None:
    """Of 27 kinds only single tiles that lie three apart are there: nothing can be made of them."""
    pool = [int(kind % 3 == 0) for kind in range(28)]
    began = process_time()
    for seed in range(20):
        assert filled([0] * 28, 14, pool, 9, 0, Random(seed)) is None
    assert process_time() - began < 2


def test_a_hand_is_filled_so_that_it_wins() -> None:
    held = [0] * 28
    for kind in (0, 1, 4, 4, 9):
        held[kind] += 1
    more = filled(held, 9, [4] * 28, 9, 0, Random(1))
    assert more is not None
    assert sum(more) == 9
    assert filled(held, 8, [4] * 28, 9, 0, Random(1)) is None


def test_a_hand_is_filled_so_that_nothing_of_it_may_be_discarded() -> None:
    held, kept = [0] * 20, [0] * 20
    held[0], held[1], held[2], held[10] = 1, 2, 4, 1
    kept[1] = 1
    barred = frozenset({10})
    for seed in range(50):
        found = stuck(held, kept, 6, 2, [4 - count for count in held], barred, Random(seed))
        assert found is not None
        assert (sum(found.unseen), len(found.leaving)) == (6, 2)
        left = [count + more - found.leaving.count(kind) for kind, (count, more) in enumerate(zip(held, found.unseen, strict=True))]
        assert all(count >= 3 or not count or kind in barred for kind, count in enumerate(left))
        assert left[1] >= kept[1]
    one_each = [1] * 10 + [0] * 10
    assert stuck(one_each, kept, 6, 2, [4] * 20, barred, Random(0)) is None


def test_a_witness_has_no_unknown_card_left() -> None:
    record = ChangdeRecord(
        format="paipu/1",
        events=[
            c.Start(rules=ChangdeRules(preset="hongzhong"), players=["甲", "乙", "丙", "丁"], dealer=0),
            c.Deal(hands=[None] * 4, wall=None),
            c.Discard(actor=0, pai="?"),
            c.Draw(actor=1, pai="?"),
            c.Discard(actor=1, pai="?"),
            c.Peng(actor=2, pai="?"),
        ],
    )
    findings = [finding for finding in check_with_witnesses(record).findings if finding.rule == "cd-peng-target"]
    assert findings
    for finding in findings:
        assert isinstance(finding.needs, list)
        assert finding.needs[0] == {"seq": 5, "question": "card"}
        witness: Any = finding.witness
        for broken, deal in ((False, witness.legal), (True, witness.broken)):
            assert deal is not None
            events: list[Any] = list(record.events)
            events[1] = c.Deal(hands=deal.hands, wall=deal.wall)
            for seen in deal.events:
                events[seen.seq] = seen.event
            assert "?" not in msgspec.json.encode(events).decode()
            full = check(replace(record, events=events), possible=True)
            assert all(told.certainty == "established" and told.kind != "impossible" for told in full.findings)
            assert any(told.rule == finding.rule and told.seq == finding.seq for told in full.findings) == broken


def with_bonus_tiles(flipped: Any) -> ChangdeRecord:
    """A won hand behind which as many 码 as are due, or ``flipped``, were flipped from the front of the wall, which nobody wrote down."""
    for seed in range(200):
        record: Any = random_hand("changde", Random(seed), stacked=True, ma_count=2, preset="hongzhong", no_zhong_bonus="none")
        outcome = check(record).outcome
        draws = sum(isinstance(event, c.Draw) for event in record.events)
        if outcome is not None and outcome.end == "胡" and outcome.valid:
            pai = record.events[1].wall[draws : draws + 2] if flipped is None else flipped
            deal = replace(record.events[1], wall=None)
            return replace(record, events=[record.events[0], deal, *record.events[2:], c.Ma(pai=pai)])
    raise AssertionError("nobody won")


def test_what_lay_where_bonus_tiles_were_flipped_is_asked_for() -> None:
    record = with_bonus_tiles(None)
    (found,) = [finding for finding in check_with_witnesses(record).findings if finding.rule == "cd-ma-tiles"]
    assert found.certainty == "possible"
    assert found.needs == [{"seq": len(record.events) - 1, "question": "wall"}]
    witness: Any = found.witness
    for broken, deal in ((False, witness.legal), (True, witness.broken)):
        full = check(replace(record, events=[record.events[0], c.Deal(hands=deal.hands, wall=deal.wall), *record.events[2:]]))
        assert any(told.rule == "cd-ma-tiles" for told in full.findings) == broken
        assert all(told.kind != "impossible" for told in full.findings)


def test_of_more_unnamed_bonus_tiles_than_the_wall_has_there_is_no_deal() -> None:
    record = with_bonus_tiles(["?"] * 80)
    hidden = replace(record, events=[record.events[0], replace(record.events[1], hands=[None] * 4), *record.events[2:]])
    findings = [finding for finding in check_with_witnesses(hidden).findings if finding.certainty == "possible"]
    assert findings
    assert all(finding.witness is not UNSET and finding.witness.legal is finding.witness.broken is None for finding in findings)


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("a card", 0.94),
        ("a hand", 0.94),
        ("all hands", 0.94),
        ("stock or wall", 0.94),
        ("the deal", 0.94),
        ("10 %", 0.91),
        ("30 %", 0.91),
        ("60 %", 0.89),
    ],
)
def test_possible_findings_have_their_witnesses(game: str, name: str, least: float) -> None:
    """``python -m tools.witnesses --rules`` prints these shares by rule."""
    told = measured(game, MASKS[name], 12, "shares")
    possible = told.possible.total()
    assert told.legal.total() >= 0.94 * possible
    assert told.broken.total() >= least * possible


def test_a_hand_is_known_when_everything_else_is() -> None:
    for game in ("weimaque", "changde"):
        for seed in range(10):
            record: Any = random_hand(game, Random(seed), faults=0.1, stacked=seed % 2 == 0)
            full = check(record, possible=True)
            seat = next(seat for seat, hand in enumerate(record.events[1].hands) if hand)
            hands = [None if other == seat else hand for other, hand in enumerate(record.events[1].hands)]
            deal = replace(record.events[1], hands=hands)
            hidden = check(replace(record, events=[record.events[0], deal, *record.events[2:]]), possible=True)
            assert hidden == full


def test_what_is_impossible_is_broken_in_no_deal_that_fits() -> None:
    kinds = set[str]()
    for seed in range(6):
        random = Random(seed)
        for finding in check_with_witnesses(nameless(random_hand("changde", random, faults=0.05), random)).findings:
            if finding.certainty == "possible":
                kinds.add(finding.kind)
                witness: Any = finding.witness
                assert finding.kind != "impossible" or witness.broken is None
    assert "impossible" in kinds


@pytest.mark.parametrize("seats", [3, 4])
def test_a_shown_hand_of_unknown_cards_has_witnesses(seats: int) -> None:
    start = w.Start(rules=WeimaqueRules(preset="dazhuo"), players=["甲", "乙", "丙", "丁"][:seats], dealer=0)
    unknown: list[Any] = ["?"] * 19
    shown = w.Hu(actor=1, hand=unknown)
    events: list[Any] = [start, w.Deal(hands=[None] * seats, stock=None), w.Discard(actor=0, pai="一"), w.Reveal(actor=1, pai="二"), shown]
    witnesses = {f.rule: f.witness for f in check_with_witnesses(WeimaqueRecord(format="paipu/1", events=events)).findings}
    for rule in ("wmq-discard-kan", "wmq-hu-shape", "wmq-hu-xi"):
        witness = witnesses[rule]
        assert witness
        assert witness.legal
        assert witness.broken
