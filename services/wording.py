"""How cards, events and outcomes are said to people, on the page and in the terminal alike."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from schemas import changde, weimaque
from schemas.events import Call, Exhausted, Pass, Ruling, Settlement, Void, Withdraw
from schemas.verdict import ChangdeOutcome, WeimaqueOutcome
from services.words import Words

SMALL, BIG = "一二三四五六七八九十", "壹贰叁肆伍陆柒捌玖拾"
SUITS = {"m": Words("万", "characters"), "s": Words("条", "bamboos"), "p": Words("筒", "dots")}
GAMES = {"weimaque": Words("安乡偎麻雀", "Anxiang Weimaque"), "changde": Words("常德麻将", "Changde Mahjong")}
DECISIONS = {"stood": Words("维持", "it stood"), "retracted": Words("收回", "retracted"), "penalised": Words("罚", "penalised")}
PHASES = {
    "opening": Words("开局", "opening"),
    "discard": Words("等出牌", "to discard"),
    "respond": Words("等要牌", "claims are open"),
    "turn": Words("等揭牌", "to draw"),
    "replacement": Words("等补章", "replacement due"),
    "rob": Words("可抢杠", "the kong may be robbed"),
    "ended": Words("已结束", "ended"),
}


def face(card: str) -> str:
    """A card as people write it: the token itself at 偎麻雀, 五万 for ``5m``."""
    if card == "7z":
        return "红中"
    if len(card) == 2 and card[1] in SUITS:
        return SMALL[int(card[0]) - 1] + SUITS[card[1]].zh
    return card


def faces(cards: Sequence[str]) -> str:
    """Cards one behind the other."""
    return " ".join(face(card) for card in cards)


def spoken(card: str) -> Words:
    """A card for the ear, where 二 and 贰 must not sound alike."""
    if card in SMALL and card:
        number = SMALL.index(card)
        return Words(f"小{card}", f"small {number + 1}")
    if card in BIG and card:
        number = BIG.index(card)
        return Words(f"大{SMALL[number]}", f"big {number + 1}")
    if card == "7z":
        return Words("红中", "red dragon")
    if len(card) == 2 and card[1] in SUITS:
        return Words(face(card), f"{card[0]} of {SUITS[card[1]].en}")
    return Words("未知的牌", "unknown card")


def event_words(event: Any, names: Sequence[str]) -> Words:
    """One event in a phrase, as it would be called out at the table."""
    who = names[event.actor] if hasattr(event, "actor") and event.actor < len(names) else ""
    match event:
        case weimaque.Start() | changde.Start():
            dealer = names[event.dealer]
            return Words(f"开局，{dealer}坐庄", f"the hand opens; {dealer} deals")
        case weimaque.Deal() | changde.Deal():
            return Words("起牌", "the deal")
        case weimaque.Discard() | changde.Discard():
            return Words(f"{who}出{face(event.pai)}", f"{who} discards {face(event.pai)}")
        case weimaque.Reveal():
            return Words(f"{who}揭{event.pai}", f"{who} reveals {event.pai}")
        case changde.Draw():
            return Words(f"{who}摸{face(event.pai)}", f"{who} draws {face(event.pai)}")
        case changde.Replacement():
            return Words(f"{who}补{face(event.pai)}", f"{who} draws the replacement {face(event.pai)}")
        case weimaque.Chi() | changde.Chi():
            taken = faces(event.consumed)
            return Words(f"{who}吃{face(event.pai)}（{taken}）", f"{who} takes {face(event.pai)} in a run (吃, with {taken})")
        case weimaque.Peng() | changde.Peng():
            return Words(f"{who}碰{face(event.pai)}", f"{who} takes {face(event.pai)} in a triple (碰)")
        case weimaque.Wei():
            return Words(f"{who}栽{event.pai}", f"{who} lays down the triple {event.pai} (栽)")
        case changde.Kong():
            kind = "碰杠" if event.kind == "碰" else f"{event.kind}杠"
            return Words(f"{who}{kind}{face(event.pai)}", f"{who} makes a kong of {face(event.pai)} ({kind})")
        case Pass():
            return Words(f"{who}过", f"{who} passes")
        case Call():
            return Words(f"{who}叫{event.act}", f"{who} calls {event.act}")
        case weimaque.Zhe():
            waits = "" if event.pai is UNSET else f"（{faces(event.pai)}）"
            return Words(f"{who}蛰{waits}", f"{who} shows the wait (蛰){waits}")
        case weimaque.Show() | changde.Show():
            return Words(f"{who}亮牌", f"{who} shows the hand")
        case weimaque.Hu():
            kind = "胡" if event.kind is UNSET else event.kind
            return Words(f"{who}{kind}", f"{who} wins ({kind})")
        case changde.Hu():
            return Words(f"{who}{event.kind}", f"{who} wins ({event.kind})")
        case weimaque.DeadHand():
            return Words(f"{who}死手", f"{who} is a dead hand (死手)")
        case changde.Ma():
            return Words(f"奖码 {faces(event.pai)}", f"bonus tiles {faces(event.pai)}")
        case Exhausted():
            return Words("流局", "nobody won (流局)")
        case Settlement():
            paid = "；".join(f"{names[part.from_]}付{names[part.to]} {part.amount}" for part in event.transfers)
            told = "; ".join(f"{names[part.from_]} pays {names[part.to]} {part.amount}" for part in event.transfers)
            return Words(f"结算 {paid}", f"paid: {told}")
        case Withdraw():
            return Words(f"撤回到 {event.to}", f"taken back to {event.to}")
        case Void():
            return Words(f"{event.seq} 作废", f"{event.seq} is void")
        case Ruling():
            said = DECISIONS[event.decision]
            return Words(f"裁定 {event.seq} {event.rule}：{said.zh}", f"ruling on {event.seq} {event.rule}: {said.en}")
        case weimaque.Amend() | changde.Amend():
            inner = event_words(event.event, names)
            return Words(f"更正 {event.seq}：{inner.zh}", f"{event.seq} corrected: {inner.en}")
        case weimaque.Insert() | changde.Insert():
            inner = event_words(event.event, names)
            return Words(f"补记在 {event.after} 后：{inner.zh}", f"missed behind {event.after}: {inner.en}")
        case _:
            raise TypeError(f"no words for {type(event).__name__}")


def outcome_words(outcome: WeimaqueOutcome | ChangdeOutcome | None, names: Sequence[str]) -> Words:
    """How a hand ended, in a line."""
    if outcome is None:
        return Words("进行中", "the hand goes on")
    if outcome.end == "流局":
        return Words("流局", "nobody won")
    winners = "、".join(names[seat] for seat in outcome.winners)
    if not outcome.valid:
        return Words(f"{winners}胡牌不成立", f"the win of {winners} does not stand")
    if isinstance(outcome, ChangdeOutcome):
        points = "，".join(f"{names[int(seat)]} {number:+d}" for seat, number in sorted(outcome.points.items()))
        told = ", ".join(f"{names[int(seat)]} {number:+d}" for seat, number in sorted(outcome.points.items()))
        return Words(f"{winners}胡：{points}", f"{winners} won: {told}")
    if outcome.total_xi is None:
        between = "" if outcome.total_xi_range is UNSET else f" {outcome.total_xi_range[0]}…{outcome.total_xi_range[-1]}"
        return Words(f"{winners}胡，息数未定{between}", f"{winners} won, total not known{between}")
    named = " ".join(f"{name} {value}" for name, value in outcome.mingtang.items())
    return Words(
        f"{winners}胡 {outcome.total_xi} 息（硬息 {outcome.hard_xi}{' ' if named else ''}{named}）",
        f"{winners} won {outcome.total_xi} 息 (hard {outcome.hard_xi}{' ' if named else ''}{named})",
    )
