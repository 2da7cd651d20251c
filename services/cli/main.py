"""The command ``paipu``."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module

from services.access import ROLES, VIEWPOINTS
from services.cli import proof
from services.cli.output import CLEAN, FAILED, INTERRUPTED, cannot_write, say
from services.formats.media import FORMATS
from services.modes import MODES

GAMES = ("weimaque", "changde")
GROUPS = {"certificate": "证明 certificates", "db": "备份与恢复 backup and restore"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and answers its exit code."""
    options = parser().parse_args(arguments)
    try:
        code = _command(options.command)(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has had enough of it; nothing more can be said there.
        _give_up_output()
        return CLEAN
    except OSError as error:
        say(cannot_write(error), options.lang)
        _give_up_output()
        return FAILED
    return code


def _give_up_output() -> None:
    """What is still waiting to be written goes nowhere, so that the end of the program does not fail on it."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser() -> ArgumentParser:
    """The commands and their options."""
    top = ArgumentParser(prog="paipu", description="牌谱：偎麻雀与常德麻将的记录、复盘、评判 / records of 偎麻雀 and 常德麻将")
    commands = top.add_subparsers(dest="name", required=True, metavar="COMMAND")

    groups = {"": commands}

    def command(name: str, function: str, text: str) -> ArgumentParser:
        """One command; a name of two words belongs to the group of the first."""
        group, _, last = name.rpartition(" ")
        if group not in groups:
            groups[group] = commands.add_parser(group, help=GROUPS[group]).add_subparsers(required=True, metavar="COMMAND")
        made = groups[group].add_parser(last, help=text, description=text)
        made.add_argument("--lang", choices=("zh", "en"), default="zh", help="语言 language of messages")
        made.set_defaults(command=function)
        return made

    def json_too(made: ArgumentParser) -> None:
        made.add_argument("--json", action="store_true", help="一行一个 JSON 回答 one JSON answer a line")

    made = command("check", "checking:check_files", "评判记录 judge records")
    made.add_argument("files", nargs="+", metavar="FILE", help="记录；- 为标准输入 records; - is standard input")
    made.add_argument("--possible", action="store_true", help="也列出只是可能的 list merely possible findings too")
    made.add_argument("--witness", action="store_true", help="可能的各附两副完整的牌 list them with two complete deals each")
    made.add_argument("--sensitivity", action="store_true", help="换一种读法会怎样 what another reading of the rules would change")
    made.add_argument("--match", action="store_true", help="当作同一场的各盘 as the hands of one match, in order")
    made.add_argument("--rules", help="换一套规则来评 judge by other rules: a preset or JSON")
    json_too(made)

    made = command("verify", "checking:verify_file", "评判一手胡牌 judge a claimed win")
    made.add_argument("file", metavar="FILE")
    json_too(made)

    made = command("replay", "replaying:replay_file", "看牌局的局面 show a position")
    made.add_argument("file", metavar="FILE")
    made.add_argument("--at", type=_seq, metavar="N", help="第 N 号事件之后 behind event N; else the last")
    made.add_argument("--all", action="store_true", help="每一步 every position")
    made.add_argument("--view", default="full", help="full、public 或座位号 full, public or a seat")
    made.add_argument("--as-known", action="store_true", help="照当时所知 as the table knew it then")
    json_too(made)

    made = command("repair", "mending:repair_files", "怎样更正记错的记录 how a wrong record could be mended")
    made.add_argument("files", nargs="+", metavar="FILE")
    made.add_argument("--limit", type=_seq, default=5, metavar="N", help="最多几种 so many at most")
    json_too(made)

    made = command("amend", "mending:amend_file", "在记录后加事件，多为更正 add events to a record, corrections above all")
    made.add_argument("file", metavar="FILE")
    made.add_argument("events", metavar="EVENTS", help="事件 JSON，一个或一串；- 为标准输入 events as JSON; - is standard input")
    made.add_argument("--dry-run", action="store_true", help="只说会改变什么 only tell what it would change")
    made.add_argument("-o", "--output", metavar="OUT", help="写到哪里 where to write; else standard output")
    json_too(made)

    made = command("convert", "converting:convert_file", "换格式 convert between formats, by name ending")
    made.add_argument("input", metavar="IN")
    made.add_argument("output", metavar="OUT")

    made = command("import", "keeping:import_files", "存入牌局 store records")
    made.add_argument("files", nargs="+", metavar="FILE")
    made.add_argument("--mode", choices=MODES, default="record", help="拒收什么 what is refused")
    made.add_argument("--again", action="store_true", help="已有也再存一份 store a hand that is there already")
    _remote(made)
    json_too(made)

    made = command("export", "keeping:export_game", "取出牌局 read a stored record")
    which = made.add_mutually_exclusive_group(required=True)
    which.add_argument("id", nargs="?", metavar="ID")
    which.add_argument("--all", action="store_true", help="全部 every stored record, one a line")
    made.add_argument("--format", choices=FORMATS)
    made.add_argument("-o", "--output", metavar="FILE")
    _remote(made)

    made = command("serve", "keeping:serve_pages", "开启服务和网页 serve the pages and the API")
    made.add_argument("--host")
    made.add_argument("--port", type=int)

    made = command("token", "keeping:token", "显示令牌；发给别人、列出、收回 print the owner's token; make, list and take back others")
    made.set_defaults(what=None, json=False)
    what = made.add_subparsers(dest="what", metavar="WHAT")
    one = what.add_parser("create", help="发一个令牌 make a token", description="发一个令牌，只显示一次 make a token, which is shown once")
    one.add_argument("holder", metavar="NAME", help="给谁：记在牌谱上的名字 for whom: the name that stands in the log")
    one.add_argument("--role", choices=ROLES, default="reader", help="能做什么 what it allows")
    reach = one.add_mutually_exclusive_group()
    reach.add_argument("--game", metavar="ID", help="只限这一盘 for this game alone")
    reach.add_argument("--match", metavar="ID", help="只限这一场 for this match alone")
    one.add_argument("--seat", choices=VIEWPOINTS, default="public", help="牌局未完时从哪里看 from where it sees a hand that is on")
    one.add_argument("--days", type=int, metavar="N", help="多少天后失效 ends after so many days")
    json_too(one)
    json_too(what.add_parser("list", help="列出令牌 list the tokens"))
    what.add_parser("revoke", help="收回令牌 take a token back").add_argument("id", metavar="ID")

    made = command("rules", "ruling:show_rules", "规则与选项 the rules and options")
    made.add_argument("id", nargs="?", metavar="ID")
    made.add_argument("--game", choices=GAMES)
    json_too(made)

    made = command("simulate", "simulating:simulate", "随机打几盘，一行一份记录 random hands by the rules, one record a line")
    made.add_argument("--game", choices=GAMES, required=True, help="玩法 the game")
    made.add_argument("--count", type=_seq, default=1, metavar="N", help="几盘 so many hands")
    made.add_argument("--seed", type=_seq, metavar="N", help="同样的数打出同样的牌 the same number plays the same hands")
    made.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="规则选项，preset 也是 an option of the rules, preset included"
    )

    made = command("bench", "benching:run_bench", "同场测速 speed beside other programs, as ratios of one run")
    made.add_argument("--only", nargs="+", default=[], metavar="WORD", help="只测名字含有它的目标 only goals whose name holds it")
    made.add_argument("--strict", action="store_true", help="低于下限时退出码为 1 exit with 1 if a goal is below its floor")
    json_too(made)

    proof.add_commands(command)
    return top


def _remote(made: ArgumentParser) -> None:
    made.add_argument("--server", metavar="URL", help="经 HTTP over HTTP, for instance http://127.0.0.1:8000")
    made.add_argument("--token", help="令牌 token for --server; else PAIPU_TOKEN or the data folder's")


def _seq(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(text)
    return int(text)


def _command(function: str) -> Callable[[Namespace], int]:
    """The function of a command. Its module is loaded only now: a check need not wait for a web server to be imported."""
    module, name = function.split(":")
    return getattr(import_module(f"services.cli.{module}"), name)
