"""The command ``simulate``: random hands, played by the rules to their end."""

import secrets
from argparse import Namespace
from contextlib import suppress
from importlib import import_module
from random import Random
from typing import Any

import msgspec

from services.cli.output import CLEAN, USAGE, complain, say, show_bytes
from services.formats.canonical import canonical
from services.formats.claims import read_rules
from services.formats.faults import Unreadable
from services.problems import ProblemError
from services.words import Words

PRESETS = {"weimaque": ("dazhuo", "xiaozhuo"), "changde": ("standard", "hongzhong")}
"""What a hand is played by where no preset is asked for."""

SEEDS = 2**32


def simulate(options: Namespace) -> int:
    """Prints as many records as asked for. The tools belong to the checkout and need not be installed."""
    try:
        play: Any = import_module("tools.play")
    except ModuleNotFoundError:
        said = Words("模拟工具只在源码目录里：请在那里运行", "the simulation is part of the checkout: run it there")
        say(said, options.lang)
        return USAGE
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    if options.seed is None:
        say(Words(f"--seed {seed}", f"--seed {seed}"), options.lang)
    random = Random(seed)
    for _ in range(options.count):
        try:
            given = _rules(options, random)
        except ProblemError as problem:
            return complain(problem, options.lang, as_json=False)
        show_bytes(canonical(play.whole_hand(options.game, random, **given)) + b"\n")
    return CLEAN


def _rules(options: Namespace, random: Random) -> dict[str, Any]:
    """The rules of one hand, member by member.

    Raises:
        ProblemError: invalid, for an option that the game does not have.
    """
    given: dict[str, Any] = {"preset": random.choice(PRESETS[options.game])}
    for option in options.option:
        name, equals, value = option.partition("=")
        if not equals:
            raise ProblemError("invalid", Words(f"--option 应为 名=值，不是 {option}", f"--option takes NAME=VALUE, not {option}"))
        given[name] = _value(options.game, given, name, value)
    try:
        rules = read_rules(msgspec.json.encode(given), options.game, named="--option")
    except Unreadable as unread:
        raise ProblemError("invalid", Words("--option 读不懂", "--option cannot be read"), faults=unread.faults) from None
    return {name: value for name, value in msgspec.structs.asdict(rules).items() if value is not msgspec.UNSET}


def _value(game: str, given: dict[str, Any], name: str, text: str) -> Any:
    """The word as it stands where the option takes it (``159`` is one), else what it is as JSON."""
    try:
        read_rules(msgspec.json.encode({**given, name: text}), game)
    except Unreadable:
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(text)
    return text
