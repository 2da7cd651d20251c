"""安乡偎麻雀 as the engine plays it."""

from engine.game import Game
from engine.log import EffectiveLog
from engine.weimaque.deck import INDEX, TOKENS
from engine.weimaque.evolve import EVOLVE
from engine.weimaque.flow import FLOW
from engine.weimaque.hindsight import dealt
from engine.weimaque.legal import legal
from engine.weimaque.options import OPTIONS
from engine.weimaque.outcome import next_dealer, outcome
from engine.weimaque.plain import PLAIN, WEIGHED
from engine.weimaque.position import position, position_waits
from engine.weimaque.readings import READINGS
from engine.weimaque.rulebook import RULES
from engine.weimaque.rules.end import DEALER_NEXT, SETTLE
from engine.weimaque.slips import SLIPS
from engine.weimaque.state import Table
from engine.weimaque.verify import verify
from engine.weimaque.view import hidden_hands, mask
from schemas.weimaque import Deal, Start


def open_table(start: Start, deal: Deal | None, log: EffectiveLog) -> Table:
    """The position behind the deal, with what the whole log tells of the hands."""
    return Table(start, dealt(start, deal, log.seqs, log.events), log)


WEIMAQUE = Game(
    name="weimaque",
    zh="安乡偎麻雀",
    en="Anxiang Weimaque",
    index=INDEX,
    tokens=TOKENS,
    rules=RULES,
    options=OPTIONS,
    readings=READINGS,
    settlement_rule=SETTLE,
    dealer_rule=DEALER_NEXT,
    evolve=EVOLVE,
    plain=PLAIN,
    weighed=WEIGHED,
    open_table=open_table,
    outcome=outcome,
    state=position,
    legal=legal,
    waits=position_waits,
    verify=verify,
    next_dealer=next_dealer,
    mask=mask,
    hidden_hands=hidden_hands,
    slips=SLIPS,
    flow=FLOW,
)
