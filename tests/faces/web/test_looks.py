"""The pages in a real browser, at the size of a phone and of a desk: nothing sticks out, cards can be told apart and are not cut."""

import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from services.samples import sample_text

Service = Any

CHROMIUM = shutil.which("chromium")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.mark.parametrize("width", [320, 390, 820, 1280])
def test_nothing_sticks_out_and_every_step_can_be_tapped(service: Service, chromium: Browser, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 844})
    page.goto(service.address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for link in [str(link.get_attribute("href")) for link in page.locator("ul.games a").all()]:
        page.goto(f"{service.address}{link}/20")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for box in (step.bounding_box() for step in page.locator("nav.steps a").all()):
            assert box is not None
            assert box["height"] >= 40
        overlaps = page.evaluate(
            """() => [...document.querySelectorAll('.cards, .meld')].filter(row => {
                const boxes = [...row.querySelectorAll('.card')].map(card => card.getBoundingClientRect());
                return boxes.some((box, at) => at && box.top === boxes[at - 1].top && box.left < boxes[at - 1].right);
            }).length"""
        )
        assert overlaps == 0
    page.close()


def test_small_and_big_cards_differ_without_colour(service: Service, chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{service.address}/?text=周六晚")
    page.locator("ul.games a").first.click()
    page.goto(f"{page.url}/20")

    def look(kind: str) -> list[str]:
        return page.locator(f".card.{kind}").first.evaluate(
            "card => { const style = getComputedStyle(card); return [style.borderTopWidth, style.fontWeight, style.backgroundColor]; }"
        )

    small, big = look("xiao"), look("da")
    assert all(one != other for one, other in zip(small, big, strict=True))
    assert page.locator(".card.red").first.evaluate("card => getComputedStyle(card).color") == "rgb(193, 18, 31)"
    page.close()


@pytest.mark.parametrize("width", [320, 360])
def test_long_words_do_not_make_pages_scroll_sideways(service: Service, chromium: Browser, width: int) -> None:
    record = json.loads(sample_text("weimaque-4"))
    record["meta"]["title"] = "W" * 90
    record["events"][0]["players"] = [f"wxid_{'m' * 40}{seat}" for seat in range(4)]
    stored = service.client.post("/api/games", json=record).json()["id"]
    service.client.put(f"/api/games/{stored}/access", json={"visibility": "public"}).raise_for_status()
    page = chromium.new_page(viewport={"width": width, "height": 740})
    for path in ("/?text=wxid_mmm", f"/games/{stored}", f"/games/{stored}/20", f"/games/{stored}/45?lang=en"):
        page.goto(f"{service.address}{path}")
        assert "wxid_mmm" in page.content()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.close()
