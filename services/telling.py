"""What is answered about things stored: the shapes that go out, made from those that the store gives."""

import msgspec

from services.answers import (
    BatchLine,
    EventAnswer,
    GameLine,
    Imported,
    NoteAnswer,
    PlayerLine,
    Written,
)
from services.problems import ProblemError, told
from services.refusals import key_reused, running
from services.store.model import (
    AlreadyThere,
    Appended,
    Created,
    Creation,
    ListedGame,
    NotFound,
    PlayerFigures,
    Replayed,
    RequestMismatch,
    StillRunning,
    StoredEvent,
)
from services.store.model import Annotation as StoredNote
from services.words import Language, Words


def event_answer(event: StoredEvent, shown: bytes) -> EventAnswer:
    """An event with the text that its reader may see."""
    return EventAnswer(seq=event.seq, recorded_at=event.recorded_at, recorder=event.recorder, event=msgspec.Raw(shown))


def note_answer(note: StoredNote) -> NoteAnswer:
    """An annotation."""
    return NoteAnswer(n=note.number, author=note.author, recorded_at=note.recorded_at, annotation=msgspec.Raw(note.payload))


def game_line(game: ListedGame) -> GameLine:
    """One game of a list, with what its reader may know of it."""
    summary, opened = game.summary, game.opened
    return GameLine(
        id=game.game_id,
        game=game.game,
        version=game.version,
        title=summary.title,
        players=summary.players,
        dealer=summary.dealer,
        played_at=summary.played_at,
        created_at=game.created_at,
        finished=summary.finished and opened,
        end=summary.end if opened else None,
        winners=summary.winners if opened else (),
        has_violations=summary.has_violations if opened else None,
        visibility=game.visibility,
    )


def player_line(figures: PlayerFigures) -> PlayerLine:
    """What one player did at one of the games."""
    average = round(figures.total_xi / figures.wins_with_xi, 2) if figures.wins_with_xi else None
    return PlayerLine(
        player=figures.player,
        game=figures.game,
        hands=figures.hands,
        wins=figures.wins,
        average_xi=average,
        net=figures.net,
        mingtang=figures.mingtang,
    )


def refused_line(line: int, refused: ProblemError, language: Language) -> BatchLine:
    """The answer to a record of a batch that was refused."""
    problem = told(refused, language)
    return BatchLine(line=line, status=problem.status, error=problem)


def created(outcome: Creation, body: bytes) -> Imported:
    """The answer to a record that was to be stored; ``body`` is what is said of one that was."""
    match outcome:
        case Created():
            return Imported(game_id=outcome.game_id, version=outcome.version, body=body, created=True)
        case AlreadyThere():
            return Imported(game_id=outcome.game_id, version=outcome.version, body=body, created=False)
        case Replayed():
            return Imported(game_id=outcome.game_id, version=outcome.version, body=outcome.answer, created=True, replayed=True)
        case RequestMismatch():
            raise key_reused()
        case StillRunning():
            raise running()


def appended(outcome: Appended | Replayed | RequestMismatch | StillRunning | NotFound, body: bytes) -> Written:
    """The answer to events that were to be written; ``body`` is what is said of those that were."""
    match outcome:
        case Appended():
            return Written(version=outcome.version, body=body, stored=True)
        case Replayed():
            return Written(version=outcome.version, body=outcome.answer, stored=True, replayed=True)
        case RequestMismatch():
            raise key_reused()
        case StillRunning():
            raise running()
        case NotFound():
            raise ProblemError("not-found", Words("没有这盘", "there is no such game"))
