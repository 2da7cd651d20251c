"""The catalogue: every rule with its words, source, reading and options, and a record that breaks it and nothing before it."""

import json
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.matches import check_match
from engine.rule import Rule
from schemas.base import UNSET
from services.catalogue import catalogue, rules_of_id
from services.cli.main import main
from services.examples import Example, examples
from tools.rule_examples import lines

RULES = [(name, rule) for name, game in GAMES.items() for rule in game.rules]
IDS = [f"{name}-{rule.id}" for name, rule in RULES]


def hands(example: Example) -> list[object]:
    return [example.record] if example.before is UNSET else [example.before, example.record]


@pytest.mark.parametrize(("name", "rule"), RULES, ids=IDS)
def test_an_example_breaks_its_rule_first(name: str, rule: Rule) -> None:
    example = examples(name)[rule.id]
    verdict = check_match(hands(example), possible=True).hands[-1].verdict
    assert verdict is not None
    found = [finding for finding in verdict.findings if finding.seq == example.seq and finding.rule == example.rule]
    assert [finding.certainty for finding in found] == ["established"]
    assert [finding.rule for finding in verdict.findings if finding.seq < example.seq and finding.kind != "notice"] == []


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_are_those_that_the_tool_makes(name: str) -> None:
    made = [json.loads(line) for line in lines(name)]
    assert [line["rule"] for line in made] == [rule.id for rule in GAMES[name].rules] == list(examples(name))
    assert [line["seq"] for line in made] == [example.seq for example in examples(name).values()]


@pytest.mark.parametrize(("name", "rule"), RULES, ids=IDS)
def test_a_rule_is_told_in_both_languages(name: str, rule: Rule) -> None:
    answers = {language: next(answer for answer in rules_of_id(rule.id, language) if answer.game == name) for language in ("zh", "en")}
    assert answers["zh"].text == answers["zh"].zh == answers["en"].zh
    assert answers["en"].text == answers["en"].en
    assert answers["zh"].zh != answers["zh"].en
    for answer in answers.values():
        assert (answer.reading is UNSET) == (answer.reading_text is UNSET)
        assert answer.example is not UNSET


@pytest.mark.parametrize("name", GAMES)
def test_readings_and_options_of_rules_are_those_of_the_game(name: str) -> None:
    game = GAMES[name]
    readings = {reading.id for reading in game.readings}
    options = {option.name for option in game.options}
    assert len(readings) == len(game.readings)
    assert {rule.reading for rule in game.rules if rule.reading} <= readings
    assert {option.reading for option in game.options if option.reading} <= readings
    assert {option for rule in game.rules for option in rule.options} <= options
    told = catalogue("en", name)
    assert [reading.id for reading in told.readings] == [reading.id for reading in game.readings]
    assert {option for reading in told.readings for option in reading.options} == {option.name for option in game.options if option.reading}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_command_line_tells_a_rule_with_its_example(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "wmq-peng-passed", "--lang", lang]) == 0
    told = capsys.readouterr().out
    assert "R-PASS" in told
    assert "own_discard_blocks_peng" in told
    assert '"pai":"九"' in told
    assert main(["rules", "wmq-peng-passed", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["example"]["seq"] == 5


@pytest.mark.parametrize("name", GAMES)
def test_the_manual_tells_every_reading(name: str) -> None:
    page = (Path(__file__).parents[1] / "docs" / "rules-as-played.md").read_text(encoding="utf-8")
    for reading in GAMES[name].readings:
        assert f"| {reading.id} | {reading.zh}<br>{reading.en} |" in page
