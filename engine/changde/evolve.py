"""How each event changes the position of a hand of 常德麻将. Total: whatever was really done can be folded, legal or not; nothing is
judged here.
"""

from collections.abc import Callable
from typing import Any

from engine.changde.deck import COPIES, INDEX, KINDS, ZHONG
from engine.changde.examine import examine, has_won
from engine.changde.packed import ONE
from engine.changde.state import (
    ADDED_KONG,
    CHI,
    CONCEALED_KONG,
    DISCARD,
    DUE,
    ENDED,
    GOOD,
    NEXT,
    OPEN_KONG,
    PENG,
    REPLACEMENT,
    RESPOND,
    ROB,
    TURN,
    UNEASY,
    VOID,
    Meld,
    MeldWord,
    Table,
)
from engine.knowledge import NOTHING
from engine.truth import NO, YES
from schemas import changde as c
from schemas import events as shared

Evolve = Callable[[Table, int, int, Any], None]


def enter_hand(t: Table, p: int, k: int) -> None:
    """A tile drawn comes into the hand; of an unknown one hindsight may tell what is held from here on."""
    t.size[p] += 1
    if k >= 0:
        hand = t.hand[p]
        have = hand[k] + 1
        hand[k] = have
        t.packed[p] += ONE[k]
        t.seen[k] += 1
        t.drawn = k
        if have > COPIES:
            t.exact = False
        return
    unseen = t.unseen[p]
    behind = t.behind.get(t.at)
    if behind is None:
        t.unseen[p] = unseen + 1
        t.drawn = k
        return
    t.drawn = k if unseen or t.lost[p] else behind[-1]
    t.unseen[p] = unseen + 1 - len(behind)
    t.later_total[p] -= len(behind)
    hand, packed, later, seen = t.hand[p], t.packed[p], t.later[p], t.seen
    for known in behind:
        hand[known] += 1
        packed += ONE[known]
        later[known] -= 1
        seen[known] += 1
    t.packed[p] = packed


def _leave_hand(t: Table, p: int, k: int) -> None:
    if k >= 0:
        if t.hand[p][k] > 0:
            t.packed[p] -= ONE[k]
        else:
            t.seen[k] += 1
    t.leave(p, k)


def _act(t: Table, p: int) -> None:
    """What every action brings with it: a 补章 left out by another player is lost for good, spoken claims are void, play goes on."""
    owed = t.owed
    if owed is not None:
        if owed.actor == p:
            t.late = True
        else:
            _never_replaced(t, owed)
    t.robbable = None
    t.calls = {}
    t.false_win = None
    if t.ended != YES:
        t.wins = []
    _settle_down(t)


def _settle_down(t: Table) -> None:
    """Nothing of the moment is pending any more, unless a 补章 is."""
    t.calm = t.resting if t.owed is None and t.ended == NO else UNEASY


def _never_replaced(t: Table, kong: Meld) -> None:
    kong.bu = VOID
    t.kong_changes += 1
    t.short[kong.actor].append(kong)
    t.owed = None


def _let_pass(t: Table) -> None:
    """The discard on the table goes by unclaimed."""
    if t.card != NOTHING:
        t.played[t.owner].append(t.card)
        t.card = NOTHING


def _take(t: Table, k: int) -> int:
    """The discard on the table is claimed, and the seat that it came from; another that lies there goes by, and then there is none (-1)."""
    if t.card != NOTHING and (t.card == k or t.card < 0 or k < 0):
        t.card = NOTHING
        return t.owner
    _let_pass(t)
    return -1


def _draw(t: Table, p: int, k: int, e: c.Draw) -> None:
    if not t.calm[p]:
        _act(t, p)
    if t.card != NOTHING:
        t.played[t.owner].append(t.card)
        t.card = NOTHING
    wall = t.wall
    if k < 0:
        k = wall.ahead
    if wall.left > 0:
        wall.draw()
        if wall.left == 0:
            t.calm = t.resting = UNEASY
    enter_hand(t, p, k)
    t.last_drawer = p
    t.turn = p
    t.phase = TURN


def _discard(t: Table, p: int, k: int, e: c.Discard) -> None:
    if not t.calm[p]:
        _act(t, p)
    if t.card != NOTHING:
        t.played[t.owner].append(t.card)
    counts = t.hand[p]
    if k >= 0 and counts[k] > 0 and t.size[p] > 0:
        counts[k] -= 1
        t.packed[p] -= ONE[k]
        t.size[p] -= 1
    else:
        _leave_hand(t, p, k)
    if k < 0:
        t.blank[p] += 1
    elif k == ZHONG and t.zhong_played[p] < 0:
        t.zhong_played[p] = t.seq
    t.card = k
    t.owner = p
    t.card_seq = t.seq
    t.drawn = NOTHING
    t.turn = NEXT[p]
    t.phase = RESPOND


def _lay(t: Table, p: int, kind: MeldWord, tiles: tuple[int, ...], source: int) -> None:
    t.melds[p].append(Meld(p, kind, tiles, source, t.seq))
    t.drawn = NOTHING
    t.turn = p
    t.phase = DISCARD


def _chi(t: Table, p: int, k: int, e: c.Chi) -> None:
    if not t.calm[p]:
        _act(t, p)
    source = _take(t, k)
    consumed = [INDEX[token] for token in e.consumed]
    for kind in consumed:
        _leave_hand(t, p, kind)
    _lay(t, p, CHI, (k, *consumed), source)


def _peng(t: Table, p: int, k: int, e: c.Peng) -> None:
    if not t.calm[p]:
        _act(t, p)
    source = _take(t, k)
    _leave_hand(t, p, k)
    _leave_hand(t, p, k)
    _lay(t, p, PENG, (k, k, k), source)


def _kong(t: Table, p: int, k: int, e: c.Kong) -> None:
    older = t.owed
    _act(t, p)
    if older is not None and older.bu == DUE:
        _never_replaced(t, older)
    if e.kind == "碰":
        _let_pass(t)
        _leave_hand(t, p, k)
        kong = _added_to(t, p, k)
    elif e.kind == "明":
        in_doubt = k < 0 or t.card < 0
        source = _take(t, k)
        for _ in range(3):
            _leave_hand(t, p, k)
        kong = Meld(p, OPEN_KONG, (k,) * 4, source, t.seq, in_doubt=in_doubt)
        t.melds[p].append(kong)
    else:
        _let_pass(t)
        for _ in range(4):
            _leave_hand(t, p, k)
        kong = Meld(p, CONCEALED_KONG, (k,) * 4, -1, t.seq)
        t.melds[p].append(kong)
    t.kongs.append(kong)
    t.drawn = NOTHING
    t.turn = p
    t.calm = UNEASY
    if t.wall.left > 0:
        t.owed = kong
        t.late = False
        t.phase = REPLACEMENT
    else:
        _never_replaced(t, kong)
        t.phase = TURN
    if kong.kind == ADDED_KONG and t.ruleset.rob_window == "before_bu":
        t.robbable = kong


def _added_to(t: Table, p: int, k: int) -> Meld:
    """The kong that a tile makes of one's own 碰; of nothing, if there is no such 碰. Where tile or 碰 is not known, it is left in doubt
    which."""
    pengs = t.pengs(p)
    own = k if k >= 0 and k in pengs else -1 if -1 in pengs else next(iter(pengs), NOTHING) if k < 0 else NOTHING
    if k < 0 or own == -1:
        t.unsure.add(p)
    if own != NOTHING:
        meld = pengs[own].popleft()
        if not pengs[own]:
            del pengs[own]
        meld.kind = ADDED_KONG
        meld.tiles = (k,) * 4
        meld.seq = t.seq
        return meld
    kong = Meld(p, ADDED_KONG, (k,) * 4, -1, t.seq)
    t.melds[p].append(kong)
    return kong


def _replacement(t: Table, p: int, k: int, e: c.Replacement) -> None:
    """A 补章 that is due gives the turn back; a late one only the tile; one that nobody owes is drawn all the same."""
    kong = t.owed
    late = t.late
    calls = t.calls
    _act(t, p)
    place = t.wall.replace()
    if t.wall.left == 0:
        t.calm = t.resting = UNEASY
    if k < 0 <= place:
        k = t.wall.kinds[place]
    on_turn = t.turn == p and t.phase != RESPOND
    drawn = t.drawn
    enter_hand(t, p, k)
    t.last_drawer = p
    if kong is None or kong.actor != p:
        if on_turn:
            t.phase = TURN
        else:
            t.drawn = drawn
        return
    kong.bu = GOOD
    t.kong_changes += 1
    t.owed = None
    if late:
        t.drawn = drawn
        t.calls = calls
    elif kong.kind == ADDED_KONG and t.ruleset.rob_window == "after_bu":
        t.phase = ROB
        t.robbable = kong
        t.calls = calls
    else:
        t.phase = TURN
    if not t.calls and t.robbable is None:
        _settle_down(t)


def _show(t: Table, p: int, k: int, e: c.Show) -> None:
    t.shown = t.shown | {p}


def _pass(t: Table, p: int, k: int, e: shared.Pass) -> None:
    t.calls.pop(p, None)


def _call(t: Table, p: int, k: int, e: shared.Call) -> None:
    if t.phase in (RESPOND, REPLACEMENT, ROB):
        t.calls[p] = (t.seq, e.act)
        t.calm = UNEASY


def hu(t: Table, p: int, k: int, e: c.Hu) -> None:
    """A win that is refuted changes nothing, since play may go on, but that a 自摸 by the kong player closes the window of 抢杠. Any
    other ends the hand, for certain or perhaps; a kong may be robbed by several.
    """
    robbed = t.robbable
    t.flipped = [0] * KINDS
    if has_won(t, p) or (t.ended == YES and (robbed is None or e.kind != "抢杠")):
        return
    win = examine(t, p, e)
    t.calm = UNEASY
    if e.kind == "自摸" and robbed is not None and robbed.actor == p:
        t.robbable = None
    if win.valid == NO:
        if t.ended != YES:
            t.false_win = win
        return
    if not t.wins:
        t.flip = t.to_flip()
        t.ma = []  # 码 belong to the win that they are flipped behind.
        t.ma_seq = -1
        t.end_seq = t.seq
    t.wins.append(win)
    t.false_win = None
    if win.valid == YES:
        if t.ended != YES:
            t.end_seq = t.seq
        t.ended = YES
        t.phase = ENDED
        if robbed is not None and e.kind == "抢杠" and robbed.kind == ADDED_KONG:
            robbed.kind = PENG
            robbed.tiles = robbed.tiles[1:]
            if t.owed is robbed:
                t.owed = None
    elif t.ended == NO:
        t.ended = win.valid


def _ma(t: Table, p: int, k: int, e: c.Ma) -> None:
    t.robbable = None
    flipped = [INDEX[token] for token in e.pai]
    t.ma += flipped
    for kind in flipped:
        if kind >= 0:
            t.flipped[kind] += 1
    t.ma_seq = t.seq


def _exhausted(t: Table, p: int, k: int, e: shared.Exhausted) -> None:
    if t.ended == YES:
        return
    t.doubtful = t.ended != NO
    t.calm = UNEASY
    _let_pass(t)
    t.robbable = None
    t.wins = []
    t.false_win = None
    t.ended = YES
    t.end_seq = t.seq
    t.phase = ENDED


def _settled(t: Table, p: int, k: int, e: shared.Settlement) -> None:
    t.paid.append((t.seq, e.transfers))


EVOLVE: dict[type[Any], Evolve] = {
    c.Draw: _draw,
    c.Discard: _discard,
    c.Chi: _chi,
    c.Peng: _peng,
    c.Kong: _kong,
    c.Replacement: _replacement,
    shared.Pass: _pass,
    shared.Call: _call,
    c.Show: _show,
    c.Hu: hu,
    c.Ma: _ma,
    shared.Exhausted: _exhausted,
    shared.Settlement: _settled,
}
"""What each event does to the table. Events that are not here change no position."""
