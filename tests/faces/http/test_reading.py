"""Reading: lists, frames, verdicts, formats; every frame of every clean record, and the document that describes it all."""

import gzip
import json
from typing import Any

import msgspec
import pytest

from engine.judge import check
from engine.replay import frames
from engine.sensitivity import other_verdicts
from services.formats.reading import read_one
from services.http.app import routes
from services.http.operations import OPERATIONS
from services.samples import sample_text

Service = Any


@pytest.fixture(scope="module")
def stored(service: Service, clean: list[dict[str, Any]]) -> list[str]:
    """The paths of all clean records, stored."""
    body = b"".join(json.dumps(record).encode() + b"\n" for record in clean)
    answers = [json.loads(line) for line in service.client.post("/api/games:batch?again=1", content=body).text.splitlines()]
    return [f"/api/games/{told['id']}" for told in answers]


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def test_every_frame_of_every_clean_record_equals_stepping_there(service: Service, stored: list[str], clean: list[dict[str, Any]]) -> None:
    for path, record in zip(stored, clean, strict=True):
        stepped = plain(frames(read_one(json.dumps(record).encode())))
        assert service.client.get(f"{path}/frames").json()["frames"] == stepped
        assert [told["seq"] for told in stepped] == list(range(len(record["events"])))
        assert stepped[-1]["version"] == len(record["events"])
        for seq in (0, 1, len(stepped) // 2, len(stepped) - 1):
            assert service.client.get(f"{path}/frames/{seq}").json() == stepped[seq]


def test_an_older_version_never_changes(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[0]
    path = service.client.post("/api/games?again=1", json={**record, "events": record["events"][:6]}).headers["Location"]
    before = service.client.get(f"{path}/frames/4").json()
    for seq, event in enumerate(record["events"][6:], 6):
        service.client.post(f"{path}/events", json=event, headers={"If-Match": f'"{seq}"'})
    assert service.client.get(f"{path}/frames/4?version=6").json() == before
    assert service.client.get(f"{path}/frames/4").json()["version"] == len(record["events"])
    assert service.client.get(f"{path}/frames/6?version=6").status_code == 404
    assert service.client.get(f"{path}/frames/4?version=999").status_code == 404
    part = service.client.get(f"{path}/frames?from=2&to=4&version=6").json()["frames"]
    assert [told["seq"] for told in part] == [2, 3, 4]


def test_a_corrected_event_has_a_frame_of_its_own(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[0]
    events = [*record["events"][:4], {"type": "过", "actor": 1}, {"type": "作废", "seq": 4}]
    path = service.client.post("/api/games", json={**record, "events": events}).headers["Location"]
    gone = service.client.get(f"{path}/frames/4").json()
    assert gone["effective"] is False
    assert gone["state"] == service.client.get(f"{path}/frames/3").json()["state"]
    assert [told["seq"] for told in service.client.get(f"{path}/frames").json()["frames"]] == [0, 1, 2, 3]


@pytest.mark.parametrize("view", ["full", "public", "0", "3"])
def test_views_of_a_running_hand(service: Service, clean: list[dict[str, Any]], view: str) -> None:
    record = next(record for record in clean if record["game"] == "changde")
    path = service.client.post("/api/games?again=1", json={**record, "events": record["events"][:6]}).headers["Location"]
    seats = service.client.get(f"{path}/frames/5?view={view}").json()["state"]["seats"]
    shown = [seat["hand"] is not None for seat in seats]
    assert shown == {"full": [True] * 4, "public": [False] * 4, "0": [True, False, False, False], "3": [False, False, False, True]}[view]


def test_wrong_questions_are_told(service: Service, stored: list[str]) -> None:
    path = stored[0]
    for asked, status in (
        (f"{path}/frames/9999", 404),
        (f"{path}/frames/-1", 404),
        (f"{path}/frames/1?view=9", 400),
        (f"{path}/frames/1?view=dealer", 400),
        (f"{path}/frames?from=x", 400),
        (f"{path}?format=pdf", 406),
        ("/api/games/nobody", 404),
        ("/api/games/00000000-0000-0000-0000-000000000000", 404),
        ("/api/games/00000000-0000-0000-0000-000000000000/events", 404),
        ("/api/games/00000000-0000-0000-0000-000000000000/annotations", 404),
        ("/api/games?cursor=x", 400),
        ("/api/games?from=yesterday", 400),
        ("/api/games?has=nothing", 400),
        ("/api/rules/wmq-nothing", 404),
        ("/api/rulesets/none", 404),
        ("/api/nothing", 404),
    ):
        answer = service.client.get(asked)
        assert answer.status_code == status, asked
        assert answer.headers["Content-Type"] == "application/problem+json"
    assert service.client.get(path, headers={"Accept": "text/html"}).status_code == 406
    assert service.client.put(path).status_code == 405


def test_accept_chooses_the_format(service: Service, stored: list[str]) -> None:
    for accept, media in (
        ("*/*", "application/json"),
        ("application/vnd.msgpack", "application/vnd.msgpack"),
        ("text/html, application/x-ndjson;q=0.9, application/json;q=0.1", "application/x-ndjson"),
        ("application/vnd.paipu+json", "application/vnd.paipu+json"),
    ):
        answer = service.client.get(stored[1], headers={"Accept": accept})
        assert answer.headers["Content-Type"].startswith(media)


def test_games_are_listed_and_filtered(service: Service, stored: list[str], clean: list[dict[str, Any]]) -> None:
    listed: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        page = service.client.get("/api/games", params={"limit": 37, **({"cursor": cursor} if cursor else {})}).json()
        listed += page["games"]
        cursor = page["next"]
        if cursor is None:
            break
    ids = [game["id"] for game in listed]
    assert len(ids) == len(set(ids))
    assert {path.rsplit("/", 1)[1] for path in stored} <= set(ids)

    def found(**wanted: str) -> list[dict[str, Any]]:
        return service.client.get("/api/games", params={"limit": 500, **wanted}).json()["games"]

    assert {game["game"] for game in found(game="changde")} == {"changde"}
    assert {game["title"] for game in found(text="过张")} == {"有人碰了过张"}
    assert all("罗姐" in game["players"] for game in found(player="罗姐"))
    assert len(found(player="罗姐")) == 3
    assert all(game["players"][game["winners"][0]] == "周伯" for game in found(winner="周伯"))
    assert [game["title"] for game in found(has="violations")] == ["有人碰了过张"]
    played = found(**{"from": "2026-11-28T00:00:00+08:00", "to": "2026-11-29T00:00:00+08:00"})
    assert {game["title"] for game in played} == {"周六晚 第3盘", "记错一张，当场更正"}
    assert found(text="没有这样的话") == []
    assert service.client.get("/api/games", params={"text": "\x00"}).status_code == 400


def test_verdicts_by_own_rules_and_by_others(service: Service, stored: list[str], clean: list[dict[str, Any]]) -> None:
    for path, record in list(zip(stored, clean, strict=True))[::7]:
        told = service.client.get(f"{path}/verdict?possible=1").json()
        assert told == plain(check(read_one(json.dumps(record).encode()), possible=True))
        asked = service.client.post("/api/check?possible=1", json=record, headers={"Authorization": ""})
        assert asked.json() == told
    place = next(place for place, record in enumerate(clean) if "手牵手" in json.dumps(record, ensure_ascii=False))
    what_if = service.client.get(f"{stored[place]}/verdict", params={"rules": "xiaozhuo"})
    assert what_if.status_code == 200
    assert what_if.json() != service.client.get(f"{stored[place]}/verdict").json()
    wrong = service.client.get(f"{stored[place]}/verdict", params={"rules": '{"preset": "dazhuo", "mohu": 1}'})
    assert wrong.status_code == 400
    assert wrong.json()["errors"][0]["path"] == "rules.mohu"


def test_where_a_verdict_hangs_on_a_reading_is_told(service: Service, stored: list[str], clean: list[dict[str, Any]]) -> None:
    hanging = 0
    for path, record in zip(stored, clean, strict=True):
        read = read_one(json.dumps(record).encode())
        others = other_verdicts(read)
        if not others:
            continue
        hanging += 1
        told = service.client.get(f"{path}/verdict?sensitivity=1").json()
        assert told == {**plain(check(read)), "sensitivity": plain(others)}
        assert service.client.post("/api/check?sensitivity=1", json=record).json() == told
        assert "sensitivity" not in service.client.get(f"{path}/verdict").json()
        # Judged by the other value, it is what it was said to be.
        first = told["sensitivity"][0]
        rules = {**record["events"][0]["rules"], first["option"]: first["value"]}
        other = service.client.get(f"{path}/verdict", params={"rules": json.dumps(rules), "sensitivity": 1}).json()
        assert other["outcome"] == first["outcome"]
        assert other["sensitivity"] != told["sensitivity"]
        if hanging == 3:
            break
    assert hanging == 3


def test_messages_follow_the_reader(service: Service) -> None:
    game = service.client.get("/api/games", params={"text": "过张"}).json()["games"][0]
    path = f"/api/games/{game['id']}/verdict"
    zh, en = (
        service.client.get(path, headers={"Accept-Language": language}).json()["findings"][0]["message"] for language in ("zh-CN", "en")
    )
    assert "过张" in zh
    assert zh != en
    assert service.client.get(f"{path}?lang=en").json()["findings"][0]["message"] == en


def test_claims_are_judged(service: Service) -> None:
    claim = {
        "game": "weimaque",
        "rules": {"preset": "dazhuo"},
        "melds": [
            {"kind": "碰", "pai": ["二", "二", "二"]},
            {"kind": "栽", "pai": ["柒", "柒", "柒"]},
            {"kind": "吃", "pai": ["一", "二", "三"]},
        ],
        "hand": ["四", "五", "六", "八", "九", "十", "捌", "捌", "捌", "十"],
        "win": {"pai": "十", "own_reveal": False, "last": False, "wei": False},
        "zhe": False,
        "opening": None,
        "claim": {"total_xi": 67},
    }
    told = service.client.post("/api/verify", json=claim, headers={"Authorization": ""}).json()
    assert (told["valid"], told["hard_xi"], told["total_xi"], told["claim"]["agrees"]) == (True, 17, 67, True)
    wrong = service.client.post("/api/verify", json={**claim, "hand": ["白"], "zhe": 1})
    assert wrong.status_code == 400
    assert [error["path"] for error in wrong.json()["errors"]] == ["$.hand[0]", "$.zhe"]


def test_the_catalogue_is_that_of_the_rules_pages(service: Service) -> None:
    told = service.client.get("/api/rules?game=weimaque").json()
    ids = [rule["id"] for rule in told["rules"]]
    assert "wmq-peng-passed" in ids
    assert all(rule["text"] for rule in told["rules"])
    for rule_id in ids:
        assert service.client.get(f"/api/rules/{rule_id}").json()["id"] == rule_id
    for preset, option, value in (("xiaozhuo", "duohong_unit", 10), ("dazhuo", "duohong_unit", 20), ("hongzhong", "ma_value", 2)):
        assert service.client.get(f"/api/rulesets/{preset}").json()["options"][option] == value


def test_the_document_describes_every_route(service: Service) -> None:
    document = service.client.get("/schema/openapi.json").json()
    described = {(method, path) for path, operations in document["paths"].items() for method in operations}
    assert described == set(OPERATIONS) == routes()
    event = document["components"]["schemas"]["WeimaqueRecord"]
    assert event["additionalProperties"] is False


def test_it_lives_and_is_ready(service: Service) -> None:
    for path in ("/livez", "/readyz"):
        answer = service.client.get(path, headers={"Authorization": ""})
        assert answer.status_code == 200
        assert answer.json() == {"status": "ok"}


def test_parameters_and_headers_that_are_not_right_are_told(service: Service) -> None:
    client = service.client
    for path in ("/api/games?limit=0", "/api/games?limit=501", "/api/games:export?limit=0", "/api/games:export?limit=10001"):
        answer = client.get(path)
        assert answer.status_code == 400
        assert "limit" in answer.json()["detail"]
    assert client.get("/api/games?limit=500").status_code == 200
    assert client.get("/api/games?game=go").json()["detail"] == "game 应为 weimaque、changde"
    assert client.post("/api/check?rules=nope", content=sample_text("weimaque-1")).json()["errors"][0]["path"] == "rules.preset"
    packed = client.post("/api/check", content=gzip.compress(sample_text("weimaque-1")), headers={"Content-Encoding": "gzip"})
    assert packed.status_code == 415
    two = client.post("/api/check", content=b"\n".join([json.dumps(json.loads(sample_text("weimaque-1"))).encode()] * 2))
    assert two.status_code == 400
    assert two.json()["errors"][0]["line"] == 2
    game_id = client.post("/api/games?again=1", content=sample_text("weimaque-1")).json()["id"]
    zeros = client.post(f"/api/games/{game_id}/events", json={"type": "过", "actor": 0}, headers={"If-Match": '"03"'})
    assert zeros.status_code == 400
    for path in ("/schema", "/metrics"):
        assert client.get(path).headers["content-type"].count("charset") == 1


def test_a_path_that_leads_nowhere_is_a_page_to_a_browser(service: Service) -> None:
    page = service.client.get("/nope", headers={"Accept": "text/html,*/*;q=0.8"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "/nope" in page.text
    assert service.client.get("/nope").headers["content-type"] == "application/problem+json"
