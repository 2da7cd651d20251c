"""常德麻将 as the engine plays it."""

from engine.changde.deck import INDEX, TOKENS
from engine.changde.evolve import EVOLVE
from engine.changde.flow import FLOW
from engine.changde.hindsight import dealt
from engine.changde.legal import legal
from engine.changde.options import OPTIONS
from engine.changde.outcome import next_dealer, outcome
from engine.changde.plain import PLAIN, WEIGHED
from engine.changde.position import position, position_waits
from engine.changde.readings import READINGS
from engine.changde.rulebook import RULES
from engine.changde.rules.end import DEALER_NEXT, SETTLE
from engine.changde.slips import SLIPS
from engine.changde.state import Table, in_force
from engine.changde.verify import verify
from engine.changde.view import hidden_hands, mask
from engine.game import Game
from engine.log import EffectiveLog
from schemas.changde import Deal, Start


def open_table(start: Start, deal: Deal | None, log: EffectiveLog) -> Table:
    """The position behind the deal, with what the whole log tells of hands and wall."""
    rules = in_force(start.rules)
    return Table(start, rules, dealt(start, deal, rules, log.seqs, log.events), log)


CHANGDE = Game(
    name="changde",
    zh="常德麻将",
    en="Changde Mahjong",
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
