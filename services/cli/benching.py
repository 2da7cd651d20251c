"""The command ``bench``: how fast this is beside other programs of its kind."""

from argparse import Namespace
from importlib import import_module

from services.cli.output import USAGE, say
from services.words import Words


def run_bench(options: Namespace) -> int:
    """Measures and prints the table of goals. The tools belong to the checkout and need not be installed."""
    try:
        table = import_module("tools.bench.table")
    except ModuleNotFoundError:
        say(
            Words("测速工具只在源码目录里：请在那里运行 make bench", "the bench is part of the checkout: run make bench there"),
            options.lang,
        )
        return USAGE
    return table.run(options.only, as_json=options.json, strict=options.strict)
