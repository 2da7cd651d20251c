"""A repeated key is seen without writing the record again."""

import re
from pathlib import Path

import msgspec
import pytest

from schemas.record import Record
from services.formats.members import colons, outline, telling
from services.formats.reading import read_json

VECTORS = Path(__file__).parents[1] / "vectors"
DECODER = msgspec.json.Decoder(Record)


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_as_many_colons_as_the_record_written_again(game: str) -> None:
    for line in (VECTORS / f"{game}-records-clean.jsonl").read_bytes().splitlines():
        record = DECODER.decode(line)
        told = telling(record.events)
        assert colons(record, told, outline(record, told)) == msgspec.json.encode(record).count(b":")


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_every_member_that_is_repeated_is_refused(game: str) -> None:
    text = (VECTORS / f"{game}-records-clean.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert read_json(text.encode()).record is not None
    for member in re.finditer(r'"(?:type|actor|pai|format|game|dealer)": ?(?:"[^"]*"|[0-9]+)', text):
        doubled = f"{text[: member.start()]}{member[0]}, {text[member.start() :]}"
        assert read_json(doubled.encode()).record is None


def test_a_moment_does_not_hide_a_repeated_key() -> None:
    text = (VECTORS / "weimaque-records-clean.jsonl").read_text(encoding="utf-8").splitlines()[0]
    move = re.search(r'"type": ?"揭", ?', text)
    assert move is not None
    timed = text.replace(move[0], move[0] + '"at": "2026-11-28T20:15:00+08:00", ', 1)
    assert read_json(timed.encode()).record is not None
    assert read_json(timed.replace('"at"', '"actor": 1, "at"', 1).encode()).record is None
    assert read_json(timed.replace("-28T", "-31T", 1).encode()).record is None
