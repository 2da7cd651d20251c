"""All rules of 常德麻将, in the order of the rules page (§3)."""

from engine.changde.rules import deal, discard, end, hu, kong, ma, peng, priority, replacement, rob, turn
from engine.rule import LOG_REFERENCE, Rule

RULES: tuple[Rule, ...] = (
    LOG_REFERENCE,
    deal.DEAL_SIZE,
    deal.COPIES_OF_EACH,
    turn.TURN_RULE,
    turn.WALL_EMPTY,
    turn.WALL_ORDER,
    turn.AFTER_END,
    peng.NO_CHI,
    peng.PENG_TARGET,
    peng.PENG_HELD,
    peng.PENG_ZHONG,
    kong.KONG_TARGET,
    kong.KONG_HELD,
    kong.KONG_REPLACEABLE,
    replacement.BU_DUE,
    replacement.BU_OWED,
    rob.ROB_WINDOW,
    priority.CLAIM_PRIORITY,
    discard.DISCARD_HELD,
    hu.HU_SOURCE,
    hu.HU_SHAPE,
    hu.HU_SHORT,
    hu.HU_FORFEIT,
    hu.HU_SHOWN,
    hu.CLAIM_POINTS,
    ma.MA_TILES,
    end.DRAW,
    end.SETTLE,
    end.DEALER_NEXT,
)
