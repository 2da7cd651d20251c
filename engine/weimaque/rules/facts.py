"""Facts about the position that several rules ask for."""

from engine.truth import NO, UNKNOWN, YES, Truth, either
from engine.weimaque.deck import COPIES, INDEX, token
from engine.weimaque.deck import UNKNOWN as UNKNOWN_CARD
from engine.weimaque.packed import UNIT, held_once_or_twice
from engine.weimaque.state import BY_REVEAL, DISCARD, LOST_CHI, LOST_PENG, OPENING, PENG, RESPOND, WEI, Table
from engine.weimaque.unnamed import EVERY, still_held
from schemas.weimaque import Chi, Discard, Reveal


def on_table(t: Table, kind: int) -> Truth:
    """Whether the card on the table is of this kind."""
    if t.phase != RESPOND:
        return NO
    if kind < 0 or t.card < 0:
        return UNKNOWN
    return YES if t.card == kind else NO


def among(t: Table, seat: int, kind: int, which: int, perhaps: int = 0) -> Truth:
    """Whether the seat is among those that lost 碰 or 吃 of the kind, or played it (``which`` of ``LOST_PENG``, …); if not, that may
    still turn on a card that nobody named, or on a hand that nobody knows (``perhaps``, bits by seat)."""
    if t.gone[kind] >> which + seat & 1:
        return YES
    return UNKNOWN if (t.gone_perhaps[kind] >> which | perhaps) >> seat & 1 else NO


def let_go(t: Table, seat: int, kind: int, claim: str) -> int:
    """The seq of the card of this kind with which the seat first lost the claim (碰 or 吃), -1 if it is not on record."""
    bit = seat + (LOST_PENG if claim == PENG else LOST_CHI)
    return next((seq for seq, lost, gone in t.trail if lost == kind and gone >> bit & 1), -1)


def own_play(t: Table, seat: int, kind: int) -> int:
    """The seq of the seat's last discard or reveal of this kind before the event that is read, -1 if there is none."""
    return t.past.last(t.at, seat, token(kind), (Discard, Reveal))


def taking(t: Table, seat: int, kind: int) -> int:
    """The seq of the 吃 or 碰 that bars the seat from discarding the kind, -1 if there is none."""
    read, since = t.barring[seat]
    melds = t.melds[seat]
    if not read:
        since = {}
    for at in range(read, len(melds)):
        meld = melds[at]
        if meld.kind != WEI and meld.card >= 0:
            for barred in kinds_barred_by(t, meld.card, meld.cards):
                since.setdefault(barred, meld.seq)
    t.barring[seat] = len(melds), since
    return since.get(kind, -1)


def barred(t: Table, seat: int, kind: int) -> Truth:
    """Whether the seat may not discard the kind: a 砍 still whole, or a kind that it 吃'd or 碰'd (R-KAN, R-CLAIMED)."""
    return either(t.holds(seat, kind, 3), barred_by_taking(t, seat, kind))


def barred_by_taking(t: Table, seat: int, kind: int) -> Truth:
    """Whether the kind is one that the seat 吃'd or 碰'd and may not discard (R-CLAIMED)."""
    return YES if t.banned[seat] & UNIT[kind] else UNKNOWN if t.banned_perhaps[seat] & UNIT[kind] else NO


def never_kan(t: Table, seat: int, cards: int) -> int:
    """The set of kinds (``UNIT``) among the known ``cards`` (packed) of the seat that are no 砍 whatever its unseen ones are."""
    if not t.unseen[seat]:
        return held_once_or_twice(cards)
    several = cards >> 1
    return cards & ~several & t.one_free | several & ~cards & t.none_free


def legal_discard(t: Table, seat: int, spent: tuple[int, ...] = (), claimed: tuple[int, ...] = ()) -> Truth:
    """Whether the seat has a card that it may discard (R-DEAD), after ``spent`` kinds have left its hand and ``claimed`` kinds are barred
    on top."""
    unseen, lost = t.unseen[seat], t.lost[seat]
    banned, perhaps = t.banned[seat], t.banned_perhaps[seat]
    if not t.fifth:
        sure = never_kan(t, seat, t.packed[seat]) & ~banned
        # Each card that has left the hand unnamed, is spent or bars a kind takes away one of these at most.
        taken_away = len(spent) + len(claimed)
        if (sure & ~perhaps and not (lost or taken_away)) or sure.bit_count() > lost + t.unnamed_bars[seat] + taken_away:
            return YES
        if not (unseen or lost or perhaps or taken_away):
            return NO
    if UNKNOWN_CARD in spent or UNKNOWN_CARD in claimed:
        return UNKNOWN
    answer: Truth = NO
    for kind, unit, have, free in zip(EVERY, UNIT, t.hand[seat], t.free, strict=True):
        if banned & unit or kind in claimed:
            continue
        if kind in spent:
            have -= spent.count(kind)
        most = have + (unseen if unseen < free else free)
        if most <= 0:
            continue
        if have > lost and most < 3 and not perhaps & unit:
            return YES
        if answer == NO and t.at_least(seat, kind) - spent.count(kind) < 3:
            answer = UNKNOWN
    if answer == UNKNOWN and not t.fifth and not _may_be_barred_whole(t, seat, spent, claimed):
        return YES
    return answer


def _may_be_barred_whole(t: Table, seat: int, spent: tuple[int, ...], claimed: tuple[int, ...]) -> bool:
    """Whether there are unseen cards, and unnamed ones that have left the hand, with which it would hold nothing but 砍 and barred kinds.

    An unbarred kind once or twice in the hand is barred by an unnamed card after all, or the rest to three is unseen, or what is there
    has left it. Unseen cards beyond that have left it too, or lie with barred kinds and 砍, or are 砍 themselves.
    """
    unseen, lost = t.unseen[seat], t.lost[seat]
    banned, perhaps, bars = t.banned[seat], t.banned_perhaps[seat], min(t.unnamed_bars[seat], len(t.free))
    held = still_held(t) if lost else None
    ways = {(0, 0): 0}
    """By how many unnamed cards bar kinds, and how many unseen ones make 砍: the fewest that must have left the hand."""
    room = threes = fours = 0
    for kind, (have, free) in enumerate(zip(t.hand[seat], t.free, strict=True)):
        have -= spent.count(kind)
        if have < 0:
            unseen += have
            free += have
            have = 0
        if banned & UNIT[kind] or kind in claimed or have >= 3:
            room += free
        elif have:
            room += free
            may_have_left = held is None or not held[kind]
            wider: dict[tuple[int, int], int] = {}
            for (used, made), left in ways.items():
                options = [(used, made, left + have)] if left + have <= lost and may_have_left else []
                if 3 - have <= free and made + 3 - have <= unseen:
                    options.append((used, made + 3 - have, left))
                if used < bars and perhaps & UNIT[kind]:
                    options.append((used + 1, made, left))
                for one, other, gone in options:
                    wider[one, other] = min(gone, wider.get((one, other), gone))
            if not wider:
                return False
            ways = wider
        elif free >= 3:
            threes += 1
            fours += free >= 4
    return any(
        3 * melds <= staying <= 3 * melds + min(melds, fours) + room + COPIES * (bars - used) - made
        for (used, made), left in ways.items()
        for staying in range(max(0, unseen - made - (lost - left)), unseen - made + 1)
        for melds in range(threes + 1)
    )


def last_card_closed(t: Table) -> bool:
    """Whether the card on the table is the last of the stock or was discarded behind it, so that it may only be won on or 栽'd (R-LAST)."""
    return t.stock_left == 0 and not t.ruleset.last_card_claims


def chi_cards(taken: int, event: Chi) -> tuple[int, int, int]:
    """The three kinds of a 吃."""
    return taken, INDEX[event.consumed[0]], INDEX[event.consumed[1]]


def kinds_barred_by(t: Table, taken: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The kinds that taking ``taken`` into the meld ``cards`` bars from discard (R-CLAIMED)."""
    return cards if t.ruleset.discard_ban == "whole_meld" else (taken,)


def leaves_discard(t: Table, seat: int, taken: int, cards: tuple[int, ...]) -> Truth:
    """Whether taking ``taken`` into the meld ``cards`` leaves a card to discard, where the table asks for one (``forbid_dead_claim``)."""
    if not t.ruleset.forbid_dead_claim:
        return YES
    spent = list(cards)
    spent.remove(taken)
    return legal_discard(t, seat, tuple(spent), kinds_barred_by(t, taken, cards))


def due(t: Table) -> dict[str, str]:
    """What the moment offers, zh and en, for messages."""
    name = t.names[t.turn]
    if t.phase == OPENING:
        return {"zh": f"该庄家{name}出牌", "en": f"the dealer {name} is to discard"}
    if t.phase == DISCARD:
        return {"zh": f"该{name}出牌", "en": f"{name} is to discard"}
    if t.phase == RESPOND:
        pai, owner = token(t.card), t.names[t.owner]
        verb = ("揭", "revealed") if t.by == BY_REVEAL else ("出", "discarded")
        return {
            "zh": f"桌上是{owner}{verb[0]}的{pai}，没有人要就该{name}揭牌",
            "en": f"{owner} {verb[1]} {pai}; unless it is claimed, {name} is to reveal",
        }
    return {"zh": f"该{name}揭牌", "en": f"{name} is to reveal"}
