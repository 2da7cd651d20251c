"""What is wrong with a win claimed without a log: every rule of rules §3 that the claim by itself shows to be broken."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from engine.changde.deck import COPIES, INDEX, KINDS, TOKENS, UNKNOWN, ZHONG
from engine.changde.ma import ma_due
from engine.changde.options import ChangdeRuleset
from engine.changde.win import concealed_size, wins
from schemas.verify import ChangdeKong, ChangdeMeld, ChangdeVerify

ZHONG_TOKEN = TOKENS[ZHONG]
UNKNOWN_TOKEN = "?"

MESSAGES: dict[str, tuple[str, str]] = {
    "chi": ("常德麻将不能吃牌：{tiles}", "there is no 吃 at this game: {tiles}"),
    "peng": ("碰须是三张相同的牌：{tiles}", "a 碰 is three tiles alike, not {tiles}"),
    "kong": ("{kind}须是四张相同的牌：{tiles}", "a {kind} is four tiles alike, not {tiles}"),
    "zhong": ("红中不能碰，不能杠，也不能被抢杠", "红中 is neither 碰'd nor 杠'd, so no kong of it can be robbed"),
    "own-peng": ("不能碰自己打出的牌：{pai}", "nobody 碰s his own discard: {pai}"),
    "own-kong": ("明杠 {pai} 不能是自己打出的牌", "the 明杠 of {pai} cannot be of one's own discard"),
    "discarder-missing": ("没有写明谁打出了明杠的 {pai}", "it is not said who discarded the {pai} of the 明杠"),
    "discarder-differs": ("明杠 {pai} 的放杠者前后不一", "the melds and the kongs name different discarders for the 明杠 of {pai}"),
    "kong-unknown": ("{kind}的是什么牌没有写明", "it is not said of which tile the {kind} is"),
    "kong-not-shown": ("胡牌者的牌里没有{kind} {pai}", "the winner's melds hold no {kind} of {pai}"),
    "kong-early": ("庄家起手胡牌时还没有人能杠", "nobody can have a kong when the dealer wins with the hand he was dealt"),
    "no-zhong": ("常规打法没有红中", "there is no 红中 in the standard set"),
    "copies": ("{pai} 出现了 {count} 张，只有四张", "{count} tiles {pai} are seen, there are four"),
    "opening-dealer": (
        "只有庄家能以起手的十四张胡牌，其他人须有胡的那张牌",
        "only the dealer wins without a winning tile, with the 14 he was dealt",
    ),
    "opening-melds": ("起手胡牌时不能有摆出的牌", "a hand that wins as it was dealt has no melds on the table"),
    "discard": ("自摸须是自己摸的牌，别人打出的牌不能胡", "a 自摸 is on one's own draw; there is no win on a discard"),
    "robbed-missing": ("没有写明抢的是谁的杠", "it is not said whose kong was robbed"),
    "robbed-self": ("不能抢自己的杠", "nobody robs his own kong"),
    "unknown": ("手牌里有不明的牌", "the hand holds tiles that are not named"),
    "short": ("有杠没有补章，少了牌，不能胡", "a kong without its 补章 leaves the hand short, so that it cannot win"),
    "size": (
        "手牌连胡的牌应有 {expected} 张，写了 {found} 张",
        "the hand with its winning tile has {expected} tiles beside the melds, not {found}",
    ),
    "shape": ("不成四句话加一对将", "the hand is not four melds and a pair"),
    "fifth": ("要把红中当第五张才能成牌", "the hand is complete only with a 红中 as a fifth copy"),
    "ma-unknown": ("奖码里有不明的牌", "a flipped 码 is not named"),
    "ma-many": ("奖码应有 {expected} 张，写了 {found} 张", "{expected} 码 are due, not {found}"),
}
"""What is said about each fault, Chinese and English, over its parameters."""


class Fault(NamedTuple):
    """One rule broken; ``what`` is a key of ``MESSAGES``."""

    rule: str
    what: str
    params: dict[str, Any]

    def message(self, lang: str) -> str:
        """The message in ``zh`` or ``en``."""
        zh, en = MESSAGES[self.what]
        return (en if lang == "en" else zh).format_map(self.params)


def concealed(claim: ChangdeVerify) -> list[int]:
    """Kinds of the concealed tiles, the winning one last; an unnamed tile is ``UNKNOWN``."""
    return [INDEX[pai] for pai in claim.hand] + ([] if claim.win is None else [INDEX[claim.win.pai]])


def count(kinds: Sequence[int]) -> list[int]:
    """The count vector of some kinds; unknown tiles are left out."""
    counts = [0] * KINDS
    for kind in kinds:
        if kind != UNKNOWN:
            counts[kind] += 1
    return counts


def exposed(claim: ChangdeVerify) -> list[int]:
    """The count vector of the winner's melds."""
    return count([INDEX[pai] for meld in claim.melds for pai in meld.pai])


def own_draw(claim: ChangdeVerify) -> bool:
    """Whether the win is a 自摸, the dealer's opening included."""
    return claim.win is None or claim.win.kind == "自摸"


def is_robbed(kong: ChangdeKong, claim: ChangdeVerify) -> bool:
    """Whether a kong is the one that the win robs: it scores nothing and reads as 碰."""
    win = claim.win
    return win is not None and win.kind == "抢杠" and (kong.actor, kong.kind, kong.pai) == (win.from_, "碰杠", win.pai)


def faults(claim: ChangdeVerify, ruleset: ChangdeRuleset) -> list[Fault]:
    """Every fault of a claimed win, in the order of the rules page as far as it goes by parts of the claim; none if it stands."""
    return [
        *_copies(claim, ruleset),
        *(fault for meld in claim.melds for fault in _meld(meld, claim)),
        *(fault for kong in claim.kongs or () for fault in _kong(kong, claim)),
        *_source(claim),
        *_shape(claim, ruleset),
        *_ma(claim, ruleset),
    ]


def _copies(claim: ChangdeVerify, ruleset: ChangdeRuleset) -> Iterator[Fault]:
    """All that is seen: the winner's tiles, the flipped 码, the kongs of others, and the 碰 that the robbed tile was added to."""
    seen = Counter(claim.hand) + Counter(claim.ma) + Counter(pai for meld in claim.melds for pai in meld.pai)
    listed = Counter((kong.actor, kong.pai) for kong in claim.kongs or () if not is_robbed(kong, claim))
    for (actor, pai), times in listed.items():
        # The winner's melds show his kongs once already.
        seen[pai] += COPIES * (times - 1 if actor == claim.winner else times)
    if claim.win is not None:
        seen[claim.win.pai] += COPIES if claim.win.kind == "抢杠" and claim.win.pai != ZHONG_TOKEN else 1
    if seen[ZHONG_TOKEN] and not ruleset.wild:
        yield Fault("cd-copies", "no-zhong", {})
    for pai in TOKENS:
        if seen[pai] > COPIES:
            yield Fault("cd-copies", "copies", {"pai": pai, "count": seen[pai]})


def _meld(meld: ChangdeMeld, claim: ChangdeVerify) -> Iterator[Fault]:
    tiles = " ".join(meld.pai)
    if meld.kind == "吃":
        yield Fault("cd-no-chi", "chi", {"tiles": tiles})
        return
    if ZHONG_TOKEN in meld.pai:
        yield Fault("cd-peng-zhong", "zhong", {})
    alike = len(set(meld.pai)) == 1 and UNKNOWN_TOKEN not in meld.pai
    if meld.kind == "碰":
        if not alike or len(meld.pai) != 3:
            yield Fault("cd-peng-held", "peng", {"tiles": tiles})
        if meld.from_ == claim.winner:
            yield Fault("cd-peng-target", "own-peng", {"pai": meld.pai[0] if meld.pai else UNKNOWN_TOKEN})
        return
    if not alike or len(meld.pai) != COPIES:
        yield Fault("cd-kong-held", "kong", {"kind": meld.kind, "tiles": tiles})
    if meld.kind == "明杠" and meld.from_ == claim.winner:
        yield Fault("cd-kong-target", "own-kong", {"pai": meld.pai[0] if meld.pai else UNKNOWN_TOKEN})


def _kong(kong: ChangdeKong, claim: ChangdeVerify) -> Iterator[Fault]:
    if kong.pai == UNKNOWN_TOKEN:
        yield Fault("cd-kong-held", "kong-unknown", {"kind": kong.kind})
    if kong.pai == ZHONG_TOKEN:
        yield Fault("cd-peng-zhong", "zhong", {})
    if kong.kind == "明杠":
        if kong.from_ is UNSET:
            yield Fault("cd-kong-target", "discarder-missing", {"pai": kong.pai})
        elif kong.from_ == kong.actor:
            yield Fault("cd-kong-target", "own-kong", {"pai": kong.pai})
    if kong.actor == claim.winner:
        shown = [meld for meld in claim.melds if meld.kind == kong.kind and kong.pai in meld.pai]
        if not shown:
            yield Fault("cd-kong-held", "kong-not-shown", {"kind": kong.kind, "pai": kong.pai})
        elif kong.kind == "明杠" and UNSET not in (kong.from_, shown[0].from_) and kong.from_ != shown[0].from_:
            yield Fault("cd-kong-target", "discarder-differs", {"pai": kong.pai})


def _source(claim: ChangdeVerify) -> Iterator[Fault]:
    win = claim.win
    if win is None:
        if claim.winner != claim.dealer:
            yield Fault("cd-hu-source", "opening-dealer", {})
        if claim.melds:
            yield Fault("cd-hu-source", "opening-melds", {})
        if claim.kongs:
            yield Fault("cd-kong-target", "kong-early", {})
    elif win.kind == "自摸":
        if win.from_ is not UNSET and win.from_ != claim.winner:
            yield Fault("cd-hu-source", "discard", {})
    else:
        if win.pai == ZHONG_TOKEN:
            yield Fault("cd-peng-zhong", "zhong", {})
        if win.from_ is UNSET:
            yield Fault("cd-rob-window", "robbed-missing", {})
        elif win.from_ == claim.winner:
            yield Fault("cd-rob-window", "robbed-self", {})


def _shape(claim: ChangdeVerify, ruleset: ChangdeRuleset) -> Iterator[Fault]:
    kinds = concealed(claim)
    expected = concealed_size(len(claim.melds))
    if len(kinds) != expected:
        if len(kinds) < expected and _has_void_kong(claim):
            yield Fault("cd-hu-short", "short", {})
        yield Fault("cd-hu-shape", "size", {"expected": max(0, expected), "found": len(kinds)})
    elif UNKNOWN in kinds:
        yield Fault("cd-hu-shape", "unknown", {})
    else:
        hand = count(kinds), len(claim.melds), exposed(claim)
        if not wins(*hand, ruleset, own_draw=own_draw(claim)):
            fifth = wins(*hand, replace(ruleset, fifth_copy=True), own_draw=own_draw(claim))
            yield Fault("cd-hu-shape", "fifth" if fifth else "shape", {})


def _has_void_kong(claim: ChangdeVerify) -> bool:
    """Whether a kong of the winner is not among those that the claim calls valid."""
    if claim.kongs is UNSET:
        return False
    valid = {(kong.kind, kong.pai) for kong in claim.kongs if kong.actor == claim.winner}
    return any(meld.kind in ("暗杠", "明杠", "碰杠") and not {(meld.kind, pai) for pai in meld.pai} & valid for meld in claim.melds)


def _ma(claim: ChangdeVerify, ruleset: ChangdeRuleset) -> Iterator[Fault]:
    if UNKNOWN_TOKEN in claim.ma:
        yield Fault("cd-ma-tiles", "ma-unknown", {})
    due = ma_due(ruleset, ZHONG in concealed(claim))
    if len(claim.ma) > due:
        yield Fault("cd-ma-tiles", "ma-many", {"expected": due, "found": len(claim.ma)})
