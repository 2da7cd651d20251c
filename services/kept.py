"""A stored log at one version, and what was made of it: none of that ever changes."""

from typing import Any

import msgspec

from engine.view import Viewer, is_over_for, masked
from schemas.record import Record
from schemas.verdict import Verdict
from services.formats.canonical import canonical
from services.formats.events import record_text, stored_record
from services.store.model import Annotation, Standing, StoredGame
from services.words import Language


class Kept:
    """The ``payloads`` of a game's events and the comments on it, of which ``noted`` were (written, taken away).

    All of it holds the hidden cards too. Records that it gives are shared: nobody changes them. ``verdicts`` are those that were given on
    the whole record, by its own rules, without what is merely possible.
    """

    def __init__(self, game: StoredGame, payloads: list[bytes], notes: list[Annotation], noted: tuple[int, int]) -> None:
        self.payloads = payloads
        self.notes = notes
        self.noted = noted
        self.size = len(game.header) + sum(map(len, payloads)) + sum(len(note.payload) for note in notes)
        self._game = game
        self._now: Standing | None = None
        self._record: Record | None = None
        self._over: bool | None = None
        self._seen: dict[Viewer, Record] = {}
        self._texts: dict[Viewer, bytes] = {}
        self.verdicts: dict[Language, Verdict] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # What was made of the log can be made again where it is sent.
        return Kept, (self._game, self.payloads, self.notes, self.noted)

    @property
    def version(self) -> int:
        """How many events were written."""
        return len(self.payloads)

    @property
    def game(self) -> StoredGame:
        """The game, as it stood when that was asked last."""
        return self._game

    def holds(self, now: Standing) -> bool:
        """Whether nothing was written to the game since."""
        return now is self._now or (now.head == self._game.head and (now.written, now.removed) == self.noted)

    def standing(self, now: Standing) -> StoredGame:
        """The game as it stands now, at this version."""
        if now is not self._now:
            self._now = now
            self._game = msgspec.structs.replace(self._game, sharing=now.sharing, lease=now.lease)
        return self._game

    def grown(self, payloads: list[bytes], head: bytes, record: Record, language: Language, verdict: Verdict) -> "Kept":
        """The log with further events, which led to ``head``; its record and the verdict on that are known already."""
        game = msgspec.structs.replace(self._game, version=self.version + len(payloads), head=head)
        grown = Kept(game, [*self.payloads, *payloads], self.notes, self.noted)
        grown._record = record
        grown.verdicts[language] = verdict
        return grown

    def record(self, version: int | None = None) -> Record:
        """The record with everything in it, or that of an older version, without comments."""
        if version is not None:
            return stored_record(self._game.header, self.payloads[:version])
        if self._record is None:
            self._record = stored_record(self._game.header, self.payloads, [note.payload for note in self.notes])
        return self._record

    def over(self, view: Viewer) -> bool:
        """Whether the hand has ended by what a view shows of it, so that nothing of it is hidden there any more."""
        if view != "full":
            return self.seen(view) is self.record()
        if self._over is None:
            self._over = is_over_for(self.record(), view)
        return self._over

    def shows(self, view: Viewer) -> bool:
        """Whether it is known already what a view shows."""
        return view == "full" or view in self._seen

    def seen(self, view: Viewer, version: int | None = None) -> Record:
        """The record as a view shows it: ``record`` itself where nothing is hidden. Of an older version, what is shown now of what was
        written then."""
        seen = self.record() if view == "full" else self._seen.get(view)
        if seen is None:
            seen = self._seen[view] = masked(self.record(), view)
        return seen if version is None else msgspec.structs.replace(self.record(version), events=seen.events[:version])

    def payloads_seen(self, view: Viewer) -> list[bytes]:
        """Canonical JSON of each event as a view shows it."""
        if view == "full" or self.over(view):
            return self.payloads
        events = zip(self.payloads, self.record().events, self.seen(view).events, strict=True)
        return [payload if shown is written else canonical(shown) for payload, written, shown in events]

    def text(self, view: Viewer) -> bytes:
        """Canonical JSON of the record as a view shows it."""
        if view != "full" and self.over(view):
            view = "full"
        text = self._texts.get(view)
        if text is None:
            notes = [note.payload for note in self.notes] if view == "full" else []
            text = self._texts[view] = record_text(self._game.header, self.payloads_seen(view), notes)
        return text
