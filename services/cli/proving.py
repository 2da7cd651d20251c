"""``certificate``, ``audit`` and ``db``: what shows that nothing was changed, and what keeps it from being lost."""

import sys
from argparse import Namespace
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from services.audit import AuditReport, Progress
from services.certificate.certificate import Certificate, Check, read_certificate, redact, verify
from services.certificate.issuing import public_key
from services.certificate.leaves import subjects_named
from services.certificate.page import page
from services.checkpoint import read_checkpoint
from services.cli.output import CLEAN, FOUND, USAGE, complain, data_of, put, require_file, say, show, show_json
from services.cli.running import run, settings, told
from services.problems import ProblemError
from services.refusals import game_named
from services.wiring.proof import audit_store, dump, open_certifier, restore
from services.words import Words


def make_certificate(options: Namespace) -> int:
    """Certifies a stored hand."""

    async def making() -> int:
        async with open_certifier(settings()) as certifier:
            certificate = await certifier.certificate(game_named(options.id))
        put(msgspec.json.encode(certificate) + b"\n", options.output)
        return CLEAN

    return run(options, making)


def verify_certificates(options: Namespace) -> int:
    """Checks certificates from their files alone; 1 if one does not hold."""

    def checking() -> int:
        key = None if options.key is None else _key(options.key)
        worst = CLEAN
        for name in options.files:
            try:
                checked = verify(_certificate(name), key)
            except ProblemError as problem:
                worst = max(worst, complain(problem, options.lang, as_json=options.json, source=name))
                continue
            if options.json:
                show_json({**msgspec.to_builtins(checked), "holds": checked.holds})
            else:
                _tell_check(name, checked, options)
            worst = max(worst, CLEAN if checked.holds else FOUND)
        return worst

    return told(options, checking)


def redact_certificate(options: Namespace) -> int:
    """Writes a copy with parts left out."""

    def redacting() -> int:
        try:
            subjects = subjects_named(options.without)
        except ValueError as error:
            say(Words(f"--without 只收 {error}", f"--without takes {error}"), options.lang)
            return USAGE
        put(msgspec.json.encode(redact(_certificate(options.file), subjects)) + b"\n", options.output)
        return CLEAN

    return told(options, redacting)


def print_page(options: Namespace) -> int:
    """Writes the page of a certificate; 1 if it does not hold."""

    def printing() -> int:
        certificate = _certificate(options.file)
        try:
            made = page(certificate, options.lang)
        except ValueError as error:
            say(Words(f"证明不成立：{error}", f"the certificate does not hold: {error}"), options.lang)
            return FOUND
        put(made.encode(), options.output)
        return CLEAN

    return told(options, printing)


def show_key(options: Namespace) -> int:
    """Prints the public key and its id."""

    def showing() -> int:
        public, named = public_key(settings().data)
        show(f"{public}  {named}")
        return CLEAN

    return told(options, showing)


def audit_all(options: Namespace) -> int:
    """Audits the whole store; 1 if anything is not as it was recorded."""

    async def auditing() -> int:
        checkpoint = None if options.checkpoint is None else _checkpoint(options.checkpoint)
        with _bar() as bar:
            task = bar.add_task(Words("核查", "audit").in_(options.lang), total=None)

            def told(progress: Progress) -> None:
                bar.update(task, completed=progress.done, total=progress.all)

            report = await audit_store(settings(), checkpoint=checkpoint, resume=options.resume, workers=options.workers, told=told)
        if options.json:
            show_json({**msgspec.to_builtins(report), "clean": report.is_clean})
        else:
            _tell_audit(report, options)
        if options.publish is not None and report.is_clean:
            async with open_certifier(settings()) as certifier:
                signed = await certifier.checkpoint()
            put(msgspec.json.encode(signed) + b"\n", options.publish)
            stood = f"feed {signed.standing.position} {signed.standing.hash}"
            say(Words(f"存照：{stood}", f"checkpoint: {stood}"), options.lang)
        return CLEAN if report.is_clean else FOUND

    return run(options, auditing)


def dump_store(options: Namespace) -> int:
    """Writes a dump."""

    async def dumping() -> int:
        await dump(settings(), Path(options.file))
        say(Words(f"已备份到 {options.file}", f"dumped to {options.file}"), options.lang)
        return CLEAN

    return run(options, dumping)


def restore_store(options: Namespace) -> int:
    """Restores a dump into an empty store."""

    async def restoring() -> int:
        require_file(options.file)
        await restore(settings(), Path(options.file))
        say(Words("已恢复；请运行 paipu audit", "restored; run paipu audit"), options.lang)
        return CLEAN

    return run(options, restoring)


def _tell_check(name: str, checked: Check, options: Namespace) -> None:
    stands = Words("成立", "holds") if checked.holds else Words("不成立", "does not hold")
    show(f"{name}: {stands.in_(options.lang)}")
    for fault in checked.faults:
        show(f"  ! {fault.in_(options.lang)}")
    show(Words(f"  摘要 {checked.digest}", f"  digest {checked.digest}").in_(options.lang))
    show(Words(f"  钥匙 {checked.key}，引擎 {checked.engine}", f"  key {checked.key}, engine {checked.engine}").in_(options.lang))
    said = {
        "held": Words("重算相符", "worked out again, the same"),
        "left-out": Words("未出示，无从核对", "not given in this copy"),
        "other": Words("本机引擎版本不同，结果不同", "another version of the engine, another result"),
        "broken": Words("不符", "not the same"),
    }
    show(Words(f"  哈希链：{said[checked.chain].zh}", f"  hash chain: {said[checked.chain].en}").in_(options.lang))
    show(Words(f"  裁决：{said[checked.verdict].zh}", f"  verdict: {said[checked.verdict].en}").in_(options.lang))
    for subject, paths in checked.left_out.items():
        show(Words(f"  隐去 {subject}：{len(paths)} 处", f"  left out, {subject}: {len(paths)}").in_(options.lang))
        show("    " + " ".join(paths))


def _tell_audit(report: AuditReport, options: Namespace) -> None:
    for fault in report.faults:
        where = " ".join(str(part) for part in (fault.part, fault.of, None if fault.seq is None else f"#{fault.seq}") if part is not None)
        show(f"! {where}  {fault.fault}")
    for change in report.changes:
        show(
            Words(f"~ {change.of}  裁决与引擎 {change.before} 不同", f"~ {change.of}  the verdict of {change.before} was another").in_(
                options.lang
            )
        )
        for sign, findings in (("-", change.cleared), ("+", change.added)):
            for seq, rule, kind, certainty, _ in findings:
                show(f"    {sign} #{seq} {rule} ({kind}, {certainty})")
        for member, (before, after) in change.outcome.items():
            show(f"    {member}: {msgspec.json.encode(before).decode()} → {msgspec.json.encode(after).decode()}")
        for why in change.why:
            reading = f"  [{why.reading}]" if why.reading else ""
            show(f"    {why.rule}  {why.zh if options.lang == 'zh' else why.en}{reading}")
    kept = Words(
        f"{report.games} 盘、{report.events} 个事件，{len(report.faults)} 处不符",
        f"{report.games} games, {report.events} events, {len(report.faults)} faults",
    )
    changed = Words(
        f"{report.compared} 盘与旧引擎比过，{len(report.changes)} 盘裁决有变",
        f"{report.compared} compared with an earlier engine, {len(report.changes)} verdicts changed",
    )
    show(Words(f"{kept.zh}；{changed.zh}", f"{kept.en}; {changed.en}").in_(options.lang))
    show(f"{report.seconds:.1f} s, {report.engine}, feed {report.position} {report.hash}")


def _bar() -> Bar:
    return Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )


def _certificate(name: str) -> Certificate:
    try:
        return read_certificate(data_of(name))
    except ValueError as error:
        raise ProblemError("unreadable", Words(f"{name} 不是证明：{error}", f"{name} is no certificate: {error}")) from None


def _checkpoint(name: str) -> tuple[int, bytes]:
    try:
        return read_checkpoint(data_of(name))
    except ValueError as error:
        raise ProblemError("unreadable", Words(f"{name} 不是存照：{error}", f"{name} is no checkpoint: {error}")) from None


def _key(given: str) -> str:
    """A public key as it stands, or the first word of the file that holds it."""
    if _is_key(given):
        return given
    if given != "-" and not Path(given).exists():
        detail = Words(
            f"{given} 不是公钥（64 位十六进制），也没有这个文件",
            f"{given} is no public key (64 hexadecimal digits), and no file of that name",
        )
        raise ProblemError("invalid", detail)
    first = next(iter(data_of(given).decode(errors="replace").split()), "")
    if not _is_key(first):
        raise ProblemError(
            "invalid", Words(f"文件 {given} 里不是公钥（64 位十六进制）", f"the file {given} holds no public key (64 hexadecimal digits)")
        )
    return first


def _is_key(text: str) -> bool:
    try:
        return len(text) == 64 and len(bytes.fromhex(text)) == 32
    except ValueError:
        return False
