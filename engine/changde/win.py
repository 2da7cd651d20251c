"""Whether a hand is complete: four melds and any pair, a kong counting as three, 红中 standing for whatever is wanted (rules §2).

``complete`` and its kin ask the tables and know only that rule. ``wins`` knows every option of the ruleset as well; where
``plain(ruleset)``, the two agree.
"""

from collections.abc import Sequence

from engine.changde.deck import COPIES, DEALER_HAND, ZHONG
from engine.changde.least import UNLIMITED, least
from engine.changde.options import ChangdeRuleset
from engine.changde.packed import RANKS, pack
from engine.changde.tables import HAND_NEEDS, SUIT_NEEDS

PAIRS = 7


def need(m: int, s: int, p: int) -> int:
    """The least wilds with which the tiles of three packed suits are melds and one pair. Wilds beyond these form melds of their own."""
    return HAND_NEEDS[SUIT_NEEDS[m] + SUIT_NEEDS[s] + SUIT_NEEDS[p]]


def complete(m: int, s: int, p: int, wilds: int) -> bool:
    """Whether a concealed hand of the right size (14 tiles less three a meld) is complete; ``wilds`` are its 红中 and its unseen tiles."""
    return HAND_NEEDS[SUIT_NEEDS[m] + SUIT_NEEDS[s] + SUIT_NEEDS[p]] <= wilds


def tenpai(m: int, s: int, p: int, wilds: int) -> bool:
    """Whether some tile completes a concealed hand that is one short: the tile to come is one more wild."""
    return HAND_NEEDS[SUIT_NEEDS[m] + SUIT_NEEDS[s] + SUIT_NEEDS[p]] <= wilds + 1


def plain(ruleset: ChangdeRuleset) -> bool:
    """Whether no option in force changes what a complete hand is."""
    return not ruleset.seven_pairs and (not ruleset.wild or (ruleset.fifth_copy and not ruleset.four_zhong_wins))


def concealed_size(melds: int) -> int:
    """Tiles in the concealed hand of a winner with so many melds on the table, the winning tile included."""
    return DEALER_HAND - 3 * melds


def wins(
    counts: Sequence[int], melds: int, exposed: Sequence[int], ruleset: ChangdeRuleset, *, own_draw: bool = True, unseen: int = 0
) -> bool:
    """Whether a player may win with these concealed tiles, the winning tile included.

    ``counts`` and ``exposed`` are count vectors of the concealed hand and of the tiles in the player's melds. ``own_draw``: the
    winning tile is his own draw, as a win by four 红中 demands. ``unseen`` concealed tiles are unknown: the answer is then whether
    they may be such that he wins.
    """
    if sum(counts) + unseen != concealed_size(melds) or (counts[ZHONG] and not ruleset.wild):
        return False
    wilds = counts[ZHONG] + unseen
    if ruleset.wild and ruleset.four_zhong_wins and own_draw and wilds >= COPIES:
        return True
    if ruleset.seven_pairs and melds == 0 and unpaired(counts) <= wilds:
        return True
    if ruleset.wild and not ruleset.fifth_copy:
        return least_wilds(counts, exposed) <= wilds
    if max(counts) > COPIES:
        return least_wilds(counts, None) <= wilds
    return complete(*pack(counts), wilds)


def unpaired(counts: Sequence[int]) -> int:
    """Kinds without 红中 of which a tile is left over when all are paired; four alike are two pairs."""
    return sum(copies & 1 for copies in counts[:ZHONG])


def limits(counts: Sequence[int], exposed: Sequence[int] | None) -> list[tuple[int, ...]]:
    """For each suit the most copies of each rank that the concealed melds and pair may hold where 红中 may not act as a fifth copy.

    The player's own tiles and melds count (rules §5); without ``exposed`` there is no limit.
    """
    if exposed is None:
        return [UNLIMITED] * 3
    room = [max(copies, COPIES - table) for copies, table in zip(counts[:ZHONG], exposed[:ZHONG], strict=True)]
    return [tuple(room[start : start + RANKS]) for start in (0, 9, 18)]


def least_wilds(counts: Sequence[int], exposed: Sequence[int] | None) -> int:
    """As ``need``, for any counts; with ``exposed`` no wild may act as a fifth copy. Wilds may always be a pair or melds of 红中
    themselves.
    """
    suits = [tuple(counts[start : start + RANKS]) for start in (0, 9, 18)]
    answers = [least(suit, limit) for suit, limit in zip(suits, limits(counts, exposed), strict=True)]
    melds = sum(alone for alone, _ in answers)
    return min(melds + 2, *(melds - alone + with_pair for alone, with_pair in answers))
