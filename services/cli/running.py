"""How a command runs: its coroutine in a loop of its own, its problems told, its settings from the environment."""

import asyncio
from argparse import Namespace
from collections.abc import Callable, Coroutine
from typing import Any

import uvloop

from services.cli.output import INTERRUPTED, complain
from services.problems import ProblemError
from services.settings import Settings, SettingsError, read_settings
from services.words import Words


def run(options: Namespace, work: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Runs a command that needs a loop; its exit code."""

    def running() -> int:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(work())

    return told(options, running)


def told(options: Namespace, work: Callable[[], int]) -> int:
    """Runs a command; its exit code, or that of the problem that it ended with, which is told."""
    try:
        return work()
    except ProblemError as problem:
        return complain(problem, options.lang, as_json=getattr(options, "json", False))
    except asyncio.CancelledError:
        return INTERRUPTED


def settings() -> Settings:
    """What the environment sets.

    Raises:
        ProblemError: invalid.
    """
    try:
        return read_settings()
    except SettingsError as error:
        raise ProblemError("invalid", Words(str(error), str(error))) from None
