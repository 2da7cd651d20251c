"""Repairs and their impact over HTTP: offered, previewed, appended; witnesses and the two readings of time."""

import json
from typing import Any

Service = Any


def kept(service: Service, record: dict[str, Any]) -> str:
    """The path of a record that is stored whatever it says."""
    return service.client.post("/api/games?again=1&mode=keep", json=record).headers["Location"]


def miswritten(record: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The record with a discard written down for another seat, and where."""
    broken = json.loads(json.dumps(record))
    seats = len(record["events"][0]["players"])
    seq = next(seq for seq, event in enumerate(broken["events"]) if seq > 4 and event["type"] == "出")
    broken["events"][seq]["actor"] = (broken["events"][seq]["actor"] + 1) % seats
    return broken, seq


def test_a_repair_is_offered_previewed_and_appended(service: Service, clean: list[dict[str, Any]]) -> None:
    broken, seq = miswritten(clean[3])
    path = kept(service, broken)
    before = service.client.get(f"{path}/verdict").json()
    assert any(finding["kind"] == "impossible" for finding in before["findings"])
    offered = service.client.post(f"{path}/repairs")
    assert offered.status_code == 200
    version = len(broken["events"])
    assert offered.json()["version"] == version
    (best, *others) = offered.json()["repairs"]
    assert best["events"] == [{"type": "更正", "seq": seq, "event": clean[3]["events"][seq]}]
    assert best["slip"] == "seat"
    assert len(others) <= 4
    assert len(service.client.post(f"{path}/repairs?limit=1").json()["repairs"]) == 1
    assert service.client.get(path).headers["ETag"] == f'"{version}"'

    preview = service.client.post(f"{path}/events?dry_run=1", json=best["events"])
    assert preview.status_code == 200
    impact = preview.json()["impact"]
    assert {(f["seq"], f["rule"]) for f in impact["cleared"]} == {(c["seq"], c["rule"]) for c in best["clears"]}
    assert impact["positions"]["first"] == seq
    done = service.client.post(f"{path}/events", json=best["events"], headers={"If-Match": f'"{version}"'})
    assert done.status_code == 201
    assert service.client.get(f"{path}/verdict").json()["outcome"] == impact["outcome_after"]
    assert service.client.post(f"{path}/repairs").json()["repairs"] == []


def test_repairs_are_told_in_english_too(service: Service, clean: list[dict[str, Any]]) -> None:
    broken, _ = miswritten(clean[3])
    path = kept(service, broken)
    zh = service.client.post(f"{path}/repairs?lang=zh").json()["repairs"]
    en = service.client.post(f"{path}/repairs?lang=en").json()["repairs"]
    assert [repair["events"] for repair in zh] == [repair["events"] for repair in en]
    assert zh[0]["message"] != en[0]["message"]


def with_nothing_known(record: dict[str, Any]) -> dict[str, Any]:
    """The record without hands and stock."""
    hidden = json.loads(json.dumps(record))
    deal = hidden["events"][1]
    deal["hands"] = [None] * len(deal["hands"])
    deal["stock" if "stock" in deal else "wall"] = None
    return hidden


def test_witnesses_come_on_request(service: Service, clean: list[dict[str, Any]]) -> None:
    hidden = with_nothing_known(clean[3])
    plain = service.client.post("/api/check?possible=1", json=hidden).json()
    assert plain["possible"] > 0
    assert all("witness" not in finding for finding in plain["findings"])
    told = service.client.post("/api/check?possible=1&witness=1", json=hidden).json()
    open_ones = [finding for finding in told["findings"] if finding["certainty"] == "possible"]
    assert len(open_ones) == told["possible"] == plain["possible"]
    assert all({"legal", "broken"} == set(finding["witness"]) and finding["needs"] for finding in open_ones)
    assert any(finding["witness"]["legal"] and finding["witness"]["broken"] for finding in open_ones)
    path = kept(service, hidden)
    assert service.client.get(f"{path}/verdict?witness=1").json() == told


def test_positions_as_the_table_knew_them(service: Service, clean: list[dict[str, Any]]) -> None:
    hidden = with_nothing_known(clean[3])
    path = kept(service, hidden)
    now = service.client.get(f"{path}/frames").json()["frames"]
    then = service.client.get(f"{path}/frames?known=then").json()["frames"]
    assert [frame["seq"] for frame in now] == [frame["seq"] for frame in then]
    assert sum(len(seat["hand"] or ()) for seat in then[1]["state"]["seats"]) == 0
    assert sum(len(seat["hand"] or ()) for seat in now[1]["state"]["seats"]) > 0
    assert service.client.get(f"{path}/frames/1?known=then").json() == then[1]
    assert service.client.get(f"{path}/frames/1?known=sometime").status_code == 400
