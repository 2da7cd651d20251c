"""The command line as people and scripts use it: exit codes, JSON answers, files in every format, the store and a service elsewhere."""

import json
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from services.cli.main import main
from services.formats.canonical import canonical
from services.formats.reading import read, read_one
from services.formats.writing import write
from services.samples import sample_names, sample_text

Service = Any
PAIPU = Path(sys.executable).parent / "paipu"
VECTORS = Path(__file__).parent.parent.parent / "vectors"
CLEAN = [VECTORS / f"{game}-records-clean.jsonl" for game in ("weimaque", "changde")]

Printed = pytest.CaptureFixture[str]


def answers(printed: Printed) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.readouterr().out.splitlines()]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A hand with one violation."""
    place = tmp_path / "hand.paipu.json"
    place.write_bytes(sample_text("weimaque-4"))
    return place


def test_check_of_clean_records_exits_0(capsys: Printed) -> None:
    assert main(["check", "--json", *map(str, CLEAN)]) == 0
    told = answers(capsys)
    assert len(told) == sum(len(path.read_bytes().splitlines()) for path in CLEAN)
    assert all(finding["kind"] == "notice" for answer in told for finding in answer["findings"])


def test_check_tells_violations_and_exits_1(sample: Path, capsys: Printed) -> None:
    assert main(["check", str(sample)]) == 1
    printed = capsys.readouterr().out
    assert "#45 违规 wmq-peng-passed" in printed
    assert main(["check", "--lang", "en", str(sample)]) == 1
    assert "violation wmq-peng-passed" in capsys.readouterr().out


def test_check_answers_unreadable_records_in_their_place_and_exits_3(sample: Path, tmp_path: Path, capsys: Printed) -> None:
    mixed = tmp_path / "mixed.jsonl"
    one = json.dumps(json.loads(sample.read_bytes()))
    mixed.write_text(f"{one}\n{{broken\n{one}\n")
    assert main(["check", "--json", str(mixed)]) == 3
    told = answers(capsys)
    assert ["error" in answer for answer in told] == [False, True, False]
    assert told[1]["error"]["type"] == "/problems/unreadable"
    assert told[1]["error"]["errors"][0]["line"] == 2
    assert main(["check", str(mixed)]) == 3
    assert "第 2 行" in capsys.readouterr().err


def test_missing_files_and_wrong_usage_have_their_codes(capsys: Printed) -> None:
    assert main(["check", "/nowhere/at/all"]) == 3
    assert "/nowhere/at/all" in capsys.readouterr().err
    for wrong in ([], ["check"], ["dance"], ["replay", "x", "--at", "-1"]):
        with pytest.raises(SystemExit) as stopped:
            main(wrong)
        assert stopped.value.code == 2


def test_check_reads_standard_input_and_other_rules(sample: Path) -> None:
    done = subprocess.run([PAIPU, "check", "--json", "-"], input=sample.read_bytes(), capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr == b""
    other = subprocess.run(
        [PAIPU, "check", "--rules", '{"preset": "nothing"}', "-"], input=sample.read_bytes(), capture_output=True, check=False
    )
    assert other.returncode == 2
    assert b"--rules.preset" in other.stderr
    named = subprocess.run([PAIPU, "check", "--rules", "nope", "--json", str(sample)], capture_output=True, check=False)
    assert named.returncode == 2
    assert json.loads(named.stdout)["error"]["errors"][0]["path"] == "--rules.preset"


@pytest.mark.parametrize("game", ["weimaque", "changde"])
def test_check_of_a_match_tells_the_wrong_dealer(game: str, tmp_path: Path, capsys: Printed) -> None:
    for line in (VECTORS / f"{game}-matches.jsonl").read_bytes().splitlines():
        match = json.loads(line)
        hands = tmp_path / "match.jsonl"
        hands.write_text("".join(json.dumps(record) + "\n" for record in match["records"]))
        expected = match["expected"]
        assert main(["check", "--match", str(hands), "--json"]) == (1 if expected else 0)
        told = answers(capsys)
        dealers = [(place, finding["rule"]) for place, answer in enumerate(told) for finding in answer["findings"] if finding["seq"] == 0]
        assert len(told) == len(match["records"])
        assert dealers == ([(expected.get("hand", expected.get("record")), expected["rule"])] if expected else [])
        assert main(["check", "--match", str(hands)]) == (1 if expected else 0)
        assert match["records"][0]["events"][0]["players"][0] in capsys.readouterr().out


def test_check_tells_what_another_reading_would_change(capsys: Printed) -> None:
    code = main(["check", "--json", "--sensitivity", *map(str, CLEAN)])
    told = answers(capsys)
    assert code == 0
    assert all("sensitivity" in answer for answer in told)
    other = next(other for answer in told for other in answer["sensitivity"] if other["outcome"] is not None)
    assert {"reading", "option", "value", "cleared", "added", "outcome"} == set(other)
    assert main(["check", "--sensitivity", "--lang", "en", *map(str, CLEAN)]) == 0
    printed = capsys.readouterr().out
    assert f"with {other['option']} = {json.dumps(other['value'])}" in printed
    assert "the same under every other reading" in printed


def test_verify_of_all_wins(tmp_path: Path, capsys: Printed) -> None:
    wins = [json.loads(line) for game in ("weimaque", "changde") for line in (VECTORS / f"{game}-wins.jsonl").read_bytes().splitlines()]
    claims = tmp_path / "wins.jsonl"
    claims.write_text("".join(json.dumps(win["verify"]) + "\n" for win in wins))
    assert main(["verify", "--json", str(claims)]) == 1
    assert [answer["valid"] for answer in answers(capsys)] == [win["expect"]["valid"] for win in wins]
    good = next(win for win in wins if win["expect"]["valid"] and win["verify"].get("claim") is None)
    claims.write_text(json.dumps(good["verify"], indent=1))
    assert main(["verify", str(claims)]) == 0
    assert capsys.readouterr().out.startswith("成立")


@pytest.mark.parametrize("name", sample_names())
def test_replay_of_the_samples(name: str, tmp_path: Path, capsys: Printed) -> None:
    place = tmp_path / f"{name}.paipu.json"
    place.write_bytes(sample_text(name))
    steps = len(read_one(sample_text(name)).events)
    assert main(["replay", str(place)]) == 0
    last = capsys.readouterr().out
    assert all(player in last for player in json.loads(sample_text(name))["events"][0]["players"])
    assert main(["replay", str(place), "--at", "5", "--lang", "en"]) == 0
    assert "#5" in capsys.readouterr().out
    assert main(["replay", str(place), "--json", "--all"]) == 0
    frames = answers(capsys)
    assert frames[-1]["version"] == steps
    assert main(["replay", str(place), "--json", "--at", "3", "--view", "public"]) == 0
    assert answers(capsys)[0]["seq"] == 3
    assert main(["replay", str(place), "--at", str(steps)]) == 2
    assert main(["replay", str(place), "--view", "9"]) == 2


def test_convert_goes_round_through_every_format(tmp_path: Path, capsys: Printed) -> None:
    for clean in CLEAN:
        for number, line in enumerate(clean.read_bytes().splitlines()[:5]):
            start = tmp_path / f"{number}.paipu.json"
            start.write_bytes(line)
            chain = [start, *(tmp_path / f"{number}.paipu.{ending}" for ending in ("msgpack", "jsonl")), tmp_path / f"{number}-back.json"]
            for source, target in pairwise(chain):
                assert main(["convert", str(source), str(target)]) == 0
            assert chain[-1].read_bytes() == canonical(json.loads(line))
    many = tmp_path / "many.jsonl"
    assert main(["convert", str(CLEAN[0]), str(many)]) == 0
    assert [canonical(reading.required()) for reading in read(many.read_bytes())] == many.read_bytes().splitlines()
    assert main(["convert", str(many), str(tmp_path / "many.json")]) == 2
    assert main(["convert", str(many), str(tmp_path / "many.pdf")]) == 2
    (tmp_path / "bad.json").write_text("{}")
    assert main(["convert", str(tmp_path / "bad.json"), str(tmp_path / "out.json")]) == 3
    assert not (tmp_path / "out.json").exists()
    assert "$.game" in capsys.readouterr().err


def test_rules_can_be_looked_up(capsys: Printed) -> None:
    assert main(["rules"]) == 0
    assert {"wmq-peng-passed", "cd-bu-due"} <= set(capsys.readouterr().out.split())
    assert main(["rules", "wmq-peng-passed", "--lang", "en"]) == 0
    assert "R-PASS" in capsys.readouterr().out
    assert main(["rules", "wmq-nothing"]) == 3


def test_all_clean_records_go_in_and_come_out(service: Service, clean: list[dict[str, Any]], tmp_path: Path) -> None:
    done = service.paipu("import", "--json", *map(str, CLEAN))
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert {answer["status"] for answer in told} == {201}
    for answer, record in list(zip(told, clean, strict=True))[::33]:
        assert service.paipu("export", answer["id"]).stdout == canonical(record) + b"\n"
        assert read_one(service.paipu("export", answer["id"], "--format", "msgpack").stdout) == read_one(canonical(record))
    every = service.paipu("export", "--all")
    assert {canonical(record) for record in clean} <= set(every.stdout.splitlines())
    again = service.paipu("import", "--json", *map(str, CLEAN))
    statuses = [json.loads(line)["status"] for line in again.stdout.splitlines()]
    assert statuses == [200 if _finished(record) else 201 for record in clean]
    out = tmp_path / "one.paipu.jsonl"
    assert service.paipu("export", told[0]["id"], "-o", str(out)).returncode == 0
    assert canonical(read_one(out.read_bytes())) == canonical(clean[0])


def test_a_service_elsewhere_is_reached_over_http(service: Service, clean: list[dict[str, Any]], tmp_path: Path) -> None:
    record = {**clean[0], "meta": {"title": "elsewhere"}}
    place = tmp_path / "record.msgpack"
    place.write_bytes(write(read_one(json.dumps(record).encode()), "msgpack"))
    done = service.paipu("import", "--json", "--server", service.address, str(place))
    assert done.returncode == 0, done.stderr
    stored = json.loads(done.stdout)
    back = service.paipu("export", "--server", service.address, stored["id"])
    assert back.stdout == canonical(record) + b"\n"
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    assert service.paipu("import", "--server", service.address, str(bad)).returncode == 3
    assert service.paipu("import", "--server", service.address, "--token", "guess", str(place)).returncode == 4
    assert service.paipu("import", "--server", "http://127.0.0.1:9", str(place)).returncode == 4
    assert service.paipu("export", "--server", service.address, "nobody").returncode == 3
    assert service.paipu("export", "nobody").returncode == 3


def test_refused_imports_exit_1(service: Service, sample: Path, tmp_path: Path) -> None:
    assert service.paipu("import", "--mode", "strict", "--again", str(sample)).returncode == 1
    assert service.paipu("import", "--again", str(sample)).returncode == 0
    broken = json.loads(sample.read_bytes())
    broken["events"][7]["actor"] = 5
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    assert service.paipu("import", str(tmp_path / "broken.json")).returncode == 3
    kept = service.paipu("import", "--mode", "prefix", "--json", str(tmp_path / "broken.json"))
    assert kept.returncode == 0
    assert len(json.loads(service.paipu("export", json.loads(kept.stdout)["id"]).stdout)["events"]) == 7


def test_tokens_are_made_listed_and_taken_back(service: Service) -> None:
    made = json.loads(service.paipu("token", "create", "三号桌", "--role", "recorder", "--days", "3", "--json").stdout)
    plain = service.paipu("token", "create", "看客")
    assert len(plain.stdout.decode().split()) == 1
    assert plain.stdout.strip() not in plain.stderr
    lines = [json.loads(line) for line in service.paipu("token", "list", "--json").stdout.splitlines()]
    assert [(line["name"], line["role"], line["usable"]) for line in lines] == [("三号桌", "recorder", True), ("看客", "reader", True)]
    headers = {"Authorization": f"Bearer {made['token']}"}
    assert service.client.get("/api/games", headers=headers).status_code == 200
    assert service.paipu("token", "revoke", made["id"]).returncode == 0
    assert service.client.get("/api/games", headers=headers).status_code == 401
    assert "失效" in service.paipu("token", "list").stdout.decode().splitlines()[0]
    assert service.paipu("token", "revoke", made["id"]).returncode == 3
    assert service.paipu("token", "revoke", "nobody").returncode == 2
    assert service.paipu("token", "create", "甲", "--seat", "1").returncode == 2
    assert service.paipu("token", "create", "甲", "--role", "king").returncode == 2


def test_the_token_command_prints_the_owners_token(service: Service) -> None:
    assert service.paipu("token").stdout.decode().strip() == (service.data / "token").read_text().strip()


def test_a_taken_port_and_an_unreachable_database_exit_4(service: Service, sample: Path) -> None:
    port = service.address.rsplit(":", 1)[1]
    taken = service.paipu("serve", "--port", port)
    assert taken.returncode == 4
    assert port.encode() in taken.stderr
    environment = {**service.environment, "PAIPU_DATABASE_URL": "postgresql://127.0.0.1:9/none", "PAIPU_DATABASE_OWNER_URL": ""}
    lost = subprocess.run([PAIPU, "import", str(sample)], env=environment, capture_output=True, timeout=60, check=False)
    assert lost.returncode == 4


def test_an_interrupted_server_exits_130(service: Service) -> None:
    process = subprocess.Popen([PAIPU, "serve", "--port", "0"], env=service.environment, stderr=subprocess.PIPE)
    assert process.stderr is not None
    with process.stderr:
        assert b"http://" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.stderr.read()
    assert process.wait(30) == 130


@pytest.mark.parametrize("command", ["check --json", "replay --all", "replay --all --json"])
def test_a_reader_that_leaves_early_is_no_error(command: str) -> None:
    piped = f"set -o pipefail; {PAIPU} {command} {CLEAN[0]} | head -1"
    done = subprocess.run(["bash", "-c", piped], capture_output=True, env={**os.environ}, check=False)
    assert done.stdout
    assert done.stderr == b""
    assert done.returncode == 0


UNWRITABLE = [
    "check {0} >/dev/full",
    "check --json {0} >/dev/full",
    "replay {0} >/dev/full",
    "rules >/dev/full",
    "convert {0} - >/dev/full",
    "convert {0} /nowhere/at/all.json",
    "convert {0} /proc/all.json",
    'amend {0} \'{{"type": "过", "actor": 0}}\' -o /nowhere/all.json',
    "token >/dev/full",
    "simulate --game changde >/dev/full",
    "certificate key >/dev/full",
]


@pytest.mark.parametrize("command", UNWRITABLE)
def test_what_cannot_be_written_is_told_and_exits_4(command: str, sample: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PAIPU_DATA": str(tmp_path / "data")}
    run = ["bash", "-c", f"{PAIPU} {command.format(sample)}"]
    done = subprocess.run(run, capture_output=True, env=environment, check=False)
    assert done.returncode == 4, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert "读写不了" in done.stderr.decode()


def test_a_file_is_replaced_only_by_a_whole_one(service: Service, sample: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.paipu.json"
    kept.write_text("what stood here")
    kept.chmod(0o640)
    assert service.paipu("export", "00000000-0000-4000-8000-000000000000", "-o", str(kept)).returncode == 3
    assert kept.read_text() == "what stood here"
    nobody = {**service.environment, "PAIPU_DATABASE_URL": "postgresql://127.0.0.1:9/none", "PAIPU_DATABASE_OWNER_URL": ""}
    command = [PAIPU, "export", "--all", "-o", str(kept), "--format", "jsonl"]
    assert subprocess.run(command, env=nobody, capture_output=True, check=False).returncode == 4
    assert kept.read_text() == "what stood here"
    linked = tmp_path / "link.json"
    linked.symlink_to(kept)
    assert main(["convert", str(sample), str(linked)]) == 0
    assert linked.is_symlink()
    assert read_one(kept.read_bytes()) == read_one(sample.read_bytes())
    assert kept.stat().st_mode & 0o777 == 0o640
    assert {path.name for path in tmp_path.iterdir()} == {linked.name, kept.name, sample.name}


def test_all_records_are_written_as_json_lines_alone(capsys: Printed, tmp_path: Path) -> None:
    for wrong in (["--format", "msgpack"], ["--format", "json"], ["-o", str(tmp_path / "all.json")]):
        assert main(["export", "--all", *wrong]) == 2
        assert ".jsonl" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_dump_that_is_not_there_exits_3(service: Service) -> None:
    assert service.paipu("db", "restore", "/nowhere/at/all").returncode == 3
    assert service.paipu("db", "dump", "/nowhere/at/all").returncode == 4


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [("weimaque", "draw_fee=10", 10), ("changde", "ma_mode=159", "159"), ("changde", "preset=hongzhong", "hongzhong")],
)
def test_simulated_hands_are_legal_and_come_again(
    game: str, option: str, value: Any, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ["simulate", "--game", game, "--count", "4", "--option", option, "--seed"]
    assert main([*asked, "7"]) == 0
    first = capfd.readouterr().out
    assert main([*asked, "7"]) == 0
    assert capfd.readouterr().out == first
    assert main([*asked, "8"]) == 0
    assert capfd.readouterr().out != first
    records = [json.loads(line) for line in first.splitlines()]
    assert [record["events"][0]["rules"][option.partition("=")[0]] for record in records] == [value] * 4
    place = tmp_path / "played.jsonl"
    place.write_text(first)
    assert main(["check", str(place)]) == 0
    capfd.readouterr()
    for wrong in ("nothing=1", "draw_fee", "preset=nope"):
        assert main(["simulate", "--game", game, "--option", wrong]) == 2
        assert "--option" in capfd.readouterr().err


def _finished(record: dict[str, Any]) -> bool:
    return any(event["type"] in ("胡", "流局") for event in record["events"])
