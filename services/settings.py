"""What the environment says, read once and typed."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec


class SettingsError(ValueError):
    """An environment variable holds what it cannot mean."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Where the program keeps its data and where it listens.

    ``data`` is made on first use (mode 0700). With ``database_url`` the log is kept on that server, else in an embedded one below ``data``.
    ``database_owner_url``, where given, is used for migrations alone: the service then never holds a login that could alter the log.
    ``hosts`` are further names, parted by commas, by which browsers and programs reach it. Time-outs are in seconds.
    Each caller but an admin may send ``rate`` requests a second, ``burst`` at once; rate 0 sets no limit.
    ``log`` says whether every request is logged, or only what goes wrong.
    """

    data: Path = Path("var")
    database_url: str | None = None
    database_owner_url: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    hosts: str = ""
    pool_size: int = 8
    pool_timeout: float = 10.0
    lock_timeout: float = 5.0
    statement_timeout: float = 60.0
    rate: float = 1000.0
    burst: int = 5000
    log: Literal["requests", "problems"] = "problems"


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that ``PAIPU_<NAME>`` variables give; an empty variable counts as absent.

    Raises SettingsError that names the variable whose value does not fit.
    """
    given: dict[str, object] = {}
    for field in msgspec.structs.fields(Settings):
        variable = f"PAIPU_{field.name.upper()}"
        text = environment.get(variable, "")
        if not text:
            continue
        try:
            given[field.name] = Path(text) if field.type is Path else msgspec.convert(text, field.type, strict=False)
        except msgspec.ValidationError as error:
            raise SettingsError(f"{variable}={text!r}：{error}") from error
    return Settings(**given)  # pyright: ignore[reportArgumentType] — each value was converted to its field's type
