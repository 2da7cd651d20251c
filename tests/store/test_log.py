"""Writing and reading games."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

from services.store import chain
from services.store.log import IMPORT_SIZE, game_id_for
from services.store.model import (
    AlreadyThere,
    Append,
    Appended,
    Created,
    GameFilter,
    NewAnnotation,
    NewGame,
    NotFound,
    Replayed,
    RequestKey,
    RequestMismatch,
    Stale,
    StillRunning,
    StoreUnavailableError,
    Summary,
)
from services.store.opening import Store

pytestmark = pytest.mark.anyio

GameMaker = Callable[..., NewGame]
AppendMaker = Callable[..., Append]


async def payloads(store: Store, game_id: UUID) -> list[bytes]:
    stored = await store.games.read(game_id)
    assert stored is not None
    game, written = stored
    assert game.version == len(written)
    return written


async def test_what_is_created_is_read_back_byte_for_byte(store: Store, new_game: GameMaker) -> None:
    given = new_game(3, header='{"meta":{"title":"周六晚 \u2028"}}'.encode())
    before = datetime.now(UTC) - timedelta(seconds=5)
    created = await store.games.create(given)
    game = await store.games.game(given.game_id)
    assert game is not None
    assert created == Created(game_id=given.game_id, version=3, head=game.head)
    assert (game.header, game.rules, game.game, game.owner) == (given.header, given.rules, given.game, given.owner)
    assert await payloads(store, given.game_id) == [event.payload for event in given.events]
    events = await store.games.events(given.game_id)
    assert [event.seq for event in events] == [0, 1, 2]
    assert {event.recorder for event in events} == {"phone"}
    assert all(before < event.recorded_at < before + timedelta(minutes=1) for event in events)
    assert await store.games.events(given.game_id, 2) == events[2:]
    assert await store.games.events(given.game_id, 3) == []


async def test_what_is_not_there_is_not_found(store: Store, append_of: AppendMaker) -> None:
    nowhere = uuid4()
    assert await store.games.game(nowhere) is None
    assert await store.games.read(nowhere) is None
    assert await store.games.verify(nowhere) is None
    assert await store.games.events(nowhere) == []
    assert await store.games.append(append_of(nowhere, 0, "一")) == NotFound()
    assert await store.games.append(msgspec.structs.replace(append_of(nowhere, 0, "一"), head=bytes(32))) == NotFound()


async def test_appends_continue_the_log_and_its_chain(store: Store, new_game: GameMaker, append_of: AppendMaker) -> None:
    given = new_game(2)
    created = await store.games.create(given)
    assert isinstance(created, Created)
    more = append_of(given.game_id, 2, "三", "四", "五")
    appended = await store.games.append(more)
    assert isinstance(appended, Appended)
    assert appended.version == 5
    assert appended.head == chain.extend(created.head, 2, more.events)
    with_head = msgspec.structs.replace(append_of(given.game_id, 5, "六"), head=appended.head)
    assert isinstance(await store.games.append(with_head), Appended)
    assert len(await payloads(store, given.game_id)) == 6
    report = await store.games.verify(given.game_id)
    assert report is not None
    assert (report.length, report.fault) == (6, None)


async def test_a_stale_append_is_told_what_came_between(store: Store, new_game: GameMaker, append_of: AppendMaker) -> None:
    given = new_game(2)
    await store.games.create(given)
    await store.games.append(append_of(given.game_id, 2, "三", "四"))
    for stale in (append_of(given.game_id, 2, "五"), msgspec.structs.replace(append_of(given.game_id, 2, "五"), head=bytes(32))):
        outcome = await store.games.append(stale)
        assert isinstance(outcome, Stale)
        assert outcome.version == 4
        assert [event.seq for event in outcome.events] == [2, 3]
    ahead = await store.games.append(append_of(given.game_id, 9, "五"))
    assert ahead == Stale(version=4, events=())
    assert len(await payloads(store, given.game_id)) == 4


async def test_a_head_that_is_not_the_logs_is_no_conflict_but_a_mistake(store: Store, new_game: GameMaker, append_of: AppendMaker) -> None:
    given = new_game(2)
    await store.games.create(given)
    with pytest.raises(ValueError, match="head"):
        await store.games.append(msgspec.structs.replace(append_of(given.game_id, 2, "三"), head=bytes(32)))
    assert len(await payloads(store, given.game_id)) == 2


async def test_empty_writes_are_mistakes(store: Store, new_game: GameMaker, append_of: AppendMaker) -> None:
    with pytest.raises(ValueError, match="event"):
        await store.games.append(append_of(uuid4(), 0))
    with pytest.raises(ValueError, match="event"):
        await store.games.create(new_game(0))
    with pytest.raises(ValueError, match="event"):
        await store.games.create_many([new_game(1), new_game(0)])


@pytest.mark.parametrize("expected_again", [2, 3, 7], ids=["as before", "the version now", "any other"])
async def test_a_retried_append_adds_nothing(store: Store, new_game: GameMaker, append_of: AppendMaker, expected_again: int) -> None:
    given = new_game(2)
    await store.games.create(given)
    first = append_of(given.game_id, 2, "三", key="k", answer=b"the answer")
    assert isinstance(await store.games.append(first), Appended)
    again = msgspec.structs.replace(first, expected=expected_again, answer=b"another answer")
    assert await store.games.append(again) == Replayed(game_id=given.game_id, version=3, answer=b"the answer")
    other = append_of(given.game_id, expected_again, "三", key="k", body=b"other body")
    assert await store.games.append(other) == RequestMismatch()
    assert await store.games.find_request(given.game_id, RequestKey(id="k", digest=b"body")) == Replayed(
        game_id=given.game_id, version=3, answer=b"the answer"
    )
    assert await store.games.find_request(given.game_id, RequestKey(id="other", digest=b"body")) is None
    assert len(await payloads(store, given.game_id)) == 3


async def test_a_request_key_belongs_to_its_game(store: Store, new_game: GameMaker, append_of: AppendMaker) -> None:
    one, other = new_game(2), new_game(2)
    for given in (one, other):
        await store.games.create(given)
        assert isinstance(await store.games.append(append_of(given.game_id, 2, "三", key="k")), Appended)


async def test_a_retried_creation_creates_nothing(store: Store, new_game: GameMaker) -> None:
    def opening(body: bytes) -> NewGame:
        return new_game(1, game_id=game_id_for("owner", "k"), request=RequestKey(id="k", digest=body), answer=b"the answer")

    outcomes = await asyncio.gather(*(store.games.create(opening(b"body")) for _ in range(6)))
    assert sum(isinstance(outcome, Created) for outcome in outcomes) == 1
    assert sum(outcome == Replayed(game_id=game_id_for("owner", "k"), version=1, answer=b"the answer") for outcome in outcomes) == 5
    assert await store.games.create(opening(b"other")) == RequestMismatch()
    assert [game_id async for game_id in store.games.game_ids()] == [game_id_for("owner", "k")]
    assert game_id_for("other owner", "k") != game_id_for("owner", "k") != game_id_for("owner", "l")


async def test_an_id_is_taken_once(store: Store, new_game: GameMaker) -> None:
    given = new_game(2)
    await store.games.create(given)
    assert await store.games.create(new_game(5, game_id=given.game_id)) == AlreadyThere(game_id=given.game_id, version=2)
    assert await payloads(store, given.game_id) == [event.payload for event in given.events]


def finished(digest: bytes) -> Summary:
    return Summary(players=("甲", "乙", "丙"), dealer=0, finished=True, digest=digest)


async def test_a_finished_game_sent_again_is_found(store: Store, new_game: GameMaker) -> None:
    def sent(owner: str = "owner", digest: bytes = b"same") -> NewGame:
        return new_game(2, owner=owner, summary=finished(digest))

    first = await store.games.create(sent(), deduplicate=True)
    assert isinstance(first, Created)
    there = AlreadyThere(game_id=first.game_id, version=2)
    assert await store.games.create(sent(), deduplicate=True) == there
    assert await store.games.find_finished("owner", b"same") == there
    assert await store.games.find_finished("owner", b"none") is None
    for kept_apart in (sent(owner="another"), sent(digest=b"other")):
        assert isinstance(await store.games.create(kept_apart, deduplicate=True), Created)
    assert isinstance(await store.games.create(sent()), Created)


async def test_a_finished_game_sent_many_times_at_once_is_stored_once(store: Store, new_game: GameMaker) -> None:
    sent = [new_game(2, summary=finished(b"same")) for _ in range(8)]
    outcomes = await asyncio.gather(*(store.games.create(game, deduplicate=True) for game in sent))
    assert sum(isinstance(outcome, Created) for outcome in outcomes) == 1
    assert len([game_id async for game_id in store.games.game_ids()]) == 1


async def test_a_game_that_has_grown_is_another_record(store: Store, new_game: GameMaker, append_of: AppendMaker) -> None:
    first = await store.games.create(new_game(2, summary=finished(b"same")), deduplicate=True)
    assert isinstance(first, Created)
    grown = msgspec.structs.replace(append_of(first.game_id, 2, "裁定"), summary=finished(b"grown"))
    assert isinstance(await store.games.append(grown), Appended)
    again = await store.games.create(new_game(2, summary=finished(b"same")), deduplicate=True)
    assert isinstance(again, Created)
    assert again.game_id != first.game_id
    assert await store.games.create(new_game(2, summary=finished(b"same")), deduplicate=True) == AlreadyThere(
        game_id=again.game_id, version=2
    )


async def test_an_open_game_is_never_matched(store: Store, new_game: GameMaker) -> None:
    unfinished = msgspec.structs.replace(finished(b"same"), finished=False)
    for _ in range(2):
        assert isinstance(await store.games.create(new_game(1, summary=unfinished), deduplicate=True), Created)
    outcomes = await store.games.create_many([new_game(1, summary=unfinished) for _ in range(3)], deduplicate=True)
    assert all(isinstance(outcome, Created) for outcome in outcomes)


async def test_a_write_that_cannot_get_its_turn_says_so(store: Store, database: Any, new_game: GameMaker, append_of: AppendMaker) -> None:
    given = new_game(2)
    await store.games.create(given)
    async with await psycopg.AsyncConnection.connect(database.superuser) as other:
        await other.execute("UPDATE paipu.game_head SET version = version WHERE game_id = %s", (given.game_id,))
        assert await store.games.append(append_of(given.game_id, 2, "三", key="k")) == StillRunning()
        await other.rollback()
    assert isinstance(await store.games.append(append_of(given.game_id, 2, "三", key="k")), Appended)


async def test_a_database_that_is_gone_is_reported(store: Store, database: Any, server: Any, new_game: GameMaker) -> None:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        name = database.name
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        # A connection that was cut is replaced unnoticed.
        assert isinstance(await store.games.create(new_game()), Created)
        connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name)))
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        store.database.pool_timeout = 0.5
        with pytest.raises(StoreUnavailableError):
            await store.games.create(new_game())


TAMPERING: list[tuple[LiteralString, int]] = [
    ("UPDATE paipu.event SET payload = 'x' WHERE seq = 3", 2),
    ("UPDATE paipu.event SET kind = '揭' WHERE seq = 0", 0),
    ("UPDATE paipu.event SET kind_version = 2 WHERE seq = 4", 4),
    ("DELETE FROM paipu.event WHERE seq = 1", 1),
    ("DELETE FROM paipu.event WHERE seq = 4", 4),
    ("DELETE FROM paipu.batch WHERE first_seq = 2", 2),
    ("DELETE FROM paipu.batch WHERE first_seq = 4", 4),
    ("UPDATE paipu.game SET rules = '{}'", 0),
    ("UPDATE paipu.game SET header = '{}'", 0),
    ("UPDATE paipu.game SET game = 'changde'", 0),
    ("UPDATE paipu.game_head SET head_hash = 'x'", 5),
    ("UPDATE paipu.game_head SET version = 4", 4),
    ("UPDATE paipu.batch SET prev_hash = 'x' WHERE first_seq = 2", 2),
    ("INSERT INTO paipu.event SELECT game_id, 5, kind, kind_version, payload FROM paipu.event WHERE seq = 4", -1),
]


@pytest.mark.parametrize(("statement", "where"), TAMPERING)
async def test_tampering_by_the_mightiest_hand_breaks_the_chain(
    store: Store, database: Any, new_game: GameMaker, append_of: AppendMaker, statement: LiteralString, where: int
) -> None:
    given = new_game(2)
    await store.games.create(given)
    await store.games.append(append_of(given.game_id, 2, "三", "四"))
    await store.games.append(append_of(given.game_id, 4, "五"))
    with psycopg.connect(database.superuser, autocommit=True) as connection:
        for table in ("game", "batch", "event"):
            connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER append_only").format(sql.Identifier("paipu", table)))
        connection.execute(statement)
    report = await store.games.verify(given.game_id)
    assert report is not None
    if where == -1:
        # Beyond the version: not part of the game, never read, and in the way of the next append.
        assert report.fault is None
        assert len(await payloads(store, given.game_id)) == 5
    else:
        assert report.fault is not None
        assert report.fault[0] == where


async def test_many_games_are_stored_as_one_by_one(store: Store, database: Any, new_game: GameMaker) -> None:
    notes = (NewAnnotation(payload=b'{"seq":0}', author="phone"), NewAnnotation(payload=b'{"seq":1}', author="phone"))
    played = Summary(
        players=("甲", "乙"), dealer=1, title="x", played_at=datetime(2026, 1, 1, tzinfo=UTC), finished=True, end="胡", winners=(1,)
    )
    given = new_game(4, annotations=notes, summary=played)
    twin = msgspec.structs.replace(given, game_id=uuid4())
    assert isinstance(await store.games.create(given), Created)
    (outcome, _) = await store.games.create_many([twin, new_game(1)])
    assert isinstance(outcome, Created)
    differing = {"game_id", "head_hash", "prev_hash", "recorded_at", "created_at", "queued_at", "updated_at"}
    with psycopg.connect(database.superuser) as connection:
        for table in ("game", "game_head", "batch", "event", "annotation", "feed_queue", "game_summary"):
            rows: list[list[dict[str, Any]]] = []
            for game_id in (given.game_id, twin.game_id):
                cursor = connection.cursor(row_factory=dict_row)
                of_game = sql.SQL("SELECT * FROM {} WHERE game_id = %s ORDER BY 1, 2").format(sql.Identifier("paipu", table))
                cursor.execute(of_game, (game_id,))
                rows.append([{name: value for name, value in row.items() if name not in differing} for row in cursor])
            assert rows[0] == rows[1] != [], table
    report = await store.games.verify(twin.game_id)
    assert report is not None
    assert (report.length, report.head, report.fault) == (4, outcome.head, None)


async def test_each_of_many_gets_its_own_answer(store: Store, new_game: GameMaker) -> None:
    taken = new_game(3)
    await store.games.create(taken)
    earlier = await store.games.create(new_game(2, summary=finished(b"earlier")), deduplicate=True)
    assert isinstance(earlier, Created)
    many = [
        new_game(1),
        new_game(5, game_id=taken.game_id),
        new_game(2, summary=finished(b"twice")),
        new_game(2, summary=finished(b"earlier")),
        new_game(2, summary=finished(b"twice")),
    ]
    outcomes = await store.games.create_many(many, deduplicate=True)
    assert [type(outcome) for outcome in outcomes] == [Created, AlreadyThere, Created, AlreadyThere, AlreadyThere]
    assert outcomes[1] == AlreadyThere(game_id=taken.game_id, version=3)
    assert outcomes[3] == AlreadyThere(game_id=earlier.game_id, version=2)
    assert isinstance(outcomes[2], Created)
    assert outcomes[4] == AlreadyThere(game_id=outcomes[2].game_id, version=2)
    again = await store.games.create_many(many[2:], deduplicate=True)
    assert again == [outcomes[4], outcomes[3], outcomes[4]]


async def test_more_games_than_one_transaction_holds(store: Store, new_game: GameMaker) -> None:
    many = [new_game(1) for _ in range(IMPORT_SIZE + 3)]
    outcomes = await store.games.create_many(many)
    assert [outcome.game_id for outcome in outcomes if isinstance(outcome, Created)] == [game.game_id for game in many]
    assert [game_id async for game_id in store.games.game_ids(100)] == sorted(game.game_id for game in many)
    assert await store.games.create_many([]) == []


async def test_games_are_listed_by_what_their_summaries_say(store: Store, new_game: GameMaker, append_of: AppendMaker) -> None:
    def day(number: int) -> datetime:
        return datetime(2026, 11, number, 20, tzinfo=UTC)

    at_night = Summary(players=("甲", "乙"), dealer=0, title="周六晚", played_at=day(28), winners=(1,), text="周六晚 安乡", finished=True)
    evening = new_game(1, summary=at_night)
    early = Summary(players=("甲", "丙"), dealer=1, played_at=day(3), has_violations=True, text="Morning%_")
    morning = new_game(1, game="changde", owner="another", summary=early)
    await store.games.create_many([evening, morning])

    async def listed(**wanted: Any) -> list[UUID]:
        return [game.game_id for game in (await store.games.page(GameFilter(**wanted))).games]

    both, first, second = [evening.game_id, morning.game_id], [evening.game_id], [morning.game_id]
    assert await listed() == both
    assert await listed(game="changde") == second
    assert await listed(owner="owner") == first
    assert await listed(player="甲") == both
    assert await listed(player="丙") == second
    assert await listed(player="") == []
    assert await listed(winner="乙") == first
    assert await listed(winner="甲") == []
    assert await listed(since=day(3)) == both
    assert await listed(since=day(4)) == first
    assert await listed(until=day(28)) == second
    assert await listed(has_violations=True) == second
    assert await listed(has_violations=False) == first
    assert await listed(text="安乡") == first
    assert await listed(text="MORNING%") == second
    assert await listed(text="Morn_ng") == []
    assert await listed(player="甲", has_violations=True, text="morning") == second

    (stored,) = (await store.games.page(GameFilter(owner="owner"))).games
    assert (stored.summary, stored.version, stored.game) == (evening.summary, 1, "weimaque")

    later = Summary(players=("甲", "乙"), dealer=0, played_at=day(1), end="流局")
    await store.games.append(msgspec.structs.replace(append_of(evening.game_id, 1, "二"), summary=later))
    assert await listed() == [morning.game_id, evening.game_id]
    await store.games.put_summary(evening.game_id, 1, evening.summary)  # of an earlier version: comes too late
    (stored,) = (await store.games.page(GameFilter(owner="owner"))).games
    assert (stored.summary, stored.version) == (later, 2)
    await store.games.put_summary(evening.game_id, 2, evening.summary)
    assert await listed() == both


async def test_pages_follow_each_other_without_gap_or_repetition(store: Store, new_game: GameMaker) -> None:
    same_day = Summary(players=("甲", "乙"), dealer=0, played_at=datetime(2026, 11, 28, tzinfo=UTC))
    many = [new_game(1, summary=same_day) for _ in range(7)] + [new_game(1) for _ in range(4)]
    await store.games.create_many(many)
    seen: list[UUID] = []
    cursor: str | None = None
    sizes: list[int] = []
    while True:
        page = await store.games.page(GameFilter(), limit=3, cursor=cursor)
        seen += [game.game_id for game in page.games]
        sizes.append(len(page.games))
        cursor = page.next
        if cursor is None:
            break
    assert sizes == [3, 3, 3, 2]
    assert set(seen) == {game.game_id for game in many}
    assert len(seen) == len(many)
    assert (await store.games.page(GameFilter(), limit=11)).next is None
    for broken in ("x", "!", "", "gqFhoWI"):
        with pytest.raises(ValueError, match="cursor"):
            await store.games.page(GameFilter(), cursor=broken)


@pytest.mark.parametrize("amount", [2**31 - 1, 2**31, 2**62, 2**63, 2**64, 2**70, 10**30])
async def test_amounts_of_any_size_are_kept_and_counted(store: Store, new_game: GameMaker, append_of: AppendMaker, amount: int) -> None:
    player = f"甲{amount}"
    summary = Summary(
        players=(player, "乙", "丙"),
        dealer=0,
        finished=True,
        end="胡",
        winners=(0,),
        over=True,
        sound=True,
        total_xi=amount,
        net=(2 * amount, -amount, -amount),
    )
    single = new_game(1, summary=summary)
    await store.games.create(single)
    await store.games.create_many([new_game(1, summary=summary) for _ in range(3)])
    grown = new_game(1)
    await store.games.create(grown)
    await store.games.append(msgspec.structs.replace(append_of(grown.game_id, 1, "一"), summary=summary))
    wanted = GameFilter(player=player)
    listed = [game.summary for game in (await store.games.page(wanted)).games]
    assert [(one.total_xi, one.net) for one in listed] == [(amount, (2 * amount, -amount, -amount))] * 5
    (figures,) = await store.games.figures(wanted, limit=9)
    assert (figures.player, figures.wins, figures.total_xi, figures.net) == (player, 5, 5 * amount, 10 * amount)
