"""Stored logs at hand, so that one that is asked for again is not read again. What may have changed meanwhile is asked each time."""

from collections import OrderedDict
from uuid import UUID

import msgspec

from services.kept import Kept
from services.store.annotations import AnnotationLog
from services.store.log import GameLog
from services.store.model import Standing, StoredGame

CAPACITY = 4 * 1024 * 1024
"""So many bytes of events are kept at hand; the log that was not asked for longest goes first."""


class Shelf:
    """The logs of a store.

    An event never changes, so what was read of a log stays right; only its standing is asked, by every call, and what was written since is
    read. So it does not matter who writes, nor from which program.
    """

    def __init__(self, games: GameLog, annotations: AnnotationLog, capacity: int = CAPACITY) -> None:
        self._games = games
        self._annotations = annotations
        self._capacity = capacity
        self._size = 0
        self._logs: OrderedDict[int, Kept] = OrderedDict()

    async def take(self, game_id: UUID) -> tuple[StoredGame, Kept] | None:
        """A game as it stands now, and its log at that version; ``None`` where there is no such game. Raises StoreUnavailableError."""
        at_hand = self.at_hand(game_id)
        if at_hand is not None:
            return at_hand
        known = self._logs.get(game_id.int)
        if known is None:
            return await self._read(game_id)
        standing = await self._games.standing(game_id)
        if standing is None:
            return None
        if not known.holds(standing):
            known = await self._brought_up(game_id, known, standing)
        return known.standing(standing), known

    def at_hand(self, game_id: UUID) -> tuple[StoredGame, Kept] | None:
        """A game as it stands now, and its log, if both are known without asking."""
        standing, known = self._games.known_standing(game_id), self._logs.get(game_id.int)
        if standing is None or known is None or not known.holds(standing):
            return None
        self._logs.move_to_end(game_id.int)
        return known.standing(standing), known

    def put(self, game_id: UUID, kept: Kept) -> None:
        """Keeps a log at hand in place of what was known of it."""
        there = self._logs.pop(game_id.int, None)
        self._size += kept.size - (0 if there is None else there.size)
        self._logs[game_id.int] = kept
        while self._size > self._capacity:
            _, gone = self._logs.popitem(last=False)
            self._size -= gone.size

    async def _read(self, game_id: UUID) -> tuple[StoredGame, Kept] | None:
        standing = await self._games.standing(game_id)
        found = None if standing is None else await self._games.read(game_id)
        if standing is None or found is None:
            return None
        game, payloads = found
        notes = await self._annotations.of_game(game_id)
        # Counted before they were read: what was written in between shows at the next question, and they are read again.
        kept = Kept(game, payloads, notes, (standing.written, standing.removed))
        self.put(game_id, kept)
        return game, kept

    async def _brought_up(self, game_id: UUID, known: Kept, standing: Standing) -> Kept:
        payloads, notes = known.payloads[: standing.version], known.notes
        if len(payloads) < standing.version:
            payloads = payloads + await self._games.payloads(game_id, len(payloads), standing.version)
        noted = (standing.written, standing.removed)
        if noted != known.noted:
            notes = await self._annotations.of_game(game_id)
        game = msgspec.structs.replace(known.game, version=standing.version, head=standing.head)
        kept = Kept(game, payloads, notes, noted)
        self.put(game_id, kept)
        return kept
