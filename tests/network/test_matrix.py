"""Every call of the service, asked by those who should get nothing: without a token, with one that was taken back, with another game's
link, with a token for another game, with a reader's token. Made from the table of calls, so that none can be forgotten."""

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from litestar.handlers import HTTPRouteHandler

from services.http.examples import examples
from services.http.operations import OPERATIONS, Operation
from services.web.pages import PAGES

pytestmark = pytest.mark.anyio

Site = Any

NAMES = ["密名甲", "密名乙", "密名丙", "密名丁"]
TITLE = "密题一号"

KNOWN_TO_ALL = {"no token": 401, "a guess": 401, "taken back": 401, "another link": 401, "other game": 200, "reader": 200, "recorder": 200}
REFUSED = {"no token": 401, "a guess": 401, "taken back": 401, "another link": 404, "other game": 404, "reader": 403, "recorder": 403}

EXPECTED: dict[str, dict[str, int]] = {
    "open": dict.fromkeys(KNOWN_TO_ALL, 200),
    "local": {**dict.fromkeys(KNOWN_TO_ALL, 200), "a guess": 401, "taken back": 401},
    "known": KNOWN_TO_ALL,
    "read": {**REFUSED, "reader": 200, "recorder": 200},
    "whole": REFUSED,
    "create": {**KNOWN_TO_ALL, "other game": 403, "reader": 403},
    "write": REFUSED,
    "rule": REFUSED,
    "annotate": REFUSED,
    "manage": REFUSED,
    "admin": {**REFUSED, "another link": 401, "other game": 403},
}
"""By reach of a call and by who asks: 200 is any success, and any complaint about what was sent."""

TELLS = {("read", "reader"), ("read", "recorder"), ("known", "reader"), ("known", "recorder")}
"""By reach and by who asks: where the names of the private game may stand in the answer."""

OF_NOTES = {"/api/games/{game_id}/variations/{n}/frames"}
"""Calls that find nothing where the annotation is somebody else's and the hand is on."""


class World:
    """A private game and a match of it, another game that has a link, and everybody who has no business with the first."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.tokens: dict[str, str | None] = {"no token": None, "a guess": "guess"}
        self.game_id = self.match_id = self.other_id = UUID(int=0)
        self.link = ""
        self.record: bytes = b""

    async def open(self, record: dict[str, Any]) -> "World":
        start = {**record["events"][0], "players": NAMES[: len(record["events"][0]["players"])]}
        note = {"seq": 0, "by": NAMES[0], "text": TITLE}
        private = {**record, "meta": {"title": TITLE}, "events": [start, *record["events"][1:12]], "annotations": [note]}
        self.game_id = await self.site.add(private)
        self.other_id = await self.site.add({**record, "meta": {"title": "公开"}})
        self.link = await self.site.link(self.other_id)
        async with self.site.client(self.site.owner) as client:
            match = await client.post("/api/matches", json={"title": TITLE, "games": [str(self.game_id)]})
            self.match_id = UUID(match.json()["id"])
            self.record = (await client.get(f"/api/games/{self.game_id}")).content
            revoked = (await client.post("/api/tokens", json={"name": "旧", "role": "admin"})).json()
            assert (await client.delete(f"/api/tokens/{revoked['id']}")).status_code == 204
        self.tokens |= {
            "taken back": revoked["token"],
            "another link": self.link,
            "other game": await self.site.token("别桌", role="reader", game=self.other_id),
            "reader": await self.site.token("看客", role="reader"),
            "recorder": await self.site.token("记录", role="recorder"),
        }
        return self

    def path(self, pattern: str) -> str:
        for name, value in {
            "game_id": self.game_id,
            "match_id": self.match_id,
            "token_id": uuid4(),
            "seq": 3,
            "n": 0,
            "rule_id": "wmq-turn",
            "preset": "dazhuo",
            "secret": "guess",
        }.items():
            pattern = pattern.replace(f"{{{name}}}", str(value)).replace(f"{{{name}:str}}", str(value))
        return pattern

    def body(self, operation: Operation) -> bytes | None:
        if operation.takes is None:
            return None
        known = {**examples(), "Events": {"type": "过", "actor": 0}, "lines": {}, "HandWanted": {"game": str(self.other_id)}}
        return json.dumps(known[operation.takes]).encode()


@pytest.fixture
async def world(site: Site, clean: list[dict[str, Any]]) -> World:
    return await World(site).open(clean[0])


async def test_nobody_finds_what_he_should_not(world: World) -> None:
    wrong: list[str] = []
    for (method, pattern), operation in OPERATIONS.items():
        for who, token in world.tokens.items():
            if pattern.endswith("/stream") and EXPECTED[operation.reach][who] == 200:
                continue  # it would not end; what it says is compared in test_hidden, and asked for in test_live
            headers = {"If-Match": '"12"', "Paipu-Lease": "guess"}
            async with world.site.client(token) as client:
                answer = await client.request(method.upper(), world.path(pattern), content=world.body(operation), headers=headers)
            expected, status = EXPECTED[operation.reach][who], answer.status_code
            fits = (
                status not in (401, 403, 500) and (status != 404 or who == "recorder" or pattern in OF_NOTES)
                if expected == 200
                else status == expected
            )
            if not fits:
                wrong.append(f"{method} {pattern} for {who}: {status} instead of {expected}")
            told = answer.text.encode() if "json" in answer.headers.get("content-type", "") else answer.content
            secrets = [secret for secret in (*NAMES, TITLE, str(world.game_id)) if secret.encode() in told]
            asked = status >= 400 and secrets == [str(world.game_id)]  # a refusal may repeat the id that it was asked for
            if secrets and not asked and (operation.reach, who) not in TELLS:
                wrong.append(f"{method} {pattern} tells {who}: {secrets}")
    assert not wrong, "\n".join(wrong)
    async with world.site.client(world.site.owner) as client:
        assert (await client.get(f"/api/games/{world.game_id}")).content == world.record
        match = (await client.get(f"/api/matches/{world.match_id}")).json()
        assert [hand["game"] for hand in match["hands"]] == [str(world.game_id)]


async def test_another_games_link_in_the_address_opens_nothing_either(world: World) -> None:
    for (method, pattern), operation in OPERATIONS.items():
        if operation.reach != "read" or method != "get":
            continue
        async with world.site.client() as client:
            answer = await client.get(f"{world.path(pattern)}?share={world.link}")
        assert answer.status_code in (401, 404), pattern
        assert not any(name in answer.text for name in (*NAMES, TITLE))


async def test_its_own_link_opens_a_game_until_it_is_made_anew(world: World) -> None:
    path = f"/api/games/{world.other_id}"
    async with world.site.client() as client:
        assert (await client.get(f"{path}?share={world.link}")).status_code == 200
        assert (await client.get(path, headers={"Authorization": f"Bearer {world.link}"})).status_code == 200
        assert (await client.get(path)).status_code == 401
        fresh = await world.site.link(world.other_id)
        assert (await client.get(f"{path}?share={world.link}")).status_code == 404
        assert (await client.get(f"{path}?share={fresh}")).status_code == 200
        async with world.site.client(world.site.owner) as owner:
            assert (await owner.put(f"{path}/access", json={"visibility": "private"})).json() == {"visibility": "private"}
        assert (await client.get(f"{path}?share={fresh}")).status_code == 404


async def test_the_pages_show_strangers_nothing_private(world: World) -> None:
    routes = [
        (method, path)
        for page in PAGES
        if isinstance(page, HTTPRouteHandler)
        for path in page.paths
        for method in page.http_methods
        if method in ("GET", "POST")
    ]
    assert len(routes) > 8
    for method, pattern in routes:
        for token in (None, "guess", world.tokens["taken back"], world.link, world.tokens["other game"]):
            async with world.site.client(token) as client:
                answer = await client.request(method, world.path(pattern))
            assert answer.status_code < 500
            assert not any(secret in answer.text for secret in (*NAMES, TITLE)), (method, pattern)
            if "{game_id" in pattern:
                assert answer.status_code in (401, 403, 404), (method, pattern, answer.status_code)


def test_every_call_says_whom_it_is_for() -> None:
    assert {operation.reach for operation in OPERATIONS.values()} <= set(EXPECTED)


def asked(operation: Operation, value: str) -> tuple[dict[str, str], dict[str, str]]:
    """The same value for every parameter behind the question mark, and for every header, that a call knows."""
    return tuple({one["name"]: value for one in operation.asks if one["in"] == place} for place in ("query", "header"))  # pyright: ignore[reportReturnType]


async def test_nothing_is_said_of_a_request_to_who_may_not_make_it(world: World) -> None:
    wrong: list[str] = []
    for (method, pattern), operation in OPERATIONS.items():
        if operation.reach in ("open", "local"):
            continue
        query, header = asked(operation, "!")
        for who in ("no token", "a guess", "taken back"):
            for path in (world.path(pattern), world.path(pattern.replace("{game_id}", "!").replace("{match_id}", "!"))):
                for given in ({}, {"params": query, "headers": {**header, "Content-Type": "x/y"}}):
                    for content in (None, b"{"):
                        async with world.site.client(world.tokens[who]) as client:
                            answer = await client.request(method.upper(), path, content=content, **given)
                        if answer.status_code != 401:
                            wrong.append(f"{method} {pattern} for {who}: {answer.status_code} {answer.text}")
    assert not wrong, "\n".join(wrong)


async def test_what_no_text_can_hold_is_refused_or_finds_nothing(world: World) -> None:
    tried = 0
    async with world.site.client(world.site.owner) as client, world.site.client() as stranger:
        for (method, pattern), operation in OPERATIONS.items():
            if pattern.endswith("/stream"):
                continue
            for one in operation.asks:
                if one["in"] != "query" or one["schema"].get("type") != "string":
                    continue
                for text in ("%00", "%00甲", "甲%00"):
                    sender = stranger if one["name"] == "share" else client
                    body = world.body(operation)
                    answer = await sender.request(method.upper(), f"{world.path(pattern)}?{one['name']}={text}", content=body)
                    assert answer.status_code in ((401, 404) if one["name"] == "share" else (400, 406)), (pattern, one["name"], answer.text)
                    tried += 1
            for name in [part[1:-1] for part in pattern.split("/") if part.startswith("{")]:
                answer = await client.request(
                    method.upper(), world.path(pattern.replace(f"{{{name}}}", "%00")), content=world.body(operation)
                )
                assert answer.status_code in (400, 404, 428), (pattern, name, answer.text)
                tried += 1
        for page in ("/?text=%00", "/games/%00", "/share/%00", f"/games/{world.game_id}/%00"):
            assert (await client.get(page)).status_code in (400, 404), page
    assert tried > 100
