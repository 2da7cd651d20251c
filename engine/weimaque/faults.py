"""What is wrong with a win claimed without a log: every rule of rules §3 that the claim by itself shows to be broken."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine.weimaque.deck import COPIES, INDEX, UNKNOWN, token
from engine.weimaque.opening import OpeningKind, opening_sizes, pairs, played, repeated
from engine.weimaque.packed import RANKS, pack_kinds, size, unpack
from engine.weimaque.score import WINNING_CARDS, Scorer
from schemas.verify import WeimaqueMeld, WeimaqueVerify

MESSAGES: dict[str, tuple[str, str]] = {
    "copies": ("{pai} 有 {count} 张，一副牌只有四张", "there are {count} cards {pai}; the pack has four"),
    "chi-run": ("吃 {cards} 不是同一种字相连的三张", "the 吃 {cards} is not three consecutive cards of one suit"),
    "peng-alike": ("碰 {cards} 不是三张相同的字", "the 碰 {cards} is not three cards alike"),
    "wei-alike": ("栽 {cards} 不是三张相同的字", "the 栽 {cards} is not three cards alike"),
    "wei-missed": (
        "自己揭的 {pai} 手里有 {held} 张，要先栽",
        "the winner revealed {pai} himself and holds {held} of it: 栽 comes first",
    ),
    "wei-own": ("{pai} 不是自己揭的，不能栽", "{pai} was not revealed by the winner, so it cannot have been 栽'd"),
    "wei-absent": ("说 {pai} 是栽的，桌上却没有栽 {pai}", "{pai} is said to have been 栽'd, but there is no such 栽 among the melds"),
    "not-revealed": ("没有写明胡的是哪张揭出来的牌", "it is not said which revealed card was won on"),
    "unknown": ("有不知道的牌，不能算胡", "some cards are not known, so it cannot be said to be a win"),
    "size": ("共 {count} 张，胡牌应是 20 张", "there are {count} cards; a winning hand has 20"),
    "shape": ("二十张凑不成六句话加一对麻雀", "the twenty cards make no six melds and a pair"),
    "xi": (
        "硬息 {hard_xi}，需 {min_hard_xi}；最好的分法：{division}",
        "{hard_xi} hard 息, and {min_hard_xi} are needed; the best division: {division}",
    ),
    "opening-started": (
        "{opening}是起手胡，不能有桌上的话，也没有胡的那张牌",
        "{opening} is won as dealt, with no melds and no winning card",
    ),
    "opening-edition": ("小卓没有{opening}", "小卓 has no {opening}"),
    "opening-not-played": ("本桌不算{opening}", "{opening} is not played at this table"),
    "opening-size": (
        "{opening}要起手的 {expected} 张牌，这里有 {count} 张",
        "{opening} needs the {expected} cards dealt; there are {count}",
    ),
    "opening-shape": ("天胡的二十张凑不成六句话加一对麻雀", "the twenty cards of the 天胡 make no six melds and a pair"),
    "opening-xi": (
        "天胡硬息 {hard_xi}，需 {min_hard_xi}；最好的分法：{division}",
        "the 天胡 has {hard_xi} hard 息, and {min_hard_xi} are needed; the best division: {division}",
    ),
    "opening-pairs": ("九小对要九对，这里只有 {pairs} 对", "九小对 needs nine pairs; there are {pairs}"),
    "opening-repeated": ("不是无对胡：{cards} 成对", "no 无对胡: the pairs {cards} stand against it"),
}
"""What is said about each fault, Chinese and English, over its parameters."""


class Fault(NamedTuple):
    """One rule broken; ``what`` is a key of ``MESSAGES``."""

    rule: str
    what: str
    params: dict[str, Any]

    def message(self, lang: str) -> str:
        """The message in ``zh`` or ``en``."""
        zh, en = MESSAGES[self.what]
        return (en if lang == "en" else zh).format_map(self.params)


def kinds_of_tokens(cards: Sequence[str]) -> list[int]:
    """The kinds of some cards, ``UNKNOWN`` among them."""
    return [INDEX[card] for card in cards]


def claimed_cards(claim: WeimaqueVerify) -> list[int]:
    """The kinds of all cards of a claim, the winning card once: it lies in the melds if it was 栽'd."""
    cards = [*kinds_of_tokens(claim.hand), *(kind for meld in claim.melds for kind in kinds_of_tokens(meld.pai))]
    if claim.win is not None and not claim.win.wei:
        cards.append(INDEX[claim.win.pai])
    return cards


def faults(claim: WeimaqueVerify) -> list[Fault]:
    """What the claim breaks however its cards divide, in the order of the rules page."""
    cards = claimed_cards(claim)
    found = [*_too_many_copies(cards), *_winning_card(claim)]
    for meld in claim.melds:
        found += _malformed(meld)
    if UNKNOWN in cards or (claim.win is not None and INDEX[claim.win.pai] == UNKNOWN):
        found.append(Fault("wmq-hu-shape", "unknown", {}))
    if claim.opening is None and len(cards) != WINNING_CARDS and claim.win is not None:
        found.append(Fault("wmq-hu-shape", "size", {"count": len(cards)}))
    if claim.opening is not None and (claim.win is not None or claim.melds):
        found.append(Fault("wmq-hu-opening", "opening-started", {"opening": claim.opening}))
    return found


def _too_many_copies(cards: list[int]) -> Iterator[Fault]:
    for kind, count in sorted(Counter(cards).items()):
        if kind != UNKNOWN and count > COPIES:
            yield Fault("wmq-copies", "copies", {"pai": token(kind), "count": count})


def _winning_card(claim: WeimaqueVerify) -> Iterator[Fault]:
    win = claim.win
    if win is None:
        if claim.opening is None:
            yield Fault("wmq-hu-revealed", "not-revealed", {})
        return
    held = claim.hand.count(win.pai)
    if win.pai != "?" and win.own_reveal and not win.wei and held >= 2:
        yield Fault("wmq-wei-missed", "wei-missed", {"pai": win.pai, "held": held})
    if win.wei and not win.own_reveal:
        yield Fault("wmq-wei-own", "wei-own", {"pai": win.pai})
    if win.wei and not any(meld.kind == "栽" and win.pai in meld.pai for meld in claim.melds):
        yield Fault("wmq-wei-held", "wei-absent", {"pai": win.pai})


def _malformed(meld: WeimaqueMeld) -> Iterator[Fault]:
    """A meld that is none, as far as its cards are known."""
    known = sorted(kind for kind in kinds_of_tokens(meld.pai) if kind != UNKNOWN)
    params = {"cards": "".join(meld.pai)}
    sized = len(meld.pai) == 3
    if meld.kind == "吃":
        in_a_run = (
            len(set(known)) == len(known) and len({kind // RANKS for kind in known}) <= 1 and (not known or known[-1] - known[0] <= 2)
        )
        if not sized or not in_a_run:
            yield Fault("wmq-chi-run", "chi-run", params)
    elif not sized or len(set(known)) > 1:
        yield Fault("wmq-peng-held", "peng-alike", params) if meld.kind == "碰" else Fault("wmq-wei-held", "wei-alike", params)


def shortfall(hard_xi: int | None, division: str, scorer: Scorer) -> Fault:
    """Why cards are no win: they have no shape (``hard_xi`` is ``None``), or too few hard 息 in their best ``division``."""
    if hard_xi is None:
        return Fault("wmq-hu-shape", "shape", {})
    return Fault("wmq-hu-xi", "xi", {"hard_xi": hard_xi, "min_hard_xi": scorer.ruleset.min_hard_xi, "division": division})


def opening_shortfall(opening: OpeningKind, cards: list[int], hard_xi: int | None, division: str, scorer: Scorer) -> Fault:
    """Why the cards dealt are no such opening win; ``hard_xi`` and ``division`` as for ``shortfall``."""

    def fault(what: str, **params: Any) -> Fault:
        return Fault("wmq-hu-opening", what, {"opening": opening, **params})

    hand = pack_kinds(cards)
    if not played(opening, scorer):
        return fault("opening-edition" if scorer.ruleset.preset == "xiaozhuo" else "opening-not-played")
    if size(hand) not in opening_sizes(opening):
        return fault("opening-size", expected="/".join(map(str, opening_sizes(opening))), count=size(hand))
    if opening == "九小对":
        return fault("opening-pairs", pairs=pairs(unpack(hand)))
    if opening == "无对胡":
        return fault("opening-repeated", cards="".join(token(kind) * count for kind, count in repeated(unpack(hand))))
    if hard_xi is None:
        return fault("opening-shape")
    return fault("opening-xi", hard_xi=hard_xi, min_hard_xi=scorer.ruleset.min_hard_xi, division=division)
