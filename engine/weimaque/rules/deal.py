"""Rules about the deal and the deck."""

from typing import Any

from engine.rule import Explanation, Rule
from engine.truth import NO, YES, Truth, known
from engine.weimaque.deck import STOCK_SIZE, token
from engine.weimaque.seating import due_size, due_sizes
from engine.weimaque.state import Table
from schemas import weimaque as w


def _wrong_sizes(t: Table, deal: w.Deal) -> list[tuple[str, str, int, int]]:
    """(zh, en, found, due) of every part of the deal that has the wrong number of cards."""
    wrong: list[tuple[str, str, int, int]] = []
    for seat, hand in enumerate(deal.hands):
        size = due_size(t.start, seat)
        if hand is not None and len(hand) != size:
            wrong.append((t.names[seat], t.names[seat], len(hand), size))
    if deal.stock is not None and len(deal.stock) != STOCK_SIZE:
        wrong.append(("底牌", "the stock", len(deal.stock), STOCK_SIZE))
    return wrong


def _deal_size(t: Table, p: int, k: int, e: w.Deal) -> Truth:
    if t.size == due_sizes(len(t.names), t.dealer, t.shouxing) and t.stock_left == STOCK_SIZE:
        return NO
    return known(_wrong_sizes(t, e))


def _explain_deal_size(t: Table, p: int, k: int, e: w.Deal) -> Explanation:
    wrong = _wrong_sizes(t, e)
    return Explanation(
        params={
            "wrong": {
                "zh": "、".join(f"{zh}有{found}张，应为{size}张" for zh, _, found, size in wrong),
                "en": ", ".join(f"{en} has {found} cards instead of {size}" for _, en, found, size in wrong),
            }
        }
    )


def _copies(t: Table, p: int, k: int, e: Any) -> Truth:
    return YES if t.fifth and t.seq in t.fifth else NO


def _explain_copies(t: Table, p: int, k: int, e: Any) -> Explanation:
    return Explanation(params={"fifth": token(t.fifth[t.seq])})


DEAL_SIZE = Rule(
    id="wmq-deal-size",
    kind="violation",
    zh="庄家起20张，闲家起19张，底牌22张",
    en="the dealer has 20 cards, the other players 19, the stock 22",
    message_zh="起牌张数不对：{wrong[zh]}",
    message_en="the deal has wrong sizes: {wrong[en]}",
    cite="数出22张放到一边作为底牌，另外的58张由庄家开始，轮流起牌……庄家手中有20张，闲家手中有19张",
    breach={w.Deal: _deal_size},
    explain=_explain_deal_size,
)

COPIES = Rule(
    id="wmq-copies",
    kind="impossible",
    contradicts="copies",
    zh="每个字连手牌、桌面、底牌在内不超过四张",
    en="no kind is seen more than four times over hands, melds, table and stock",
    message_zh="{fifth}出现了第五张，每个字只有四张",
    message_en="a fifth {fifth} shows up; there are four of each",
    cite="每个字有4张牌",
    breach=dict.fromkeys((w.Deal, w.Discard, w.Reveal, w.Chi, w.Peng, w.Wei, w.Show, w.Hu), _copies),
    explain=_explain_copies,
    moment=True,
    guarded=True,
)
