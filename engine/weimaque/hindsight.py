"""What the whole log tells of the deal: no card ever enters a hand (rules §1), so whatever a player plays or shows was dealt to him."""

from collections.abc import Iterable, Sequence
from operator import add
from typing import Any

import msgspec

from engine.counting import Counting
from engine.weimaque.deck import COPIES, INDEX, KINDS, STOCK_SIZE, UNKNOWN
from engine.weimaque.packed import EVERY_KIND, pack, unpack
from engine.weimaque.seating import due_size
from schemas import weimaque
from schemas.weimaque import Deal, Start


class Dealt(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The deal as far as record and hindsight tell.

    ``hands[s]`` counts, by kind, the cards known to have been dealt to seat ``s``; ``unseen[s]`` more are unknown; ``sizes[s]`` is the
    number of cards; ``packed[s]`` are the known ones once more (``packed``).
    ``none_free`` and ``one_free`` are the sets of the kinds (``packed``) of which ``free`` counts none, and one at most.
    ``stock`` are its kinds in draw order (-1 unknown), or None; ``stock_size`` their number. ``free[k]`` copies of ``k`` are nowhere
    known to be, in one of
    ``places`` unknown places. ``fifth`` maps the seq at which a fifth copy of a kind shows up to that kind (``wmq-copies``).
    """

    hands: list[list[int]]
    packed: list[int]
    sizes: list[int]
    unseen: list[int]
    stock: list[int] | None
    stock_size: int
    free: list[int]
    none_free: int
    one_free: int
    places: int
    fifth: dict[int, int]


_COUNTING = Counting(INDEX, KINDS)
_WHOLE_DECK = COPIES * EVERY_KIND
_NONE_FREE = [0] * KINDS
"""``Dealt.free`` where every card is accounted for."""


def dealt(start: Start, deal: Deal | None, seqs: Sequence[int], events: Iterable[Any]) -> Dealt:
    """One pass over the effective log. ``events`` are all of them, ``seqs`` where they stand."""
    if deal is not None and (whole := _whole(start, deal)):
        return whole
    tally = _Tally(start, deal)
    if deal is not None:
        tally.count_deal(seqs[1])
    if any(tally.unseen) or tally.stock is None or UNKNOWN in tally.stock:
        tally.read(seqs, events)
    return tally.result()


def _has_unknown_hand(start: Start, hands: Sequence[Sequence[str] | None]) -> bool:
    return None in hands and any(hand is None and due_size(start, seat) for seat, hand in enumerate(hands))


def _whole(start: Start, deal: Deal) -> Dealt | None:
    """The deal where its event tells all of it, so that nothing is left for hindsight; None otherwise."""
    hands, stock = deal.hands, deal.stock
    if stock is None or _has_unknown_hand(start, hands):
        return None
    sizes = [len(hand or ()) for hand in hands]
    if sum(sizes) + len(stock) != COPIES * KINDS:
        return None
    packed = [_COUNTING.packed(hand or ()) for hand in hands]
    if sum(packed) + _COUNTING.packed(stock) != _WHOLE_DECK:
        return None
    return Dealt(
        hands=[*map(unpack, packed)],
        packed=packed,
        sizes=sizes,
        unseen=[0] * len(hands),
        stock=_COUNTING.kinds(stock),
        stock_size=len(stock),
        free=_NONE_FREE,
        none_free=EVERY_KIND,
        one_free=EVERY_KIND,
        places=0,
        fifth={},
    )


class _Tally:
    """Cards as they come to light, in log order."""

    def __init__(self, start: Start, deal: Deal | None) -> None:
        seats = len(start.players)
        self.hands: list[list[int]] = [[0] * KINDS for _ in range(seats)]
        self.sizes = [due_size(start, seat) for seat in range(seats)]
        self.unseen = self.sizes[:]
        self.stock: list[int] | None = None
        self.seen = [0] * KINDS
        self.fifth: dict[int, int] = {}
        self.revealed = 0
        self.revealed_unknown = 0
        self.left = self.hands
        if deal is not None:
            together = 0
            for seat, hand in enumerate(deal.hands):
                if hand is not None:
                    packed = _COUNTING.packed_part(hand)
                    together += packed
                    *self.hands[seat], self.unseen[seat] = _COUNTING.counts(packed)
                    self.sizes[seat] = len(hand)
            if deal.stock is not None:
                self.stock = list(map(INDEX.__getitem__, deal.stock))
                together += _COUNTING.packed_part(deal.stock)
            *self.seen, _ = _COUNTING.counts(together)

    def count_deal(self, seq: int) -> None:
        """Whether the deal itself shows a fifth copy."""
        if max(self.seen) > COPIES:
            self.fifth[seq] = next(kind for kind, copies in enumerate(self.seen) if copies > COPIES)

    def come_to_light(self, kind: int, seq: int) -> None:
        self.seen[kind] += 1
        if self.seen[kind] == COPIES + 1:
            self.fifth.setdefault(seq, kind)

    def hold(self, seat: int, kind: int, count: int, seq: int) -> None:
        """The seat holds ``count`` of the kind now; what was not known of that was among its unseen cards."""
        if kind < 0:
            return
        left, unseen, hand = self.left[seat], self.unseen, self.hands[seat]
        while left[kind] < count and unseen[seat]:
            unseen[seat] -= 1
            hand[kind] += 1
            left[kind] += 1
            self.come_to_light(kind, seq)

    def read(self, seqs: Sequence[int], events: Iterable[Any]) -> None:
        """Take in the log. ``left[s]`` are the cards of seat ``s`` that are known to be in its hand at the event that is read."""
        self.left = [counts[:] for counts in self.hands]
        leave, seen = self.leave, self.seen
        for seq, event in zip(seqs, events, strict=True):
            event_type: type[Any] = event.__class__
            if event_type is weimaque.Discard:
                leave(event.actor, INDEX[event.pai], 1, seq)
            elif event_type is weimaque.Reveal:
                kind = INDEX[event.pai]
                if self.stock is None and kind >= 0 and seen[kind] < COPIES:
                    self.revealed += 1
                    seen[kind] += 1
                else:
                    self.reveal(seq, event)
            elif event_type is weimaque.Chi:
                for token in event.consumed:
                    leave(event.actor, INDEX[token], 1, seq)
            elif event_type is weimaque.Peng or event_type is weimaque.Wei:
                leave(event.actor, INDEX[event.pai], 2, seq)
            elif event_type is weimaque.Hu or event_type is weimaque.Show:
                self.show(seq, event)

    def leave(self, seat: int, kind: int, count: int, seq: int) -> None:
        """``count`` cards of the kind leave the hand."""
        if kind < 0:
            return
        left = self.left[seat]
        have = left[kind]
        if have >= count:
            left[kind] = have - count
            return
        left[kind] = 0
        unseen = self.unseen[seat]
        missing = count - have
        if missing > unseen:
            missing = unseen
        if missing:
            self.unseen[seat] = unseen - missing
            self.hands[seat][kind] += missing
            copies = self.seen[kind]
            self.seen[kind] = copies + missing
            if copies <= COPIES < copies + missing:
                self.fifth.setdefault(seq, kind)

    def show(self, seq: int, event: weimaque.Show | weimaque.Hu) -> None:
        shown = event.pai if isinstance(event, weimaque.Show) else event.hand
        if not isinstance(shown, list):
            return
        for token in dict.fromkeys(shown):
            self.hold(event.actor, INDEX[token], shown.count(token), seq)

    def reveal(self, seq: int, event: weimaque.Reveal) -> None:
        kind = INDEX[event.pai]
        place = self.revealed
        self.revealed += 1
        if self.stock is not None and place < len(self.stock):
            if self.stock[place] >= 0:
                return
            if kind >= 0:
                self.stock[place] = kind
        if kind < 0:
            self.revealed_unknown += 1
            return
        copies = self.seen[kind] = self.seen[kind] + 1
        if copies == COPIES + 1:
            self.fifth.setdefault(seq, kind)

    def eliminate(self) -> None:
        """Where all cards but those of one hand are known, it has the rest of the deck."""
        rest = [COPIES - copies for copies in self.seen]
        if max(self.unseen) == sum(self.unseen) == sum(rest):
            seat = self.unseen.index(max(self.unseen))
            self.unseen[seat] = 0
            self.hands[seat] = [*map(add, self.hands[seat], rest)]
            self.seen = [COPIES] * KINDS

    def result(self) -> Dealt:
        stock_size = STOCK_SIZE if self.stock is None else len(self.stock)
        unknown_stock = stock_size - self.revealed + self.revealed_unknown if self.stock is None else self.stock.count(UNKNOWN)
        if unknown_stock <= 0 and not self.fifth:
            self.eliminate()
        free = [COPIES - copies if copies < COPIES else 0 for copies in self.seen]
        packed_free = pack(free)
        several = packed_free >> 1 | packed_free >> 2
        return Dealt(
            hands=self.hands,
            packed=[*map(pack, self.hands)],
            sizes=self.sizes,
            unseen=self.unseen,
            stock=self.stock,
            stock_size=stock_size,
            free=free,
            none_free=EVERY_KIND & ~(packed_free | several),
            one_free=EVERY_KIND & ~several,
            places=sum(self.unseen) + max(0, unknown_stock),
            fifth=self.fifth,
        )
