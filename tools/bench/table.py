"""The table of goals, measured and told."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from unicodedata import east_asian_width

import msgspec

from tools.bench import database, hands, play, start, web
from tools.bench.goal import Goal, Row
from tools.bench.peers import Unmeasurable

GOALS: tuple[Goal, ...] = (*play.GOALS, *hands.GOALS, *start.GOALS, *database.GOALS, *web.GOALS)

_MARKS = {"great": "优 great", "floor": "及格 floor", "below": "不足 below", "unmeasured": "未测 unmeasured"}


def measured(goals: Sequence[Goal]) -> Iterator[Row]:
    """A row for every goal, as soon as it is measured."""
    for goal in goals:
        what = {field: getattr(goal, field) for field in ("name", "zh", "en", "great", "floor", "faster", "unit")}
        try:
            found = goal.measure()
        except Unmeasurable as missing:
            yield Row(**what, mark="unmeasured", value=None, times={}, missing=str(missing))
        else:
            yield Row(**what, mark=goal.mark(found.value), value=found.value, times=found.times, note=found.note)


def _padded(text: str, width: int) -> str:
    """Text filled up to a number of columns; Chinese characters take two."""
    return text + " " * (width - sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text))


def told(row: Row) -> str:
    """A row as two lines of the table."""
    sign = "≥" if row.faster else "≤"
    value = "—" if row.value is None else f"{row.value:.2f}{row.unit}"
    figures = row.missing or "; ".join(f"{what} {time:.3g} µs" for what, time in row.times.items())
    bounds = f"{sign} {row.great:g} / {row.floor:g}"
    head = f"{_padded(row.name, 22)}{_padded(value, 12)}{_padded(bounds, 14)}{_padded(_MARKS[row.mark], 17)}"
    return f"{head}{row.zh} {row.en}\n    {figures}{f' ({row.note})' if row.note else ''}"


def page_line(row: Row) -> str:
    """A row as a line of the table in the manual."""
    sign = "≥" if row.faster else "≤"
    value = "—" if row.value is None else f"{row.value:.2f}{row.unit}"
    return f"| {row.name} | {row.zh}<br>{row.en} | {sign} {row.great:g} | {sign} {row.floor:g} | {value} | {_MARKS[row.mark]} |"


def rewrite(page: Path, rows: Iterable[Row]) -> None:
    """Put rows into the table of a page, each in place of the line that begins with its name."""
    lines = page.read_text(encoding="utf-8").splitlines()
    new = {f"| {row.name} |": page_line(row) for row in rows}
    found = [next((line for start, line in new.items() if old.startswith(start)), old) for old in lines]
    page.write_text("\n".join(found) + "\n", encoding="utf-8")


def run(words: Sequence[str] = (), *, as_json: bool = False, strict: bool = False, page: Path | None = None) -> int:
    """Measure the goals whose name holds one of the words (none: all), print a row as soon as it is there, and put them into ``page``.

    0; with ``strict`` 1 if a goal is below its floor; 2 if no goal has such a name.
    """
    goals = [goal for goal in GOALS if not words or any(word in goal.name for word in words)]
    if not goals:
        print(f"没有这样的目标 no such goal; 有 there are: {'、'.join(goal.name for goal in GOALS)}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    for row in measured(goals):
        print(msgspec.json.encode(row).decode() if as_json else told(row), flush=True)
        rows.append(row)
    if page is not None:
        rewrite(page, rows)
    return 1 if strict and any(row.mark == "below" for row in rows) else 0
