"""A certificate holds on its own, in whole and with parts left out; whatever is changed in it shows."""

import json
import re
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from engine.version import VERSION
from schemas.base import UNSET
from services.access import OWNER
from services.certificate.certificate import Certificate, content, read_certificate, redact, verify
from services.certificate.issuing import Certifier
from services.certificate.key import SigningKeyError, public_hex, signing_key
from services.certificate.leaves import Leaf, Subject, assemble, root, split, without
from services.certificate.page import page
from services.engine_version import engine_version
from services.formats.table import start_of
from services.problems import ProblemError

pytestmark = pytest.mark.anyio

SUBJECTS: tuple[Subject, ...] = ("names", "hands", "annotations")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "certified"


@pytest.fixture
async def certified(kept: Any, data: Path) -> list[Certificate]:
    """The certificates of all sample hands, one of them annotated."""
    note = '{"seq":3,"by":"老向","text":"周伯手里还有","glyph":"?!"}'.encode()
    await kept.records.annotate(OWNER, kept.ids[0], note, "json")
    certifier = Certifier(kept.store.games, kept.store.annotations, kept.store.feed, data)
    return [await certifier.certificate(game_id) for game_id in kept.ids]


def plain(value: Any) -> bytes:
    """Canonical JSON by the standard library alone."""
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def reread(certificate: Certificate) -> Certificate:
    return read_certificate(msgspec.json.encode(certificate))


async def test_it_holds_without_the_store(certified: list[Certificate]) -> None:
    for certificate in certified:
        checked = verify(reread(certificate))
        assert checked.faults == ()
        assert (checked.chain, checked.verdict, checked.left_out) == ("held", "held", {})
        assert checked.engine == engine_version()
        assert engine_version().startswith(f"{VERSION}+")


async def test_it_can_be_checked_with_nothing_but_json_sha256_and_ed25519(certified: list[Certificate]) -> None:
    """As the documentation says, in its own words: no code of the program takes part."""
    for certificate in [*certified, *(redact(certificate, SUBJECTS) for certificate in certified)]:
        read = json.loads(msgspec.json.encode(certificate))
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(read["public_key"]))
        key.verify(bytes.fromhex(read["signature"]), plain(read["statement"]))
        rows = [
            [
                leaf["path"],
                leaf.get("about", []),
                leaf["hash"] if "hash" in leaf else sha256(bytes.fromhex(leaf["salt"]) + plain(leaf["value"])).hexdigest(),
            ]
            for leaf in read["leaves"]
        ]
        assert read["statement"]["root"] == sha256(plain(rows)).hexdigest()
        assert certificate.digest == sha256(plain(read["statement"])).hexdigest()


@pytest.mark.parametrize("gone", [("names",), ("hands",), ("annotations",), SUBJECTS])
async def test_a_copy_with_parts_left_out_holds_and_says_what_is_left_out(certified: list[Certificate], gone: tuple[Subject, ...]) -> None:
    for certificate in certified:
        copy = reread(redact(certificate, gone))
        checked = verify(copy)
        assert checked.faults == ()
        assert copy.digest == certificate.digest
        left = {leaf.path for leaf in copy.left_out}
        told = {leaf.path for leaf in certificate.leaves if set(gone).intersection(leaf.about)}
        assert left == (told | {("log",)} if told else set())
        assert sum(map(len, checked.left_out.values())) == len(left)
        assert checked.chain == ("left-out" if told else "held")


async def test_names_left_out_are_nowhere_in_the_copy(kept: Any, certified: list[Certificate]) -> None:
    for game_id, certificate in zip(kept.ids, certified, strict=True):
        record = (await kept.records.open(OWNER, game_id)).record()
        copy = msgspec.json.encode(redact(certificate, ["names"])).decode()
        whole = msgspec.json.encode(certificate).decode()
        for name in start_of(record).players:
            assert name in whole
            assert name not in copy
        if record.meta is not UNSET:
            assert str(record.meta["title"]) not in copy
        assert str(game_id) not in copy
        assert "周伯手里还有" not in copy


async def test_hands_left_out_are_nowhere_in_the_copy(certified: list[Certificate]) -> None:
    for certificate in certified:
        copy = redact(certificate, ["hands"])
        stated = content(copy)
        events = stated["record"]["events"]
        deal = next(event for event in events if event["type"] == "起牌")
        assert set(deal["hands"]) == {None}
        assert [event["pai"] for event in events if event["type"] in ("栽", "摸", "补章", "亮") and event["pai"] is not None] == []
        assert [event["hand"] for event in events if event.get("hand") is not None] == []
        assert stated["win"] is None
        assert {seat["hand"] for seat in stated["position"]["state"]["seats"]} == {None}
        assert {finding["message"] for finding in stated["verdict"]["findings"]} <= {None}
        # What the table saw is still there.
        assert all(event["pai"] for event in events if event["type"] == "出")


async def test_a_reveal_that_went_face_down_is_left_out_with_the_hands(certified: list[Certificate]) -> None:
    seen = 0
    for certificate in certified:
        events, shown = content(certificate)["record"]["events"], content(redact(certificate, ["hands"]))["record"]["events"]
        for at, event in enumerate(events):
            if event["type"] == "栽":
                seen += 1
                assert shown[at]["pai"] is None
                assert shown[at - 1]["pai"] is None
    assert seen


async def test_no_two_salts_are_the_same(certified: list[Certificate]) -> None:
    salts = [leaf.salt for certificate in certified for leaf in certificate.leaves]
    assert len(set(salts)) == len(salts) > 100


@pytest.mark.parametrize("gone", [(), ("names",), SUBJECTS])
async def test_every_changed_leaf_shows(certified: list[Certificate], gone: tuple[Subject, ...]) -> None:
    certificate = redact(certified[0], gone)
    for place, leaf in enumerate(certificate.leaves):
        changes: list[dict[str, Any]] = [{"path": (*leaf.path, "more")}, {"about": ("log",) if leaf.about != ("log",) else ()}]
        changes += [{"hash": "00" * 32}] if leaf.is_left_out else [{"value": [leaf.value]}, {"salt": "00" * 16}]
        for change in changes:
            leaves = list(certificate.leaves)
            leaves[place] = msgspec.structs.replace(leaf, **change)
            assert not verify(msgspec.structs.replace(certificate, leaves=tuple(leaves))).holds, (leaf.path, change)
    for leaves in (certificate.leaves[:-1], certificate.leaves[::-1], (*certificate.leaves, certificate.leaves[-1])):
        assert not verify(msgspec.structs.replace(certificate, leaves=leaves)).holds


@pytest.mark.parametrize("member", [field for field in Certificate.__struct_fields__ if field != "leaves"])
async def test_every_changed_statement_shows(certified: list[Certificate], member: str) -> None:
    certificate, other = certified[0], certified[1]
    if member == "statement":
        for name in certificate.statement.__struct_fields__:
            value = getattr(certificate.statement, name)
            changed = msgspec.structs.replace(certificate.statement, **{name: value + (1 if isinstance(value, int) else "0")})
            assert not verify(msgspec.structs.replace(certificate, statement=changed)).holds, name
    elif member == "signature":
        assert not verify(msgspec.structs.replace(certificate, signature=other.signature)).holds
        assert not verify(msgspec.structs.replace(certificate, signature="nothing")).holds
    else:
        assert not verify(msgspec.structs.replace(certificate, public_key="00" * 32)).holds


async def test_a_certificate_by_another_key_does_not_hold_for_this_one(kept: Any, certified: list[Certificate], tmp_path: Path) -> None:
    stranger = Certifier(kept.store.games, kept.store.annotations, kept.store.feed, tmp_path / "stranger")
    forged = await stranger.certificate(kept.ids[0])
    assert verify(forged).holds
    assert verify(certified[0], certified[0].public_key).holds
    assert not verify(forged, certified[0].public_key).holds
    garbled = msgspec.structs.replace(certified[0], public_key="00" * 32)
    assert not verify(garbled, certified[0].public_key).holds


async def test_a_lie_that_is_signed_all_the_same_shows(certified: list[Certificate], data: Path) -> None:
    """Events that do not bear the chain, a verdict that this engine does not find: the signature alone does not make them hold."""
    certificate, key = certified[0], signing_key(data)

    def signed(**changes: Any) -> Certificate:
        stated = {**content(certificate), **changes}
        leaves = split(stated, {("log",): ("log",)})
        statement = msgspec.structs.replace(certificate.statement, leaves=len(leaves), root=root(leaves))
        return Certificate(statement=statement, signature=key.sign(plain(statement)).hex(), public_key=public_hex(key), leaves=leaves)

    whole = content(certificate)
    record, verdict = whole["record"], whole["verdict"]
    shorter = {**record, "events": record["events"][:-1], "kind_versions": record["kind_versions"][:-1]}
    assert verify(signed()).holds
    assert verify(signed(record=shorter)).chain == "broken"
    assert verify(signed(verdict={**verdict, "outcome": None})).verdict == "broken"
    assert not verify(signed(ruleset={**whole["ruleset"], "preset": "none"})).holds
    nonsense: list[dict[str, Any]] = [
        {"record": [1]},
        {"log": {}},
        {"ruleset": None},
        {"record": {**record, "events": [3]}},
        {"verdict": 7},
    ]
    for change in nonsense:
        assert not verify(signed(**change)).holds, change
    other_engine = msgspec.structs.replace(certificate.statement, engine="1+000000000000")
    signature = key.sign(plain(other_engine)).hex()
    assert verify(msgspec.structs.replace(certificate, statement=other_engine, signature=signature)).verdict == "held"


async def test_a_verdict_by_another_engine_is_told_and_is_no_fault(certified: list[Certificate], data: Path) -> None:
    certificate, key = certified[0], signing_key(data)
    stated = content(certificate)
    stated["verdict"]["outcome"] = None
    leaves = split(stated, {})
    statement = msgspec.structs.replace(certificate.statement, engine="1+000000000000", leaves=len(leaves), root=root(leaves))
    other = Certificate(statement=statement, signature=key.sign(plain(statement)).hex(), public_key=public_hex(key), leaves=leaves)
    assert (verify(other).holds, verify(other).verdict) == (True, "other")


async def test_a_log_that_was_changed_is_not_certified(kept: Any, intruder: Callable[..., None], data: Path) -> None:
    intruder("UPDATE event SET kind = '过' WHERE game_id = %s AND seq = 2", kept.ids[0])
    certifier = Certifier(kept.store.games, kept.store.annotations, kept.store.feed, data)
    events = await kept.store.games.events(kept.ids[1])
    intruder("UPDATE game_head SET head_hash = 'x' WHERE game_id = %s", kept.ids[1])
    assert events
    with pytest.raises(ProblemError, match="hash chain"):
        await certifier.certificate(kept.ids[1])


async def test_a_corrected_hand_is_certified_with_its_corrections(kept: Any, data: Path) -> None:
    game = await kept.store.games.game(kept.ids[0])
    amend = '{"type":"更正","seq":0,"event":' + (await kept.store.games.read(kept.ids[0]))[1][0].decode().replace('"阿梅"', '"阿兰"') + "}"
    assert "阿兰" in amend
    await kept.records.append(OWNER, game.game_id, amend.encode(), form="json", expected=game.version, mode="keep", language="zh")
    certifier = Certifier(kept.store.games, kept.store.annotations, kept.store.feed, data)
    certificate = await certifier.certificate(game.game_id)
    assert verify(certificate).chain == "held"
    copy = msgspec.json.encode(redact(certificate, ["names"])).decode()
    assert "阿兰" not in copy
    assert "阿梅" not in copy
    assert "阿兰" in page(certificate, "zh")


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_page_tells_all_and_loads_nothing(certified: list[Certificate], language: Any) -> None:
    for certificate in certified:
        for copy in (certificate, redact(certificate, SUBJECTS)):
            made = page(copy, language)
            assert certificate.digest in made
            assert made.count("<svg") > 1
            assert not re.search(r"""(?:src|href)\s*=|url\(|@import|<script""", made)
            assert 'class="segno' in made or "qrline" in made
    told = page(certified[-4], language)
    stated = content(certified[-4])
    for item in stated["win"][language]["items"]:
        assert item["name"] in told


async def test_the_page_says_what_another_reading_would_change(certified: list[Certificate]) -> None:
    differing = [certificate for certificate in certified if content(certificate)["verdict"]["sensitivity"]]
    assert differing
    for certificate in differing:
        for other in content(certificate)["verdict"]["sensitivity"]:
            assert f"{other['option']} = " in page(certificate, "zh")


async def test_what_is_in_a_name_cannot_be_markup(kept: Any, data: Path) -> None:
    game = await kept.store.games.game(kept.ids[0])
    amend = (
        '{"type":"更正","seq":0,"event":' + (await kept.store.games.read(kept.ids[0]))[1][0].decode().replace('"阿梅"', '"<script>"') + "}"
    )
    await kept.records.append(OWNER, game.game_id, amend.encode(), form="json", expected=game.version, mode="keep", language="zh")
    certifier = Certifier(kept.store.games, kept.store.annotations, kept.store.feed, data)
    assert "<script" not in page(await certifier.certificate(game.game_id), "zh")


async def test_a_checkpoint_covers_what_waited(kept: Any, data: Path) -> None:
    game = await kept.store.games.game(kept.ids[0])
    event = '{"type":"过","actor":1}'.encode()
    await kept.records.append(OWNER, game.game_id, event, form="json", expected=game.version, mode="keep", language="zh")
    checkpoint = await Certifier(kept.store.games, kept.store.annotations, kept.store.feed, data).checkpoint()
    assert checkpoint.standing.position == len(kept.ids) + 1


def test_the_key_is_made_once_and_closed_to_others(data: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = {public_hex(key) for key in pool.map(signing_key, [data] * 16)}
    assert len(keys) == 1
    (file,) = data.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o640)
    with pytest.raises(SigningKeyError, match="others"):
        signing_key(data)
    file.chmod(0o600)
    file.write_text("no key")
    with pytest.raises(SigningKeyError, match="holds no key"):
        signing_key(data)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"statement":{}}', "[" * 100_000])
def test_what_is_no_certificate_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the decoder says of it
        read_certificate(text.encode())


def test_leaves_come_back_together() -> None:
    stated: dict[str, Any] = {"a": [1, {"b": None, "c": "x"}], "d": {"e": [[], {}]}}
    leaves = split(stated, {("a",): (), ("a", 1): ("names",), ("a", 1, "c"): ("hands",), ("d", "e", 0): ("names",)})
    assert assemble(leaves) == stated
    assert assemble(without(leaves, ["hands"])) == {"a": [1, {"b": None, "c": None}], "d": {"e": [[], {}]}}
    assert root(without(leaves, get_args(Subject))) == root(leaves)
    with pytest.raises(ValueError, match="no place"):
        assemble([*leaves, Leaf(path=("z", "y"), salt="00" * 16, value=1)])
    with pytest.raises(ValueError, match="lacks"):
        root([Leaf(path=(), salt="00", value=1)])
