"""What events that are not appended yet would change, corrections above all: findings, outcome, positions."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from engine.game import Game
from engine.games import game_of
from engine.judge import Breached, decide, finding, open_table, run
from engine.log import EffectiveLog, effective_log
from schemas.repair import Impact, Positions


class _Seen(msgspec.Struct, frozen=True):
    log: EffectiveLog
    found: dict[tuple[int, str, int, int], Breached]
    positions: dict[int, bytes]
    names: Sequence[str]
    outcome: Any


def impact(record: Any, pending: Sequence[Any], *, lang: str = "zh") -> Impact:
    """The impact of appending ``pending`` to the record; nothing is appended.

    Findings, established or possible, are the same if seq, rule, who is told to have broken it, and certainty are. Positions are compared
    behind the events of both effective logs; an event that only one of them has counts as changed.
    """
    return impact_between(record, msgspec.structs.replace(record, events=[*record.events, *pending]), lang=lang)


def impact_between(record: Any, appended: Any, *, lang: str = "zh") -> Impact:
    """The same for a record as it was and as it would be, as a viewer may see both."""
    game = game_of(record)
    before = _seen(game, record.events)
    after = _seen(game, appended.events)
    return Impact(
        version=after.log.written,
        added=[finding(game, breached, after.names, lang) for key, breached in after.found.items() if key not in before.found],
        cleared=[finding(game, breached, before.names, lang) for key, breached in before.found.items() if key not in after.found],
        outcome_before=before.outcome,
        outcome_after=after.outcome,
        positions=_changed(before, after),
    )


def _seen(game: Game, events: Sequence[Any]) -> _Seen:
    log = effective_log(events)
    table = open_table(game, log)
    positions: dict[int, bytes] = {}

    def visit(at: int, broken: Sequence[Breached]) -> None:
        # A digest, since all positions of a long log would fill the memory.
        positions[log.seqs[at]] = sha256(msgspec.msgpack.encode(game.state(table))).digest()

    found = run(game, log, table, visit)
    whole = decide(game, log, table, found)
    return _Seen(log, {_key(b): b for b in whole.found}, positions, table.names, whole.outcome)


def _key(b: Breached) -> tuple[int, str, int, int]:
    return b.seq, b.rule.id, b.explanation.params.get("actor", b.actor), b.truth


def _changed(before: _Seen, after: _Seen) -> Positions | None:
    place = {seq: at for at, seq in enumerate(after.log.seqs)}
    place_before = {seq: at for at, seq in enumerate(before.log.seqs)}
    changed = [seq for seq in {*place, *place_before} if before.positions.get(seq) != after.positions.get(seq)]
    if not changed:
        return None
    changed.sort(key=lambda seq: (place.get(seq, place_before.get(seq, 0)), seq))
    return Positions(first=changed[0], last=changed[-1], changed=len(changed))
