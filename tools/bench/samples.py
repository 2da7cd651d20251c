"""What is measured: recorded hands of both games, and made-up winning hands from fixed seeds."""

import random
from pathlib import Path
from typing import Any

import msgspec

from engine.changde.packed import Packed
from engine.changde.packed import pack as pack_tiles
from engine.weimaque.deck import COPIES, KINDS
from engine.weimaque.laid import Laid, with_meld
from engine.weimaque.packed import UNIT
from engine.weimaque.score import Win
from schemas.record import Record
from tools.bench.peers import Unmeasurable

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"

DECODER = msgspec.json.Decoder(Record)


def recorded(game: str) -> list[bytes]:
    """Complete hands of a game without a fault, each as JSON without white space."""
    path = VECTORS / f"{game}-records-clean.jsonl"
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise Unmeasurable(f"没有样本 no samples: {path.relative_to(ROOT)}") from error
    return [msgspec.json.format(line, indent=-1) for line in lines]


def records(game: str) -> list[Any]:
    """The same, decoded."""
    return [DECODER.decode(text) for text in recorded(game)]


def events_in(game: str) -> int:
    """How many events they hold, 开局 and 起牌 included."""
    return sum(len(record.events) for record in records(game))


def _mahjong_groups(choose: random.Random, groups: int) -> list[int]:
    """Counts by kind (27, no 红中) of so many melds and a pair, no kind more than four times."""
    while True:
        counts = [0] * 27
        for _ in range(groups):
            suit, run = 9 * choose.randrange(3), choose.random() < 0.7
            first = suit + choose.randrange(7 if run else 9)
            for kind in (first, first + 1, first + 2) if run else (first, first, first):
                counts[kind] += 1
        counts[choose.randrange(27)] += 2
        if max(counts) <= COPIES:
            return counts


def mahjong_wins(seed: int, hands: int) -> list[list[int]]:
    """Counts by kind of 34, as riichi programs have them, of complete hands of 14 tiles."""
    choose = random.Random(seed)
    return [_mahjong_groups(choose, 4) + [0] * 7 for _ in range(hands)]


def with_one_changed(seed: int, wins: list[list[int]]) -> list[list[int]]:
    """The same hands, one tile of each replaced by another at random."""
    choose = random.Random(seed)
    changed: list[list[int]] = []
    for win in wins:
        counts = list(win)
        counts[choose.choice([kind for kind in range(27) if counts[kind]])] -= 1
        counts[choose.choice([kind for kind in range(27) if counts[kind] < COPIES])] += 1
        changed.append(counts)
    return changed


def with_one_less(seed: int, wins: list[list[int]]) -> list[list[int]]:
    """The same hands without one tile."""
    choose = random.Random(seed)
    lessened: list[list[int]] = []
    for win in wins:
        counts = list(win)
        counts[choose.choice([kind for kind in range(27) if counts[kind]])] -= 1
        lessened.append(counts)
    return lessened


def packed_tiles(hands: list[list[int]]) -> list[Packed]:
    """The suits of hands given as counts."""
    return [pack_tiles([*hand[:27], 0]) for hand in hands]


def tiles_136(counts: list[int]) -> list[int]:
    """A hand as riichi programs number the tiles, four to a kind."""
    return [4 * kind + copy for kind, count in enumerate(counts) for copy in range(count)]


class WinSample(msgspec.Struct, frozen=True, gc=False):
    """A win at 偎麻雀: melds on the table, concealed cards without the winning one (packed), that card, and whether its winner revealed
    it. ``melds`` are those on the table once more, one by one."""

    melds: list[tuple[str, tuple[int, int, int]]]
    laid: Laid
    hand: int
    kind: int
    own_reveal: bool

    def win(self) -> Win:
        """As the scorer is asked."""
        return Win(laid=self.laid, hand=self.hand, kind=self.kind, own_reveal=self.own_reveal)


def weimaque_wins(seed: int, hands: int, most_laid: int = 4) -> list[WinSample]:
    """Hands of six melds, three of them triples or more, and a pair, up to ``most_laid`` of the melds on the table."""
    choose = random.Random(seed)
    found: list[WinSample] = []
    while len(found) < hands:
        melds: list[tuple[int, int, int]] = []
        for number in range(6):
            if number < 3 or choose.random() < 0.2:
                kind = choose.randrange(KINDS)
                melds.append((kind, kind, kind))
            else:
                first = 10 * choose.randrange(2) + choose.randrange(8)
                melds.append((first, first + 1, first + 2))
        pair = choose.randrange(KINDS)
        cards = [card for meld in melds for card in meld] + [pair, pair]
        if max(cards.count(kind) for kind in set(cards)) > COPIES:
            continue
        choose.shuffle(melds)
        laid = Laid()
        on_table = choose.randint(0, most_laid)
        named = [("碰" if meld[0] == meld[2] else "吃", meld) for meld in melds[:on_table]]
        for word, meld in named:
            laid = with_meld(laid, word, meld)
        concealed = [card for meld in melds[on_table:] for card in meld] + [pair, pair]
        kind = choose.choice(concealed)
        hand = sum(UNIT[card] for card in concealed) - UNIT[kind]
        found.append(WinSample(named, laid, hand, kind, choose.random() < 0.5 and concealed.count(kind) < 3))
    return found
