"""What the whole log tells of hands and wall: a tile that leaves a hand was dealt to it or drawn by it, whether or not anybody wrote down
which (rules §2).

Of a hand with unknown draws a tile is known only from the last unknown draw before it came to light: it may be that very draw.
"""

from collections import Counter
from collections.abc import Sequence
from operator import add, sub
from typing import Any

import msgspec

from engine.changde.aside import asides
from engine.changde.deck import COPIES, DEALER_HAND, INDEX, KINDS, OTHER_HAND, TOKENS, ZHONG, copies_of_each
from engine.changde.ma import undealt
from engine.changde.options import ChangdeRuleset
from engine.changde.packed import ONE, whole
from engine.changde.wall import Wall
from engine.counting import Counting
from schemas import changde as c

SEATS = 4

_NONE_LATER = [[0] * KINDS for _ in range(SEATS)]
"""``Dealt.later`` where no draw is unknown."""


class Dealt(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The deal as far as record and hindsight tell.

    ``hands[s]`` counts, by kind, the tiles known to have been dealt to seat ``s``, ``packed[s]`` are the same once more
    (``packed.whole``), ``seen`` counts those of all seats; ``unseen[s]`` more are unknown; ``sizes[s]`` is the number of tiles.
    ``wall`` are its kinds in draw order (-1 unknown). ``free[k]`` copies of ``k`` never come to light, in one of ``places`` unknown
    places. ``behind`` maps the place in the effective log of an unknown draw to the kinds known to be in that hand from then on;
    ``later[s]`` counts all those of a seat. ``fifth`` maps the seq at which a copy too many of a kind shows up to that kind
    (``cd-copies``).
    """

    hands: list[list[int]]
    packed: list[int]
    seen: list[int]
    sizes: list[int]
    unseen: list[int]
    wall: list[int]
    free: list[int]
    places: int
    behind: dict[int, list[int]]
    later: list[list[int]]
    fifth: dict[int, int]


DUE_SIZES = tuple([DEALER_HAND if seat == dealer else OTHER_HAND for seat in range(SEATS)] for dealer in range(SEATS))
"""How many tiles each seat is dealt, by dealer."""


def due_size(start: c.Start, seat: int) -> int:
    """How many tiles the seat is dealt."""
    return DEALER_HAND if seat == start.dealer else OTHER_HAND


def dealt(start: c.Start, deal: c.Deal | None, ruleset: ChangdeRuleset, seqs: Sequence[int], events: Sequence[Any]) -> Dealt:
    """One pass over the effective log: ``events`` are all of it, ``seqs`` where they stand."""
    if deal is not None and (wholly := _whole(deal, ruleset)):
        return wholly
    tally = _Tally(start, deal, ruleset)
    if deal is not None and (deal.wall is not None or any(deal.hands)):
        tally.count_deal(seqs[1])
    if any(tally.unseen) or -1 in tally.wall.kinds:
        tally.read(seqs, events)
    return tally.result()


_COUNTING = Counting(INDEX, KINDS)
_WHOLE_SETS = tuple(_COUNTING.packed(COPIES * TOKENS[: ZHONG + wild]) for wild in (False, True))
"""All tiles without and with 红中."""

_ONE_OF = {token: ONE[kind] if kind >= 0 else 0 for token, kind in INDEX.items()}.__getitem__
"""What one tile adds to a packed hand, by its token; an unknown one nothing."""

_NONE_FREE = [0] * KINDS
"""``Dealt.free`` where every tile is accounted for."""


def _whole(deal: c.Deal, ruleset: ChangdeRuleset) -> Dealt | None:
    """The deal where its event tells all of it, so that nothing is left for hindsight; None otherwise."""
    hands, wall = deal.hands, deal.wall
    if wall is None or None in hands:
        return None
    sizes = [len(hand or ()) for hand in hands]
    if sum(sizes) + len(wall) != COPIES * (ZHONG + ruleset.wild):
        return None
    packed = [_COUNTING.packed(hand or ()) for hand in hands]
    together = sum(packed)
    if together + _COUNTING.packed(wall) != _WHOLE_SETS[ruleset.wild]:
        return None
    return Dealt(
        hands=[_COUNTING.counts(cards)[:KINDS] for cards in packed],
        packed=[sum(map(_ONE_OF, hand or ())) for hand in hands],
        seen=_COUNTING.counts(together)[:KINDS],
        sizes=sizes,
        unseen=[0] * SEATS,
        wall=_COUNTING.kinds(wall),
        free=_NONE_FREE,
        places=0,
        behind={},
        later=_NONE_LATER,
        fifth={},
    )


class _Tally:
    """Tiles as they come to light, in log order."""

    def __init__(self, start: c.Start, deal: c.Deal | None, ruleset: ChangdeRuleset) -> None:
        self.events: Sequence[Any] = ()
        self.asides: dict[int, int] | None = None
        self.limit = copies_of_each(wild=ruleset.wild)
        self.hands = [[0] * KINDS for _ in range(SEATS)]
        self.packed = [0] * SEATS
        self.sizes = [due_size(start, seat) for seat in range(SEATS)]
        self.unseen = list(self.sizes)
        kinds: list[int] | None = None
        if deal is not None:
            for seat, hand in enumerate(deal.hands):
                if hand is not None:
                    self._read_hand(seat, hand)
            if deal.wall is not None:
                kinds = [INDEX[token] for token in deal.wall]
        self.wall = Wall([-1] * undealt(ruleset) if kinds is None else kinds, linear=ruleset.tail_order == "linear")
        self.left = [counts[:] for counts in self.hands]
        self.unseen_dealt = list(self.unseen)
        self.seen = [0] * KINDS
        self.fifth: dict[int, int] = {}
        self.behind: dict[int, list[int]] = {}
        self.later = [[0] * KINDS for _ in range(SEATS)]
        self.blank = [-1] * SEATS
        self.drawn = -1, -1
        self.moved = 0
        self.flipped: Counter[int] = Counter()
        self.left_then = 0
        self.at = 0
        self.seq = 0

    def _read_hand(self, seat: int, hand: Sequence[str]) -> None:
        *self.hands[seat], self.unseen[seat] = _COUNTING.counts(_COUNTING.packed_part(hand))
        self.packed[seat] = sum(map(_ONE_OF, hand))
        self.sizes[seat] = len(hand)

    def count_deal(self, seq: int) -> None:
        """Count what the deal shows, as event ``seq``."""
        counts = [0] * (KINDS + 1)
        for kind in self.wall.kinds:
            counts[kind] += 1
        east, south, west, north = self.hands
        self.seen = [*map(add, map(add, map(add, east, south), map(add, west, north)), counts)]
        if self.seen != self.limit:
            for kind, count in enumerate(self.seen):
                if count > self.limit[kind]:
                    self.fifth.setdefault(seq, kind)

    def read(self, seqs: Sequence[int], events: Sequence[Any]) -> None:
        """Take in the log."""
        self.events = events
        wall, hands, unseen = self.wall, self.left, self.unseen
        places, lying, blank = wall.places, wall.kinds, self.blank
        seen, limit, behind, later = self.seen, self.limit, self.behind, self.later
        for at, event in enumerate(events):
            event_type: type[Any] = event.__class__
            if event_type is c.Discard:
                kind = INDEX[event.pai]
                if kind >= 0:
                    seat: int = event.actor
                    left = hands[seat]
                    if left[kind]:
                        left[kind] -= 1
                    elif unseen[seat]:
                        # ``hold``, written out since most cards of an unknown hand come to light this way.
                        unseen[seat] -= 1
                        copies = seen[kind] = seen[kind] + 1
                        if copies == limit[kind] + 1:
                            self.fifth.setdefault(seqs[at], kind)
                        drawn = blank[seat]
                        if drawn < 0:
                            self.unseen_dealt[seat] -= 1
                            self.hands[seat][kind] += 1
                            self.packed[seat] += ONE[kind]
                        else:
                            later[seat][kind] += 1
                            if drawn in behind:
                                behind[drawn].append(kind)
                            else:
                                behind[drawn] = [kind]
            elif event_type is c.Draw:
                seat = event.actor
                place = places.pop() if places else -1
                kind = INDEX[event.pai]
                lies = lying[place] if place >= 0 else -1
                if lies >= 0 or (kind < 0 <= place):
                    # ``enter``, written out where nothing new comes to light.
                    if kind < 0:
                        kind = lies
                    if kind >= 0:
                        hands[seat][kind] += 1
                    else:
                        unseen[seat] += 1
                        blank[seat] = at
                        self.moved += 1
                    self.drawn = at, kind
                else:
                    self.at = at
                    self.seq = seqs[at]
                    self.enter(seat, event.pai, place)
            elif reader := _READERS.get(event_type):
                self.at = at
                self.seq = seqs[at]
                reader(self, event)

    def come_to_light(self, kind: int) -> None:
        copies = self.seen[kind] = self.seen[kind] + 1
        if copies == self.limit[kind] + 1:
            self.fifth.setdefault(self.seq, kind)

    def hold(self, seat: int, kind: int, count: int) -> None:
        """The seat holds ``count`` of the kind now; what was not known of that was among its unseen tiles."""
        left = self.left[seat]
        missing = min(count - left[kind], self.unseen[seat])
        if missing <= 0:
            return
        self.unseen[seat] -= missing
        left[kind] += missing
        copies = self.seen[kind]
        self.seen[kind] = copies + missing
        if copies <= self.limit[kind] < copies + missing:
            self.fifth.setdefault(self.seq, kind)
        blank = self.blank[seat]
        if blank >= 0:
            self.behind.setdefault(blank, []).extend([kind] * missing)
            self.later[seat][kind] += missing
        else:
            self.unseen_dealt[seat] -= missing
            self.hands[seat][kind] += missing
            self.packed[seat] += missing * ONE[kind]

    def hold_all(self, seat: int, held: dict[int, int]) -> None:
        """The seat holds so many of each kind now."""
        left = self.left[seat]
        for kind, count in held.items():
            if left[kind] < count:
                self.hold(seat, kind, count)

    def leave(self, seat: int, token: str, count: int) -> None:
        """``count`` tiles of the kind leave the hand."""
        kind = INDEX[token]
        if kind >= 0:
            left = self.left[seat]
            if left[kind] < count:
                self.hold(seat, kind, count)
            left[kind] = max(0, left[kind] - count)

    def peng(self, event: c.Peng) -> None:
        self.leave(event.actor, event.pai, 2)

    def chi(self, event: c.Chi) -> None:
        for token in event.consumed:
            self.leave(event.actor, token, 1)

    def kong(self, event: c.Kong) -> None:
        self.leave(event.actor, event.pai, _SPENT[event.kind])

    def replacement(self, event: c.Replacement) -> None:
        self.enter(event.actor, event.pai, self.wall.replace())

    def enter(self, seat: int, token: str, place: int) -> None:
        """A tile comes into the hand from that place of the wall (-1: from nowhere)."""
        kind = INDEX[token]
        lies = self.wall.kinds[place] if place >= 0 else -1
        if lies < 0 <= kind:
            self.come_to_light(kind)
            if place >= 0:
                self.wall.kinds[place] = kind
        if kind < 0:
            kind = lies
        self.drawn = self.at, kind
        if kind >= 0:
            self.left[seat][kind] += 1
        else:
            self.unseen[seat] += 1
            self.blank[seat] = self.at
            self.moved += place >= 0

    def show(self, event: c.Show) -> None:
        self.hold_all(event.actor, _by_kind(event.pai))

    def hu(self, event: c.Hu) -> None:
        """A hand is shown without the winning tile, which at a 自摸 is held all the same."""
        self.flipped.clear()
        if not isinstance(event.hand, list):
            return
        held = _by_kind(event.hand)
        place, drawn = self.drawn
        if event.kind == "自摸" and drawn in held:
            if self.asides is None:
                self.asides = asides(self.events, len(self.wall.kinds))
            if self.asides.get(self.at) == place:
                held[drawn] += 1
        self.hold_all(event.actor, held)

    def ma(self, event: c.Ma) -> None:
        """What is flipped lies in the wall, but perhaps not where it should: to flip it from elsewhere is against the rules, not
        impossible."""
        self.flipped.update(map(INDEX.__getitem__, event.pai))
        self.left_then = self.wall.left

    def in_the_wall(self) -> int:
        """Count what was flipped behind the last 胡 and is not known to lie in the wall, if nobody has drawn since; how many tiles that
        are."""
        if self.wall.left != self.left_then:
            return 0
        wall = Counter(map(self.wall.kinds.__getitem__, self.wall.places))
        more = {kind: count - wall[kind] for kind, count in self.flipped.items() if kind >= 0 and count > wall[kind]}
        if sum(more.values()) > wall[-1] or any(self.seen[kind] + count > self.limit[kind] for kind, count in more.items()):
            return 0
        for kind, count in more.items():
            self.seen[kind] += count
        return sum(more.values())

    def eliminate(self) -> None:
        """Where all tiles but those dealt to one hand are known, it has the rest of the set; where all but some in the wall are, and the
        rest is of one kind, these are."""
        unseen, kinds = sum(self.unseen), self.wall.kinds
        if unseen and -1 in kinds:
            return
        rest = [*map(sub, self.limit, self.seen)]
        if unseen:
            if max(self.unseen_dealt) == unseen == sum(rest):
                seat = self.unseen_dealt.index(unseen)
                self.unseen_dealt[seat] = self.unseen[seat] = 0
                self.hands[seat] = [*map(add, self.hands[seat], rest)]
                self.packed[seat] = whole(self.hands[seat])
                self.seen = self.limit[:]
        elif kinds.count(-1) == max(rest) == sum(rest):
            last = rest.index(max(rest))
            kinds[:] = [last if kind < 0 else kind for kind in kinds]
            self.seen = self.limit[:]

    def result(self) -> Dealt:
        in_the_wall = 0
        if not self.fifth:
            self.eliminate()
            in_the_wall = self.in_the_wall() if self.flipped else 0
        packed, free = self.packed, _NONE_FREE
        if self.fifth:
            packed = [whole([min(count, COPIES) for count in counts]) for counts in self.hands]
            free = [max(0, most - count) for most, count in zip(self.limit, self.seen, strict=True)]
        elif self.seen != self.limit:
            free = [*map(sub, self.limit, self.seen)]
        east, south, west, north = self.hands
        return Dealt(
            hands=self.hands,
            packed=packed,
            seen=[*map(add, map(add, east, south), map(add, west, north))],
            sizes=self.sizes,
            unseen=self.unseen_dealt,
            wall=self.wall.kinds,
            free=free,
            places=sum(self.unseen) + self.wall.kinds.count(-1) - self.moved - in_the_wall,
            behind=self.behind,
            later=self.later,
            fifth=self.fifth,
        )


def _by_kind(tokens: Sequence[str]) -> dict[int, int]:
    """How many of each kind, unknown tiles left out."""
    counts: dict[int, int] = {}
    for token in tokens:
        kind = INDEX[token]
        if kind >= 0:
            counts[kind] = counts.get(kind, 0) + 1
    return counts


_SPENT = {"暗": 4, "明": 3, "碰": 1}
"""Tiles that leave the hand with each kind of 杠."""

_READERS: dict[type, Any] = {
    c.Chi: _Tally.chi,
    c.Peng: _Tally.peng,
    c.Kong: _Tally.kong,
    c.Replacement: _Tally.replacement,
    c.Show: _Tally.show,
    c.Hu: _Tally.hu,
    c.Ma: _Tally.ma,
}
