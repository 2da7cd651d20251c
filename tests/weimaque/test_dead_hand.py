"""Whether a hand of which some cards are unknown has one that may be discarded, against every way to fill it."""

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.games import GAMES
from engine.judge import check, open_table
from engine.log import effective_log
from engine.truth import NO, UNKNOWN, YES
from engine.weimaque.rules.facts import legal_discard
from schemas import weimaque as w
from schemas.record import WeimaqueRecord
from schemas.rulesets import WeimaqueRules

TOKENS: tuple[Any, ...] = tuple(GAMES["weimaque"].tokens)
START = w.Start(rules=WeimaqueRules(preset="dazhuo"), players=["甲", "乙", "丙"], dealer=0)


def some_deal(random: Random) -> tuple[list[Any], list[Any]]:
    """A dealer's hand of many 砍, and the rest of the deck."""
    threes = random.sample(TOKENS, 6)
    hand = [token for token in threes for _ in range(3)]
    hand += random.choice((threes[:2], [random.choice([token for token in TOKENS if token not in threes])] * 2))
    left = Counter(dict.fromkeys(TOKENS, 4)) - Counter(hand)
    rest = list(left.elements())
    random.shuffle(rest)
    return hand, rest


def test_every_way_to_fill_a_hand_agrees() -> None:
    answers = Counter[int]()
    exact = 0
    for seed in range(400):
        random = Random(seed)
        hand, rest = some_deal(random)
        random.shuffle(hand)
        unknown, lying = random.randint(1, 5), random.randint(1, 4)
        pool = [*hand[:unknown], *rest[-lying:]]
        hands: list[Any] = [["?"] * unknown + hand[unknown:], rest[:19], rest[19:38]]
        stock: list[Any] = [*rest[38:-lying], *["?"] * lying]
        deal = w.Deal(hands=hands, stock=stock)
        table = open_table(GAMES["weimaque"], effective_log([START, deal]))
        ways = {tuple(sorted(chosen)) for chosen in combinations(pool, unknown)}
        dead = [min(Counter([*hand[unknown:], *way]).values()) >= 3 for way in ways]
        right = NO if all(dead) else UNKNOWN if any(dead) else YES
        answer = legal_discard(table, 0)
        assert answer in (right, UNKNOWN)
        answers[right] += 1
        exact += answer == right
    assert answers[YES] > 40
    assert answers[UNKNOWN] > 40
    assert exact > 360


def test_a_dealer_whose_hand_is_perhaps_dead_as_dealt_is_doubted_from_then_on() -> None:
    hand: list[Any] = [*"三三三四四四七七七十十十伍伍伍伍陆陆陆", "陆"]
    reveal = w.Reveal(actor=0, pai="一")
    told: dict[str, dict[str, str]] = {}
    dealt: Any
    for name, dealt in (("dead", hand), ("alive", [*hand[:-1], "玖"]), ("open", [*hand[:-1], "?"]), ("untold", None)):
        record = WeimaqueRecord(format="paipu/1", events=[replace(START, dealer=2), w.Deal(hands=[None, None, dealt], stock=None), reveal])
        told[name] = {finding.rule: finding.certainty for finding in check(record, possible=True).findings if finding.seq < 3}
    assert told == {
        "dead": {"wmq-dead-hand": "established"},
        "alive": {"wmq-turn": "established"},
        "open": {"wmq-dead-hand": "possible", "wmq-turn": "possible"},
        "untold": {"wmq-dead-hand": "possible", "wmq-turn": "possible"},
    }
