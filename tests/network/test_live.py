"""News as they come: every event once, in order, from where one left off; corrections as such; nothing to those who may not see it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from services.access import OWNER, STRANGER, Caller
from services.credentials import SESSION_COOKIE
from services.http.live import message
from services.live import PING_SECONDS, Live
from services.problems import ProblemError
from services.secrets import digest_of, new_secret
from services.store.feed import sequence
from services.store.model import NewToken
from services.words import Words

pytestmark = pytest.mark.anyio

Site = Any

PAIPU = Path(sys.executable).parent / "paipu"
SECONDS = 20


@asynccontextmanager
async def following(site: Site) -> AsyncGenerator[Live]:
    """The news of a service as they come, as its program follows them."""
    tasks = [asyncio.create_task(sequence(site.store.feed, 0.01)), asyncio.create_task(site.parts.live.run())]
    try:
        yield site.parts.live
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def append(client: httpx.AsyncClient, game_id: UUID, seq: int, events: Any) -> None:
    answer = await client.post(f"/api/games/{game_id}/events?mode=keep", json=events, headers={"If-Match": f'"{seq}"'})
    assert answer.status_code == 201, answer.text


async def test_events_come_as_they_are_written_and_corrections_as_such(site: Site, clean: list[dict[str, Any]]) -> None:
    events = clean[0]["events"]
    game_id = await site.add({**clean[0], "events": events[:3]})
    async with following(site) as live, site.client(site.owner) as client, asyncio.timeout(SECONDS):
        stream = live.stream(OWNER, game_id, seen=1, view=None)
        first = [await anext(stream) for _ in range(2)]
        assert [(told.name, told.id, json.loads(told.data)["event"]) for told in first] == [("event", seq, events[seq]) for seq in (1, 2)]
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        await append(client, game_id, 3, [*events[3:5], {"type": "作废", "seq": 4}])
        told = [await waiting, await anext(stream), await anext(stream)]
        assert [(one.name, one.id) for one in told] == [("event", 3), ("event", 4), ("correction", 5)]
        await append(client, game_id, 6, events[4:])
        later = [await anext(stream) for _ in events[4:]]
        assert [one.id for one in later] == list(range(6, 6 + len(events) - 4))
        over = await anext(stream)
        assert (over.name, json.loads(over.data)) == ("over", {"version": len(events) + 2})
        await stream.aclose()


async def test_a_reader_sees_no_hidden_card_and_is_cut_off_when_his_link_is_taken_back(site: Site, clean: list[dict[str, Any]]) -> None:
    game_id = await site.add({**clean[0], "events": clean[0]["events"][:4]})
    caller = await site.parts.access.caller(await site.link(game_id))
    async with following(site) as live, asyncio.timeout(SECONDS):
        stream = live.stream(caller, game_id, seen=0, view=None, ping=0.1)
        told = [json.loads((await anext(stream)).data)["event"] for _ in range(4)]
        assert told[1]["hands"] == [None] * len(clean[0]["events"][1]["hands"])
        assert told[1]["stock"] is None
        assert (await anext(stream)).name == ""
        await site.link(game_id)
        assert [one async for one in stream] == []
        with pytest.raises(ProblemError, match="no game"):
            await live.admit(caller, game_id, None)
        with pytest.raises(ProblemError, match="token"):
            await live.admit(STRANGER, game_id, None)


async def test_nothing_to_say_is_said_and_closing_ends_all(site: Site, clean: list[dict[str, Any]]) -> None:
    assert PING_SECONDS == 15
    game_id = await site.add({**clean[0], "events": clean[0]["events"][:2]})
    live = site.parts.live
    async with asyncio.timeout(SECONDS):
        stream = live.stream(OWNER, game_id, seen=2, view=None, ping=0.05)
        assert message(await anext(stream)) == b": ping\n\n"
        waiting = asyncio.ensure_future(anext(live.stream(OWNER, game_id, seen=2, view=None)))
        feed = asyncio.ensure_future(live.feed(OWNER, after=99, limit=10, wait=SECONDS))
        await asyncio.sleep(0.1)
        live.close()
        with pytest.raises(StopAsyncIteration):
            await waiting
        assert (await feed).entries == []
        await stream.aclose()


@pytest.mark.parametrize("asked", ["rights", "record"])
async def test_a_stream_waits_for_a_database_that_is_away(
    site: Site, clean: list[dict[str, Any]], asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = await site.add({**clean[0], "events": clean[0]["events"][:2]})
    opened = site.parts.records.open
    away = True

    def answer(what: str) -> None:
        if away and what == asked:
            raise ProblemError("unavailable", Words("不在", "away"))

    async def still() -> Caller:
        answer("rights")
        return OWNER

    async def opening(*args: Any) -> Any:
        answer("record")
        return await opened(*args)

    monkeypatch.setattr(site.parts.records, "open", opening)
    async with asyncio.timeout(SECONDS):
        stream = site.parts.live.stream(OWNER, game_id, seen=1, view=None, still=still)
        assert message(await anext(stream)) == b": ping\n\n"
        away = False
        assert (await anext(stream)).id == 1
        await stream.aclose()


async def test_the_feed_tells_other_programs_of_every_append_once(site: Site, clean: list[dict[str, Any]]) -> None:
    games = [await site.add({**clean[place], "events": clean[place]["events"][:3]}) for place in range(4)]
    async with following(site), site.client(site.owner) as owner, asyncio.timeout(SECONDS):
        first = (await owner.get("/api/feed?limit=3")).json()
        rest = (await owner.get(f"/api/feed?after={first['next']}")).json()
        entries = first["entries"] + rest["entries"]
        assert [entry["position"] for entry in entries] == [1, 2, 3, 4]
        assert [entry["game"] for entry in entries] == [str(game_id) for game_id in games]
        waiting = asyncio.ensure_future(owner.get(f"/api/feed?after={rest['next']}&wait=10"))
        await asyncio.sleep(0.1)
        await append(owner, games[1], 3, clean[1]["events"][3])
        (news,) = (await waiting).json()["entries"]
        assert (news["game"], news["first_seq"], news["last_seq"]) == (str(games[1]), 3, 3)
        assert {"head", "hash"} <= set(news)
        async with site.client(await site.token("一盘", role="reader", game=games[1])) as reader:
            seen = (await reader.get("/api/feed")).json()
            assert [entry["position"] for entry in seen["entries"]] == [2, 5]
            # A hash binds hidden cards: whoever has it can try them out.
            assert all(set(entry) == {"position", "game", "first_seq", "last_seq"} for entry in seen["entries"])


@asynccontextmanager
async def serving(data: Path, **variables: str) -> AsyncGenerator[tuple[subprocess.Popen[bytes], httpx.AsyncClient, list[str]]]:
    """The program itself in a process of its own, a client with the owner's token, and what it said on standard error till it was ready."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIPU_")}
    process = subprocess.Popen(
        [PAIPU, "serve", "--port", "0", "--lang", "en"], stderr=subprocess.PIPE, env={**environment, "PAIPU_DATA": str(data), **variables}
    )
    assert process.stderr is not None
    said: list[str] = []
    try:
        while not any("Ctrl-C" in line for line in said):
            line = (await asyncio.to_thread(process.stderr.readline)).decode()
            assert line, said
            said.append(line)
        address = re.search(r"http://\S+?/", said[0])
        assert address is not None
        headers = {"Authorization": f"Bearer {(data / 'token').read_text().strip()}"}
        async with httpx.AsyncClient(base_url=address[0], headers=headers, timeout=60) as client:
            yield process, client, said
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(60)
        process.stderr.close()


async def messages(answer: httpx.Response) -> AsyncIterator[dict[str, str]]:
    """The events of a stream; comments are passed over."""
    fields: dict[str, str] = {}
    async for line in answer.aiter_lines():
        if line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield fields
            fields = {}


async def test_a_stream_over_the_wire_goes_on_where_it_broke_off_and_ends_with_the_program(
    tmp_path: Path, clean: list[dict[str, Any]]
) -> None:
    events = clean[0]["events"]
    async with serving(tmp_path) as (process, client, said), asyncio.timeout(60):
        link = next(re.search(r"http://\S+/enter/\S+", line) for line in said if "/enter/" in line)
        assert link is not None
        async with httpx.AsyncClient() as browser:
            assert (await browser.get(link[0])).status_code == 200
            assert "owner" in (await browser.get(str(client.base_url))).text
        path = (await client.post("/api/games", json={**clean[0], "events": events[:3]})).headers["Location"]
        async with client.stream("GET", f"{path}/stream") as answer:
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            received = messages(answer)
            assert [(await anext(received))["id"] for _ in range(3)] == ["0", "1", "2"]
        await client.post(f"{path}/events", json=events[3:5], headers={"If-Match": '"3"'})
        async with client.stream("GET", f"{path}/stream", headers={"Last-Event-ID": "2"}) as answer:
            received = messages(answer)
            one = await anext(received)
            assert (one["event"], one["id"], json.loads(one["data"])["event"]) == ("event", "3", events[3])
            assert (await anext(received))["id"] == "4"
            await client.post(f"{path}/events", json=events[5], headers={"If-Match": '"5"'})
            assert (await anext(received))["id"] == "5"
            assert (await client.get(f"{path}/stream", headers={"Last-Event-ID": "x"})).status_code == 400
            process.send_signal(signal.SIGTERM)
            assert [one async for one in received] == []
        assert await asyncio.to_thread(process.wait, 30) == 0


async def test_a_token_taken_back_ends_what_it_opened(tmp_path: Path, clean: list[dict[str, Any]]) -> None:
    events = clean[0]["events"]
    async with serving(tmp_path) as (_, client, _), asyncio.timeout(60):
        path = (await client.post("/api/games", json={**clean[0], "events": events[:3]})).headers["Location"]
        token = (await client.post("/api/tokens", json={"name": "读", "role": "reader"})).json()
        theirs = {"Authorization": f"Bearer {token['token']}"}
        position = (await client.get("/api/feed", params={"limit": 1000})).json()["next"]
        waiting = asyncio.create_task(client.get("/api/feed", params={"after": position + 1000, "wait": 30}, headers=theirs))
        async with client.stream("GET", f"{path}/stream", headers=theirs) as answer:
            assert answer.status_code == 200
            received = messages(answer)
            assert [(await anext(received))["id"] for _ in range(3)] == ["0", "1", "2"]
            assert (await client.delete(f"/api/tokens/{token['id']}")).status_code == 204
            await client.post(f"{path}/events", json=events[3], headers={"If-Match": '"3"'})
            assert [one async for one in received] == []
        assert (await waiting).status_code == 401


PING = 0.1
LASTS = timedelta(seconds=1.5)


async def cut_off(client: httpx.AsyncClient, path: str, end: Callable[[], Awaitable[None]]) -> None:
    """Follows a game until ``end`` has taken away what opened the stream: it ends by the next heartbeat, and is not opened again."""
    following_it = asyncio.create_task(client.get(path))
    await asyncio.sleep(5 * PING)
    assert not following_it.done(), following_it.result().text
    await end()
    async with asyncio.timeout(10 * PING):
        answer = await following_it
    assert answer.status_code == 200
    assert answer.text.count(": ping") >= 2
    again = await client.get(path)
    assert again.status_code in (401, 404)


async def test_whatever_opened_a_stream_ends_it_when_it_ends(
    site: Site, clean: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = Live.stream.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "ping", PING)
    game_id = await site.add({**clean[0], "events": clean[0]["events"][:4]})
    path = f"/api/games/{game_id}/stream"
    tokens, expires_at = site.store.tokens, datetime.now(UTC) + LASTS
    async with asyncio.timeout(60), site.client(site.owner) as owner:
        # A token expires.
        secret = new_secret()
        made = NewToken(
            token_id=uuid4(),
            name="读",
            digest=digest_of(secret),
            role="reader",
            game_id=None,
            match_id=None,
            viewpoint="public",
            created_by="owner",
            expires_at=expires_at,
        )
        await tokens.add(made)

        async def expiry() -> None:
            await asyncio.sleep(max(0.0, (expires_at - datetime.now(UTC)).total_seconds()))

        async with site.client(secret) as client:
            await cut_off(client, path, expiry)

        # A session expires; another is ended by logging out.
        credential = digest_of(await site.token("读", role="reader"))
        session, ended = new_secret(), new_secret()
        await tokens.open_session(digest_of(session), credential, LASTS)
        await tokens.open_session(digest_of(ended), credential, timedelta(days=1))

        async def waiting() -> None:
            await asyncio.sleep(LASTS.total_seconds() - 5 * PING)

        async def logging_out() -> None:
            await site.parts.access.log_out(ended)

        for cookie, end in ((session, waiting), (ended, logging_out)):
            async with site.client() as browser:
                browser.cookies.set(SESSION_COOKIE, cookie)
                await cut_off(browser, path, end)

        # A link is made anew.
        link = await site.link(game_id)

        async def rotating() -> None:
            await site.link(game_id)

        async with site.client() as client:
            await cut_off(client, f"{path}?share={link}", rotating)

        # What was public is private.
        async def shutting() -> None:
            await owner.put(f"/api/games/{game_id}/access", json={"visibility": "private"})

        await owner.put(f"/api/games/{game_id}/access", json={"visibility": "public"})
        async with site.client() as client:
            await cut_off(client, path, shutting)

        # A seat is taken back.
        seat = (await owner.post("/api/tokens", json={"name": "座", "role": "reader", "game": str(game_id), "viewpoint": "1"})).json()

        async def withdrawing() -> None:
            assert (await owner.delete(f"/api/tokens/{seat['id']}")).status_code == 204

        async with site.client(seat["token"]) as client:
            await cut_off(client, path, withdrawing)


async def test_logs_and_metrics_tell_of_requests_and_not_of_what_they_carry(tmp_path: Path, clean: list[dict[str, Any]]) -> None:
    start = {**clean[0]["events"][0], "players": [f"密名{seat}" for seat in clean[0]["events"][0]["players"]]}
    async with serving(tmp_path, PAIPU_LOG="requests") as (process, client, _), asyncio.timeout(60):
        added = await client.post("/api/games", json={**clean[0], "events": [start, *clean[0]["events"][1:6]]})
        path = added.headers["Location"]
        for asked in (
            path,
            f"{path}/frames/3?view=public",
            f"{path}?share=pps_secret",
            "/api/games?player=密名",
            "/nowhere/密名",
            "/login",
        ):
            await client.get(asked)
        await client.post(f"{path}/events", json={"type": "出", "actor": 0, "pai": "密"}, headers={"If-Match": '"6"'})
        async with httpx.AsyncClient(base_url=client.base_url) as stranger:
            told = (await stranger.get("/metrics")).text
        process.terminate()
        assert process.stderr is not None
        logged = (await asyncio.to_thread(process.stderr.read)).decode()
    token = (tmp_path / "token").read_text().strip()
    for text in (told, logged):
        for secret in ("密", "pps_secret", token, path.rsplit("/", 1)[1], "%E5%AF%86"):
            assert secret not in text
    lines = [json.loads(line) for line in logged.splitlines()]
    assert all(set(line) == {"event", "level", "timestamp", "method", "path", "status", "ms"} for line in lines)
    seen = [(line["method"], line["path"], line["status"]) for line in lines]
    for wanted in (
        ("POST", "/api/games", 201),
        ("GET", "/api/games/{game_id}/frames/{seq}", 200),
        ("GET", "(nowhere)", 404),
        ("POST", "/api/games/{game_id}/events", 400),
    ):
        assert wanted in seen
    assert re.search(r'paipu_requests_total\{method="GET",path="/api/games/\{game_id\}",status="200"\} 2\.0', told)
    assert 'paipu_request_seconds_bucket{le="+Inf",method="POST",path="/api/games"} 1.0' in told
