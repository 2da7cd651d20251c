"""The goal about starting: how soon after import the tables of both games can be asked."""

import subprocess
import sys
from statistics import median

from tools.bench.goal import Goal, Measured
from tools.bench.samples import ROOT

_STARTS = 9

_PROGRAM = """
import struct, zlib, pathlib, dataclasses, functools, typing, collections.abc, time
import msgspec
begun = time.process_time()
import engine.changde.tables, engine.weimaque.partition
print(time.process_time() - begun)
"""


def _tables() -> Measured:
    taken = [
        float(subprocess.run([sys.executable, "-c", _PROGRAM], cwd=ROOT, capture_output=True, check=True, text=True).stdout)
        for _ in range(_STARTS)
    ]
    return Measured(value=median(taken) * 1e3, times={"fastest": min(taken) * 1e6, "slowest": max(taken) * 1e6})


GOALS = (
    Goal(
        name="tables",
        zh="两个游戏的查询表在导入后就绪",
        en="tables of both games ready at import",
        great=20,
        floor=150,
        faster=False,
        unit=" ms",
        measure=_tables,
    ),
)
