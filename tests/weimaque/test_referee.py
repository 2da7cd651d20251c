"""A slow referee beside the engine: it reads the rules page anew at every event, from the whole log before it, hands known in full."""

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.judge import check
from engine.weimaque.deck import TOKENS
from engine.weimaque.verify import verify
from schemas import events as shared
from schemas import weimaque as w
from schemas.record import WeimaqueRecord
from schemas.verdict import WeimaqueOutcome
from schemas.verify import WeimaqueVerdict, WeimaqueVerify
from tools.random_hand import random_hand

OPTIONS: list[dict[str, Any]] = [
    {},
    {"chi_passed": "able"},
    {"chi_passed": "seen", "discard_ban": "whole_meld"},
    {"may_chi_if_can_peng": True, "own_discard_blocks_peng": True},
    {"last_card_claims": True, "min_hard_xi": 4},
    {"forbid_dead_claim": True, "chi_passed": "able"},
]
PLAYED = (w.Discard, w.Reveal, w.Chi, w.Peng, w.Wei, w.Zhe, w.Hu, w.DeadHand)
FOLDED = (*PLAYED, shared.Exhausted)


class Gone(NamedTuple):
    """A card that was on the table and went by, or was 吃'd: by whom it was played and how, who lost what."""

    card: str
    owner: int
    how: str
    eaten_by: int | None
    spared: frozenset[int]
    able: frozenset[int]


class UnclearError(Exception):
    """A meld was made of a card that was not there, so that the hand has a fifth copy: as a claim it says no more than that."""


class Referee:
    """The table behind the first events of a record."""

    def __init__(self, events: list[Any]) -> None:
        start, deal = events[:2]
        self.rules: dict[str, Any] = {**DEFAULTS, **msgspec.to_builtins(start.rules)}
        self.seats = len(start.players)
        self.dealer = start.dealer
        self.resting = (start.dealer + 2) % 4 if self.seats == 4 else -1
        self.playing = [seat for seat in range(self.seats) if seat != self.resting]
        self.hands: list[Counter[str]] = [Counter(hand or ()) for hand in deal.hands]
        self.left = len(deal.stock)
        self.melds: list[list[dict[str, Any]]] = [[] for _ in range(self.seats)]
        self.table: tuple[str, int, str] | None = None
        self.moment = "opening"
        self.turn = self.dealer
        self.gone: list[Gone] = []
        self.own: list[set[str]] = [set() for _ in range(self.seats)]
        self.banned: list[set[str]] = [set() for _ in range(self.seats)]
        self.dead: set[int] = set()
        self.died_now = -1
        self.wei: str | None = None
        self.zhe: set[int] = set()
        self.calls: dict[int, str] = {}
        self.over = False
        if not self.discards(self.dealer):
            self.dead.add(self.dealer)
        for event in events[2:]:
            self.fold(event)

    def lower(self, seat: int) -> int:
        at = (seat + 1) % self.seats
        return at if at != self.resting else (at + 1) % self.seats

    def upper(self, seat: int) -> int:
        at = (seat - 1) % self.seats
        return at if at != self.resting else (at - 1) % self.seats

    def discards(self, seat: int) -> list[str]:
        return [card for card, count in self.hands[seat].items() if 0 < count < 3 and card not in self.banned[seat]]

    # What has happened

    def fold(self, event: Any) -> None:
        if isinstance(event, shared.Call) and self.moment in ("opening", "respond"):
            self.calls[event.actor] = event.act
        if isinstance(event, shared.Pass):
            self.calls.pop(event.actor, None)
        if not isinstance(event, FOLDED) or self.over:
            return
        if isinstance(event, w.Hu):
            self.over = self.wins(event) == set() and not self.skips_wei(event)
            self.due_over |= event.actor != self.resting
            return
        if isinstance(event, w.Zhe):
            if self.could_win(event.actor):
                self.zhe.add(event.actor)
            self.due_over |= event.actor != self.resting
            return
        if isinstance(event, w.DeadHand) and not (self.moment in ("opening", "discard") and event.actor == self.turn):
            self.due_over |= event.actor != self.resting
            return
        self.due_over = False
        if isinstance(event, w.Discard | w.Reveal):
            self.goes_by(None)
            self.put(event)
        elif isinstance(event, w.Chi | w.Peng | w.Wei):
            self.take(event)
        elif isinstance(event, w.DeadHand):
            self.moment, self.turn = "turn", self.lower(event.actor)
            self.calls = {}
        else:
            self.over = True

    due_over = False
    """The 栽 that was due has been passed over already."""

    def put(self, event: Any) -> None:
        how = "出" if isinstance(event, w.Discard) else "揭"
        if how == "出":
            self.hands[event.actor][event.pai] -= 1
            self.own[event.actor].add(event.pai)
        else:
            self.left -= 1
        self.table = (event.pai, event.actor, how)
        self.moment, self.turn, self.wei, self.calls = "respond", self.lower(event.actor), None, {}

    def take(self, event: Any) -> None:
        actor: int = event.actor
        card: str = event.pai
        own = self.table == (card, actor, "揭")
        if isinstance(event, w.Chi) and self.table is not None and self.table[0] == card:
            self.goes_by(actor)
        elif self.table is None or self.table[0] != card:
            self.goes_by(None)
        self.table = None
        used = list(event.consumed) if isinstance(event, w.Chi) else [card, card]
        self.hands[actor].subtract(used)
        kind = {w.Chi: "吃", w.Peng: "碰", w.Wei: "栽"}[type(event)]
        self.melds[actor].append({"kind": kind, "pai": [card, *used]})
        if kind != "栽":
            self.banned[actor] |= {card, *used} if self.rules["discard_ban"] == "whole_meld" else {card}
        self.moment, self.turn, self.calls = "discard", actor, {}
        self.wei = card if kind == "栽" and own else None
        self.died_now = -1
        if actor not in self.dead and not self.discards(actor):
            self.dead.add(actor)
            self.died_now = actor

    def goes_by(self, eaten_by: int | None) -> None:
        if self.table is None:
            return
        card, owner, how = self.table
        able = frozenset(seat for seat in self.playing if self.could_chi(seat))
        spared = frozenset(seat for seat, act in self.calls.items() if eaten_by is not None and seat != eaten_by and self.could(seat, act))
        self.gone.append(Gone(card, owner, how, eaten_by, spared, able))
        if how == "揭" and eaten_by != owner:
            self.own[owner].add(card)
        self.table = None

    # What may be

    def peng_gone(self, seat: int, card: str) -> bool:
        return any(
            gone.card == card
            and seat not in gone.spared
            and (gone.owner != seat or (gone.how == "出" and self.rules["own_discard_blocks_peng"]))
            for gone in self.gone
        )

    def chi_gone(self, seat: int, card: str) -> bool:
        mode = self.rules["chi_passed"]
        for gone in self.gone:
            if gone.card != card or seat in gone.spared:
                continue
            if gone.eaten_by is not None:
                lost = {gone.owner} if gone.how == "揭" and gone.eaten_by != gone.owner else set[int]()
            else:
                lost = set(self.playing) if mode == "seen" else {gone.owner, self.lower(gone.owner)}
            if seat in lost and (mode != "able" or seat in gone.able):
                return True
        return False

    def leaves_discard(self, seat: int, card: str, used: tuple[str, str]) -> bool:
        if not self.rules["forbid_dead_claim"]:
            return True
        hand = self.hands[seat].copy()
        hand.subtract(used)
        banned = self.banned[seat] | ({card, *used} if self.rules["discard_ban"] == "whole_meld" else {card})
        return any(0 < count < 3 and kind not in banned for kind, count in hand.items())

    def closed(self) -> bool:
        return self.left == 0 and not self.rules["last_card_claims"]

    def could_chi(self, seat: int) -> bool:
        if self.table is None or self.moment != "respond" or seat in self.dead or self.closed():
            return False
        card, owner, how = self.table
        if owner != self.upper(seat) and (owner != seat or how != "揭"):
            return False
        if card in self.own[seat] or self.chi_gone(seat, card) or (self.hands[seat][card] >= 2 and not self.rules["may_chi_if_can_peng"]):
            return False
        return any(
            self.hands[seat][a] > 0 and self.hands[seat][b] > 0 and self.leaves_discard(seat, card, (a, b)) for a, b in runs_with(card)
        )

    def could_peng(self, seat: int) -> bool:
        if self.table is None or self.moment != "respond" or seat in self.dead or self.closed():
            return False
        card, owner, _ = self.table
        return (
            seat != owner
            and self.hands[seat][card] >= 2
            and not self.peng_gone(seat, card)
            and self.leaves_discard(seat, card, (card, card))
        )

    def could_win(self, seat: int) -> bool:
        win = w.Hu(actor=seat)
        return not self.due() and not self.skips_wei(win) and self.wins(win) == set()

    def skips_wei(self, win: w.Hu) -> bool:
        """Whether the win is on one's own reveal that goes through 栽 first, told before or not (R-WEI-FIRST)."""
        if not isinstance(win.kind, str) and self.table is not None and self.table[1:] == (win.actor, "揭"):
            return win.actor not in self.dead and self.hands[win.actor][self.table[0]] >= 2
        return False

    def could(self, seat: int, act: str) -> bool:
        if seat == self.resting:
            return False
        if self.moment == "opening":
            openings: tuple[Any, ...] = ("天胡", "九小对", "无对胡")
            return act == "胡" and any(self.wins(w.Hu(actor=seat, kind=kind)) == set() for kind in openings)
        asked = {"胡": self.could_win, "碰": self.could_peng, "吃": self.could_chi}.get(act)
        return asked is not None and asked(seat)

    def due(self) -> bool:
        """Whether the reveal on the table must be 栽'd."""
        if self.table is None or self.due_over or self.moment != "respond":
            return False
        card, owner, how = self.table
        return how == "揭" and owner not in self.dead and owner != self.resting and self.hands[owner][card] >= 2

    def wins(self, event: w.Hu) -> set[str]:
        """The wmq-hu-… rules that the win breaks."""
        seat = event.actor
        if isinstance(event.kind, str):
            timely = self.moment == "opening" and (event.kind != "天胡" or seat == self.dealer)
            return set() if timely and self.verified(seat, None, event.kind) == set() else {"wmq-hu-opening"}
        win = self.winning_card(seat)
        if win is None:
            return {"wmq-hu-revealed"} | ({"wmq-hu-dead"} if seat in self.dead else set())
        dead = seat in self.dead and not (win["wei"] and self.died_now == seat)
        return self.verified(seat, win, None) - {"wmq-wei-missed"} | ({"wmq-hu-dead"} if dead else set())

    def winning_card(self, seat: int) -> dict[str, Any] | None:
        if self.moment == "respond" and self.table is not None and self.table[2] == "揭":
            card, owner, _ = self.table
            return {"pai": card, "own_reveal": owner == seat, "last": self.left == 0, "wei": False}
        if self.moment == "discard" and self.turn == seat and self.wei is not None:
            return {"pai": self.wei, "own_reveal": True, "last": self.left == 0, "wei": True}
        return None

    def paid(self, event: w.Hu) -> tuple[int, int]:
        """The hard 息 and the total of a win that stands."""
        opening = event.kind if isinstance(event.kind, str) else None
        answer = self.claim(event.actor, None if opening else self.winning_card(event.actor), opening)
        return answer.hard_xi, answer.total_xi

    def claim(self, seat: int, win: Any, opening: str | None) -> WeimaqueVerdict:
        claim = {
            "rules": msgspec.to_builtins(self.rules),
            "hand": list(self.hands[seat].elements()),
            "melds": self.melds[seat],
            "win": win,
            "zhe": seat in self.zhe,
            "opening": opening,
        }
        return verify(msgspec.convert({**claim, "game": "weimaque"}, WeimaqueVerify), "zh")

    def verified(self, seat: int, win: Any, opening: str | None) -> set[str]:
        answer = self.claim(seat, win, opening)
        reasons = {reason.rule for reason in answer.reasons}
        if "wmq-copies" in reasons:
            raise UnclearError
        return {"wmq-hu-shape"} if "wmq-chi-run" in reasons else reasons

    # The rules

    def broken(self, event: Any) -> set[str]:
        """The rules that the event breaks; notices and what stands behind the fold aside."""
        actor = getattr(event, "actor", None)
        if self.over and isinstance(event, PLAYED):
            return {"wmq-after-end"}
        if isinstance(event, (*PLAYED, w.Show, shared.Pass, shared.Call)) and actor == self.resting:
            return {"wmq-shouxing-acts"}
        if self.over:
            return {"wmq-draw"} if isinstance(event, shared.Exhausted) else set()
        if isinstance(event, w.Reveal) and self.left == 0:
            return {"wmq-stock-empty"}
        if not isinstance(event, FOLDED):
            return set()
        found: set[str] = set()
        if (
            self.due()
            and self.table is not None
            and not (isinstance(event, w.Wei) and (event.actor, event.pai) == (self.table[1], self.table[0]))
        ):
            found.add("wmq-wei-missed")
        found |= getattr(self, f"_{type(event).__name__.lower()}")(event)
        if not found and not self.timely(event):
            found.add("wmq-turn")
        return found

    def timely(self, event: Any) -> bool:
        if isinstance(event, w.Discard):
            was_dead = event.actor in self.dead and self.died_now != event.actor and self.moment != "opening"
            return self.moment in ("opening", "discard") and event.actor == self.turn and not was_dead
        if isinstance(event, w.Reveal):
            if self.moment in ("respond", "turn"):
                return event.actor == self.turn
            return self.turn in self.dead and event.actor == self.lower(self.turn)
        if isinstance(event, w.DeadHand):
            return self.moment in ("opening", "discard") and event.actor == self.turn and not self.discards(event.actor)
        if isinstance(event, w.Wei):
            return event.actor not in self.dead
        if isinstance(event, w.Chi | w.Peng):
            one, other = event.consumed if isinstance(event, w.Chi) else (event.pai, event.pai)
            return event.actor not in self.dead and not self.closed() and self.leaves_discard(event.actor, event.pai, (one, other))
        return True

    def _discard(self, event: w.Discard) -> set[str]:
        found = {"wmq-discard-kan"} if self.hands[event.actor][event.pai] >= 3 else set[str]()
        return found | ({"wmq-discard-claimed"} if event.pai in self.banned[event.actor] else set())

    def _reveal(self, event: w.Reveal) -> set[str]:
        return set()

    def _deadhand(self, event: w.DeadHand) -> set[str]:
        return set()

    def _wei(self, event: w.Wei) -> set[str]:
        return set() if self.moment == "respond" and self.table == (event.pai, event.actor, "揭") else {"wmq-wei-own"}

    def lies(self, card: str) -> bool:
        return self.moment == "respond" and self.table is not None and self.table[0] == card

    def _peng(self, event: w.Peng) -> set[str]:
        found = set[str]()
        if not self.lies(event.pai) or (self.table is not None and self.table[1] == event.actor):
            found.add("wmq-peng-target")
        if self.peng_gone(event.actor, event.pai):
            found.add("wmq-peng-passed")
        return found | self.outbid(event.actor, "碰", event.pai)

    def _chi(self, event: w.Chi) -> set[str]:
        found = set[str]()
        actor, card = event.actor, event.pai
        offered = self.table is not None and (self.table[1] == self.upper(actor) or (self.table[1] == actor and self.table[2] == "揭"))
        if not self.lies(card) or not offered:
            found.add("wmq-chi-target")
        if (event.consumed[0], event.consumed[1]) not in runs_with(card) and (event.consumed[1], event.consumed[0]) not in runs_with(card):
            found.add("wmq-chi-run")
        if card in self.own[actor]:
            found.add("wmq-chi-discarded")
        if self.chi_gone(actor, card):
            found.add("wmq-chi-passed")
        if self.hands[actor][card] >= 2 and not self.rules["may_chi_if_can_peng"]:
            found.add("wmq-chi-could-peng")
        return found | self.outbid(actor, "吃", card)

    def _hu(self, event: w.Hu) -> set[str]:
        return self.wins(event) | self.outbid(event.actor, "胡")

    def _zhe(self, event: w.Zhe) -> set[str]:
        played = self.rules["zhe"] and self.rules["preset"] == "dazhuo"
        return set() if played and self.could_win(event.actor) else {"wmq-zhe"}

    def _exhausted(self, event: shared.Exhausted) -> set[str]:
        owing = self.due() or (self.moment in ("opening", "discard") and self.turn not in self.dead)
        return {"wmq-draw"} if self.left or owing else set()

    def outbid(self, actor: int, act: str, card: str | None = None) -> set[str]:
        if card is not None and self.moment == "respond" and not self.lies(card):
            return set()
        ranks = {"吃": 1, "碰": 2, "胡": 3}
        first = self.dealer if self.moment == "opening" or self.table is None else self.table[1]
        order = [first, self.lower(first), self.upper(first)]
        for seat, said in self.calls.items():
            higher = ranks.get(said, 0) > ranks[act] or (
                said == act == "胡" and order.index(seat) < order.index(actor) if seat in order else False
            )
            if seat != actor and higher and self.could(seat, said):
                return {"wmq-claim-priority"}
        return set()


DEFAULTS: dict[str, Any] = {
    "chi_passed": "offered", "discard_ban": "claimed", "may_chi_if_can_peng": False, "own_discard_blocks_peng": False,
    "last_card_claims": False, "forbid_dead_claim": False, "zhe": True,
}  # fmt: skip


def runs_with(card: str) -> list[tuple[str, str]]:
    """The two cards that make a run with ``card``, lower first."""
    suit = TOKENS[:10] if card in TOKENS[:10] else TOKENS[10:]
    runs = [(a, b, c) for (a, b), (_, c) in pairwise(pairwise(suit))]
    return [(two[0], two[1]) for run in runs if card in run for two in [[other for other in run if other != card]]]


@pytest.mark.parametrize("seed", range(60))
def test_the_engine_finds_what_the_referee_finds(seed: int) -> None:
    record = random_hand(
        "weimaque", Random(seed), faults=(0.0, 0.08, 0.3)[seed % 3], claims=0.8, talk=0.25, stacked=seed % 2 == 0, **OPTIONS[seed % 6]
    )
    assert isinstance(record, WeimaqueRecord)
    verdict = check(record, possible=True)
    assert verdict.possible == 0
    found: dict[int, set[str]] = {}
    for finding in verdict.findings:
        if finding.kind != "notice":
            found.setdefault(finding.seq, set()).add(finding.rule)
    for seq in range(2, len(record.events)):
        try:
            told = Referee(list(record.events[:seq])).broken(record.events[seq])
        except UnclearError:
            return
        assert found.get(seq, set()) == told, (seq, record.events[seq])
    outcome = verdict.outcome
    if isinstance(outcome, WeimaqueOutcome) and outcome.end == "胡" and outcome.valid:
        seq, win = next((seq, event) for seq, event in enumerate(record.events) if isinstance(event, w.Hu) and seq not in found)
        assert (outcome.hard_xi, outcome.total_xi) == Referee(list(record.events[:seq])).paid(win)
