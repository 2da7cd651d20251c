"""Which engine judged: a verdict is a cache, keyed by this."""

VERSION = "1"
"""Raised by hand where a verdict changes on purpose, so that people can name what changed; the code itself is told by its digest
(``services.engine_version``)."""
