"""The rules and options of the games as a reader wants them, made from the rules themselves."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from engine.changde.options import ruleset as changde_ruleset
from engine.game import Game
from engine.games import GAMES
from engine.judge import SOURCES
from engine.options import Option
from engine.reading import Reading
from engine.rule import Rule
from engine.weimaque.options import ruleset as weimaque_ruleset
from schemas.rulesets import ChangdeRules, WeimaqueRules
from services.examples import examples
from services.words import Language, Words


class RuleExample(msgspec.Struct, frozen=True, kw_only=True):
    """A record that breaks the rule at event ``seq`` and nothing before; ``before`` is the hand before it in the match."""

    seq: int
    record: Any
    before: Any = UNSET


class RuleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One rule: what must hold (``text`` in the language asked for, ``zh`` and ``en`` in both), where it comes from, which reading and
    options bear on it. The example stands beside a single rule only."""

    id: str
    game: str
    kind: str
    text: str
    zh: str
    en: str
    source: str
    cite: str
    reading: str | UnsetType = UNSET
    reading_text: str | UnsetType = UNSET
    options: tuple[str, ...] = ()
    example: RuleExample | UnsetType = UNSET


class OptionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One option: what a table may agree on differently; the default first."""

    name: str
    game: str
    text: str
    values: tuple[Any, ...]
    reading: str | UnsetType = UNSET


class ReadingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One reading: what the source text leaves open, how it is read, and the options by which a table may read it otherwise."""

    id: str
    game: str
    text: str
    options: tuple[str, ...] = ()


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """All rules, options and readings."""

    rules: list[RuleAnswer]
    options: list[OptionAnswer]
    readings: list[ReadingAnswer]


class RulesetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A preset, and the value that every option has in it."""

    game: str
    preset: str
    options: dict[str, Any]


def catalogue(language: Language, game: str | None = None) -> Catalogue:
    """The rules, options and readings of one game or of all."""
    wanted = [known for known in GAMES.values() if game is None or known.name == game]
    return Catalogue(
        rules=[_rule(rule, known, language) for known in wanted for rule in known.rules],
        options=[_option(option, known, language) for known in wanted for option in known.options],
        readings=[_reading(reading, known, language) for known in wanted for reading in known.readings],
    )


def rules_of_id(rule_id: str, language: Language) -> list[RuleAnswer]:
    """The rule of this id with its example, once for each game that has it; empty if there is none."""
    return [_with_example(_rule(rule, game, language)) for game in GAMES.values() for rule in game.rules if rule.id == rule_id]


def ruleset(preset: str) -> RulesetAnswer | None:
    """The ruleset of a preset; ``None`` if there is none."""
    if preset in ("xiaozhuo", "dazhuo"):
        made = weimaque_ruleset(msgspec.convert({"preset": preset}, WeimaqueRules))
        return RulesetAnswer(game="weimaque", preset=preset, options=_named(made, GAMES["weimaque"]))
    if preset in ("standard", "hongzhong"):
        made = changde_ruleset(msgspec.convert({"preset": preset}, ChangdeRules))
        return RulesetAnswer(game="changde", preset=preset, options=_named(made, GAMES["changde"]))
    return None


def _named(made: msgspec.Struct, game: Game) -> dict[str, Any]:
    return {option.name: getattr(made, option.name) for option in game.options}


def _rule(rule: Rule, game: Game, language: Language) -> RuleAnswer:
    return RuleAnswer(
        id=rule.id,
        game=game.name,
        kind=rule.kind,
        text=Words(rule.zh, rule.en).in_(language),
        zh=rule.zh,
        en=rule.en,
        source=SOURCES[game.name],
        cite=rule.cite,
        reading=UNSET if rule.reading is None else rule.reading,
        reading_text=next((Words(read.zh, read.en).in_(language) for read in game.readings if read.id == rule.reading), UNSET),
        options=rule.options,
    )


def _with_example(rule: RuleAnswer) -> RuleAnswer:
    example = examples(rule.game)[rule.id]
    return msgspec.structs.replace(rule, example=RuleExample(seq=example.seq, record=example.record, before=example.before))


def _reading(reading: Reading, game: Game, language: Language) -> ReadingAnswer:
    return ReadingAnswer(
        id=reading.id,
        game=game.name,
        text=Words(reading.zh, reading.en).in_(language),
        options=tuple(option.name for option in game.options if option.reading == reading.id),
    )


def _option(option: Option, game: Game, language: Language) -> OptionAnswer:
    return OptionAnswer(
        name=option.name,
        game=game.name,
        text=Words(option.zh, option.en).in_(language),
        values=option.values,
        reading=UNSET if option.reading is None else option.reading,
    )
