"""What is about to be stored, and what is answered to whoever stores it."""

from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET

from engine.games import game_of
from engine.judge import check, judged, verdict
from engine.log import effective_log
from engine.replay import legal_now
from schemas.base import shape_version
from schemas.record import Record
from schemas.verdict import Finding, Verdict
from services.access import Caller
from services.answers import (
    AppendAnswer,
    GameAnswer,
)
from services.formats.canonical import canonical, digest
from services.formats.events import parts
from services.formats.faults import answer
from services.formats.table import start_of
from services.modes import Admitted, Mode, objections, refuse
from services.store.log import game_id_for
from services.store.model import (
    NewAnnotation,
    NewEvent,
    NewGame,
    RequestKey,
)
from services.summary import summarise
from services.words import Language


def new_game(caller: Caller, admitted: Admitted, game_id: UUID) -> NewGame:
    """A record that was let in, as the store takes it."""
    record = admitted.record
    header, events, notes = parts(record)
    return NewGame(
        game_id=game_id,
        game=game_of(record).name,
        owner=caller.name,
        recorder=caller.name,
        rules=canonical(start_of(record).rules),
        header=header,
        events=tuple(new_event(event) for event in events),
        summary=summarise(record, admitted.verdict),
        annotations=tuple(NewAnnotation(payload=note, author=caller.name) for note in notes),
    )


def keyed(caller: Caller, game: NewGame, key: str | None, line: int) -> NewGame:
    """The game as it is known when the batch of key ``key`` comes again: by its line."""
    if key is None:
        return game
    request = RequestKey(id=f"{key} line {line}", digest=digest(b"\n".join([game.header, *(event.payload for event in game.events)])))
    return msgspec.structs.replace(game, game_id=game_id_for(caller.name, request.id), request=request)


def game_answer(game_id: UUID, admitted: Admitted, mode: Mode, language: Language) -> GameAnswer:
    """What is answered to a record that is stored."""
    record, verdict = admitted.record, admitted.verdict
    made = GameAnswer(id=game_id, version=len(record.events), findings=verdict.findings, outcome=verdict.outcome, next=legal_now(record))
    if mode != "prefix":
        return made
    error = UNSET if admitted.fault is None else answer(admitted.fault, language)
    if admitted.finding is not None:
        error = admitted.finding
    return msgspec.structs.replace(made, kept=len(record.events), dropped=admitted.dropped, error=error)


def append_answer(
    before: Record, record: Record, mode: Mode, language: Language, old: Verdict | None = None
) -> tuple[AppendAnswer, Verdict]:
    """What the events that ``record`` has more than ``before`` change, and the verdict on ``record``; ``old`` is that on ``before``, if it
    is known.

    Raises:
        ProblemError: impossible or violation, for a finding that was not there before.
    """
    old = check(before, lang=language) if old is None else old
    new, legal = _judged(record, language)
    known, left = {_key(finding) for finding in old.findings}, {_key(finding) for finding in new.findings}
    added = [finding for finding in new.findings if _key(finding) not in known]
    refuse(objections(added, mode))
    answered = AppendAnswer(
        version=len(record.events),
        seqs=list(range(len(before.events), len(record.events))),
        findings=added,
        cleared=[finding for finding in old.findings if _key(finding) not in left],
        next=legal,
        outcome=new.outcome,
    )
    return answered, new


def _judged(record: Record, language: Language) -> tuple[Verdict, list[Any]]:
    """The verdict on a record and what may be done next, in one pass."""
    game, log = game_of(record), effective_log(record.events)
    whole = judged(game, log, explain_open=False)
    return verdict(game, log, whole, lang=language, possible=False), game.legal(whole.table)


def _key(finding: Finding) -> tuple[Any, ...]:
    """By this a finding is the same before an append and behind it."""
    return finding.seq, finding.rule, finding.actor, finding.certainty


def new_event(payload: bytes) -> NewEvent:
    """An event as the store takes it, from its canonical JSON."""
    return NewEvent(kind=_TYPE.decode(payload).type, payload=payload, kind_version=shape_version)


class _Type(msgspec.Struct):
    type: str


_TYPE = msgspec.json.Decoder(_Type)
