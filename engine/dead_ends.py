"""Deals in which a claim leaves its player nothing that he may discard, or the dealer is dealt nothing of the kind.

What left his hand before, and which cards nobody named were claimed and used, is chosen so that all that stays is held in threes or may
not be discarded.
"""

from collections.abc import Iterator, Sequence
from operator import add, sub
from random import Random
from typing import Any

import msgspec

from engine.completions import UNKNOWN, Open, is_nameless
from engine.fill import stuck
from engine.game import Game
from engine.judge import open_table
from engine.naming import on_table, runs, versions
from engine.plan import Effort, Plan, by_kind, with_names
from engine.rule import Breached
from engine.steps import plans

_MOST_CLAIMS = 6
"""So many claims are looked at for one finding, the latest ones."""

_PLANS = 6
"""How many plans are made at most of one claim."""

_WAYS = 60
"""In how many ways it is tried to name what belongs to a claim and to those before it."""

_WAYS_TO_FILL = 10
"""In how many ways it is tried to fill the hand where all these are named."""

_LIKELY = 0.7
"""How often the likeliest way is taken."""


class DeadEnds:
    """The plans for the findings of one record."""

    def __init__(self, game: Game, known: Open, effort: Effort) -> None:
        self.game = game
        self.known = known
        self.events = known.log.events
        self.moves = known.moves
        self.effort = effort
        self.possible = dict.fromkeys(self._beyond_the_hand(), False)
        self.bars: dict[bytes, frozenset[int]] = {}

    def plans(self, b: Breached, at: int, seats: Sequence[int], random: Random) -> Iterator[Plan]:
        """Plans for a finding about the event ``at`` that place and about ``seats``, the latest claims first. A rule that looks behind its
        event asks about that claim, others about one before and about what the player does all the same."""
        if self.game.flow.barred is None:
            return
        if b.rule.after:
            claims = [at] if self._may_kill(at) else []
        else:
            claims = [place for place in range(at) if self._may_kill(place) and (self._player(place) in seats or not seats)]
            if len(self.moves[at].spent) == 1:
                # Who dies by his latest claim has not to discard; who died by one before has.
                del claims[-1:]
        for claim in claims[: -_MOST_CLAIMS - 1 : -1]:
            for _ in range(_PLANS):
                if self.effort.reading < 4 * len(self.events):
                    return
                if not self._is_possible(claim, random):
                    break
                plan = self._planned(claim, self._done_properly(claim, at, random), random)
                if plan is not None:
                    yield plan

    def _may_kill(self, at: int) -> bool:
        """Whether who claims, or the dealer as he was dealt, has to discard behind the event."""
        return len(self.moves[at].spent) > 1 or self.events[at] is self.known.deal

    def _player(self, at: int) -> int:
        seat = self.moves[at].seat
        return self.events[0].dealer if seat < 0 else seat

    def _beyond_the_hand(self) -> Iterator[int]:
        """The places of claims by which more has left a hand than was dealt."""
        left = [sum(counts) + more for counts, more in zip(self.known.hands, self.known.dealt, strict=True)]
        for at, move in enumerate(self.moves):
            if move.seat >= 0 and move.spent:
                left[move.seat] -= len(move.spent)
                if left[move.seat] < 0:
                    yield at

    def _is_possible(self, claim: int, random: Random) -> bool:
        """Whether any way to die by the claim was found, whatever happens behind it."""
        if claim not in self.possible:
            self.possible[claim] = self._planned(claim, {}, random) is not None
        return self.possible[claim]

    def _planned(self, claim: int, names: dict[int, Any], random: Random) -> Plan | None:
        """A hand that is dead behind the claim where the events in ``names`` are as they are there."""
        known = with_names(self.known, names, self.effort)
        if not known.consistent:
            return None
        seat = self._player(claim)
        self.effort.reading -= 2 * len(self.events)
        held, needed = left_behind(known, seat, claim), _needed_behind(known, seat, claim)
        own = [place for place in range(claim + 1) if self.moves[place].seat == seat]
        claims = [place for place in own if len(self.moves[place].spent) > 1]
        open_claims = [place for place in claims if is_nameless(known.log.events[place])]
        barred = frozenset[int]().union(*(self._barred_by(known.log.events[place]) for place in claims if place not in open_claims))
        leaving = [place for place in own if self.moves[place].spent == (UNKNOWN,) and place not in names]
        for _ in range(_WAYS if open_claims else _WAYS_TO_FILL):
            self.effort.reading -= len(own)
            hand = _Hand(held, needed, known.dealt[seat], known.pool)
            chosen: dict[int, Any] = {}
            bars = barred
            for place in open_claims:
                event = self._claimed(known, place, hand, random)
                if event is None:
                    break
                chosen[place] = event
                bars |= self._barred_by(event)
                table, lies = on_table(known, place)
                if table >= 0 > lies:
                    chosen[table] = msgspec.structs.replace(self.events[table], pai=event.pai)
                    hand.pool[self.game.index[event.pai]] -= 1
            if len(chosen) < len(open_claims) or min(hand.pool) < 0:
                continue
            free = [place for place in leaving if place not in chosen]
            found = stuck(hand.held, needed, hand.unseen, len(free), hand.pool, bars, random)
            if found is None:
                continue
            for place, kind in zip(free, found.leaving, strict=True):
                chosen[place] = self._of_kind(place, kind)
            dealt = list(map(add, map(add, known.hands[seat], hand.taken), found.unseen))
            full = with_names(self.known, {**names, **chosen}, self.effort)
            more = list(map(sub, dealt, full.hands[seat]))
            if full.consistent and min(more) >= 0:
                return Plan(full, {seat: by_kind(more)})
        return None

    def _of_kind(self, at: int, kind: int) -> Any:
        token: Any = self.game.tokens[kind]
        return msgspec.structs.replace(self.events[at], pai=token)

    def _barred_by(self, claim: Any) -> frozenset[int]:
        """The kinds that the claim by itself bars from discard."""
        name = msgspec.json.encode(claim)
        if name not in self.bars:
            log = msgspec.structs.replace(self.known.log, events=[self.events[0], claim], seqs=[0, 1])
            table = open_table(self.game, log)
            table.seq = table.at = 1
            evolve = plans(self.game.name)[type(claim)].evolve
            if evolve is not None:
                evolve(table, claim.actor, self.game.index[claim.pai], claim)
            self.bars[name] = frozenset() if self.game.flow.barred is None else self.game.flow.barred(table, claim.actor)
        return self.bars[name]

    def _claimed(self, known: Open, at: int, hand: "_Hand", random: Random) -> Any:
        """A claim with a name for each of its cards, which leave the hand; most bar a kind that is loose there, or use loose cards, whether
        by the rules or not. None if that cannot be."""
        index = self.game.index
        tokens: Any = self.game.tokens
        event: Any = known.log.events[at]
        kind = index[event.pai]
        if kind < 0 and random.random() < _LIKELY:
            _, kind = on_table(known, at)
        loose = hand.loose()
        if kind < 0:
            kind = random.choice(loose if loose and random.random() < _LIKELY else range(len(tokens)))
        whole = [full for full in versions(self.game, event, kind) if not is_nameless(full) and index[full.pai] == kind]
        if hasattr(event, "consumed"):
            consumed = [tokens[random.choice(loose or range(len(tokens)))] if token == "?" else token for token in event.consumed]
            whole.append(msgspec.structs.replace(event, pai=tokens[kind], consumed=consumed))
        if not whole:
            return None
        chosen = self._likely(whole, loose, random)
        spent = zip(self.game.flow.spent(event), self.game.flow.spent(chosen), strict=True)
        return chosen if all(hand.play(index[now]) for before, now in spent if before == "?") else None

    def _likely(self, whole: Sequence[Any], kinds: Sequence[int], random: Random) -> Any:
        """One of the events, rather one that takes cards of these kinds out of the hand."""
        index, spent = self.game.index, self.game.flow.spent
        if random.random() > _LIKELY:
            return random.choice(whole)
        return max(whole, key=lambda full: (sum(index[token] in kinds for token in spent(full)), random.random()))

    def _done_properly(self, claim: int, at: int, random: Random) -> dict[int, Any]:
        """What the player of the ``claim`` does ``at`` a later place: he claims what lies on the table, or discards a kind that he has used
        in a claim between; by place in the log."""
        seat = self._player(claim)
        if at == claim or self.moves[at].seat != seat or not self.moves[at].spent:
            return {}
        if len(self.moves[at].spent) > 1:
            return self._proper_claim(at, random)
        between = [place for place in range(claim + 1, at) if self.moves[place].seat == seat and len(self.moves[place].spent) > 1]
        if not between:
            return {}
        used = random.choice(between)
        names = self._proper_claim(used, random)
        made = names.get(used, self.events[used])
        spent = [token for token in self.game.flow.spent(made) if token != "?"]
        if spent and is_nameless(self.events[at]):
            token: Any = random.choice([token for token in spent if token != made.pai] or spent)
            names[at] = msgspec.structs.replace(self.events[at], pai=token)
        return names

    def _proper_claim(self, at: int, random: Random) -> dict[int, Any]:
        """A claim of what lies on the table, by the rules, rather with cards that the player is known to hold than with others."""
        event = self.events[at]
        if not is_nameless(event):
            return {}
        index = self.game.index
        table, lies = on_table(self.known, at)
        kinds = [lies] if lies >= 0 and event.pai == "?" else range(len(self.game.tokens))
        ways = runs if hasattr(event, "consumed") else versions
        fitting = [full for kind in kinds for full in ways(self.game, event, kind) if index[full.pai] == kind]
        if not fitting:
            return {}
        held = left_behind(self.known, event.actor, at)
        chosen = self._likely(fitting, [kind for kind, count in enumerate(held) if count > 0], random)
        return {at: chosen, table: self._of_kind(table, index[chosen.pai])} if table >= 0 > lies else {at: chosen}


class _Hand:
    """A hand out of which claims are made: ``taken`` are the unseen cards that were used in them."""

    def __init__(self, held: Sequence[int], needed: Sequence[int], unseen: int, pool: Sequence[int]) -> None:
        self.held = list(held)
        self.needed = needed
        self.unseen = unseen
        self.pool = list(pool)
        self.taken = [0] * len(self.held)

    def loose(self) -> list[int]:
        """The kinds held once or twice that need not stay."""
        return [kind for kind, count in enumerate(self.held) if self.needed[kind] < count < 3]

    def play(self, kind: int) -> bool:
        """A card of the kind leaves the hand, an unseen one if no other may; false if there is none."""
        if self.held[kind] > self.needed[kind]:
            self.held[kind] -= 1
            return True
        if not (self.unseen and self.pool[kind]):
            return False
        self.unseen -= 1
        self.pool[kind] -= 1
        self.taken[kind] += 1
        return True


def left_behind(known: Open, seat: int, at: int) -> list[int]:
    """How many of each kind the seat is known to have been dealt and has not played, by name, up to that place in the log."""
    held = known.hands[seat][:]
    for move in known.moves[: at + 1]:
        if move.seat == seat:
            for kind in move.spent:
                if kind >= 0:
                    held[kind] -= 1
    return held


def _needed_behind(known: Open, seat: int, at: int) -> list[int]:
    """How many of each kind the seat plays by name, or shows, behind that place in the log."""
    needed = [0] * len(known.pool)
    for move in known.moves[:at:-1]:
        if move.seat != seat:
            continue
        for kind, count in move.shown.items() if move.shown else ():
            needed[kind] = max(needed[kind], count)
        for kind in move.spent:
            if kind >= 0:
                needed[kind] += 1
    return needed
