"""Every fault of a record is told, with its place, what was found and what was expected; nothing else is ever raised."""

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.formats.body import from_json
from services.formats.events import read_events
from services.formats.faults import Fault, Unreadable, answer
from services.formats.media import FORMATS, Format
from services.formats.moments import is_moment
from services.formats.msgpack_body import from_msgpack
from services.formats.reading import read, read_body, read_json, read_msgpack, read_one
from services.formats.table import fits_table
from services.formats.writing import write

VECTORS = Path(__file__).parent.parent / "vectors"
WEIMAQUE: dict[str, Any] = json.loads((VECTORS / "weimaque-records-clean.jsonl").read_bytes().splitlines()[0])
CHANGDE: dict[str, Any] = json.loads((VECTORS / "changde-records-clean.jsonl").read_bytes().splitlines()[0])
THREE: dict[str, Any] = next(
    record
    for line in (VECTORS / "weimaque-records-clean.jsonl").read_bytes().splitlines()
    if len((record := json.loads(line))["events"][0]["players"]) == 3
)


def faults_of(body: Any) -> list[Fault]:
    reading = read_json(json.dumps(body, ensure_ascii=False).encode())
    assert (reading.record is None) == bool(reading.faults)
    assert [fault.path for fault in read_msgpack(msgspec.msgpack.encode(body)).faults] == [fault.path for fault in reading.faults]
    return list(reading.faults)


def changed(record: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> list[Fault]:
    body = copy.deepcopy(record)
    change(body)
    return faults_of(body)


def test_the_message_of_a_wrong_card() -> None:
    (fault,) = changed(WEIMAQUE, lambda body: body["events"][12].update(pai="四万"))
    assert fault.message("zh") == '$.events[12].pai: "四万" 不是偎麻雀的牌；应为 一…十、壹…拾 或 "?"'
    assert fault.message("en") == '$.events[12].pai: "四万" is no 偎麻雀 card; expected 一…十, 壹…拾 or "?"'
    assert (fault.record, fault.line, fault.seq, fault.found) == (0, 1, 12, '"四万"')


def test_a_tile_is_told_by_its_own_game() -> None:
    (fault,) = changed(CHANGDE, lambda body: body["events"][2].update(pai="一"))
    assert fault.message("zh") == '$.events[2].pai: "一" 不是常德麻将的牌；应为 1m…9m、1s…9s、1p…9p、7z 或 "?"'


def move_deal(body: dict[str, Any]) -> None:
    body["events"].append(body["events"].pop(1))


def noted(event: dict[str, Any]) -> dict[str, Any]:
    """An annotation whose variation holds the event."""
    return {"seq": 3, "by": "甲", "text": "", "line": [{"type": "过", "actor": 1}, event]}


FAULTY: list[tuple[dict[str, Any], Callable[[dict[str, Any]], Any], str]] = [
    (WEIMAQUE, lambda body: body.pop("format"), "$.format"),
    (WEIMAQUE, lambda body: body.update(format="paipu/2"), "$.format"),
    (WEIMAQUE, lambda body: body.pop("game"), "$.game"),
    (WEIMAQUE, lambda body: body.update(game="majiang"), "$.game"),
    (WEIMAQUE, lambda body: body.pop("events"), "$.events"),
    (WEIMAQUE, lambda body: body["events"].clear(), "$.events"),
    (WEIMAQUE, lambda body: body.update(extra=1), "$.extra"),
    (WEIMAQUE, lambda body: body.update(meta=None), "$.meta"),
    (WEIMAQUE, lambda body: body["meta"].update(x=[{"y": None}]), "$.meta.x[0].y"),
    (WEIMAQUE, lambda body: body.update(annotations=None), "$.annotations"),
    (WEIMAQUE, lambda body: body["events"].pop(0), "$.events[0].type"),
    (WEIMAQUE, lambda body: body["events"].insert(2, body["events"][0]), "$.events[2].type"),
    (WEIMAQUE, lambda body: body["events"].insert(1, body["events"][0]), "$.events[1].type"),
    (WEIMAQUE, lambda body: body["events"].insert(2, body["events"][1]), "$.events[2].type"),
    (WEIMAQUE, move_deal, f"$.events[{len(WEIMAQUE['events']) - 1}].type"),
    (WEIMAQUE, lambda body: body["events"][2].update(type="吃饭"), "$.events[2].type"),
    (WEIMAQUE, lambda body: body["events"][2].update(type="摸"), "$.events[2].type"),
    (CHANGDE, lambda body: body["events"][2].update(type="揭"), "$.events[2].type"),
    (WEIMAQUE, lambda body: body["events"][2].pop("type"), "$.events[2].type"),
    (WEIMAQUE, lambda body: body["events"][2].update(extra=1), "$.events[2].extra"),
    (WEIMAQUE, lambda body: body["events"][2].pop("pai"), "$.events[2].pai"),
    (WEIMAQUE, lambda body: body["events"][2].update(pai=None), "$.events[2].pai"),
    (WEIMAQUE, lambda body: body["events"][2].update(actor=4), "$.events[2].actor"),
    (WEIMAQUE, lambda body: body["events"][2].update(actor=-1), "$.events[2].actor"),
    (WEIMAQUE, lambda body: body["events"][2].update(actor=True), "$.events[2].actor"),
    (WEIMAQUE, lambda body: body["events"][2].update(actor=1.0), "$.events[2].actor"),
    (WEIMAQUE, lambda body: body["events"][2].update(actor="1"), "$.events[2].actor"),
    (THREE, lambda body: body["events"][2].update(actor=3), "$.events[2].actor"),
    (THREE, lambda body: body["events"][0].update(dealer=3), "$.events[0].dealer"),
    (THREE, lambda body: body["events"][0].update(shouxing=1), "$.events[0].shouxing"),
    (THREE, lambda body: body["events"][1]["hands"].append(None), "$.events[1].hands"),
    (
        THREE,
        lambda body: body["events"].append({"type": "结算", "transfers": [{"from": 0, "to": 3, "amount": 1}]}),
        "$.events[@].transfers[0].to",
    ),
    (
        THREE,
        lambda body: body["events"].append({"type": "更正", "seq": 2, "event": {"type": "过", "actor": 3}}),
        "$.events[@].event.actor",
    ),
    (
        THREE,
        lambda body: body["events"].append({"type": "更正", "seq": 1, "event": {"type": "起牌", "hands": [None] * 4, "stock": None}}),
        "$.events[@].event.hands",
    ),
    (
        THREE,
        lambda body: body.update(annotations=[{"seq": 1, "by": "甲", "text": "", "line": [{"type": "过", "actor": 3}]}]),
        "$.annotations[0].line[0].actor",
    ),
    (WEIMAQUE, lambda body: body["events"][1]["hands"].pop(), "$.events[1].hands"),
    (WEIMAQUE, lambda body: body["events"][0]["players"].pop(), "$.events[1].hands"),
    (CHANGDE, lambda body: body["events"][0]["players"].pop(), "$.events[0].players"),
    (CHANGDE, lambda body: body["events"][0].update(shouxing=2), "$.events[0].shouxing"),
    (WEIMAQUE, lambda body: body["events"][0]["rules"].update(chongzi=1), "$.events[0].rules.chongzi"),
    (WEIMAQUE, lambda body: body["events"][0]["rules"].update(chunyin="both"), "$.events[0].rules.chunyin"),
    (WEIMAQUE, lambda body: body["events"][0]["rules"].update(min_hard_xi=-1), "$.events[0].rules.min_hard_xi"),
    (WEIMAQUE, lambda body: body["events"][0]["rules"].update(shouxing_win={"fixed": 1.5}), "$.events[0].rules.shouxing_win.fixed"),
    (WEIMAQUE, lambda body: body["events"][0]["rules"].update(shouxing_win="half"), "$.events[0].rules.shouxing_win"),
    (WEIMAQUE, lambda body: body["events"][0]["rules"].pop("preset"), "$.events[0].rules.preset"),
    (WEIMAQUE, lambda body: body["events"][0]["rules"].update(values={"满园花": 50, "满园": 50}), "$.events[0].rules.values.满园"),
    (WEIMAQUE, lambda body: body["events"][0]["rules"].update(values={"十对": "50"}), "$.events[0].rules.values.十对"),
    (CHANGDE, lambda body: body["events"][0]["rules"].update(ma_count=3), "$.events[0].rules.ma_count"),
    (CHANGDE, lambda body: body["events"][0]["rules"].update(ma_mode=159), "$.events[0].rules.ma_mode"),
    (WEIMAQUE, lambda body: body["events"][2].update(at="2026-11-28T20:15:00"), "$.events[2].at"),
    (
        WEIMAQUE,
        lambda body: body["events"].append({"type": "补记", "after": 2, "event": {"type": "过", "actor": 0, "at": "gestern"}}),
        "$.events[@].event.at",
    ),
    (WEIMAQUE, lambda body: body.update(annotations=[{"seq": 999, "by": "甲", "text": "?"}]), "$.annotations[0].seq"),
    (WEIMAQUE, lambda body: body.update(annotations=[{"seq": 1, "by": "甲", "text": "", "glyph": "!!!"}]), "$.annotations[0].glyph"),
    (WEIMAQUE, lambda body: body.update(annotations=[noted({"type": "撤回", "to": 1})]), "$.annotations[0].line[1].type"),
    (WEIMAQUE, lambda body: body.update(annotations=[noted({"type": "作废", "seq": 3})]), "$.annotations[0].line[1].type"),
    (
        WEIMAQUE,
        lambda body: body.update(annotations=[noted({"type": "更正", "seq": 3, "event": {"type": "过", "actor": 1}})]),
        "$.annotations[0].line[1].type",
    ),
    (WEIMAQUE, lambda body: body.update(annotations=[noted(body["events"][0])]), "$.annotations[0].line[1].type"),
    (CHANGDE, lambda body: body.update(annotations=[noted(body["events"][1])]), "$.annotations[0].line[1].type"),
    (WEIMAQUE, lambda body: body["events"].append({"type": "撤回", "to": -1}), "$.events[@].to"),
    (
        WEIMAQUE,
        lambda body: body["events"].append({"type": "更正", "seq": 2, "event": {"type": "撤回", "to": 1}}),
        "$.events[@].event.type",
    ),
    (WEIMAQUE, lambda body: body["events"].append([]), "$.events[@]"),
]


@pytest.mark.parametrize(("record", "change", "path"), FAULTY, ids=[f"{index}-{path}" for index, (_, _, path) in enumerate(FAULTY)])
def test_one_change_makes_one_place_unreadable(record: dict[str, Any], change: Callable[[dict[str, Any]], Any], path: str) -> None:
    body = copy.deepcopy(record)
    change(body)
    faults = faults_of(body)
    where = path.replace("@", str(len(body.get("events", [])) - 1))
    assert all(told.found and told.expected for fault in faults for told in (answer(fault, "zh"), answer(fault, "en")))
    assert where in [fault.path for fault in faults]
    assert all(fault.message("zh").startswith(f"{fault.path}: ") for fault in faults)
    seq = int(where[9 : where.index("]")]) if where.startswith("$.events[") else None
    assert seq in [fault.seq for fault in faults if fault.path == where]


def test_all_faults_of_a_record_are_told_at_once() -> None:
    def spoil(body: dict[str, Any]) -> None:
        body["events"][3]["pai"] = "白"
        body["events"][4]["actor"] = 9
        body["events"][5]["extra"] = {}
        body["events"][0]["rules"]["zhe"] = "yes"

    assert [fault.path for fault in changed(WEIMAQUE, spoil)] == [
        "$.events[0].rules.zhe",
        "$.events[3].pai",
        "$.events[4].actor",
        "$.events[5].extra",
    ]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"format":"paipu/1","format":"paipu/1","game":"weimaque","events":[]}', "$.format"),
        ('{"format":"paipu/1","\\u0066ormat":"paipu/1","game":"weimaque","events":[]}', "$.format"),
        ('{"format":"paipu/1","game":"weimaque","meta":{"a":{"b":1,"b":1}},"events":[]}', "$.meta.a.b"),
        ('{"format":"paipu/1","game":"weimaque","meta":{"a":18446744073709551616},"events":[]}', "$.meta.a"),
        ('{"format":"paipu/1","game":"weimaque","meta":{"a":-9223372036854775809},"events":[]}', "$.meta.a"),
        ('{"format":"paipu/1","game":"weimaque","meta":{"a":1e999},"events":[]}', "$.meta.a"),
        ('{"format":"paipu/1","game":"weimaque","meta":{"a":"\\ud800"},"events":[]}', "$.meta.a"),
        ('{"format":"paipu/1","game":"weimaque","meta":{"\\udfff":1},"events":[]}', '$.meta["\\udfff"]'),
        ('{"format":"paipu/1","game":"weimaque","events":[]} {}', "$"),
        ('{"format":"paipu/1","game":"weimaque","events":[]}]', "$"),
        ('{"format":"paipu/1","game":"weimaque","meta":{"a":NaN},"events":[]}', "$"),
        ('{"format":"paipu/1","game":"weimaque","meta":{"a":"\t"},"events":[]}', "$"),
    ],
)
def test_what_other_readers_let_pass_is_refused(text: str, path: str) -> None:
    faults = read(text.encode(), "json")[0].faults
    assert path in [fault.path for fault in faults]
    assert all(answer(fault, "en").found and answer(fault, "en").expected for fault in faults)


def with_integer(place: str, number: str) -> bytes:
    body = copy.deepcopy(WEIMAQUE)
    body["events"].append({"type": "结算", "transfers": [{"from": 0, "to": 1, "amount": 1}]})
    body["events"][0]["rules"] = {"preset": "dazhuo", "draw_fee": 0, "values": {"十对": 0}}
    body["meta"] = {"deep": [{"x": 0}]}
    holders: dict[str, tuple[Any, Any]] = {
        "amount": (body["events"][-1]["transfers"][0], "amount"),
        "rules.draw_fee": (body["events"][0]["rules"], "draw_fee"),
        "values.十对": (body["events"][0]["rules"]["values"], "十对"),
        "meta.deep[0].x": (body["meta"]["deep"][0], "x"),
    }
    holder, key = holders[place]
    holder[key] = 0.125
    return json.dumps(body, ensure_ascii=False).replace("0.125", number, 1).encode()


@pytest.mark.parametrize("place", ["amount", "rules.draw_fee", "values.十对", "meta.deep[0].x"])
def test_integers_beyond_64_bits_are_refused_wherever_they_stand(place: str) -> None:
    for number in (2**64, -(2**63) - 1, 10**25, -(10**25)):
        for text in (with_integer(place, str(number)), with_integer(place, str(number)).replace(b", ", b",\n")):
            (fault,) = read_json(text).faults
            assert fault.path.endswith(place)
            assert fault.found == str(number)
            assert fault.expected.en.endswith(("64 bits", "a double holds"))
    limits = [2**63 - 1, 2**63, 2**64 - 1, *([] if place == "rules.draw_fee" else [-(2**63)])]
    for number in limits:
        record = read_json(with_integer(place, str(number))).required()
        assert read_msgpack(write(record, "msgpack")).required() == record
        assert str(number).encode() in write(record, "json")


def test_a_repeated_key_of_a_good_record_is_refused_with_its_place() -> None:
    text = json.dumps(WEIMAQUE, ensure_ascii=False)
    doubled = text.replace('"actor": 2, "pai": "拾"', '"actor": 2, "actor": 2, "pai": "拾"', 1)
    assert doubled != text
    assert [fault.path for fault in read_json(doubled.encode()).faults] == ["$.events[2].actor"]
    hidden = text.replace('"meta": {', '"meta": {"a": "\\u003a", "a": "", ', 1)
    assert [fault.path for fault in read_json(hidden.encode()).faults] == ["$.meta.a"]


@pytest.mark.parametrize(
    ("data", "line", "said", "expected"),
    [
        (b"", 1, "is empty", "one whole JSON value"),
        (b'{"format":\n', 2, "breaks off (line 2, column 1)", "a value"),
        (b'{"format"\n:\n1 "game"', 3, "is not well-formed JSON (line 3, column 3)", "a comma, or the bracket that closes"),
        (b'{"format":"\\q"}', 1, "is not well-formed JSON (line 1, column 12)", "an escape that JSON has"),
        (b"\x81", None, "is no readable MessagePack: it ends here (byte 1)", "one whole MessagePack value"),
    ],
)
def test_a_text_that_breaks_off_says_where_and_what_was_expected(data: bytes, line: int | None, said: str, expected: str) -> None:
    (fault,) = read(data)[0].faults
    assert (fault.line, fault.said.en, fault.expected.en) == (line, said, expected)
    assert answer(fault, "en").found


def test_a_second_record_is_refused_by_its_line() -> None:
    good = json.dumps(WEIMAQUE).encode()
    with pytest.raises(Unreadable) as caught:
        read_one(b"\n".join([good, b"", good]))
    (fault,) = caught.value.faults
    assert (fault.record, fault.line, fault.expected.en) == (1, 3, "one record")


def test_a_repeated_key_in_messagepack_is_refused() -> None:
    data = b"\x82\xa1a\x01\xa1a\x02"
    assert "$.a" in [fault.path for fault in read_msgpack(data).faults]


@pytest.mark.parametrize(
    "data",
    [
        b"\x81\xa1a\xc4\x01\x00",
        b"\x81\xa1a\xd4\x01\x00",
        b"\x81\xa1a\xd6\xff\x00\x00\x00\x01",
        b"\x81\x01\x01",
        b"\x81\xa1a\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
        b"\x81\xa1a\xa1\xff",
        b"\x81\xa1a\xdd\xff\xff\xff\xff",
        b"\x80\x80",
        b"\xc1",
    ],
)
def test_messagepack_beyond_json_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        from_msgpack(data)
    assert read_msgpack(data).faults


@pytest.mark.parametrize(("levels", "fine"), [(62, True), (63, False), (5000, False), (200_000, False)])
def test_nesting_has_a_limit(levels: int, fine: bool) -> None:
    text = json.dumps({**WEIMAQUE, "meta": {}}).replace('"meta": {}', '"meta": {"deep": ' + "[" * levels + "]" * levels + "}")
    reading = read_json(text.encode())
    assert (reading.record is not None) == fine
    if not fine:
        assert reading.faults[0].said.en == "is nested too deep"
    else:
        assert read_msgpack(msgspec.msgpack.encode(reading.record)).record == reading.record


def test_a_bad_record_does_not_stop_those_behind_it() -> None:
    good = json.dumps(WEIMAQUE).encode()
    bad = json.dumps({**WEIMAQUE, "game": "go"}).encode()
    readings = read(b"\n".join([bad, good, b"{broken", good, b"[]", good]))
    assert [reading.record is not None for reading in readings] == [False, True, False, True, False, True]
    assert [reading.faults[0].line for reading in readings if reading.faults] == [1, 3, 5]
    assert [reading.faults[0].record for reading in readings if reading.faults] == [0, 2, 4]


def test_a_bad_event_line_names_its_line() -> None:
    header = json.dumps({key: value for key, value in WEIMAQUE.items() if key != "events"}).encode()
    events = [json.dumps(event).encode() for event in WEIMAQUE["events"]]
    events[3] = b'{"type": "\xe5\x87\xba", "actor": 0, "pai": "1m"}'
    events[5] = b'{"type": "\xe5\x87\xba", '
    events[6] = events[6] + b", " + events[7]
    (reading,) = read(b"\n".join([header, b"", *events]))
    assert [(fault.seq, fault.line) for fault in reading.faults] == [(3, 6), (5, 8), (6, 9)]
    assert reading.prefix is not None
    assert len(reading.prefix.events) == 3


def test_the_prefix_ends_before_the_first_bad_event() -> None:
    body = copy.deepcopy(WEIMAQUE)
    body["events"][7]["pai"] = "?!"
    body["events"][9]["actor"] = 5
    body["annotations"] = [{"seq": 2, "by": "甲", "text": "好"}, {"seq": 8, "by": "甲", "text": "坏"}]
    reading = read_json(json.dumps(body).encode())
    assert reading.prefix == read_one(json.dumps({**body, "events": body["events"][:7], "annotations": body["annotations"][:1]}).encode())
    assert read_json(json.dumps({**body, "game": "go"}).encode()).prefix is None
    assert read_json(json.dumps({**WEIMAQUE, "events": WEIMAQUE["events"][1:]}).encode()).prefix is None


def test_events_of_a_request() -> None:
    good = b'[{"type": "\xe8\xbf\x87", "actor": 1}, {"type": "\xe6\x8f\xad", "actor": 2, "pai": "?"}]'
    assert len(read_events(good, None, "weimaque", seats=3, next_seq=5)) == 2
    assert len(read_events(good[1:-1].replace(b"}, ", b"}\n"), "jsonl", "weimaque", seats=3, next_seq=5)) == 2
    with pytest.raises(Unreadable) as caught:
        read_events(good.replace(b'"actor": 2', b'"actor": 3'), None, "weimaque", seats=3, next_seq=5)
    (fault,) = caught.value.faults
    assert (fault.path, fault.seq) == ("$[1].actor", 6)
    start = json.dumps(WEIMAQUE["events"][0]).encode()
    deal = json.dumps(WEIMAQUE["events"][1]).encode()
    assert len(read_events(deal, "json", "weimaque", seats=4, next_seq=1)) == 1
    for refused, seq in ((start, 1), (deal, 2), (b"[]", 4), (b"{}", 4), (b"", 4), (b"null", 4)):
        with pytest.raises(Unreadable):
            read_events(refused, None, "weimaque", seats=4, next_seq=seq)


@pytest.mark.parametrize("form", [None, "json"])
def test_a_plain_move_is_taken_as_it_is_and_no_other_for_one(form: Format | None) -> None:
    def read(text: str, seats: int = 3, seq: int = 5) -> list[Any]:
        return read_events(text.encode(), form, "weimaque", seats=seats, next_seq=seq)

    move = '{"type":"出","actor":2,"pai":"一"}'
    (event,) = read(move)
    assert [event] == read(f"[{move}]")
    assert msgspec.json.decode(msgspec.json.encode(event)) == json.loads(move)
    (timed,) = read('{"type":"出","actor":2,"pai":"一","at":"2026-01-01T10:00:00Z"}')
    assert timed.at == "2026-01-01T10:00:00Z"
    for broken, seats, seq in (
        ('{"type":"出","actor":1,"actor":2,"pai":"一"}', 3, 5),
        ('{"type":"出","actor":2,"pai":"一","pai":"一"}', 3, 5),
        ('{"type":"出","actor":3,"pai":"一"}', 3, 5),
        ('{"type":"出","actor":2,"pai":"一","at":"昨天"}', 3, 5),
        ('{"type":"出","actor":2,"pai":"九九"}', 3, 5),
        (move, 3, 0),
    ):
        with pytest.raises(Unreadable):
            read(broken, seats, seq)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("2026-11-28T20:15:00+08:00", True),
        ("2026-11-28t20:15:00.123456789z", True),
        ("2016-12-31T23:59:60Z", True),
        ("2026-11-28T20:15:00", False),
        ("2026-02-30T20:15:00Z", False),
        ("2026-11-28 20:15:00Z", False),
        ("2026-11-28T24:00:00Z", False),
        ("2026-11-28T20:15:00+24:00", False),
        ("\uff12026-11-28T20:15:00Z", False),
        ("2026-11-28T20:15:00Z\n", False),
    ],
)
def test_moments(text: str, good: bool) -> None:
    assert is_moment(text) == good


SEED = json.dumps(THREE, ensure_ascii=False).encode()


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode), st.sampled_from([None, *FORMATS]))
@example(b"\xdd\xff\xff\xff\xff", None)
@example(b"[" * 100_000, None)
@example(b'{"format":1}\n{"events":[{}]}\n\xff', "jsonl")
def test_bytes_of_any_kind_raise_nothing_else(data: bytes, form: Format | None) -> None:
    for reading in read(data, form):
        assert (reading.record is None) == bool(reading.faults)
        assert reading.prefix is None or fits_table(reading.prefix)
    for parse in (from_json, from_msgpack):
        with suppress(Unreadable):
            parse(data)


@given(st.integers(0, len(SEED) - 1), st.binary(max_size=6), st.integers(0, 6))
def test_damaged_records_raise_nothing_else(place: int, put: bytes, cut: int) -> None:
    for data in (SEED, msgspec.msgpack.encode(THREE)):
        damaged = data[:place] + put + data[place + cut :]
        for reading in read(damaged):
            assert (reading.record is None) == bool(reading.faults)
            assert all(fault.message("zh") and fault.message("en") for fault in reading.faults)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.sampled_from(["", "出", "一", "更正", "开局", "起牌", "weimaque", "paipu/1", "?"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["type", "actor", "pai", "event", "seq"]), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(
    st.lists(
        st.tuples(st.integers(0, 10), st.sampled_from(["type", "actor", "pai", "event", "hands", "players", "at", "transfers"]), VALUES),
        max_size=3,
    )
)
def test_the_quick_answer_and_the_full_report_agree(changes: list[tuple[int, str, Any]]) -> None:
    body = copy.deepcopy(THREE)
    for seq, key, value in changes:
        body["events"][seq][key] = value
    full = read_body(from_json(json.dumps(body).encode()))
    quick = read_json(json.dumps(body).encode())
    assert (quick.record is None) == (full.record is None)
    if quick.record is not None:
        assert fits_table(quick.record)
        assert quick.record == full.record
    else:
        try:
            typed = msgspec.json.decode(json.dumps(body), type=type(read_json(SEED).required()))
        except msgspec.ValidationError:
            return
        assert not fits_table(typed)
