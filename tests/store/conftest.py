"""Given: games and appends with made-up bodies; the store reads none of them."""

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest

from services.store.model import Append, NewEvent, NewGame, RequestKey, Summary


def event(text: str) -> NewEvent:
    return NewEvent(kind="出", payload=f'{{"pai":"{text}","type":"出"}}'.encode())


SUMMARY = Summary(players=("甲", "乙", "丙"), dealer=0, title="周六晚", text="周六晚 甲 乙 丙")


@pytest.fixture
def new_game() -> Callable[..., NewGame]:
    """Makes a game of ``size`` events; keywords are NewGame's."""

    def make(size: int = 2, **given: object) -> NewGame:
        fields: dict[str, object] = {
            "game_id": uuid4(),
            "game": "weimaque",
            "owner": "owner",
            "recorder": "phone",
            "rules": b'{"preset":"dazhuo"}',
            "header": b'{"format":"paipu/1","game":"weimaque"}',
            "events": tuple(event(str(number)) for number in range(size)),
            "summary": SUMMARY,
        }
        return NewGame(**{**fields, **given})  # pyright: ignore[reportArgumentType]

    return make


@pytest.fixture
def append_of() -> Callable[..., Append]:
    """Makes an append of events with the given texts; ``key`` and ``body`` make its request."""

    def make(game_id: UUID, expected: int, *texts: str, key: str | None = None, body: bytes = b"body", answer: bytes = b"") -> Append:
        return Append(
            game_id=game_id,
            expected=expected,
            events=tuple(event(text) for text in texts),
            recorder="phone",
            summary=SUMMARY,
            request=None if key is None else RequestKey(id=key, digest=body),
            answer=answer,
        )

    return make
