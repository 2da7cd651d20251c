"""``check`` and ``verify``: is the record right, is the win worth what is claimed."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from engine.games import game_of
from engine.judge import check
from engine.matches import check_match
from engine.sensitivity import other_verdicts
from engine.witness import check_with_witnesses
from schemas.record import Record
from schemas.verdict import OtherVerdict, Verdict, Witness
from schemas.verify import WeimaqueVerdict
from services.cli.output import CLEAN, FOUND, complain, data_of, each_record, problem_of, readings_of, show, show_json
from services.formats.claims import Rules, read_claims, read_rules
from services.formats.faults import Unreadable
from services.formats.table import start_of
from services.problems import ProblemError, unreadable
from services.wording import GAMES, faces, outcome_words
from services.words import Language, Words

KINDS = {"impossible": Words("不可能", "impossible"), "violation": Words("违规", "violation"), "notice": Words("提示", "notice")}


def check_files(options: Namespace) -> int:
    """Judges every record of the files; the worst exit code."""
    if options.match:
        return check_match_files(options)
    return each_record(options.files, options, lambda name, record: _check(name, record, options))


def _check(name: str, record: Record, options: Namespace) -> int:
    verdict = _judged(record, options)
    if options.json:
        show_json(verdict)
    else:
        _tell(name, record, verdict, options.lang)
    return code_of_verdict(verdict)


def _judged(record: Record, options: Namespace) -> Verdict:
    rules = _rules(options.rules, record)
    if options.witness:
        verdict = check_with_witnesses(record, lang=options.lang, rules=rules)
    else:
        verdict = check(record, lang=options.lang, possible=options.possible, rules=rules)
    if not options.sensitivity:
        return verdict
    return msgspec.structs.replace(verdict, sensitivity=other_verdicts(record, rules=rules))


def check_match_files(options: Namespace) -> int:
    """Judges the records of the files as the hands of one match, in order, each beside the one before; the worst exit code."""
    worst, readings = CLEAN, list(readings_of(options.files))
    hands = check_match(
        [None if isinstance(reading, ProblemError) else reading.record for _, reading in readings],
        lang=options.lang,
        possible=options.possible,
    )
    for (name, reading), hand in zip(readings, hands.hands, strict=True):
        if isinstance(reading, ProblemError) or reading.record is None or hand.verdict is None:
            problem = reading if isinstance(reading, ProblemError) else problem_of(reading)
            worst = max(worst, complain(problem, options.lang, as_json=options.json, source=name))
            continue
        if options.json:
            show_json(hand.verdict)
        else:
            _tell(name, reading.record, hand.verdict, options.lang)
        worst = max(worst, code_of_verdict(hand.verdict))
    if not options.json:
        for standing in hands.standings:
            show(
                Words(
                    f"{standing.name}  {standing.due:+d}（胡 {standing.wins} 盘）",
                    f"{standing.name}  {standing.due:+d} ({standing.wins} won)",
                ).in_(options.lang)
            )
    return worst


def code_of_verdict(verdict: Verdict) -> int:
    """``FOUND`` for an established violation or impossible finding; notices and possible findings do not count."""
    counts = any(finding.kind != "notice" and finding.certainty == "established" for finding in verdict.findings)
    return FOUND if counts else CLEAN


def verify_file(options: Namespace) -> int:
    """Judges every claim of a file; the worst exit code."""
    worst = CLEAN
    try:
        data = data_of(options.file)
    except ProblemError as problem:
        return complain(problem, options.lang, as_json=options.json)
    for reading in read_claims(data):
        if reading.claim is None:
            problem = unreadable(Unreadable(reading.faults))
            worst = max(worst, complain(problem, options.lang, as_json=options.json, source=options.file))
            continue
        verdict = game_of(reading.claim).verify(reading.claim, options.lang)
        agrees = verdict.claim is None or verdict.claim.agrees
        if options.json:
            show_json(verdict)
        else:
            _tell_claim(verdict, options.lang)
        worst = max(worst, CLEAN if verdict.valid and agrees else FOUND)
    return worst


def _rules(named: str | None, record: Record) -> Rules | None:
    if named is None:
        return None
    try:
        return read_rules(named.encode(errors="surrogateescape"), game_of(record).name, named="--rules")
    except Unreadable as unread:
        raise ProblemError("invalid", Words("--rules 读不懂", "--rules cannot be read"), faults=unread.faults) from None


def _tell(name: str, record: Record, verdict: Verdict, language: Language) -> None:
    title = record.meta.get("title") if isinstance(record.meta, dict) else None
    steps = verdict.record.events
    head = Words(f"{GAMES[verdict.record.game].zh}，{steps} 步", f"{GAMES[verdict.record.game].en}, {steps} events")
    show(f"{title or name}（{head.zh}）" if language == "zh" else f"{title or name} ({head.en})")
    for finding in verdict.findings:
        possible = "" if finding.certainty == "established" else Words("可能", "possible ").in_(language)
        show(f"  #{finding.seq} {possible}{KINDS[finding.kind].in_(language)} {finding.rule}  {finding.message}")
        if finding.witness is not UNSET:
            _tell_witness(finding.witness, language)
    if verdict.possible and not any(finding.certainty == "possible" for finding in verdict.findings):
        show(
            Words(f"  另有 {verdict.possible} 处只是可能（--possible）", f"  {verdict.possible} more are merely possible (--possible)").in_(
                language
            )
        )
    players = start_of(record).players
    show(f"  {outcome_words(verdict.outcome, players).in_(language)}")
    if verdict.sensitivity is not UNSET:
        _tell_others(verdict.sensitivity, players, language)


def _tell_others(others: Sequence[OtherVerdict], players: Sequence[str], language: Language) -> None:
    """What would be otherwise with one option read otherwise; nothing if the verdict hangs on no reading."""
    if not others:
        show(Words("  换任何一种读法都一样", "  the same under every other reading").in_(language))
    for other in others:
        value, reading = msgspec.json.encode(other.value).decode(), f" [{other.reading}]" if other.reading else ""
        show(Words(f"  若 {other.option} = {value}{reading}：", f"  with {other.option} = {value}{reading}:").in_(language))
        for sign, findings in (("-", other.cleared), ("+", other.added)):
            for finding in findings:
                show(f"    {sign} #{finding.seq} {finding.rule}")
        show(f"    {outcome_words(other.outcome, players).in_(language)}")


def _tell_witness(witness: Witness, language: Language) -> None:
    """The two deals, or that a short search found none."""
    for words, deal in (
        (Words("合规的一副", "a deal in which it was legal"), witness.legal),
        (Words("违规的一副", "a deal in which it was not"), witness.broken),
    ):
        hands = Words("没有找到", "none was found").in_(language) if deal is None else " / ".join(faces(hand) for hand in deal.hands)
        show(f"      {words.in_(language)}：{hands}" if language == "zh" else f"      {words.en}: {hands}")


def _tell_claim(verdict: Any, language: Language) -> None:
    """In the order in which one would argue it at the table: does it stand, how is it divided, what does it pay, what was claimed."""
    show(Words("成立", "It stands").in_(language) if verdict.valid else Words("不成立", "It does not stand").in_(language))
    for reason in verdict.reasons:
        show(f"  {reason.message}  {reason.rule}")
    if verdict.melds:
        show("  " + "  ".join(f"{group.kind} {faces(group.pai)}" for group in verdict.melds))
    if isinstance(verdict, WeimaqueVerdict):
        for item in verdict.items:
            show(f"  {item.name} {faces(item.pai)}  {item.xi}")
        named = [*([verdict.multiplier] if verdict.multiplier else []), *verdict.mingtang]
        for mingtang in named:
            show(f"  {mingtang.name}  {'x' if mingtang is verdict.multiplier else '+'}{mingtang.value}")
        show(
            Words(f"  硬息 {verdict.hard_xi}，共 {verdict.total_xi} 息", f"  hard 息 {verdict.hard_xi}, {verdict.total_xi} in all").in_(
                language
            )
        )
    else:
        show("  " + "  ".join(f"{seat}: {points:+d}" for seat, points in sorted(verdict.points.items())))
    for other in verdict.sensitivity:
        value = msgspec.json.encode(other.value).decode()
        pays = other.points if other.total_xi is UNSET else other.total_xi
        stands = pays if other.valid else Words("不成立", "does not stand").in_(language)
        show(Words(f"  若 {other.option} = {value}：{stands}", f"  with {other.option} = {value}: {stands}").in_(language))
    if verdict.claim is not None:
        show(
            Words("所报相符", "The claim agrees").in_(language)
            if verdict.claim.agrees
            else Words("所报不符", "The claim differs").in_(language)
        )
        for difference in verdict.claim.differs:
            show(f"  {difference.message}")
