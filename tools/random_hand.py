"""Random hands of either game for tests and measurements: dealt in full, played by the rules or, now and then, against them, but never so
that the record would be impossible."""

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.game import Game
from engine.games import GAMES
from engine.judge import open_table
from engine.log import EffectiveLog
from engine.steps import plans
from engine.truth import NO, YES
from schemas import changde as c
from schemas import events as shared
from schemas import weimaque as w
from schemas.record import ChangdeRecord, Record, WeimaqueRecord
from schemas.rulesets import ChangdeRules, WeimaqueRules

_LONGEST = 300


def weimaque_start(random: Random, seats: int | None = None, **options: Any) -> w.Start:
    """A random 开局 of 偎麻雀, with three or four at the table."""
    seats = seats or random.choice((3, 4))
    rules = WeimaqueRules(preset=options.pop("preset", random.choice(("dazhuo", "xiaozhuo"))), **options)
    return w.Start(rules=rules, players=["甲", "乙", "丙", "丁"][:seats], dealer=random.randrange(seats))


def weimaque_deal(random: Random, start: w.Start) -> w.Deal:
    """A shuffled deck, dealt in full."""
    tokens: list[Any] = [token for token in GAMES["weimaque"].tokens for _ in range(4)]
    random.shuffle(tokens)
    resting = (start.dealer + 2) % 4 if len(start.players) == 4 else -1
    hands: list[Any] = []
    for seat in range(len(start.players)):
        size = 0 if seat == resting else 20 if seat == start.dealer else 19
        hands.append(tokens[:size])
        tokens = tokens[size:]
    return w.Deal(hands=hands, stock=tokens)


def stack_weimaque(random: Random, start: w.Start, deal: w.Deal) -> w.Deal:
    """The same deal with cards exchanged so that a player needs one card for twenty that divide, and finds it early in the stock."""
    tokens: Any = GAMES["weimaque"].tokens
    pool = [4] * len(tokens)
    cards: list[int] = []
    while len(cards) < 18:
        kind = random.randrange(20)
        meld = [kind] * 3 if random.random() < 0.6 else [kind, kind + 1, kind + 2]
        if meld[-1] // 10 == kind // 10 and all(pool[card] >= meld.count(card) for card in meld):
            cards += meld
            for card in meld:
                pool[card] -= 1
    cards += [random.choice([kind for kind in range(20) if pool[kind] >= 2])] * 2
    random.shuffle(cards)
    seat = random.choice([seat for seat in range(len(start.players)) if deal.hands[seat] and seat != start.dealer])
    rest = [kind for kind in range(20) for _ in range(4)]
    for card in cards:
        rest.remove(card)
    random.shuffle(rest)
    hands: list[Any] = []
    for other, hand in enumerate(deal.hands):
        size = len(hand or ())
        hands.append([tokens[kind] for kind in (cards[:-1] if other == seat else rest[:size])])
        rest = rest if other == seat else rest[size:]
    rest.insert(random.randrange(6), cards[-1])
    return w.Deal(hands=hands, stock=[tokens[kind] for kind in rest])


def changde_start(random: Random, **options: Any) -> c.Start:
    """A random 开局 of 常德麻将."""
    rules = ChangdeRules(preset=options.pop("preset", random.choice(("standard", "hongzhong"))), **options)
    return c.Start(rules=rules, players=["甲", "乙", "丙", "丁"], dealer=random.randrange(4))


def changde_deal(random: Random, start: c.Start) -> c.Deal:
    """Shuffled tiles, dealt in full."""
    tokens: list[Any] = [token for token in GAMES["changde"].tokens for _ in range(4) if token != "7z" or start.rules.preset == "hongzhong"]
    random.shuffle(tokens)
    hands: list[Any] = []
    for seat in range(4):
        size = 14 if seat == start.dealer else 13
        hands.append(tokens[:size])
        tokens = tokens[size:]
    return c.Deal(hands=hands, wall=tokens)


def stack_changde(random: Random, start: c.Start, deal: c.Deal) -> c.Deal:
    """The same deal with tiles exchanged so that a player needs one tile, which is the first that he draws if nobody claims before."""
    tokens = [token for token in GAMES["changde"].tokens if token != "7z"]
    pool = [4] * len(tokens)
    tiles: list[int] = []
    while len(tiles) < 12:
        kind = random.randrange(27)
        meld = [kind] * 3 if random.random() < 0.5 else [kind, kind + 1, kind + 2]
        if meld[-1] // 9 == kind // 9 and all(pool[tile] >= meld.count(tile) for tile in meld):
            tiles += meld
            for tile in meld:
                pool[tile] -= 1
    tiles += [random.choice([kind for kind in range(27) if pool[kind] >= 2])] * 2
    random.shuffle(tiles)
    seat = random.choice([seat for seat in range(4) if seat != start.dealer])
    wanted: list[Any] = [tokens[tile] for tile in tiles]
    rest: list[Any] = [token for hand in (*deal.hands, deal.wall) for token in hand or ()]
    for token in wanted:
        rest.remove(token)
    random.shuffle(rest)
    hands: list[Any] = []
    for other, hand in enumerate(deal.hands):
        size = len(hand or ())
        hands.append(wanted[:-1] if other == seat else rest[:size])
        rest = rest if other == seat else rest[size:]
    rest.insert((seat - start.dealer - 1) % 4, wanted[-1])
    return c.Deal(hands=hands, wall=rest)


def random_hand(
    name: str, random: Random, *, faults: float = 0.0, claims: float = 0.5, talk: float = 0.05, stacked: bool = False, **options: Any
) -> Record:
    """A random hand of the game ``name``.

    ``faults`` is the chance of an action that may break a rule, ``claims`` that a claim is preferred to letting play go on, ``talk`` that
    somebody says 过 or 叫; a ``stacked`` hand is likely to be won. ``options`` go into the ruleset.
    """
    if name == "weimaque":
        start: Any = weimaque_start(random, **options)
        deal: Any = weimaque_deal(random, start)
        deal = stack_weimaque(random, start, deal) if stacked else deal
    else:
        start = changde_start(random, **options)
        deal = changde_deal(random, start)
        deal = stack_changde(random, start, deal) if stacked else deal
    events = list(_played(GAMES[name], random, [start, deal], faults, claims, talk))
    return (WeimaqueRecord if name == "weimaque" else ChangdeRecord)(format="paipu/1", events=events)


def _played(game: Game, random: Random, events: list[Any], faults: float, claims: float, talk: float) -> Iterator[Any]:
    by_type = plans(game.name)
    log = list(events)
    seqs = list(range(len(events)))
    table = open_table(game, EffectiveLog(written=0, seqs=seqs, events=log))

    def play(event: Any) -> None:
        seqs.append(len(log))
        log.append(event)
        evolve(event, len(log) - 1)

    def evolve(event: Any, seq: int) -> None:
        table.seq = table.at = seq
        plan = by_type[type(event)]
        if plan.evolve is not None:
            plan.evolve(table, getattr(event, "actor", -1), _kind(game, event), event)

    def possible(event: Any) -> bool:
        table.seq = len(log)
        return all(
            rule.kind != "impossible" or rule.breach[type(event)](table, getattr(event, "actor", -1), _kind(game, event), event) == NO
            for rule in by_type[type(event)].before_rules
        )

    for seq, event in enumerate(events):
        evolve(event, seq)
    while table.ended != YES and len(log) < _LONGEST:
        if random.random() < talk:
            seat = random.randrange(len(table.names))
            word = random.choice((shared.Pass(actor=seat), shared.Call(actor=seat, act=random.choice(("胡", "碰", "吃", "杠")))))
            if possible(word):
                play(word)
        event = None
        if random.random() < faults:
            event = next((tried for tried in (_any_event(game, table, random) for _ in range(30)) if possible(tried)), None)
        if event is None:
            choices = game.legal(table)
            if not choices:
                break
            claimed = [choice for choice in choices if not isinstance(choice, w.Discard | c.Discard | w.Reveal | c.Draw)]
            plain = [choice for choice in choices if choice not in claimed]
            won = [choice for choice in claimed if isinstance(choice, w.Hu | c.Hu)]
            event = random.choice(
                won if won and random.random() < 0.7 else claimed if claimed and (not plain or random.random() < claims) else plain
            )
        play(event)
    yield from log


def _kind(game: Game, event: Any) -> int:
    card = getattr(event, "pai", None)
    return game.index[card] if isinstance(card, str) else -1


def _any_event(game: Game, table: Any, random: Random) -> Any:
    """Some event that a careless table might come to, with cards that are there."""
    seat = random.randrange(len(table.names))
    held = [kind for kind, count in enumerate(table.hand[seat]) for _ in range(count)]
    tokens: Any = game.tokens
    card = tokens[random.choice(held)] if held else tokens[0]
    lying: Any = tokens[table.card] if table.card >= 0 else card
    some: Any = random.choice((card, lying))
    if game.name == "weimaque":
        top: Any = tokens[table.stock[-table.stock_left]] if table.stock_left else "?"
        used: Any = [tokens[kind] for kind in random.sample(held, 2)] if len(held) > 1 else [card, card]
        return random.choice(
            (
                w.Discard(actor=seat, pai=card),
                w.Discard(actor=seat, pai=card),
                w.Reveal(actor=seat, pai=top),
                w.Peng(actor=seat, pai=some),
                w.Wei(actor=seat, pai=some),
                w.Chi(actor=seat, pai=lying, consumed=used),
                w.Hu(actor=seat),
                w.Zhe(actor=seat),
                w.DeadHand(actor=seat),
                w.Show(actor=seat, pai=[tokens[kind] for kind in held]),
            )
        )
    front: Any = tokens[table.wall.ahead] if table.wall.ahead >= 0 else "?"
    return random.choice(
        (
            c.Discard(actor=seat, pai=card),
            c.Draw(actor=seat, pai=front),
            c.Peng(actor=seat, pai=some),
            c.Kong(actor=seat, pai=some, kind=random.choice(("暗", "明", "碰"))),
            c.Hu(actor=seat, kind=random.choice(("自摸", "抢杠"))),
            c.Show(actor=seat, pai=[tokens[kind] for kind in held]),
        )
    )
