"""How what was written under older shapes is read today.

Every event is stored with the version of the shapes it was written in. A change of shapes that is more than a new defaulted member raises
``schemas.base.shape_version`` and adds one upcaster here, from the version before, and one golden file; what is stored never changes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from schemas.base import shape_version

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes the body of an event of the next version from one of its own."""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""By type of event and the version that is read."""


def upcast(
    body: dict[str, Any], version: int, upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS, current: int = shape_version
) -> dict[str, Any]:
    """The body of an event as the shapes of today have it.

    Raises:
        ValueError: the version is none that this program knows.
    """
    if not 1 <= version <= current:
        raise ValueError(f"an event of version {version}; this program reads 1 to {current}")
    for step in range(version, current):
        step_up = upcasters.get((str(body.get("type")), step))
        if step_up is not None:
            body = step_up(body)
    return body
