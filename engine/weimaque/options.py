"""The ruleset in force at a hand of 安乡偎麻雀: every option of rules §9, with the defaults of both editions (小卓, 大卓)."""

from typing import Any, Literal

import msgspec
from msgspec import UNSET

from engine.options import Option, in_force
from schemas.rulesets import FixedShare, WeimaqueRules


class WeimaqueRuleset(msgspec.Struct, frozen=True, kw_only=True):
    """Every option with the value that holds at this table. ``values`` are the house's own amounts by 名堂 name.

    ``shouxing_named`` and ``draw_fee_named`` say whether the rules of the record speak of what 守醒 is paid (R-SHOUXING).
    """

    preset: Literal["xiaozhuo", "dazhuo"]
    min_hard_xi: int = 10
    last_card_claims: bool = False
    own_discard_blocks_peng: bool = False
    chi_passed: Literal["offered", "able", "seen"] = "offered"
    may_chi_if_can_peng: bool = False
    discard_ban: Literal["claimed", "whole_meld"] = "claimed"
    forbid_dead_claim: bool = False
    chunyin: Literal["replaces", "adds"] = "replaces"
    duohong_unit: int = 20
    dandiao: Literal["pair", "last_card"] = "pair"
    haidi_self_only: bool = False
    jiabapengtou_once: bool = True
    longbaiwei_mixed: bool = False
    zhe: bool = True
    multiplier_base: Literal["hard", "all"] = "hard"
    mohu: bool = True
    wudui_two_black: bool = True
    zusunzhuo_daituo: Literal[300, 200] = 300
    values: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    shouxing_win: Literal["none", "equal"] | FixedShare = "none"
    draw_fee: int = 0
    shouxing_named: bool = False
    draw_fee_named: bool = False


def ruleset(rules: WeimaqueRules) -> WeimaqueRuleset:
    """The ruleset in force under the rules of a 开局. 小卓 knows no 蛰, whatever its rules say (§9)."""
    defaults: dict[str, Any] = {"shouxing_named": rules.shouxing_win is not UNSET, "draw_fee_named": rules.draw_fee is not UNSET}
    if rules.preset == "xiaozhuo":
        defaults["duohong_unit"] = 10
    made = in_force(WeimaqueRuleset, rules, defaults)
    return msgspec.structs.replace(made, zhe=False) if rules.preset == "xiaozhuo" else made


OPTIONS: tuple[Option, ...] = (
    Option(
        name="preset",
        values=("dazhuo", "xiaozhuo"),
        reading=None,
        zh="大卓或小卓：名堂息的两个版本",
        en="which edition's table of 名堂 is played",
    ),
    Option(name="min_hard_xi", values=(10,), reading=None, zh="胡牌所需硬息", en="hard 息 that a win needs"),
    Option(
        name="last_card_claims",
        values=(False, True),
        reading="R-LAST",
        zh="最后一张底牌可否碰、吃",
        en="whether the last stock card may also be 碰'd or 吃'd",
        legality=True,
    ),
    Option(
        name="own_discard_blocks_peng",
        values=(False, True),
        reading="R-PASS",
        zh="自己出过的字算不算碰的过张",
        en="whether one's own discard counts as passed for 碰",
        legality=True,
    ),
    Option(
        name="chi_passed",
        values=("offered", "able", "seen"),
        reading="R-PASS",
        zh="吃的过张：轮到即过、能吃才算、见过即过",
        en="who loses 吃 of a kind that went by: whom it was offered to, only who could have taken it, everybody",
        legality=True,
    ),
    Option(
        name="may_chi_if_can_peng",
        values=(False, True),
        reading=None,
        zh="可以碰的牌可否吃",
        en="whether a card that one could 碰 may be 吃'd",
        legality=True,
    ),
    Option(
        name="discard_ban",
        values=("claimed", "whole_meld"),
        reading="R-CLAIMED",
        zh="吃碰过的字不能出：只限要来的那个字，或整句话",
        en="which kinds may not be discarded after 吃 or 碰: the claimed card's, or all of the meld's",
        legality=True,
    ),
    Option(
        name="forbid_dead_claim",
        values=(False, True),
        reading="R-DEAD",
        zh="是否禁止要了就成死手的牌",
        en="whether taking a card that leaves no legal discard is forbidden",
    ),
    Option(
        name="chunyin",
        values=("replaces", "adds"),
        reading="R-CHUNYIN",
        zh="纯印代替印胡，或另加",
        en="whether 纯印 replaces 印胡 or is added to it",
        scoring=True,
    ),
    Option(name="duohong_unit", values=(20, 10), reading="R-DUOHONG", zh="多红每张的息", en="息 for each red card of 多红", scoring=True),
    Option(
        name="dandiao",
        values=("pair", "last_card"),
        reading="R-DANDIAO",
        zh="单吊：胡的字成麻雀，或手中只剩一张",
        en="单吊 is a win that completes the pair, or only one with a single card left in hand",
        scoring=True,
    ),
    Option(
        name="haidi_self_only",
        values=(False, True),
        reading=None,
        zh="海底胡是否只算自己揭的",
        en="海底胡 on one's own reveal only",
        scoring=True,
    ),
    Option(
        name="jiabapengtou_once", values=(True, False), reading=None, zh="假八碰头是否只算一次", en="假八碰头 counts once", scoring=True
    ),
    Option(
        name="longbaiwei_mixed",
        values=(False, True),
        reading=None,
        zh="龙摆尾可否大小字混",
        en="龙摆尾 across the suits as well",
        scoring=True,
    ),
    Option(name="zhe", values=(True, False), reading=None, zh="有没有蛰一蛰", en="whether 蛰一蛰 is played"),
    Option(
        name="multiplier_base",
        values=("hard", "all"),
        reading="R-MULT",
        zh="乘数只乘硬息，或连名堂息一起乘",
        en="whether the multiplier applies to the hard 息 or to everything",
        scoring=True,
    ),
    Option(name="mohu", values=(True, False), reading=None, zh="有没有摸胡", en="whether 摸胡 is played", scoring=True),
    Option(
        name="wudui_two_black",
        values=(True, False),
        reading="R-WUDUI",
        zh="无对胡可否有两对黑字",
        en="whether 无对胡 admits two black pairs",
        scoring=True,
    ),
    Option(
        name="zusunzhuo_daituo",
        values=(300, 200),
        reading=None,
        zh="祖孙卓带拖的息",
        en="息 of 祖孙卓带拖",
        scoring=True,
    ),
    Option(
        name="values", values=({},), reading=None, zh="自家的名堂息，按名堂写", en="a house's own amounts by 名堂 name; 0 is not played"
    ),
    Option(
        name="shouxing_win",
        values=("none", "equal", {"fixed": 10}),
        reading="R-SHOUXING",
        zh="有人胡牌时守醒得多少",
        en="what 守醒 is paid when somebody wins",
    ),
    Option(name="draw_fee", values=(0,), reading="R-SHOUXING", zh="臭局三家各付守醒的息", en="what each of the three pays 守醒 on 臭"),
)
"""The options table of rules §9, in its order."""
