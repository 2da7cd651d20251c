"""A content as salted leaves: each can be left out of a copy, and the copy still adds up to the same root.

A leaf is the value at one path; where a leaf of its own stands further down, the value holds ``null`` there. The hash of a leaf is SHA-256
over its salt (16 bytes) and the canonical JSON of its value; the root is SHA-256 over the canonical JSON of the list of all
``[path, about, hash]``. Without its salt the hash of a name or a hand tells nothing about it, not even whether a guess is right.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from services.formats.canonical import canonical

SALT_BYTES = 16

Step = str | int
Path = tuple[Step, ...]
Subject = Literal["names", "hands", "annotations", "log"]
"""What a leaf may tell of: players by name, cards that not everybody saw, comments, and the identity of the log, which binds them all."""

REDACTABLE: tuple[Subject, ...] = ("names", "hands", "annotations")
"""What a copy can be asked to leave out."""


class Leaf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The value at a path with its salt (hex), or, where it was left out, only its hash (hex)."""

    path: Path
    about: tuple[Subject, ...] = ()
    salt: str | UnsetType = UNSET
    value: Any = UNSET
    hash: str | UnsetType = UNSET

    @property
    def is_left_out(self) -> bool:
        """Whether only the hash is there."""
        return self.hash is not UNSET

    def digest(self) -> str:
        """Its hash, in hex. Raises ValueError for a leaf that is neither whole nor left out."""
        if self.hash is not UNSET:
            if self.salt is not UNSET or self.value is not UNSET:
                raise ValueError(f"leaf {self.path} is given and left out at once")
            return self.hash
        if self.salt is UNSET or self.value is UNSET or len(salt := bytes.fromhex(self.salt)) != SALT_BYTES:
            raise ValueError(f"leaf {self.path} lacks its salt or its value")
        return sha256(salt + canonical(self.value)).hexdigest()


def split(content: dict[str, Any], marks: Mapping[Path, tuple[Subject, ...]]) -> tuple[Leaf, ...]:
    """The content as leaves with fresh salts: first the rest, then each marked path with what it tells of, parents before children."""
    rest: Any = msgspec.json.decode(canonical(content))
    values: dict[Path, Any] = {}
    for path in sorted(marks, key=len, reverse=True):
        holder = _at(rest, path[:-1])
        values[path] = holder[path[-1]]
        holder[path[-1]] = None
    ordered = [((), (), rest), *((path, marks[path], values[path]) for path in sorted(marks, key=_order))]
    return tuple(Leaf(path=path, about=about, salt=secrets.token_hex(SALT_BYTES), value=value) for path, about, value in ordered)


def assemble(leaves: Iterable[Leaf]) -> Any:
    """The content, with ``null`` in place of what was left out. Raises ValueError for leaves that no content was split into."""
    content: Any = None
    for leaf in leaves:
        if leaf.is_left_out:
            continue
        value = msgspec.json.decode(canonical(leaf.value))
        if not leaf.path:
            content = value
            continue
        try:
            _at(content, leaf.path[:-1])[leaf.path[-1]] = value
        except (LookupError, TypeError) as error:
            raise ValueError(f"there is no place for leaf {leaf.path}") from error
    return content


def root(leaves: Iterable[Leaf]) -> str:
    """The root over all leaves, given or left out, in hex. Raises ValueError."""
    return sha256(canonical([[list(leaf.path), list(leaf.about), leaf.digest()] for leaf in leaves])).hexdigest()


def without(leaves: Sequence[Leaf], subjects: Iterable[Subject]) -> tuple[Leaf, ...]:
    """The leaves with those that tell of any of the subjects left out, and with them the identity of the log: its hashes are not salted,
    and would let a guess at the rest be confirmed."""
    gone: set[Subject] = set(subjects)
    if any(gone.intersection(leaf.about) for leaf in leaves):
        gone.add("log")
    return tuple(_left_out(leaf) if gone.intersection(leaf.about) else leaf for leaf in leaves)


def subjects_named(text: str) -> list[Subject]:
    """The subjects that a text names, separated by commas. Raises ValueError for a word that is none of ``REDACTABLE``."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    found: list[Subject] = [subject for subject in REDACTABLE if words.count(subject)]
    if len(found) != len(set(words)):
        raise ValueError(", ".join(REDACTABLE))
    return found


def _left_out(leaf: Leaf) -> Leaf:
    return Leaf(path=leaf.path, about=leaf.about, hash=leaf.digest())


def _at(content: Any, path: Sequence[Step]) -> Any:
    for step in path:
        content = content[step]
    return content


def _order(path: Path) -> list[tuple[bool, Step]]:
    return [(isinstance(step, str), step) for step in path]
