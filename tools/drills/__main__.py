"""Runs the drills: ``python -m tools.drills`` (``make soak``). Exit code 1 when anything was lost, doubled or broken."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tools.drills.faults import (
    clock_back,
    database_away,
    database_killed,
    disk_full,
    service_killed,
    streams,
    two_services,
    vanished_clients,
)
from tools.drills.report import Drill
from tools.soak import soak


def everything_killed(folder: Path, *, rounds: int) -> Drill:
    """kill -9 of writing programs, keeper and embedded database in turn, below any service (``tools.soak``)."""
    report = soak(folder, kills=rounds * 5, appends=rounds * 100)
    return Drill(
        name="kill -9 of writers, keeper, database",
        acknowledged=report.acknowledged,
        lost=report.lost,
        doubled=report.doubled,
        faults=report.broken,
        told={"kills": sum(report.kills.values())},
    )


DRILLS: dict[str, Callable[..., Drill]] = {
    made.__name__: made
    for made in (
        everything_killed,
        service_killed,
        database_killed,
        database_away,
        disk_full,
        two_services,
        clock_back,
        vanished_clients,
        streams,
    )
}
"""Every drill, by name."""


def row(drill: Drill) -> str:
    """One line of a Markdown table."""
    if drill.skipped is not None:
        return f"| {drill.name} | — | — | — | — | {drill.skipped} |"
    pauses = f"{sorted(drill.recovery)[len(drill.recovery) // 2]:.2f} / {max(drill.recovery):.2f}" if drill.recovery else "—"
    told = ", ".join(f"{name}: {value}" for name, value in drill.told.items())
    faults = len(drill.faults) or "0"
    return f"| {drill.name} | {drill.acknowledged} | {len(drill.lost)} / {len(drill.doubled)} | {faults} | {pauses} | {told} |"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.drills", description="故障演练 drills: what is lost, doubled, and how long it takes"
    )
    parser.add_argument("--rounds", type=int, default=8, help="每项演练的次数 disturbances in each drill")
    parser.add_argument("--only", nargs="+", default=list(DRILLS), choices=list(DRILLS), metavar="DRILL", help=", ".join(DRILLS))
    given = parser.parse_args()
    print("| drill | acknowledged | lost / doubled | audit faults | pause s, median / longest | |\n|---|---|---|---|---|---|", flush=True)
    sound = True
    for name in given.only:
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="paipu-drill-", ignore_cleanup_errors=True) as temporary:
            drill = DRILLS[name](Path(temporary) / "data", rounds=given.rounds)
        print(row(drill), flush=True)
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
        for fault in (*drill.lost, *drill.doubled, *drill.faults)[:20]:
            print(f"  ! {fault}", file=sys.stderr)
        sound = sound and drill.sound
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
