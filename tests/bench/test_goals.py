"""The bench: what a measured value is worth, what is told of it, and that it measures what it says."""

from pathlib import Path

import msgspec
import pytest

from engine.judge import check
from engine.weimaque.deck import TOKENS
from engine.weimaque.options import ruleset
from engine.weimaque.score import scorer_of
from engine.weimaque.waits import waits
from schemas.rulesets import WeimaqueRules
from services.formats.reading import read_json
from tools.bench import samples
from tools.bench.goal import Goal, Measured
from tools.bench.hands import waits_by_trying, written
from tools.bench.peers import Unmeasurable, peer
from tools.bench.play import LONG, stretched
from tools.bench.table import GOALS, measured, rewrite, run, told
from tools.bench.timing import Side, compare
from tools.weimaque_twin import waits_of_twin


def goal(value: float, *, faster: bool = True) -> Goal:
    return Goal(
        name="one",
        zh="一",
        en="one",
        great=8 if faster else 1.2,
        floor=4 if faster else 1.5,
        faster=faster,
        measure=lambda: Measured(value=value, times={"Paipu": 1.0}),
    )


@pytest.mark.parametrize(
    ("value", "faster", "mark"),
    [(8, True, "great"), (7.9, True, "floor"), (4, True, "floor"), (3.9, True, "below"),
     (1.2, False, "great"), (1.3, False, "floor"), (1.5, False, "floor"), (1.6, False, "below")],
)  # fmt: skip
def test_a_value_is_marked_by_its_bounds(value: float, faster: bool, mark: str) -> None:
    (row,) = measured([goal(value, faster=faster)])
    assert row.mark == mark
    assert f"{value:.2f}" in told(row)


def test_a_missing_peer_leaves_its_row_unmeasured_and_says_how_to_get_it() -> None:
    def measure() -> Measured:
        peer("no_such_peer.module")
        raise AssertionError

    (row,) = measured([msgspec.structs.replace(goal(1), measure=measure)])
    assert (row.mark, row.value) == ("unmeasured", None)
    assert "no_such_peer" in told(row)
    assert "make bench" in told(row)


def test_a_peer_that_is_there_is_its_module() -> None:
    assert peer("msgspec.json") is msgspec.json
    with pytest.raises(Unmeasurable):
        peer("no_such_peer")


def test_every_goal_has_a_name_of_its_own_and_a_floor_below_great() -> None:
    assert len({goal.name for goal in GOALS}) == len(GOALS)
    assert all(goal.great > goal.floor if goal.faster else goal.great < goal.floor for goal in GOALS)


def test_the_manual_has_a_line_for_every_goal_with_its_bounds() -> None:
    page = (samples.ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    for goal in GOALS:
        sign = "≥" if goal.faster else "≤"
        assert f"\n| {goal.name} | {goal.zh}<br>{goal.en} | {sign} {goal.great:g} | {sign} {goal.floor:g} | " in page


def test_rows_are_put_into_their_lines_and_nothing_else_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# 表\n| one | old |\n| ones | kept |\n", encoding="utf-8")
    rewrite(page, measured([goal(9)]))
    before, line, after = page.read_text(encoding="utf-8").splitlines()
    assert (before, after) == ("# 表", "| ones | kept |")
    assert line == "| one | 一<br>one | ≥ 8 | ≥ 4 | 9.00x | 优 great |"


def test_a_name_that_no_goal_has_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["no-such-goal"]) == 2
    assert GOALS[0].name in capsys.readouterr().err


def test_the_slower_side_is_found() -> None:
    found = compare(Side(run=lambda: sum(range(1000))), Side(run=lambda: sum(range(20_000))), rounds=5)
    assert found.ratio > 2
    assert found.other > found.ours


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@pytest.mark.parametrize("corrected", [False, True])
def test_a_stretched_hand_is_a_readable_record_without_a_fault(game: str, corrected: bool) -> None:
    record = max(samples.records(game), key=lambda record: len(record.events))
    long = stretched(game, record, corrected=corrected)
    assert len(long.events) == LONG
    assert read_json(msgspec.json.encode(long)).required() == long
    verdict = check(long)
    assert not [finding for finding in verdict.findings if finding.kind != "notice"]
    assert verdict.outcome == check(record).outcome
    assert (verdict.record.effective < LONG) == corrected


def test_trying_every_kind_finds_the_same_waits() -> None:
    scorer = scorer_of(ruleset(WeimaqueRules(preset="dazhuo")))
    found = [(waits(scorer, win.laid, win.hand), waits_by_trying(scorer, win.laid, win.hand)) for win in samples.weimaque_wins(1, 100)]
    assert all(quick == slow for quick, slow in found)
    assert any(quick for quick, _ in found)


def test_the_naive_twin_finds_the_same_waits() -> None:
    rules = ruleset(WeimaqueRules(preset="dazhuo"))
    for sample in samples.weimaque_wins(3, 12):
        found = waits(scorer_of(rules), sample.laid, sample.hand)
        assert [(TOKENS[wait.kind], wait.own, wait.other) for wait in found] == waits_of_twin(written(sample), rules)


def test_made_up_wins_are_wins() -> None:
    scorer = scorer_of(ruleset(WeimaqueRules(preset="dazhuo")))
    scored = [scorer.best(sample.win()) for sample in samples.weimaque_wins(2, 100)]
    assert sum(win is not None for win in scored) > 60
    assert all(sum(counts) == 14 for counts in samples.mahjong_wins(2, 20))
