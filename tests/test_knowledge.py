"""Records in which cards are unknown: what is established holds in every deal that fits, what is possible in some of them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any, cast

import msgspec
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from engine.games import GAMES
from engine.judge import check
from engine.replay import frames
from engine.witness import check_with_witnesses
from schemas import changde as c
from schemas import weimaque as w
from schemas.base import UNSET
from schemas.events import Exhausted, Settlement, Transfer
from schemas.verdict import Finding, Verdict, WeimaqueOutcome
from tools.play import whole_hand
from tools.random_hand import random_hand

BOTH = pytest.mark.parametrize("game", ["weimaque", "changde"])
SEEDS = st.integers(0, 2**32)
WITHOUT_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""A smaller seed makes no simpler hand."""

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "weimaque": {
        "chi_passed": ("offered", "able", "seen"),
        "discard_ban": ("claimed", "whole_meld"),
        "may_chi_if_can_peng": (False, True),
        "last_card_claims": (False, True),
        "own_discard_blocks_peng": (False, True),
        "forbid_dead_claim": (False, True),
    },
    "changde": {
        "added_kong_any": (False, True),
        "kong_after_peng": (False, True),
        "rob_window": ("after_bu", "before_bu"),
        "ma_count": (0, 2, "all"),
        "void_all_kongs": (False, True),
        "discard_zhong_forfeits": (False, True),
        "four_zhong_wins": (False, True),
        "fifth_copy": (True, False),
        "seven_pairs": (False, True),
    },
}

OF_SIZES = frozenset(("wmq-deal-size", "cd-deal-size"))
"""Rules that ask only about what was written: a hand, stock or wall that was not is taken to have its right size."""

Key = tuple[int, str, Any]
replace = msgspec.structs.replace


def some_hand(game: str, random: Random) -> Any:
    """A full hand, played by the rules or against them, with or without claims and payments that may be wrong."""
    options = {name: random.choice(values) for name, values in OPTIONS[game].items()}
    if random.random() < 0.4:
        return declared(whole_hand(game, random), random)
    record = random_hand(
        game,
        random,
        faults=random.choice((0.0, 0.03, 0.15)),
        claims=random.choice((0.1, 0.5, 0.9)),
        stacked=random.random() < 0.5,
        **options,
    )
    return declared(record, random)


def declared(record: Any, random: Random) -> Any:
    """The record with what the winner declares and what is paid, right or wrong."""
    outcome = check(record).outcome
    if outcome is None:
        return record
    events = list(record.events)
    for place, event in enumerate(events):
        if isinstance(event, w.Hu) and isinstance(outcome, WeimaqueOutcome) and outcome.total_xi is not None:
            wrong = random.choice((0, 0, 1))
            claim = w.Claim(total_xi=outcome.total_xi + wrong, hard_xi=outcome.hard_xi or 0, mingtang=outcome.mingtang)
            events[place] = replace(event, claim=claim)
        elif isinstance(event, c.Hu):
            events[place] = replace(event, claim=c.Claim(points=random.choice((6, 8, 10))))
        elif isinstance(event, c.Ma) and random.random() < 0.3:
            flipped: list[Any] = list(event.pai)
            flipped[random.randrange(len(flipped))] = random.choice(events[1].wall)
            events[place] = replace(event, pai=flipped)
    if not any(isinstance(event, Settlement) for event in events) and random.random() < 0.5:
        paid = outcome.transfers or [Transfer(from_=0, to=1, amount=1)]
        events.append(Settlement(transfers=paid))
    return replace(record, events=events)


def masked(record: Any, random: Random) -> Any:
    """The record with some cards, hands, or the cards not dealt unknown."""
    share = random.choice((0.0, 0.03, 0.3))
    in_events = random.choice((0.0, 0.0, 0.05, 0.3))
    blank = random.choice((0.0, 0.3, 1.0))
    events = list(record.events)
    deal = events[1]
    dark = {seat for seat in range(len(deal.hands)) if random.random() < blank}

    def card(token: Any, chance: float) -> Any:
        return "?" if random.random() < chance else token

    def part(cards: Sequence[str] | None, unknown: bool) -> Any:
        return None if unknown or cards is None else [card(token, share) for token in cards]

    lying = GAMES["weimaque" if isinstance(deal, w.Deal) else "changde"].flow.lying
    hands = [part(hand, seat in dark and bool(hand)) for seat, hand in enumerate(deal.hands)]
    events[1] = replace(deal, hands=hands, **{lying: part(getattr(deal, lying), random.random() < 0.5)})
    unseen_draws = random.random() < 0.5
    for place, event in enumerate(events[2:], 2):
        if isinstance(event, c.Draw | c.Replacement) and event.actor in dark and unseen_draws:
            event = replace(event, pai="?")
        elif isinstance(getattr(event, "pai", None), str):
            event = replace(event, pai=card(event.pai, in_events))
        if isinstance(event, w.Chi):
            event = replace(event, consumed=[card(token, in_events) for token in event.consumed])
        for shown in ("pai", "hand"):
            cards: Any = getattr(event, shown, UNSET)
            if isinstance(cards, list):
                event = replace(event, **{shown: [card(token, in_events) for token in cast("list[str]", cards)]})
        events[place] = event
    return replace(record, events=events)


def key(finding: Finding) -> Key:
    return finding.seq, finding.rule, finding.actor


def established(verdict: Verdict) -> set[Key]:
    return {key(finding) for finding in verdict.findings if finding.certainty == "established"}


def possible(verdict: Verdict) -> set[Key]:
    return {key(finding) for finding in verdict.findings if finding.certainty == "possible"}


@BOTH
@settings(max_examples=300, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS)
def test_a_masked_record_is_right_about_the_full_one(game: str, seed: int) -> None:
    random = Random(seed)
    record = some_hand(game, random)
    full = check(record, possible=True)
    assert not possible(full), "nothing is merely possible where everything is known"
    # 码 that were flipped wrongly may be a fifth copy: no way to complete the masked record is one that cannot be.
    assume(all(finding.kind != "impossible" for finding in full.findings))
    found = established(full)
    hidden = masked(record, random)
    verdict = check(hidden, possible=True)
    assert established(verdict) <= found
    assert {k for k in found if k[1] not in OF_SIZES} <= established(verdict) | possible(verdict)
    assert len(possible(verdict)) <= verdict.possible
    assert check(hidden).findings == [finding for finding in verdict.findings if finding.certainty == "established"]
    outcome = verdict.outcome
    if outcome is None or outcome.certainty == "established":
        assert outcome == full.outcome
    if isinstance(outcome, WeimaqueOutcome) and outcome.certainty == "possible" and isinstance(full.outcome, WeimaqueOutcome):
        assert isinstance(outcome.hard_xi_range, list)
        assert isinstance(outcome.total_xi_range, list)
        if full.outcome.hard_xi is not None and full.outcome.total_xi is not None:
            assert outcome.hard_xi_range[0] <= full.outcome.hard_xi <= outcome.hard_xi_range[1]
            assert outcome.total_xi_range[0] <= full.outcome.total_xi <= outcome.total_xi_range[1]


def hand_with_flips(random: Random, ma_count: Any) -> tuple[Any, int]:
    """A hand of 常德麻将 that was won, and the place of its 奖码."""
    while True:
        record: Any = whole_hand("changde", random, ma_count=ma_count)
        for place, event in enumerate(record.events):
            if isinstance(event, c.Ma):
                return record, place


def test_a_tile_flipped_once_too_often_is_a_fifth_copy_whether_the_wall_is_known_or_not() -> None:
    random = Random("flipped")
    for _ in range(10):
        record, place = hand_with_flips(random, "all")
        first, *others = record.events[place].pai
        wrong = replace(record.events[place], pai=[random.choice([tile for tile in others if tile != first]), *others])
        deal = record.events[1]
        for wall, told in ((deal.wall, "established"), (None, "possible")):
            events = [*record.events[:1], replace(deal, wall=wall), *record.events[2:place], wrong, *record.events[place + 1 :]]
            verdict = check(replace(record, events=events), possible=True)
            found = {finding.rule: finding.certainty for finding in verdict.findings if finding.seq == place}
            assert found == {"cd-copies": "established", "cd-ma-tiles": told}


@BOTH
@settings(max_examples=60, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS)
def test_no_frame_tells_an_outcome_before_somebody_wins_or_the_hand_is_drawn(game: str, seed: int) -> None:
    random = Random(seed)
    record = masked(some_hand(game, random), random)
    ended = False
    for event, frame in zip(record.events, frames(record), strict=True):
        ended = ended or isinstance(event, w.Hu | c.Hu | Exhausted)
        assert ended or frame.outcome is None


@BOTH
def test_what_was_not_written_down_has_its_right_size(game: str) -> None:
    record: Any = random_hand(game, Random(1))
    start, deal = record.events[:2]
    lying = GAMES[game].flow.lying
    short = next(seat for seat, hand in enumerate(deal.hands) if hand)
    hands = [hand[1:] if seat == short else hand for seat, hand in enumerate(deal.hands)]
    dealt = replace(deal, hands=hands, **{lying: [*getattr(deal, lying), deal.hands[short][0]]})

    def told(deal: Any) -> set[str]:
        return {finding.rule for finding in check(replace(record, events=[start, deal]), possible=True).findings}

    assert told(dealt) & OF_SIZES
    assert told(replace(dealt, hands=[None] * len(hands))) & OF_SIZES, "the rest is still too large"
    assert not told(replace(dealt, hands=[None] * len(hands), **{lying: None})) & OF_SIZES


@BOTH
@settings(max_examples=60, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS)
def test_what_is_possible_names_what_would_decide_it(game: str, seed: int) -> None:
    random = Random(seed)
    verdict = check(masked(some_hand(game, random), random), possible=True)
    for finding in verdict.findings:
        if finding.certainty == "established":
            assert finding.needs is UNSET
        else:
            assert isinstance(finding.needs, list)
            assert finding.needs
            assert all("seq" in need for need in finding.needs), finding


def every_completion(record: Any, places: list[tuple[int, int]], lying: str) -> Iterator[Any]:
    """The record with the cards at ``places`` (seat or -1 for those not dealt, index) in every order."""
    deal = record.events[1]
    cards = [(getattr(deal, lying) if seat < 0 else deal.hands[seat])[index] for seat, index in places]
    for order in sorted(set(permutations(cards))):
        yield with_cards(record, places, order, lying)


def with_cards(record: Any, places: list[tuple[int, int]], cards: tuple[Any, ...], lying: str) -> Any:
    deal = record.events[1]
    hands = [list(hand) for hand in deal.hands]
    rest = list(getattr(deal, lying))
    for (seat, index), card in zip(places, cards, strict=True):
        (rest if seat < 0 else hands[seat])[index] = card
    events = list(record.events)
    events[1] = replace(deal, hands=hands, **{lying: rest})
    return replace(record, events=events)


def assert_holds_in_all_or_some(verdict: Verdict, completions: Iterable[Any]) -> None:
    """What the verdict establishes is what all completions that fit have, what it calls possible what only some have; what would make the
    record impossible no completion that fits can have. Where all end alike, so does the verdict."""
    impossible = {key(finding) for finding in verdict.findings if finding.kind == "impossible"}
    fitting = [
        full
        for full in map(check, completions)
        if all(finding.kind != "impossible" or key(finding) in established(verdict) for finding in full.findings)
    ]
    # A contradiction that no card shows by itself need not be told.
    assume(fitting)
    in_some = set[Key]().union(*map(established, fitting))
    in_all = in_some.intersection(*map(established, fitting))
    assert established(verdict) == in_all
    assert {k for k in possible(verdict) if k not in impossible} == in_some - in_all
    if all(full.outcome == fitting[0].outcome for full in fitting):
        assert verdict.outcome == fitting[0].outcome


def tells_which_fit(verdict: Verdict) -> bool:
    """Whether every contradiction is told: ``wmq-shouxing-acts`` stands alone, even where the stock contradicts the reveal."""
    return all(finding.rule != "wmq-shouxing-acts" for finding in verdict.findings)


def hand_with_places(game: str, random: Random) -> tuple[Any, list[tuple[int, int]]]:
    """A hand played well or badly, and the places of all its cards (as in ``every_completion``)."""
    faults, is_stacked, claims = random.choice((0, 0.03, 0.15)), random.random() < 0.6, random.choice((0.1, 0.9))
    record: Any = random_hand(game, random, faults=faults, stacked=is_stacked, claims=claims)
    deal = record.events[1]
    places = [(seat, index) for seat, hand in enumerate(deal.hands) for index in range(len(hand))]
    return record, places + [(-1, index) for index in range(len(getattr(deal, GAMES[game].flow.lying)))]


@BOTH
@settings(max_examples=150, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS, unknown=st.integers(2, 4))
def test_every_deal_tried_one_by_one_gives_the_same_answers(game: str, seed: int, unknown: int) -> None:
    random = Random(seed)
    record, everywhere = hand_with_places(game, random)
    lying = GAMES[game].flow.lying
    places = random.sample(everywhere, unknown)
    if random.random() < 0.7:
        one_hand = [place for place in everywhere if place[0] == random.choice([place[0] for place in everywhere if place[0] >= 0])]
        places = list(dict.fromkeys([*random.sample(one_hand, min(unknown - 1, len(one_hand))), places[0]]))
    verdict = check(with_cards(record, places, ("?",) * len(places), lying), possible=True)
    assume(tells_which_fit(verdict))
    assert_holds_in_all_or_some(verdict, every_completion(record, places, lying))


@settings(max_examples=100, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS)
def test_every_wall_tried_gives_the_same_answers_about_the_flipped_tiles(seed: int) -> None:
    random = Random(seed)
    record, place = hand_with_flips(random, random.choice((1, 2, 4, "all")))
    events, deal = list(record.events), record.events[1]
    if random.random() < 0.4:
        flipped: list[Any] = list(events[place].pai)
        flipped[random.randrange(len(flipped))] = random.choice(deal.wall)
        events[place] = replace(events[place], pai=flipped)
    record = replace(record, events=events)
    drawn = sum(isinstance(event, c.Draw) for event in events)
    near = range(drawn, min(drawn + 6, len(deal.wall)))
    places = [(-1, index) for index in random.sample(near, min(random.choice((1, 2, 3)), len(near)))]
    if random.random() < 0.5:
        seat = random.randrange(4)
        places.append((seat, random.randrange(len(deal.hands[seat]))))
    is_unnamed = random.random() < 0.3
    if is_unnamed:
        record = with_card_unnamed(record, place, random)
        places = places[-2:]
    hidden = with_cards(record, places, ("?",) * len(places), "wall")
    completions = every_completion(record, places, "wall")
    if is_unnamed:
        completions = (full for part in completions for full in every_card_named(part, place, GAMES["changde"].tokens))
    assert_holds_in_all_or_some(check(hidden, possible=True), completions)


def with_card_unnamed(record: Any, place: int, random: Random) -> Any:
    """The record with one card of the event at ``place`` unknown."""
    event = record.events[place]
    if isinstance(event, w.Chi) and random.random() < 0.7:
        consumed: list[Any] = list(event.consumed)
        consumed[random.randrange(2)] = "?"
        event = replace(event, consumed=consumed)
    elif isinstance(event, c.Ma):
        flipped: list[Any] = list(event.pai)
        flipped[random.randrange(len(flipped))] = "?"
        event = replace(event, pai=flipped)
    else:
        event = replace(event, pai="?")
    return replace(record, events=[*record.events[:place], event, *record.events[place + 1 :]])


def every_card_named(record: Any, place: int, tokens: Sequence[str]) -> Iterator[Any]:
    """The record with each card in turn for the unknown one of the event at ``place``."""
    event = record.events[place]
    for token in tokens:
        if event.pai == "?":
            named = replace(event, pai=token)
        elif isinstance(event, c.Ma):
            named = replace(event, pai=[token if tile == "?" else tile for tile in event.pai])
        else:
            named = replace(event, consumed=[token if card == "?" else card for card in event.consumed])
        yield replace(record, events=[*record.events[:place], named, *record.events[place + 1 :]])


@BOTH
@settings(max_examples=150, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS, unknown=st.integers(0, 3))
def test_every_card_tried_in_an_event_gives_the_same_answers(game: str, seed: int, unknown: int) -> None:
    random = Random(seed)
    record, everywhere = hand_with_places(game, random)
    lying = GAMES[game].flow.lying
    named = [place for place, event in enumerate(record.events) if isinstance(getattr(event, "pai", None), str)]
    assume(named)
    place = random.choice(named[-12:] if random.random() < 0.7 else named)
    places = random.sample(everywhere, unknown)
    unnamed = with_card_unnamed(record, place, random)
    verdict = check(with_cards(unnamed, places, ("?",) * len(places), lying), possible=True)
    assume(tells_which_fit(verdict))
    dealt = every_completion(unnamed, places, lying)
    assert_holds_in_all_or_some(verdict, (full for part in dealt for full in every_card_named(part, place, GAMES[game].tokens)))


@BOTH
@settings(max_examples=10, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS)
def test_witnesses_check_out(game: str, seed: int) -> None:
    random = Random(seed)
    hidden = masked(some_hand(game, random), random)
    lying = GAMES[game].flow.lying
    verdict = check_with_witnesses(hidden)
    impossible = {key(finding) for finding in verdict.findings if finding.kind == "impossible" and finding.certainty == "established"}
    for finding in verdict.findings:
        if finding.certainty == "established":
            assert finding.witness is UNSET
            continue
        assert finding.witness is not UNSET
        for broken, deal in ((False, finding.witness.legal), (True, finding.witness.broken)):
            if deal is None:
                continue
            events = list(hidden.events)
            events[1] = replace(events[1], hands=deal.hands, **{lying: getattr(deal, lying)})
            for seen in deal.events or ():
                events[seen.seq] = seen.event
            assert agrees(hidden.events, events)
            full = check(replace(hidden, events=events), possible=True)
            assert (key(finding) in established(full)) == broken, (finding, broken)
            assert established(full) <= established(verdict) | possible(verdict)
            assert {key(f) for f in full.findings if f.kind == "impossible"} <= impossible


def agrees(written: list[Any], completed: list[Any]) -> bool:
    """Whether everything written is kept, unknown cards aside."""

    def fits(ours: Any, theirs: Any) -> bool:
        if ours == "?" or ours is None:
            return True
        if isinstance(ours, list) and isinstance(theirs, list):
            mine = cast("list[Any]", ours)
            others = cast("list[Any]", theirs)
            return len(mine) == len(others) and all(map(fits, mine, others))
        return ours == theirs

    return all(
        fits(msgspec.to_builtins(getattr(ours, name)), msgspec.to_builtins(getattr(theirs, name)))
        for ours, theirs in zip(written, completed, strict=True)
        for name in ours.__struct_fields__
        if getattr(ours, name) is not UNSET
    )


def test_most_possible_findings_of_the_play_have_both_witnesses() -> None:
    random = Random("witnesses")
    both = all_of_them = 0
    while all_of_them < 60:
        record: Any = random_hand("weimaque", random, stacked=random.random() < 0.5)
        hidden = replace(
            record,
            events=[
                record.events[0],
                replace(record.events[1], hands=[None] * len(record.events[0].players), stock=None),
                *record.events[2:],
            ],
        )
        for finding in check_with_witnesses(hidden).findings:
            if finding.certainty == "possible" and finding.rule in (
                "wmq-wei-missed",
                "wmq-discard-kan",
                "wmq-chi-could-peng",
                "wmq-peng-passed",
            ):
                assert finding.witness is not UNSET
                all_of_them += 1
                both += finding.witness.legal is not None and finding.witness.broken is not None
    assert both >= 0.9 * all_of_them


@BOTH
@settings(max_examples=40, phases=WITHOUT_SHRINKING)
@given(seed=SEEDS)
def test_as_the_table_knew_it_is_the_log_up_to_then(game: str, seed: int) -> None:
    random = Random(seed)
    record = masked(random_hand(game, random, stacked=random.random() < 0.5), random)
    then = frames(record, hindsight=False)
    now = frames(record)
    assert [frame.seq for frame in then] == [frame.seq for frame in now]
    for frame in random.sample(then, min(5, len(then))):
        cut = replace(record, events=record.events[: frame.seq + 1])
        (alone,) = frames(cut, first=frame.seq)
        assert frame == replace(alone, version=len(record.events))
    for before, after in zip(then, now, strict=True):
        for knew, knows in zip(before.state.seats, after.state.seats, strict=True):
            if knew.hand is not None and knows.hand is not None:
                assert all(knew.hand.count(card) <= knows.hand.count(card) for card in knew.hand)
