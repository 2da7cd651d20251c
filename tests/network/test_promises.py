"""The table of promises names tests that are there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_every_promise_names_a_test_that_is_there() -> None:
    table = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/\S+\.py)::(test_\w+)`", table)
    promises = [line for line in table.splitlines() if line.startswith("| ") and "承诺" not in line]
    assert len(named) == len(promises) > 30
    for path, name in named:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}, (path, name)
