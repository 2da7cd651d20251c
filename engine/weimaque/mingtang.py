"""名堂 (rules §5): each one row of data with the predicate that says whether, and how often, a divided hand holds it.

The predicates see a ``Look``: the little that 名堂 ask of a win. Few different looks occur, so what one comes to is found once and kept
(``engine.weimaque.score``). Opening wins (§6) have rows of the same shape (``engine.weimaque.opening``).
"""

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec

from engine.weimaque.deck import INDEX, KINDS
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import EVERY_KIND, RANKS, RED_CARDS, SHIFT, UNIT, kinds_of

NO_SUIT = -1
SMALL_SUIT = 0
BIG_SUIT = 1

Place = Literal["", "麻雀", "三张", "顺子"]
"""What the winning card completes: nothing (天胡), the pair, a triple, or a run."""

Beside = Literal["", "背", "手"]
"""What the pair is to a triple that the winning card completes: the same number in the other suit (背), the adjacent number in
its own (手), or neither."""


class Look(NamedTuple):
    """What 名堂 ask of a divided win: the red cards among its twenty, the suit that all are of (or ``NO_SUIT``); whether it was won
    on one's own reveal, on the last card, after 蛰; the packed set of 团圆; whether all six melds are triples, whether every meld and
    the pair have a red card; whether the winning card completes the pair, and what the pair is to a triple that it completes; whether it
    completes the pair with the only card left in hand.
    """

    reds: int
    suit: int
    own_reveal: bool
    last: bool
    zhe: bool
    tuanyuan: int
    all_triples: bool
    all_red: bool
    pair_won: bool
    beside: Beside
    one_left: bool


Seen = TypeVar("Seen")


def _replaces_nothing(_: WeimaqueRuleset) -> tuple[str, ...]:
    return ()


class Mingtang(msgspec.Struct, Generic[Seen], frozen=True, kw_only=True):
    """One 名堂.

    ``small`` and ``large`` are its values in 小卓 and 大卓, ``None`` where that edition has no such row; ``option`` names the ruleset
    field that gives the value instead. ``times`` says how often it is held (0: not). ``replaces`` are 名堂 that do not count beside
    it; of those of one ``family`` only the highest counts. ``of_tuanyuan``: only a hand with a 团圆 can hold it. ``shown`` is the
    name in verdicts if it differs. ``cite`` is the place in the source's lists.
    """

    name: str
    kind: Literal["multiplier", "addition"]
    small: int | None
    large: int | None
    zh: str
    en: str
    cite: str
    times: Callable[[Seen, WeimaqueRuleset], int]
    option: str | None = None
    replaces: Callable[[WeimaqueRuleset], tuple[str, ...]] = _replaces_nothing
    of_tuanyuan: bool = False
    family: str | None = None
    shown: str | None = None
    reading: str | None = None

    def value(self, ruleset: WeimaqueRuleset) -> int:
        """The factor, or the 息 a time, under this ruleset; 0 where the 名堂 is not played."""
        named = ruleset.values.get(self.name)
        if named is not None:
            return named
        listed = self.small if ruleset.preset == "xiaozhuo" else self.large
        if listed is None or self.option is None:
            return listed or 0
        return getattr(ruleset, self.option)


class Amounts(NamedTuple):
    """What 名堂 come to: the multiplier (1 if none), the sum of the additions, and each by name, in the order of the rows (an addition
    whole, a multiplier's factor)."""

    multiplier: int
    addition: int
    named: tuple[tuple[str, int], ...]


def played_rows(rows: Iterable[Mingtang[Seen]], ruleset: WeimaqueRuleset) -> list[tuple[Mingtang[Seen], int]]:
    """The rows that are played under ``ruleset``, each with its value."""
    return [(row, value) for row in rows if (value := row.value(ruleset))]


def amounts(played: Iterable[tuple[Mingtang[Seen], int]], seen: Seen, ruleset: WeimaqueRuleset) -> Amounts:
    """What ``played`` rows come to under ``ruleset``, those replaced or lower in their family left out."""
    held = [(row, value, int(times)) for row, value in played if (times := row.times(seen, ruleset))]
    gone = {name for row, _, _ in held for name in row.replaces(ruleset)}
    highest: dict[str, tuple[int, str]] = {}
    for row, value, times in held:
        if row.family is not None and (row.family not in highest or value * times >= highest[row.family][0]):
            highest[row.family] = (value * times, row.name)
    multiplier, addition = 1, 0
    named: list[tuple[str, int]] = []
    for row, value, times in held:
        if row.name in gone or (row.family is not None and row.name != highest[row.family][1]):
            continue
        if row.kind == "multiplier":
            multiplier *= value
        else:
            addition += value * times
        named.append((row.shown or row.name, value * times))
    return Amounts(multiplier, addition, tuple(named))


def _red(tuanyuan: int) -> int:
    return (tuanyuan & RED_CARDS).bit_count()


# A set of kinds shifted down by one kind meets itself where a kind and the next are both in it; 十 and 壹 are no neighbours.
_BEFORE_ANOTHER = EVERY_KIND - UNIT[RANKS - 1]
_BEFORE_TWO_MORE = _BEFORE_ANOTHER - UNIT[RANKS - 2]


def _adjacent(tuanyuan: int) -> bool:
    """Two 团圆 are neighbours in one suit."""
    return bool(tuanyuan & tuanyuan >> 8 & _BEFORE_ANOTHER)


def _consecutive(tuanyuan: int) -> bool:
    """Three 团圆 follow one another in one suit."""
    return bool(tuanyuan & tuanyuan >> 8 & tuanyuan >> 16 & _BEFORE_TWO_MORE)


def _scattered(tuanyuan: int) -> bool:
    """There are three 团圆 of which no two are neighbours."""
    if tuanyuan.bit_count() < 3:
        return False
    sets = (UNIT[a] | UNIT[b] | UNIT[c] for a, b, c in combinations(kinds_of(tuanyuan), 3))
    return any(not _adjacent(three) for three in sets)


EIGHT = UNIT[INDEX["八"]]


def _eights(tuanyuan: int) -> bool:
    """Both eights are 团圆."""
    return bool(tuanyuan & tuanyuan >> SHIFT & EIGHT)


def _other_twins(tuanyuan: int) -> int:
    """How many numbers but eight are 团圆 in both suits."""
    return (tuanyuan & tuanyuan >> SHIFT & ~EIGHT).bit_count()


_ONES = UNIT[INDEX["一"]] | UNIT[INDEX["壹"]]
_TENS = UNIT[INDEX["十"]] | UNIT[INDEX["拾"]]


def _ends_of_suits(tuanyuan: int) -> int:
    """In how many suits one and ten are both 团圆."""
    return (tuanyuan & tuanyuan >> 8 * (RANKS - 1) & _ONES).bit_count()


def _ends(tuanyuan: int) -> bool:
    """A one and a ten are 团圆, of whatever suits."""
    return bool(tuanyuan & _ONES and tuanyuan & _TENS)


_ASKED: tuple[Callable[[int], int], ...] = (
    int.bit_count, _red, _adjacent, _consecutive, _scattered, _eights, _other_twins, _ends_of_suits, _ends,
)  # fmt: skip
"""All that the rows ask of the set of 团圆."""


class _Alike(dict[int, int]):
    """For every set of 团圆 that was met, the first one met of which all the answers are the same."""

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[tuple[int, ...], int] = {}

    def __missing__(self, tuanyuan: int) -> int:
        found = self[tuanyuan] = self._first.setdefault(tuple(ask(tuanyuan) for ask in _ASKED), tuanyuan)
        return found


TUANYUAN_ALIKE = _Alike()
"""By set of 团圆, one that no row tells from it: there are few of these."""

REDS_ALIKE = tuple(reds if reds < 2 or reds in (4, 8) or reds > 9 else 2 for reds in range(21))
"""By number of red cards, one that no row tells from it. 纯印 asks whether all of them are in red 团圆; there are at most two of these
below ten cards."""


def _dandiao(look: Look, ruleset: WeimaqueRuleset) -> bool:
    return look.pair_won and (ruleset.dandiao == "pair" or look.one_left)


ROWS: tuple[Mingtang[Look], ...] = (
    Mingtang(
        name="对子胡",
        kind="multiplier",
        small=4,
        large=6,
        zh="六句话都是三张相同",
        en="six triples and the pair",
        cite="小卓 对子和；大卓 4",
        times=lambda look, _: look.all_triples,
    ),
    Mingtang(
        name="乌对",
        kind="multiplier",
        small=6,
        large=8,
        zh="对子胡且没有红字",
        en="对子胡 without a red card",
        cite="小卓 乌对；大卓 5",
        times=lambda look, _: look.all_triples and look.reds == 0,
        replaces=lambda _: ("对子胡",),
    ),
    Mingtang(
        name="乌胡",
        kind="multiplier",
        small=4,
        large=4,
        zh="没有红字，不是对子胡",
        en="no red card, and not 对子胡",
        cite="小卓 乌胡；大卓 6",
        times=lambda look, _: look.reds == 0 and not look.all_triples,
    ),
    Mingtang(
        name="点胡",
        kind="multiplier",
        small=3,
        large=3,
        zh="只有一个红字",
        en="exactly one red card",
        cite="小卓 点胡；大卓 7",
        times=lambda look, _: look.reds == 1,
    ),
    Mingtang(
        name="印胡",
        kind="addition",
        small=10,
        large=20,
        zh="每个红字团圆一口印",
        en="once for each red 团圆",
        cite="小卓 印胡；大卓 1",
        of_tuanyuan=True,
        times=lambda look, _: _red(look.tuanyuan),
    ),
    Mingtang(
        name="纯印",
        kind="addition",
        small=None,
        large=100,
        zh="印胡，此外没有别的红字；每口一份",
        en="once for each red 团圆, where there is no other red card",
        cite="大卓 2",
        reading="R-CHUNYIN",
        of_tuanyuan=True,
        times=lambda look, _: _red(look.tuanyuan) if look.reds == 4 * _red(look.tuanyuan) else 0,
        replaces=lambda ruleset: ("印胡",) if ruleset.chunyin == "replaces" else (),
    ),
    Mingtang(
        name="多红",
        kind="addition",
        small=10,
        large=20,
        option="duohong_unit",
        zh="红字 10 个起，每多一个加一份",
        en="10 red cards or more: once for each red card above nine",
        cite="小卓 多红；大卓 3",
        reading="R-DUOHONG",
        times=lambda look, _: max(look.reds - 9, 0),
    ),
    Mingtang(
        name="满园花",
        kind="addition",
        small=50,
        large=100,
        zh="每句话和麻雀都有红字",
        en="every meld and the pair have a red card",
        cite="小卓 满园花；大卓 8",
        times=lambda look, _: look.all_red,
    ),
    Mingtang(
        name="大字胡",
        kind="addition",
        small=50,
        large=100,
        zh="20 张都是大字",
        en="all twenty cards are big",
        cite="小卓 大/小字和；大卓 9",
        times=lambda look, _: look.suit == BIG_SUIT,
    ),
    Mingtang(
        name="小字胡",
        kind="addition",
        small=50,
        large=100,
        zh="20 张都是小字",
        en="all twenty cards are small",
        cite="小卓 大/小字和；大卓 9",
        times=lambda look, _: look.suit == SMALL_SUIT,
    ),
    Mingtang(
        name="卓胡",
        kind="addition",
        small=None,
        large=20,
        family="卓",
        zh="两个团圆",
        en="two 团圆",
        cite="大卓 10",
        of_tuanyuan=True,
        times=lambda look, _: look.tuanyuan.bit_count() >= 2,
    ),
    Mingtang(
        name="姊妹卓",
        kind="addition",
        small=None,
        large=40,
        family="卓",
        zh="两个相连的团圆",
        en="two 团圆 of adjacent numbers",
        cite="大卓 11",
        of_tuanyuan=True,
        times=lambda look, _: _adjacent(look.tuanyuan),
    ),
    Mingtang(
        name="三乱卓",
        kind="addition",
        small=None,
        large=60,
        family="卓",
        zh="三个互不相连的团圆",
        en="three 团圆, none adjacent",
        cite="大卓 12",
        of_tuanyuan=True,
        times=lambda look, _: _scattered(look.tuanyuan),
    ),
    Mingtang(
        name="姊妹卓带拖",
        kind="addition",
        small=None,
        large=80,
        family="卓",
        zh="两个相连的团圆，另加一个",
        en="three 团圆, two of them adjacent",
        cite="大卓 13",
        of_tuanyuan=True,
        times=lambda look, _: look.tuanyuan.bit_count() >= 3 and _adjacent(look.tuanyuan),
    ),
    Mingtang(
        name="祖孙卓",
        kind="addition",
        small=None,
        large=150,
        family="卓",
        zh="三个相连的团圆",
        en="three 团圆 of consecutive numbers",
        cite="大卓 14",
        of_tuanyuan=True,
        times=lambda look, _: _consecutive(look.tuanyuan),
    ),
    Mingtang(
        name="四乱卓",
        kind="addition",
        small=None,
        large=200,
        family="卓",
        zh="四个团圆",
        en="four 团圆",
        cite="大卓 15",
        of_tuanyuan=True,
        times=lambda look, _: look.tuanyuan.bit_count() >= 4,
    ),
    Mingtang(
        name="祖孙卓带拖",
        kind="addition",
        small=None,
        large=300,
        option="zusunzhuo_daituo",
        family="卓",
        zh="三个相连的团圆，另加一个",
        en="four 团圆, three of them consecutive",
        cite="大卓 16",
        of_tuanyuan=True,
        times=lambda look, _: look.tuanyuan.bit_count() >= 4 and _consecutive(look.tuanyuan),
    ),
    Mingtang(
        name="海底胡",
        kind="addition",
        small=None,
        large=20,
        zh="胡最后一张底牌",
        en="won on the last stock card, whoever revealed it",
        cite="大卓 17",
        times=lambda look, ruleset: look.last and (look.own_reveal or not ruleset.haidi_self_only),
    ),
    Mingtang(
        name="单吊",
        kind="addition",
        small=None,
        large=10,
        zh="胡的字成麻雀",
        en="the winning card completes the pair",
        cite="大卓 18",
        reading="R-DANDIAO",
        times=_dandiao,
    ),
    Mingtang(
        name="对子胡单吊",
        kind="addition",
        small=None,
        large=20,
        zh="对子胡（乌对也是）单吊，代替单吊",
        en="单吊 with 对子胡 or 乌对, instead of 单吊",
        cite="大卓 18",
        reading="R-DANDIAO",
        times=lambda look, ruleset: look.all_triples and _dandiao(look, ruleset),
        replaces=lambda _: ("单吊",),
        shown="单吊",
    ),
    Mingtang(
        name="八碰头",
        kind="addition",
        small=None,
        large=200,
        zh="八和捌都团圆",
        en="both 八 and 捌 are 团圆",
        cite="大卓 19",
        of_tuanyuan=True,
        times=lambda look, _: _eights(look.tuanyuan),
    ),
    Mingtang(
        name="假八碰头",
        kind="addition",
        small=None,
        large=100,
        zh="八以外的字大小都团圆",
        en="a number other than eight is 团圆 in both suits",
        cite="大卓 20",
        of_tuanyuan=True,
        times=lambda look, ruleset: min(_other_twins(look.tuanyuan), 1 if ruleset.jiabapengtou_once else RANKS),
    ),
    Mingtang(
        name="背靠背",
        kind="addition",
        small=None,
        large=20,
        zh="胡的字成三张，麻雀是另一种字的同数",
        en="the winning card makes a triple, the pair is the same number in the other suit",
        cite="大卓 21",
        times=lambda look, _: look.beside == "背",
    ),
    Mingtang(
        name="手牵手",
        kind="addition",
        small=None,
        large=20,
        zh="胡的字成三张，麻雀是同种相邻的数",
        en="the winning card makes a triple, the pair is the adjacent number in the same suit",
        cite="大卓 22",
        times=lambda look, _: look.beside == "手",
    ),
    Mingtang(
        name="龙摆尾",
        kind="addition",
        small=None,
        large=100,
        zh="一和十都团圆，或壹和拾都团圆",
        en="both 一 and 十 are 团圆, or both 壹 and 拾",
        cite="大卓 23",
        of_tuanyuan=True,
        times=lambda look, ruleset: _ends(look.tuanyuan) if ruleset.longbaiwei_mixed else _ends_of_suits(look.tuanyuan),
    ),
    Mingtang(
        name="蛰一蛰",
        kind="addition",
        small=None,
        large=10,
        zh="本盘先前蛰过，只算一次",
        en="蛰 was declared earlier in the hand; once",
        cite="大卓 24",
        times=lambda look, ruleset: look.zhe and ruleset.zhe,
    ),
    Mingtang(
        name="摸胡",
        kind="addition",
        small=None,
        large=10,
        zh="自己揭的牌胡，栽了胡也算",
        en="won on one's own reveal, 栽 included",
        cite="大卓 25",
        times=lambda look, ruleset: look.own_reveal and ruleset.mohu,
    ),
)
"""Every 名堂 of §5 in the order of its tables, multipliers first."""

MULTIPLIERS = frozenset(row.name for row in ROWS if row.kind == "multiplier")


def _beside(kind: int, pair: int) -> Beside:
    if abs(kind - pair) == RANKS:
        return "背"
    return "手" if abs(kind - pair) == 1 and kind // RANKS == pair // RANKS else ""


BESIDE: tuple[tuple[Beside, ...], ...] = tuple(tuple(_beside(kind, pair) for pair in range(KINDS)) for kind in range(KINDS))
"""``BESIDE[kind][pair]``: what a pair is to a triple of ``kind``."""
