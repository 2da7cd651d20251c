"""Sensitivity is the same as asking again under the other reading."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.weimaque.options import OPTIONS
from engine.weimaque.verify import verify
from schemas.verify import WeimaqueVerify

VECTORS = Path(__file__).parents[1] / "vectors" / "weimaque-wins.jsonl"
CLAIMS: list[dict[str, Any]] = [json.loads(line)["verify"] for line in VECTORS.read_text("utf-8").splitlines()]
NAMES = [
    "chunyin", "duohong_unit", "dandiao", "haidi_self_only", "jiabapengtou_once", "longbaiwei_mixed", "multiplier_base", "mohu",
    "wudui_two_black", "zusunzhuo_daituo",
]  # fmt: skip


def test_the_options_tried_are_those_of_the_rules_page() -> None:
    assert sorted(option.name for option in OPTIONS if option.scoring) == sorted(NAMES)


@pytest.mark.parametrize("option", [option for option in OPTIONS if option.scoring], ids=lambda option: option.name)
def test_each_other_value_is_named_where_and_only_where_it_changes_the_answer(option: Any) -> None:
    named = 0
    for claim in CLAIMS:
        verdict = verify(msgspec.convert(claim, WeimaqueVerify))
        told = {other.value: (other.valid, other.total_xi) for other in verdict.sensitivity if other.option == option.name}
        expected: dict[Any, tuple[bool, int]] = {}
        for value in option.values if option.name != "duohong_unit" or claim["rules"]["preset"] == "dazhuo" else ():
            other = verify(msgspec.convert({**claim, "rules": {**claim["rules"], option.name: value}}, WeimaqueVerify))
            if (other.valid, other.total_xi) != (verdict.valid, verdict.total_xi):
                expected[value] = (other.valid, other.total_xi)
        assert told == expected
        named += len(told)

    assert named
