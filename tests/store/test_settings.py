"""What the environment says."""

from pathlib import Path

import pytest

from services.settings import Settings, SettingsError, read_settings


def test_an_empty_environment_gives_the_defaults() -> None:
    assert read_settings({}) == Settings()
    assert read_settings({"PAIPU_DATABASE_URL": "", "HOME": "/root"}) == Settings()


def test_each_variable_is_read_in_its_own_type() -> None:
    read = read_settings(
        {"PAIPU_DATA": "/srv/paipu", "PAIPU_PORT": "9000", "PAIPU_DATABASE_URL": "postgresql://x/y", "PAIPU_LOCK_TIMEOUT": "0.5"}
    )
    assert read == Settings(data=Path("/srv/paipu"), port=9000, database_url="postgresql://x/y", lock_timeout=0.5)


def test_a_value_that_does_not_fit_is_named() -> None:
    with pytest.raises(SettingsError, match="PAIPU_PORT='eighty'"):
        read_settings({"PAIPU_PORT": "eighty"})
