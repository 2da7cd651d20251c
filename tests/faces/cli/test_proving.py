"""Certificates, audits and backups on the command line and over HTTP."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.certificate.certificate import read_certificate, redact
from services.certificate.certificate import verify as verify_certificate
from services.samples import sample_text

Service = Any
PAIPU = Path(sys.executable).parent / "paipu"


def stored(service: Service) -> str:
    """The id of a hand that is stored and has ended."""
    answer = service.paipu("import", "-", stdin=sample_text("weimaque-2"))
    assert answer.returncode == 0
    return answer.stdout.decode().strip()


@pytest.fixture
def certificate(service: Service, tmp_path: Path) -> Path:
    place = tmp_path / "certificate.json"
    assert service.paipu("certificate", "make", stored(service), "-o", str(place)).returncode == 0
    return place


def test_a_certificate_is_checked_with_neither_store_nor_data_folder(certificate: Path, tmp_path: Path) -> None:
    away = {"PATH": os.environ["PATH"], "PAIPU_DATABASE_URL": "host=/nowhere", "PAIPU_DATA": str(tmp_path / "nothing")}
    checked = subprocess.run(
        [PAIPU, "certificate", "verify", "--json", certificate], capture_output=True, env=away, cwd=tmp_path, timeout=60, check=False
    )
    answer = json.loads(checked.stdout)
    assert checked.returncode == 0
    assert (answer["holds"], answer["chain"], answer["verdict"], answer["faults"]) == (True, "held", "held", [])
    assert not (tmp_path / "nothing").exists()


def test_a_redacted_copy_says_what_it_leaves_out(service: Service, certificate: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    assert service.paipu("certificate", "redact", str(certificate), "--without", "names,hands", "-o", str(copy)).returncode == 0
    assert "周伯" in certificate.read_text(encoding="utf-8")
    assert "周伯" not in copy.read_text(encoding="utf-8")
    answer = json.loads(service.paipu("certificate", "verify", "--json", str(copy)).stdout)
    assert answer["holds"]
    assert set(answer["left_out"]) == {"names", "hands", "log"}
    told = service.paipu("certificate", "verify", str(copy), "--lang", "en")
    assert b"record.events.1.hands.0" in told.stdout


def test_a_key_can_be_asked_for(service: Service, certificate: Path, tmp_path: Path) -> None:
    public = service.paipu("certificate", "key").stdout
    (tmp_path / "key").write_bytes(public)
    for key in (public.split()[0].decode(), str(tmp_path / "key")):
        assert service.paipu("certificate", "verify", "--key", key, str(certificate)).returncode == 0
    assert service.paipu("certificate", "verify", "--key", "00" * 32, str(certificate)).returncode == 1
    assert service.paipu("certificate", "verify", "--key", str(certificate), str(certificate)).returncode == 2
    for guess in ("abcd", "x" * 64):
        refused = service.paipu("certificate", "verify", "--key", guess, str(certificate), "--lang", "en")
        assert refused.returncode == 2
        assert b"no public key (64 hexadecimal digits), and no file of that name" in refused.stderr


def test_what_does_not_hold_or_is_no_certificate(service: Service, certificate: Path, tmp_path: Path) -> None:
    altered = tmp_path / "altered.json"
    altered.write_text(certificate.read_text(encoding="utf-8").replace("周伯", "周叔", 1), encoding="utf-8")
    assert service.paipu("certificate", "verify", str(altered), str(certificate)).returncode == 1
    assert service.paipu("certificate", "page", str(altered)).returncode == 1
    nothing = tmp_path / "nothing.json"
    nothing.write_text("{}", encoding="utf-8")
    assert service.paipu("certificate", "verify", str(nothing)).returncode == 3
    assert service.paipu("certificate", "verify", str(tmp_path / "missing")).returncode == 3
    assert service.paipu("certificate", "redact", str(certificate), "--without", "everything").returncode == 2
    assert service.paipu("certificate", "make", "0" * 32).returncode == 3


def test_the_page(service: Service, certificate: Path) -> None:
    made = service.paipu("certificate", "page", str(certificate), "--lang", "en").stdout.decode()
    assert made.startswith("<!doctype html>")
    assert read_certificate(certificate.read_bytes()).digest in made


def test_http_answers_the_same(service: Service) -> None:
    where = f"/api/games/{stored(service)}/certificate"
    whole = read_certificate(service.client.get(where).content)
    assert verify_certificate(whole).chain == "held"
    copy = read_certificate(service.client.get(where, params={"without": "names"}).content)
    assert verify_certificate(copy).holds
    assert redact(copy, ["names"]) == copy
    page = service.client.get(where, params={"format": "html", "lang": "en"})
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert service.client.get(where, headers={"Authorization": "Bearer none"}).status_code == 401
    assert service.client.get(where, params={"without": "all"}).status_code == 400
    assert service.client.get(where, params={"format": "pdf"}).status_code == 400
    assert service.client.get(f"/api/games/{'0' * 32}/certificate").status_code == 404


def test_audit_publish_and_compare(service: Service, tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint.json"
    assert service.paipu("audit", "--publish", str(checkpoint)).returncode == 0
    answer = service.paipu("audit", "--json", "--checkpoint", str(checkpoint), "--workers", "1")
    assert answer.returncode == 0
    report = json.loads(answer.stdout)
    assert report["clean"]
    assert report["games"] > 5
    altered = json.loads(checkpoint.read_bytes())
    altered["standing"]["position"] += 1
    checkpoint.write_text(json.dumps(altered), encoding="utf-8")
    assert service.paipu("audit", "--checkpoint", str(checkpoint)).returncode == 3


def test_an_audit_tells_of_the_feed_that_its_checkpoint_signs(tmp_path: Path) -> None:
    alone = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PAIPU_DATA": str(tmp_path / "alone")}
    checkpoint = tmp_path / "checkpoint.json"

    def paipu(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([PAIPU, *arguments], input=stdin, capture_output=True, env=alone, timeout=120, check=True)

    paipu("import", "-", stdin=sample_text("weimaque-2"))  # no service runs that would publish it
    report = json.loads(paipu("audit", "--json", "--workers", "1", "--publish", str(checkpoint)).stdout)
    standing = json.loads(checkpoint.read_bytes())["standing"]
    assert (report["position"], report["hash"]) == (standing["position"], standing["hash"])
    assert report["position"] > 0


def test_dump_and_restore(service: Service, tmp_path: Path) -> None:
    stored(service)
    file = tmp_path / "paipu.dump"
    assert service.paipu("db", "dump", str(file)).returncode == 0
    assert service.paipu("db", "restore", str(file)).returncode == 4
    elsewhere = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PAIPU_DATA": str(tmp_path / "elsewhere")}

    def there(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([PAIPU, *arguments], capture_output=True, env=elsewhere, timeout=120, check=False)

    assert there("db", "restore", str(file)).returncode == 0
    ours = json.loads(service.paipu("audit", "--json").stdout)
    theirs = json.loads(there("audit", "--json").stdout)
    assert theirs["clean"]
    assert (theirs["games"], theirs["events"]) == (ours["games"], ours["events"])
    assert there("import", str(file)).returncode == 3
