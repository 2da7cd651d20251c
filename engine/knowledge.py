"""What is known of the hands while a log is folded: at least these cards, and so many that nobody has seen. A fully known hand has none
of the latter.
"""

from collections.abc import Sequence

from engine.truth import NO, UNKNOWN, YES, Truth

NOTHING = -2
"""In place of a kind: there is no card (-1 is a card that nobody knows)."""


class Hands:
    """The hands of a table, by seat.

    ``hand[s]`` counts the cards that seat ``s`` is known to hold, by kind; ``unseen[s]`` more are in it that nobody knows, and
    ``lost[s]`` have left it that nobody knows; ``size[s]`` is how many cards it has. ``free[k]`` copies of ``k`` never come to light in
    the whole log, in ``places`` places that never do. ``later[s][k]`` copies come to light out of the hand of ``s`` behind a draw still
    to come, so that they are among the unseen cards now or drawn then; ``later_total[s]`` is their sum.
    """

    __slots__ = ("free", "hand", "later", "later_total", "lost", "places", "size", "unseen")

    hand: list[list[int]]
    unseen: list[int]
    lost: list[int]
    size: list[int]
    free: list[int]
    places: int
    later: list[list[int]]
    later_total: list[int]

    def vague(self, seat: int) -> bool:
        """Whether anything about the seat's hand is not known."""
        return bool(self.unseen[seat] or self.lost[seat])

    def holds(self, seat: int, kind: int, count: int) -> Truth:
        """Whether the seat holds ``count`` or more of the kind."""
        have, unseen, lost = self.hand[seat][kind], self.unseen[seat], self.lost[seat]
        if have >= count:
            if not lost:
                return YES
        elif not unseen:
            return NO
        # What follows is at_least and at_most, written out since they are asked so often.
        elsewhere = unseen - self.later_total[seat]
        free = self.free[kind]
        forced = free - self.places + elsewhere if elsewhere > 0 else 0
        if have + (forced if forced > 0 else 0) - lost >= count:
            return YES
        if unseen:
            more = free + self.later[seat][kind]
            have += more if more < unseen else unseen
            if have > self.size[seat]:
                have = self.size[seat]
        return UNKNOWN if have >= count else NO

    def at_least(self, seat: int, kind: int) -> int:
        """How many of the kind the seat holds for certain: known cards, and unseen ones that have no other place to be."""
        unseen = self.unseen[seat] - self.later_total[seat]
        forced = max(0, self.free[kind] - self.places + unseen) if unseen > 0 else 0
        return max(0, self.hand[seat][kind] + forced - self.lost[seat])

    def least(self, seat: int) -> list[int]:
        """By kind, how many the seat holds for certain (``at_least``)."""
        if self.holds_no_other(seat):
            return self.hand[seat][:]
        return [self.at_least(seat, kind) for kind in range(len(self.free))]

    def holds_no_other(self, seat: int) -> bool:
        """Whether no card is for certain in the hand but those that it is known to hold, and all of these are."""
        unseen = self.unseen[seat] - self.later_total[seat]
        return not self.lost[seat] and (unseen <= 0 or max(self.free) <= self.places - unseen)

    def at_most(self, seat: int, kind: int) -> int:
        """How many of the kind the seat may hold."""
        have, unseen = self.hand[seat][kind], self.unseen[seat]
        if unseen:
            more = self.free[kind] + self.later[seat][kind]
            have += more if more < unseen else unseen
            if have > self.size[seat]:
                return self.size[seat]
        return have

    def may_hold(self, seat: int) -> list[int]:
        """The kinds of which the seat may hold a card."""
        if self.unseen[seat]:
            return [kind for kind in range(len(self.hand[seat])) if self.at_most(seat, kind)]
        return [kind for kind, have in enumerate(self.hand[seat]) if have]

    def leave(self, seat: int, kind: int) -> None:
        """A card leaves the hand: of a kind that nobody knows, or of one that the hand gives up as far as it has it."""
        if kind < 0:
            self.lost[seat] += 1
        elif self.hand[seat][kind] > 0:
            self.hand[seat][kind] -= 1
        if self.size[seat] > 0:
            self.size[seat] -= 1

    def shown_otherwise(self, seat: int, shown: Sequence[int], withheld: int = NOTHING) -> Truth:
        """Whether the kinds shown are not the whole hand, one card of kind ``withheld`` (-1: any) aside.

        What is shown is a fact of the record like any other, so a hand that may be this one is this one.
        """
        if len(shown) != self.size[seat] - (withheld != NOTHING):
            return YES
        unnamed = int(withheld == -1)
        counts = [0] * len(self.hand[seat])
        for kind in shown:
            if kind < 0:
                unnamed += 1
            else:
                counts[kind] += 1
        if withheld >= 0:
            counts[withheld] += 1
        if counts == self.hand[seat] and unnamed == self.unseen[seat] and not self.lost[seat]:
            return NO
        if not (unnamed or self.vague(seat)):
            return YES
        if withheld >= 0:
            counts[withheld] -= 1
        missing = 0
        for kind, (count, least) in enumerate(zip(counts, self.least(seat), strict=True)):
            if count or least:
                aside = kind == withheld
                if count and count > self.at_most(seat, kind) - aside:
                    return YES
                missing += max(0, least - aside - count)
        return YES if missing > unnamed else NO
