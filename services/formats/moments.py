"""Moments as RFC 3339 writes them, with an offset."""

import re
from datetime import date

_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|[+-]([0-9]{2}):([0-9]{2}))",
)


def is_moment(text: str) -> bool:
    """Whether the text is a date and time with offset. A leap second is one too."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        return False
    year, month, day, hour, minute, second, offset_hour, offset_minute = (int(part or 0) for part in found.groups())
    try:
        date(year, month, day)
    except ValueError:
        return False
    return hour <= 23 and minute <= 59 and second <= 60 and offset_hour <= 23 and offset_minute <= 59
