"""Judges a win that is claimed without a log: whether it stands, how the hand divides, and what everybody pays."""

from msgspec import UNSET
from msgspec.structs import replace

from engine.changde.deck import INDEX, ZHONG, token
from engine.changde.faults import concealed, count, exposed, faults, is_robbed, own_draw
from engine.changde.ma import ma_due
from engine.changde.options import ChangdeRuleset, ruleset
from engine.changde.sensitivity import Judged, by_seat, other_readings
from engine.changde.settle import NOTHING, Kong, Settlement, Winner, settle
from engine.changde.split import split
from schemas.verify import ChangdeVerdict, ChangdeVerify, Comparison, Difference, Group, Reason


def verify(claim: ChangdeVerify, lang: str = "zh") -> ChangdeVerdict:
    """The verdict on any claim, however broken; messages in ``zh`` or ``en``. Of an invalid win nothing is due, and all points are zero."""
    rules = ruleset(claim.rules)
    found = faults(claim, rules)
    valid = not found
    settlement = _settlement(claim, rules) if valid else NOTHING
    return ChangdeVerdict(
        valid=valid,
        reasons=[Reason(rule=fault.rule, message=fault.message(lang), params=fault.params) for fault in found],
        points=by_seat(settlement.points),
        transfers=settlement.payments,
        ma_hits=[token(kind) for hits in settlement.hits for kind in hits],
        melds=_division(claim, rules),
        sensitivity=other_readings(rules, lambda other: _judged(claim, rules, other)),
        claim=_comparison(claim, valid, settlement, lang),
    )


def _has_zhong(claim: ChangdeVerify) -> bool:
    return ZHONG in concealed(claim)


def _settlement(claim: ChangdeVerify, rules: ChangdeRuleset) -> Settlement:
    robbed = claim.win.from_ if claim.win is not None and claim.win.kind == "抢杠" else UNSET
    return settle(
        winners=[Winner(claim.winner, _has_zhong(claim))],
        robbed=None if robbed is UNSET else robbed,
        dealer=claim.dealer,
        kongs=_kongs(claim),
        ma=[INDEX[pai] for pai in claim.ma],
        ruleset=rules,
    )


def _kongs(claim: ChangdeVerify) -> list[Kong]:
    """The kongs that score: those listed, or else the winner's own as his melds show them, a 明杠 only if its discarder is named
    (rules §5).
    """
    if claim.kongs is not UNSET:
        return [
            Kong(kong.actor, kong.kind, INDEX[kong.pai], -1 if kong.from_ is UNSET else kong.from_, valid=True)
            for kong in claim.kongs
            if not is_robbed(kong, claim)
        ]
    return [
        Kong(claim.winner, meld.kind, INDEX[meld.pai[0]], -1 if meld.from_ is UNSET else meld.from_, valid=True)
        for meld in claim.melds
        if meld.kind in ("暗杠", "碰杠") or (meld.kind == "明杠" and meld.from_ is not UNSET)
    ]


def _judged(claim: ChangdeVerify, rules: ChangdeRuleset, other: ChangdeRuleset) -> Judged:
    """The answer under another ruleset. Where it makes fewer 码 due than the rightly flipped ones, the rest would have stayed in
    the wall.
    """
    has_zhong = _has_zhong(claim)
    if len(claim.ma) <= ma_due(rules, has_zhong):
        claim = replace(claim, ma=claim.ma[: ma_due(other, has_zhong)])
    if faults(claim, other):
        return False, NOTHING.points
    return True, _settlement(claim, other).points


def _division(claim: ChangdeVerify, rules: ChangdeRuleset) -> list[Group]:
    """The melds on the table and one division of the rest; empty where the hand is not complete."""
    kinds = concealed(claim)
    groups = split(count(kinds), len(claim.melds), exposed(claim), rules, own_draw=own_draw(claim))
    return [*(Group(kind=meld.kind, pai=list(meld.pai)) for meld in claim.melds), *groups] if groups else []


def _comparison(claim: ChangdeVerify, valid: bool, settlement: Settlement, lang: str) -> Comparison | None:
    """The declared points beside the winner's net over the whole hand; a claim of an invalid win agrees with nothing."""
    if claim.claim is UNSET or claim.claim is None:
        return None
    differs: list[Difference] = []
    if not valid:
        message = "this win does not stand" if lang == "en" else "这一胡不成立"
        differs.append(Difference(field="valid", claimed=True, computed=False, message=message))
    claimed, computed = claim.claim.points, settlement.points[claim.winner]
    if claimed is not UNSET and claimed != computed:
        message = f"{claimed} points claimed, {computed} computed" if lang == "en" else f"报 {claimed} 分，应为 {computed} 分"
        differs.append(Difference(field="points", claimed=claimed, computed=computed, message=message))
    return Comparison(agrees=not differs, differs=differs)
