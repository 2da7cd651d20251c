"""Rules about the end of a hand: 臭, what is paid, and who deals next."""

from engine.rule import Explanation, Rule
from engine.truth import NO, YES, Truth, either, known, negation
from engine.weimaque.state import DISCARD, Table
from engine.weimaque.win import examine
from schemas import events as shared
from schemas import weimaque as w


def _draw(t: Table, p: int, k: int, e: shared.Exhausted) -> Truth:
    if t.stock_left > 0 or t.ended == YES:
        return YES
    answer = either(t.ended, t.wei_due)
    if t.phase <= DISCARD:
        answer = either(answer, negation(t.dead[t.turn]))
    return answer


def _explain_draw(t: Table, p: int, k: int, e: shared.Exhausted) -> Explanation:
    because: tuple[int, ...] = ()
    if t.ended == YES:
        why = {"zh": "这盘已经结束", "en": "the hand is over already"}
        because = (t.end_seq,)
    elif t.stock_left > 0:
        why = {"zh": f"底牌还有{t.stock_left}张", "en": f"{t.stock_left} cards are left in the stock"}
    elif t.wei_due:
        why = {"zh": f"{t.names[t.owner]}还该栽", "en": f"{t.names[t.owner]} still has a 栽 to make"}
        because = (t.card_seq,)
    else:
        why = {"zh": f"{t.names[t.turn]}还该出牌", "en": f"{t.names[t.turn]} still has to discard"}
    return Explanation(params={"why": why}, because=because)


def _four(t: Table) -> bool:
    return t.shouxing >= 0


def _draw_fee(t: Table, p: int, k: int, e: shared.Exhausted) -> Truth:
    return known(_four(t) and not t.ruleset.draw_fee_named and t.ended != YES)


def _shouxing_fee(t: Table, p: int, k: int, e: w.Hu) -> Truth:
    if not _four(t) or t.ruleset.shouxing_named or t.ended == YES:
        return NO
    return examine(t, p, e).valid


DRAW = Rule(
    id="wmq-draw",
    kind="violation",
    zh="底牌揭完、无人胡、也没有该栽该出的，才是臭",
    en="臭 is declared when the stock is empty, nobody won, and no 栽 or discard is still due; not before",
    message_zh="还不是臭：{why[zh]}",
    message_en="this is no 臭 yet: {why[en]}",
    cite="如果揭到最后都没有人和牌，则这局牌就“臭”了",
    breach={shared.Exhausted: _draw},
    explain=_explain_draw,
)

SETTLE = Rule(
    id="wmq-settle",
    kind="violation",
    zh="实付与应付相同",
    en="the payments recorded equal those computed",
    message_zh="实付与应付不同：{differs[zh]}",
    message_en="what was paid is not what is due: {differs[en]}",
    cite="一旦牌局有人胡，也参与得钱，流局则游戏的三人都出钱",
    reading="R-PAY",
    options=("shouxing_win", "draw_fee"),
)

DRAW_FEE = Rule(
    id="wmq-draw-fee",
    kind="notice",
    zh="四人臭局，规则写明了付守醒多少",
    en="a hand of four that ends in 臭 has a draw_fee in its rules",
    message_zh="四人桌臭局，规则没有写三家各付守醒多少（draw_fee），按0算",
    message_en="a hand of four ends in 臭, and its rules do not say what each pays 守醒 (draw_fee): 0 is taken",
    cite="流局则游戏的三人都出钱",
    reading="R-SHOUXING",
    options=("draw_fee",),
    breach={shared.Exhausted: _draw_fee},
)

SHOUXING_FEE = Rule(
    id="wmq-shouxing-fee",
    kind="notice",
    zh="四人桌有人胡，规则写明了守醒得多少",
    en="a hand of four that ends in a win has a shouxing_win in its rules",
    message_zh="四人桌有人胡，规则没有写守醒得多少（shouxing_win），按不得算",
    message_en="a hand of four ends in a win, and its rules do not say what 守醒 gets (shouxing_win): nothing is taken",
    cite="守醒即为数底牌，一旦牌局有人胡，也参与得钱",
    reading="R-SHOUXING",
    options=("shouxing_win",),
    breach={w.Hu: _shouxing_fee},
)

DEALER_NEXT = Rule(
    id="wmq-dealer-next",
    kind="violation",
    zh="胡牌的是庄家则连庄，否则、或臭局，由庄家下家坐庄",
    en="in a match: the dealer of the next hand is right",
    message_zh="这盘应由{due}坐庄，记录是{found}",
    message_en="{due} deals this hand; the record says {found}",
    cite="由庄家的下家坐庄重新开始;如果和牌的是庄家，则庄家继续坐庄，否则也由庄家的下家坐庄",
)
