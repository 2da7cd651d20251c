"""The pages: every position of every sample can be reached by its links, says what it shows, and needs no script."""

import re
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from services.samples import sample_names

Service = Any

VOID = frozenset({"meta", "link", "input", "br", "hr", "img"})


class Page(HTMLParser):
    """A page taken apart: its text, links and spoken labels. Tags that are not closed in order are an error."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.links: list[str] = []
        self.labels: list[str] = []
        self.tags: list[str] = []
        self.unnamed_cards = 0
        self.scripts = 0
        self.next: str | None = None
        self.language: str | None = None
        self.feed(html)
        self.close()
        assert not self.tags, self.tags

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag not in VOID:
            self.tags.append(tag)
        if tag == "script" or any(name.startswith("on") for name in said):
            self.scripts += 1
        if tag == "html":
            self.language = said.get("lang")
        if tag == "a" and (link := said.get("href")):
            self.links.append(link)
        if tag == "link" and said.get("rel") == "next":
            self.next = said["href"]
        if label := said.get("aria-label"):
            self.labels.append(label)
        if "card" in (said.get("class") or "").split() and not (said.get("role") == "img" and said.get("aria-label")):
            self.unnamed_cards += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.tags.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def browser(service: Service) -> Any:
    """A client without a token, as a browser is."""
    with httpx.Client(base_url=service.address, timeout=60) as client:
        yield client


def opened(browser: httpx.Client, path: str, **headers: str) -> Page:
    answer = browser.get(path, headers=headers)
    assert answer.status_code == 200, path
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    page = Page(answer.text)
    assert page.scripts == 0
    assert page.unnamed_cards == 0
    return page


def games(browser: httpx.Client) -> list[str]:
    return [link for link in opened(browser, "/").links if link.startswith("/games/")]


def test_the_list_shows_the_samples(browser: httpx.Client, owner_browser: httpx.Client) -> None:
    page = opened(browser, "/")
    assert len(games(browser)) == len(sample_names())
    for words in ("周六晚 第3盘", "周伯", "安乡偎麻雀", "常德麻将"):
        assert words in page.text
    # Of a hand that is on, strangers are not told whether all of it is in order.
    assert "有违规" not in page.text
    assert "有违规" in opened(owner_browser, "/").text
    assert "一炮三响抢杠" not in opened(browser, "/?game=weimaque").text
    found = opened(browser, "/?text=抢杠")
    assert "一炮三响抢杠" in found.text
    assert "周六晚" not in found.text
    assert "没有找到" in opened(browser, "/?text=没有这样的牌局").text


def test_every_position_of_every_sample_is_one_link_from_the_one_before(browser: httpx.Client) -> None:
    for game in games(browser):
        first = next(link for link in opened(browser, game).links if link.endswith("/0"))
        path: str | None = first
        seen = 0
        while path is not None:
            page = opened(browser, path)
            seen += 1
            assert f"第 {seen - 1} 步" in page.text
            path = page.next
        steps = re.search(r"共 (\d+) 步", opened(browser, game).text)
        assert steps is not None
        assert seen == int(steps[1]) + 1


def test_a_board_shows_what_lies_there(browser: httpx.Client) -> None:
    game = next(path for path in games(browser) if "周六晚 第3盘" in opened(browser, path).text)
    page = opened(browser, f"{game}/20")
    for words in ("小陶揭十", "文静", "老向", "庄", "守醒", "余牌", "碰", "听"):
        assert words in page.text
    assert {"小十", "大一", "小二"} <= set(page.labels)
    english = opened(browser, f"{game}/20?lang=en")
    assert english.language == "en"
    assert "小陶 reveals 十" in english.text
    assert {"small 10", "big 1"} <= set(english.labels)


def test_findings_stand_at_their_position_and_link_to_their_reasons(owner_browser: httpx.Client) -> None:
    game = next(path for path in games(owner_browser) if "有人碰了过张" in opened(owner_browser, path).text)
    page = opened(owner_browser, game)
    assert "wmq-peng-passed" in page.text
    assert "违规" in page.text
    assert f"{game}/2" in page.links
    assert "这张早过了" in page.text
    assert "wmq-peng-passed" not in opened(owner_browser, f"{game}/44").text


def test_a_corrected_event_shows_both_what_was_written_and_what_holds(browser: httpx.Client) -> None:
    game = next(path for path in games(browser) if "记错一张" in opened(browser, path).text)
    page = opened(browser, f"{game}/7")
    assert "周伯出六" in page.text
    assert "原记：周伯出二" in page.text
    assert "更正 7" in page.text


def test_the_language_follows_the_reader(browser: httpx.Client) -> None:
    assert opened(browser, "/").language == "zh-Hans"
    assert opened(browser, "/", **{"Accept-Language": "en-GB,en;q=0.9"}).language == "en"
    assert opened(browser, "/?lang=zh", **{"Accept-Language": "en"}).language == "zh-Hans"
    assert all("lang=en" in link for link in opened(browser, "/?lang=en").links if link.startswith("/games/"))


@pytest.mark.parametrize("path", ["/games/nobody", "/games/00000000-0000-0000-0000-000000000000", "/games/{game}/9999", "/games/{game}/x"])
def test_what_is_not_there_is_a_page_too(owner_browser: httpx.Client, path: str) -> None:
    answer = owner_browser.get(path.replace("/games/{game}", games(owner_browser)[0]))
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "没有" in Page(answer.text).text


def test_names_are_shown_as_text_and_never_as_markup(service: Service, owner_browser: httpx.Client, clean: list[dict[str, Any]]) -> None:
    events: list[Any] = clean[0]["events"]
    start = {**events[0], "players": ["<b>甲", '"乙', "&amp;", "丁"]}
    meta = {"title": "<script>alert(1)</script>"}
    note = {"seq": 3, "by": "<i>", "text": "<img src=x onerror=alert(1)>"}
    stored = service.client.post("/api/games", json={**clean[0], "meta": meta, "events": [start, *events[1:]], "annotations": [note]})
    page = opened(owner_browser, f"/games/{stored.json()['id']}/3")
    for words in ("<script>alert(1)</script>", "<b>甲", "&amp;", "<img src=x onerror=alert(1)>"):
        assert words in page.text
    assert "<script>alert(1)</script>" in opened(owner_browser, "/").text


def test_the_style_comes_from_the_service_itself(browser: httpx.Client) -> None:
    answer = browser.get("/static/paipu.css")
    assert answer.headers["Content-Type"].startswith("text/css")
    assert "#c1121f" in answer.text
    assert "http" not in answer.text
