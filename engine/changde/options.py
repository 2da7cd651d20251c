"""The ruleset in force at a hand of 常德麻将: every option of rules §6."""

from typing import Literal

import msgspec

from engine.options import Option, in_force
from schemas.rulesets import ChangdeRules


class ChangdeRuleset(msgspec.Struct, frozen=True, kw_only=True):
    """Every option with the value that holds at this table. ``wild`` says whether four 红中 are in the set."""

    preset: Literal["standard", "hongzhong"]
    ma_mode: Literal["159", "shangzhuang"] = "159"
    ma_count: Literal[0, 1, 2, 4, 6, 8, "all"] = 0
    ma_value: int = 2
    no_zhong_bonus: Literal["double_tiles", "plus_one_tile", "plus_one_hit", "none"] = "double_tiles"
    rob_ma: Literal["triple", "once", "none"] = "triple"
    rob_window: Literal["after_bu", "before_bu"] = "after_bu"
    draw_dealer: Literal["stays", "last_drawer", "next"] = "stays"
    added_kong_any: bool = False
    kong_after_peng: bool = False
    void_all_kongs: bool = False
    discard_zhong_forfeits: bool = False
    four_zhong_wins: bool = False
    fifth_copy: bool = True
    seven_pairs: bool = False
    tail_order: Literal["stack", "linear"] = "stack"

    @property
    def wild(self) -> bool:
        """Whether 红中 is in the set."""
        return self.preset == "hongzhong"


def ruleset(rules: ChangdeRules) -> ChangdeRuleset:
    """The ruleset in force under the rules of a 开局."""
    return in_force(ChangdeRuleset, rules, {})


OPTIONS: tuple[Option, ...] = (
    Option(
        name="preset",
        values=("standard", "hongzhong"),
        reading=None,
        zh="常规打法，或加四张万能红中",
        en="108 tiles, or 112 with four wild 红中",
    ),
    Option(
        name="ma_mode",
        values=("159", "shangzhuang"),
        reading="R-MA-DEALER",
        zh="一五九奖码或上庄奖码",
        en="how 码 are read: 1-5-9, or by the dealer's place",
        scoring=True,
    ),
    Option(name="ma_count", values=(0, 1, 2, 4, 6, 8, "all"), reading=None, zh="奖码个数", en="how many 码 are flipped"),
    Option(name="ma_value", values=(2,), reading=None, zh="每个码的分", en="points for each hit"),
    Option(
        name="no_zhong_bonus",
        values=("double_tiles", "plus_one_tile", "plus_one_hit", "none"),
        reading="R-NO-ZHONG",
        zh="胡牌者无红中时多奖的码",
        en="what a winner without 红中 gets in addition",
        scoring=True,
    ),
    Option(
        name="rob_ma",
        values=("triple", "once", "none"),
        reading="R-ROB-MA",
        zh="抢杠时码怎么付",
        en="how the robbed player pays 码",
        scoring=True,
    ),
    Option(
        name="rob_window",
        values=("after_bu", "before_bu"),
        reading="R-ROB",
        zh="抢杠在补章之后或之前",
        en="whether a kong is robbed after its 补章 or before",
        scoring=True,
        legality=True,
    ),
    Option(name="draw_dealer", values=("stays", "last_drawer", "next"), reading="R-DEALER", zh="流局后谁坐庄", en="who deals after a draw"),
    Option(
        name="added_kong_any",
        values=(False, True),
        reading="R-KONG",
        zh="碰杠可否用早先摸到的牌",
        en="whether a 碰杠 may use a tile drawn earlier",
        legality=True,
    ),
    Option(
        name="kong_after_peng",
        values=(False, True),
        reading="R-KONG",
        zh="碰了之后可否马上杠",
        en="whether one may 杠 straight after a 碰",
        legality=True,
    ),
    Option(
        name="void_all_kongs",
        values=(False, True),
        reading="R-VOID",
        zh="一杠无效是否全部无效",
        en="whether a void kong voids that player's other kongs",
        scoring=True,
    ),
    Option(
        name="discard_zhong_forfeits",
        values=(False, True),
        reading="R-ZHONG",
        zh="打出红中是否不能再胡",
        en="whether a player who discarded 红中 can no longer win",
    ),
    Option(name="four_zhong_wins", values=(False, True), reading=None, zh="四个红中是否算胡", en="whether four 红中 win by themselves"),
    Option(
        name="fifth_copy",
        values=(True, False),
        reading=None,
        zh="红中可否当第五张",
        en="whether a wild may act as a fifth copy",
        scoring=True,
    ),
    Option(name="seven_pairs", values=(False, True), reading=None, zh="七对是否算胡", en="whether seven pairs win"),
    Option(
        name="tail_order",
        values=("stack", "linear"),
        reading=None,
        zh="补章从尾墩上张起，或从最后一张起",
        en="whether 补章 takes the upper tile of the last stack first",
    ),
)
"""The options table of rules §6, in its order."""
