"""The working position of a hand of 常德麻将: what lies where, who is to act, which 补章 is due and which kong may be robbed.

A ``Table`` is changed in place by ``evolve`` while a log is folded; what leaves the engine is a frozen position (``position``). Kinds are
ints (``deck``), ``-1`` a tile that nobody knows. Seqs are those of the log as written, ``-1`` for never.
"""

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from engine.changde.deck import INDEX, KINDS
from engine.changde.hindsight import SEATS, Dealt
from engine.changde.options import ChangdeRuleset, ruleset
from engine.changde.wall import Wall
from engine.knowledge import NOTHING, Hands
from engine.log import EffectiveLog
from engine.past import Past
from engine.truth import NO, Truth
from schemas.changde import Start
from schemas.events import Transfer
from schemas.frame import Wait
from schemas.rulesets import ChangdeRules

OPENING: Final = 0
DISCARD: Final = 1
RESPOND: Final = 2
TURN: Final = 3
REPLACEMENT: Final = 4
ROB: Final = 5
ENDED: Final = 6
PHASES: Final = ("opening", "discard", "respond", "turn", "replacement", "rob", "ended")

MeldWord = Literal["吃", "碰", "暗杠", "明杠", "碰杠"]
CHI: Final = "吃"
PENG: Final = "碰"
CONCEALED_KONG: Final = "暗杠"
OPEN_KONG: Final = "明杠"
ADDED_KONG: Final = "碰杠"

NEXT: Final = (1, 2, 3, 0)
"""下家 of each seat."""

DUE: Final = 0
GOOD: Final = 1
VOID: Final = 2

_CALM: Final = (True,) * 5
UNEASY: Final = (False,) * 5
"""``Table.calm`` while something is pending."""


@lru_cache(maxsize=64)
def in_force(rules: ChangdeRules) -> ChangdeRuleset:
    """The ruleset of a 开局."""
    return ruleset(rules)


class Meld(msgspec.Struct, gc=False):
    """A meld on the table: ``kind`` 碰, 暗杠, 明杠, 碰杠 (or 吃); ``tiles`` its kinds; ``seq`` of the event that made it what it is.

    ``source`` is the seat whose discard went into it, -1 if none did. A kong's ``bu`` says whether its 补章 is due, was made (``GOOD``),
    or never will be (``VOID``); ``in_doubt`` says of a 明杠 that its tile and the discard may differ, since one of the two is not known.
    """

    actor: int
    kind: MeldWord
    tiles: tuple[int, ...]
    source: int
    seq: int
    bu: int = DUE
    in_doubt: bool = False

    @property
    def tile(self) -> int:
        """The kind of its tiles; of a 吃, of one of them."""
        return self.tiles[0]

    @property
    def is_kong(self) -> bool:
        """Whether this is a kong."""
        return self.kind in (CONCEALED_KONG, OPEN_KONG, ADDED_KONG)


class Table(Hands):
    """The position, which begins with what ``dealt`` holds and goes on to change that. ``packed[s]`` are the known tiles of seat ``s``
    once more, each hand as one int (``packed.whole``).

    ``card`` is the discard on the table, of ``owner``. ``drawn`` is the tile that the player whose turn it is drew last, ``NOTHING`` if
    he drew none; ``last_drawer`` who last took from the wall. ``owed`` is the kong whose 补章 is still due, ``late`` whether its player
    has acted since. ``robbable`` is the 碰杠 that may be robbed now. ``kongs`` are all of them in order, ``short`` by seat the void ones
    that left a hand short. ``joinable`` is by seat how many melds ``pengs`` has looked at, and what it found. ``blank`` counts by seat
    the unknown discards, and ``zhong_played`` holds the seq of the first 红中 discarded. ``seen`` counts the copies of each
    kind that are known to lie outside the wall. ``calls`` are the claims spoken on the card on the table or on the kong, by seat.
    ``wins`` are the 胡 that are not refuted, ``false_win`` the refuted one that stands last. ``flip`` are the kinds that the wall would
    have flipped behind the win, ``ma`` those that were, ``flipped`` counts those since the last 胡, whether it stands or not, ``ma_ahead``
    places and kinds of those that the log goes on to flip once somebody has declared a win. ``settled``, ``win_points``, ``seat_waits``
    and ``wait_kinds`` keep what was worked out before, ``kong_changes`` counts what happened to kongs. ``doubtful`` says that a 流局 was
    declared behind a win that perhaps was one. ``calm`` says that nothing is pending that an action would bring to an end or a guarded
    rule looks at: no 补章 due, no open window, no claim spoken, no 胡, no end, no empty wall, and no fifth copy to be told; ``resting``
    is what it becomes then.
    ``exact`` says that no hand has had a fifth copy, so that ``packed`` can be read. ``paid`` holds the seq of every 结算 and what it
    says was paid. ``hidden`` are the seats whose hands are not to be shown, ``shown`` those that were laid open (亮). ``log`` is the
    whole effective log, ``past`` what was told in it so far, ``at`` the place in it of the event that is read.
    """

    __slots__ = (
        "at", "behind", "blank", "calls", "calm", "card", "card_seq", "dealer", "doubtful", "drawn", "end_seq", "ended", "exact",
        "examined", "false_win", "fifth", "flip", "flipped", "hidden", "joinable", "kong_changes", "kongs", "last_drawer", "late", "log",
        "ma", "ma_ahead", "ma_seq", "melds", "names", "owed", "owner", "packed", "paid", "past", "phase", "played", "resting",
        "robbable", "ruleset", "seat_waits", "seen", "seq", "settled", "short", "shown", "start", "turn", "unsure", "wait_kinds",
        "wall", "win_points", "wins", "zhong_played",
    )  # fmt: skip

    def __init__(self, start: Start, rules: ChangdeRuleset, dealt: Dealt, log: EffectiveLog) -> None:
        self.start = start
        self.ruleset = rules
        self.names = start.players
        self.dealer = start.dealer
        self.hand = dealt.hands
        self.unseen = dealt.unseen
        self.lost = [0] * SEATS
        self.size = dealt.sizes
        self.free = dealt.free
        self.places = dealt.places
        self.later = dealt.later
        self.later_total = [sum(counts) for counts in dealt.later] if dealt.behind else [0] * SEATS
        self.behind = dealt.behind
        self.fifth = dealt.fifth
        self.resting = UNEASY if dealt.fifth or not dealt.wall else _CALM
        self.calm = self.resting
        self.exact = not dealt.fifth
        self.packed = dealt.packed
        self.seen = dealt.seen
        self.melds: list[list[Meld]] = [[] for _ in range(SEATS)]
        self.played: list[list[int]] = [[] for _ in range(SEATS)]
        self.wall = Wall(dealt.wall, linear=rules.tail_order == "linear")
        self.phase: int = OPENING
        self.turn = start.dealer
        self.card = NOTHING
        self.owner = -1
        self.card_seq = -1
        self.drawn = NOTHING
        self.last_drawer = -1
        self.owed: Meld | None = None
        self.late = False
        self.robbable: Meld | None = None
        self.short: list[list[Meld]] = [[] for _ in range(SEATS)]
        self.kongs: list[Meld] = []
        self.joinable: list[tuple[int, dict[int, deque[Meld]]]] = [(0, {})] * SEATS
        self.ma_ahead: tuple[list[int], list[int]] | None = None
        self.blank = [0] * SEATS
        self.zhong_played = [-1] * SEATS
        self.calls: dict[int, tuple[int, str]] = {}
        self.wins: list[Any] = []
        self.false_win: Any = None
        self.flip: tuple[int, ...] = ()
        self.ma: list[int] = []
        self.flipped = [0] * KINDS
        self.ma_seq = -1
        self.examined: Any = None
        self.settled: Any = None
        self.kong_changes = 0
        self.seat_waits: list[tuple[Any, list[Wait]]] = [(None, [])] * SEATS
        self.win_points: tuple[int, list[int]] = (0, [])
        self.wait_kinds: list[tuple[int, list[int]]] = [(-1, [])] * SEATS
        self.doubtful = False
        self.unsure: set[int] = set()
        self.hidden: frozenset[int] = frozenset()
        self.shown: frozenset[int] = frozenset()
        self.paid: list[tuple[int, list[Transfer]]] = []
        self.log = log
        self.past = Past(log)
        self.at = 0
        self.ended: Truth = NO
        self.end_seq = -1
        self.seq = 0

    def to_flip(self) -> tuple[int, ...]:
        """The kinds that 码 are flipped from, in order: the wall behind the first win, or now if nobody has won; none if no 码 are
        agreed.
        """
        if self.wins:
            return self.flip
        return self.wall.kinds_coming() if self.ruleset.ma_count != 0 else ()

    def misplaced(self, flipped: Sequence[str]) -> list[tuple[int, int]]:
        """Of the tokens that are flipped next, the kind and the one that is known to lie there, wherever these differ."""
        lying = self.flip[len(self.ma) :]
        kinds = tuple(map(INDEX.__getitem__, flipped))
        if kinds == lying[: len(kinds)]:
            return []
        return [(kind, lies) for kind, lies in zip(kinds, lying, strict=False) if kind >= 0 <= lies != kind]

    def pengs(self, seat: int) -> dict[int, deque[Meld]]:
        """The 碰 of the seat that no kong was made of, by kind (-1 unknown) and in order; no kind without any."""
        read, found = self.joinable[seat]
        melds = self.melds[seat]
        if not read:
            found = {}
        for at in range(read, len(melds)):
            if melds[at].kind == PENG:
                found.setdefault(melds[at].tile, deque()).append(melds[at])
        self.joinable[seat] = len(melds), found
        return found
