"""Judges a win that is claimed without a log: whether it stands and why not, how it divides, and what it pays."""

from msgspec import UNSET, UnsetType

from engine.weimaque.deck import INDEX
from engine.weimaque.division import DividedWin, divided_win
from engine.weimaque.faults import Fault, faults, kinds_of_tokens, opening_shortfall, shortfall
from engine.weimaque.laid import lay
from engine.weimaque.mingtang import MULTIPLIERS
from engine.weimaque.opening import every_opening_win, opening_win, played, with_tianhu
from engine.weimaque.options import ruleset
from engine.weimaque.packed import pack_kinds
from engine.weimaque.score import Scored, Scorer, Win, scorer_of
from engine.weimaque.sensitivity import other_readings
from schemas.verify import Comparison, Difference, Mingtang, Reason, Split, WeimaqueVerdict, WeimaqueVerify
from schemas.weimaque import Claim


def verify(claim: WeimaqueVerify, lang: str = "zh") -> WeimaqueVerdict:
    """The verdict on any claim, however broken; messages in ``zh`` or ``en``.

    Of an invalid win nothing is due: its total is 0 and it has no 名堂. Its hard 息 are the most that any division of it has, 0 if
    it has no shape.
    """
    rules = ruleset(claim.rules)
    scorer = scorer_of(rules)
    found = faults(claim)
    scored = None if found else _scored(claim, scorer)
    win = _win(claim) if _divisible(found) else None
    ranked = [] if win is None else _ranked(claim, win, scorer)
    shown = scored or max(ranked, key=lambda other: other.hard_xi, default=None)
    divided = _divided(claim, win, shown)
    sound = not found
    alternatives = _alternatives(claim, win, shown, ranked, scorer, sound=sound)
    if scored is None and _divisible(found):
        found += _shortfall(claim, shown, divided, scorer)
    mingtang = _mingtang(scored) if scored else []
    return WeimaqueVerdict(
        valid=scored is not None,
        reasons=[Reason(rule=fault.rule, message=fault.message(lang), params=fault.params) for fault in found],
        hard_xi=shown.hard_xi if shown else 0,
        total_xi=scored.total_xi if scored else 0,
        multiplier=next((row for row in mingtang if row.name in MULTIPLIERS), None),
        melds=divided.groups() if divided else [],
        items=divided.items() if divided else [],
        mingtang=mingtang,
        alternatives=alternatives,
        sensitivity=other_readings(rules, lambda other: _judged(claim, scorer_of(other))) if sound else [],
        claim=_comparison(claim.claim, scored, lang),
    )


def _divisible(found: list[Fault]) -> bool:
    """Whether the cards can be divided all the same: a missed 栽 leaves them whole."""
    return all(fault.rule == "wmq-wei-missed" for fault in found)


def _win(claim: WeimaqueVerify) -> Win | None:
    """The claimed hand as the scorer takes it; ``None`` if it is declared for a fixed amount, not divided."""
    hand = pack_kinds(kinds_of_tokens(claim.hand))
    laid = lay((meld.kind, kinds_of_tokens(meld.pai)) for meld in claim.melds)
    if claim.win is None:
        return Win(laid=laid, hand=hand) if claim.opening == "天胡" else None
    won = claim.win
    return Win(laid=laid, hand=hand, kind=INDEX[won.pai], own_reveal=won.own_reveal, last=won.last, wei=won.wei, zhe=claim.zhe)


def _scored(claim: WeimaqueVerify, scorer: Scorer) -> Scored | None:
    """What a claim without faults pays, if it is a win."""
    if claim.opening is not None:
        opening = opening_win(claim.opening, pack_kinds(kinds_of_tokens(claim.hand)), scorer)
        return opening and opening.scored
    win = _win(claim)
    return win and scorer.best(win)


def _judged(claim: WeimaqueVerify, scorer: Scorer) -> tuple[bool, int]:
    """Whether a claim without faults is a win under some ruleset, and its total."""
    scored = _scored(claim, scorer)
    return (False, 0) if scored is None else (True, scored.total_xi)


def _ranked(claim: WeimaqueVerify, win: Win, scorer: Scorer) -> list[Scored]:
    """Every division of the win, best first."""
    every = scorer.every(win)
    return [with_tianhu(scored, scorer.ruleset) for scored in every] if claim.opening == "天胡" else every


def _divided(claim: WeimaqueVerify, win: Win | None, scored: Scored | None) -> DividedWin | None:
    """The division spelled out, if there is one."""
    if win is None or scored is None or scored.candidate is None:
        return None
    on_table = [(meld.kind, tuple(kinds_of_tokens(meld.pai))) for meld in claim.melds]
    return divided_win(on_table, win, scored.candidate)


def _shortfall(claim: WeimaqueVerify, shown: Scored | None, divided: DividedWin | None, scorer: Scorer) -> list[Fault]:
    """Why cards that can be divided are no win; nothing if only a missed 栽 stands against it."""
    hard_xi = shown.hard_xi if shown else None
    division = divided.text() if divided else ""
    if claim.opening is not None:
        return [opening_shortfall(claim.opening, kinds_of_tokens(claim.hand), hard_xi, division, scorer)]
    if hard_xi is not None and hard_xi >= scorer.ruleset.min_hard_xi:
        return []
    return [shortfall(hard_xi, division, scorer)]


def _mingtang(scored: Scored) -> list[Mingtang]:
    return [Mingtang(name=name, value=value) for name, value in scored.named]


def _alternatives(
    claim: WeimaqueVerify, win: Win | None, shown: Scored | None, ranked: list[Scored], scorer: Scorer, *, sound: bool
) -> list[Split]:
    """The other ways to divide the cards or to declare them, best first. None of them stands if the claim is not ``sound`` otherwise."""
    may_stand = sound and (claim.opening is None or played(claim.opening, scorer))
    found: list[Split] = []
    for scored in ranked:
        divided = _divided(claim, win, scored)
        if divided is not None and scored != shown:
            stands = may_stand and scored.hard_xi >= scorer.ruleset.min_hard_xi
            found.append(_split(scored, divided, stands))
    if claim.opening is not None and sound:
        for opening in every_opening_win(pack_kinds(kinds_of_tokens(claim.hand)), scorer):
            if opening.kind != claim.opening:
                found.append(_split(opening.scored, _as_dealt(claim, opening.scored), stands=True))
    found.sort(key=lambda split: (not split.valid, -split.total_xi, -split.hard_xi))
    return [split for place, split in enumerate(found) if split not in found[:place]]


def _as_dealt(claim: WeimaqueVerify, scored: Scored) -> DividedWin | None:
    """The dealt hand of a 天胡 spelled out, whatever was declared."""
    return _divided(claim, Win(laid=lay(()), hand=pack_kinds(kinds_of_tokens(claim.hand))), scored)


def _split(scored: Scored, divided: DividedWin | None, stands: bool) -> Split:
    return Split(
        melds=divided.groups() if divided else [],
        hard_xi=scored.hard_xi,
        total_xi=scored.total_xi,
        mingtang=_mingtang(scored),
        valid=stands,
    )


def _comparison(claim: Claim | UnsetType | None, scored: Scored | None, lang: str) -> Comparison | None:
    """The claim beside what is computed; ``None`` where nothing was claimed. Only what was claimed is compared, the 名堂 as a whole
    list."""
    if claim is None or claim is UNSET:
        return None
    if scored is None:
        return Comparison(agrees=False, differs=[_difference("valid", True, False, lang)])
    differs: list[Difference] = []
    if claim.hard_xi is not UNSET and claim.hard_xi != scored.hard_xi:
        differs.append(_difference("hard_xi", claim.hard_xi, scored.hard_xi, lang))
    if claim.total_xi is not UNSET and claim.total_xi != scored.total_xi:
        differs.append(_difference("total_xi", claim.total_xi, scored.total_xi, lang))
    if claim.mingtang is not UNSET:
        computed = scored.mingtang
        for name in [*computed, *(name for name in claim.mingtang if name not in computed)]:
            if claim.mingtang.get(name) != computed.get(name):
                differs.append(_difference(f"mingtang.{name}", claim.mingtang.get(name), computed.get(name), lang))
    return Comparison(agrees=not differs, differs=differs)


def _difference(field: str, claimed: int | None, computed: int | None, lang: str) -> Difference:
    name = field.removeprefix("mingtang.")
    zh, en = _DIFFERS[field if field in _DIFFERS else "left out" if claimed is None else "too many" if computed is None else "mingtang"]
    message = (en if lang == "en" else zh).format(name=name, claimed=claimed, computed=computed)
    return Difference(field=field, claimed=claimed, computed=computed, message=message)


_DIFFERS: dict[str, tuple[str, str]] = {
    "valid": ("这不是胡牌，报什么都不算", "this is no win, so nothing that was declared holds"),
    "hard_xi": ("报硬息 {claimed}，应为 {computed}", "{claimed} hard 息 are declared; there are {computed}"),
    "total_xi": ("报总息 {claimed}，应为 {computed}", "a total of {claimed} is declared; it is {computed}"),
    "mingtang": ("{name}报 {claimed}，应为 {computed}", "{name} is declared as {claimed}; it is {computed}"),
    "left out": ("漏报{name} {computed}", "{name} {computed} is left out"),
    "too many": ("多报{name} {claimed}", "{name} {claimed} is declared but not held"),
}
