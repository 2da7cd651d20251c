"""Import, in every mode and format: what goes in comes out the same, and is safe to send again."""

import copy
import json
from typing import Any

import msgspec
import pytest

from services.formats.canonical import canonical
from services.formats.reading import read_one
from services.formats.writing import write
from services.samples import sample_text

Service = Any

MEDIA = {"json": "application/json", "jsonl": "application/x-ndjson", "msgpack": "application/vnd.msgpack"}


def impossible(record: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The record with a discard, soon after the deal, of a card that is not in that hand."""
    broken = copy.deepcopy(record)
    deal = broken["events"][1]
    for seq, event in enumerate(broken["events"][2:], 2):
        if event["type"] == "出" and deal["hands"][event["actor"]] is not None:
            held = set(deal["hands"][event["actor"]])
            other = next(
                pai
                for pai in ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "1m", "2m", "3m")
                if _fits(pai, record) and pai not in held
            )
            event["pai"] = other
            return broken, seq
    raise AssertionError("no discard from a known hand")


def _fits(pai: str, record: dict[str, Any]) -> bool:
    return pai[-1].isascii() == (record["game"] == "changde")


@pytest.mark.parametrize("form", ["json", "jsonl", "msgpack"])
def test_clean_records_come_back_the_same(service: Service, clean: list[dict[str, Any]], form: Any) -> None:
    for record in clean:
        body = write(read_one(json.dumps(record).encode()), form)
        answer = service.client.post("/api/games", content=body, headers={"Content-Type": MEDIA[form]})
        assert answer.status_code in (200, 201), answer.text
        told = answer.json()
        assert told["version"] == len(record["events"])
        assert answer.headers["ETag"] == f'"{told["version"]}"'
        assert answer.headers["Location"] == f"/api/games/{told['id']}"
        assert [finding for finding in told["findings"] if finding["kind"] != "notice"] == []
        for wanted in MEDIA if form == "json" else [form]:
            back = service.client.get(f"/api/games/{told['id']}", params={"format": wanted})
            assert back.status_code == 200
            assert back.headers["Content-Type"].startswith(MEDIA[wanted])
            assert canonical(read_one(back.content)) == canonical(record)


def test_a_body_without_a_type_is_sniffed(service: Service, clean: list[dict[str, Any]]) -> None:
    for body in (
        json.dumps(clean[0], indent=2).encode(),
        write(read_one(json.dumps(clean[0]).encode()), "jsonl"),
        msgspec.msgpack.encode(clean[0]),
    ):
        request = service.client.build_request("POST", "/api/games?again=1", content=body)
        assert "content-type" not in request.headers
        assert service.client.send(request).status_code == 201


def test_a_finished_hand_sent_again_is_the_game_already_there(service: Service, clean: list[dict[str, Any]]) -> None:
    finished = next(record for record in clean if record["events"][-1]["type"] == "结算")
    record = {**finished, "meta": {"title": "again"}}
    first = service.client.post("/api/games", json=record)
    second = service.client.post("/api/games", content=json.dumps(record, indent=3).encode(), headers={"Content-Type": "application/json"})
    third = service.client.post("/api/games?again=1", json=record)
    assert (first.status_code, second.status_code, third.status_code) == (201, 200, 201)
    assert first.json()["id"] == second.json()["id"] != third.json()["id"]
    assert second.headers["Location"] == first.headers["Location"]


def test_an_open_hand_is_never_matched_but_by_its_key(service: Service, clean: list[dict[str, Any]]) -> None:
    opened = {**clean[0], "events": clean[0]["events"][:1]}
    first, second = (service.client.post("/api/games", json=opened) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["id"] != second.json()["id"]
    keyed = [service.client.post("/api/games", json=opened, headers={"Idempotency-Key": "evening 3"}) for _ in range(3)]
    assert {answer.status_code for answer in keyed} == {201}
    assert len({answer.content for answer in keyed}) == 1
    assert [answer.headers.get("Idempotency-Replayed") for answer in keyed] == [None, "true", "true"]
    other = service.client.post("/api/games", json={**opened, "meta": {}}, headers={"Idempotency-Key": "evening 3"})
    assert other.status_code == 422
    assert other.json()["type"] == "/problems/key-reused"


def test_an_impossible_record_is_refused_cut_or_kept_by_mode(service: Service, clean: list[dict[str, Any]]) -> None:
    for record in (clean[1], clean[-1]):
        broken, seq = impossible(record)
        refused = service.client.post("/api/games", json=broken)
        assert refused.status_code == 422
        problem = refused.json()
        assert problem["type"] == "/problems/impossible"
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert problem["findings"][0]["seq"] == seq
        assert service.client.post("/api/games?mode=strict", json=broken).status_code == 422
        cut = service.client.post("/api/games?mode=prefix", json=broken)
        assert cut.status_code == 201
        assert (cut.json()["kept"], cut.json()["dropped"]) == (seq, len(broken["events"]) - seq)
        assert cut.json()["error"]["seq"] == seq
        back = service.client.get(cut.headers["Location"]).json()
        assert back["events"] == broken["events"][:seq]
        kept = service.client.post("/api/games?mode=keep", json=broken)
        assert kept.status_code == 201
        assert kept.json()["version"] == len(broken["events"])
        assert kept.json()["findings"][0]["seq"] == seq


def test_a_violation_is_recorded_but_not_strictly(service: Service) -> None:
    sample = json.loads(sample_text("weimaque-4"))
    recorded = service.client.post("/api/games?again=1", json=sample)
    assert recorded.status_code == 201
    assert [finding["rule"] for finding in recorded.json()["findings"]] == ["wmq-peng-passed"]
    strict = service.client.post("/api/games?mode=strict", json=sample)
    assert strict.status_code == 422
    assert strict.json()["type"] == "/problems/violation"


def test_a_prefix_ends_before_what_cannot_be_read(service: Service, clean: list[dict[str, Any]]) -> None:
    broken = copy.deepcopy(clean[2])
    broken["events"][9]["actor"] = 7
    answer = service.client.post("/api/games?mode=prefix", json=broken)
    assert answer.status_code == 201
    assert (answer.json()["kept"], answer.json()["dropped"]) == (9, len(broken["events"]) - 9)
    assert answer.json()["error"]["path"] == "$.events[9].actor"
    untouched = service.client.post("/api/games?mode=prefix&again=1", json=clean[2])
    assert (untouched.json()["kept"], untouched.json()["dropped"]) == (len(clean[2]["events"]), 0)
    assert "error" not in untouched.json()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_unreadable_records_are_told_place_by_place(service: Service, clean: list[dict[str, Any]], language: str) -> None:
    broken = copy.deepcopy(clean[0])
    broken["events"][12]["pai"] = "四万"
    broken["events"][13]["actor"] = 9
    answer = service.client.post("/api/games", json=broken, headers={"Accept-Language": f"fr, {language};q=0.8"})
    assert answer.status_code == 400
    problem = answer.json()
    assert problem["type"] == "/problems/unreadable"
    assert [error["path"] for error in problem["errors"]] == ["$.events[12].pai", "$.events[13].actor"]
    assert problem["errors"][0]["seq"] == 12
    assert problem["errors"][0]["found"] == '"四万"'
    assert {"zh": "不是偎麻雀的牌", "en": "is no 偎麻雀 card"}[language] in problem["errors"][0]["message"]


def test_a_batch_commits_or_refuses_each_record_by_itself(service: Service, clean: list[dict[str, Any]]) -> None:
    broken, _ = impossible(clean[1])
    lines = [json.dumps({**clean[3], "meta": {"title": "batch"}}), "", json.dumps(broken), "{", json.dumps(clean[4])]
    answer = service.client.post("/api/games:batch", content="\r\n".join(lines).encode(), headers={"Content-Type": "application/x-ndjson"})
    assert answer.status_code == 200
    answers = [json.loads(line) for line in answer.text.splitlines()]
    assert [told["line"] for told in answers] == [1, 3, 4, 5]
    assert [told["status"] // 100 for told in answers] == [2, 4, 4, 2]
    assert [told.get("error", {}).get("type") for told in answers] == [None, "/problems/impossible", "/problems/unreadable", None]
    for told, record in ((answers[0], {**clean[3], "meta": {"title": "batch"}}), (answers[3], clean[4])):
        assert canonical(service.client.get(f"/api/games/{told['id']}").json()) == canonical(record)


def test_all_clean_records_in_one_batch(service: Service, clean: list[dict[str, Any]]) -> None:
    records = [{**record, "meta": {"x-batch": place}} for place, record in enumerate(clean)]
    body = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    answers = [json.loads(line) for line in service.client.post("/api/games:batch", content=body).text.splitlines()]
    assert {told["status"] for told in answers} == {201}
    for told, record in zip(answers, records, strict=True):
        assert canonical(service.client.get(f"/api/games/{told['id']}").json()) == canonical(record)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"headers": {"Content-Type": "text/html"}}, 415),
        ({"params": {"mode": "loose"}}, 400),
        ({"params": {"again": "yes"}}, 400),
        ({"headers": {"Idempotency-Key": "x" * 256}}, 400),
        ({"content": b"[" * 100_000}, 400),
        ({"content": b" " * (4 * 1024 * 1024 + 1)}, 413),
        ({"headers": {"Authorization": "Bearer guess"}}, 401),
        ({"headers": {"Authorization": ""}}, 401),
        ({"headers": {"Host": "paipu.example"}}, 403),
        ({"headers": {"Origin": "http://paipu.example"}}, 403),
        ({"headers": {"Origin": "null"}}, 403),
    ],
)
def test_what_is_not_right_is_refused_with_a_problem(
    service: Service, clean: list[dict[str, Any]], change: dict[str, Any], status: int
) -> None:
    asked = {"content": json.dumps(clean[0]).encode(), **change}
    answer = service.client.post("/api/games", **asked)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["type"].startswith("/problems/")
    assert problem["title"]
    assert problem["detail"]


def test_its_own_origin_is_welcome(service: Service) -> None:
    assert service.client.get("/api/games", headers={"Origin": service.address}).status_code == 200


def test_the_token_is_for_the_owner_alone(service: Service) -> None:
    assert (service.data / "token").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("amount", [2**31 - 1, 2**31, -(2**31) - 1, 2**62, 2**64 - 1])
@pytest.mark.parametrize("way", ["one", "batch", "cli"])
def test_amounts_of_any_size_are_stored_and_counted(service: Service, way: str, amount: int) -> None:
    record = json.loads(sample_text("weimaque-1"))
    record["meta"] = {"title": f"{way} {amount}"}
    start, paid = record["events"][0], record["events"][-1]
    start["players"] = [f"{name}{way}{amount}" for name in start["players"]]
    if amount > 0:
        start["rules"]["shouxing_win"] = {"fixed": amount}
    paid["transfers"][0]["amount"] = amount
    text = json.dumps(record, ensure_ascii=False).encode()
    if way == "one":
        answer = service.client.post("/api/games", content=text)
        assert answer.status_code == 201, answer.text
        game_id = answer.json()["id"]
    elif way == "batch":
        answer = service.client.post("/api/games:batch", content=text)
        assert answer.json()["status"] == 201, answer.text
        game_id = answer.json()["id"]
    else:
        done = service.paipu("import", "-", stdin=text)
        assert done.returncode == 0, done.stderr
        game_id = done.stdout.decode().strip()
    assert service.client.get(f"/api/games/{game_id}").content == canonical(record)
    assert read_one(service.client.get(f"/api/games/{game_id}?format=msgpack").content, "msgpack") == read_one(text)
    outcome = service.client.get(f"/api/games/{game_id}/verdict").json()["outcome"]
    gained = sum(due["amount"] * ((due["to"] == 0) - (due["from"] == 0)) for due in outcome["transfers"])
    (figures,) = service.client.get("/api/statistics", params={"player": start["players"][0]}).json()["players"]
    assert figures["net"] == gained
    assert amount < 0 or abs(gained) >= amount
