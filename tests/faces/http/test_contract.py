"""The document is right, and nothing that is sent makes the service fail: schemathesis over every call, hypothesis over every decoder."""

import json
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.specs.openapi import checks as openapi_checks

from services.formats.claims import read_claims, read_rules
from services.formats.events import read_events
from services.formats.faults import Unreadable
from services.formats.notes import read_note
from services.formats.reading import LineReader, read, read_one
from services.http.document import openapi
from services.http.examples import examples
from services.samples import sample_text
from services.secrets import digest_of, form_token, game_of_share
from services.store.listing import _read_cursor  # pyright: ignore[reportPrivateUsage] - a decoder of what strangers send

EXAMPLES = int(os.environ.get("PAIPU_EXAMPLES", "6"))
"""Requests to each call, of each kind; ``make soak`` asks for more."""

BUDGET = float(os.environ.get("PAIPU_SECONDS", "60"))
"""Seconds for all calls together."""

DOCUMENT: dict[str, Any] = json.loads(openapi())
ENDLESS = "/api/games/{game_id}/stream"

CHECKS_OF_ALL: Any = checks
OPENAPI_CHECKS: Any = openapi_checks
CHECKS: list[Any] = [
    CHECKS_OF_ALL.not_a_server_error,
    OPENAPI_CHECKS.status_code_conformance,
    OPENAPI_CHECKS.content_type_conformance,
    OPENAPI_CHECKS.response_schema_conformance,
]


@schemathesis.serializer("application/x-ndjson", "application/vnd.msgpack")
def as_it_is(_: Any, value: Any) -> bytes:
    """What has no serializer of its own is sent as it comes, right or wrong."""
    return value if isinstance(value, bytes) else json.dumps(value, default=str).encode()


schema: Any = schemathesis.openapi.from_dict(DOCUMENT)
_spent = 0.0


@pytest.fixture(scope="module")
def world(service: Any) -> dict[str, str]:
    """What parameters must name to reach anything: a game, a match and a token that are there."""
    client = service.client
    game_id = client.post("/api/games?again=1", content=sample_text("weimaque-4")).json()["id"]
    client.post(f"/api/games/{game_id}/annotations", json=examples()["Annotation"])
    match_id = client.post("/api/matches", json={"games": [game_id]}).json()["id"]
    token_id = client.post("/api/tokens", json={"name": "x", "role": "reader"}).json()["id"]
    return {"game_id": game_id, "match_id": match_id, "token_id": token_id, "rule_id": "wmq-turn", "preset": "dazhuo"}


@schema.exclude(path=ENDLESS).parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much, HealthCheck.too_slow],
)
def test_every_call_answers_as_the_document_says(case: Any, service: Any, world: dict[str, str]) -> None:
    global _spent
    if _spent > BUDGET:
        return
    began = time.monotonic()
    # Half of the requests reach what is there, so that more than the look-up is tried.
    if case.path_parameters and sum(map(ord, json.dumps(case.path_parameters, default=str))) % 2:
        case.path_parameters = {name: world.get(name, value) for name, value in case.path_parameters.items()}
    if case.operation.label == "DELETE /api/tokens/{token_id}":
        case.path_parameters = {"token_id": str(UUID(int=7))}
    if case.query:
        case.query.pop("wait", None)  # it would be waited for
    case.call_and_validate(
        base_url=service.address,
        headers={"Authorization": service.client.headers["Authorization"]},
        checks=CHECKS,
    )
    _spent += time.monotonic() - began


def test_every_example_fits_its_shape() -> None:
    found = 0
    for calls in DOCUMENT["paths"].values():
        for call in calls.values():
            contents = [*call.get("requestBody", {}).get("content", {}).values()]
            contents += [content for answer in call["responses"].values() for content in answer.get("content", {}).values()]
            for content in contents:
                if "example" in content:
                    found += 1
                    jsonschema_rs.validator_for({**content["schema"], "components": DOCUMENT["components"]}).validate(content["example"])
    assert found > 15


def _events(data: bytes, form: Any) -> None:
    read_events(data, form, "weimaque", seats=4, next_seq=3)


def _lines(data: bytes, form: Any) -> None:
    reader = LineReader()
    for line in data.split(b"\n"):
        list(reader.feed(line))
    list(reader.close())


RECORD = read_one(sample_text("weimaque-1"))

DECODERS: dict[str, Callable[[bytes, Any], Any]] = {
    "records": lambda data, form: [reading.prefix for reading in read(data, form)],
    "lines": _lines,
    "events": _events,
    "annotations": lambda data, form: read_note(data, form if form != "jsonl" else None, RECORD),
    "claims": read_claims,
    "rules": lambda data, form: read_rules(data, "changde"),
    "cursors": lambda data, form: _read_cursor(data.decode("latin-1")),
    "links": lambda data, form: game_of_share(f"pps_{data.decode('latin-1')}"),
    "secrets": lambda data, form: (digest_of(data.decode("utf-8", "surrogateescape")), form_token(data.decode("latin-1"))),
}

PASS = b'{"type":"\xe8\xbf\x87","actor":0}'
TEXTS = [sample_text("weimaque-4"), sample_text("changde-2"), json.dumps(examples()["Claim"]).encode(), PASS]
PIECES = [b"null", b"[[", b"1e999", b'"?"', b"\\ud800"]
TREES = st.recursive(st.none() | st.integers() | st.text(), st.lists).map(repr).map(str.encode)
FORMS = st.sampled_from([None, "json", "jsonl", "msgpack"])


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Something that was right, with some bytes taken out, put in, or doubled."""
    text = bytearray(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        text[at : at + draw(st.integers(0, 20))] = draw(st.binary(max_size=8) | st.sampled_from(PIECES))
    return bytes(text)


@pytest.mark.parametrize("name", DECODERS)
@settings(max_examples=EXAMPLES * 20)
@given(data=st.binary(max_size=300) | damaged() | TREES, form=FORMS)
def test_no_bytes_make_a_decoder_fail(name: str, data: bytes, form: Any) -> None:
    # A cursor that no page gave is a ValueError by its contract; everything else says what is wrong in its own way.
    with suppress(Unreadable, *((ValueError,) if name == "cursors" else ())):
        DECODERS[name](data, form)


def test_nothing_is_taken_from_elsewhere() -> None:
    assert not re.search(r"https?://", json.dumps({**DOCUMENT, "$schema": None}))
