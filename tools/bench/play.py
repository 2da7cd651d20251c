"""Goals about whole records: reading, checking, menus, folding, unknown cards, long logs."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.games import game_of
from engine.judge import Breached, check, fold, open_table, run
from engine.log import effective_log
from schemas import changde, weimaque
from schemas.events import Call, Pass, Void, Withdraw
from services.formats.reading import read_json
from tools.bench import samples
from tools.bench.goal import Goal, Measured
from tools.bench.peers import chess_games, peer, riichi_log
from tools.bench.samples import DECODER
from tools.bench.timing import Compared, Side, compare, once
from tools.odd_logs import KINDS, odd_log

LONG, SHORT = 3000, 50
ODD_LONG, ODD_SHORT = 8000, 500
_BEFORE_PLAY = 2
"""开局 and 起牌 are no actions."""


def _against_chess(game: str) -> Measured:
    texts = samples.recorded(game)
    actions = samples.events_in(game) - _BEFORE_PLAY * len(texts)
    games = chess_games(8, 120)
    board = peer("chess").Board

    def replay() -> None:
        for words in games:
            push = board().push_uci
            for word in words:
                push(word)

    found = compare(
        Side(run=lambda: [check(read_json(text).required()) for text in texts], units=actions),
        Side(run=replay, units=sum(map(len, games))),
    )
    return Measured(value=found.ratio, times={"Paipu": found.ours * 1e6, "chess push_uci": found.other * 1e6})


def menus(record: Any) -> None:
    """Check a record, listing at every position all that may be done next."""
    game = game_of(record)
    log = effective_log(record.events)
    table = open_table(game, log)
    legal = game.legal

    def visit(at: int, broken: list[Breached]) -> None:
        legal(table)

    run(game, log, table, visit)


def _against_jansou(game: str) -> Measured:
    replay_paifu = peer("jansou.io.replay").replay_paifu
    paifu, events = riichi_log(1)
    records = samples.records(game)
    found = compare(
        Side(run=lambda: [menus(record) for record in records], units=samples.events_in(game)),
        Side(run=lambda: [decision for decision in replay_paifu(paifu)], units=events),  # noqa: C416
    )
    return Measured(value=found.ratio, times={"Paipu": found.ours * 1e6, "jansou replay_paifu": found.other * 1e6})


def _decode(game: str) -> Side:
    texts = samples.recorded(game)
    return Side(run=lambda: [DECODER.decode(text) for text in texts], units=samples.events_in(game))


def _check_against_decode(game: str) -> Measured:
    records = samples.records(game)
    found = compare(_decode(game), Side(run=lambda: [check(record) for record in records], units=samples.events_in(game)))
    return Measured(value=found.ratio, times={"check": found.other * 1e6, "decode": found.ours * 1e6})


def folded(record: Any) -> None:
    """Fold a record without judging it."""
    game = game_of(record)
    log = effective_log(record.events)
    fold(game, log, open_table(game, log))


def _fold_against_decode(game: str) -> Measured:
    records = samples.records(game)
    found = compare(_decode(game), Side(run=lambda: [folded(record) for record in records], units=samples.events_in(game)))
    return Measured(value=found.ratio, times={"fold": found.other * 1e6, "decode": found.ours * 1e6})


def _idle(dealer: int) -> list[Any]:
    """Words that change no position and forfeit nothing."""
    return [Pass(actor=dealer), Call(actor=dealer, act="吃"), Pass(actor=dealer)]


def _corrections(game: str, dealer: int, seq: int) -> list[Any]:
    """Every kind of correction, written from ``seq`` on, about passes that are written between them."""
    amend, insert = (weimaque.Amend, weimaque.Insert) if game == "weimaque" else (changde.Amend, changde.Insert)
    word = Pass(actor=dealer)
    return [word, amend(seq=seq, event=word), insert(after=seq, event=word), word, Void(seq=seq + 3), word, Withdraw(to=seq + 2)]


def stretched(game: str, record: Any, *, corrected: bool) -> Any:
    """A record of ``LONG`` events: the actions of a hand, and evenly between them passes and calls, or passes and their corrections."""
    start, deal, *actions = record.events
    events: list[Any] = [start, deal]
    for number, action in enumerate(actions, 1):
        events.append(action)
        room = _BEFORE_PLAY + number * (LONG - _BEFORE_PLAY) // len(actions)
        while len(events) < room:
            words = _corrections(game, start.dealer, len(events)) if corrected else _idle(start.dealer)
            if len(events) + len(words) > room:
                words = [Pass(actor=start.dealer)]
            events += words
    return replace(record, events=events)


def in_the_dark(record: Any) -> Any:
    """The same record with nothing known of hands, of the cards not dealt, and of what is drawn from them unseen."""
    start, deal, *events = record.events
    lying = game_of(record).flow.lying
    hidden = replace(deal, hands=[None] * len(deal.hands), **{lying: None})
    unseen = [replace(event, pai="?") if isinstance(event, changde.Draw | changde.Replacement) else event for event in events]
    return replace(record, events=[start, hidden, *unseen])


def with_cards_unknown(record: Any, choose: Random) -> Any:
    """The same record with one in ten of the cards dealt, and of those not dealt, unknown."""
    start, deal, *events = record.events
    lying = game_of(record).flow.lying

    def part(cards: Sequence[str] | None) -> list[str] | None:
        return None if cards is None else ["?" if choose.random() < 0.1 else card for card in cards]

    hidden = replace(deal, hands=[part(hand) for hand in deal.hands], **{lying: part(getattr(deal, lying))})
    return replace(record, events=[start, hidden, *events])


def with_events_unknown(record: Any, choose: Random) -> Any:
    """The same record with the card of three events in ten unknown."""
    start, deal, *events = record.events
    named = [isinstance(getattr(event, "pai", None), str) and choose.random() < 0.3 for event in events]
    return replace(
        record, events=[start, deal, *(replace(event, pai="?") if hide else event for event, hide in zip(events, named, strict=True))]
    )


def _against_known(game: str, hidden: Callable[[Any], Any], judge: Callable[[Any], object] = check) -> Compared:
    """What it takes to judge records some of which is ``hidden``, against the same records with everything known."""
    records = samples.records(game)
    others = [hidden(record) for record in records]
    return compare(
        Side(run=lambda: [judge(record) for record in records], units=samples.events_in(game)),
        Side(run=lambda: [judge(record) for record in others], units=samples.events_in(game)),
    )


def _knowledge(game: str, judge: Callable[[Any], object] = check) -> Measured:
    """With nothing known but what the events themselves show, against the same with known hands."""
    found = _against_known(game, in_the_dark, judge)
    return Measured(value=found.ratio, times={"unknown": found.other * 1e6, "known": found.ours * 1e6})


def _scattered(game: str) -> Measured:
    """The worse of two: some cards of the deal are unknown, or those of some events. The note tells of a check too, which judges every way
    to complete the record where these are few."""
    choose = Random(1)
    hidden: dict[str, Callable[[Any], Any]] = {
        "one in ten of the cards dealt": lambda record: with_cards_unknown(record, choose),
        "the cards of three events in ten": lambda record: with_events_unknown(record, choose),
    }
    found = {what: _against_known(game, hide, folded) for what, hide in hidden.items()}
    checked = {what: _against_known(game, hide) for what, hide in hidden.items()}
    worst = max(found.values(), key=lambda side: side.ratio)
    return Measured(
        value=worst.ratio,
        times={"some unknown": worst.other * 1e6, "known": worst.ours * 1e6},
        note="; ".join(f"{what}: fold {found[what].ratio:.2f}x, check {checked[what].ratio:.2f}x" for what in hidden),
    )


def _odd_growth() -> Measured:
    """The worst of all odd logs, with known hands and with unknown, everything told that is merely possible too: each is tried once, and
    the few that look worst are measured."""
    tried: list[tuple[float, str, Side, Side]] = []
    for game, kind in KINDS:
        known = max(samples.records(game), key=lambda record: len(record.events))
        for hand in (known, in_the_dark(known)):
            long, short = odd_log(hand, kind, ODD_LONG), odd_log(hand, kind, ODD_SHORT)
            ours = Side(run=lambda short=short: [check(short, possible=True) for _ in range(ODD_LONG // ODD_SHORT)], units=ODD_LONG)
            other = Side(run=lambda long=long: check(long, possible=True), units=ODD_LONG)
            taken = once(ours.run)
            tried.append((once(other.run) / taken, f"{game}, {'known' if hand is known else 'unknown'} hands, {kind}", ours, other))
    tried.sort(key=lambda one: one[0], reverse=True)
    found, note = max(((compare(ours, other, rounds=5), note) for _, note, ours, other in tried[:5]), key=lambda one: one[0].ratio)
    return Measured(value=found.ratio, times={f"{ODD_LONG} events": found.other * 1e6, f"{ODD_SHORT} events": found.ours * 1e6}, note=note)


def _growth() -> Measured:
    """The worst of both games, with known hands and with unknown, with words and with corrections; the short log is the beginning of the
    long one."""
    worst: Measured | None = None
    for game in ("weimaque", "changde"):
        known = max(samples.records(game), key=lambda record: len(record.events))
        for hand in (known, in_the_dark(known)):
            for corrected in (False, True):
                long = stretched(game, hand, corrected=corrected)
                short = replace(long, events=long.events[:SHORT])
                found = compare(
                    Side(run=lambda short=short: [check(short) for _ in range(LONG // SHORT)], units=LONG),
                    Side(run=lambda long=long: check(long), units=LONG),
                )
                if worst is None or found.ratio > worst.value:
                    times = {f"{LONG} events": found.other * 1e6, f"{SHORT} events": found.ours * 1e6}
                    hands, words = "known" if hand is known else "unknown", "corrections" if corrected else "passes and calls"
                    worst = Measured(value=found.ratio, times=times, note=f"{game}, {hands} hands, {words}")
    assert worst is not None
    return worst


def _goals(game: str, zh: str, chess: tuple[float, float], jansou: tuple[float, float], decode: tuple[float, float]) -> list[Goal]:
    return [
        Goal(
            name=f"{game}-chess",
            zh=f"{zh}：读入并全面检查，每个动作快于 chess push_uci",
            en=f"{zh} decode + full rule check an action, against chess push_uci",
            great=chess[0],
            floor=chess[1],
            measure=lambda: _against_chess(game),
        ),
        Goal(
            name=f"{game}-menus",
            zh=f"{zh}：检查并列出每步全部合法动作，快于 jansou replay_paifu",
            en=f"{zh} check + all legal menus, against jansou replay_paifu",
            great=jansou[0],
            floor=jansou[1],
            measure=lambda: _against_jansou(game),
        ),
        Goal(
            name=f"{game}-check",
            zh=f"{zh}：检查比解码同一份记录",
            en=f"{zh} check against decode of the same record",
            great=decode[0],
            floor=decode[1],
            faster=False,
            measure=lambda: _check_against_decode(game),
        ),
        Goal(
            name=f"{game}-fold",
            zh=f"{zh}：只推演不检查，比解码",
            en=f"{zh} fold without checks against decode",
            great=3,
            floor=5,
            faster=False,
            measure=lambda: _fold_against_decode(game),
        ),
        Goal(
            name=f"{game}-knowledge",
            zh=f"{zh}：手牌全不知道时检查，比手牌已知",
            en=f"{zh} check with unknown hands against known hands",
            great=1.5,
            floor=2,
            faster=False,
            measure=lambda: _knowledge(game),
        ),
        Goal(
            name=f"{game}-knowledge-fold",
            zh=f"{zh}：手牌全不知道时只推演，比手牌已知",
            en=f"{zh} fold with unknown hands against known hands",
            great=1.5,
            floor=2,
            faster=False,
            measure=lambda: _knowledge(game, folded),
        ),
        Goal(
            name=f"{game}-scattered",
            zh=f"{zh}：零星的牌不知道时只推演，比全部已知",
            en=f"{zh} fold with scattered unknown cards against none",
            great=1.5,
            floor=2,
            faster=False,
            measure=lambda: _scattered(game),
        ),
    ]


GOALS = (
    *_goals("weimaque", "偎麻雀", (6, 3), (8, 4), (15, 25)),
    *_goals("changde", "常德", (10, 5), (12, 4), (8, 25)),
    Goal(
        name="long-log",
        zh="每个事件的耗时：3000 个事件比 50 个",
        en="cost per event at 3,000 events against 50",
        great=1.2,
        floor=1.5,
        faster=False,
        measure=_growth,
    ),
    Goal(
        name="odd-log",
        zh="荒唐的长日志，每个事件的耗时：8000 个事件比 500 个",
        en="cost per event of logs no hand can be, at 8,000 events against 500",
        great=1.5,
        floor=2,
        faster=False,
        measure=_odd_growth,
    ),
)
