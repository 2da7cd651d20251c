"""Roles, seats, links, sessions and leases: what each lets somebody do, and that it ends when it is taken back."""

import hashlib
import hmac
import json
import re
from typing import Any
from uuid import UUID

import httpx
import pytest

from services.access import OWNER, STRANGER, Caller, TokenWanted, audience_of, rights_of
from services.problems import ProblemError
from services.secrets import digest_of, game_of_share, new_share
from services.store.model import GameFilter, Sharing, StoredGame

pytestmark = pytest.mark.anyio

Site = Any

GAME, OTHER, MATCH = UUID(int=1), UUID(int=2), UUID(int=3)


def game(**changes: Any) -> StoredGame:
    facts: dict[str, Any] = {
        "game_id": GAME, "game": "weimaque", "owner": "三号桌", "rules": b"{}", "header": b"{}", "created_at": None, "version": 1,
        "head": b"",
    }  # fmt: skip
    return StoredGame(**{**facts, **changes})


@pytest.mark.parametrize(
    ("caller", "in_match", "may", "view"),
    [
        (OWNER, False, "read write rule annotate manage", "full"),
        (STRANGER, False, "", "public"),
        (Caller(name="甲", role="reader"), False, "read", "public"),
        (Caller(name="三号桌", role="reader"), False, "read", "public"),
        (Caller(name="三号桌", role="recorder"), False, "read write rule annotate manage", "full"),
        (Caller(name="四号桌", role="recorder"), False, "read", "public"),
        (Caller(name="四号桌", role="recorder", game_id=GAME), False, "read write rule annotate", "full"),
        (Caller(name="三号桌", role="recorder", game_id=OTHER), False, "", "public"),
        (Caller(name="四号桌", role="recorder", match_id=MATCH), True, "read write rule annotate", "full"),
        (Caller(name="四号桌", role="recorder", match_id=MATCH), False, "", "public"),
        (Caller(name="乙", role="reviewer", game_id=GAME), False, "read annotate", "public"),
        (Caller(name="乙", role="reviewer", game_id=GAME, viewpoint="2"), False, "read annotate", "2"),
        (Caller(name="丙", role="referee", match_id=MATCH, viewpoint="守醒"), True, "read rule annotate", "守醒"),
        (Caller(name="丁", role="admin", match_id=MATCH), True, "read write rule annotate manage", "full"),
        (Caller(name="丁", role="admin", match_id=MATCH), False, "", "public"),
    ],
)
def test_what_a_role_allows(caller: Caller, in_match: bool, may: str, view: str) -> None:
    rights = rights_of(caller, game(), in_match=in_match)
    allowed = [name for name in ("read", "write", "rule", "annotate", "manage") if getattr(rights, name)]
    assert " ".join(allowed) == may
    assert rights.view == view


def test_a_link_is_for_one_game_and_shows_what_the_public_sees() -> None:
    secret = new_share(GAME)
    assert game_of_share(secret) == GAME
    caller = Caller(name="", share_digest=digest_of(secret))
    shared = game(sharing=Sharing(visibility="link", share_digest=digest_of(secret)))
    rights = rights_of(caller, shared, in_match=False)
    assert (rights.read, rights.write, rights.view) == (True, False, "public")
    assert not rights_of(caller, game(sharing=Sharing(visibility="link", share_digest=digest_of(new_share(GAME)))), in_match=False).read
    assert not rights_of(caller, game(), in_match=False).read


async def test_lists_hold_just_what_may_be_read(site: Site, clean: list[dict[str, Any]]) -> None:
    mine, theirs, shown = [await site.add({**clean[place], "meta": {"title": f"{place}"}}) for place in range(3)]
    async with site.client(await site.token("三号桌", role="recorder")) as recorder:
        own = UUID((await recorder.post("/api/games", json=clean[4])).json()["id"])
    await site.parts.sharing.share(OWNER, shown, "public")
    async with site.client(site.owner) as owner:
        match = (await owner.post("/api/matches", json={"games": [str(theirs)]})).json()["id"]
    for caller in (
        OWNER,
        STRANGER,
        Caller(name="甲", role="reader"),
        Caller(name="甲", role="reader", game_id=mine),
        Caller(name="甲", role="reader", match_id=UUID(match)),
        Caller(name="三号桌", role="recorder"),
        Caller(name="三号桌", role="recorder", match_id=UUID(match)),
        Caller(name="三号桌", role="recorder", game_id=mine),
        Caller(name="三号桌", role="reader", game_id=mine),
    ):
        listed = set(await site.store.games.ids(GameFilter(audience=audience_of(caller)), limit=100))
        opened: set[UUID] = set()
        for game_id in (mine, theirs, shown, own):
            try:
                await site.parts.records.open(caller, game_id)
            except ProblemError:
                continue
            opened.add(game_id)
        assert listed == opened, caller


async def test_a_token_is_shown_once_kept_as_a_sum_and_ends_when_it_is_taken_back(site: Site, database: Any) -> None:
    async with site.client(site.owner) as owner:
        made = (await owner.post("/api/tokens", json={"name": "三号桌", "role": "recorder", "days": 1})).json()
        listed = await owner.get("/api/tokens")
        assert [line["name"] for line in listed.json()["tokens"]] == ["三号桌"]
        assert made["token"] not in listed.text
        async with site.store.database.connection() as connection:
            rows = await (await connection.execute("SELECT * FROM token, session")).fetchall()
            assert made["token"] not in str(rows)
        async with site.client(made["token"]) as client:
            assert (await client.get("/api/games")).status_code == 200
            session = await site.parts.access.log_in(made["token"])
            assert (await owner.delete(f"/api/tokens/{made['id']}")).status_code == 204
            assert (await client.get("/api/games")).status_code == 401
            assert await site.parts.access.session(session) is None
            assert await site.parts.access.log_in(made["token"]) is None
        assert (await owner.delete(f"/api/tokens/{made['id']}")).status_code == 404


@pytest.mark.parametrize(
    "wanted",
    [
        {"name": ""},
        {"name": "owner"},
        {"name": "a\nb"},
        {"name": "甲", "role": "king"},
        {"name": "甲", "role": "recorder", "viewpoint": "1", "game": str(GAME)},
        {"name": "甲", "viewpoint": "1"},
        {"name": "甲", "viewpoint": "4", "game": str(GAME)},
        {"name": "甲", "game": str(GAME), "match": str(MATCH)},
        {"name": "甲", "days": 0},
        {"name": "甲", "unknown": 1},
        {"role": "reader"},
        [],
    ],
)
async def test_a_token_that_makes_no_sense_is_not_made(site: Site, wanted: Any) -> None:
    body: Any = {"role": "reader", **wanted} if "name" in wanted else wanted
    async with site.client(site.owner) as owner:
        answer = await owner.post("/api/tokens", json=body)
        assert answer.status_code == 400
        assert answer.json()["detail"]
        assert (await owner.get("/api/tokens")).json() == {"tokens": []}


async def test_an_expired_token_opens_nothing(site: Site) -> None:
    token = await site.token("甲", role="reader", days=1)
    assert await site.parts.access.caller(token) is not None
    async with site.store.database.connection() as connection:
        rows = await (await connection.execute("SELECT token_id FROM token")).fetchall()
    assert len(rows) == 1
    # Time cannot be turned on; a token that ended yesterday is stored instead.
    expired = await site.parts.access.create(OWNER, TokenWanted(name="乙", role="reader", days=1))
    stored = await site.store.tokens.find(digest_of(expired.token))
    assert stored is not None
    assert stored.usable
    async with site.store.database.connection() as connection:
        await connection.execute(
            "INSERT INTO token (token_id, name, digest, role, viewpoint, created_by, expires_at) "
            "VALUES (gen_random_uuid(), '丙', %s, 'admin', 'public', 'owner', now() - interval '1 day')",
            (digest_of("yesterday's"),),
        )
    assert await site.parts.access.caller("yesterday's") is None


async def test_players_see_their_own_hand_and_who_sits_out_sees_all(site: Site, clean: list[dict[str, Any]]) -> None:
    record = next(record for record in clean if record["game"] == "weimaque" and len(record["events"][0]["players"]) == 4)
    running = {**record, "events": record["events"][:6]}
    game_id = await site.add(running)
    dealer = record["events"][0]["dealer"]
    sits_out = record["events"][0].get("shouxing", (dealer + 2) % 4)
    players = [seat for seat in range(4) if seat != sits_out]
    for viewpoint in ("public", "守醒", "0", "1", "2", "3"):
        token = await site.token("甲", role="reader", game=game_id, viewpoint=viewpoint)
        async with site.client(token) as client:
            told = (await client.get(f"/api/games/{game_id}")).json()
            hands = told["events"][1]["hands"]
            everything = viewpoint == "守醒" or viewpoint == str(sits_out)
            seen = players if everything else [seat for seat in players if str(seat) == viewpoint]
            assert [seat for seat in players if hands[seat] is not None] == seen
            assert told["events"][1]["stock"] is None
            for view in ("full", *(str(seat) for seat in range(4) if str(seat) != viewpoint and not everything)):
                for path in ("", "/events", "/frames", "/frames/3", "/verdict", "/stream"):
                    refused = await client.get(f"/api/games/{game_id}{path}?view={view}")
                    assert refused.status_code == 403, (viewpoint, view, path)
                    assert refused.json()["type"] == "/problems/forbidden"
            assert (await client.get(f"/api/games/{game_id}?view=public")).json()["events"][1]["hands"] == [None] * 4
    async with site.client(site.owner) as owner:
        rest = await owner.post(f"/api/games/{game_id}/events", json=record["events"][6:], headers={"If-Match": '"6"'})
        assert rest.status_code == 201
        whole = (await owner.get(f"/api/games/{game_id}")).content
    async with site.client(await site.token("乙", role="reader", game=game_id)) as client:
        assert (await client.get(f"/api/games/{game_id}")).content == whole
        assert (await client.get(f"/api/games/{game_id}?view=full")).content == whole
        assert (await client.get(f"/api/games/{game_id}/frames?version=6&view=full")).status_code == 200


async def test_reviewers_comment_referees_rule_and_nothing_is_lost(site: Site, clean: list[dict[str, Any]]) -> None:
    game_id = await site.add(clean[0])
    path, version = f"/api/games/{game_id}", len(clean[0]["events"])
    tokens = {role: await site.token(role, role=role) for role in ("reader", "reviewer", "referee", "recorder")}
    note = {"seq": 3, "by": "丁", "text": "该等一等", "line": [{"type": "过", "actor": 0}]}
    for role in ("reader", "recorder"):
        async with site.client(tokens[role]) as client:
            assert (await client.post(f"{path}/annotations", json=note)).status_code == 403
    numbers: dict[str, int] = {}
    for role in ("reviewer", "referee"):
        async with site.client(tokens[role]) as client:
            numbers[role] = (await client.post(f"{path}/annotations", json={**note, "text": role})).json()["n"]
    async with site.client(tokens["reviewer"]) as client:
        both = (await client.get(f"{path}/annotations")).json()
        assert [(one["author"], one["annotation"]["seq"]) for one in both["annotations"]] == [("reviewer", 3), ("referee", 3)]
        assert (await client.delete(f"{path}/annotations/{numbers['referee']}")).status_code == 403
        assert (await client.delete(f"{path}/annotations/{numbers['reviewer']}")).status_code == 204
        left = (await client.get(f"{path}/annotations")).json()
        assert [one["author"] for one in left["annotations"]] == ["referee"]
        assert [(gone["n"], gone["removed_by"]) for gone in left["removed"]] == [(numbers["reviewer"], "reviewer")]
    ruling = {"type": "裁定", "seq": 3, "rule": "wmq-turn", "decision": "penalised", "note": "罚一番"}
    for role, events, status in (
        ("reviewer", ruling, 403),
        ("reader", ruling, 403),
        ("referee", {"type": "过", "actor": 0}, 403),
        ("referee", [ruling, {"type": "作废", "seq": 3}], 403),
        ("referee", ruling, 201),
    ):
        async with site.client(tokens[role]) as client:
            answer = await client.post(f"{path}/events", json=events, headers={"If-Match": f'"{version}"'})
            assert answer.status_code == status, (role, answer.text)
    async with site.client(tokens["reader"]) as client:
        (told,) = (await client.get(f"{path}/rulings")).json()["rulings"]
    assert (told["seq"], told["on"], told["rule"], told["decision"], told["note"], told["author"], told["effective"]) == (
        version, 3, "wmq-turn", "penalised", "罚一番", "referee", True,
    )  # fmt: skip


async def test_one_phone_writes_at_a_time_and_another_may_take_over(site: Site, clean: list[dict[str, Any]]) -> None:
    record = clean[0]
    game_id = await site.add({**record, "events": record["events"][:2]})
    path = f"/api/games/{game_id}"
    async with site.client(site.owner) as client:

        async def append(seq: int, lease: str | None = None) -> httpx.Response:
            headers = {"If-Match": f'"{seq}"', **({"Paipu-Lease": lease} if lease else {})}
            return await client.post(f"{path}/events", json=record["events"][seq], headers=headers)

        first = (await client.put(f"{path}/lease", json={"holder": "小陶的手机"})).json()
        assert (await append(2, first["lease"])).status_code == 201
        refused = await append(3)
        assert refused.status_code == 409
        assert refused.json()["type"] == "/problems/conflict"
        assert (refused.json()["holder"], refused.json()["since"]) == ("小陶的手机", first["since"])
        second = await client.put(f"{path}/lease", json={"holder": "文静的手机"})
        assert (second.status_code, second.json()["holder"]) == (409, "小陶的手机")
        renewed = (await client.put(f"{path}/lease", json={"holder": "小陶的手机", "lease": first["lease"]})).json()
        assert (renewed["lease"], renewed["since"]) == (first["lease"], first["since"])
        assert renewed["until"] > first["until"]
        taken = (await client.put(f"{path}/lease", json={"holder": "文静的手机", "take_over": True})).json()
        assert (await append(3, first["lease"])).status_code == 409
        assert (await append(3, taken["lease"])).status_code == 201
        ruling = {"type": "裁定", "seq": 2, "rule": "wmq-turn", "decision": "stood"}
        async with site.client(await site.token("裁判", role="referee")) as referee:
            assert (await referee.post(f"{path}/events", json=ruling, headers={"If-Match": '"4"'})).status_code == 201
            assert (await referee.put(f"{path}/lease", json={"holder": "裁判"})).status_code == 403
        assert (await client.request("DELETE", f"{path}/lease", headers={"Paipu-Lease": first["lease"]})).status_code == 404
        assert (await client.request("DELETE", f"{path}/lease", headers={"Paipu-Lease": taken["lease"]})).status_code == 204
        event = record["events"][4]
        assert (await client.post(f"{path}/events", json=event, headers={"If-Match": '"5"'})).status_code == 201


async def test_a_browser_becomes_known_and_is_forgotten(site: Site, clean: list[dict[str, Any]]) -> None:
    game_id = await site.add({**clean[0], "meta": {"title": "私局"}})
    async with site.client() as browser:
        assert (await browser.get(f"/games/{game_id}")).status_code == 401
        page = await browser.get("/login")
        form = re.search(r'name="form" value="(\w+)"', page.text)
        assert form is not None
        assert page.headers["referrer-policy"] == "same-origin"  # with no-referrer browsers send forms as from nowhere
        assert "httponly" in page.headers["set-cookie"].lower()
        assert "samesite=strict" in page.headers["set-cookie"].lower()
        wrong = await browser.post("/login", data={"form": form[1], "token": "guess"})
        assert wrong.status_code == 401
        forged = await browser.post("/login", data={"form": "0" * 64, "token": site.owner})
        assert forged.status_code == 403
        entered = await browser.post("/login", data={"form": form[1], "token": site.owner})
        assert entered.status_code == 200
        assert site.owner not in str(entered.headers) + entered.text
        shown = await browser.get(f"/games/{game_id}")
        assert "私局" in shown.text
        forms = re.findall(r'<form class="(?:who|filter)" method="post"[^>]*>\s*<input type="hidden" name="form" value="(\w+)"', shown.text)
        assert len(forms) == len(re.findall(r'method="post"', shown.text)) == 2
        assert (await browser.post(f"/games/{game_id}/sharing", data={"visibility": "public"})).status_code == 403
        assert (await browser.post("/logout")).status_code == 403
        # A script of a page may use the API, if it shows that it comes from a page.
        assert (await browser.get(f"/api/games/{game_id}")).status_code == 200
        assert (await browser.put(f"/api/games/{game_id}/access", json={"visibility": "public"})).status_code == 403
        told = await browser.put(f"/api/games/{game_id}/access", json={"visibility": "private"}, headers={"Paipu-Form": forms[0]})
        assert told.status_code == 200
        shared = await browser.post(f"/games/{game_id}/sharing", data={"form": forms[0], "visibility": "link"})
        link = re.search(r"http://[^<\s]+/share/(\S+?)<", shared.text)
        assert link is not None
        assert (await browser.post("/logout", data={"form": forms[0]})).status_code == 200
        assert (await browser.get(f"/games/{game_id}")).status_code == 401
        onward = await browser.get(f"/share/{link[1]}")
        assert f"url=/games/{game_id}" in onward.text
        assert "私局" in (await browser.get(f"/games/{game_id}")).text
        assert (await browser.get("/share/nothing")).status_code == 404


async def test_the_one_who_started_the_program_gets_in_once_by_a_link(site: Site) -> None:
    secret = site.parts.access.entrance()
    async with site.client() as browser, site.client() as other:
        assert "owner" not in (await browser.get("/")).text
        assert (await browser.get(f"/enter/{secret}x")).status_code == 401
        assert (await browser.get(f"/enter/{secret}")).status_code == 200
        assert "owner" in (await browser.get("/")).text
        assert (await other.get(f"/enter/{secret}")).status_code == 401
        assert "owner" not in (await other.get("/")).text


async def test_other_names_hide_who_played(site: Site, clean: list[dict[str, Any]]) -> None:
    record = clean[0]
    names = [f"真名{place}号" for place in range(len(record["events"][0]["players"]))]
    start = {**record["events"][0], "players": names}
    ruling = {"type": "裁定", "seq": 3, "rule": "wmq-turn", "decision": "stood", "note": f"{names[1]}说了算"}
    amended = {"type": "更正", "seq": 0, "event": {**start, "players": [*names[:-1], "真名改"]}}
    note = {"seq": 2, "by": names[2], "text": f"{names[0]}打错了", "tags": [names[1]]}
    events = [start, *record["events"][1:], ruling, amended]
    meta = {"title": names[0], "place": "真名家", "played_at": "2026-11-28T20:15:00+08:00"}
    game_id = await site.add({**record, "meta": meta, "events": events, "annotations": [note]})
    async with site.client(await site.token("看客", role="reader")) as client:
        for path in (
            f"/api/games/{game_id}?pseudonyms=1",
            f"/api/games/{game_id}?pseudonyms=1&format=jsonl",
            "/api/games:export?pseudonyms=1",
        ):
            answer = await client.get(path)
            assert answer.status_code == 200
            assert "真名" not in answer.text
            assert re.search(r"牌友[0-9a-f]{10}打错了", answer.text)
        told = (await client.get(f"/api/games/{game_id}?pseudonyms=1")).json()
    assert told["meta"] == {"played_at": "2026-11-28T20:15:00+08:00"}
    assert len(set(told["events"][0]["players"])) == len(names)
    assert told["events"][1:-2] == record["events"][1:]


async def test_other_names_are_the_same_on_every_page_and_cannot_be_guessed(site: Site, clean: list[dict[str, Any]]) -> None:
    names = ["甲", "乙", "丙", "丁"]
    for place in range(4):
        start = clean[place]["events"][0]
        await site.add({**clean[place], "events": [{**start, "players": names[: len(start["players"])]}, *clean[place]["events"][1:]]})

    async def told(client: httpx.AsyncClient) -> list[list[str]]:
        path, pages = "/api/games:export?pseudonyms=1&limit=1", list[list[str]]()
        while path:
            answer = await client.get(path)
            pages += [json.loads(line)["events"][0]["players"] for line in answer.text.splitlines()]
            link = re.match(r"<(.*)>", answer.headers.get("link", ""))
            path = link[1] if link else ""
        return pages

    token = await site.token("看客", role="reader")
    async with site.client(token) as client, site.client(await site.token("别人", role="reader")) as other:
        pages, others = await told(client), await told(other)
        assert len(pages) == 4
        assert {page[0] for page in pages} == {pages[0][0]}
        assert len({name for page in pages for name in page}) == max(map(len, pages))
        assert not {name for page in pages for name in page} & {name for page in others for name in page}
        assert await told(client) == pages
    for secret in (b"", token.encode(), "看客".encode(), digest_of(token)):
        guesses = {hmac.digest(secret, name.encode(), "sha256").hex()[:10] for name in names}
        guesses |= {hashlib.sha256(secret + name.encode()).hexdigest()[:10] for name in names}
        assert not {f"牌友{guess}" for guess in guesses} & {name for page in pages for name in page}


async def test_statistics_count_what_may_be_seen(site: Site, clean: list[dict[str, Any]]) -> None:
    wins = [record for record in clean if record["game"] == "weimaque" and record["events"][-1]["type"] != "流局"][:6]
    async with site.client(site.owner) as owner:
        expected: dict[str, list[Any]] = {}
        for place, record in enumerate(wins):
            game_id = await site.add({**record, "meta": {"title": f"{place}"}})
            outcome = (await owner.get(f"/api/games/{game_id}/verdict")).json()["outcome"]
            names = record["events"][0]["players"]
            for seat, name in enumerate(names):
                figures = expected.setdefault(name, [0, 0, 0, 0, {}])
                figures[0] += 1
                if outcome["valid"] and outcome["certainty"] == "established":
                    figures[3] += sum(t["amount"] * ((t["to"] == seat) - (t["from"] == seat)) for t in outcome["transfers"])
                    if seat in outcome["winners"]:
                        figures[1] += 1
                        figures[2] += outcome["total_xi"]
                        for word in outcome["mingtang"]:
                            figures[4][word] = figures[4].get(word, 0) + 1
        await site.add({**wins[0], "events": wins[0]["events"][:5]})  # a hand that is on counts for nobody
        told = (await owner.get("/api/statistics")).json()["players"]
        assert len(told) == len(expected)
        assert sum(line["wins"] for line in told) > 0
        assert any(line["mingtang"] for line in told)
        for line in told:
            hands, won, total, net, mingtang = expected[line["player"]]
            assert (line["hands"], line["wins"], line["net"], line["mingtang"]) == (hands, won, net, mingtang)
            assert line["average_xi"] == (round(total / won, 2) if won else None)
        name = told[0]["player"]
        assert [line["player"] for line in (await owner.get("/api/statistics", params={"player": name})).json()["players"]] == [name]
    async with site.client(await site.token("别桌", role="recorder", game=GAME)) as client:
        assert (await client.get("/api/statistics")).json() == {"players": []}


async def test_a_match_is_judged_together_and_lets_its_people_in(site: Site, clean: list[dict[str, Any]]) -> None:
    hands = [record for record in clean if record["game"] == "weimaque"][:3]
    games = [await site.add({**record, "meta": {"title": f"{place}"}}) for place, record in enumerate(hands)]
    async with site.client(site.owner) as owner:
        made = await owner.post("/api/matches", json={"title": "周六晚", "games": [str(game_id) for game_id in games[:2]]})
        assert made.status_code == 201
        match_id = made.json()["id"]
        added = await owner.post(f"/api/matches/{match_id}/games", json={"game": str(games[2])})
        assert (added.status_code, added.json()) == (201, {"position": 2})
        assert (await owner.post(f"/api/matches/{match_id}/games", json={"game": str(games[2])})).json() == {"position": 2}
        told = (await owner.get(made.headers["Location"])).json()
        assert [hand["game"] for hand in told["hands"]] == [str(game_id) for game_id in games]
        assert sum(standing["due"] for standing in told["standings"]) == 0
        assert [line["id"] for line in (await owner.get("/api/matches")).json()["matches"]] == [match_id]
        assert {line["id"] for line in (await owner.get("/api/games", params={"match": match_id})).json()["games"]} == set(map(str, games))
        for wrong in ({"games": [str(games[0])] * 2}, {"games": ["x"]}, {"title": "x" * 201}):
            assert (await owner.post("/api/matches", json=wrong)).status_code == 400
        assert (await owner.post("/api/matches", json={"games": [str(GAME)]})).status_code == 404
    async with site.client(await site.token("四号桌", role="recorder", match=UUID(match_id))) as recorder:
        assert (await recorder.get(f"/api/games/{games[1]}")).status_code == 200
        fresh = (await recorder.post("/api/games?again=1", json={**hands[0], "events": hands[0]["events"][:1]})).json()["id"]
        assert (await recorder.post(f"/api/matches/{match_id}/games", json={"game": fresh})).status_code == 201
        assert (await recorder.post("/api/matches", json={})).status_code == 403
    async with site.client(await site.token("五号桌", role="recorder")) as outsider:
        # Whoever could put another's game into a match of his own could read it with a token for that match.
        assert (await outsider.post("/api/matches", json={"games": [str(games[0])]})).status_code == 403
        assert (await outsider.post(f"/api/matches/{match_id}/games", json={"game": str(games[0])})).status_code == 403
