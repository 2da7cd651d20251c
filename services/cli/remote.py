"""A Paipu service elsewhere, reached over HTTP."""

from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import UUID

import msgspec

from services.answers import BatchLine
from services.formats.canonical import canonical
from services.formats.media import Format
from services.formats.reading import Reading
from services.modes import Mode
from services.problems import Problem, ProblemError
from services.words import Language, Words

TIMEOUT = 60
"""Seconds to wait for an answer."""


class _Added(msgspec.Struct):
    id: UUID


class Remote:
    """The service at an address (``http://host:port``), asked with a token."""

    def __init__(self, address: str, token: str, language: Language) -> None:
        self._address = address.rstrip("/")
        self._token = token
        self._language = language

    def add(self, reading: Reading, place: int, *, mode: Mode, again: bool) -> BatchLine:
        """Imports one readable record; ``place`` is its line.

        Raises:
            ProblemError: unavailable.
        """
        query = urlencode({"mode": mode, "again": int(again), "lang": self._language})
        status, body = self._ask(f"/api/games?{query}", canonical(reading.required()))
        if status in (200, 201):
            return BatchLine(line=place, status=status, id=msgspec.json.decode(body, type=_Added).id)
        return BatchLine(line=place, status=status, error=_problem(status, body))

    def record(self, game_id: str, form: Format) -> bytes:
        """A stored record in a format.

        Raises:
            ProblemError: not-found, unavailable.
        """
        status, body = self._ask(f"/api/games/{game_id}?{urlencode({'format': form, 'lang': self._language})}")
        if status == 200:
            return body
        detail = _problem(status, body).detail
        raise ProblemError("not-found" if status == 404 else "unavailable", Words(detail, detail))

    def _ask(self, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            request = Request(f"{self._address}{path}", data=body, headers=headers)
            with urlopen(request, timeout=TIMEOUT) as answer:
                return answer.status, answer.read()
        except HTTPError as refused:
            with refused:
                return refused.code, refused.read()
        except (URLError, HTTPException, OSError, ValueError) as error:
            raise ProblemError("unavailable", Words(f"连不上 {self._address}：{error}", f"cannot reach {self._address}: {error}")) from None


def _problem(status: int, body: bytes) -> Problem:
    try:
        return msgspec.json.decode(body, type=_Told).problem()
    except msgspec.MsgspecError:
        return Problem(type="about:blank", title=str(status), status=status, detail=str(status))


class _Told(msgspec.Struct):
    """What is passed on of a problem that the service answered."""

    type: str
    title: str
    status: int
    detail: str

    def problem(self) -> Problem:
        return Problem(type=self.type, title=self.title, status=self.status, detail=self.detail)
