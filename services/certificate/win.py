"""The claimed win of a stored hand as a claim without a log, so that its division can be shown line by line."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from engine.games import game_of
from engine.log import effective_log
from engine.replay import frames
from schemas import changde, weimaque
from schemas.frame import Frame, SeatState
from schemas.record import ChangdeRecord, Record, WeimaqueRecord
from schemas.verify import (
    ChangdeMeld,
    ChangdeVerdict,
    ChangdeVerify,
    ChangdeWin,
    WeimaqueMeld,
    WeimaqueVerdict,
    WeimaqueVerify,
    WeimaqueWin,
)


def examined_win(record: Record, seq: int, language: str) -> WeimaqueVerdict | ChangdeVerdict | None:
    """The 胡 at ``seq`` divided and scored. None where that is no effective 胡, or where the record does not know the whole hand."""
    log = effective_log(record.events)
    seqs = list(log.seqs)
    place = seqs.index(seq) if seq in seqs else 0
    if place == 0:
        return None
    earlier = log.events[:place]
    (before,) = frames(record, first=seqs[place - 1], last=seqs[place - 1])
    event = log.events[place]
    claim: Any = None
    if isinstance(record, WeimaqueRecord) and isinstance(event, weimaque.Hu):
        claim = _weimaque(event, before, earlier)
    elif isinstance(record, ChangdeRecord) and isinstance(event, changde.Hu):
        claim = _changde(event, before, earlier)
    return None if claim is None else game_of(record).verify(claim, language)


def _weimaque(hu: weimaque.Hu, before: Frame, earlier: Sequence[Any]) -> WeimaqueVerify | None:
    hand = _concealed(before.state.seats[hu.actor], hu.hand)
    melds = [WeimaqueMeld(kind=_known(meld.kind), pai=_known(meld.pai)) for meld in before.state.seats[hu.actor].melds]
    if hand is None or any("?" in meld.pai for meld in melds):
        return None
    if hu.kind is not UNSET:
        win = None
    elif isinstance(earlier[-1], weimaque.Wei) and earlier[-1].actor == hu.actor:
        win = WeimaqueWin(pai=earlier[-1].pai, own_reveal=True, last=before.state.stock == 0, wei=True)
    elif (card := before.state.table) is not None and card.how == "揭":
        win = WeimaqueWin(pai=_known(card.pai), own_reveal=card.actor == hu.actor, last=before.state.stock == 0)
    else:
        return None
    if win is not None and win.pai == "?":
        return None
    return WeimaqueVerify(
        rules=earlier[0].rules,
        hand=_known(hand),
        melds=melds,
        win=win,
        zhe=any(isinstance(event, weimaque.Zhe) and event.actor == hu.actor for event in earlier),
        opening=None if hu.kind is UNSET else hu.kind,
        claim=hu.claim,
    )


def _changde(hu: changde.Hu, before: Frame, earlier: Sequence[Any]) -> ChangdeVerify | None:
    seat = before.state.seats[hu.actor]
    win: ChangdeWin | None = None
    taken = earlier[-1]
    if hu.kind == "抢杠":
        card = before.state.table
        if card is None or card.how != "杠":
            return None
        win = ChangdeWin(pai=_known(card.pai), kind="抢杠", from_=card.actor)
    elif isinstance(taken, changde.Draw | changde.Replacement) and taken.actor == hu.actor:
        win = ChangdeWin(pai=taken.pai, kind="自摸")
    shown = hu.hand
    if win is not None and win.kind == "自摸" and shown is not UNSET:
        shown = [*shown, win.pai]
    hand = _concealed(seat, shown)
    melds = [ChangdeMeld(kind=_known(meld.kind), pai=_known(meld.pai)) for meld in seat.melds]
    if hand is None or any("?" in meld.pai for meld in melds) or (win is not None and win.pai == "?"):
        return None
    if win is not None and win.kind == "自摸":
        if win.pai not in hand:
            return None
        hand.remove(win.pai)
    start = earlier[0]
    return ChangdeVerify(rules=start.rules, hand=_known(hand), dealer=start.dealer, winner=hu.actor, melds=melds, win=win)


def _concealed(seat: SeatState, shown: Any) -> list[str] | None:
    """The concealed hand as the record knows it, else as it was shown; None if that leaves a card open."""
    if seat.hand is not None and seat.hidden == 0:
        return list(seat.hand)
    return list(shown) if shown is not UNSET and "?" not in shown else None


def _known(value: Any) -> Any:
    """What a frame shows of a card or a meld, as the claim's type has it."""
    return value
