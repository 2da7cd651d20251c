"""Every event shape has a golden file of its version; what was once written is read for ever, and written back byte for byte."""

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from schemas.base import Game, shape_version
from services.formats.canonical import canonical
from services.formats.events import EVENTS, stored_event
from services.formats.upcast import upcast

GOLDEN = Path(__file__).parent.parent / "golden"
GAMES: tuple[Game, ...] = get_args(Game)


def golden(game: Game, version: int) -> dict[str, bytes]:
    return {path.stem: path.read_bytes().rstrip(b"\n") for path in (GOLDEN / f"v{version}" / game).glob("*.json")}


@pytest.mark.parametrize("version", range(1, shape_version + 1))
@pytest.mark.parametrize("game", GAMES)
def test_golden_events_are_read_in_every_version(game: Game, version: int) -> None:
    files = golden(game, version)
    assert files
    for name, payload in files.items():
        event = stored_event(game, payload, version)
        assert type(event).__name__.lower() == name
        if version == shape_version:
            assert canonical(event) == payload


@pytest.mark.parametrize("game", GAMES)
def test_every_shape_and_every_member_of_it_has_a_golden_file(game: Game) -> None:
    files = golden(game, shape_version)
    for shape in get_args(EVENTS[game]):
        written = msgspec.json.decode(files[shape.__name__.lower()])
        assert set(written) == {"type", *(field.encode_name for field in msgspec.structs.fields(shape))}


def test_old_versions_are_lifted_step_by_step() -> None:
    def tile_to_pai(body: dict[str, Any]) -> dict[str, Any]:
        return {**{key: value for key, value in body.items() if key != "tile"}, "pai": body["tile"]}

    def seat_to_actor(body: dict[str, Any]) -> dict[str, Any]:
        return {**{key: value for key, value in body.items() if key != "seat"}, "actor": body["seat"]}

    steps = {("出", 1): tile_to_pai, ("出", 3): seat_to_actor}
    old = {"type": "出", "seat": 2, "tile": "九"}
    assert upcast(old, 1, steps, current=4) == {"type": "出", "actor": 2, "pai": "九"}
    assert upcast({"type": "过", "actor": 1}, 1, steps, current=4) == {"type": "过", "actor": 1}
    assert old == {"type": "出", "seat": 2, "tile": "九"}


@pytest.mark.parametrize("version", [0, shape_version + 1])
def test_a_version_that_nobody_knows_is_refused(version: int) -> None:
    with pytest.raises(ValueError, match="version"):
        stored_event("weimaque", b'{"type":"\xe6\xb5\x81\xe5\xb1\x80"}', version)
