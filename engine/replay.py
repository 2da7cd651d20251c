"""Replay: the position behind every event, with its findings, what may be done next and what each hand waits for."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.game import Game
from engine.games import game_of
from engine.judge import Breached, decide, finding, open_table, run
from engine.log import EffectiveLog, effective_log
from engine.truth import YES
from engine.view import Viewer, is_over, masked
from schemas.frame import Frame
from schemas.verdict import Finding


class _Shot(msgspec.Struct, frozen=True):
    """The position behind one event, findings aside."""

    state: Any
    legal: list[Any]
    waits: list[Any]
    outcome: Any
    end_seq: int


def frames(
    record: Any, *, first: int = 0, last: int | None = None, view: Viewer = "full", lang: str = "zh", hindsight: bool = True
) -> list[Frame]:
    """The frames of all effective events with a seq from ``first`` to ``last`` (both included), in effective order.

    With ``hindsight`` every position is told as it is known now, by the whole log, in one pass. Without it is told as the table knew it
    then: what only later events tell of a hand is not known, and a viewer sees what he saw, whether or not the hand has ended since. That
    takes a pass for every frame.
    """
    log = effective_log(masked(record, view).events)
    end = log.written if last is None else last
    wanted = [at for at, seq in enumerate(log.seqs) if first <= seq <= end]
    return _told(game_of(record), log, wanted, view, lang, hindsight)


def frame(record: Any, seq: int, *, view: Viewer = "full", lang: str = "zh", hindsight: bool = True) -> Frame:
    """The frame at ``seq``, told as ``frames`` does. Where that event is not effective: the position behind the last effective event
    written before it.

    ``IndexError`` if the log has no such event.
    """
    if not 0 <= seq < len(record.events):
        raise IndexError(seq)
    log = effective_log(masked(record, view).events)
    shown = max(effective for effective in log.seqs if effective <= seq)
    (found,) = _told(game_of(record), log, [log.seqs.index(shown)], view, lang, hindsight)
    return found if shown == seq else msgspec.structs.replace(found, seq=seq, effective=False, findings=[])


def variation_frames(record: Any, seq: int, line: Sequence[Any], *, view: Viewer = "full", lang: str = "zh") -> list[Frame]:
    """The frames of a variation: of the events of ``line``, played instead of what holds from event ``seq`` on.

    Corrections written later count for what stands before it. The events of the line have the seqs behind the last that was written.
    """
    log = effective_log(masked(record, view).events)
    before = next((at for at, held in enumerate(log.seqs) if held == seq), None)
    if before is None:
        # What does not hold itself is replaced behind the last event that holds of those written before it.
        before = log.seqs.index(max(held for held in log.seqs if held < seq)) + 1
    played = EffectiveLog(
        written=log.written,
        seqs=[*log.seqs[:before], *range(log.written, log.written + len(line))],
        events=[*log.events[:before], *line],
    )
    return _frames(game_of(record), played, range(before, len(played.events)), view, lang)


def legal_now(record: Any, view: Viewer = "full") -> list[Any]:
    """What may be done next: ``legal`` of the last frame in effective order."""
    seen = masked(record, view)
    game = game_of(record)
    log = effective_log(seen.events)
    table = _open(game, log, view)
    run(game, log, table)
    return game.legal(table)


def _told(game: Game, log: EffectiveLog, wanted: Sequence[int], view: Viewer, lang: str, hindsight: bool) -> list[Frame]:
    if hindsight:
        return _frames(game, log, wanted, view, lang)
    return [frame for at in wanted for frame in _frames(game, as_known(game, log, at, view), [at], view, lang)]


def as_known(game: Game, log: EffectiveLog, at: int, view: Viewer = "full") -> EffectiveLog:
    """The log up to its place ``at``, as the viewer saw it then."""
    events = list(log.events[: at + 1])
    if view != "full":
        seen = game.mask(events, view)
        events = events if is_over(game, seen) else seen
    return msgspec.structs.replace(log, seqs=log.seqs[: at + 1], events=events)


def _open(game: Game, log: EffectiveLog, view: Viewer) -> Any:
    table = open_table(game, log)
    if view != "full" and not is_over(game, log.events):
        table.hidden = game.hidden_hands(table, view)
    return table


def _frames(game: Game, log: EffectiveLog, wanted: Sequence[int], view: Viewer, lang: str) -> list[Frame]:
    table = _open(game, log, view)
    places = frozenset(wanted)
    shots: dict[int, _Shot] = {}

    def visit(at: int, broken: list[Breached]) -> None:
        if at in places:
            shots[at] = _Shot(game.state(table), game.legal(table), game.waits(table), game.outcome(table), table.end_seq)

    found = run(game, log, table, visit)
    by_seq: dict[int, list[Finding]] = {}
    whole = decide(game, log, table, found)
    at_end, last = game.outcome(table), len(log.events) - 1

    def outcome(at: int) -> Any:
        """What stood then; from the end of the hand on, as it was settled once all is known."""
        shot = shots[at]
        ended = at_end is not None and shot.outcome == at_end and shot.end_seq == table.end_seq
        return whole.outcome if ended or at == last else shot.outcome

    for breached in whole.found:
        if breached.truth == YES:
            by_seq.setdefault(breached.seq, []).append(finding(game, breached, table.names, lang))
    return [
        Frame(
            seq=log.seqs[at],
            version=log.written,
            effective=True,
            state=shots[at].state,
            findings=by_seq.get(log.seqs[at], []),
            legal=shots[at].legal,
            waits=shots[at].waits,
            outcome=outcome(at),
        )
        for at in wanted
    ]
