"""名堂 (rules §5): each one row of data with the predicate that says whether, and how often, a divided hand holds it.

Rows are sorted by what they look at: the twenty cards and how they were won (``Cards``), the 团圆 (``Tuanyuan``), or how the
hand is divided and where the winning card stands in it (``Division``). Each of these is a handful of small values, so that what
the rows of one kind come to is found once and kept (``engine.weimaque.score``).
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from engine.weimaque.deck import INDEX, KINDS
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import RANKS, RED_CARDS, kinds_of

NO_SUIT = -1
SMALL_SUIT = 0
BIG_SUIT = 1

Place = Literal["", "麻雀", "三张", "顺子"]
"""What the winning card completes in a division: nothing (天胡), the pair, a triple, or a run."""

Beside = Literal["", "背", "手"]
"""What the pair is to a triple that the winning card completes: the same number in the other suit (背), the adjacent number in
its own (手), or neither."""


class Cards(NamedTuple):
    """The twenty cards and how they were won: red cards, the one suit they are of (or ``NO_SUIT``); on one's own reveal, on the
    last card, after 蛰."""

    reds: int
    suit: int
    own_reveal: bool
    last: bool
    zhe: bool


class Tuanyuan(NamedTuple):
    """The 团圆 of a division (a packed set of kinds), and whether the twenty cards have no red beyond those of the 团圆."""

    kinds: int
    no_other_red: bool


class Division(NamedTuple):
    """How the hand is divided: ``reds`` among the twenty cards as far as it matters (0, 1, 2 for more), six triples or not, a red
    card in every meld and the pair or not; what the winning card completes; what the pair is to a triple so completed; whether
    only one card was left in hand.
    """

    reds: int
    all_triples: bool
    all_red: bool
    place: Place
    beside: Beside
    one_left: bool


Aspect = TypeVar("Aspect")


def _replaces_nothing(ruleset: WeimaqueRuleset) -> tuple[str, ...]:
    return ()


class Mingtang(msgspec.Struct, Generic[Aspect], frozen=True, kw_only=True):
    """One 名堂.

    ``small`` and ``large`` are its values in 小卓 and 大卓, ``None`` where that edition has no such row; ``option`` names the ruleset
    field that gives the value instead. ``times`` says how often it is held (0: not). ``replaces`` are 名堂 that do not count beside
    it; of those of one ``family`` only the highest counts. ``shown`` is the name in verdicts if it differs. ``cite`` is the place
    in the source's lists.
    """

    name: str
    kind: Literal["multiplier", "addition"]
    small: int | None
    large: int | None
    zh: str
    en: str
    cite: str
    times: Callable[[Aspect, WeimaqueRuleset], int]
    option: str | None = None
    replaces: Callable[[WeimaqueRuleset], tuple[str, ...]] = _replaces_nothing
    family: str | None = None
    shown: str | None = None
    reading: str | None = None

    def value(self, ruleset: WeimaqueRuleset) -> int:
        """The factor or the 息 a time under this ruleset; 0 where the 名堂 is not played."""
        named = ruleset.values.get(self.name)
        if named is not None:
            return named
        listed = self.small if ruleset.preset == "xiaozhuo" else self.large
        if listed is None:
            return 0
        return listed if self.option is None else getattr(ruleset, self.option)


class Amounts(NamedTuple):
    """What the rows of one kind come to: the multiplier (1 if none), the sum of the additions, and both by name (an addition
    whole, a multiplier's factor)."""

    multiplier: int
    addition: int
    named: tuple[tuple[str, int], ...]


def amounts(rows: Iterable[Mingtang[Aspect]], aspect: Aspect, ruleset: WeimaqueRuleset) -> Amounts:
    """What ``rows`` come to for ``aspect`` under ``ruleset``, replaced rows and the lower ones of a family left out."""
    held = [(row, value, times) for row in rows if (value := row.value(ruleset)) and (times := int(row.times(aspect, ruleset)))]
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


def _numbers(tuanyuan: Tuanyuan) -> Iterator[tuple[int, int]]:
    """Suit and number (0 to 9) of each 团圆."""
    return (divmod(kind, RANKS) for kind in kinds_of(tuanyuan.kinds))


def _red_tuanyuan(tuanyuan: Tuanyuan, _: WeimaqueRuleset) -> int:
    return (tuanyuan.kinds & RED_CARDS).bit_count()


def _adjacent(tuanyuan: Tuanyuan) -> bool:
    """Two of them are neighbours in one suit. The lowest byte of 大字 is no neighbour of the highest of 小字."""
    numbers = set(_numbers(tuanyuan))
    return any((suit, number + 1) in numbers for suit, number in numbers)


def _consecutive(tuanyuan: Tuanyuan) -> bool:
    """Three of them follow one another in one suit."""
    numbers = set(_numbers(tuanyuan))
    return any((suit, number + 1) in numbers and (suit, number + 2) in numbers for suit, number in numbers)


def _scattered(tuanyuan: Tuanyuan) -> bool:
    """Three of them are there of which none are neighbours."""
    return any(
        not any(a[0] == b[0] and abs(a[1] - b[1]) == 1 for a, b in combinations(three, 2)) for three in combinations(_numbers(tuanyuan), 3)
    )


def _at_least(count: int) -> Callable[[Tuanyuan, WeimaqueRuleset], int]:
    return lambda tuanyuan, _: tuanyuan.kinds.bit_count() >= count


def _numbers_in_both_suits(tuanyuan: Tuanyuan) -> set[int]:
    numbers = set(_numbers(tuanyuan))
    return {number for suit, number in numbers if (1 - suit, number) in numbers}


EIGHT = INDEX["八"]


def _jiabapengtou(tuanyuan: Tuanyuan, ruleset: WeimaqueRuleset) -> int:
    found = len(_numbers_in_both_suits(tuanyuan) - {EIGHT})
    return min(found, 1) if ruleset.jiabapengtou_once else found


def _longbaiwei(tuanyuan: Tuanyuan, ruleset: WeimaqueRuleset) -> int:
    first = {suit for suit, number in _numbers(tuanyuan) if number == 0}
    last = {suit for suit, number in _numbers(tuanyuan) if number == RANKS - 1}
    if ruleset.longbaiwei_mixed:
        return bool(first and last)
    return len(first & last)


def _dandiao(division: Division, ruleset: WeimaqueRuleset) -> bool:
    return division.place == "麻雀" and (ruleset.dandiao == "pair" or division.one_left)


OF_CARDS: tuple[Mingtang[Cards], ...] = (
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
        times=lambda cards, _: max(cards.reds - 9, 0),
    ),
    Mingtang(
        name="大字胡",
        kind="addition",
        small=50,
        large=100,
        zh="20 张都是大字",
        en="all twenty cards are big",
        cite="小卓 大/小字和；大卓 9",
        times=lambda cards, _: cards.suit == BIG_SUIT,
    ),
    Mingtang(
        name="小字胡",
        kind="addition",
        small=50,
        large=100,
        zh="20 张都是小字",
        en="all twenty cards are small",
        cite="小卓 大/小字和；大卓 9",
        times=lambda cards, _: cards.suit == SMALL_SUIT,
    ),
    Mingtang(
        name="海底胡",
        kind="addition",
        small=None,
        large=20,
        zh="胡最后一张底牌",
        en="won on the last stock card, whoever revealed it",
        cite="大卓 17",
        times=lambda cards, ruleset: cards.last and (cards.own_reveal or not ruleset.haidi_self_only),
    ),
    Mingtang(
        name="蛰一蛰",
        kind="addition",
        small=None,
        large=10,
        zh="本盘先前蛰过，只算一次",
        en="蛰 was declared earlier in the hand; once",
        cite="大卓 24",
        times=lambda cards, ruleset: cards.zhe and ruleset.zhe,
    ),
    Mingtang(
        name="摸胡",
        kind="addition",
        small=None,
        large=10,
        zh="自己揭的牌胡，栽了胡也算",
        en="won on one's own reveal, 栽 included",
        cite="大卓 25",
        times=lambda cards, ruleset: cards.own_reveal and ruleset.mohu,
    ),
)

OF_TUANYUAN: tuple[Mingtang[Tuanyuan], ...] = (
    Mingtang(
        name="印胡",
        kind="addition",
        small=10,
        large=20,
        zh="每个红字团圆一口印",
        en="once for each red 团圆",
        cite="小卓 印胡；大卓 1",
        times=_red_tuanyuan,
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
        times=lambda tuanyuan, ruleset: _red_tuanyuan(tuanyuan, ruleset) if tuanyuan.no_other_red else 0,
        replaces=lambda ruleset: ("印胡",) if ruleset.chunyin == "replaces" else (),
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
        times=_at_least(2),
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
        times=lambda tuanyuan, _: _adjacent(tuanyuan),
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
        times=lambda tuanyuan, _: _scattered(tuanyuan),
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
        times=lambda tuanyuan, _: tuanyuan.kinds.bit_count() >= 3 and _adjacent(tuanyuan),
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
        times=lambda tuanyuan, _: _consecutive(tuanyuan),
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
        times=_at_least(4),
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
        times=lambda tuanyuan, _: tuanyuan.kinds.bit_count() >= 4 and _consecutive(tuanyuan),
    ),
    Mingtang(
        name="八碰头",
        kind="addition",
        small=None,
        large=200,
        zh="八和捌都团圆",
        en="both 八 and 捌 are 团圆",
        cite="大卓 19",
        times=lambda tuanyuan, _: EIGHT in _numbers_in_both_suits(tuanyuan),
    ),
    Mingtang(
        name="假八碰头",
        kind="addition",
        small=None,
        large=100,
        zh="八以外的字大小都团圆",
        en="a number other than eight is 团圆 in both suits",
        cite="大卓 20",
        times=_jiabapengtou,
    ),
    Mingtang(
        name="龙摆尾",
        kind="addition",
        small=None,
        large=100,
        zh="一和十都团圆，或壹和拾都团圆",
        en="both 一 and 十 are 团圆, or both 壹 and 拾",
        cite="大卓 23",
        times=_longbaiwei,
    ),
)

OF_DIVISION: tuple[Mingtang[Division], ...] = (
    Mingtang(
        name="对子胡",
        kind="multiplier",
        small=4,
        large=6,
        zh="六句话都是三张相同",
        en="six triples and the pair",
        cite="小卓 对子和；大卓 4",
        times=lambda division, _: division.all_triples,
    ),
    Mingtang(
        name="乌对",
        kind="multiplier",
        small=6,
        large=8,
        zh="对子胡且没有红字",
        en="对子胡 without a red card",
        cite="小卓 乌对；大卓 5",
        times=lambda division, _: division.all_triples and division.reds == 0,
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
        times=lambda division, _: division.reds == 0 and not division.all_triples,
    ),
    Mingtang(
        name="点胡",
        kind="multiplier",
        small=3,
        large=3,
        zh="只有一个红字",
        en="exactly one red card",
        cite="小卓 点胡；大卓 7",
        times=lambda division, _: division.reds == 1,
    ),
    Mingtang(
        name="满园花",
        kind="addition",
        small=50,
        large=100,
        zh="每句话和麻雀都有红字",
        en="every meld and the pair have a red card",
        cite="小卓 满园花；大卓 8",
        times=lambda division, _: division.all_red,
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
        times=lambda division, ruleset: division.all_triples and _dandiao(division, ruleset),
        replaces=lambda _: ("单吊",),
        shown="单吊",
    ),
    Mingtang(
        name="背靠背",
        kind="addition",
        small=None,
        large=20,
        zh="胡的字成三张，麻雀是另一种字的同数",
        en="the winning card makes a triple, the pair is the same number in the other suit",
        cite="大卓 21",
        times=lambda division, _: division.beside == "背",
    ),
    Mingtang(
        name="手牵手",
        kind="addition",
        small=None,
        large=20,
        zh="胡的字成三张，麻雀是同种相邻的数",
        en="the winning card makes a triple, the pair is the adjacent number in the same suit",
        cite="大卓 22",
        times=lambda division, _: division.beside == "手",
    ),
)

_TABLE_ORDER: list[str] = [
    *("对子胡", "乌对", "乌胡", "点胡"),
    *("印胡", "纯印", "多红", "满园花", "大字胡", "小字胡"),
    *("卓胡", "姊妹卓", "三乱卓", "姊妹卓带拖", "祖孙卓", "四乱卓", "祖孙卓带拖"),
    *("海底胡", "单吊", "对子胡单吊", "八碰头", "假八碰头", "背靠背", "手牵手", "龙摆尾", "蛰一蛰", "摸胡"),
]

ROWS: tuple[Mingtang[Any], ...] = tuple(sorted((*OF_CARDS, *OF_TUANYUAN, *OF_DIVISION), key=lambda row: _TABLE_ORDER.index(row.name)))
"""Every 名堂 of §5 in the order of its tables, multipliers first."""

MULTIPLIERS = frozenset(row.name for row in ROWS if row.kind == "multiplier")
ORDER: dict[str, int] = {row.name: place for place, row in enumerate(ROWS)}
"""Place of each name in the tables; verdicts list 名堂 in this order."""


def in_table_order(named: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """名堂 with their values, in the order of the tables."""
    return sorted(named, key=lambda entry: ORDER[entry[0]])


def _beside(kind: int, pair: int) -> Beside:
    if abs(kind - pair) == RANKS:
        return "背"
    return "手" if abs(kind - pair) == 1 and kind // RANKS == pair // RANKS else ""


BESIDE: tuple[tuple[Beside, ...], ...] = tuple(tuple(_beside(kind, pair) for pair in range(KINDS)) for kind in range(KINDS))
"""``BESIDE[kind][pair]``: what a pair is to a triple of ``kind``."""
