"""What of a stored game somebody may see: everything once the hand has ended, before that what his view shows."""

from typing import Any

from engine.log import effective_log
from engine.view import NoSuchViewerError, Viewer, viewer
from engine.weimaque.seating import shouxing_seat
from schemas import weimaque
from schemas.record import Record
from services.access import Rights, View
from services.formats.table import start_of
from services.kept import Kept
from services.problems import ProblemError
from services.store.model import Annotation, StoredGame
from services.words import Words


class StoredLog:
    """A stored game as it was read, at one version, and what the one who read it may do with it.

    Whatever goes out to him comes from ``seen``, ``text`` and ``payloads_seen``; ``kept`` and ``record`` hold the hidden cards too.
    """

    def __init__(self, game: StoredGame, kept: Kept, rights: Rights) -> None:
        self.game = game
        self.kept = kept
        self.rights = rights

    @property
    def version(self) -> int:
        """How many events were written."""
        return self.kept.version

    @property
    def notes(self) -> list[Annotation]:
        """Every comment."""
        return self.kept.notes

    def record(self, version: int | None = None) -> Record:
        """The record with everything in it, or that of an older version, without comments."""
        return self.kept.record(version)

    def over(self) -> bool:
        """Whether the hand has ended by what he sees who read it, so that nothing of it is hidden from him any more."""
        return self.kept.over(viewer_of(self.rights.view, self.record()))

    def view(self, asked: str | None = None) -> Viewer:
        """The view that is asked for; without one, the widest that is allowed.

        Raises:
            ProblemError: invalid for a view that this table has not, forbidden for one that the asker may not have.
        """
        allowed: View = self.rights.view
        if allowed == "full" and asked is None:
            return "full"
        record = self.record()
        wanted = None if asked is None else _read(asked, record)
        if allowed == "full" or self.over():
            return "full" if wanted is None else wanted
        best = viewer_of(allowed, record)
        if wanted is None or wanted == best or wanted == "public":
            return best if wanted is None else wanted
        raise ProblemError("forbidden", Words("牌局未完，不能这样看", "that view is closed to you while the hand is on"))

    def seen(self, view: Viewer, version: int | None = None) -> Record:
        """The record as a view shows it. Of others' comments nothing is shown while the hand is on: they may speak of hidden cards."""
        return self.kept.seen(view, version)

    def text(self, view: Viewer) -> bytes:
        """Canonical JSON of the record as a view shows it."""
        return self.kept.text(view)

    def payloads_seen(self, view: Viewer) -> list[bytes]:
        """Canonical JSON of each event as a view shows it."""
        return self.kept.payloads_seen(view)

    def weight(self, view: Viewer) -> int:
        """So many events have to be gone through to tell what a view shows: none where that is known already."""
        return 0 if self.kept.shows(view) else self.version

    def notes_seen(self, name: str) -> list[Annotation]:
        """The comments that may be read: all, or while the hand is on and hidden from him, those that the reader of this name wrote."""
        if self.rights.view == "full" or self.over():
            return self.notes
        return [note for note in self.notes if note.author == name]

    def hides(self) -> bool:
        """Whether anything is kept from the one who read it."""
        return self.rights.view != "full" and not self.over()


def viewer_of(view: View, record: Record) -> Viewer:
    """A view as the engine knows it: 守醒 is a seat where somebody sits out, and the public where nobody does."""
    if view in ("full", "public"):
        return "full" if view == "full" else "public"
    start: Any = effective_log(record.events).events[0]
    if view != "守醒":
        return int(view) if int(view) < len(start.players) else "public"
    seat = shouxing_seat(start) if isinstance(start, weimaque.Start) else -1
    return seat if seat >= 0 else "public"


def _read(asked: str, record: Record) -> Viewer:
    seats = len(start_of(record).players)
    try:
        return viewer(asked, seats)
    except NoSuchViewerError:
        known = ("full", "public", *(str(seat) for seat in range(seats)))
        raise ProblemError("invalid", Words(f"view 应为 {'、'.join(known)}", f"view must be one of {', '.join(known)}")) from None
