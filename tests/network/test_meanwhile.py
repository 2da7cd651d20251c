"""What was taken back while a request was under way opens nothing any more, and what was withdrawn from a log stays hidden in its past."""

import asyncio
import copy
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.access import OWNER
from services.http import asked

pytestmark = pytest.mark.anyio


async def test_a_token_that_is_taken_back_ends_what_is_being_sent_with_it(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "TRUST", 0.0)
    admin = await site.token("甲", role="admin")
    (line,) = [line for line in await site.parts.access.all(OWNER) if line.name == "甲"]

    async def slowly() -> AsyncIterator[bytes]:
        yield b'{"name":"back door",'
        await site.parts.access.revoke(OWNER, line.id)
        yield b'"role":"admin"}'

    async with site.client(admin) as client:
        answer = await client.post("/api/tokens", content=slowly(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 401, answer.text
    assert [line.name for line in await site.parts.access.all(OWNER) if line.name == "back door"] == []


async def test_a_batch_ends_with_its_token(site: Any, clean: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "TRUST", 0.0)
    recorder = await site.token("乙", role="recorder")
    (line,) = [line for line in await site.parts.access.all(OWNER) if line.name == "乙"]

    async def slowly() -> AsyncIterator[bytes]:
        yield json.dumps(clean[0]).encode() + b"\n"
        await site.parts.access.revoke(OWNER, line.id)
        await asyncio.sleep(0)
        yield json.dumps(clean[1]).encode() + b"\n"

    async with site.client(recorder) as client:
        answer = await client.post("/api/games:batch", content=slowly())
    assert answer.status_code == 401
    async with site.client(site.owner) as client:
        assert (await client.get("/api/games")).json()["games"] == []


async def test_a_win_that_was_taken_back_shows_no_hand_in_older_versions(site: Any, clean: list[dict[str, Any]]) -> None:
    tried = 0
    for game in ("weimaque", "changde"):
        record = copy.deepcopy(next(one for one in clean if one["game"] == game and any(event["type"] == "胡" for event in one["events"])))
        win = next(seq for seq, event in enumerate(record["events"]) if event["type"] == "胡")
        del record["events"][win + 1 :]
        record["events"].append({"type": "作废", "seq": win})
        game_id = await site.add(record)
        await site.parts.sharing.share(OWNER, game_id, "public")
        async with site.client() as stranger:
            now = (await stranger.get(f"/api/games/{game_id}/frames/1")).json()
            assert {seat["hand"] for seat in now["state"]["seats"]} == {None}
            for query in (f"version={win + 1}", "known=then", f"version={win + 1}&known=then"):
                for seq in (1, win):
                    answer = await stranger.get(f"/api/games/{game_id}/frames/{seq}?{query}")
                    assert answer.status_code == 200, answer.text
                    hands = [seat["hand"] for seat in answer.json()["state"]["seats"]]
                    # What was shown with the 胡 was seen; nobody else's cards were.
                    del hands[record["events"][win]["actor"]]
                    assert not any(hands), (game, query, seq)
                    tried += 1
    assert tried == 12


async def test_a_referee_is_not_answered_what_a_recorder_was(site: Any, clean: list[dict[str, Any]]) -> None:
    record = copy.deepcopy(next(one for one in clean if one["game"] == "weimaque"))
    deal = record["events"][1]
    game_id = await site.add({**record, "events": record["events"][:1]})
    async with site.client(site.owner) as client:
        headers = {"If-Match": '"1"', "Idempotency-Key": "deal"}
        assert (await client.post(f"/api/games/{game_id}/events", json=deal, headers=headers)).status_code == 201
    async with site.client(await site.token("裁判", role="referee", game=game_id)) as referee:
        answer = await referee.post(f"/api/games/{game_id}/events", json=deal, headers={"If-Match": '"2"', "Idempotency-Key": "deal"})
    assert answer.status_code == 400, answer.text


async def test_an_export_leaves_out_what_may_not_be_read_any_more(site: Any, clean: list[dict[str, Any]]) -> None:
    ids = sorted([await site.add(record) for record in clean[:4]])
    for game_id in ids:
        await site.parts.sharing.share(OWNER, game_id, "public")
    records = site.parts.records
    read = records.record

    async def reading(caller: Any, game_id: Any, **options: Any) -> Any:
        if game_id == ids[0]:
            await site.parts.sharing.share(OWNER, ids[1], "private")
        return await read(caller, game_id, **options)

    reader = await site.token("读者", role="reader", game=ids[0])
    records.record = reading
    async with site.client(reader) as client:
        answer = await client.get("/api/games:export")
    assert answer.status_code == 200
    assert len(answer.content.splitlines()) == 3
