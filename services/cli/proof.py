"""The options of ``certificate``, ``audit`` and ``db``, apart from what carries them out: other commands need not wait for that."""

from argparse import ArgumentParser
from collections.abc import Callable

REDACTABLE = "names,hands,annotations"


def add_commands(command: Callable[[str, str, str], ArgumentParser]) -> None:
    """The options of these commands. ``command(name, function, text)`` makes the parser of one."""
    made = command("certificate make", "proving:make_certificate", "为一盘出证明 certify a stored hand")
    made.add_argument("id", metavar="ID")
    made.add_argument("-o", "--output", metavar="FILE")

    made = command("certificate verify", "proving:verify_certificates", "离线核对证明 check certificates, offline")
    made.add_argument("files", nargs="+", metavar="FILE")
    made.add_argument("--key", metavar="KEY", help="应由这把公钥签名 the public key, in hex or in a file, that must have signed it")
    made.add_argument("--json", action="store_true", help="一行一个 JSON 回答 one JSON answer a line")

    made = command("certificate redact", "proving:redact_certificate", "出一份隐去内容的副本 a copy with parts left out; it still verifies")
    made.add_argument("file", metavar="FILE")
    made.add_argument("--without", required=True, metavar="WHAT", help=f"用逗号分开 any of {REDACTABLE}")
    made.add_argument("-o", "--output", metavar="FILE")

    made = command("certificate page", "proving:print_page", "可打印的一页 the page to print, as HTML")
    made.add_argument("file", metavar="FILE")
    made.add_argument("-o", "--output", metavar="FILE")

    command("certificate key", "proving:show_key", "签名公钥 the public key of this data folder")

    made = command("audit", "proving:audit_all", "核查全部存盘 verify everything that is stored, and judge it again")
    made.add_argument("--checkpoint", metavar="FILE", help="与存照核对 compare with a checkpoint that was published earlier")
    made.add_argument("--publish", metavar="FILE", help="写出存照 write a signed checkpoint when nothing was found; - is standard output")
    made.add_argument("--resume", action="store_true", help="接着上次中断处 go on where the last audit was broken off")
    made.add_argument("--workers", type=int, metavar="N", help="进程数 processes; else one a core")
    made.add_argument("--json", action="store_true", help="一行 JSON one JSON answer")

    made = command("db dump", "proving:dump_store", "备份 write everything that is stored to a file")
    made.add_argument("file", metavar="FILE")

    made = command("db restore", "proving:restore_store", "恢复到空库 fill an empty store from a dump")
    made.add_argument("file", metavar="FILE")
