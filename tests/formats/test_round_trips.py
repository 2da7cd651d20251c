"""Record → bytes → record keeps everything, in every format and from every way of writing the same thing."""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.record import Record
from services.formats.canonical import canonical
from services.formats.events import parts, record_text, stored_record
from services.formats.media import FORMATS, Format, format_of_content, format_of_media, format_of_name
from services.formats.reading import read, read_body, read_json, read_one
from services.formats.writing import write, write_lines

VECTORS = Path(__file__).parent.parent / "vectors"
CLEAN = [line for name in ("weimaque", "changde") for line in (VECTORS / f"{name}-records-clean.jsonl").read_bytes().splitlines()]

PLAIN = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
"""What ``meta`` may hold under a key that the program does not know."""


def with_meta(meta: dict[str, Any]) -> dict[str, Any]:
    return {**json.loads(CLEAN[0]), "meta": meta}


@pytest.mark.parametrize("form", FORMATS)
def test_clean_records_come_back_the_same(form: Format) -> None:
    for line in CLEAN:
        told = canonical(json.loads(line))
        record = read_json(line).required()
        assert canonical(record) == told
        written = write(record, form)
        assert format_of_content(written) == form
        assert canonical(read_one(written)) == told
        assert canonical(read_one(written, form)) == told


def test_the_full_walk_accepts_what_the_typed_decoder_accepts() -> None:
    for line in CLEAN:
        assert read_body(json.loads(line)).required() == read_json(line).required()


def test_many_records_in_one_input() -> None:
    readings = read(write_lines(read_json(line).required() for line in CLEAN))
    assert [reading.index for reading in readings] == list(range(len(CLEAN)))
    assert [reading.line for reading in readings] == list(range(1, len(CLEAN) + 1))
    assert [canonical(reading.required()) for reading in readings] == [canonical(json.loads(line)) for line in CLEAN]


def test_parts_make_the_record_again() -> None:
    for line in CLEAN:
        noted = {**json.loads(line), "annotations": [{"seq": 0, "by": "丁", "text": "该等一等", "glyph": "?!", "tags": ["一"]}]}
        record = read_json(json.dumps(noted).encode()).required()
        header, events, annotations = parts(record)
        assert record_text(header, events, annotations) == canonical(noted)
        assert stored_record(header, events, annotations) == record
        assert stored_record(header, events, annotations, [1] * len(events)) == record


@given(st.dictionaries(st.text(), PLAIN, max_size=4))
def test_unknown_meta_survives(meta: dict[str, Any]) -> None:
    told = canonical(with_meta(meta))
    for text in (json.dumps(with_meta(meta)).encode(), json.dumps(with_meta(meta), ensure_ascii=False, indent=2).encode(), told):
        record = read_one(text)
        assert canonical(record) == told
        for form in FORMATS:
            assert canonical(read_one(write(record, form), form)) == told


@given(PLAIN)
def test_canonical_json_is_sorted_tight_and_faithful(value: Any) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text
    assert canonical(msgspec.json.decode(json.dumps(value))) == text


def test_canonical_json_letter_by_letter() -> None:
    value = {
        "b": [1.0, 1e300, -0.0, 2**64 - 1, True, None],
        "a": '汉\u2028\x00"\\/\n',
        "é": {"z": 1, "A": 2, "a": 3},
        "\U0001f600": 0,
        "\uffff": 0,
    }
    assert canonical(value).decode() == (
        '{"a":"汉\u2028\\u0000\\"\\\\/\\n","b":[1.0,1e+300,-0.0,18446744073709551615,true,null],"é":{"A":2,"a":3,"z":1},"\uffff":0,"\U0001f600":0}'
    )


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_bom_crlf_and_blank_lines_are_read(form: Format) -> None:
    for line in CLEAN[:3]:
        written = write(read_json(line).required(), form)
        dressed = b"\xef\xbb\xbf\r\n" + written.replace(b"\n", b"\r\n\r\n") + b"\r\n"
        assert canonical(read_one(dressed)) == canonical(json.loads(line))
        assert canonical(read_one(dressed, form)) == canonical(json.loads(line))


def test_text_over_many_lines_is_read() -> None:
    for line in CLEAN[:5]:
        spread = json.dumps(json.loads(line), indent=1, ensure_ascii=False).encode()
        assert canonical(read_one(spread)) == canonical(json.loads(line))


def test_headers_and_whole_records_may_be_mixed() -> None:
    records = [read_json(line).required() for line in CLEAN[:4]]
    text = write(records[0], "jsonl") + write(records[1], "json") + b"\n" + write(records[2], "jsonl") + write(records[3], "jsonl")
    readings = read(text)
    assert [reading.required() for reading in readings] == records
    assert [reading.line for reading in readings] == [
        1,
        len(records[0].events) + 2,
        len(records[0].events) + 3,
        len(records[0].events) + len(records[2].events) + 4,
    ]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.paipu.json", "json"),
        ("a.JSON", "json"),
        ("a.paipu.jsonl", "jsonl"),
        ("b.ndjson", "jsonl"),
        ("c.paipu.msgpack", "msgpack"),
        ("c.txt", None),
    ],
)
def test_names_tell_the_format(name: str, form: Format | None) -> None:
    assert format_of_name(name) == form


@pytest.mark.parametrize(
    ("media", "form"),
    [
        ("application/json", "json"),
        ("Application/vnd.paipu+json; charset=utf-8", "json"),
        ("application/x-ndjson", "jsonl"),
        ("application/vnd.msgpack", "msgpack"),
        ("text/html", None),
    ],
)
def test_media_types_tell_the_format(media: str, form: Format | None) -> None:
    assert format_of_media(media) == form


def test_records_are_both_games() -> None:
    assert {type(read_json(line).required()) for line in CLEAN} == set(get_args(Record))
