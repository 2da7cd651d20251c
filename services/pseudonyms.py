"""Other names for the people of a record, so that it can be shown without telling who they are."""

import hmac
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from schemas import changde, weimaque
from schemas.events import Transfer
from schemas.record import Record

KEPT = frozenset({"played_at"})
"""What is kept of ``meta``: anything else may tell who sat there, or where."""


_BYTES = 5
"""So much of a digest stands in a name: 40 bits, in which hardly ever two names fall together."""


class Pseudonyms:
    """The same person gets the same other name in all answers under one ``key``. Without the key, which is never told, nobody can find out
    whose it is by trying names."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._names: dict[str, str] = {}

    def name(self, name: str) -> str:
        """What somebody is called instead."""
        if name not in self._names:
            digest = hmac.digest(self._key, name.encode(errors="surrogatepass"), "sha256")
            self._names[name] = f"牌友{digest[:_BYTES].hex()}"
        return self._names[name]

    def record(self, record: Record) -> Record:
        """The record with other names wherever names stand, in what people wrote too; of ``meta`` only the time of play stays."""
        events: Sequence[Any] = record.events
        renamed: list[Any] = [self._start(event) for event in events]
        changes: dict[str, Any] = {"events": [self._written(event) for event in renamed]}
        if record.meta is not UNSET:
            kept = {key: value for key, value in record.meta.items() if key in KEPT}
            changes["meta"] = kept or UNSET
        if record.annotations is not UNSET:
            changes["annotations"] = [self._annotation(annotation) for annotation in record.annotations]
        return msgspec.structs.replace(record, **changes)

    def _start(self, event: Any) -> Any:
        if isinstance(event, weimaque.Start | changde.Start):
            return msgspec.structs.replace(event, players=[self.name(player) for player in event.players])
        inner = getattr(event, "event", None)
        return event if inner is None else msgspec.structs.replace(event, event=self._start(inner))

    def _written(self, event: Any) -> Any:
        note = getattr(event, "note", UNSET)
        if isinstance(note, str):
            event = msgspec.structs.replace(event, note=self._text(note))
        transfers = getattr(event, "transfers", None)
        if transfers is not None:
            paid = [self._transfer(transfer) for transfer in transfers]
            event = msgspec.structs.replace(event, transfers=paid)
        inner = getattr(event, "event", None)
        return event if inner is None else msgspec.structs.replace(event, event=self._written(inner))

    def _transfer(self, transfer: Transfer) -> Transfer:
        return transfer if transfer.for_ is UNSET else msgspec.structs.replace(transfer, for_=self._text(transfer.for_))

    def _annotation(self, annotation: Any) -> Any:
        line = annotation.line
        return msgspec.structs.replace(
            annotation,
            by=self.name(annotation.by),
            text=self._text(annotation.text),
            tags=UNSET if annotation.tags is UNSET else [self._text(tag) for tag in annotation.tags],
            line=UNSET if line is UNSET else [self._written(self._start(event)) for event in line],
        )

    def _text(self, text: str) -> str:
        """The text with every known name replaced, longer names first, so that no part of one is taken for another."""
        for name in sorted(self._names, key=len, reverse=True):
            if name:
                text = text.replace(name, self._names[name])
        return text
