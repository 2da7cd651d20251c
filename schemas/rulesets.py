"""The rules of a hand as 开局 names them: a preset and whatever departs from it. What is not named is ``UNSET``.

The names and values are those of the options tables of both rules pages; what each one means stands with the rulesets in force,
in ``engine.weimaque.options`` and ``engine.changde.options``.
"""

from typing import Annotated, Literal

import msgspec

from schemas.base import UNSET, Absent, Shape

NonNegative = Annotated[int, msgspec.Meta(ge=0)]


class FixedShare(Shape, frozen=True, kw_only=True):
    """守醒 is paid this much by each loser."""

    fixed: int


class WeimaqueRules(Shape, frozen=True, kw_only=True):
    """``rules`` of a 开局 at 安乡偎麻雀."""

    preset: Literal["xiaozhuo", "dazhuo"]
    min_hard_xi: NonNegative | Absent = UNSET
    last_card_claims: bool | Absent = UNSET
    own_discard_blocks_peng: bool | Absent = UNSET
    chi_passed: Literal["offered", "able", "seen"] | Absent = UNSET
    may_chi_if_can_peng: bool | Absent = UNSET
    discard_ban: Literal["claimed", "whole_meld"] | Absent = UNSET
    forbid_dead_claim: bool | Absent = UNSET
    chunyin: Literal["replaces", "adds"] | Absent = UNSET
    duohong_unit: int | Absent = UNSET
    dandiao: Literal["pair", "last_card"] | Absent = UNSET
    haidi_self_only: bool | Absent = UNSET
    jiabapengtou_once: bool | Absent = UNSET
    longbaiwei_mixed: bool | Absent = UNSET
    zhe: bool | Absent = UNSET
    multiplier_base: Literal["hard", "all"] | Absent = UNSET
    mohu: bool | Absent = UNSET
    wudui_two_black: bool | Absent = UNSET
    zusunzhuo_daituo: Literal[300, 200] | Absent = UNSET
    values: dict[str, int] | Absent = UNSET
    shouxing_win: Literal["none", "equal"] | FixedShare | Absent = UNSET
    draw_fee: int | Absent = UNSET


class ChangdeRules(Shape, frozen=True, kw_only=True):
    """``rules`` of a 开局 at 常德麻将."""

    preset: Literal["standard", "hongzhong"]
    ma_mode: Literal["159", "shangzhuang"] | Absent = UNSET
    ma_count: Literal[0, 1, 2, 4, 6, 8, "all"] | Absent = UNSET
    ma_value: int | Absent = UNSET
    no_zhong_bonus: Literal["double_tiles", "plus_one_tile", "plus_one_hit", "none"] | Absent = UNSET
    rob_ma: Literal["triple", "once", "none"] | Absent = UNSET
    rob_window: Literal["after_bu", "before_bu"] | Absent = UNSET
    draw_dealer: Literal["stays", "last_drawer", "next"] | Absent = UNSET
    added_kong_any: bool | Absent = UNSET
    kong_after_peng: bool | Absent = UNSET
    void_all_kongs: bool | Absent = UNSET
    discard_zhong_forfeits: bool | Absent = UNSET
    four_zhong_wins: bool | Absent = UNSET
    fifth_copy: bool | Absent = UNSET
    seven_pairs: bool | Absent = UNSET
    tail_order: Literal["stack", "linear"] | Absent = UNSET
