"""The certificate itself: a signed statement and the leaves that it adds up to. Making, thinning out and checking one needs no store."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.log import effective_log
from schemas.record import Record
from services.certificate.content import content_of, marks, ruleset_digest, ruleset_in_force, verdict_of
from services.certificate.key import is_signed, key_id, public_hex
from services.certificate.leaves import Leaf, Subject, assemble, root, split, without
from services.engine_version import engine_version
from services.formats.canonical import canonical, digest
from services.formats.events import stored_record
from services.store import chain
from services.store.model import StoredEvent, StoredGame
from services.words import Words

FORMAT: Literal["paipu-certificate/1"] = "paipu-certificate/1"


class Statement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is signed. ``root`` stands for all leaves, ``ruleset`` is the digest of the options in force, ``key`` names the signer's key."""

    format: Literal["paipu-certificate/1"]
    game: str
    engine: str
    ruleset: str
    issued_at: str
    key: str
    leaves: int
    root: str


class Certificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A statement, its Ed25519 signature over the statement's canonical JSON, the public key (both hex), and the leaves."""

    statement: Statement
    signature: str
    public_key: str
    leaves: tuple[Leaf, ...]

    @property
    def digest(self) -> str:
        """By this a certificate and every copy of it are known: SHA-256 (hex) of the statement's canonical JSON."""
        return digest(canonical(self.statement)).hex()

    @property
    def left_out(self) -> tuple[Leaf, ...]:
        """The leaves that this copy does not give."""
        return tuple(leaf for leaf in self.leaves if leaf.is_left_out)


class CertificationError(Exception):
    """The stored bytes do not bear their own hash chain, so nothing can be certified of them."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """What checking a certificate found.

    ``chain`` and ``verdict`` are ``held`` where they were worked out again and agree, ``left-out`` where this copy does not give enough
    for that. A verdict by another version of the engine may also be ``other``: that is told, and no fault. ``faults`` are the reasons
    why the certificate does not hold.
    """

    digest: str
    key: str
    engine: str
    issued_at: str
    chain: Literal["held", "left-out", "broken"]
    verdict: Literal["held", "left-out", "other", "broken"]
    left_out: dict[str, list[str]]
    faults: tuple[Words, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.faults


def issue(
    game: StoredGame, events: Sequence[StoredEvent], annotations: Sequence[bytes], key: Ed25519PrivateKey, issued_at: datetime
) -> Certificate:
    """Certifies a stored game. Raises CertificationError where its chain does not hold."""
    payloads, versions = [event.payload for event in events], [event.kind_version for event in events]
    record = stored_record(game.header, payloads, annotations, versions)
    content = content_of(game, events, annotations, record)
    if _head(content) != game.head:
        raise CertificationError(f"{game.game_id}: 哈希链不符 the log does not bear its hash chain")
    leaves = split(content, marks(content, record))
    statement = Statement(
        format=FORMAT,
        game=game.game,
        engine=engine_version(),
        ruleset=ruleset_digest(content["ruleset"]),
        issued_at=issued_at.isoformat(timespec="seconds"),
        key=key_id(public_hex(key)),
        leaves=len(leaves),
        root=root(leaves),
    )
    signature = key.sign(canonical(statement)).hex()
    return Certificate(statement=statement, signature=signature, public_key=public_hex(key), leaves=leaves)


def redact(certificate: Certificate, subjects: Iterable[Subject]) -> Certificate:
    """A copy without all that tells of the subjects; the same statement and signature hold for it."""
    return msgspec.structs.replace(certificate, leaves=without(certificate.leaves, subjects))


def read_certificate(data: bytes) -> Certificate:
    """A certificate from its JSON. Raises ValueError for anything else."""
    try:
        return msgspec.json.decode(data, type=Certificate)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error


def content(certificate: Certificate) -> Any:
    """What the certificate states, with ``null`` for what was left out. Raises ValueError for leaves that fit nothing."""
    return assemble(certificate.leaves)


def verify(certificate: Certificate, public_key: str | None = None) -> Check:
    """Checks everything that can be checked from the certificate alone: signature, leaves, hash chain, ruleset and verdict.

    ``public_key`` (hex) is the key that it must be signed with; without one, that which it carries, and the reader compares its id.
    """
    statement, faults = certificate.statement, list[Words]()
    signer = public_key or certificate.public_key
    if not is_signed(signer, certificate.signature, canonical(statement)):
        faults.append(Words("签名不符", "the signature is not that of the key over this statement"))
    elif statement.key != key_id(signer):
        faults.append(Words("钥匙编号不符", "the statement names another key"))
    elif certificate.public_key != signer:
        faults.append(Words("所附公钥不是签名的那一把", "the public key that it carries is not the one it is signed with"))
    stated: Any = None
    try:
        if len(certificate.leaves) != statement.leaves or root(certificate.leaves) != statement.root:
            faults.append(Words("内容不是签名时的内容", "the leaves are not those that were signed"))
        else:
            stated = content(certificate)
    except ValueError as error:
        faults.append(Words(f"内容读不懂：{error}", f"the leaves cannot be read: {error}"))
    chained, judged = _worked_out(stated, certificate, faults) if stated is not None else ("left-out", "left-out")
    return Check(
        digest=certificate.digest,
        key=statement.key,
        engine=statement.engine,
        issued_at=statement.issued_at,
        chain=chained,
        verdict=judged,
        left_out=_left_out(certificate),
        faults=tuple(faults),
    )


def _worked_out(stated: Any, certificate: Certificate, faults: list[Words]) -> tuple[Any, Any]:
    """The chain and the verdict, worked out again from a content that is what was signed; what does not agree is added to the faults."""
    statement = certificate.statement
    chained, judged = "left-out", "left-out"
    try:
        if ruleset_digest(stated["ruleset"]) != statement.ruleset:
            faults.append(Words("规则与其摘要不符", "the ruleset is not that of its digest"))
        if not certificate.left_out:
            chained = "held" if _head(stated) == bytes.fromhex(stated["log"]["head"]) else "broken"
        if not any(leaf.path[:1] in (("record",), ("verdict",)) for leaf in certificate.left_out):
            judged = _judged_again(stated, statement)
    except (LookupError, TypeError, ValueError, msgspec.MsgspecError) as error:
        faults.append(Words(f"内容不成牌谱：{error}", f"the content is no record: {error}"))
    if chained == "broken":
        faults.append(Words("哈希链不符", "the events do not bear the hash chain"))
    if judged == "broken":
        faults.append(Words("裁决不符", "the verdict is not what this very engine finds"))
    return chained, judged


def _judged_again(stated: Any, statement: Statement) -> str:
    record = record_of(stated)
    same_rules = ruleset_in_force(record, effective_log(record.events).events[0].rules) == stated["ruleset"]
    if same_rules and canonical(verdict_of(record)) == canonical(stated["verdict"]):
        return "held"
    return "broken" if statement.engine == engine_version() else "other"


def record_of(stated: Any) -> Record:
    """The record of a content that leaves nothing of it out."""
    log = stated["record"]
    return stored_record(
        canonical(log["header"]),
        [canonical(event) for event in log["events"]],
        [canonical(note) for note in log["annotations"]],
        log["kind_versions"],
    )


def _head(stated: Any) -> bytes:
    """The head of the hash chain, from the first link on."""
    log = stated["record"]
    header = log["header"]
    link = chain.opening(
        game_id=UUID(stated["log"]["game_id"]), game=header["game"], rules=canonical(log["rules"]), header=canonical(header)
    )
    for seq, (event, version) in enumerate(zip(log["events"], log["kind_versions"], strict=True)):
        link = chain.link(link, seq=seq, kind=event["type"], version=version, payload=canonical(event))
    return link


def _left_out(certificate: Certificate) -> dict[str, list[str]]:
    """The paths that are left out, as ``record.events.1.hands.0``, by what they tell of; each stands at the first of its subjects."""
    found: dict[str, list[str]] = {}
    for leaf in certificate.left_out:
        found.setdefault(leaf.about[0] if leaf.about else "", []).append(".".join(map(str, leaf.path)))
    return found
