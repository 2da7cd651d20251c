"""The working position of a hand of 偎麻雀: what lies where, who is to act, and what each player has let go.

A ``Table`` is changed in place by ``evolve`` while a log is folded; what leaves the engine is a frozen position (``position``). Kinds are
ints (``deck``),
``-1`` a card that nobody knows. Seqs are those of the log as written, ``-1`` for never.
"""

from functools import lru_cache
from typing import Any, Final

import msgspec

from engine.knowledge import NOTHING, Hands
from engine.log import EffectiveLog
from engine.past import Past
from engine.truth import NO, YES, Truth
from engine.weimaque.deck import KINDS
from engine.weimaque.hindsight import Dealt
from engine.weimaque.laid import NOTHING_LAID, Laid
from engine.weimaque.options import WeimaqueRuleset, ruleset
from engine.weimaque.score import Scorer
from engine.weimaque.seating import seating, shouxing_seat
from schemas.events import Call, Pass, Ruling, Transfer
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

CHI: Final = "吃"
PENG: Final = "碰"
WEI: Final = "栽"


LOST_PENG: Final = 0
LOST_CHI: Final = 4
SELF_PLAYED: Final = 8
"""Where the sets of seats (a bit each) stand in ``Table.gone``."""

NO_PENG: Final = tuple(1 << seat + LOST_PENG for seat in range(4))
PLAYED_BY: Final = tuple(1 << seat + SELF_PLAYED for seat in range(4))
NO_CHI: Final = tuple(1 << seat + LOST_CHI | PLAYED_BY[seat] for seat in range(4))
"""By seat, what of ``Table.gone`` bars 碰, what a card that the seat played leaves there, and what bars 吃."""


@lru_cache(maxsize=256)
def passing(seats: int, shouxing: int, chi_passed: str, own_discard_blocks_peng: bool) -> tuple[tuple[int, ...], ...]:
    """What an unclaimed card costs (R-PASS), by how it came (``BY_…``) and by whose it is: what it adds to ``Table.gone`` of its kind; the
    complement of that where who could have taken it loses 吃 besides."""
    seated = seating(seats, shouxing)
    by_owner: list[list[int]] = [[], [], []]
    for owner in range(len(seated.others)):
        lost_chi = {"offered": seated.offered[owner], "seen": seated.everybody, "able": 0}[chi_passed] << LOST_CHI
        discarded = seated.everybody if own_discard_blocks_peng else seated.others[owner]
        by_owner[BY_DISCARD].append(discarded << LOST_PENG | lost_chi)
        by_owner[BY_REVEAL].append(seated.others[owner] << LOST_PENG | lost_chi | 1 << owner + SELF_PLAYED)
    return tuple(tuple(~gone if chi_passed == "able" else gone for gone in rows) for rows in by_owner)


@lru_cache(maxsize=64)
def in_force(rules: bytes) -> tuple[WeimaqueRuleset, Scorer]:
    """The ruleset of a 开局 (its ``rules`` as JSON), and the scorer that has learnt its amounts."""
    made = ruleset(msgspec.json.decode(rules, type=WeimaqueRules))
    return made, Scorer(made)


UNEASY: Final = (False,) * 5
"""``Table.calm`` while something is pending."""


_NONE_LATER: Final = [[0] * KINDS] * 4
"""``Hands.later`` at this game: no card enters a hand, so that all that come to light were there from the start."""


class Meld(msgspec.Struct, gc=False):
    """A meld on the table: ``kind`` 吃, 碰 or 栽; ``cards`` the three kinds; ``card`` the one that was taken; ``seq`` of the event that
    laid it."""

    kind: str
    cards: tuple[int, int, int]
    card: int
    seq: int


class Table(Hands):
    """The position, which begins with what ``dealt`` holds and goes on to change that. ``packed[s]`` are the known cards of seat ``s``
    once more, packed (``packed``). ``next`` and ``previous`` are 下家 and 上家 among the playing seats.

    ``gone`` are, by kind, the seats that lost 碰 of it, lost 吃 of it and have played it themselves, as bits: ``1 << seat`` from
    ``LOST_PENG``, ``LOST_CHI`` and ``SELF_PLAYED`` on. By the hands that nobody knows, those in ``peng_perhaps`` and ``chi_perhaps`` (bits
    by kind too) may have lost 碰 or 吃, and the 蛰 of those in ``zhe_perhaps`` may count; by the cards that nobody named,
    ``gone_perhaps`` may be so. ``banned[s]`` is the packed set of kinds that seat ``s`` took and may not discard, ``banned_perhaps[s]``
    that of those which it perhaps took, for ``unnamed_bars[s]`` cards that nobody named; ``barring[s]`` is how many of its melds were
    looked through for the seq that bars a kind, and what was found (``facts.taking``). ``card_kinds`` are what an unnamed card on the
    table may be, ``named_later`` what is named out of hands behind unnamed cards and ``leaving`` what may leave one now (``unnamed``).
    ``dead[s]`` says whether the seat is a dead hand since ``dead_seq[s]``; those in ``dead_before`` perhaps became one earlier.
    ``trail`` are the cards that went by and cost somebody something, as (seq, kind, what that cost); there are never more of these than
    there is to lose.
    ``none_free`` and ``one_free`` are the sets of the kinds of which no copy, and one at most, never comes to light (``free``).
    ``calls`` are the claims spoken on the card on the table, by seat. ``murky`` says that some card that was played or claimed is not
    known.
    ``calm`` says of every actor that no guarded rule can be broken by it: nobody is over time with a 栽, no claim is spoken, the hand is
    not over, the stock not empty, no fifth copy
    has to be told, and the actor is not 守醒. ``resting`` is what it becomes when nothing of the moment is pending.
    ``fresh_wei`` is the kind of the 栽 that was just made of one's own reveal, ``wei_fits`` whether it surely was of that reveal's kind.
    ``laid[s]`` sums up the first ``laid_melds[s]`` melds of the seat (``win.laid``); ``no_runs[s]`` counts those 吃 among its melds that
    make no run, ``perhaps_runs[s]`` those that perhaps make none.
    ``paid`` holds the seq of every 结算 and what it says was paid.
    ``hidden`` are the seats whose hands are not to be shown. ``log`` is the whole effective log, ``past`` what was told
    in it so far, ``at`` the place in it of the event that is read.
    """

    __slots__ = (
        "at", "banned", "banned_perhaps", "barring", "by", "calls", "calm", "card", "card_kinds", "card_seq", "chi_perhaps", "dead",
        "dead_before", "dead_seq", "dealer", "end_seq", "ended", "examined", "fifth", "fresh_wei", "gone", "gone_perhaps", "hidden", "laid",
        "laid_melds", "leaving", "log", "melds", "murky", "named_later", "names", "next", "no_runs", "none_free", "one_free", "owner",
        "packed", "paid", "passing", "past", "peng_perhaps", "perhaps_runs", "phase", "played", "playing", "previous", "resting", "ruleset",
        "scorer", "seating", "seq", "shouxing", "start", "stock", "stock_left", "trail", "turn", "unnamed_bars", "wei_due", "wei_fits",
        "win", "zhe", "zhe_perhaps",
    )  # fmt: skip

    def __init__(self, start: Start, dealt: Dealt, log: EffectiveLog) -> None:
        seats = len(start.players)
        self.start = start
        self.ruleset, self.scorer = in_force(msgspec.json.encode(start.rules))
        self.names = start.players
        self.dealer = start.dealer
        self.shouxing = shouxing = shouxing_seat(start)
        self.seating = seated = seating(seats, shouxing)
        self.playing = seated.playing
        self.passing = passing(seats, shouxing, self.ruleset.chi_passed, self.ruleset.own_discard_blocks_peng)
        self.next = seated.next
        self.previous = seated.previous
        self.fifth = dealt.fifth
        self.resting: tuple[bool, ...] = UNEASY if dealt.fifth or not dealt.stock_size else seated.calm
        self.calm: tuple[bool, ...] = self.resting
        self.hand = dealt.hands
        self.packed = dealt.packed
        self.unseen = dealt.unseen
        self.lost = [0] * seats
        self.size = dealt.sizes
        self.free = dealt.free
        self.none_free = dealt.none_free
        self.one_free = dealt.one_free
        self.places = dealt.places
        self.later = _NONE_LATER
        self.later_total = _NONE_LATER[0]
        self.melds: list[list[Meld]] = [[] for _ in range(seats)]
        self.laid: list[Laid | None] = [NOTHING_LAID] * seats
        self.laid_melds = [0] * seats
        self.no_runs = [0] * seats
        self.perhaps_runs = [0] * seats
        self.played: list[list[int]] = [[] for _ in range(seats)]
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
        self.wei_fits: Truth = YES
        self.gone = [0] * KINDS
        self.gone_perhaps = [0] * KINDS
        self.peng_perhaps = [0] * KINDS
        self.chi_perhaps = [0] * KINDS
        self.banned = [0] * seats
        self.banned_perhaps = [0] * seats
        self.unnamed_bars = [0] * seats
        self.barring: list[tuple[int, dict[int, int]]] = [(0, {})] * seats
        self.card_kinds: tuple[int, ...] = ()
        self.named_later: dict[int, list[int]] | None = None
        self.leaving: tuple[Any, tuple[int, ...]] = None, ()
        self.trail: list[tuple[int, int, int]] = []
        self.murky = False
        self.dead: list[Truth] = [NO] * seats
        self.dead_before: set[int] = set()
        self.dead_seq = [-1] * seats
        self.zhe = [-1] * seats
        self.zhe_perhaps: set[int] = set()
        self.calls: dict[int, tuple[int, str]] = {}
        self.win: Any = None
        self.examined: Any = None
        self.hidden: frozenset[int] = frozenset()
        self.paid: list[tuple[int, list[Transfer]]] = []
        self.log = log
        self.past = Past(log)
        self.at = 0
        self.ended: Truth = NO
        self.end_seq = -1
        self.seq = 0

    def following(self) -> Any:
        """The next event of the log that counts as an action; None at its end."""
        events = self.log.events
        for at in range(self.at + 1, len(events)):
            if not isinstance(events[at], Pass | Call | Show | Ruling):
                return events[at]
        return None
