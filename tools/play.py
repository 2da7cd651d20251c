"""Hands of either game played by the rules to their very end: what the rules offer is chosen from at random, winners show their hands,
and what is due behind the win follows.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.changde.outcome import ma_owed
from engine.game import Game
from engine.games import GAMES
from engine.judge import fold, open_table
from engine.log import EffectiveLog
from engine.truth import YES
from schemas import changde as c
from schemas import events as shared
from schemas import weimaque as w
from schemas.record import ChangdeRecord, Record, WeimaqueRecord
from tools.random_hand import changde_deal, changde_start, weimaque_deal, weimaque_start

_LONGEST = 300
_GOES_ON = (w.Discard, w.Reveal, c.Discard, c.Draw)


class Play:
    """A hand being played: the events so far, and the position behind the last of them."""

    def __init__(self, game: Game, events: Sequence[Any]) -> None:
        self.game = game
        self.events: list[Any] = list(events)
        self.seqs = list(range(len(self.events)))
        log = EffectiveLog(written=0, seqs=self.seqs, events=self.events)
        self.table = open_table(game, log)
        fold(game, log, self.table)

    def do(self, event: Any) -> None:
        """Go on with this event, whatever it is."""
        seq = len(self.events)
        self.events.append(event)
        self.seqs.append(seq)
        self.table.seq = self.table.at = seq
        event_type: type[Any] = event.__class__
        evolve = self.game.evolve.get(event_type)
        if evolve is not None:
            pai = getattr(event, "pai", None)
            evolve(self.table, getattr(event, "actor", -1), self.game.index[pai] if isinstance(pai, str) else -1, event)


def play(game: Game, random: Random, opening: Sequence[Any], *, claims: float = 0.8, wins: float = 0.8) -> Record:
    """Play on from 开局 and 起牌 (of which everything is known). ``claims`` and ``wins`` are the chances that what interrupts the play,
    and a win, is taken where it is offered.
    """
    hand = Play(game, opening)
    while len(hand.events) < _LONGEST and (choices := game.legal(hand.table)):
        won = [choice for choice in choices if isinstance(choice, w.Hu | c.Hu)]
        content = {wait.seat for wait in game.waits(hand.table)}
        choices = [choice for choice in choices if not isinstance(choice, w.Peng | w.Chi | c.Peng) or choice.actor not in content]
        plain = [choice for choice in choices if isinstance(choice, _GOES_ON)]
        claimed = [choice for choice in choices if choice not in plain and choice not in won]
        over = hand.table.ended == YES
        if won and random.random() < wins:
            hand.do(_shown(hand, random.choice(won)))
        elif over:
            break
        elif claimed and (not plain or random.random() < claims):
            hand.do(random.choice(claimed))
        else:
            hand.do(_played(hand, random, plain or won))
    _pay(hand)
    return (WeimaqueRecord if game.name == "weimaque" else ChangdeRecord)(format="paipu/1", events=hand.events)


def _played(hand: Play, random: Random, choices: list[Any]) -> Any:
    """One of what lets the play go on; at 常德 rather the tile just drawn than another discard."""
    if hand.game.name == "changde" and hand.table.drawn >= 0 and random.random() < 0.75:
        drawn = hand.game.tokens[hand.table.drawn]
        choices = [choice for choice in choices if isinstance(choice, c.Discard) and choice.pai == drawn] or choices
    return random.choice(choices)


def _shown(hand: Play, event: Any) -> Any:
    """A 胡 with the concealed hand as it is laid open, the winning card aside."""
    counts = list(hand.table.hand[event.actor])
    if isinstance(event, c.Hu) and event.kind == "自摸" and hand.table.drawn >= 0:
        counts[hand.table.drawn] -= 1
    return replace(event, hand=[hand.game.tokens[kind] for kind, count in enumerate(counts) for _ in range(count)])


def _pay(hand: Play) -> None:
    """奖码 where they are due, and the 结算 of a hand that has ended."""
    if hand.table.ended != YES:
        return
    if hand.game.name == "changde" and hand.table.wins:
        due, _ = ma_owed(hand.table, hand.table.wins)
        tokens: Any = hand.game.tokens
        if due:
            hand.do(c.Ma(pai=[tokens[kind] for kind in hand.table.flip[:due]]))
    outcome = hand.game.outcome(hand.table)
    if outcome is not None and outcome.transfers:
        hand.do(shared.Settlement(transfers=outcome.transfers))


def whole_hand(name: str, random: Random, **options: Any) -> Record:
    """A random hand of the game ``name``, played to its end. ``options`` go into the ruleset."""
    game = GAMES[name]
    if name == "weimaque":
        opening = weimaque_start(random, **options)
        return play(game, random, [opening, weimaque_deal(random, opening)])
    start = changde_start(random, **options)
    if random.random() < 0.5:
        return play(game, random, [start, changde_deal(random, start)])
    return play(game, random, [start, *busy_opening(random, start)])


def busy_opening(random: Random, start: c.Start) -> list[Any]:
    """A deal and a first discard of 常德麻将, after which most likely one player makes a 碰, later draws the fourth tile, and is robbed
    of the kong by the one or two players who wait for it.
    """
    deal = changde_deal(random, start)
    tokens: Any = GAMES["changde"].tokens
    pool = [4] * 27
    wanted = random.randrange(27)
    pool[wanted] = 0
    others = [seat for seat in range(4) if seat != start.dealer]
    random.shuffle(others)
    held: list[list[int]] = [[] for _ in range(4)]
    held[start.dealer] = [wanted]
    held[others[0]] = [wanted, wanted]
    for seat in others[1 : random.choice((2, 3))]:
        held[seat] = _waiting(random, pool, wanted)
    rest = [tokens.index(token) for part in (*deal.hands, deal.wall) for token in part or ()]
    for tile in (tile for hand in (*held, [wanted]) for tile in hand):
        rest.remove(tile)
    random.shuffle(rest)
    for seat, hand in enumerate(deal.hands):
        short = len(hand or ()) - len(held[seat])
        held[seat] += rest[:short]
        del rest[:short]
    rest.insert(3, wanted)
    return [
        c.Deal(hands=[[tokens[kind] for kind in hand] for hand in held], wall=[tokens[kind] for kind in rest]),
        c.Discard(actor=start.dealer, pai=tokens[wanted]),
    ]


def _waiting(random: Random, pool: list[int], wanted: int) -> list[int]:
    """Thirteen tiles out of the pool that wait for ``wanted`` in a run; none where the pool has no such run left."""
    runs = [range(low, low + 3) for low in range(max(0, wanted - 2), wanted + 1) if low // 9 == (low + 2) // 9 == wanted // 9]
    ends = [[tile for tile in run if tile != wanted] for run in runs]
    possible = [tiles for tiles in ends if all(pool[tile] for tile in tiles)]
    if not possible:
        return []
    tiles = random.choice(possible)
    for tile in tiles:
        pool[tile] -= 1
    while len(tiles) < 11:
        kind = random.randrange(27)
        meld = [kind] * 3 if random.random() < 0.4 else [kind, kind + 1, kind + 2]
        if meld[-1] // 9 == kind // 9 and all(pool[tile] >= meld.count(tile) for tile in meld):
            tiles += meld
            for tile in meld:
                pool[tile] -= 1
    pair = random.choice([kind for kind in range(27) if pool[kind] >= 2])
    pool[pair] -= 2
    return [*tiles, pair, pair]
