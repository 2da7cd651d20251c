"""``replay``: the positions of a record, as a board that can be read in a terminal."""

from argparse import Namespace

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from engine.replay import frame, frames
from engine.view import NoSuchViewerError, Viewer, viewer
from engine.weimaque.deck import INDEX, IS_RED
from schemas.frame import SeatState
from schemas.record import Record
from services.board import Board, board
from services.cli.output import CLEAN, USAGE, each_record, say, show_json
from services.formats.table import start_of
from services.wording import BIG, GAMES, PHASES, face, outcome_words
from services.words import Language, Words


def replay_file(options: Namespace) -> int:
    """Shows one position of each record of a file, or with ``--all`` every position."""
    return each_record([options.file], options, lambda _, record: _replay(record, options))


class _Console(Console):
    """A console that leaves it to the command what becomes of a reader who has had enough."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _replay(record: Record, options: Namespace) -> int:
    language: Language = options.lang
    try:
        who = viewer(options.view, len(start_of(record).players))
    except NoSuchViewerError:
        say(Words(f"没有视角 {options.view}", f"there is no view {options.view}"), language)
        return USAGE
    if options.at is not None and options.at >= len(record.events):
        say(Words(f"没有第 {options.at} 个事件", f"there is no event {options.at}"), language)
        return USAGE
    if options.json:
        now = not options.as_known
        wanted = (
            frames(record, view=who, lang=language, hindsight=now)
            if options.at is None
            else [frame(record, options.at, view=who, lang=language, hindsight=now)]
        )
        for found in wanted:
            show_json(found)
        return CLEAN
    console = _Console(highlight=False)
    if options.all:
        for found in frames(record, view=who, lang=language):
            _show(console, record, found.seq, who, options)
    else:
        _show(console, record, options.at, who, options)
    return CLEAN


def _show(console: Console, record: Record, seq: int | None, who: Viewer, options: Namespace) -> None:
    language: Language = options.lang
    shown = board(record, seq, view=who, language=language, hindsight=not options.as_known)
    state = shown.frame.state
    title = record.meta.get("title") if isinstance(record.meta, dict) else None
    head = Text(f"{title or ''} {GAMES[shown.game].in_(language)}  #{shown.frame.seq}  ".lstrip())
    head.append(shown.line.corrected or shown.line.words, style="bold")
    middle = Text(Words(f"余 {state.stock}  ", f"left {state.stock}  ").in_(language))
    middle.append(PHASES[state.phase].in_(language))
    if state.turn is not None and not state.ended:
        middle.append(f" · {shown.names[state.turn]}")
    if state.table is not None:
        middle.append("   ")
        middle.append_text(_card(state.table.pai))
        middle.append(f" {shown.names[state.table.actor]}{state.table.how}")
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for seat, lying in enumerate(state.seats):
        _seat(grid, shown, seat, lying, language)
    console.print(Panel(grid, title=head, subtitle=middle, title_align="left", subtitle_align="left", expand=False))
    for finding in shown.findings:
        console.print(Text(f"  ! {finding.message}  {finding.rule}", style="" if finding.kind == "notice" else "red"))
    for note in shown.notes:
        console.print(Text(f"  {note.by}：{note.text}", style="italic"))
    if shown.frame.outcome is not None:
        console.print(Text(f"  {outcome_words(shown.frame.outcome, shown.names).in_(language)}", style="bold"))


def _seat(grid: Table, shown: Board, seat: int, lying: SeatState, language: Language) -> None:
    turn = shown.frame.state.turn == seat and not shown.frame.state.ended
    name = Text(f"{'▶' if turn else ' '} {lying.name}", style="bold" if turn else "")
    if seat == shown.dealer:
        name.append(Words(" 庄", " dealer").in_(language))
    if seat == shown.shouxing:
        grid.add_row(name, Text(Words("守醒", "sits out").in_(language), style="dim"))
        return
    hand = Text("")
    for pai in lying.hand or ():
        hand.append_text(_card(pai))
        hand.append(" ")
    if lying.hidden:
        hand.append(f"+{lying.hidden}", style="dim")
    grid.add_row(name, hand)
    for meld in lying.melds:
        laid = Text(f"{meld.kind} ", style="dim")
        for pai in meld.pai:
            laid.append_text(_card(pai))
        grid.add_row("", laid)
    if lying.played:
        played = Text(Words("出过 ", "played ").in_(language), style="dim")
        for pai in lying.played:
            played.append_text(_card(pai))
            played.append(" ")
        grid.add_row("", played)
    waits = [wait for wait in shown.frame.waits if wait.seat == seat]
    if waits and not shown.frame.state.ended:
        waiting = Text(Words("听 ", "waits ").in_(language), style="dim")
        for wait in waits:
            waiting.append_text(_card(wait.pai))
            waiting.append(f"({wait.left}) ")
        grid.add_row("", waiting)


def _card(token: str) -> Text:
    """A card in its colour; 大字 are bold and underlined, so that they differ from 小字 without colour too."""
    styles: list[str] = []
    if token == "7z" or (token != "?" and token in INDEX and IS_RED[INDEX[token]]):
        styles.append("red")
    if token in BIG:
        styles.append("bold underline")
    return Text(face(token), style=" ".join(styles))
