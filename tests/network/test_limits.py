"""Every limit answers with a problem that says what the limit is, and what is within it passes."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest

from services.http import asked, batch
from services.http.app import application
from services.http.asked import MAX_BODY, MAX_FORM
from services.http.limits import REMEMBERED, Rate
from services.live import MAX_STREAMS
from services.records import MAX_EVENTS, MAX_PAGE
from services.sittings import MAX_HANDS

pytestmark = pytest.mark.anyio

Site = Any


def told(answer: httpx.Response, status: int, kind: str, limit: object) -> None:
    """It is a problem of a kind, in both senses: for a program and for people, and it names the limit."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == f"/problems/{kind}"
    said = answer.json()["detail"] + json.dumps(answer.json()["errors"], ensure_ascii=False)
    assert str(limit) in said, said


def nested(levels: int) -> bytes:
    return b'{"format":"paipu/1","game":"weimaque","meta":{"x":' + b"[" * levels + b"]" * levels + b'},"events":[]}'


async def test_bodies_events_nesting_and_pages_are_bounded(site: Site, clean: list[dict[str, Any]]) -> None:
    record = clean[0]
    game_id = await site.add({**record, "events": record["events"][:2]})
    path = f"/api/games/{game_id}"
    passes = [{"type": "过", "actor": 0}] * (MAX_EVENTS - 1)
    async with site.client(site.owner) as client:
        for target in ("/api/check", "/api/verify", "/api/games", f"{path}/annotations"):
            told(await client.post(target, content=b" " * (MAX_BODY + 1)), 413, "too-large", MAX_BODY)
        told(await client.post(f"{path}/events", content=b" " * (MAX_BODY + 1), headers={"If-Match": '"2"'}), 413, "too-large", MAX_BODY)
        for method, target in (("PUT", f"{path}/access"), ("PUT", f"{path}/lease"), ("POST", "/api/tokens"), ("POST", "/api/matches")):
            told(await client.request(method, target, content=b" " * (MAX_FORM + 1)), 413, "too-large", MAX_FORM)
        told(await client.post("/api/check", content=nested(100)), 400, "unreadable", 64)
        told(await client.post("/api/games", content=nested(50_000)), 400, "unreadable", 64)
        told(await client.post(f"{path}/events", json=passes, headers={"If-Match": '"2"'}), 413, "too-large", MAX_EVENTS)
        told(
            await client.post("/api/games", json={**record, "events": [record["events"][0], *passes, *passes[:1]]}),
            413,
            "too-large",
            MAX_EVENTS,
        )
        games = [str(UUID(int=place)) for place in range(MAX_HANDS + 1)]
        told(await client.post("/api/matches", json={"games": games}), 413, "too-large", MAX_HANDS)
        told(await client.get(f"/api/games?limit={MAX_PAGE + 1}"), 400, "invalid", MAX_PAGE)
        assert (await client.get("/api/games?limit=99999999999")).status_code == 400
        assert (await client.get(f"/api/feed?after={2**31}")).status_code == 400


async def test_a_line_of_a_batch_that_is_too_long_is_refused_by_itself(site: Site, clean: list[dict[str, Any]]) -> None:
    async def upload() -> AsyncIterator[bytes]:
        yield json.dumps(clean[0]).encode() + b"\n"
        for _ in range(12):
            yield b"x" * (MAX_BODY // 8)
        yield b"\n" + json.dumps(clean[1]).encode()

    async with site.client(site.owner) as client:
        answer = await client.post("/api/games:batch", content=upload())
        lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [(line["line"], line["status"]) for line in lines] == [(1, 201), (2, 400), (3, 201)]
    assert str(MAX_BODY) in json.dumps(lines[1])


async def test_an_upload_is_never_whole_in_memory(site: Site) -> None:
    most = 0
    sent = 0

    async def upload() -> AsyncIterator[bytes]:
        nonlocal most, sent
        for _ in range(100):
            piece = b"x" * 1_000_000 + b"\n"
            sent += len(piece)
            yield piece
            with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - a file of the kernel's memory
                resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
            most = max(most, resident - before)

    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - a file of the kernel's memory
        before = next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
    async with site.client(site.owner) as client:
        answer = await client.post("/api/games:batch", content=upload())
    assert len(answer.text.splitlines()) == 100
    assert sent > 100_000_000
    assert most * 1024 < sent / 2, f"{most} kB more for an upload of {sent} bytes"


async def vanishing(site: Site, path: str, headers: dict[str, str], body: bytes) -> int:
    """The status of a request whose sender goes away before it is done."""
    received = iter([{"type": "http.request", "body": body, "more_body": True}, {"type": "http.disconnect"}])
    status = 0

    async def receive() -> Any:
        return next(received)

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in {**headers, "host": "127.0.0.1"}.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    await site.app(scope, receive, send)
    return status


async def test_a_broken_batch_is_sent_again_and_nothing_is_doubled(
    site: Site, clean: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = [{**record, "events": record["events"][:3], "meta": {"title": f"{place}"}} for place, record in enumerate(clean[:8])]
    lines = [json.dumps(record).encode() for record in opened]

    monkeypatch.setattr(batch, "GROUP", 2)
    async with site.client(site.owner) as client:
        key = {"Idempotency-Key": "sunday"}
        status = await vanishing(site, "/api/games:batch", {**client.headers, **key}, b"\n".join(lines[:5]) + b"\n")
        assert status == 408
        assert len((await client.get("/api/games")).json()["games"]) == 4
        half = await client.post("/api/games:batch", content=b"\n".join(lines[:5]), headers=key)
        whole = await client.post("/api/games:batch", content=b"\n".join(lines), headers=key)
        again = await client.post("/api/games:batch", content=b"\n".join(lines), headers=key)
        assert [json.loads(line)["status"] for line in whole.text.splitlines()] == [201] * 8
        assert whole.text == again.text
        assert whole.text.startswith(half.text)
        changed = await client.post("/api/games:batch", content=b"\n".join([lines[1], lines[1]]), headers=key)
        told_lines = [json.loads(line) for line in changed.text.splitlines()]
        assert [line["status"] for line in told_lines] == [422, 201]
        assert told_lines[0]["error"]["type"] == "/problems/key-reused"
        assert len((await client.get("/api/games")).json()["games"]) == 8
        other = await client.post("/api/games:batch", content=lines[0], headers={"Idempotency-Key": "monday"})
        assert json.loads(other.text)["id"] != json.loads(whole.text.splitlines()[0])["id"]


async def test_an_export_can_be_broken_off_and_imported_again(sites: Any, clean: list[dict[str, Any]]) -> None:
    first, second = await sites(), await sites()
    records = [{**record, "meta": {"title": f"{place}"}} for place, record in enumerate(clean[:10])]
    async with first.client(first.owner) as client, second.client(second.owner) as other:
        await client.post("/api/games:batch", content=b"\n".join(json.dumps(record).encode() for record in records))
        whole = (await client.get("/api/games:export")).content
        pieces, path = b"", "/api/games:export?limit=3&game="
        while path:
            page = await client.get(path)
            assert page.headers["Content-Type"].startswith("application/x-ndjson")
            pieces += page.content
            path = page.headers.get("Link", "").partition(">")[0].removeprefix("<")
        assert pieces == whole
        assert len(whole.splitlines()) == 10
        answer = await other.post("/api/games:batch", content=whole)
        assert {json.loads(line)["status"] for line in answer.text.splitlines()} == {201}
        assert sorted((await other.get("/api/games:export")).content.splitlines()) == sorted(whole.splitlines())
        assert (await client.get("/api/games:export?after=x")).status_code == 400


async def test_a_body_that_does_not_come_is_not_waited_for_for_ever(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "PATIENCE", 0.2)

    async def upload() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(30)

    began = time.monotonic()
    for path in ("/api/check", "/api/games:batch"):
        async with site.client(site.owner) as client:
            told(await client.post(path, content=upload()), 408, "slow", 0.2)
    assert time.monotonic() - began < 20


def test_a_bucket_fills_at_its_rate() -> None:
    now = 0.0
    rate = Rate(2.0, 3, clock=lambda: now)
    assert [rate.take("甲") for _ in range(4)] == [0, 0, 0, 0.5]
    assert rate.take("乙") == 0
    now = 0.5
    assert [rate.take("甲"), rate.take("甲")] == [0, 0.5]
    now = 60.0
    assert [rate.take("甲") for _ in range(4)] == [0, 0, 0, 0.5]
    for place in range(REMEMBERED + 5):
        rate.take(f"{place}")
    assert rate.take("甲") == 0


async def test_who_asks_too_fast_is_told_when_to_come_back(sites: Any) -> None:
    site = await sites(rate=0.5, burst=5)
    token = await site.token("急", role="reader")
    async with site.client(token) as hasty, site.client(site.owner) as owner, site.client() as stranger:
        answers = [await hasty.get("/api/games") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        told(answers[-1], 429, "too-many", answers[-1].headers["Retry-After"])
        assert {(await owner.get("/api/games")).status_code for _ in range(20)} == {200}
        assert [(await stranger.get("/api/rules/wmq-turn")).status_code for _ in range(6)] == [200] * 5 + [429]


async def test_streams_are_bounded(site: Site, clean: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    game_id = await site.add({**clean[0], "events": clean[0]["events"][:2]})
    monkeypatch.setattr("services.live.MAX_STREAMS", 2)
    assert MAX_STREAMS > 2
    caller = await site.parts.access.caller(site.owner)
    streams = [site.parts.live.stream(caller, game_id, seen=0, view=None) for _ in range(2)]
    for stream in streams:
        await anext(stream)
    async with site.client(site.owner) as client:
        told(await client.get(f"/api/games/{game_id}/stream"), 429, "too-many", 2)
    for stream in streams:
        await stream.aclose()


async def test_it_is_ready_only_at_its_own_schema(site: Site) -> None:
    async with site.client() as client:
        assert (await client.get("/readyz")).status_code == 200
        site.parts.readiness._known.append("9999_later")  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - as if the program were newer
        behind = await client.get("/readyz")
        told(behind, 503, "unavailable", "")
        assert "版本" in behind.json()["detail"]
        assert (await client.get("/livez")).status_code == 200


async def test_the_reference_page_is_served_from_here_alone(site: Site) -> None:
    async with site.client() as client:
        page = await client.get("/schema")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    for absent in ("<script", "http://", "https://", "src="):
        assert absent not in page.text
    for call in ("/api/games/{game_id}/frames/{seq}", "/api/games:batch", "Idempotency-Key"):
        assert call in page.text


@pytest.mark.parametrize(
    ("listens", "host", "origin", "status"),
    [
        ("127.0.0.1", "127.0.0.1:8000", None, 200),
        ("127.0.0.1", "localhost", "http://localhost", 200),
        ("127.0.0.1", "192.168.1.5:8000", None, 403),
        ("127.0.0.1", "paipu.example", None, 403),
        ("0.0.0.0", "192.168.1.5:8000", "http://192.168.1.5:8000", 200),
        ("0.0.0.0", "paipu.example", None, 403),
        ("::", "[fe80::1]:8000", None, 200),
        ("table.example", "TABLE.example:443", "https://table.example:443", 200),
        ("table.example", "table.example", "https://elsewhere.example", 403),
        ("table.example", "table.example", "null", 403),
        ("127.0.0.1", "", None, 403),
        ("127.0.0.1", "[", None, 403),
        ("127.0.0.1", "127.0.0.1:99999", None, 403),
        ("127.0.0.1", "127.0.0.1:abc", None, 403),
        ("127.0.0.1", "127.0.0.1:8000:8000", None, 403),
        ("127.0.0.1", "127.0.0.1/x", None, 403),
        ("127.0.0.1", "127.0.0.1#x", None, 403),
        ("127.0.0.1", "127.0.0.1:8000", "http://[::1", 403),
        ("127.0.0.1", "127.0.0.1:8000", "http://[x]", 403),
        ("127.0.0.1", "127.0.0.1:8000", "", 403),
    ],
)
async def test_only_its_own_names_and_pages_are_heard(site: Site, listens: str, host: str, origin: str | None, status: int) -> None:
    app: Any = application(site.parts, hosts=(listens,))
    headers = {"Host": host, **({} if origin is None else {"Origin": origin})}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client:
        answer = await client.get("/livez", headers=headers)
    assert answer.status_code == status
