"""Hands of 偎麻雀 made by hand: a few words of play, and a deal that makes them possible.

``made("甲出九 丁碰九 丁出叁", 乙="二三")`` is a whole record. A word is who, what, which: ``甲出九``, ``乙揭捌``, ``丁碰九``,
``甲栽捌``, ``乙吃三一二`` (the card, then the two from the hand), ``甲叫碰``, ``乙过``, ``甲蛰``, ``甲亮一二三``, ``甲胡``,
``甲胡九小对``, ``甲死手``, ``流局``.
The deal gives every player what he plays and what is asked for by name, puts what is revealed on top of the stock, and fills up with
cards that the play does not speak of, no kind twice in a hand where that can be. A ``!`` before a word: its cards are not provided.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engine.weimaque.deck import COPIES, DEALER_HAND, OTHER_HAND, STOCK_SIZE, TOKENS
from schemas import events as shared
from schemas import weimaque as w
from schemas.base import UNSET
from schemas.record import WeimaqueRecord
from schemas.rulesets import WeimaqueRules
from schemas.weimaque import WeimaqueEvent

NAMES = "甲乙丙丁"
FIRST = 2
"""The seq of the first word: 开局 and 起牌 stand before it."""

_OPENINGS = ("天胡", "九小对", "无对胡")


def made(play: str, *, dealer: str = "甲", players: int = 3, shouxing: str = "", stock: str = "", **more: Any) -> WeimaqueRecord:
    """A record of ``play``. ``甲=…`` to ``丁=…`` are cards that a hand holds, ``stock`` cards that lie behind those revealed; all other
    members are options of the ruleset."""
    names = NAMES[:players]
    asked = {name: more.pop(name, "") for name in NAMES}
    rules = msgspec.convert({"preset": "dazhuo", **more}, WeimaqueRules)
    seat = names.index(dealer)
    sits_out = (names.index(shouxing) if shouxing else (seat + 2) % 4) if players == 4 else -1
    start = w.Start(rules=rules, players=list(names), dealer=seat, shouxing=sits_out if shouxing else UNSET)
    sizes = [0 if at == sits_out else DEALER_HAND if at == seat else OTHER_HAND for at in range(players)]
    return WeimaqueRecord(
        format="paipu/1", events=[start, _deal(play.split(), [asked[name] for name in names], sizes, stock), *words(play)]
    )


def words(play: str) -> list[Any]:
    """The events that the words say."""
    return [_event(word.lstrip("!")) for word in play.split()]


def _event(word: str) -> Any:
    if word == "流局":
        return shared.Exhausted()
    act, cards = (word[1:3], word[3:]) if word[1:3] == "死手" else (word[1], word[2:])
    return msgspec.convert({"type": act, "actor": NAMES.index(word[0]), **_members(act, cards)}, WeimaqueEvent)


def _members(act: str, cards: str) -> dict[str, Any]:
    """The members of an event beside who did what."""
    if act == "叫":
        return {"act": cards}
    if act == "吃":
        return {"pai": cards[0], "consumed": list(cards[1:])}
    if act == "亮" or (act == "蛰" and cards):
        return {"pai": list(cards)}
    if act == "胡":
        return {"kind": cards} if cards in _OPENINGS else {"hand": list(cards)} if cards else {}
    return {"pai": cards} if cards else {}


def run_out(last: str, play: str = "", *, without: str = "", players: int = 3, **more: Any) -> WeimaqueRecord:
    """Every card of the stock is revealed and goes by, the last of them by 乙; then ``play``. Cards of ``without`` are not among them."""
    turns = "乙丙甲" if players == 3 else "乙丁甲"
    shown = [card for card in TOKENS if card not in last + without]
    shown += [card for card in shown if card != "玖"][: 21 - len(shown)]

    def record(order: list[str]) -> WeimaqueRecord:
        reveals = [f"{turns[at % 3]}揭{card}" for at, card in enumerate([*order, last])]
        return made(" ".join(["甲出玖", *reveals, play]), players=players, **more)

    deal = record(shown).events[1]
    dealt = deal.hands if isinstance(deal, w.Deal) else []
    return record(_without_wei(shown, [dealt[NAMES.index(name)] or [] for name in turns]))


def _without_wei(shown: list[str], hands: list[list[Any]]) -> list[str]:
    """An order in which nobody reveals what he holds two of: seven cards for each of the three, in turn."""
    dealt: list[list[str]] = [[], [], []]
    for card in sorted(shown, key=lambda card: sum(hand.count(card) < 2 for hand in hands)):
        free = [mine for mine, hand in zip(dealt, hands, strict=True) if hand.count(card) < 2 and len(mine) < 7]
        min(free, key=len).append(card)
    return [card for trio in zip(*dealt, strict=True) for card in trio]


def _from_hand(word: str) -> str:
    """The cards that a word takes out of its player's hand."""
    act = word[1:2]
    return {"出": word[2:3], "吃": word[3:], "碰": word[2:3] * 2, "栽": word[2:3] * 2}.get(act, "")


def _deal(play: Sequence[str], asked: Sequence[str], sizes: Sequence[int], below: str) -> w.Deal:
    hands = [Counter(cards) for cards in asked]
    spent = [Counter[str]() for _ in sizes]
    stock: list[str] = []
    for word in play:
        if word.startswith("!") or word == "流局":
            continue
        if word[1] == "揭":
            stock.append(word[2])
        spent[NAMES.index(word[0])].update(_from_hand(word))
    stock += below
    spoken = {card for word in play for card in word} | set(below)
    hands = [held | gone for held, gone in zip(hands, spent, strict=True)]
    left = Counter[str]({str(kind): COPIES for kind in TOKENS})
    for cards in (*hands, Counter(stock)):
        left.subtract(cards)
    if short := [kind for kind, count in left.items() if count < 0]:
        raise ValueError(f"more than four of {short}")
    _fill(hands, sizes, left, spoken)
    stock += sorted(left.elements(), key=TOKENS.index)
    return w.Deal(hands=[_listed(hand) for hand in hands], stock=_tokens(stock))


def _fill(hands: Sequence[Counter[str]], sizes: Sequence[int], left: Counter[str], spoken: set[str]) -> None:
    """Fill the hands up, one card each in turn, the cards that disturb least first."""
    while open_hands := [hand for hand, size in zip(hands, sizes, strict=True) if hand.total() < size]:
        for hand in open_hands:
            kind = min(
                (kind for kind in TOKENS if left[kind] > 0),
                key=lambda kind: (hand[kind] >= 2, hand[kind] + 2 * (kind in spoken), -left[kind], TOKENS.index(kind)),
            )
            hand[kind] += 1
            left[kind] -= 1
    if sum(left.values()) > STOCK_SIZE:
        raise ValueError("a hand is too large")


def _listed(hand: Counter[str]) -> Any:
    return _tokens(sorted(hand.elements(), key=TOKENS.index))


def _tokens(cards: Iterable[str]) -> Any:
    return list(cards)
