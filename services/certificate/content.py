"""What a certificate holds of a game: the log, the rules it was played by, the verdict, and the position in dispute."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.changde.options import ruleset as changde_ruleset
from engine.games import game_of
from engine.judge import check
from engine.log import effective_log
from engine.replay import frame
from engine.rule import Rule
from engine.sensitivity import other_verdicts
from engine.weimaque.options import ruleset as weimaque_ruleset
from schemas import changde, weimaque
from schemas.record import Record
from schemas.verify import ChangdeVerdict
from services.certificate.leaves import Path, Subject
from services.certificate.win import examined_win
from services.formats.canonical import canonical, digest
from services.store.model import StoredEvent, StoredGame

RULESETS: dict[str, Any] = {"weimaque": weimaque_ruleset, "changde": changde_ruleset}

_NAMES: tuple[Subject, ...] = ("names",)
_HANDS: tuple[Subject, ...] = ("hands",)
_TOLD: tuple[Subject, ...] = ("names", "hands")
_COMMENT: tuple[Subject, ...] = ("annotations", "names", "hands")
_LOG: tuple[Subject, ...] = ("log",)


def content_of(game: StoredGame, events: Sequence[StoredEvent], annotations: Sequence[bytes], record: Record) -> dict[str, Any]:
    """Everything that a certificate states, as plain JSON values. ``record`` is what the stored bytes say."""
    rules = effective_log(record.events).events[0].rules
    seq = disputed(record)
    return {
        "log": {"game_id": str(game.game_id), "version": game.version, "head": game.head.hex()},
        "record": {
            "header": msgspec.json.decode(game.header),
            "rules": msgspec.json.decode(game.rules),
            "events": [msgspec.json.decode(event.payload) for event in events],
            "kind_versions": [event.kind_version for event in events],
            "annotations": [msgspec.json.decode(annotation) for annotation in annotations],
        },
        "ruleset": ruleset_in_force(record, rules),
        "verdict": verdict_of(record),
        "rules": [_rule(rule) for rule in _cited(record)],
        "position": {"seq": seq, "state": msgspec.to_builtins(frame(record, seq).state)},
        "win": {language: _win(record, seq, language) for language in ("zh", "en")},
    }


def ruleset_in_force(record: Record, rules: Any) -> dict[str, Any]:
    """Every option of the game with the value that holds under the rules named."""
    game = game_of(record)
    made = RULESETS[game.name](rules)
    return {option.name: msgspec.to_builtins(getattr(made, option.name)) for option in game.options}


def ruleset_digest(ruleset: dict[str, Any]) -> str:
    """SHA-256 (hex) over the canonical JSON of all options in force."""
    return digest(canonical(ruleset)).hex()


def verdict_of(record: Record) -> dict[str, Any]:
    """The verdict, its messages and parameters in both languages, and what other readings would change."""
    zh, en = check(record, lang="zh"), check(record, lang="en")
    plain: dict[str, Any] = msgspec.to_builtins(zh)
    for found, chinese, english in zip(plain["findings"], zh.findings, en.findings, strict=True):
        found["message"] = {"zh": chinese.message, "en": english.message}
    plain["sensitivity"] = msgspec.to_builtins(other_verdicts(record))
    return plain


def disputed(record: Record) -> int:
    """The seq of the position to show: the last effective 胡, else the last event with an established finding, else the last event."""
    log = effective_log(record.events)
    claimed = [seq for seq, event in zip(log.seqs, log.events, strict=True) if isinstance(event, weimaque.Hu | changde.Hu)]
    if claimed:
        return claimed[-1]
    found = [finding.seq for finding in check(record).findings if finding.seq in log.seqs]
    return found[-1] if found else max(log.seqs)


def marks(content: dict[str, Any], record: Record) -> dict[Path, tuple[Subject, ...]]:
    """The paths of the content that are leaves of their own, each with what it tells of."""
    marked: dict[Path, tuple[Subject, ...]] = {("log",): _LOG, ("record",): ()}
    if "meta" in content["record"]["header"]:
        marked["record", "header", "meta"] = _NAMES
    face_down = _face_down(record)
    for seq, event in enumerate(content["record"]["events"]):
        path: Path = ("record", "events", seq)
        marked[path] = ()
        for below, about in _telling(event, hidden=seq in face_down):
            marked[path + below] = about
    for number, _ in enumerate(content["record"]["annotations"]):
        marked["record", "annotations", number] = _COMMENT
    for number, found in enumerate(content["verdict"]["findings"]):
        path = ("verdict", "findings", number)
        marked[path] = ()
        for member in ("message", "params", "needs"):
            if member in found:
                marked[(*path, member)] = _TOLD
    for seat, state in enumerate(content["position"]["state"]["seats"]):
        path = ("position", "state", "seats", seat)
        marked[(*path, "name")] = _NAMES
        for member in ("hand", "passed"):
            marked[(*path, member)] = _HANDS
        for number, meld in enumerate(state["melds"]):
            if meld["kind"] in ("栽", "暗杠"):
                marked[(*path, "melds", number, "pai")] = _HANDS
    if _shows_face_down(content, face_down):
        marked["position", "state", "table"] = _HANDS
    marked["win",] = _HANDS
    return marked


def _telling(event: dict[str, Any], *, hidden: bool) -> Iterator[tuple[Path, tuple[Subject, ...]]]:
    """The members of an event that tell of names or of cards that not everybody saw."""
    for member in ("players", "hands"):
        for place, _ in enumerate(event.get(member, ())):
            yield (member, place), _NAMES if member == "players" else _HANDS
    for member in ("stock", "wall", "hand"):
        if member in event:
            yield (member,), _HANDS
    if "pai" in event and (hidden or event["type"] in ("亮", "蛰")):
        yield ("pai",), _HANDS
    if "note" in event:
        yield ("note",), _NAMES
    for place, transfer in enumerate(event.get("transfers", ())):
        if "for" in transfer:
            yield ("transfers", place, "for"), _NAMES
    if "event" in event:
        for below, about in _telling(event["event"], hidden=hidden):
            yield ("event", *below), about


def _face_down(record: Record) -> frozenset[int]:
    """The seqs of events whose card the table did not see before a hand was shown."""
    seen = game_of(record).mask(record.events, "public", shown=False)
    return frozenset(seq for seq, (event, masked) in enumerate(zip(record.events, seen, strict=True)) if _pai(event) != _pai(masked))


def _pai(event: Any) -> Any:
    return getattr(getattr(event, "event", event), "pai", None)


def _shows_face_down(content: dict[str, Any], face_down: frozenset[int]) -> bool:
    """Whether the card that lies on the table in the position is one that was never turned up for everybody."""
    events, seq = content["record"]["events"], content["position"]["seq"]
    last = next((at for at in range(seq, -1, -1) if events[at]["type"] in ("揭", "出", "摸", "补章")), seq)
    return last in face_down


def _win(record: Record, seq: int, language: str) -> dict[str, Any] | None:
    """The claimed win divided. What a whole hand of 常德 pays, kongs and 码 included, stands in the outcome alone."""
    examined = examined_win(record, seq, language)
    if examined is None:
        return None
    told: dict[str, Any] = msgspec.to_builtins(examined)
    if isinstance(examined, ChangdeVerdict):
        told = {member: told[member] for member in ("valid", "reasons", "melds")}
    return told


def _cited(record: Record) -> list[Rule]:
    """The rules that the established findings name, in the order of the rules page."""
    named = {finding.rule for finding in check(record).findings}
    return [rule for rule in game_of(record).rules if rule.id in named]


def _rule(rule: Rule) -> dict[str, Any]:
    told: dict[str, Any] = {"id": rule.id, "kind": rule.kind, "zh": rule.zh, "en": rule.en, "cite": rule.cite}
    return told if rule.reading is None else {**told, "reading": rule.reading}
