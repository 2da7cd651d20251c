"""The rules and options of the games as a reader wants them, made from the rules themselves."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from engine.changde.options import ruleset as changde_ruleset
from engine.game import Game
from engine.games import GAMES
from engine.judge import SOURCES
from engine.options import Option
from engine.rule import Rule
from engine.weimaque.options import ruleset as weimaque_ruleset
from schemas.rulesets import ChangdeRules, WeimaqueRules
from services.words import Language, Words


class RuleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One rule: what must hold, where it comes from, which reading and options bear on it."""

    id: str
    game: str
    kind: str
    text: str
    source: str
    cite: str
    reading: str | UnsetType = UNSET
    options: tuple[str, ...] = ()


class OptionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One option: what a table may agree on differently; the default first."""

    name: str
    game: str
    text: str
    values: tuple[Any, ...]
    reading: str | UnsetType = UNSET


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """All rules and options."""

    rules: list[RuleAnswer]
    options: list[OptionAnswer]


class RulesetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A preset, and the value that every option has in it."""

    game: str
    preset: str
    options: dict[str, Any]


def catalogue(language: Language, game: str | None = None) -> Catalogue:
    """The rules and options of one game or of all."""
    wanted = [known for known in GAMES.values() if game is None or known.name == game]
    return Catalogue(
        rules=[_rule(rule, known, language) for known in wanted for rule in known.rules],
        options=[_option(option, known, language) for known in wanted for option in known.options],
    )


def rules_of_id(rule_id: str, language: Language) -> list[RuleAnswer]:
    """The rule of this id, once for each game that has it; empty if there is none."""
    return [rule for rule in catalogue(language).rules if rule.id == rule_id]


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
        source=SOURCES[game.name],
        cite=rule.cite,
        reading=UNSET if rule.reading is None else rule.reading,
        options=rule.options,
    )


def _option(option: Option, game: Game, language: Language) -> OptionAnswer:
    return OptionAnswer(
        name=option.name,
        game=game.name,
        text=Words(option.zh, option.en).in_(language),
        values=option.values,
        reading=UNSET if option.reading is None else option.reading,
    )
