"""The readings of 常德麻将 (rules §1 to §5), in the order of the rules page."""

from engine.reading import Reading

READINGS: tuple[Reading, ...] = (
    Reading(
        id="R-DEALER",
        zh="胡牌的人下局坐庄，几家抢杠由被抢的人坐庄；流局后庄家连庄。draw_dealer 可改。",
        en="The winner deals next, with several robbers the robbed player; after a 流局 the dealer stays; draw_dealer changes that.",
    ),
    Reading(
        id="R-OPENING",
        zh="原文只说庄家先出牌。这里：庄家起手十四张可以自摸，也可以暗杠。",
        en="The text only says that the dealer discards. Here: with his fourteen tiles he may also win or make a 暗杠.",
    ),
    Reading(
        id="R-ROB",
        zh="碰杠并补章之后，别家可以抢杠；这时杠的人先不能动。rob_window 可改为补章之前。只有碰杠能抢。",
        en="After a 碰杠 and its 补章 others may rob it, and until then its player waits; rob_window may close it before the "
        "补章. Only a 碰杠 can be robbed.",
    ),
    Reading(
        id="R-KONG",
        zh="暗杠：自己摸牌后手中有四张即可，不必是刚摸到的；碰杠只能用刚摸到的那张（added_kong_any 可改）；"
        "碰之后不能接着杠（kong_after_peng 可改）。",
        en="暗杠: any four in hand after an own draw, just drawn or not. 碰杠: only with the tile just drawn (added_kong_any). "
        "Straight after a 碰 neither may be made (kong_after_peng).",
    ),
    Reading(
        id="R-VOID",
        zh="补章要在自己下一个动作之前；别家一动就补不了：这杠作废，不计分，少一张也胡不了。void_all_kongs 可改为其余的杠一并作废。",
        en="A 补章 is due before the player's next action and can be made until another acts; after that the kong is void, scores "
        "nothing and leaves the hand a tile short. void_all_kongs voids that player's other kongs too.",
    ),
    Reading(
        id="R-ZHONG",
        zh="红中可当任何一张，也可以打出；不能碰、杠红中，也不能拿它凑碰、杠。discard_zhong_forfeits：打过红中就不能胡。",
        en="红中 stands for any tile and may be discarded; it is neither 碰'd nor 杠'd and helps out no 碰 or 杠. With "
        "discard_zhong_forfeits who discarded one cannot win.",
    ),
    Reading(
        id="R-MULTI",
        zh="几家同时抢杠，每家都胡，各收六分。",
        en="Several robbers all win, and each is paid six.",
    ),
    Reading(
        id="R-ANKONG-PAY",
        zh="原文此处残缺。这里：暗杠每家付两分。",
        en="The text is damaged here. Here: a 暗杠 is two from each.",
    ),
    Reading(
        id="R-KONG-ALL",
        zh="有人胡牌时，输家的杠也算。",
        en="When somebody wins, the losers' kongs count too.",
    ),
    Reading(
        id="R-MA-PAY",
        zh="每中一个码，付的每家两分（ma_value）。",
        en="Each hit is two from each payer (ma_value).",
    ),
    Reading(
        id="R-ROB-MA",
        zh="抢杠的码由被抢的人按三家付。rob_ma 可改为一家、不付。",
        en="On a rob the kong player pays the 码 three times; rob_ma may make it once or none.",
    ),
    Reading(
        id="R-MA-FRONT",
        zh="奖码从牌墙前头翻。",
        en="码 are flipped from the front of the wall.",
    ),
    Reading(
        id="R-MA-DEALER",
        zh="上庄奖码看庄家坐在胡家的哪一方：上家二六，下家四八，对家三七，胡家自己坐庄一五九。",
        en="With shangzhuang the hits go by where the dealer sits as seen from the winner: 上家 2 6, 下家 4 8, 对家 3 7, himself 1 5 9.",
    ),
    Reading(
        id="R-NO-ZHONG",
        zh="红中打法里，胡家没有红中，码数加倍。no_zhong_bonus 可改。",
        en="In hongzhong a winner without 红中 flips twice as many; no_zhong_bonus changes that.",
    ),
)
