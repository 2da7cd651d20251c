"""``python -m tools.bench [--only WORD …] [--json] [--strict] [--write PAGE]``."""

import argparse
import sys
from pathlib import Path

from tools.bench.table import run

parser = argparse.ArgumentParser(prog="tools.bench", description="同场测速 speed beside other programs, as ratios of one run")
parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="只测名字含有它的目标 only goals whose name holds it")
parser.add_argument("--json", action="store_true", help="每个目标一行 JSON one line of JSON a goal")
parser.add_argument("--strict", action="store_true", help="低于下限时退出码为 1 exit with 1 if a goal is below its floor")
parser.add_argument("--write", type=Path, metavar="PAGE", help="把结果写进手册的表 put the rows into the table of docs/speed.md")
options = parser.parse_args()
sys.exit(run(options.only, as_json=options.json, strict=options.strict, page=options.write))
