"""Long logs that no hand of cards can be. Whoever may write may write them, so judging them must not grow dearer by the event."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from schemas import changde as c
from schemas import weimaque as w
from schemas.events import Call, Exhausted, Pass, Settlement, Transfer, Void, Withdraw

Odd = Callable[[int], Any]
"""The event with a number, counted from 0, of a log without end."""

FIRST = 2
"""Where they begin: behind 开局 and 起牌."""


def _of_both(game: Any, card: Any, other: Any, run: list[Any]) -> dict[str, Odd]:
    discard = game.Discard(actor=0, pai=card)
    return {
        "one seat, one card": lambda number: discard,
        "discards of no name": lambda number: game.Discard(actor=number % 3, pai="?"),
        "碰 of one card": lambda number: game.Peng(actor=0, pai=card),
        "碰 of no name": lambda number: game.Peng(actor=0, pai="?"),
        "discards and 吃": lambda number: game.Chi(actor=0, pai=card, consumed=run) if number % 2 else game.Discard(actor=2, pai=card),
        "吃 of no name": lambda number: game.Chi(actor=number % 3, pai="?", consumed=["?", run[0]]),
        "discards of what was 碰'd late": lambda number: (
            game.Peng(actor=0, pai=card if number % 4 else other) if number % 2 else game.Discard(actor=0, pai=other)
        ),
        "hands shown": lambda number: game.Show(actor=0, pai=[card] * 5),
        "calls and passes": lambda number: Call(actor=number % 3, act="碰") if number % 2 else Pass(actor=0),
        "ends": lambda number: Settlement(transfers=[Transfer(from_=0, to=1, amount=3)]) if number % 2 else Exhausted(),
        "corrections of one event": lambda number: game.Amend(seq=FIRST, event=discard) if number else discard,
        "insertions behind one event": lambda number: game.Insert(after=FIRST, event=discard) if number else discard,
        "insertions behind a chain of them": lambda number: (
            game.Insert(after=FIRST + (number // 4 * 2 if number % 2 else number - 2), event=discard) if number else discard
        ),
        "events voided": lambda number: Void(seq=FIRST + number - 1) if number % 2 else discard,
        "events withdrawn": lambda number: Withdraw(to=FIRST + number - 3) if number % 4 == 3 else discard,
    }


_ODD: Mapping[str, Mapping[str, Odd]] = {
    "weimaque": {
        **_of_both(w, "一", "九", ["二", "三"]),
        "栽 of no name": lambda number: Pass(actor=0) if number % 2 else w.Wei(actor=0, pai="?"),
        "reveals": lambda number: w.Reveal(actor=number % 3, pai="一"),
        "reveals of no name": lambda number: w.Reveal(actor=number % 3, pai="?"),
        "wins": lambda number: w.Hu(actor=number % 3, hand=["一", "一", "一", "一", "一"]),
    },
    "changde": {
        **_of_both(c, "1m", "9p", ["2m", "3m"]),
        "draws of no name": lambda number: c.Discard(actor=0, pai="1m") if number % 2 else c.Draw(actor=0, pai="?"),
        "碰杠 of one tile": lambda number: c.Kong(actor=0, pai="1m", kind="碰"),
        "碰杠 of no name": lambda number: c.Kong(actor=0, pai="?", kind="碰") if number % 2 else c.Peng(actor=0, pai="?"),
        "补章": lambda number: c.Replacement(actor=0, pai="?"),
        "wins with points": lambda number: c.Ma(pai=["1m"]) if number % 2 else c.Hu(actor=0, kind="自摸", claim=c.Claim(points=4)),
        "码 without end": lambda number: c.Ma(pai=["1m"] * 20) if number else c.Hu(actor=0, kind="自摸"),
        "抢杠": lambda number: c.Hu(actor=1, kind="抢杠") if number % 2 else c.Kong(actor=0, pai="1m", kind="暗"),
    },
}

KINDS = tuple((game, kind) for game, kinds in _ODD.items() for kind in kinds)
"""Every odd log there is: its game, and in a few words what it consists of."""


def odd_log(record: Any, kind: str, length: int) -> Any:
    """A record of ``length`` events: 开局 and 起牌 of the given one, then odd events of one kind."""
    odd = _ODD[record.__struct_config__.tag][kind]
    return replace(record, events=[*record.events[:FIRST], *map(odd, range(length - FIRST))])
