"""Certificates of stored games, signed with the key of the data folder."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from services.certificate.certificate import Certificate, CertificationError, issue
from services.certificate.key import SigningKeyError, key_id, public_hex, signing_key
from services.checkpoint import Checkpoint, publish
from services.problems import ProblemError
from services.refusals import not_found
from services.store.annotations import AnnotationLog
from services.store.feed import Feed
from services.store.log import GameLog
from services.store.model import StoreUnavailableError
from services.words import Words


class Certifier:
    """Certifies what a store holds."""

    def __init__(self, games: GameLog, annotations: AnnotationLog, feed: Feed, data: Path) -> None:
        self._games = games
        self._annotations = annotations
        self._feed = feed
        self._data = data

    async def certificate(self, game_id: UUID) -> Certificate:
        """The certificate of a game as it stands now; its salts and its signature are new each time.

        Raises:
            ProblemError: not-found; internal, for a log that does not bear its hash chain or a key that cannot be used; unavailable.
        """
        try:
            game = await self._games.game(game_id)
            if game is None:
                raise not_found(game_id)
            events = [event for event in await self._games.events(game_id) if event.seq < game.version]
            notes = [note.payload for note in await self._annotations.of_game(game_id)]
        except StoreUnavailableError as error:
            raise _away() from error
        try:
            key = signing_key(self._data)
            return await asyncio.to_thread(issue, game, events, notes, key, datetime.now(UTC))
        except (CertificationError, SigningKeyError) as error:
            raise ProblemError("internal", Words(str(error), str(error))) from error

    async def checkpoint(self) -> Checkpoint:
        """Where the feed stands, everything that waited included, signed.

        Raises:
            ProblemError: internal, for a key that cannot be used; unavailable.
        """
        try:
            while await self._feed.advance():
                pass
            return publish(await self._feed.head(), signing_key(self._data), datetime.now(UTC))
        except StoreUnavailableError as error:
            raise _away() from error
        except SigningKeyError as error:
            raise ProblemError("internal", Words(str(error), str(error))) from error


def public_key(data: Path) -> tuple[str, str]:
    """The public key (hex) of a data folder, and its id.

    Raises:
        ProblemError: internal, for a key that cannot be used.
    """
    try:
        public = public_hex(signing_key(data))
    except SigningKeyError as error:
        raise ProblemError("internal", Words(str(error), str(error))) from error
    return public, key_id(public)


def _away() -> ProblemError:
    return ProblemError("unavailable", Words("数据库暂时不可用", "the database is not available at the moment"))
