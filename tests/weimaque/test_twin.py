"""The scorer beside its slow twin (``tools.weimaque_twin``)."""

from collections import Counter
from random import Random
from typing import Any, Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.weimaque.deck import INDEX, KINDS, TOKENS
from engine.weimaque.laid import lay
from engine.weimaque.options import WeimaqueRuleset
from engine.weimaque.packed import pack_kinds, unpack
from engine.weimaque.partition import melds, partitions
from engine.weimaque.score import Win, best_hard_xi, scorer_of
from engine.weimaque.waits import waits
from tools.weimaque_twin import BIG, DECK, LARGE_TABLE, RED, SMALL, Case, divide, in_order, twin, waits_of_twin


def complete_hand(random: Random) -> tuple[list[str], str]:
    """Six melds and a pair that one pack can hold, with many fourth copies, and many of one suit or of one colour."""
    while True:
        suits = random.choice([SMALL, BIG, DECK, DECK])
        colour = random.choice(["any", "any", "any", "black", "red"])
        runs = [suit[at : at + 3] for suit in (SMALL, BIG) for at in range(8) if suit[0] in suits and fits(suit[at : at + 3], colour)]
        triples = [card * 3 for card in suits if fits(card, colour)]
        groups: list[str] = []
        while len(groups) < 6:
            meld = random.choice(triples if triples and random.random() < random.choice([0.3, 0.6, 0.95]) else runs)
            if groups and random.random() < 0.3:
                shared = [other for other in runs if set(other) & set(random.choice(groups))]
                meld = random.choice(shared or runs)
            groups.append(meld)
        left = [card for card in suits if Counter("".join(groups))[card] <= 2 and fits(card, colour)]
        if max(Counter("".join(groups)).values()) <= 4 and left:
            return groups, random.choice(left)


def fits(cards: str, colour: str) -> bool:
    """Whether cards have a red one (``red``), none (``black``), or either (``any``)."""
    return colour == "any" or bool(RED & set(cards)) == (colour == "red")


def case_of(random: Random) -> Case:
    groups, pair = complete_hand(random)
    random.shuffle(groups)
    on_table = random.randrange(7)
    table = [(random.choice(["碰", "栽"]) if meld[0] == meld[1] else "吃", meld) for meld in groups[:on_table]]
    hand = "".join(groups[on_table:]) + pair * 2
    own, wei = random.random() < 0.5, False
    last, zhe = random.random() < 0.2, random.random() < 0.2
    if own and table and table[-1][0] == "栽" and random.random() < 0.6:
        return Case(table, hand, table[-1][1][0], own, last, True, zhe)
    card = random.choice(hand)
    rest = hand.replace(card, "", 1)
    if rest.count(card) >= 2:
        own = False
    if random.random() < 0.1:
        others = "".join(groups[:on_table]) + rest[:-1] + card
        rest = rest[:-1] + random.choice([other for other in DECK if others.count(other) < 4 and (other != card or not own)])
    return Case(table, rest, card, own, last, wei, zhe)


def ruleset_of(random: Random) -> WeimaqueRuleset:
    def any_of(*values: Any) -> Any:
        return values[0] if random.random() < 0.6 else random.choice(values)

    preset: Literal["xiaozhuo", "dazhuo"] = "dazhuo" if random.random() < 0.7 else "xiaozhuo"
    names = random.sample(sorted(LARGE_TABLE), random.randrange(4)) if random.random() < 0.4 else []
    return WeimaqueRuleset(
        preset=preset,
        min_hard_xi=any_of(10, 0, 9, 14, 20),
        chunyin=any_of("replaces", "adds"),
        duohong_unit=any_of(20 if preset == "dazhuo" else 10, 20, 10, 7),
        dandiao=any_of("pair", "last_card"),
        haidi_self_only=any_of(False, True),
        jiabapengtou_once=any_of(True, False),
        longbaiwei_mixed=any_of(False, True),
        zhe=preset == "dazhuo" and any_of(True, False),
        multiplier_base=any_of("hard", "all"),
        mohu=any_of(True, False),
        zusunzhuo_daituo=any_of(300, 200),
        values={name: random.choice([0, 1, 15, 500]) for name in names},
    )


def as_win(case: Case) -> Win:
    return Win(
        laid=lay((kind, [INDEX[card] for card in meld]) for kind, meld in case.table),
        hand=pack_kinds(INDEX[card] for card in case.hand),
        kind=INDEX[case.card],
        own_reveal=case.own,
        last=case.last,
        wei=case.wei,
        zhe=case.zhe,
    )


@settings(max_examples=600)
@given(st.integers(0, 2**48).map(Random))
def test_the_scorer_agrees_with_its_twin(random: Random) -> None:
    case, ruleset = case_of(random), ruleset_of(random)
    most, best = twin(case, ruleset)
    win = as_win(case)

    scored = scorer_of(ruleset).best(win)

    assert best_hard_xi(win) == most
    assert (scored and (scored.hard_xi, scored.total_xi, scored.mingtang)) == best
    assert scorer_of(ruleset).can_win(win) == (best is not None)


@settings(max_examples=300)
@given(st.integers(0, 2**48).map(Random))
def test_every_division_is_found_once(random: Random) -> None:
    groups, pair = complete_hand(random)
    concealed = in_order("".join(groups[random.randrange(6) :]) + pair * 2)
    if random.random() < 0.2:
        concealed = in_order(concealed[1:] + random.choice([card for card in DECK if concealed[1:].count(card) < 4]))
    expected = {
        (tuple(sorted(tuple(INDEX[card] for card in meld) for meld in division)), INDEX[pair]) for division, pair in divide(concealed)
    }
    cards = pack_kinds(INDEX[card] for card in concealed)

    found = [(tuple(melds(cards, partition)), partition[1]) for partition in partitions(cards)]

    assert set(found) == expected
    assert len(found) == len(expected)


@settings(max_examples=60)
@given(st.integers(0, 2**48).map(Random))
def test_waits_agree_with_trying_every_card(random: Random) -> None:
    case, ruleset = case_of(random), ruleset_of(random)
    if case.wei:
        case = case._replace(table=case.table[:-1], hand=case.hand + case.card * 2, wei=False)
    mine = Counter(case.hand + "".join(meld for _, meld in case.table))
    expected = [(INDEX[card], own, other) for card, own, other in waits_of_twin(case, ruleset)]
    win = as_win(case)
    seen = unpack(win.laid.cards + win.hand)

    found = waits(scorer_of(ruleset), win.laid, win.hand, seen, last=case.last, zhe=case.zhe)

    assert [(wait.kind, wait.own, wait.other) for wait in found] == expected
    assert all(wait.left == 4 - mine[TOKENS[wait.kind]] for wait in found)


def test_the_twin_names_cards_as_the_deck_does() -> None:
    assert tuple(DECK) == TOKENS
    assert len(DECK) == KINDS
