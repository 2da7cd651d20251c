"""Repairs: single slips of the pen that would explain what cannot have happened, offered as ready corrections and never applied.

Every edit of one event is tried that people make when they write in a hurry: a look-alike card, a wrong seat, the wrong cards of a 吃, the
wrong kind of action, two neighbours exchanged, an event left out or too many. An edit is offered if it clears the first contradiction and
brings no new one.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, cast

import msgspec

from engine.game import Game
from engine.games import game_of
from engine.judge import Breached, decide, open_table, run, settlement
from engine.log import DEAL_TYPES, START_TYPES, EffectiveLog, effective_log
from engine.spoken import spoken
from engine.truth import YES
from schemas.events import Call, Exhausted, Pass, Ruling, Settlement, Void
from schemas.repair import Cleared, Left, Repair, Slip

MOST_WORK = 1_000_000
"""How much work the edits of one search are together, about: that of folding one event, of which nothing is told, is 1."""

FINDING_WORK = 6
"""How much work one finding is, told or merely possible, with the rules that are asked on the way to it."""

_COST: dict[Slip, float] = {"card": 1.0, "consumed": 1.2, "kind": 1.4, "order": 1.5, "seat": 1.3, "missed": 1.9, "extra": 2.6}
_UNLIKE = 2.0
"""How much less likely a card is mistaken for one that does not look like it."""

_IMPOSSIBLE, _VIOLATION, _POSSIBLE = 4.0, 2.0, 0.02
"""What a finding that remains counts against an edit."""

_REACH = 3
"""How many events before the first finding an event may have been left out."""


class _Edit(msgspec.Struct, frozen=True):
    """One edit: ``put`` events by place in the effective log, an event ``missed`` before the place ``at``, or the event ``at`` dropped."""

    slip: Slip
    at: int
    cost: float
    put: tuple[tuple[int, Any], ...] = ()
    missed: Any = None


class _Tried(msgspec.Struct, frozen=True):
    """An edit that works, the log with it, what that breaks event by event and the position at its end. ``left``: what remains counts so
    much against the edit."""

    edit: _Edit
    log: EffectiveLog
    table: Any
    found: list[Breached]
    left: float


def repairs(record: Any, *, limit: int = 5, lang: str = "zh") -> list[Repair]:
    """The most likely single repairs of a record, best first; none for a record in which nothing is impossible or against the rules.

    Impossible findings are repaired first; only where there are none, established violations are taken for slips. At most ``limit`` are
    offered.
    """
    game = game_of(record)
    log = effective_log(record.events)
    table = open_table(game, log)
    found = [*run(game, log, table), *settlement(game, table, game.outcome(table))]
    established = [b for b in found if b.truth == YES and b.rule.kind != "notice"]
    wrong = [b for b in established if b.rule.kind == "impossible"] or [b for b in established if b.rule is not game.settlement_rule]
    if not wrong:
        return []
    search = _Search(game, log, found, wrong)
    offered = _distinct(sorted(search.working(), key=search.rank))
    kept = (repair for tried in offered if (repair := search.repair(record.events, tried, table.names, lang)) is not None)
    return list(islice(kept, limit))


def _distinct(offered: list[_Tried]) -> list[_Tried]:
    seen: set[bytes] = set()
    kept: list[_Tried] = []
    for tried in offered:
        edit = tried.edit
        key = msgspec.json.encode((edit.at if not edit.put else -1, edit.put, edit.missed))
        if key not in seen:
            seen.add(key)
            kept.append(tried)
    return kept


def _weight(found: Sequence[Breached]) -> float:
    """What the findings that remain count against an edit."""
    weight = 0.0
    for b in found:
        if b.truth != YES:
            weight += _POSSIBLE
        elif b.rule.kind != "notice":
            weight += _IMPOSSIBLE if b.rule.kind == "impossible" else _VIOLATION
    return weight


class _UselessError(Exception):
    """The edit does not help."""


class _Search:
    """The search for edits of one log that clear ``wrong[0]``."""

    def __init__(self, game: Game, log: EffectiveLog, found: list[Breached], wrong: list[Breached]) -> None:
        self.game = game
        self.log = log
        self.found = found
        self.wrong = wrong
        self.place = {seq: at for at, seq in enumerate(log.seqs)}
        self.first = wrong[0].seq, wrong[0].rule.id
        self.kind = wrong[0].rule.kind
        self.at = self.place.get(wrong[0].seq, len(log.events) - 1)
        self.known = {(b.seq, b.rule.id) for b in wrong}
        self.kinds = {b.kind for b in wrong if b.kind >= 0}
        self.actors = {b.actor for b in wrong if b.actor >= 0}
        self.work = 0
        self.because = {self.place[seq] for b in wrong for seq in (b.seq, *b.explanation.because) if seq in self.place}

    def working(self) -> Iterator[_Tried]:
        """The edits that clear the first contradiction and bring no new one; of too many for ``MOST_WORK``, the likely ones."""
        for edit in sorted(self._edits(), key=lambda edit: (edit.missed is None, self._likely(edit))):
            if self.work >= MOST_WORK:
                return
            tried = self._tried(edit)
            if tried is not None:
                yield tried

    def rank(self, tried: _Tried) -> tuple[float, int]:
        """Few findings left, then a likely slip near to the contradiction."""
        return self._likely(tried.edit) + tried.left, -tried.edit.at

    def _likely(self, edit: _Edit) -> float:
        """The cost of the slip, less where the edited event takes part in the contradiction."""
        cost = edit.cost
        if edit.at in self.because:
            cost -= 0.4
        event = self.log.events[edit.at] if edit.at < len(self.log.events) else None
        if event is not None and not edit.missed:
            if self.game.index.get(_card(event) or "", -1) in self.kinds:
                cost -= 0.2
            if getattr(event, "actor", -1) in self.actors:
                cost -= 0.1
        return cost + min(0.3, abs(self.at - edit.at) * 0.01)

    def _tried(self, edit: _Edit) -> _Tried | None:
        """The edit, if the log with it breaks less; given up as soon as it leaves the contradiction, or brings another that is new."""
        log = self._edited(edit)
        table = open_table(self.game, log)
        self.work += len(log.events)

        def visit(_: int, broken: list[Breached]) -> None:
            self.work += 1 + FINDING_WORK * len(broken)
            for b in broken:
                if b.truth == YES and (b.seq, b.rule.id) not in self.known and b.rule.kind == "impossible":
                    raise _UselessError
                if (b.seq, b.rule.id) == self.first and b.truth == YES:
                    raise _UselessError

        try:
            found = run(self.game, log, table, visit, explain_open=False)
        except _UselessError:
            return None
        remain = [*found, *settlement(self.game, table, self.game.outcome(table))]
        if sum(b.rule.kind == self.kind and b.truth == YES for b in remain) >= len(self.wrong):
            return None
        return _Tried(edit, log, table, found, _weight(remain))

    def _edited(self, edit: _Edit) -> EffectiveLog:
        seqs, events = list(self.log.seqs), list(self.log.events)
        if edit.missed is not None:
            seqs.insert(edit.at, self.log.written)
            events.insert(edit.at, edit.missed)
        elif edit.put:
            for at, event in edit.put:
                events[at] = event
        else:
            del seqs[edit.at], events[edit.at]
        return EffectiveLog(written=self.log.written + 1, seqs=seqs, events=events)

    def _edits(self) -> Iterator[_Edit]:
        events = self.log.events
        for at, event in enumerate(events[: self.at + 2]):
            if isinstance(event, START_TYPES):
                continue
            if isinstance(event, DEAL_TYPES):
                yield from self._dealt_otherwise(at, event)
                continue
            if isinstance(event, Ruling):
                continue
            for other, slip, cost in self._otherwise(at, event):
                yield _Edit(slip, at, cost, put=((at, other),))
            if not isinstance(event, Pass | Call):
                twice = at > 0 and events[at - 1] == event
                yield _Edit("extra", at, _COST["extra"] - (1.0 if twice else 0.0))
                following = events[at + 1] if at + 1 < len(events) else None
                if following is not None and following != event and not isinstance(following, Pass | Call | Ruling | Settlement):
                    yield _Edit("order", at, _COST["order"], put=((at, following), (at + 1, event)))
        yield from self._missed()

    def _otherwise(self, at: int, event: Any) -> Iterator[tuple[Any, Slip, float]]:
        """The event as it may have been meant: another card, seat, run or kind."""
        card = _card(event)
        if card is not None:
            near = self.game.slips.look_alikes(card)
            for other in near:
                yield _with_card(event, other), "card", _COST["card"]
            if at == self.at:
                for other in self.game.tokens:
                    if other != card and other not in near:
                        yield _with_card(event, other), "card", _COST["card"] + _UNLIKE
        if isinstance(getattr(event, "actor", None), int):
            for seat in range(len(self.log.events[0].players)):
                if seat != event.actor:
                    yield msgspec.structs.replace(event, actor=seat), "seat", _COST["seat"]
        for other, slip in self.game.slips.rewritten(event):
            yield other, slip, _COST[slip]
        for name in ("hand", "pai"):
            shown: Any = getattr(event, name, None)
            if isinstance(shown, list):
                for place, token in enumerate(cast("list[str]", shown)):
                    for other in self.game.slips.look_alikes(token):
                        yield msgspec.structs.replace(event, **{name: [*shown[:place], other, *shown[place + 1 :]]}), "card", _COST["card"]

    def _dealt_otherwise(self, at: int, deal: Any) -> Iterator[_Edit]:
        """The deal with one card as it may have been meant, where that card has to do with the contradiction."""
        tokens = self.game.tokens
        wanted = {tokens[kind] for kind in self.kinds}
        wanted |= {
            value for b in self.wrong for value in b.explanation.params.values() if isinstance(value, str) and value in self.game.index
        }

        def changed(cards: Sequence[str] | None) -> Iterator[list[str]]:
            done: set[tuple[str, str]] = set()
            for place, token in enumerate(cards or ()):
                for other in self.game.slips.look_alikes(token):
                    if (token in wanted or other in wanted) and (token, other) not in done:
                        done.add((token, other))
                        yield [*(cards or ())[:place], other, *(cards or ())[place + 1 :]]

        for seat, hand in enumerate(deal.hands):
            for other in changed(hand):
                hands = [other if place == seat else cards for place, cards in enumerate(deal.hands)]
                yield _Edit("card", at, _COST["card"] + 0.3, put=((at, msgspec.structs.replace(deal, hands=hands)),))
        lying = "stock" if hasattr(deal, "stock") else "wall"
        for other in changed(getattr(deal, lying)):
            yield _Edit("card", at, _COST["card"] + 0.3, put=((at, msgspec.structs.replace(deal, **{lying: other})),))

    def _missed(self) -> Iterator[_Edit]:
        """What could have been done shortly before the first finding, and for a card that nobody knows the one claimed next."""
        first = min(
            (self.place[b.seq] for b in self.found if b.truth == YES and b.rule.kind != "notice" and b.seq in self.place), default=0
        )
        places = range(max(2, first - _REACH), first + 1)
        menus: dict[int, list[Any]] = {}
        table = open_table(self.game, self.log)

        def visit(at: int, _: list[Breached]) -> None:
            if at + 1 in places:
                menus[at + 1] = self.game.legal(table)

        before = msgspec.structs.replace(self.log, seqs=self.log.seqs[:first], events=self.log.events[:first])
        run(self.game, before, table, visit, explain_open=False)
        for at, menu in menus.items():
            following = self.log.events[at] if at < len(self.log.events) else None
            distance = 0.15 * (first - at)
            for event in menu:
                if isinstance(event, Exhausted):
                    continue
                drawn = self.log.events[at - 1]
                at_once = _card(drawn) == _card(event) and getattr(drawn, "actor", -1) == getattr(event, "actor", -1)
                cost = _COST["missed"] + distance + (0.1 if _claims(event) else 0.0) - (0.05 if at_once else 0.0)
                yield _Edit("missed", at, cost, missed=event)
                if _card(event) == "?" and following is not None and _card(following) is not None:
                    yield _Edit("missed", at, _COST["missed"] - 0.2 + distance, missed=_with_card(event, _card(following)))

    def repair(self, written: Sequence[Any], tried: _Tried, names: Sequence[str], lang: str) -> Repair | None:
        """The edit as events to append, and what the log ``written`` would break with them; None if they would not do what was tried.

        A 补记 stands behind what was inserted at its place before, so not every edit of the effective log can be written down.
        """
        edit, log = tried.edit, self.log
        slips = self.game.slips
        if edit.missed is not None:
            after = log.seqs[edit.at - 1]
            events: list[Any] = [slips.insert(after=after, event=edit.missed)]
        elif edit.put:
            events = [slips.amend(seq=log.seqs[at], event=event) for at, event in edit.put]
        else:
            events = [Void(seq=log.seqs[edit.at])]
        mended = effective_log([*written, *events])
        if list(mended.seqs) != list(tried.log.seqs) or list(mended.events) != list(tried.log.events):
            return None
        found = decide(self.game, mended, tried.table, tried.found).found
        still = {(b.seq, b.rule.id) for b in found if b.truth == YES}
        kinds = [b.rule.kind if b.truth == YES else "possible" for b in found]
        return Repair(
            events=events,
            slip=edit.slip,
            message=self._message(edit, names, lang),
            clears=[
                Cleared(seq=b.seq, rule=b.rule.id)
                for b in self.found
                if b.truth == YES and b.rule.kind != "notice" and (b.seq, b.rule.id) not in still
            ],
            leaves=Left(impossible=kinds.count("impossible"), violation=kinds.count("violation"), possible=kinds.count("possible")),
        )

    def _message(self, edit: _Edit, names: Sequence[str], lang: str) -> str:
        log = self.log
        zh = lang != "en"
        if edit.missed is not None:
            after, said = log.seqs[edit.at - 1], spoken(edit.missed, names, lang)
            return f"第{after}号事件后漏记：{said}" if zh else f"left out behind event {after}: {said}"
        seq, written = log.seqs[edit.at], spoken(log.events[edit.at], names, lang)
        if not edit.put:
            return f"第{seq}号事件（{written}）多记了" if zh else f"event {seq} ({written}) did not happen"
        if edit.slip == "order":
            other = log.seqs[edit.at + 1]
            return f"第{seq}号与第{other}号事件次序记反了" if zh else f"events {seq} and {other} were written in the wrong order"
        meant = spoken(edit.put[0][1], names, lang)
        return f"第{seq}号事件：{written}，应为{meant}" if zh else f"event {seq}: {written} should be {meant}"


def _claims(event: Any) -> bool:
    return hasattr(event, "consumed") or type(event).__name__ in ("Peng", "Wei", "Kong", "Hu", "Zhe", "DeadHand")


def _card(event: Any) -> str | None:
    card = getattr(event, "pai", None)
    return card if isinstance(card, str) else None


def _with_card(event: Any, card: Any) -> Any:
    return msgspec.structs.replace(event, pai=card)
