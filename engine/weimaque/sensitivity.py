"""Which other readings of doubtful passages would change what a win pays (format page §2)."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from engine.options import Option
from engine.weimaque.options import OPTIONS, WeimaqueRuleset
from schemas.verify import OtherReading

Judge = Callable[[WeimaqueRuleset], tuple[bool, int]]
"""Whether the win stands under a ruleset, and its total 息 (0 if it does not)."""


def other_rulesets(ruleset: WeimaqueRuleset) -> Iterator[tuple[Option, Any, WeimaqueRuleset]]:
    """Every ruleset that differs from this one in one scoring option of the table in rules §9. 多红 is in doubt in 大卓 only."""
    for option in OPTIONS:
        if not option.scoring or (option.name == "duohong_unit" and ruleset.preset != "dazhuo"):
            continue
        in_force = getattr(ruleset, option.name)
        for value in option.values:
            if value != in_force:
                yield option, value, msgspec.structs.replace(ruleset, **{option.name: value})


def other_readings(ruleset: WeimaqueRuleset, judge: Judge) -> list[OtherReading]:
    """The options, one at a time, whose other value changes whether the win stands or its total."""
    answer = judge(ruleset)
    found: list[OtherReading] = []
    for option, value, other in other_rulesets(ruleset):
        valid, total_xi = judge(other)
        if (valid, total_xi) != answer:
            found.append(OtherReading(reading=option.reading, option=option.name, value=value, valid=valid, total_xi=total_xi))
    return found
