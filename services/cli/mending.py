"""``repair`` and ``amend``: how a record that was written down wrong could be mended, and what a correction would change."""

from argparse import Namespace

import msgspec

from engine.games import game_of
from engine.impact import impact
from engine.judge import check
from engine.repair import repairs
from schemas.record import Record
from schemas.repair import Impact, Repair
from services.answers import RepairsAnswer
from services.cli.checking import KINDS, code_of_verdict
from services.cli.output import CLEAN, FOUND, USAGE, complain, data_of, each_record, put, readings_of, record_of, say, show, show_json
from services.formats.canonical import canonical
from services.formats.events import read_events
from services.formats.faults import Unreadable
from services.formats.media import Format, format_of_name
from services.formats.table import start_of
from services.formats.writing import write
from services.problems import ProblemError, unreadable
from services.wording import outcome_words
from services.words import Language, Words


def repair_files(options: Namespace) -> int:
    """Offers repairs for every record of the files; ``FOUND`` if there is anything to mend."""
    return each_record(options.files, options, lambda name, record: _repair(name, record, options))


def amend_file(options: Namespace) -> int:
    """Writes the record with the events behind it, or with ``--dry-run`` tells what they would change."""
    form: Format | None = "json" if options.output in (None, "-") else format_of_name(options.output)
    if form is None:
        say(Words(f"{options.output} 的结尾不是已知的格式", f"{options.output} does not end in a known format"), options.lang)
        return USAGE
    try:
        record, amended, told = _amended(options)
    except ProblemError as problem:
        return complain(problem, options.lang, as_json=options.json, source=options.file)
    if options.dry_run:
        if options.json:
            show_json(told)
        else:
            _tell_impact(record, told, options.lang)
    else:
        put(write(amended, form), options.output)
    added = any(finding.kind != "notice" and finding.certainty == "established" for finding in told.added)
    return FOUND if added else CLEAN


def _repair(name: str, record: Record, options: Namespace) -> int:
    offered = repairs(record, limit=options.limit, lang=options.lang)
    if options.json:
        show_json(RepairsAnswer(version=len(record.events), repairs=offered))
    else:
        _tell_repairs(name, record, offered, options.lang)
    return code_of_verdict(check(record))


def _amended(options: Namespace) -> tuple[Record, Record, Impact]:
    """The one record of the file, the record with the events, and what they change.

    Raises:
        ProblemError: unreadable; invalid for several records.
    """
    records = [record_of(reading) for _, reading in readings_of([options.file])]
    if len(records) != 1:
        raise ProblemError("invalid", Words(f"有 {len(records)} 份记录，这里只收一份", f"{len(records)} records where one is taken"))
    (record,) = records
    data = data_of("-") if options.events == "-" else options.events.encode(errors="surrogateescape")
    try:
        events = read_events(
            data,
            None,
            "weimaque" if game_of(record).name == "weimaque" else "changde",
            seats=len(start_of(record).players),
            next_seq=len(record.events),
        )
    except Unreadable as unread:
        raise unreadable(unread) from None
    amended = msgspec.structs.replace(record, events=[*record.events, *events])
    return record, amended, impact(record, events, lang=options.lang)


def _tell_repairs(name: str, record: Record, offered: list[Repair], language: Language) -> None:
    title = record.meta.get("title") if isinstance(record.meta, dict) else None
    if not offered:
        nothing = Words("没有可更正的", "nothing to offer")
        show(f"{title or name}：{nothing.zh}" if language == "zh" else f"{title or name}: {nothing.en}")
        return
    show(f"{title or name}")
    for number, repair in enumerate(offered, 1):
        left = repair.leaves.impossible + repair.leaves.violation
        rest = Words(f"（还剩 {left} 处）", f" ({left} more remain)").in_(language) if left else ""
        show(f"  {number}. {repair.message}{rest}")
        for event in repair.events:
            show(f"     {canonical(event).decode()}")


def _tell_impact(record: Record, told: Impact, language: Language) -> None:
    for sign, findings in (("+", told.added), ("-", told.cleared)):
        for finding in findings:
            possible = "" if finding.certainty == "established" else Words("可能", "possible ").in_(language)
            show(f"  {sign} #{finding.seq} {possible}{KINDS[finding.kind].in_(language)} {finding.rule}  {finding.message}")
    names = start_of(record).players
    if told.outcome_before != told.outcome_after:
        before, after = outcome_words(told.outcome_before, names), outcome_words(told.outcome_after, names)
        show(f"  {before.in_(language)} → {after.in_(language)}")
    if told.positions is None:
        show(Words("  局面不变", "  no position changes").in_(language))
    else:
        first, last, changed = told.positions.first, told.positions.last, told.positions.changed
        show(
            Words(
                f"  第 {first} 到第 {last} 号事件之后的局面，变 {changed} 处",
                f"  {changed} positions change, from event {first} to event {last}",
            ).in_(language)
        )
