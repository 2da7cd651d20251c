"""A divided win spelled out, meld by meld, for people to read."""

from collections.abc import Sequence

import msgspec

from engine.weimaque.deck import token
from engine.weimaque.hard_xi import itemised
from engine.weimaque.score import Candidate, Win, concealed_melds
from schemas.verify import Group, Item

NamedMeld = tuple[str, tuple[int, ...]]
"""What a meld is called (碰, 栽, 吃 on the table; 砍, 碰, 栽, 顺子 from the hand) and the kinds of its cards."""


class DividedWin(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The six melds, those on the table first as they were laid, and the kind of the pair."""

    melds: list[NamedMeld]
    pair: int

    def groups(self) -> list[Group]:
        """The melds and the 麻雀 for a verdict."""
        melds = [Group(kind=name, pai=_tokens(kinds)) for name, kinds in self.melds]
        return [*melds, Group(kind="麻雀", pai=_tokens((self.pair, self.pair)))]

    def items(self) -> list[Item]:
        """The lines of the hard 息."""
        return [Item(name=item.name, pai=_tokens(item.kinds), xi=item.xi) for item in itemised(self.melds, self.pair)]

    def text(self) -> str:
        """The division in one line, each meld with what it is worth."""
        worth: dict[tuple[str, tuple[str, ...]], int] = {}
        for item in self.items():
            name = "麻雀" if item.name == "转弯" else item.name
            worth[name, tuple(item.pai)] = item.xi
        lines = [f"{group.kind}{''.join(group.pai)}{_xi(worth.get((group.kind, tuple(group.pai)), 0))}" for group in self.groups()]
        lines += [f"团圆{pai[0]}{_xi(xi)}" for (name, pai), xi in worth.items() if name == "团圆"]
        return "、".join(lines)


def divided_win(on_table: Sequence[NamedMeld], win: Win, candidate: Candidate) -> DividedWin:
    """Spell out one division of a win. A triple that the winning card completes is a 栽 on one's own reveal, a 碰 on another's."""
    _, _, pair, _, place = candidate
    completed = win.kind if place == "三张" and not win.wei else -1
    melds = [*on_table]
    for cards in concealed_melds(win, candidate):
        if cards[0] != cards[1]:
            melds.append(("顺子", cards))
        elif cards[0] != completed:
            melds.append(("砍", cards))
        else:
            melds.append(("栽" if win.own_reveal else "碰", cards))
    return DividedWin(melds=melds, pair=pair)


def _tokens(kinds: Sequence[int]) -> list[str]:
    return [token(kind) for kind in kinds]


def _xi(xi: int) -> str:
    return f" {xi}" if xi else ""
