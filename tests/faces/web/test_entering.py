"""Coming in with a real browser: a token, a link to one hand, and out again. No page may be kept from working by its own headers."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

Service = Any

CHROMIUM = shutil.which("chromium")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-sync"])
        yield browser
        browser.close()


def test_a_hand_is_shared_from_one_browser_and_opened_in_another(service: Service, chromium: Browser, clean: list[dict[str, Any]]) -> None:
    running = {**clean[0], "meta": {"title": "今晚第一盘"}, "events": clean[0]["events"][:8]}
    path = service.client.post("/api/games?again=1", json=running).headers["Location"].removeprefix("/api")
    said: list[str] = []
    owner = chromium.new_context(locale="zh-CN", viewport={"width": 390, "height": 844}).new_page()
    owner.on("console", lambda message: said.append(message.text))
    owner.goto(f"{service.address}/login")
    owner.fill("input[name=token]", (service.data / "token").read_text().strip())
    owner.click("main button")
    owner.wait_for_url(f"{service.address}/")
    assert "owner" in owner.locator(".who").inner_text()
    owner.goto(f"{service.address}{path}")
    assert owner.locator(".card").count() > 40
    owner.locator("summary", has_text="谁能看").click()
    owner.select_option("select[name=visibility]", "link")
    owner.click("aside form button")
    link = owner.locator("code.link").inner_text()
    assert owner.evaluate("document.documentElement.scrollWidth") <= 390
    guest = chromium.new_context(locale="zh-CN").new_page()
    guest.goto(f"{service.address}{path}")
    assert "今晚第一盘" not in guest.content()
    guest.goto(link)
    guest.wait_for_url(f"{service.address}{path}")
    assert "今晚第一盘" in guest.locator("h1").inner_text()
    assert guest.locator("text=看不见").count() > 0
    owner.locator(".who button").click()
    owner.wait_for_url(f"{service.address}/")
    assert owner.locator("a.who").inner_text() == "登录"
    assert said == []
