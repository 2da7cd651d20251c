"""What is made of a stored log for a view is made once, and is byte for byte what the engine shows there."""

from typing import Any

import pytest

import services.kept
from engine.view import Viewer, is_over_for, masked
from services.access import OWNER
from services.formats.canonical import canonical

pytestmark = pytest.mark.anyio

Site = Any


def note(record: dict[str, Any]) -> dict[str, Any]:
    return {"seq": 2, "by": "记录", "text": f"手牌 {record['events'][1]['hands'][0]}"}


async def test_a_view_is_masked_once_for_everything_that_is_asked_of_it(
    site: Site, clean: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Viewer] = []

    def counting(record: Any, who: Viewer) -> Any:
        asked.append(who)
        return masked(record, who)

    for record, events in ((clean[0], 12), (clean[-1], 12), (clean[0], len(clean[0]["events"]))):
        game_id = await site.add({**record, "events": record["events"][:events]})
        reader = await site.token(f"reader of {game_id}", role="reader")
        path = f"/api/games/{game_id}"
        with monkeypatch.context() as patched:
            patched.setattr(services.kept, "masked", counting)
            async with site.client(reader) as client:
                for more in ("", "", "?format=jsonl", "?view=public", "?pseudonyms=1", "/events", "/rulings", "/annotations"):
                    assert (await client.get(f"{path}{more}")).status_code == 200
        assert asked == ["public"]
        asked.clear()


@pytest.mark.parametrize("events", [3, 20, None])
async def test_texts_are_those_of_the_masked_record(site: Site, clean: list[dict[str, Any]], events: int | None) -> None:
    hidden = 0
    for record in (clean[0], clean[-1]):
        game_id = await site.add({**record, "events": record["events"][:events], "annotations": [note(record)]})
        kept = (await site.parts.records.open(OWNER, game_id)).kept
        views: list[Viewer] = ["full", "public", *range(len(record["events"][0]["players"]))]
        for view in views:
            shown = masked(kept.record(), view)
            hidden += shown is not kept.record()
            assert kept.over(view) == is_over_for(kept.record(), view)
            assert kept.text(view) == canonical(shown)
            assert kept.payloads_seen(view) == [canonical(event) for event in shown.events]
            assert ("手牌" in kept.text(view).decode()) == (shown is kept.record())
    assert (hidden > 0) == (events is not None)
