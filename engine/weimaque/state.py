"""The working position of a hand of 偎麻雀: what lies where, who is to act, and what each player has let go.

A ``Table`` is changed in place by ``evolve`` while a log is folded; what leaves the engine is a frozen position (``position``). Kinds are
ints (``deck``),
``-1`` a card that nobody knows. Seqs are those of the log as written, ``-1`` for never.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from engine.truth import NO, UNKNOWN, YES, Truth
from engine.weimaque.deck import KINDS
from engine.weimaque.hindsight import Dealt
from engine.weimaque.options import WeimaqueRuleset, ruleset
from engine.weimaque.score import Scorer
from engine.weimaque.seating import neighbours, playing_seats, shouxing_seat
from schemas.events import Call, Pass, Ruling
from schemas.rulesets import WeimaqueRules
from schemas.weimaque import Show, Start

OPENING: Final = 0
DISCARD: Final = 1
RESPOND: Final = 2
TURN: Final = 3
ENDED: Final = 4
PHASES: Final = ("opening", "discard", "respond", "turn", "ended")

BY_DISCARD: Final = 1
BY_REVEAL: Final = 2

NOTHING: Final = -2
"""In place of a kind: there is no card."""

CHI: Final = "吃"
PENG: Final = "碰"
WEI: Final = "栽"


@lru_cache(maxsize=64)
def in_force(rules: bytes) -> tuple[WeimaqueRuleset, Scorer]:
    """The ruleset of a 开局 (its ``rules`` as JSON), and the scorer that has learnt its amounts."""
    made = ruleset(msgspec.json.decode(rules, type=WeimaqueRules))
    return made, Scorer(made)


class Meld:
    """A meld on the table: ``kind`` 吃, 碰 or 栽; ``cards`` the three kinds; ``card`` the one that was taken; ``seq`` of the event that
    laid it."""

    __slots__ = ("card", "cards", "kind", "seq")

    def __init__(self, kind: str, cards: tuple[int, int, int], card: int, seq: int) -> None:
        self.kind = kind
        self.cards = cards
        self.card = card
        self.seq = seq


class Table:
    """The position. ``hand[s]`` counts the cards that seat ``s`` is known to hold, by kind; ``unseen[s]`` more are in it that nobody knows,
    and ``lost[s]`` have left it that nobody knows. ``next`` and ``previous`` are 下家 and 上家 among the playing seats.
    ``passed_peng``, ``passed_chi``, ``self_played`` and ``banned`` hold, by seat and kind, the seq of the event that cost the player 碰,
    吃, 吃 and 出 of it.
    ``calls`` are the claims spoken on the card on the table, by seat. ``murky`` says that some card that was played or claimed is not
    known.
    ``hidden`` are the seats whose hands are not to be shown. ``events`` is the whole effective log, ``at`` the place in it of the event
    that is being read.
    """

    __slots__ = (
        "at",
        "banned",
        "by",
        "calls",
        "card",
        "card_seq",
        "dead",
        "dead_seq",
        "dealer",
        "dealt",
        "end_seq",
        "ended",
        "events",
        "examined",
        "fresh_wei",
        "hand",
        "hidden",
        "lost",
        "melds",
        "murky",
        "names",
        "next",
        "owner",
        "passed_chi",
        "passed_peng",
        "phase",
        "played",
        "playing",
        "previous",
        "ruleset",
        "scorer",
        "self_played",
        "seq",
        "shouxing",
        "shown",
        "size",
        "start",
        "stock",
        "stock_left",
        "turn",
        "unseen",
        "wei_due",
        "win",
        "zhe",
    )  # fmt: skip

    def __init__(self, start: Start, dealt: Dealt) -> None:
        seats = len(start.players)
        self.start = start
        self.ruleset, self.scorer = in_force(msgspec.json.encode(start.rules))
        self.names = start.players
        self.dealer = start.dealer
        self.shouxing = shouxing_seat(start)
        self.playing = playing_seats(start)
        self.next = neighbours(self.playing, seats, 1)
        self.previous = neighbours(self.playing, seats, -1)
        self.dealt = dealt
        self.hand = [list(counts) for counts in dealt.hands]
        self.unseen = list(dealt.unseen)
        self.lost = [0] * seats
        self.size = list(dealt.sizes)
        self.melds: list[list[Meld]] = [[] for _ in range(seats)]
        self.played: list[list[int]] = [[] for _ in range(seats)]
        self.shown: list[bool] = [False] * seats
        self.stock = dealt.stock
        self.stock_left = dealt.stock_size
        self.phase: int = OPENING
        self.turn = start.dealer
        self.card = NOTHING
        self.owner = -1
        self.by = 0
        self.card_seq = -1
        self.wei_due: Truth = NO
        self.fresh_wei = NOTHING
        self.passed_peng = [[-1] * KINDS for _ in range(seats)]
        self.passed_chi = [[-1] * KINDS for _ in range(seats)]
        self.self_played = [[-1] * KINDS for _ in range(seats)]
        self.banned = [[-1] * KINDS for _ in range(seats)]
        self.murky = False
        self.dead: list[Truth] = [NO] * seats
        self.dead_seq = [-1] * seats
        self.zhe = [-1] * seats
        self.calls: dict[int, tuple[int, str]] = {}
        self.win: Any = None
        self.examined: Any = None
        self.hidden: frozenset[int] = frozenset()
        self.events: Sequence[Any] = ()
        self.at = 0
        self.ended: Truth = NO
        self.end_seq = -1
        self.seq = 0

    def holds(self, seat: int, kind: int, count: int) -> Truth:
        """Whether the seat holds ``count`` or more of the kind."""
        have = self.hand[seat][kind]
        if not (self.unseen[seat] or self.lost[seat]):
            return YES if have >= count else NO
        if self.at_least(seat, kind) >= count:
            return YES
        return UNKNOWN if self.at_most(seat, kind) >= count else NO

    def at_least(self, seat: int, kind: int) -> int:
        """How many of the kind the seat holds for certain: known cards, and unseen ones that have no other place to be."""
        unseen = self.unseen[seat]
        forced = max(0, self.dealt.free[kind] - self.dealt.places + unseen) if unseen else 0
        return max(0, self.hand[seat][kind] + forced - self.lost[seat])

    def at_most(self, seat: int, kind: int) -> int:
        """How many of the kind the seat may hold."""
        return min(self.hand[seat][kind] + min(self.unseen[seat], self.dealt.free[kind]), self.size[seat])

    def following(self) -> Any:
        """The next event of the log that counts as an action; None at its end."""
        for event in self.events[self.at + 1 :]:
            if not isinstance(event, Pass | Call | Show | Ruling):
                return event
        return None

    def vague(self, seat: int) -> bool:
        """Whether anything about the seat's hand is not known."""
        return bool(self.unseen[seat] or self.lost[seat])
