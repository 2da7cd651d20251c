"""Sample hands of both games, which a fresh store is given so that there is something to look at."""

from importlib.resources import files

from services.formats.reading import Reading, read_json

ENDING = ".paipu.json"


def sample_names() -> list[str]:
    """The names of the samples, in the order in which they are loaded."""
    return sorted(entry.name.removesuffix(ENDING) for entry in files(__name__).iterdir() if entry.name.endswith(ENDING))


def sample_text(name: str) -> bytes:
    """One sample as JSON."""
    return files(__name__).joinpath(f"{name}{ENDING}").read_bytes()


def sample_readings() -> list[Reading]:
    """All samples."""
    return [read_json(sample_text(name), index=index) for index, name in enumerate(sample_names())]
