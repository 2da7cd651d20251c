"""Long work is done in processes of its own, with the same result, and ends when its time is over."""

import asyncio
import time
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import pytest

from engine.judge import check
from services.formats.reading import Reading, read_json
from services.labour import Labour
from services.modes import admit
from services.problems import ProblemError
from services.samples import sample_text

pytestmark = pytest.mark.anyio

PASS = {"type": "过", "actor": 0}


@pytest.fixture
async def labour() -> AsyncGenerator[Labour]:
    made = Labour(workers=1, seconds=2.0)
    yield made
    await made.close()


def reading() -> Reading:
    return read_json(sample_text("weimaque-4"))


async def test_it_gives_what_the_work_gives(labour: Labour) -> None:
    record = reading().required()
    assert await labour.do(partial(check, record, possible=True)) == check(record, possible=True)
    admitted = await labour.do(partial(admit, reading(), "record", "zh"))
    assert admitted.record == record


async def test_what_the_work_raises_is_raised(labour: Labour) -> None:
    with pytest.raises(ProblemError) as refused:
        await labour.do(partial(admit, reading(), "strict", "en"))
    with pytest.raises(ProblemError) as here:
        admit(reading(), "strict", "en")
    assert (refused.value.kind, refused.value.detail, refused.value.findings) == (here.value.kind, here.value.detail, here.value.findings)
    with pytest.raises(ZeroDivisionError):
        await labour.do(partial(divmod, 1, 0))
    assert await labour.do(partial(divmod, 7, 2)) == (3, 1)


async def test_work_that_takes_too_long_is_ended_and_the_next_is_done(labour: Labour) -> None:
    began = time.monotonic()
    with pytest.raises(ProblemError) as refused:
        await labour.do(partial(time.sleep, 60))
    assert refused.value.kind == "laborious"
    assert time.monotonic() - began < 20
    assert await labour.do(partial(divmod, 7, 2)) == (3, 1)


async def test_work_that_waits_too_long_is_refused(labour: Labour) -> None:
    slow = [asyncio.create_task(labour.do(partial(time.sleep, 60))) for _ in range(3)]
    done, _ = await asyncio.wait(slow, timeout=30)
    assert len(done) == 3
    assert all(isinstance(task.exception(), ProblemError) for task in done)


async def test_a_long_log_is_judged_while_others_are_answered(site: Any, clean: list[dict[str, Any]]) -> None:
    long = {**clean[0], "events": [*clean[0]["events"][:2], *[PASS] * 600]}
    async with site.client(site.owner) as client:
        judging = asyncio.create_task(client.post("/api/check", json=long))
        began = time.monotonic()
        assert (await client.get("/livez")).status_code == 200
        assert time.monotonic() - began < 5
        assert (await judging).status_code == 200
        stored = await client.post("/api/games?mode=keep", json=long)
        assert stored.status_code == 201
        path = stored.headers["Location"]
        for asked in ("", "/frames?to=3", "/verdict", f"/frames/{len(long['events']) - 1}"):
            assert (await client.get(path + asked)).status_code == 200
        added = await client.post(f"{path}/events", json=PASS, headers={"If-Match": f'"{len(long["events"])}"'})
        assert added.status_code == 201
        assert (await client.post(f"{path}/repairs")).status_code == 200
        assert (await client.get(f"{path}/verdict?witness=1")).status_code == 200
