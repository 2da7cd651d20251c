"""An event in a few words, as it would be said at the table."""

from collections.abc import Sequence
from typing import Any, cast


def spoken(event: Any, names: Sequence[str], lang: str = "zh") -> str:
    """The event as in 甲出九 or, in English, 甲 出 九. The words of the game stay Chinese in both."""
    actor = getattr(event, "actor", None)
    card: Any = getattr(event, "pai", None)
    used = getattr(event, "consumed", None)
    kind = getattr(event, "kind", None)
    parts = [
        names[actor] if isinstance(actor, int) else "",
        f"用{''.join(used)}" if used and lang != "en" else "",
        (kind if isinstance(kind, str) else "") + event.__struct_config__.tag,
        card if isinstance(card, str) else "".join(cast("list[str]", card)) if isinstance(card, list) else "",
        f"with {''.join(used)}" if used and lang == "en" else "",
        event.act if hasattr(event, "act") else "",
    ]
    return (" " if lang == "en" else "").join(part for part in parts if part)
