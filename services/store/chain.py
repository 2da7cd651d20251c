"""The hash chain of a game and of the feed: SHA-256 over the stored bytes, each field behind its length as eight bytes, big-endian.

A game's chain starts at ``opening(…)``; each event's link takes the link before, and the event's seq, kind, version and payload.
"""

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct
from uuid import UUID

from services.store.model import NewEvent

_LENGTH = Struct(">Q")
_SEQ_AND_LENGTH_OF_KIND = Struct(">QQQ")
_VERSION_AND_LENGTH_OF_PAYLOAD = Struct(">QQQ")
_INTEGER_SIZE = 8


def opening(*, game_id: UUID, game: str, rules: bytes, header: bytes) -> bytes:
    """The link before the first event: binds the game's id, its name, its rules and its header (32 bytes)."""
    return _digest(b"paipu/1 game", (game_id.bytes, game.encode(), rules, header))


def link(previous: bytes, *, seq: int, kind: str, version: int, payload: bytes) -> bytes:
    """The link of one event (32 bytes)."""
    word = kind.encode()
    return sha256(
        b"".join(
            (
                previous,
                _SEQ_AND_LENGTH_OF_KIND.pack(_INTEGER_SIZE, seq, len(word)),
                word,
                _VERSION_AND_LENGTH_OF_PAYLOAD.pack(_INTEGER_SIZE, version, len(payload)),
                payload,
            )
        )
    ).digest()


def extend(head: bytes, first_seq: int, events: Iterable[NewEvent]) -> bytes:
    """The head after ``events``, the first of which has seq ``first_seq``."""
    for seq, event in enumerate(events, first_seq):
        head = link(head, seq=seq, kind=event.kind, version=event.kind_version, payload=event.payload)
    return head


FEED_START = sha256(b"paipu/1 feed").digest()
"""The link before the first position of the feed."""


def feed_link(previous: bytes, *, position: int, game_id: UUID, first_seq: int, last_seq: int, head: bytes) -> bytes:
    """The link of one append in the feed (32 bytes)."""
    numbers = (_LENGTH.pack(number) for number in (position, first_seq, last_seq))
    return _digest(previous, (game_id.bytes, *numbers, head))


def _digest(start: bytes, fields: Iterable[bytes]) -> bytes:
    digest = sha256(start)
    for field in fields:
        digest.update(_LENGTH.pack(len(field)))
        digest.update(field)
    return digest.digest()
