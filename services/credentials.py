"""Who holds a token, a session or a link: what is shown is looked up at every request, so that what was taken back is refused at once."""

import hmac
from datetime import UTC, datetime, timedelta
from hmac import compare_digest
from uuid import UUID, uuid4

from services.access import OWNER, Caller, NewTokenAnswer, TokenLine, TokenWanted, role_named, viewpoint_named
from services.problems import ProblemError, stored
from services.secrets import digest_of, game_of_share, new_secret
from services.store.model import NewToken, StoredToken
from services.store.tokens import TokenLog
from services.words import Words

SESSION = timedelta(days=30)
"""So long a browser stays known."""

CALLER = "paipu.caller"
"""Where a request notes who sent it."""

SESSION_COOKIE = "paipu_session"

MAX_DAYS = 3650
MAX_NAME = 100


def share_cookie(game_id: UUID) -> str:
    """The name of the cookie that holds the link to a game."""
    return f"paipu_share_{game_id.hex}"


class Access:
    """Everything by which this program knows people. ``owner`` is the token of the data folder."""

    def __init__(self, tokens: TokenLog, owner: str) -> None:
        self._tokens = tokens
        self._owner = digest_of(owner)
        self._entrance: bytes | None = None

    async def caller(self, secret: str) -> Caller | None:
        """Who holds this token or link; ``None`` for what was never given out, was taken back or has expired. Whether a link still holds
        its game tells.

        Raises:
            ProblemError: unavailable.
        """
        return self.at_hand(secret) or await self._holder(digest_of(secret))

    def at_hand(self, secret: str) -> Caller | None:
        """Who holds this token or link, if that is known without asking."""
        digest = digest_of(secret)
        if game_of_share(secret) is not None:
            return Caller(name="", share_digest=digest)
        if compare_digest(digest, self._owner):
            return OWNER
        token = self._tokens.known(digest)
        return None if token is None or not token.usable else _caller(token)

    async def session(self, secret: str) -> Caller | None:
        """Whose browser this is; ``None`` if the session or the token that it was opened with has ended.

        Raises:
            ProblemError: unavailable.
        """
        credential = await stored(self._tokens.session(digest_of(secret)))
        return None if credential is None else await self._holder(credential)

    async def log_in(self, token: str) -> str | None:
        """The secret of a new session for the holder of a token; ``None`` without one.

        Raises:
            ProblemError: unavailable.
        """
        credential = digest_of(token)
        return await self._open(credential) if await self._holder(credential) is not None else None

    async def log_out(self, secret: str) -> None:
        """Ends a session.

        Raises:
            ProblemError: unavailable.
        """
        await stored(self._tokens.close_session(digest_of(secret)))

    def entrance(self) -> str:
        """A secret that opens one session of the owner, once, and only while this program runs."""
        secret = new_secret()
        self._entrance = digest_of(secret)
        return secret

    async def enter(self, secret: str) -> str | None:
        """The secret of a new session of the owner for the one who comes by the entrance first; ``None`` to everybody else.

        Raises:
            ProblemError: unavailable.
        """
        if self._entrance is None or not compare_digest(self._entrance, digest_of(secret)):
            return None
        self._entrance = None
        return await self._open(self._owner)

    def pseudonym_key(self, caller: Caller) -> bytes:
        """The key by which this caller is told other names: his own, so that no two can put together what they were told."""
        scope = caller.share_digest if not caller.name and caller.share_digest is not None else caller.name.encode(errors="surrogatepass")
        return hmac.digest(self._owner, b"pseudonyms " + scope, "sha256")

    async def create(self, caller: Caller, wanted: TokenWanted) -> NewTokenAnswer:
        """Makes a token.

        Raises:
            ProblemError: forbidden but for an admin; invalid for a name, a reach or a time that no token can have; unavailable.
        """
        _require_admin(caller)
        _require_sense(wanted)
        secret, token_id = new_secret(), uuid4()
        new = NewToken(
            token_id=token_id,
            name=wanted.name,
            digest=digest_of(secret),
            role=wanted.role,
            game_id=wanted.game,
            match_id=wanted.match,
            viewpoint=wanted.viewpoint,
            created_by=caller.name,
            expires_at=None if wanted.days is None else datetime.now(UTC) + timedelta(days=wanted.days),
        )
        await stored(self._tokens.add(new))
        return NewTokenAnswer(id=token_id, token=secret)

    async def all(self, caller: Caller) -> list[TokenLine]:
        """Every token that was made, those taken back too.

        Raises:
            ProblemError: forbidden but for an admin; unavailable.
        """
        _require_admin(caller)
        return [
            TokenLine(
                id=token.token_id,
                name=token.name,
                role=token.role,
                game=token.game_id,
                match=token.match_id,
                viewpoint=token.viewpoint,
                created_by=token.created_by,
                created_at=token.created_at,
                expires_at=token.expires_at,
                revoked_at=token.revoked_at,
                usable=token.usable,
            )
            for token in await stored(self._tokens.all())
        ]

    async def revoke(self, caller: Caller, token_id: UUID) -> None:
        """Takes a token back, and with it every session that was opened with it.

        Raises:
            ProblemError: forbidden but for an admin; not-found; unavailable.
        """
        _require_admin(caller)
        if not await stored(self._tokens.revoke(token_id, caller.name)):
            raise ProblemError("not-found", Words(f"没有令牌 {token_id}", f"there is no token {token_id}"))

    async def _holder(self, digest: bytes) -> Caller | None:
        if compare_digest(digest, self._owner):
            return OWNER
        token = await stored(self._tokens.find(digest))
        return None if token is None or not token.usable else _caller(token)

    async def _open(self, credential: bytes) -> str:
        secret = new_secret()
        await stored(self._tokens.open_session(digest_of(secret), credential, SESSION))
        return secret


def _caller(token: StoredToken) -> Caller | None:
    role, viewpoint = role_named(token.role), viewpoint_named(token.viewpoint)
    if role is None or viewpoint is None:
        return None
    return Caller(name=token.name, role=role, game_id=token.game_id, match_id=token.match_id, viewpoint=viewpoint)


def _require_admin(caller: Caller) -> None:
    if not caller.is_admin:
        raise ProblemError("forbidden", Words("只有管理员可以", "only an admin may do that"))


def _require_sense(wanted: TokenWanted) -> None:
    wrong: Words | None = None
    if not wanted.name or wanted.name != wanted.name.strip() or len(wanted.name) > MAX_NAME or not wanted.name.isprintable():
        wrong = Words(
            f"名字应为 1…{MAX_NAME} 个可见字符，前后没有空格", f"a name has 1…{MAX_NAME} printable characters, and no space at either end"
        )
    elif wanted.name == OWNER.name:
        wrong = Words(f"{OWNER.name} 只指启动程序的人", f"{OWNER.name} is the person who started the program")
    elif wanted.game is not None and wanted.match is not None:
        wrong = Words("只能限于一盘或一场", "a token is for one game or for one match")
    elif wanted.viewpoint != "public" and wanted.role in ("recorder", "admin"):
        wrong = Words("记录者和管理员看得见全部", "a recorder and an admin see everything")
    elif wanted.viewpoint != "public" and wanted.game is None and wanted.match is None:
        wrong = Words("座位要指明哪一盘或哪一场", "a seat needs a game or a match")
    elif wanted.days is not None and not 1 <= wanted.days <= MAX_DAYS:
        wrong = Words(f"天数应为 1…{MAX_DAYS}", f"the days must be 1…{MAX_DAYS}")
    if wrong is not None:
        raise ProblemError("invalid", wrong)
