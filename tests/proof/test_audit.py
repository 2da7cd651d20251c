"""The audit finds whatever was done to the log behind the service's back, and nothing where nothing was."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.games import GAMES
from services.access import OWNER
from services.audit import AuditReport, Progress, all_cores, audit
from services.checkpoint import publish, read_checkpoint
from services.engine_version import engine_version
from services.formats.canonical import canonical
from services.store import chain
from services.store.auditing import LAST_ID, spans

pytestmark = pytest.mark.anyio

Intruder = Callable[..., None]


def parts(report: AuditReport) -> set[tuple[str, UUID | None]]:
    return {(fault.part, fault.of) for fault in report.faults}


async def test_an_untouched_store_is_clean(kept: Any) -> None:
    report = await kept.audit()
    assert report.faults == []
    assert report.games == len(kept.ids)
    assert report.events == sum([len(await kept.store.games.events(game_id)) for game_id in kept.ids])
    assert report.position == len(kept.ids)
    assert report.changes == []


async def test_worker_processes_find_the_same(kept: Any) -> None:
    with all_cores(2) as executor:
        report = await audit(kept.conninfo, kept.store.feed, executor)
    assert report.is_clean
    assert report.games == len(kept.ids)


async def test_a_flipped_byte(kept: Any, intruder: Intruder) -> None:
    intruder("UPDATE event SET payload = set_byte(payload, 5, get_byte(payload, 5) # 1) WHERE game_id = %s AND seq = 3", kept.ids[2])
    assert parts(await kept.audit()) == {("game", kept.ids[2])}


@pytest.mark.parametrize("column", ["rules", "header"])
async def test_a_flipped_byte_of_the_opening(kept: Any, intruder: Intruder, column: str) -> None:
    statement = f"UPDATE game SET {column} = set_byte({column}, 5, get_byte({column}, 5) # 1) WHERE game_id = %s"
    intruder(statement, kept.ids[0])
    assert parts(await kept.audit()) == {("game", kept.ids[0])}


async def test_another_type_word(kept: Any, intruder: Intruder) -> None:
    intruder("UPDATE event SET kind = '过' WHERE game_id = %s AND seq = 4", kept.ids[0])
    assert parts(await kept.audit()) == {("game", kept.ids[0])}


async def test_a_deleted_event(kept: Any, intruder: Intruder) -> None:
    intruder("DELETE FROM event WHERE game_id = %s AND seq = 5", kept.ids[1])
    report = await kept.audit()
    assert parts(report) == {("game", kept.ids[1])}
    assert report.faults[0].seq == 5


async def test_two_events_swapped(kept: Any, intruder: Intruder) -> None:
    intruder("UPDATE event SET seq = 1000 WHERE game_id = %s AND seq = 3", kept.ids[1])
    intruder("UPDATE event SET seq = 3 WHERE game_id = %s AND seq = 4", kept.ids[1])
    intruder("UPDATE event SET seq = 4 WHERE game_id = %s AND seq = 1000", kept.ids[1])
    assert parts(await kept.audit()) == {("game", kept.ids[1])}


async def test_a_deleted_game(kept: Any, intruder: Intruder) -> None:
    for table in ("game", "game_head", "batch", "event", "game_summary"):
        intruder(f"DELETE FROM {table} WHERE game_id = %s", kept.ids[3])
    intruder("DELETE FROM annotation WHERE game_id = %s", kept.ids[3], least=0)
    assert parts(await kept.audit()) == {("feed", kept.ids[3]), ("feed", None)}


@pytest.mark.parametrize("table", ["game", "game_head", "batch"])
async def test_a_deleted_row_of_a_game(kept: Any, intruder: Intruder, table: str) -> None:
    intruder(f"DELETE FROM {table} WHERE game_id = %s", kept.ids[3])
    assert kept.ids[3] in {fault.of for fault in (await kept.audit()).faults}


async def test_a_cut_tail_is_seen_by_a_published_checkpoint_alone(kept: Any, intruder: Intruder) -> None:
    signed = publish(await kept.store.feed.head(), Ed25519PrivateKey.generate(), datetime.now(UTC))
    checkpoint = read_checkpoint(msgspec.json.encode(signed))
    last = (await kept.store.feed.read(limit=100))[-1]
    for table in ("game", "game_head", "batch", "event", "game_summary", "feed"):
        intruder(f"DELETE FROM {table} WHERE game_id = %s", last.game_id)
    intruder("DELETE FROM annotation WHERE game_id = %s", last.game_id, least=0)
    before = (await kept.store.feed.read(limit=100))[-1]
    intruder("UPDATE feed_head SET position = %s, hash = %s", before.position, before.hash)
    assert (await kept.audit()).is_clean
    report = await kept.audit(checkpoint=checkpoint)
    assert [(fault.part, fault.of, fault.seq) for fault in report.faults] == [("feed", None, last.position)]


async def test_events_cut_from_the_end_of_a_game(kept: Any, intruder: Intruder) -> None:
    game = await kept.store.games.game(kept.ids[0])
    intruder("DELETE FROM event WHERE game_id = %s AND seq = %s", kept.ids[0], game.version - 1)
    assert parts(await kept.audit()) == {("game", kept.ids[0])}


async def test_an_event_added_behind_the_head(kept: Any, intruder: Intruder) -> None:
    game = await kept.store.games.game(kept.ids[0])
    intruder("INSERT INTO event VALUES (%s, %s, '过', 1, %s)", kept.ids[0], game.version, b'{"actor":0,"type":"\xe8\xbf\x87"}')
    assert parts(await kept.audit()) == {("game", kept.ids[0])}


async def test_an_append_with_a_perfect_chain_that_never_went_through_the_feed(kept: Any, intruder: Intruder) -> None:
    game = await kept.store.games.game(kept.ids[0])
    payload = '{"actor":0,"type":"过"}'.encode()
    head = chain.link(game.head, seq=game.version, kind="过", version=1, payload=payload)
    intruder("INSERT INTO event VALUES (%s, %s, '过', 1, %s)", game.game_id, game.version, payload)
    intruder(
        "INSERT INTO batch (game_id, first_seq, last_seq, prev_hash, head_hash, recorder, answer) VALUES (%s, %s, %s, %s, %s, 'x', '')",
        *(game.game_id, game.version, game.version, game.head, head),
    )
    intruder("UPDATE game_head SET version = %s, head_hash = %s WHERE game_id = %s", game.version + 1, head, game.game_id)
    assert parts(await kept.audit()) == {("batch", game.game_id)}


async def test_rows_of_games_that_are_not_there(kept: Any, intruder: Intruder) -> None:
    nobody = uuid4()
    intruder("INSERT INTO event VALUES (%s, 0, '过', 1, '')", nobody)
    intruder("INSERT INTO annotation (game_id, number, payload, author) VALUES (%s, 0, '', 'x')", nobody)
    intruder("INSERT INTO feed_queue (game_id, first_seq, last_seq, head_hash) VALUES (%s, 0, 0, '')", nobody)
    assert parts(await kept.audit()) == {("event", nobody), ("annotation", nobody), ("feed_queue", nobody)}


async def test_what_waits_in_the_queue_is_no_fault(kept: Any) -> None:
    game = await kept.store.games.game(kept.ids[0])
    event = '{"type":"过","actor":1}'.encode()
    await kept.records.append(OWNER, game.game_id, event, form="json", expected=game.version, mode="keep", language="zh")
    assert await kept.store.feed.head() == (len(kept.ids), (await kept.store.feed.read(limit=100))[-1].hash)
    assert (await kept.audit()).is_clean


async def test_a_changed_verdict_is_listed_with_what_changed_and_why(kept: Any, intruder: Intruder) -> None:
    first = await kept.audit()
    assert (first.compared, first.changes) == (0, [])
    # As if an older engine had found one thing more, and another total.
    game_id = kept.ids[0]
    rule = GAMES[(await kept.store.games.game(game_id)).game].rules[-1]
    intruder("UPDATE verdict SET engine = 'older'")
    (body,) = await _one(kept, "SELECT body FROM verdict WHERE game_id = %(id)s", id=game_id)
    older = msgspec.json.decode(body)
    older["findings"].append([2, rule.id, "violation", "established", 0])
    older["outcome"] = {"end": "流局"}
    intruder("UPDATE verdict SET body = %s WHERE game_id = %s", canonical(older), game_id)
    second = await kept.audit()
    assert second.is_clean
    assert second.compared == len(kept.ids)
    (change,) = second.changes
    assert change.of == game_id
    assert change.before == "older"
    assert change.cleared == [older["findings"][-1]]
    assert change.added == []
    assert change.outcome["end"] == ["流局", "胡"]
    assert [(why.rule, why.zh) for why in change.why] == [(rule.id, rule.zh)]


async def test_a_kept_verdict_of_this_very_engine_must_be_the_same(kept: Any, intruder: Intruder) -> None:
    await kept.audit()
    intruder("UPDATE verdict SET body = '{}' WHERE game_id = %s", kept.ids[0])
    report = await kept.audit()
    assert parts(report) == {("verdict", kept.ids[0])}


async def test_a_broken_off_audit_goes_on(kept: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.audit.GAMES_A_SPAN", 2)
    place = tmp_path / "audit"

    class BrokenOffError(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.done == 2:
            raise BrokenOffError

    with pytest.raises(BrokenOffError):
        await kept.audit(resume=place, told=stop)
    with place.open("ab") as file:
        file.write(b'{"span":')  # killed in the midst of a note
    steps: list[Progress] = []
    report = await kept.audit(resume=place, told=steps.append)
    assert len(steps) == len(spans(kept.conninfo, 2)) > 3
    assert report.is_clean
    assert report.games == len(kept.ids)
    assert not place.exists()


async def test_notes_of_another_engine_count_for_nothing(kept: Any, tmp_path: Path) -> None:
    place = tmp_path / "audit"
    place.write_bytes(b'{"engine":"older","spans":[]}\n')
    report = await kept.audit(resume=place)
    assert report.games == len(kept.ids)
    assert report.engine == engine_version()


async def test_spans_cover_every_id_once(kept: Any) -> None:
    for size in (1, 3, 100):
        found = spans(kept.conninfo, size)
        assert found[0].first == UUID(int=0)
        assert found[-1].last == LAST_ID
        assert all(after.first.int == before.last.int + 1 for before, after in pairwise(found))


@pytest.mark.parametrize("change", [{"position": 1}, {"hash": "00"}, {"at": "2026-01-01T00:00:00+00:00"}])
def test_an_altered_checkpoint_is_refused(change: dict[str, Any]) -> None:
    signed = publish((3, bytes(32)), Ed25519PrivateKey.generate(), datetime.now(UTC))
    altered = msgspec.structs.replace(signed, standing=msgspec.structs.replace(signed.standing, **change))
    with pytest.raises(ValueError, match="signature"):
        read_checkpoint(msgspec.json.encode(altered))


async def _one(kept: Any, statement: Any, **parameters: Any) -> tuple[Any, ...]:
    async with kept.store.database.connection() as connection:
        row = await (await connection.execute(statement, parameters)).fetchone()
    assert row is not None
    return row
