"""What may be done next is what ``check`` accepts: every event that could be written is tried in positions that chance hardly meets."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.judge import check
from engine.replay import legal_now
from engine.weimaque.deck import TOKENS
from engine.weimaque.rules.chi import runs_with
from schemas import events as shared
from schemas import weimaque as w
from schemas.record import WeimaqueRecord
from tools.weimaque_hands import made, run_out

ONLY_KAN = "一一一一三三三五五五八八八壹壹壹叁叁叁"
RUN_WAIT = "壹壹壹叁叁叁伍伍伍一二三四五六十十七八"
WEI_WAIT = "壹壹壹叁叁叁伍伍一二三四五六七八九十十"


def every_event(seats: int) -> Iterator[Any]:
    """Every playing event that can be written, bare of what it may carry besides."""
    yield shared.Exhausted()
    for actor in range(seats):
        yield w.DeadHand(actor=actor)
        yield w.Zhe(actor=actor)
        yield w.Hu(actor=actor)
        for opening in ("天胡", "九小对", "无对胡"):
            yield w.Hu(actor=actor, kind=opening)
        for kind, pai in enumerate(TOKENS):
            yield w.Discard(actor=actor, pai=pai)
            yield w.Reveal(actor=actor, pai=pai)
            yield w.Peng(actor=actor, pai=pai)
            yield w.Wei(actor=actor, pai=pai)
            for a, b in runs_with(kind):
                yield w.Chi(actor=actor, pai=pai, consumed=[TOKENS[a], TOKENS[b]])


def accepted(record: WeimaqueRecord, event: Any) -> bool:
    """Whether the record with the event behind it breaks nothing there."""
    seq = len(record.events)
    longer = WeimaqueRecord(format="paipu/1", events=[*record.events, event])
    return not any(finding.seq == seq and finding.kind != "notice" for finding in check(longer).findings)


def agrees(record: WeimaqueRecord) -> None:
    start = record.events[0]
    assert isinstance(start, w.Start)
    offered = {repr(event) for event in legal_now(record)}
    right = {repr(event) for event in every_event(len(start.players)) if accepted(record, event)}
    assert offered == right


@pytest.mark.parametrize(
    "record",
    [
        made("甲出三 乙碰三", 乙=ONLY_KAN),
        made("甲出三 乙碰三 乙死手", 乙=ONLY_KAN),
        made("甲出三 乙碰三 丙揭八", 乙=ONLY_KAN),
        made("甲出三", 乙=ONLY_KAN, forbid_dead_claim=True),
        made("甲出三 乙揭九", 乙=RUN_WAIT),
        made("甲出三 乙揭九 乙蛰", 乙=RUN_WAIT),
        made("甲出三 乙揭九 乙胡", 乙=RUN_WAIT),
        made("甲出三 乙揭捌 丙揭九 乙叫胡", 乙=RUN_WAIT, 甲="九九七八"),
        made("甲出三 乙揭伍", 乙=WEI_WAIT),
        made("甲出三 乙揭伍 乙栽伍", 乙=WEI_WAIT),
        made("", 甲="壹壹壹叁叁叁伍伍伍一二三四五六十十七八九"),
        made("", 甲="一一一一三三三三五五五八八八壹壹壹叁叁叁"),
        made("", 乙="一二三四五六七八九十壹贰叁肆伍陆柒捌玖", players=4),
        made("", 乙="一二三四五六七八九十壹贰叁肆伍陆柒捌玖", preset="xiaozhuo"),
        run_out("柒", 丙="柒柒捌玖"),
        run_out("柒", 丙="柒柒捌玖", last_card_claims=True),
        run_out("柒", 乙="柒柒"),
        run_out("柒", "乙栽柒 乙出肆", 丙="肆肆", without="肆"),
        run_out("柒", "流局"),
    ],
)
def test_what_is_offered_is_what_is_accepted(record: WeimaqueRecord) -> None:
    agrees(record)
