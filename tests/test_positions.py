"""A dozen positions of two hands, written out by hand from the events and the rules, against the frames that the engine makes."""

from pathlib import Path

import pytest

from engine.replay import frame
from schemas.frame import Frame, SeatState
from services.formats.reading import read_json

VECTORS = Path(__file__).parent / "vectors"

WEIMAQUE = {
    1: """
        opening 丙 22 -
        甲 -
        乙 四五五五六八八叁叁肆肆肆陆捌捌捌玖玖玖
        丙 一二三四四七八九九九十壹壹贰贰伍伍陆柒拾
        丁 二三三六七壹贰叁叁肆伍伍陆柒柒捌玖拾拾
    """,
    2: """
        respond 丁 22 丙出拾
        甲 -
        乙 四五五五六八八叁叁肆肆肆陆捌捌捌玖玖玖
        丙 一二三四四七八九九九十壹壹贰贰伍伍陆柒
        丁 二三三六七壹贰叁叁肆伍伍陆柒柒捌玖拾拾
    """,
    3: """
        discard 丁 22 -
        甲 -
        乙 四五五五六八八叁叁肆肆肆陆捌捌捌玖玖玖
        丙 一二三四四七八九九九十壹壹贰贰伍伍陆柒
        丁 二三三六七壹贰叁叁肆伍伍陆柒柒捌玖 碰拾拾拾
    """,
    5: """
        respond 丙 21 乙揭十
        甲 -
        乙 四五五五六八八叁叁肆肆肆陆捌捌捌玖玖玖 不吃二
        丙 一二三四四七八九九九十壹壹贰贰伍伍陆柒
        丁 三三六七壹贰叁叁肆伍伍陆柒柒捌玖 碰拾拾拾 出过二 不吃二
    """,
    7: """
        discard 丙 20 -
        甲 -
        乙 四五五五六八八叁叁肆肆肆陆捌捌捌玖玖玖 出过十 不吃二十
        丙 一二三四四九九九十壹壹贰贰伍伍陆柒 吃六七八 不吃十
        丁 三三六七壹贰叁叁肆伍伍陆柒柒捌玖 碰拾拾拾 出过二 不吃二
    """,
    12: """
        discard 乙 19 -
        甲 -
        乙 四五五五六叁叁肆肆肆陆捌捌捌玖玖玖 栽八八八 出过十 不吃二七十
        丙 一二三四四九九九十壹壹贰贰伍伍陆 吃六七八 不吃十
        丁 三三六壹贰叁叁肆伍伍陆捌玖 碰拾拾拾 碰柒柒柒 出过二七 不吃二七
    """,
    20: """
        ended - 16 丁揭五
        甲 -
        乙 四五五五六叁叁肆肆肆捌捌捌玖玖玖 栽八八八 出过十陆 不吃二七十陆
        丙 一二三九九九壹壹贰贰伍伍陆 吃六七八 碰四四四 出过七十 不吃七十陆
        丁 三三六壹贰叁叁肆伍伍陆捌玖 碰拾拾拾 碰柒柒柒 出过二七 不吃二七十
    """,
}
"""丙 deals and 甲 sits out. 丁 takes 拾 and plays 二, which passes him and 乙; 乙 reveals 十, which passes him and 丙; 丙 takes 六,
plays 柒, which 丁 takes; 丁 plays 七; 乙 reveals 八 and lays it down with his two, plays 陆 …"""

CHANGDE = {
    1: """
        opening 丙 55 -
        甲 3m4m5m6m8m2s2s6s7s8s7p8p9p
        乙 1m2m4m7m7m9m3s5s8s1p2p6p8p
        丙 4m4m6m6m7m8m3s9s1p2p3p4p8p9p
        丁 1m2m3m5m9m9m5s6s2p5p5p7p9p
    """,
    3: """
        discard 乙 55 -
        甲 3m4m5m6m8m2s2s6s7s8s7p8p9p
        乙 1m2m4m9m3s5s8s1p2p6p8p 碰7m7m7m
        丙 4m4m6m6m8m3s9s1p2p3p4p8p9p
        丁 1m2m3m5m9m9m5s6s2p5p5p7p9p
    """,
    7: """
        respond 甲 55 丁出2p
        甲 3m4m5m6m8m2s2s6s7s8s7p8p9p
        乙 1m2m4m3s5s8s1p2p6p8p 碰7m7m7m
        丙 4m4m6m6m8m3s9s1p2p3p4p8p9p
        丁 1m2m3m5m5s6s5p5p7p9p 碰9m9m9m
    """,
    11: """
        turn 乙 53 -
        甲 3m4m5m6m8m2s2s6s7s8s7p8p9p 出过1s
        乙 1m2m4m7m3s5s8s1p2p6p8p 碰7m7m7m
        丙 4m4m6m6m8m3s9s1p2p3p4p8p9p
        丁 1m2m3m5m5s6s5p5p7p9p 碰9m9m9m 出过2p
    """,
    12: """
        replacement 乙 53 -
        甲 3m4m5m6m8m2s2s6s7s8s7p8p9p 出过1s
        乙 1m2m4m3s5s8s1p2p6p8p 碰杠7m7m7m7m
        丙 4m4m6m6m8m3s9s1p2p3p4p8p9p
        丁 1m2m3m5m5s6s5p5p7p9p 碰9m9m9m 出过2p
    """,
    14: """
        rob 乙 52 乙杠7m
        甲 3m4m5m6m8m2s2s6s7s8s7p8p9p 出过1s
        乙 1m2m4m3s5s8s1p2p4p6p8p 碰杠7m7m7m7m
        丙 4m4m6m6m8m3s9s1p2p3p4p8p9p
        丁 1m2m3m5m5s6s5p5p7p9p 碰9m9m9m 出过2p
    """,
}
"""丙 deals. 乙 takes 7m and plays 9m, which 丁 takes; 丁 plays 2p, which nobody wants; 甲 draws and plays 1s; 乙 draws 7m, adds it to his
three and draws 4p behind it: only now may the kong be robbed."""


def written(found: Frame, shown: int | None) -> str:
    """A frame in the notation of this file; ``shown`` is the seat that sits out."""
    state = found.state
    names = [seat.name for seat in state.seats]
    turn = "-" if state.turn is None else names[state.turn]
    table = "-" if state.table is None else f"{names[state.table.actor]}{state.table.how}{state.table.pai}"
    seats = [f"{seat.name} -" if place == shown else _seat(seat) for place, seat in enumerate(state.seats)]
    return "\n".join([f"{state.phase} {turn} {state.stock} {table}", *seats])


def _seat(seat: SeatState) -> str:
    assert seat.hand is not None
    assert seat.hidden == 0
    parts = [seat.name, "".join(seat.hand), *(f"{meld.kind}{''.join(meld.pai)}" for meld in seat.melds)]
    parts += [f"出过{''.join(seat.played)}"] if seat.played else []
    parts += [f"不{act}{''.join(kinds)}" for act, kinds in seat.passed.items() if kinds]
    return " ".join(parts)


def plain(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())


@pytest.mark.parametrize("seq", WEIMAQUE)
def test_positions_of_weimaque(seq: int) -> None:
    record = read_json((VECTORS / "weimaque-records-clean.jsonl").read_bytes().splitlines()[0]).required()
    assert written(frame(record, seq), shown=0) == plain(WEIMAQUE[seq])


@pytest.mark.parametrize("seq", CHANGDE)
def test_positions_of_changde(seq: int) -> None:
    record = read_json((VECTORS / "changde-records-clean.jsonl").read_bytes().splitlines()[12]).required()
    assert written(frame(record, seq), shown=None) == plain(CHANGDE[seq])
