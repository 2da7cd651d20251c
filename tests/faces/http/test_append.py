"""Appending: one winner for each version, the same answer for the same key, a preview that writes nothing."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from services.formats.canonical import canonical

Service = Any


def opened(service: Service, record: dict[str, Any], events: int) -> str:
    """The path of a fresh game with the first events of a record."""
    answer = service.client.post("/api/games?again=1", json={**record, "events": record["events"][:events]})
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"]


def append(service: Service, path: str, version: int | None, events: Any, **headers: str) -> Any:
    """Appends behind a version."""
    matched = {} if version is None else {"If-Match": f'"{version}"'}
    return service.client.post(f"{path}/events", json=events, headers={**matched, **headers})


def test_a_hand_written_down_event_by_event(service: Service, clean: list[dict[str, Any]]) -> None:
    for record in (clean[5], clean[-2]):
        path, told = opened(service, record, 1), dict[str, Any]()
        for version, event in enumerate(record["events"][1:], 1):
            answer = append(service, path, version, event)
            assert answer.status_code == 201, answer.text
            told = answer.json()
            assert (told["version"], told["seqs"]) == (version + 1, [version])
            assert answer.headers["ETag"] == f'"{version + 1}"'
            assert all(finding["kind"] == "notice" for finding in told["findings"])
        assert told["outcome"]["end"] in ("胡", "流局")
        assert canonical(service.client.get(path).json()) == canonical(record)


def test_several_events_are_written_whole_or_not_at_all(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[6]
    path = opened(service, record, 2)
    answer = append(service, path, 2, [*record["events"][2:6], {"type": "出", "actor": 9, "pai": "一"}])
    assert answer.status_code == 400
    assert [(error["path"], error["seq"]) for error in answer.json()["errors"]] == [("$[4].actor", 6)]
    assert service.client.get(path).headers["ETag"] == '"2"'
    answer = append(service, path, 2, record["events"][2:6])
    assert answer.json()["seqs"] == [2, 3, 4, 5]


def test_the_version_must_be_named_and_right(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[7]
    path = opened(service, record, 4)
    assert append(service, path, None, record["events"][4]).status_code == 428
    stale = append(service, path, 2, record["events"][4])
    assert stale.status_code == 412
    assert stale.headers["ETag"] == '"4"'
    assert stale.json()["version"] == 4
    assert [(told["seq"], told["event"]) for told in stale.json()["events"]] == [(seq, record["events"][seq]) for seq in (2, 3)]
    assert append(service, path, 99, record["events"][4]).status_code == 412
    assert service.client.post(f"{path}/events", json=record["events"][4], headers={"If-Match": "4"}).status_code == 400
    assert append(service, "/api/games/00000000-0000-0000-0000-000000000000", 4, record["events"][4]).status_code == 404


def test_a_request_that_comes_twice_is_carried_out_once(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[8]
    path = opened(service, record, 2)
    first = append(service, path, 2, record["events"][2], **{"Idempotency-Key": "k1"})
    again = append(service, path, 2, record["events"][2], **{"Idempotency-Key": "k1"})
    other = append(service, path, 2, record["events"][3], **{"Idempotency-Key": "k1"})
    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 422)
    assert first.content == again.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"] == '"3"'
    assert service.client.get(path).headers["ETag"] == '"3"'


def test_of_many_writers_one_wins_each_version(service: Service, clean: list[dict[str, Any]]) -> None:
    path = opened(service, clean[9], 2)
    for version in range(2, 7):
        with ThreadPoolExecutor(8) as writers:
            asked = [writers.submit(append, service, path, version, {"type": "过", "actor": 0}) for _ in range(8)]
        assert sorted(writer.result().status_code for writer in asked) == [201] + [412] * 7


def test_a_dry_run_only_answers(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[10]
    path = opened(service, record, 2)
    preview = service.client.post(f"{path}/events?dry_run=1", json=record["events"][2], headers={"If-Match": '"2"'})
    assert preview.status_code == 200
    assert service.client.get(path).headers["ETag"] == '"2"'
    done = append(service, path, 2, record["events"][2])
    told = preview.json()
    impact = told.pop("impact")
    assert done.json() == told
    assert impact["version"] == 3
    assert impact["added"] == impact["cleared"] == []
    assert impact["positions"] == {"first": 2, "last": 2, "changed": 1}
    assert service.client.post(f"{path}/events?dry_run=1", json=record["events"][2], headers={"If-Match": '"2"'}).status_code == 412


def test_what_cannot_have_happened_is_refused_and_a_violation_is_not(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[12]
    path = opened(service, record, 2)
    dealer = record["events"][0]["dealer"]
    absent = next(pai for pai in "一二三四五六七八九十" if pai not in record["events"][1]["hands"][dealer])
    refused = append(service, path, 2, {"type": "出", "actor": dealer, "pai": absent})
    assert refused.status_code == 422
    assert refused.json()["type"] == "/problems/impossible"
    assert [finding["rule"] for finding in refused.json()["findings"]] == ["wmq-discard-held"]
    kept = service.client.post(f"{path}/events?mode=keep", json={"type": "出", "actor": dealer, "pai": absent}, headers={"If-Match": '"2"'})
    assert kept.status_code == 201
    # Now the record holds something impossible; a correction of it may be written, and clears the finding.
    held = record["events"][2]
    cleared = append(service, path, 3, {"type": "更正", "seq": 2, "event": held})
    assert cleared.status_code == 201
    assert [finding["rule"] for finding in cleared.json()["cleared"]] == ["wmq-discard-held"]


def test_next_holds_events_that_can_be_sent_back(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[13]
    path = opened(service, record, 2)
    told = append(service, path, 2, record["events"][2]).json()
    assert told["next"]
    for event in told["next"]:
        preview = service.client.post(f"{path}/events?dry_run=1&mode=strict", json=event)
        assert preview.status_code == 200, (event, preview.text)


@pytest.mark.parametrize("body", ["", "null", "[]", "{}", '{"type": "开局"}', '{"type": "出", "actor": 0, "pai": "一", "pai": "一"}'])
def test_what_is_no_event_is_unreadable(service: Service, clean: list[dict[str, Any]], body: str) -> None:
    path = opened(service, clean[14], 2)
    answer = service.client.post(f"{path}/events", content=body.encode(), headers={"If-Match": '"2"'})
    assert answer.status_code == 400
    assert answer.json()["type"] == "/problems/unreadable"


def test_events_are_told_as_written(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[0]
    path = opened(service, record, len(record["events"]))
    told = service.client.get(f"{path}/events?from=3").json()
    assert told["version"] == len(record["events"])
    assert [event["seq"] for event in told["events"]] == list(range(3, len(record["events"])))
    assert [canonical(event["event"]) for event in told["events"]] == [canonical(event) for event in record["events"][3:]]
    assert {event["recorder"] for event in told["events"]} == {"owner"}
    assert service.client.get(f"{path}/events?from=999").json()["events"] == []


def test_annotations_come_and_go_without_a_new_version(service: Service, clean: list[dict[str, Any]]) -> None:
    record = clean[0]
    path = opened(service, record, len(record["events"]))
    note = {"seq": 3, "by": "丁", "text": "该等一等", "glyph": "?!", "line": [{"type": "过", "actor": 0}]}
    added = service.client.post(f"{path}/annotations", json=note)
    assert added.status_code == 201
    assert added.json()["annotation"] == note
    back = service.client.get(path)
    assert back.headers["ETag"] == f'"{len(record["events"])}"'
    assert back.json()["annotations"] == [note]
    assert [told["annotation"] for told in service.client.get(f"{path}/annotations").json()["annotations"]] == [note]
    for wrong in ({**note, "seq": 999}, {**note, "glyph": "!!!"}, {"seq": 1}):
        assert service.client.post(f"{path}/annotations", json=wrong).status_code == 400
    assert service.client.delete(added.headers["Location"]).status_code == 204
    assert service.client.delete(added.headers["Location"]).status_code == 404
    assert "annotations" not in service.client.get(path).json()


@pytest.mark.parametrize("more", ["", "?view=public", "/events", "/frames/3"])
def test_an_answer_comes_whole_to_whoever_knows_its_version(service: Service, clean: list[dict[str, Any]], more: str) -> None:
    """What is answered of a version does not hang on the version alone: to leave it out would leave out what is new."""
    path = opened(service, clean[14], 6)
    before = service.client.get(f"{path}{more}")
    note = {"seq": 3, "by": "丁", "text": "该等一等"}
    assert service.client.post(f"{path}/annotations", json=note).status_code == 201
    after = service.client.get(f"{path}{more}")
    assert before.headers["ETag"] == after.headers["ETag"] == '"6"'
    assert (before.content != after.content) == (more == "")
    for tags in ('"6"', 'W/"6"', '"5", "6"', "*", '"', ""):
        again = service.client.get(f"{path}{more}", headers={"If-None-Match": tags})
        assert (again.status_code, again.content, again.headers["ETag"]) == (200, after.content, '"6"')


def test_the_document_tells_which_answers_carry_a_version(service: Service, clean: list[dict[str, Any]]) -> None:
    path = opened(service, clean[14], 6)
    names = {"game_id": path.rpartition("/")[2], "seq": "3"}
    told = 0
    for pattern, calls in service.client.get("/schema/openapi.json").json()["paths"].items():
        asked = re.findall(r"{(\w+)}", pattern)
        if "get" not in calls or not asked or not set(asked) <= set(names) or pattern.endswith("/stream"):
            continue
        answer = service.client.get(pattern.format(**names))
        assert answer.status_code == 200, pattern
        assert ("ETag" in answer.headers) == ("headers" in calls["get"]["responses"]["200"]), pattern
        told += "ETag" in answer.headers
    assert told == 3


def test_a_record_keeps_its_annotations(service: Service, clean: list[dict[str, Any]]) -> None:
    noted = {**clean[0], "annotations": [{"seq": 0, "by": "甲", "text": "开始"}, {"seq": 4, "by": "乙", "text": "好", "tags": ["碰"]}]}
    answer = service.client.post("/api/games?again=1", content=json.dumps(noted).encode())
    assert canonical(service.client.get(answer.headers["Location"]).json()) == canonical(noted)


def test_a_variation_is_replayed_with_its_findings(service: Service, clean: list[dict[str, Any]]) -> None:
    record = next(
        one for one in clean if len(one["events"][0]["players"]) == 3 and sum(event["type"] == "出" for event in one["events"]) > 3
    )
    path = service.client.post("/api/games?again=1", json=record).headers["Location"]
    version = len(record["events"])
    seq = [place for place, event in enumerate(record["events"]) if event["type"] == "出"][2]
    played = record["events"][seq:-1][:4]
    wrong = {**played[0], "actor": (played[0]["actor"] + 1) % 3}

    def told(line: list[dict[str, Any]], **query: str) -> Any:
        made = service.client.post(f"{path}/annotations", json={"seq": seq, "by": "丁", "text": "改打", "line": line})
        assert made.status_code == 201, made.text
        answer = service.client.get(f"{path}/variations/{made.json()['n']}/frames", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()["frames"]

    # The line that was played itself leads to the positions that were.
    same, real = told(played), [service.client.get(f"{path}/frames/{seq + place}").json() for place in range(len(played))]
    assert [frame["seq"] for frame in same] == list(range(version, version + len(played)))
    assert [(frame["state"]["seats"], frame["findings"]) for frame in same] == [
        (frame["state"]["seats"], frame["findings"]) for frame in real
    ]
    (refuted,) = told([wrong])
    assert "wmq-turn" in {finding["rule"] for finding in refuted["findings"]}
    english = told([wrong], lang="en")[0]["findings"][0]["message"]
    assert english != refuted["findings"][0]["message"]
    # What was corrected later counts for what stands before.
    service.client.post(f"{path}/events?mode=keep", json={"type": "作废", "seq": seq - 1}, headers={"If-Match": f'"{version}"'})
    assert told(played)[0]["state"] != same[0]["state"]
    plain = service.client.post(f"{path}/annotations", json={"seq": seq, "by": "丁", "text": "没有变化"}).json()["n"]
    for number in (plain, 999, "x"):
        assert service.client.get(f"{path}/variations/{number}/frames").status_code == 404
