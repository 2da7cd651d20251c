"""The service's signing key: Ed25519, in a file that only its owner can read, made when it is first needed."""

import os
import secrets
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

FILE = "certificate.key"


class SigningKeyError(Exception):
    """The key file holds no Ed25519 key, or others can read it."""


def signing_key(data: Path) -> Ed25519PrivateKey:
    """The key in the data folder. Programs that need it first at the same moment agree on one. Raises SigningKeyError."""
    place = data / FILE
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not place.exists():
        _make(place)
    if place.stat().st_mode & 0o077:
        raise SigningKeyError(f"别人也能读签名钥匙 others can read {place}: chmod 600")
    try:
        key = load_pem_private_key(place.read_bytes(), password=None)
    except (ValueError, TypeError) as error:
        raise SigningKeyError(f"签名钥匙读不懂 {place} holds no key: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningKeyError(f"签名钥匙不是 Ed25519 {place} holds no Ed25519 key")
    return key


def public_hex(key: Ed25519PrivateKey) -> str:
    """The public half, 32 bytes in hex."""
    return key.public_key().public_bytes_raw().hex()


def key_id(public: str) -> str:
    """By this a public key (hex) is named: the first 16 hex digits of its SHA-256. Raises ValueError."""
    return sha256(bytes.fromhex(public)).hexdigest()[:16]


def is_signed(public: str, signature: str, message: bytes) -> bool:
    """Whether the signature (hex) over the message is by the owner of the public key (hex)."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _make(place: Path) -> None:
    fresh = place.with_name(f".{FILE}-{os.getpid()}-{secrets.token_hex(4)}")
    fresh.touch(mode=0o600)
    try:
        fresh.write_bytes(Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        # A link succeeds once: of several that make a key, all go on with the first.
        os.link(fresh, place)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
