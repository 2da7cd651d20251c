"""Two hands that differ only in what somebody may not see: everything that the service answers him is the same, byte for byte."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import httpx
import msgspec
import pytest

from engine.games import GAMES, game_of
from engine.log import effective_log
from engine.view import Viewer, masked
from engine.weimaque.seating import shouxing_seat
from schemas import changde as c
from schemas import weimaque as w
from services.http.examples import examples
from services.http.live import message
from services.http.operations import OPERATIONS
from tools.play import whole_hand
from tools.random_hand import random_hand

pytestmark = pytest.mark.anyio

Site = Any

PAIRS = int(os.environ.get("PAIPU_PAIRS", "1"))
"""Pairs of hands for each game and view; ``make soak`` asks for more."""

CLOCKS = re.compile(rb'("(?:recorded_at|created_at|removed_at|since|until)":)"[^"]*"')
"""What no two requests have in common: the clock of the database. Ids are the same, for both sites are asked with the same keys."""

OTHER_NAMES = re.compile("牌友[0-9a-f]{10}".encode())

FORMATS = ("json", "jsonl", "msgpack")


def hidden_otherwise(record: Any, viewer: Viewer, random: Random) -> Any:
    """The record with other cards wherever the viewer sees none."""
    seen = masked(record, viewer).events
    tokens = [token for token in GAMES[game_of(record).name].index if token != "?"]

    def hand(cards: Any) -> Any:
        if cards is None or random.random() < 0.2:
            return None
        return [random.choice(tokens) for _ in cards]

    def other(written: Any, shown: Any) -> Any:
        if written == shown:
            return written
        if isinstance(written, w.Deal | c.Deal):
            hands = [own if own == there else hand(own) for own, there in zip(written.hands, shown.hands, strict=True)]
            if isinstance(written, w.Deal):
                return msgspec.structs.replace(written, hands=hands, stock=hand(written.stock))
            return msgspec.structs.replace(written, hands=hands, wall=hand(written.wall))
        if hasattr(written, "event"):
            return msgspec.structs.replace(written, event=other(written.event, shown.event))
        return msgspec.structs.replace(written, pai=random.choice(tokens))

    return msgspec.structs.replace(record, events=[other(written, shown) for written, shown in zip(record.events, seen, strict=True)])


def pair(game: str, viewer: Viewer | None, random: Random) -> tuple[Any, Any, Viewer] | None:
    """A hand that is on, another that looks the same to a viewer (``None``: to 守醒) and has at every version, and the viewer."""
    whole = whole_hand(game, random) if random.random() < 0.5 else random_hand(game, random, faults=0.05, talk=0.2, stacked=True)
    record = msgspec.structs.replace(whole, events=whole.events[: random.randrange(3, len(whole.events))])
    start: Any = effective_log(record.events).events[0]
    if viewer is None:
        seat = shouxing_seat(start) if game == "weimaque" else -1
        viewer = "public" if seat < 0 else seat
    if isinstance(viewer, int) and viewer >= len(start.players):
        return None
    other = hidden_otherwise(record, viewer, random)
    if record.events == other.events:
        return None
    for version in range(2, len(record.events) + 1):
        one, two = (msgspec.structs.replace(whole, events=whole.events[:version]) for whole in (record, other))
        if masked(one, viewer).events != masked(two, viewer).events:
            return None
    return record, other, viewer


def plain(record: Any, title: str) -> dict[str, Any]:
    """The record as it is sent, with a comment that tells of hidden cards and a time of play, by which lists are ordered."""
    body = msgspec.to_builtins(record)
    told = json.dumps(body["events"][1], ensure_ascii=False)
    note = {"seq": 1, "by": "记录", "text": told}
    return {**body, "meta": {"title": title, "played_at": "2026-11-28T20:15:00+08:00"}, "annotations": [note]}


def questions(game_id: UUID, events: int, seat: int | None) -> list[tuple[str, str, Any]]:
    """Everything that can be asked of a game: each GET of the service, in every view and format, and changes that are refused."""
    asked: list[tuple[str, str, Any]] = []
    for method, pattern in OPERATIONS:
        if method != "get" or pattern in ("/metrics", "/api/games/{game_id}/stream") or "{rule_id}" in pattern or "{preset}" in pattern:
            continue
        path = pattern.replace("{game_id}", str(game_id)).replace("{match_id}", str(game_id)).replace("{seq}", str(events - 1))
        asked.append(("GET", path, None))
        if "{game_id}" in pattern:
            asked += [("GET", f"{path}?view={view}&possible=1", None) for view in ("full", "public", 0, 3)]
    base = f"/api/games/{game_id}"
    asked += [("GET", f"{base}?format={form}{more}", None) for form in FORMATS for more in ("", "&pseudonyms=1")]
    asked += [("GET", f"{base}/frames/{seq}", None) for seq in {1, events // 2, events - 2}]
    asked += [("GET", f"{base}/frames?known=then", None), ("POST", f"{base}/repairs?limit=2", None)]
    asked += [("GET", f"{base}/frames?version={events - 1}", None), ("GET", f"{base}/verdict?rules=%7B%7D&possible=1", None)]
    asked += [("GET", f"/api/games?{more}", None) for more in ("has=violations", "winner=甲", "player=甲", "text=甲", "limit=1")]
    asked += [("GET", f"/api/statistics?{more}", None) for more in ("player=甲", "has=violations")]
    asked += [("GET", path, None) for path in ("/", f"/games/{game_id}", f"/games/{game_id}/1")]
    ruling = {"type": "裁定", "seq": events - 1, "rule": "wmq-turn", "decision": "stood"}
    asked += [
        ("POST", f"{base}/events?dry_run=1", ruling),
        ("POST", f"{base}/events?dry_run=1", {"type": "过", "actor": seat or 0}),
        ("POST", f"{base}/events", {"type": "过", "actor": 0}),
        ("POST", f"{base}/events?stale", ruling),
        ("DELETE", f"{base}/annotations/0", None),
        ("PUT", f"{base}/access", examples()["AccessWanted"]),
        ("PUT", f"{base}/lease", examples()["LeaseWanted"]),
    ]
    return asked


BY_HAND = {"/api/games/{game_id}/stream", "/metrics"}
"""What does not end is compared in ``streamed``, what counts requests in ``counted``."""

VALUES: dict[str, list[str]] = {
    "view": ["public", "0", "1", "full"],
    "rules": ["{}", "[]"],
    "without": ["names"],
    "player": ["甲", "nobody"],
    "winner": ["甲", "乙"],
    "text": ["甲"],
    "from": ["2026-11-28"],
    "to": ["2026-11-29"],
    "cursor": ["x"],
    "share": ["x"],
    "wait": ["0"],
}
"""What is asked by the name of a parameter whose schema does not say it."""


def values(one: dict[str, Any], match_id: UUID, last: int) -> list[str]:
    """What is asked by a parameter: every word that it may be, or some numbers and texts."""
    schema = one["schema"]
    if "enum" in schema:
        return [str(word) for word in schema["enum"]]
    if schema.get("type") == "integer":
        return VALUES.get(one["name"], ["1", str(last)]) if one["name"] == "wait" else ["1", str(last)]
    return [str(match_id), str(UUID(int=0))] if schema.get("format") == "uuid" else VALUES[one["name"]]


def every_call(game_id: UUID, match_id: UUID, events: int) -> list[tuple[str, str, Any]]:
    """Every call of the document, changes included, plainly and with each of its parameters."""
    named = {"game_id": game_id, "match_id": match_id, "token_id": game_id, "seq": events - 1, "n": 1}
    known = {**examples(), "Events": {"type": "过", "actor": 0}, "lines": examples()["Record"], "HandWanted": {"game": str(game_id)}}
    known["Annotation"] = {"seq": events - 1, "by": "丁", "text": "该等一等", "line": [{"type": "过", "actor": 0}]}
    asked: list[tuple[str, str, Any]] = []
    for (method, pattern), operation in OPERATIONS.items():
        if pattern in BY_HAND:
            continue
        path = pattern.replace("{rule_id}", "wmq-turn").replace("{preset}", "dazhuo")
        for name, value in named.items():
            path = path.replace(f"{{{name}}}", str(value))
        body = None if operation.takes is None else known[operation.takes]
        asked.append((method.upper(), path, body))
        for one in operation.asks:
            if one["in"] == "query":
                asked += [(method.upper(), f"{path}?{one['name']}={value}", body) for value in values(one, match_id, events - 1)]
    ruling = {"type": "裁定", "seq": events - 1, "rule": "wmq-turn", "decision": "stood"}
    base = f"/api/games/{game_id}"
    asked.append(("POST", f"{base}/events?now={events}", ruling))
    return [*asked, ("GET", f"{base}/rulings", None), ("GET", f"{base}/annotations", None), ("GET", f"{base}/variations/2/frames", None)]


async def answers(client: httpx.AsyncClient, asked: Sequence[tuple[str, str, Any]]) -> list[tuple[str, str, int, dict[str, str], bytes]]:
    told: list[tuple[str, str, int, dict[str, str], bytes]] = []
    for method, path, body in asked:
        headers = {"If-Match": '"1"'} if path.endswith("?stale") else {}
        if "?now=" in path:
            headers["If-Match"] = f'"{path.rpartition("=")[2]}"'
        if method == "POST" and path.startswith("/api/games") and "/" not in path[10:]:
            headers["Idempotency-Key"] = path.partition("?")[2] or "plain"  # so that what is stored has the same id at both
        answer = await client.request(method, path, json=body, headers=headers)
        assert answer.status_code < 500, (method, path, answer.text)
        told.append((method, path, answer.status_code, dict(answer.headers), CLOCKS.sub(rb"\1", answer.content)))
    return told


async def streamed(site: Site, token: str, game_id: UUID, events: int) -> list[bytes]:
    """The bytes that a stream sends of a game up to now: from its beginning, and resumed behind some of its events."""
    caller = await site.parts.access.caller(token)
    said: list[bytes] = []
    for seen in (0, 2, events // 2, events - 1, events):
        async for told in site.parts.live.stream(caller, game_id, seen=seen, view=None, ping=0.01):
            said.append(CLOCKS.sub(rb"\1", message(told)))
            if not told.name:
                break
    return said


async def counted(site: Site) -> list[str]:
    """What the metrics count, which is what the log tells of requests: method, pattern and status."""
    async with site.client(site.owner) as client:
        lines = (await client.get("/metrics")).text.splitlines()
    return sorted(line for line in lines if line.startswith("paipu_requests_total"))


@pytest.mark.parametrize("game", ["weimaque", "changde"])
@pytest.mark.parametrize("viewpoint", ["public", "守醒", "0", "2"])
async def test_what_is_hidden_leaves_no_trace_in_any_answer(sites: Any, game: str, viewpoint: str, tmp_path: Path) -> None:
    # Other names come from the secret of the data folder.
    first, second = await sites(data=tmp_path), await sites(data=tmp_path)
    random = Random(f"{game} {viewpoint}")
    found = 0
    for attempt in range(400 * PAIRS):
        if found == PAIRS:
            break
        viewer: Viewer | None = {"public": "public", "守醒": None, "0": 0, "2": 2}[viewpoint]  # pyright: ignore[reportAssignmentType]
        made = pair(game, viewer, random)
        if made is None:
            continue
        found += 1
        await compare(first, second, made[0], made[1], viewpoint, made[2], f"{attempt}")
    assert found == PAIRS


async def compare(first: Site, second: Site, one: Any, other: Any, viewpoint: str, viewer: Viewer, key: str) -> None:
    ids = [await site.add(plain(record, key), key=key) for site, record in ((first, one), (second, other))]
    assert ids[0] == ids[1]
    game_id, seat = ids[0], viewer if isinstance(viewer, int) else None
    match_id = UUID(int=game_id.int ^ 1)
    for site in (first, second):
        await site.store.matches.create(match_id=match_id, owner="owner", header=b'{"title":"x"}', games=(game_id,))
    asked = questions(game_id, len(one.events), seat)
    every = every_call(game_id, match_id, len(one.events))
    roles: list[dict[str, Any]] = [{"role": role, "game": game_id, "viewpoint": viewpoint} for role in ("reader", "reviewer", "referee")]
    if viewpoint == "public":
        roles += [{"role": "reader"}, {"role": "recorder"}]
    seen = 0
    for role in roles:
        told: list[Any] = []
        for site in (first, second):
            token = await site.token(f"somebody {key}", **role)
            async with site.client(token) as client:
                more = every if role["role"] in ("reader", "referee") else []
                told.append(await answers(client, [*asked, *more]))
            told[-1].append(await streamed(site, token, game_id, len(one.events)))
        for mine, others in zip(*told, strict=True):
            assert mine == others, (role, mine, others)
        seen += sum(answer[2] == 200 for answer in told[0][:-1])
    assert seen > 30 * len(roles)
    if viewpoint == "public":
        for visibility in ("link", "public"):
            told = []
            for site in (first, second):
                token = await site.link(game_id) if visibility == "link" else None
                if visibility == "public":
                    async with site.client(site.owner) as client:
                        await client.put(f"/api/games/{game_id}/access", json={"visibility": "public"})
                async with site.client(token) as client:
                    told.append(await answers(client, asked))
            for mine, others in zip(*told, strict=True):
                # Each link has other names of its own.
                assert mine[:-1] == others[:-1]
                assert OTHER_NAMES.sub(b"", mine[-1]) == OTHER_NAMES.sub(b"", others[-1]), (mine, others)
    assert await counted(first) == await counted(second)


async def test_the_owner_is_told_what_others_are_not(site: Site) -> None:
    made = None
    random = Random(1)
    while made is None:
        made = pair("weimaque", "public", random)
    game_id = await site.add(plain(made[0], "full"))
    full, public = (msgspec.to_builtins(record)["events"] for record in (made[0], masked(made[0], "public")))
    for token, wanted in ((site.owner, full), (await site.token("r", role="reader"), public)):
        async with site.client(token) as client:
            told = (await client.get(f"/api/games/{game_id}")).json()
            assert told["events"] == wanted
            assert ("annotations" in told) == (wanted == full)


def test_every_call_is_asked_or_named() -> None:
    patterns = {pattern for _, pattern in OPERATIONS}
    assert patterns >= BY_HAND
    asked = every_call(UUID(int=1), UUID(int=2), 9)
    assert len({(method, path.partition("?")[0]) for method, path, _ in asked}) >= len(OPERATIONS) - len(BY_HAND)
