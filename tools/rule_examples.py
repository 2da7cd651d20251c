"""Writes the catalogue's examples, for every rule of both games a short record that breaks it first: ``python -m tools.rule_examples``.

Those of 偎麻雀 are made from words (``tools.weimaque_hands``), those of 常德麻将 are cut from the test vectors.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from engine.games import GAMES
from engine.judge import check
from engine.matches import check_match
from schemas.base import UNSET
from schemas.changde import Draw
from schemas.events import Settlement, Transfer, Void
from schemas.record import Record
from schemas.verdict import Finding
from schemas.weimaque import Claim, Deal, Hu
from tools.weimaque_hands import made, run_out

ROOT = Path(__file__).parents[1]
VECTORS = ROOT / "tests" / "vectors"
EXAMPLES = ROOT / "services" / "examples"

RUN_WAIT = "壹壹壹叁叁叁伍伍伍一二三四五六十十七八"
POOR_WAIT = "壹壹壹叁叁叁伍陆柒一二三四五六十十七八"
ONLY_KAN = "一一一一三三三五五五八八八壹壹壹叁叁叁"
PAIRS = "一一二二三三四四五五六六七七八八九九"

WEIMAQUE: dict[str, tuple[str, dict[str, Any]]] = {
    "wmq-shouxing-acts": ("甲出九 丙揭捌", {"players": 4}),
    "wmq-turn": ("甲出九 丙揭捌", {}),
    "wmq-stock-order": ("!甲出九 !乙揭捌", {"甲": "九", "stock": "三"}),
    "wmq-after-end": ("甲出三 乙揭九 乙胡 丙揭四", {"乙": RUN_WAIT}),
    "wmq-wei-missed": ("甲出三 乙揭九 丙揭五", {"乙": "九九"}),
    "wmq-wei-own": ("甲出九 乙栽九", {}),
    "wmq-wei-held": ("甲出三 乙揭九 !乙栽九", {"乙": "九"}),
    "wmq-peng-target": ("甲出九 乙碰五", {}),
    "wmq-peng-held": ("甲出九 !乙碰九", {"乙": "九"}),
    "wmq-peng-passed": ("甲出九 乙揭捌 丙揭九 乙碰九", {}),
    "wmq-chi-target": ("甲出九 丙吃九七八", {}),
    "wmq-chi-run": ("甲出九 乙吃九柒捌", {}),
    "wmq-chi-held": ("甲出九 !乙吃九七八", {"乙": "七"}),
    "wmq-chi-discarded": ("乙出九 丙碰九 丙出三 甲揭九 乙吃九七八", {"dealer": "乙"}),
    "wmq-chi-passed": ("甲出九 乙揭捌 丙揭四 甲揭九 乙吃九七八", {}),
    "wmq-chi-could-peng": ("甲出九 乙吃九七八", {"乙": "九九"}),
    "wmq-claim-priority": ("甲出九 丙叫碰 乙吃九七八", {"丙": "九九"}),
    "wmq-discard-held": ("!甲出九", {}),
    "wmq-discard-kan": ("甲出九", {"甲": "九九九"}),
    "wmq-discard-claimed": ("甲出九 乙吃九七八 乙出九", {"乙": "九"}),
    "wmq-dead-hand": ("甲出三 乙碰三", {"乙": ONLY_KAN}),
    "wmq-hu-revealed": ("甲出九 乙胡", {"乙": RUN_WAIT}),
    "wmq-hu-shape": ("甲出三 乙揭七 乙胡", {"乙": RUN_WAIT}),
    "wmq-hu-xi": ("甲出三 乙揭九 乙胡", {"乙": POOR_WAIT}),
    "wmq-hu-opening": ("甲出玖 乙胡九小对", {"乙": PAIRS}),
    "wmq-hu-shown": ("甲出三 乙揭九 乙胡一二三四五六七八十十壹壹壹叁叁叁伍伍陆", {"乙": RUN_WAIT}),
    "wmq-draw": ("甲出九 流局", {}),
    "wmq-zhe": ("甲出三 乙揭捌 乙蛰", {"乙": RUN_WAIT}),
    "wmq-shouxing-fee": ("甲出玖 乙揭九 乙胡", {"players": 4, "乙": RUN_WAIT}),
}
"""Words that break the rule of that id with their last event; a hand that is dead on the way breaks wmq-hu-dead behind a notice."""


def weimaque() -> Iterator[tuple[str, list[Any]]]:
    """(rule, records) for every rule of 偎麻雀; several records are the hands of a match."""
    win = made("甲出玖 乙揭九 乙胡", 乙=RUN_WAIT)
    yield "log-reference", [_and(made("甲出九 乙揭捌"), Void(seq=7))]
    yield "wmq-deal-size", [_without_a_card(made("甲出九"))]
    yield "wmq-copies", [_with_another_card(made("甲出九"))]
    yield "wmq-stock-empty", [run_out("柒", "!丙揭贰")]
    yield "wmq-hu-dead", [made("甲出三 乙碰三 丙揭八 乙胡", 乙=ONLY_KAN)]
    yield "wmq-claim-xi", [_declaring(win, Claim(hard_xi=12))]
    yield "wmq-claim-mingtang", [_declaring(win, Claim(mingtang={"摸胡": 10, "单吊": 10}))]
    yield "wmq-claim-total", [_declaring(win, Claim(total_xi=11))]
    yield "wmq-settle", [_and(win, Settlement(transfers=[Transfer(from_=0, to=1, amount=21)]))]
    yield "wmq-draw-fee", [run_out("柒", "流局", players=4)]
    yield "wmq-dealer-next", [win, made("丙出九", dealer="丙")]
    for rule, (play, deal) in WEIMAQUE.items():
        yield rule, [made(play, **deal)]


def changde() -> Iterator[tuple[str, list[Any]]]:
    """(rule, records) for every rule of 常德麻将, from the shortest vector that breaks it."""
    found: dict[str, list[Any]] = {}
    for line in _lines("changde-records-bad.jsonl"):
        record = msgspec.convert(line["record"], Record)
        rule = line["expected"]["rule"]
        if rule not in found or len(record.events) < len(found[rule][0].events):
            found[rule] = [record]
    for line in _lines("changde-matches.jsonl"):
        if line["expected"]:
            at = line["expected"]["record"]
            records = [msgspec.convert(record, Record) for record in line["records"][at - 1 : at + 1]]
            found.setdefault(line["expected"]["rule"], records)
    clean = [msgspec.convert(line, Record) for line in _lines("changde-records-clean.jsonl")]
    found["log-reference"] = [_and(_first(clean[0], 3), Void(seq=7))]
    found["cd-wall-order"] = [_drawing_otherwise(next(record for record in clean if record.events[1].wall))]
    forfeited = (_forfeiting(record) for record in clean)
    found["cd-hu-forfeit"] = next([record] for record in forfeited if broken_first([record], "cd-hu-forfeit"))
    yield from found.items()


def broken_first(records: list[Any], rule: str) -> Finding | None:
    """The finding of the rule in the last of the records, if nothing but notices stands before it."""
    verdict = check_match(records).hands[-1].verdict
    if verdict is None:
        return None
    seq = next((finding.seq for finding in verdict.findings if finding.kind != "notice" or finding.rule == rule), -1)
    return next((finding for finding in verdict.findings if finding.seq == seq and finding.rule == rule), None)


def lines(name: str) -> list[bytes]:
    """The examples of a game, one JSON object a line, in the order of its rules."""
    made_for = dict(weimaque() if name == "weimaque" else changde())
    told: list[bytes] = []
    for rule in GAMES[name].rules:
        *before, record = made_for[rule.id]
        finding = broken_first([*before, record], rule.id)
        if finding is None:
            raise AssertionError(f"the example of {rule.id} does not break it first: {check(record).findings}")
        if not before and rule is not GAMES[name].settlement_rule:
            record = _first(record, finding.seq + 1)
        example: dict[str, Any] = {"rule": rule.id, "seq": finding.seq, "record": _bare(record)}
        if before:
            example["before"] = _bare(before[0])
        told.append(msgspec.json.encode(example))
    return told


def _lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()]


def _first(record: Any, count: int) -> Any:
    return msgspec.structs.replace(record, events=record.events[:count])


def _bare(record: Any) -> Any:
    return msgspec.structs.replace(record, meta=UNSET, annotations=UNSET)


def _and(record: Any, event: Any) -> Any:
    return msgspec.structs.replace(record, events=[*record.events, event])


def _declaring(record: Any, claim: Claim) -> Any:
    *events, hu = record.events
    assert isinstance(hu, Hu)
    return msgspec.structs.replace(record, events=[*events, msgspec.structs.replace(hu, claim=claim)])


def _without_a_card(record: Any) -> Any:
    return _dealt_otherwise(record, [])


def _with_another_card(record: Any) -> Any:
    return _dealt_otherwise(record, ["拾"])


def _dealt_otherwise(record: Any, instead: list[Any]) -> Any:
    """The record with ``instead`` in place of the first card of the first hand."""
    start, deal, *events = record.events
    first, *hands = deal.hands
    return msgspec.structs.replace(record, events=[start, Deal(hands=[[*instead, *first[1:]], *hands], stock=deal.stock), *events])


def _drawing_otherwise(record: Any) -> Any:
    """The record up to the first draw, of a tile that is not the one that lies there."""
    at, drawn = next((at, event) for at, event in enumerate(record.events) if isinstance(event, Draw))
    other = next(tile for tile in GAMES["changde"].tokens if tile != drawn.pai)
    return _and(_first(record, at), msgspec.convert({"type": "摸", "actor": drawn.actor, "pai": other}, Draw))


def _forfeiting(record: Any) -> Any:
    start, *events = record.events
    rules = msgspec.structs.replace(start.rules, discard_zhong_forfeits=True)
    return msgspec.structs.replace(record, events=[msgspec.structs.replace(start, rules=rules), *events])


if __name__ == "__main__":
    for game in GAMES:
        (EXAMPLES / f"{game}.jsonl").write_bytes(b"".join(line + b"\n" for line in lines(game)))
