"""A running service over a fresh database, as its faces are reached: the program itself in a process of its own."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from services.store.embedded import EmbeddedServer

VECTORS = Path(__file__).parent.parent / "vectors"
PAIPU = Path(sys.executable).parent / "paipu"


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """A running service: its address, a client that carries the owner's token, and the environment in which it runs."""

    address: str
    client: httpx.Client
    environment: dict[str, str]
    data: Path

    def paipu(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Runs a command over the same data."""
        return subprocess.run([PAIPU, *arguments], input=stdin, capture_output=True, env=self.environment, timeout=120, check=False)


def vectors(name: str) -> list[dict[str, Any]]:
    """The lines of a file of vectors."""
    return [json.loads(line) for line in (VECTORS / name).read_bytes().splitlines()]


def clean_records() -> list[dict[str, Any]]:
    """All records of both games in which nothing is wrong."""
    return vectors("weimaque-records-clean.jsonl") + vectors("changde-records-clean.jsonl")


@pytest.fixture(scope="session")
def clean() -> list[dict[str, Any]]:
    """All records of both games in which nothing is wrong."""
    return clean_records()


@pytest.fixture(scope="module")
def service(server: EmbeddedServer, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service over a fresh database, which it has filled with the samples."""
    name = f"faces_{uuid4().hex}"
    data = tmp_path_factory.mktemp("data")
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template)))
        environment = {
            **os.environ,
            "PAIPU_DATA": str(data),
            "PAIPU_DATABASE_URL": make_conninfo(server.conninfo(), user="paipu_service", dbname=name),
            "PAIPU_DATABASE_OWNER_URL": make_conninfo(server.conninfo(), dbname=name),
        }
        process = subprocess.Popen([PAIPU, "serve", "--port", "0"], stderr=subprocess.PIPE, env=environment)
        try:
            address = _address(process)
            token = (data / "token").read_text().strip()
            with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
                yield Service(address=address, client=client, environment=environment, data=data)
            process.terminate()
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="module")
def owner_browser(service: Service) -> Iterator[httpx.Client]:
    """A browser in which the owner has logged in with his token."""
    with httpx.Client(base_url=service.address, timeout=60) as client:
        form = re.search(r'name="form" value="(\w+)"', client.get("/login").text)
        assert form is not None
        token = (service.data / "token").read_text().strip()
        assert client.post("/login", data={"form": form[1], "token": token}).status_code == 200
        yield client


def _address(process: subprocess.Popen[bytes]) -> str:
    """The address that the program announces. The rest of its standard error is read on behind, so that it never waits for a reader."""
    told: Queue[str | None] = Queue()

    def listen() -> None:
        assert process.stderr is not None
        with process.stderr:
            for line in process.stderr:
                told.put(line.decode())
        told.put(None)

    threading.Thread(target=listen, daemon=True).start()
    said = ""
    while (line := told.get(timeout=60)) is not None:
        said += line
        if found := re.search(r"http://\S+", line):
            return found[0].rstrip("/")
    raise AssertionError(f"the service did not come up: {said}")
