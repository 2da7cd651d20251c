"""A hand that cannot have happened: its page leads to ready repairs, and a button appends one for who may write it."""

import re
from html import unescape
from typing import Any

import httpx
import pytest

Service = Any


def slipped(clean: list[dict[str, Any]]) -> dict[str, Any]:
    """A faultless hand in which the first discard was written down as a card that the player does not hold."""
    record = next(record for record in clean if record["game"] == "weimaque" and None not in record["events"][1]["hands"])
    place = next(at for at, event in enumerate(record["events"]) if event["type"] == "出")
    event = record["events"][place]
    held = record["events"][1]["hands"][event["actor"]]
    card = next(card for card in "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾" if card not in held)
    events = [*record["events"][:place], {**event, "pai": card}, *record["events"][place + 1 :]]
    return {**record, "meta": {"title": "记错了一张"}, "events": events}


@pytest.fixture(params=["zh", "en"])
def language(request: pytest.FixtureRequest) -> str:
    return request.param


def path_of(service: Service, record: dict[str, Any]) -> str:
    stored = service.client.post("/api/games?mode=keep&again=1", json=record)
    assert stored.status_code == 201, stored.text
    return stored.headers["Location"].removeprefix("/api")


def forms(text: str) -> list[dict[str, str]]:
    found = re.findall(r'<form class="filter" method="post" action="[^"]*/repairs[^"]*">(.*?)</form>', text, re.DOTALL)
    return [{name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)} for form in found]


def test_the_owner_mends_a_hand_with_one_button(
    service: Service, owner_browser: httpx.Client, clean: list[dict[str, Any]], language: str
) -> None:
    path = path_of(service, slipped(clean))
    wanted = {"lang": language}
    assert f'href="{path}/repairs' in owner_browser.get(path, params=wanted).text
    offered = owner_browser.get(f"{path}/repairs", params=wanted)
    assert offered.status_code == 200
    assert "<script" not in offered.text
    choices = forms(offered.text)
    assert len(choices) > 1
    ready = service.client.post(f"/api{path}/repairs").json()["repairs"]
    assert len(ready) == len(choices)
    assert all(repair["message"] in unescape(offered.text) for repair in ready) or language == "en"
    before = service.client.get(f"/api{path}/verdict").json()
    assert any(finding["kind"] == "impossible" for finding in before["findings"])
    assert owner_browser.post(f"{path}/repairs", data=choices[0]).status_code == 200
    after = service.client.get(f"/api{path}/verdict").json()
    assert not any(finding["kind"] == "impossible" for finding in after["findings"])
    assert after["record"]["events"] == before["record"]["events"] + len(ready[0]["events"])
    assert "/repairs" not in owner_browser.get(path).text
    again = owner_browser.post(f"{path}/repairs", data=choices[0])
    assert again.status_code == 412


def test_nobody_else_and_no_foreign_form_mends(service: Service, owner_browser: httpx.Client, clean: list[dict[str, Any]]) -> None:
    path = path_of(service, slipped(clean))
    shared = service.client.put(f"/api{path}/access", json={"visibility": "public"})
    assert shared.status_code < 300, shared.text
    (choice, *_) = forms(owner_browser.get(f"{path}/repairs").text)
    with httpx.Client(base_url=service.address, timeout=60) as stranger:
        assert forms(stranger.get(f"{path}/repairs").text) == []
        assert stranger.post(f"{path}/repairs", data=choice).status_code == 403
    assert owner_browser.post(f"{path}/repairs", data={**choice, "form": "0"}).status_code == 403
    assert owner_browser.post(f"{path}/repairs", data={**choice, "version": "x"}).status_code == 400
    assert owner_browser.post(f"{path}/repairs", data={**choice, "events": "nothing"}).status_code == 400
    assert service.client.get(f"/api{path}").json()["events"] == slipped(clean)["events"]


def test_a_hand_in_order_offers_nothing(service: Service, owner_browser: httpx.Client, clean: list[dict[str, Any]]) -> None:
    path = path_of(service, clean[0])
    assert "/repairs" not in owner_browser.get(path).text
    assert forms(owner_browser.get(f"{path}/repairs").text) == []
