"""A published checkpoint: where the feed stood at a moment, signed. Kept elsewhere, it shows later whether anything was taken away."""

from datetime import datetime
from typing import Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.certificate.key import is_signed, public_hex
from services.formats.canonical import canonical


class Standing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The feed's last position and the hash (hex) over everything up to it."""

    format: Literal["paipu-checkpoint/1"]
    position: int
    hash: str
    at: str


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A standing, its Ed25519 signature over the standing's canonical JSON, and the public key (both hex)."""

    standing: Standing
    signature: str
    public_key: str


def publish(head: tuple[int, bytes], key: Ed25519PrivateKey, at: datetime) -> Checkpoint:
    """Signs where the feed stands."""
    standing = Standing(format="paipu-checkpoint/1", position=head[0], hash=head[1].hex(), at=at.isoformat(timespec="seconds"))
    return Checkpoint(standing=standing, signature=key.sign(canonical(standing)).hex(), public_key=public_hex(key))


def read_checkpoint(data: bytes) -> tuple[int, bytes]:
    """The position and the hash of a checkpoint. Raises ValueError where it is none, or was altered after it was signed."""
    try:
        read = msgspec.json.decode(data, type=Checkpoint)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error
    if not is_signed(read.public_key, read.signature, canonical(read.standing)):
        raise ValueError("存照的签名不符 the checkpoint's signature does not hold")
    return read.standing.position, bytes.fromhex(read.standing.hash)
