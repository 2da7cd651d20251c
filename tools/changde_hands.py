"""Hands of 常德麻将 written by hand for tests: what matters of the play and of the tiles, the rest filled up so that every tile is
known.
"""

import re
from typing import Any, Literal, cast

from engine.changde.deck import TOKENS
from engine.changde.wall import Wall
from schemas import changde as c
from schemas import events as shared
from schemas.record import ChangdeRecord
from schemas.rulesets import ChangdeRules

NAMES = "甲乙丙丁"

_WORD = re.compile(r"(?P<who>[甲乙丙丁]?)(?P<act>出|摸|吃|碰杠|暗杠|明杠|碰|补章|过|叫|亮|自摸|抢杠|奖码|流局|结算)(?P<rest>\S*)")
_KONGS: dict[str, Literal["暗", "明", "碰"]] = {"暗杠": "暗", "明杠": "明", "碰杠": "碰"}


def tiles(text: str) -> list[Any]:
    """``19m3p7z`` as tokens: numbers, then their suit; ``?`` stands for itself."""
    found: list[Any] = []
    for numbers, suit, unknown in re.findall(r"(\d+)([mspz])|(\?)", text):
        found += [number + suit for number in numbers] if suit else [unknown]
    return found


def event(word: str) -> Any:
    """An event as ``甲出1m``, ``乙碰1m``, ``丙碰杠1m``, ``丙补章5p``, ``丁叫胡``, ``甲自摸:12``, ``甲抢杠(123m)``, ``奖码19m``, ``流局``,
    ``结算甲乙6乙丙2`` (甲 pays 乙 6, …): with points declared after a colon and the hand shown in brackets.
    """
    match = _WORD.fullmatch(word)
    if match is None:
        raise ValueError(word)
    act, rest = match["act"], match["rest"]
    if act == "流局":
        return shared.Exhausted()
    if act == "奖码":
        return c.Ma(pai=tiles(rest))
    if act == "结算":
        paid = re.findall(r"([甲乙丙丁])([甲乙丙丁])(-?\d+)", rest)
        return shared.Settlement(
            transfers=[shared.Transfer(from_=NAMES.index(payer), to=NAMES.index(to), amount=int(amount)) for payer, to, amount in paid]
        )
    actor = NAMES.index(match["who"])
    if act in ("自摸", "抢杠"):
        more: dict[str, Any] = {}
        if shown := re.search(r"\((.*)\)", rest):
            more["hand"] = tiles(shown[1])
        if points := re.search(r":(-?\d+)", rest):
            more["claim"] = c.Claim(points=int(points[1]))
        return c.Hu(actor=actor, kind=act, **more)
    if act in _KONGS:
        return c.Kong(actor=actor, pai=tiles(rest)[0], kind=_KONGS[act])
    if act == "过":
        return shared.Pass(actor=actor)
    if act == "叫":
        return shared.Call(actor=actor, act=cast(Any, rest))
    if act == "亮":
        return c.Show(actor=actor, pai=tiles(rest))
    if act == "吃":
        return c.Chi(actor=actor, pai=tiles(rest)[0], consumed=tiles(rest)[1:])
    one = {"出": c.Discard, "摸": c.Draw, "碰": c.Peng, "补章": c.Replacement}[act]
    return one(actor=actor, pai=tiles(rest)[0])


def made(play: str, hands: dict[str, str] | None = None, *, dealer: int = 0, wall: int | None = None, **options: Any) -> ChangdeRecord:
    """A record of the play, words as ``event`` reads them.

    ``hands`` names tiles that a player is dealt; whatever the play draws lies where it is drawn from, and all else is filled up with what
    is left of the set. ``wall``: only so many tiles in it (the deal then has a wrong size).
    """
    rules = ChangdeRules(preset=options.pop("preset", "standard"), **options)
    events = [event(word) for word in play.split()]
    pool: list[Any] = [token for token in TOKENS for _ in range(4) if token != "7z" or rules.preset == "hongzhong"]
    drawn: list[Any] = []
    for played in events:
        if isinstance(played, c.Draw | c.Replacement | c.Ma):
            drawn += played.pai if isinstance(played, c.Ma) else [played.pai]
    held: list[list[Any]] = [tiles((hands or {}).get(name, "")) for name in NAMES]
    for token in (*drawn, *(token for hand in held for token in hand)):
        if token in pool:
            pool.remove(token)
    # Filled from both ends in turn, what is left seldom makes a pair or a run.
    pool = [pool[place // 2 if place % 2 else -1 - place // 2] for place in range(len(pool))]
    for seat, hand in enumerate(held):
        short = 14 - (seat != dealer) - len(hand)
        hand += pool[:short]
        del pool[:short]
    size = len(drawn) + len(pool) if wall is None else wall
    linear = rules.tail_order == "linear"
    return ChangdeRecord(
        format="paipu/1",
        events=[
            c.Start(rules=rules, players=list(NAMES), dealer=dealer),
            c.Deal(hands=list(held), wall=_wall(events, pool, size, linear=linear)),
            *events,
        ],
    )


def _wall(events: list[Any], pool: list[Any], size: int, *, linear: bool) -> list[Any]:
    """A wall of that size from which the events draw what they say; whatever else lies in it is out of the pool."""
    places = Wall([-1] * size, linear=linear)
    lying: dict[int, Any] = {}
    for played in events:
        if isinstance(played, c.Draw) and places.left > 0:
            lying[places.draw()] = played.pai
        elif isinstance(played, c.Replacement) and places.left > 0:
            lying[places.replace()] = played.pai
        elif isinstance(played, c.Ma):
            lying.update(zip(places.coming(), played.pai, strict=False))
    rest = iter(pool)
    return [lying[place] if place in lying else next(rest) for place in range(size)]
