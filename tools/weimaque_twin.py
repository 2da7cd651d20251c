"""A slow twin of 偎麻雀's scorer, written from the rules page alone: plain recursion over written cards, no tables, no packing.

Tests hold the scorer against it, and the bench measures what 听 gains over trying every kind with it.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any, NamedTuple

from engine.weimaque.options import WeimaqueRuleset

SMALL = "一二三四五六七八九十"
BIG = "壹贰叁肆伍陆柒捌玖拾"
DECK = SMALL + BIG
"""The kinds in order, one character each."""
RED = set("二七十贰柒拾")

SMALL_TABLE = {"对子胡": 4, "乌对": 6, "乌胡": 4, "点胡": 3, "印胡": 10, "多红": 10, "满园花": 50, "大字胡": 50, "小字胡": 50}
LARGE_TABLE = {
    "对子胡": 6, "乌对": 8, "乌胡": 4, "点胡": 3, "印胡": 20, "纯印": 100, "多红": 20, "满园花": 100, "大字胡": 100, "小字胡": 100,
    "卓胡": 20, "姊妹卓": 40, "三乱卓": 60, "姊妹卓带拖": 80, "祖孙卓": 150, "四乱卓": 200, "祖孙卓带拖": 300, "海底胡": 20, "单吊": 10,
    "对子胡单吊": 20, "八碰头": 200, "假八碰头": 100, "背靠背": 20, "手牵手": 20, "龙摆尾": 100, "蛰一蛰": 10, "摸胡": 10,
}  # fmt: skip


class Case(NamedTuple):
    """A win as a player would write it: melds on the table as (kind, cards), the hand, the winning card and how it came."""

    table: list[tuple[str, str]]
    hand: str
    card: str
    own: bool
    last: bool
    wei: bool
    zhe: bool


def divide(cards: str) -> Iterator[tuple[list[str], str]]:
    """Every division of sorted cards into melds and a pair, found card by card from the lowest; repetitions included."""
    if not cards:
        return
    first, rest = cards[0], cards[1:]
    if len(cards) == 2:
        if first == rest:
            yield [], first
        return
    if rest.startswith(first):
        for division in triples_and_runs(rest[1:]):
            yield division, first
    for meld in melds_from(cards):
        for division, pair in divide(without(cards, meld)):
            yield [meld, *division], pair


def triples_and_runs(cards: str) -> Iterator[list[str]]:
    """Every division of sorted cards into melds alone."""
    if not cards:
        yield []
    for meld in melds_from(cards):
        for division in triples_and_runs(without(cards, meld)):
            yield [meld, *division]


def melds_from(cards: str) -> Iterator[str]:
    """The melds that hold the lowest card."""
    if not cards:
        return
    if cards.startswith(cards[0] * 3):
        yield cards[0] * 3
    suit = SMALL if cards[0] in SMALL else BIG
    at = suit.index(cards[0])
    run = suit[at : at + 3]
    if len(run) == 3 and all(card in cards for card in run):
        yield run


def without(cards: str, meld: str) -> str:
    """The cards less those of a meld."""
    for card in meld:
        cards = cards.replace(card, "", 1)
    return cards


def in_order(cards: str) -> str:
    """The cards sorted as the deck is."""
    return "".join(sorted(cards, key=DECK.index))


def adjacent(one: str, other: str) -> bool:
    """Whether two cards of one suit follow each other."""
    return (one in SMALL) == (other in SMALL) and abs(DECK.index(one) - DECK.index(other)) == 1


def twin(case: Case, ruleset: WeimaqueRuleset) -> tuple[int | None, tuple[int, int, dict[str, int]] | None]:
    """The most hard 息 of any division (None: no shape), and the (hard 息, total, 名堂) of the best that is enough."""
    concealed = in_order(case.hand if case.wei else case.hand + case.card)
    best: tuple[Any, ...] | None = None
    most: int | None = None
    for hidden, pair in divide(concealed):
        places: list[tuple[str, int]] = [("栽", -1)] if case.wei else [("麻雀", -1)] if pair == case.card else []
        if not case.wei:
            places += [("三张" if meld[0] == meld[1] else "顺子", at) for at, meld in enumerate(hidden) if case.card in meld]
        for place, at in places:
            hard, total, mingtang = worth(case, hidden, pair, place, at, ruleset)
            most = hard if most is None else max(most, hard)
            if hard >= ruleset.min_hard_xi:
                listed = sorted([DECK.index(card) for card in in_order(meld)] for meld in hidden)
                ranked = (-total, -hard, listed, sorted(mingtang), mingtang)
                if best is None or ranked[:4] < best[:4]:
                    best = ranked
    return most, best and (-best[1], -best[0], best[4])


def worth(case: Case, hidden: list[str], pair: str, place: str, at: int, ruleset: WeimaqueRuleset) -> tuple[int, int, dict[str, int]]:
    """Hard 息, total and 名堂 of one division, in which the winning card stands at ``place``, of the hidden meld ``at`` if in one."""
    cards = "".join(meld for _, meld in case.table) + "".join(hidden) + pair * 2
    count = Counter(cards)
    hard = 0
    whole: set[str] = set()
    for kind, meld in [
        *case.table,
        *(("碰" if place == "三张" and index == at and not case.own else "砍", meld) for index, meld in enumerate(hidden)),
    ]:
        if meld[0] == meld[1]:
            red = meld[0] in RED
            hard += {"碰": 2, "栽": 3, "砍": 3}[kind] + red
            if count[meld[0]] == 4:
                whole.add(meld[0])
                hard += 3 + red
    hard += (3 if pair in RED else 2) if count[pair] > 2 else 2 if pair in RED else 0
    groups = [*(meld for _, meld in case.table), *hidden, pair * 2]
    held = holdings(case, groups, whole, pair, place, ruleset)

    table = SMALL_TABLE if ruleset.preset == "xiaozhuo" else {**LARGE_TABLE, "祖孙卓带拖": ruleset.zusunzhuo_daituo}
    table = {**table, "多红": ruleset.duohong_unit, **ruleset.values}
    worths = {name: times * table.get(name, 0) for name, times in held.items() if times and table.get(name, 0)}
    if "乌对" in worths:
        worths.pop("对子胡", None)
    if "纯印" in worths and ruleset.chunyin == "replaces":
        worths.pop("印胡", None)
    if "对子胡单吊" in worths:
        worths["单吊"] = worths.pop("对子胡单吊")
    family = [name for name in ("祖孙卓带拖", "四乱卓", "祖孙卓", "姊妹卓带拖", "三乱卓", "姊妹卓", "卓胡") if name in worths]
    highest = max(family, key=lambda name: worths[name], default=None)
    for name in family:
        if name != highest:
            del worths[name]
    factor = 1
    for name in ("对子胡", "乌对", "乌胡", "点胡"):
        factor *= worths.get(name, 1)
    added = sum(value for name, value in worths.items() if name not in ("对子胡", "乌对", "乌胡", "点胡"))
    total = (hard + added) * factor if ruleset.multiplier_base == "all" else hard * factor + added
    return hard, total, worths


def holdings(case: Case, groups: list[str], whole: set[str], pair: str, place: str, ruleset: WeimaqueRuleset) -> dict[str, int]:
    """How often each 名堂 is held, whatever it is worth."""
    cards = "".join(groups)
    reds = sum(card in RED for card in cards)
    six_triples = all(group[0] == group[1] for group in groups)
    red_whole = len(whole & RED)
    small_whole = {SMALL.index(card) for card in whole if card in SMALL}
    big_whole = {BIG.index(card) for card in whole if card in BIG}
    sisters = any(adjacent(one, other) for one, other in combinations(whole, 2))
    three_in_a_row = any(adjacent(a, b) and adjacent(b, c) and a != c for a, b, c in permutations(whole, 3))
    loose = any(not any(adjacent(one, other) for one, other in combinations(three, 2)) for three in combinations(whole, 3))
    both = small_whole & big_whole
    ends = [(one, ten) for one in "一壹" for ten in "十拾" if one in whole and ten in whole]
    straight = [(one, ten) for one, ten in ends if (one in SMALL) == (ten in SMALL)]
    dandiao = place == "麻雀" and (ruleset.dandiao == "pair" or len(case.hand) == 1)
    made_triple = place in ("三张", "栽")
    return {
        "对子胡": six_triples,
        "乌对": six_triples and reds == 0,
        "乌胡": reds == 0 and not six_triples,
        "点胡": reds == 1,
        "印胡": red_whole,
        "纯印": red_whole if reds == 4 * red_whole else 0,
        "多红": reds - 9 if reds >= 10 else 0,
        "满园花": all(RED & set(group) for group in groups),
        "大字胡": set(cards) <= set(BIG),
        "小字胡": set(cards) <= set(SMALL),
        "卓胡": len(whole) >= 2,
        "姊妹卓": sisters,
        "三乱卓": loose,
        "姊妹卓带拖": len(whole) >= 3 and sisters,
        "祖孙卓": three_in_a_row,
        "四乱卓": len(whole) == 4,
        "祖孙卓带拖": len(whole) == 4 and three_in_a_row,
        "海底胡": case.last and (case.own or not ruleset.haidi_self_only),
        "单吊": dandiao,
        "对子胡单吊": dandiao and six_triples,
        "八碰头": 7 in both,
        "假八碰头": min(len(both - {7}), 1) if ruleset.jiabapengtou_once else len(both - {7}),
        "背靠背": made_triple and pair != case.card and DECK.index(pair) % 10 == DECK.index(case.card) % 10,
        "手牵手": made_triple and adjacent(pair, case.card),
        "龙摆尾": min(len(ends), 1) if ruleset.longbaiwei_mixed else len(straight),
        "蛰一蛰": case.zhe and ruleset.zhe,
        "摸胡": case.own and ruleset.mohu,
    }  # fmt: skip


def waits_of_twin(case: Case, ruleset: WeimaqueRuleset) -> list[tuple[str, int | None, int | None]]:
    """听 of a hand that is one card short, by trying every kind: the card, and what it pays on one's own reveal and on another's. The card
    of the case and how it came are not looked at."""
    found: list[tuple[str, int | None, int | None]] = []
    mine = Counter(case.hand + "".join(meld for _, meld in case.table))
    for card in DECK:
        if mine[card] == 4:
            continue
        _, other = twin(case._replace(card=card, own=False), ruleset)
        if case.hand.count(card) >= 2:
            laid, rest = [*case.table, ("栽", card * 3)], case.hand.replace(card, "", 2)
            _, own = twin(case._replace(table=laid, hand=rest, card=card, own=True, wei=True), ruleset)
        else:
            _, own = twin(case._replace(card=card, own=True), ruleset)
        if own or other:
            found.append((card, own and own[1], other and other[1]))
    return found
