"""Structured logs on standard error, one JSON object a line."""

import logging
import sys
from typing import Literal

import msgspec
import structlog


def log_to_standard_error(what: Literal["requests", "problems"]) -> None:
    """Sets up the logs of a serving program: every request, or only what goes wrong."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=_encoded),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO if what == "requests" else logging.WARNING),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


def _encoded(event: object, **_: object) -> bytes:
    return msgspec.json.encode(event)
