"""Every call of the service: what it does, for whom, what it takes and what it answers. The document and the tests are made from this."""

from typing import Any, Literal

import msgspec

from services.formats.media import FORMATS
from services.http.asked import GAMES
from services.http.certificates import FORMS
from services.http.games import APPEND_MODES, KNOWN
from services.http.live import MAX_WAIT
from services.modes import MODES

NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
FLAG = {"type": "integer", "enum": [0, 1], "default": 0}
TEXT = {"type": "string"}
ID = {"type": "string", "format": "uuid"}
WAIT = {**NUMBER, "maximum": MAX_WAIT}


Reach = Literal["open", "read", "whole", "known", "create", "write", "rule", "annotate", "manage", "admin", "local"]
"""Who may call: everybody; who may read the game or match; who may see all of the game (everybody who may read it,
once the hand is over); who has a token; who may open games; who may write to the game; rule on it;
comment on it; decide about it; an admin; programs on this machine and admins."""


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One call: what it does, for whom, the shape of its body and of each answer, its parameters, the problems that it may answer, and
    whether its answers are ``versioned``: carry the version of the log that they tell of."""

    summary: str
    reach: Reach
    takes: str | None = None
    answers: dict[int, str | None]
    asks: tuple[dict[str, Any], ...] = ()
    problems: tuple[int, ...] = ()
    versioned: bool = False

    @property
    def open(self) -> bool:
        """Whether no token is needed."""
        return self.reach == "open"


def query(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    """A parameter behind the question mark."""
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": description}


def header(name: str, description: str) -> dict[str, Any]:
    """A parameter in the head of the request."""
    return {"name": name, "in": "header", "required": False, "schema": TEXT, "description": description}


def one_of(words: tuple[str, ...]) -> dict[str, Any]:
    """One of some words."""
    return {"type": "string", "enum": list(words)}


LANGUAGE = query("lang", one_of(("zh", "en")), "language of messages; else Accept-Language")
MODE = query("mode", one_of(MODES), "what is refused: record (default), strict, prefix, keep")
AGAIN = query("again", FLAG, "store a finished hand that is there already")
POSSIBLE = query("possible", FLAG, "list the merely possible findings too")
WITNESS = query("witness", FLAG, "list them with two complete deals each: one in which the act was legal, one in which it was not")
SENSITIVITY = query("sensitivity", FLAG, "list what would be otherwise under another reading of one doubtful option of the rules")
KNOWN_AS = query("known", one_of(KNOWN), "as it is known now (default), or as the table knew it then")
RULES = query("rules", TEXT, "judge by these rules instead: a preset's name, or the rules of a 开局 as JSON")
FORMAT = query("format", one_of(FORMATS), "the format of the answer; else Accept")
FROM = query("from", NUMBER, "the first seq")
VIEW = query("view", TEXT, "full, public, or a seat; else the widest that one may have")
SHARE = query("share", TEXT, "the secret of a link to the game")
VERSION = query("version", NUMBER, "an older version, which never changes")
KEY = header("Idempotency-Key", "recognises a request that is sent again; 1 to 255 printable characters")
IF_MATCH = header("If-Match", 'the version to write behind, in quotes, as in "12"; needed unless dry_run')
GAME = query("game", one_of(GAMES), "only this game")

FILTERS = (
    GAME, query("player", TEXT, "a name at the table"), query("winner", TEXT, "a winner's name"),
    query("from", TEXT, "played at this day or moment or later"), query("to", TEXT, "played before this day or moment"),
    query("has", one_of(("violations",)), "only games with violations"), query("text", TEXT, "a word of the names, title, place …"),
    query("match", ID, "only hands of this match"),
)  # fmt: skip
LIMIT = query("limit", NUMBER, "so many at most")
PSEUDONYMS = query("pseudonyms", FLAG, "other names for the players, and no meta data but the time of play")
LEASE = header("Paipu-Lease", "the secret of the lease that was taken on the game")

OPERATIONS: dict[tuple[str, str], Operation] = {
    ("post", "/api/check"): Operation(
        summary="Judge a record; nothing is stored", reach="open", takes="Record", answers={200: "Verdict"},
        asks=(POSSIBLE, WITNESS, SENSITIVITY, RULES), problems=(400, 413, 415),
    ),
    ("post", "/api/verify"): Operation(
        summary="Judge a claimed win; nothing is stored", reach="open", takes="Claim", answers={200: "ClaimVerdict"},
        problems=(400, 413, 415),
    ),
    ("post", "/api/games"): Operation(
        summary="Import a record, or open one with just its 开局", reach="create", takes="Record",
        answers={201: "GameAnswer", 200: "GameAnswer"}, asks=(MODE, AGAIN, KEY), problems=(400, 409, 413, 415, 422), versioned=True,
    ),
    ("get", "/api/games"): Operation(
        summary="List games, the latest first", reach="known", answers={200: "GameList"}, problems=(400,),
        asks=(*FILTERS, LIMIT, query("cursor", TEXT, "next of the page before")),
    ),
    ("post", "/api/games:batch"): Operation(
        summary="Import many records, one a line, each committed or refused by itself", reach="create", takes="lines",
        answers={200: "lines"}, asks=(MODE, AGAIN, KEY), problems=(400,),
    ),
    ("get", "/api/games:export"): Operation(
        summary="Read many records, one a line; Link leads to those behind them", reach="known", answers={200: "lines"},
        asks=(*FILTERS, LIMIT, query("after", ID, "the game behind which to go on"), PSEUDONYMS), problems=(400,),
    ),
    ("get", "/api/games/{game_id}"): Operation(
        summary="Read a record", reach="read", answers={200: "Record"}, asks=(FORMAT, VIEW, PSEUDONYMS, SHARE), problems=(400, 404, 406),
        versioned=True,
    ),
    ("get", "/api/games/{game_id}/events"): Operation(
        summary="Read the events as written", reach="read", answers={200: "EventsAnswer"}, asks=(FROM, VIEW, SHARE), problems=(400, 404),
        versioned=True,
    ),
    ("post", "/api/games/{game_id}/events"): Operation(
        summary="Append one event, or several, whole or not at all; a referee may write 裁定 alone", reach="rule", takes="Events",
        answers={201: "AppendAnswer", 200: "AppendAnswer"},
        asks=(IF_MATCH, KEY, LEASE, query("mode", one_of(APPEND_MODES), "what is refused"), query("dry_run", FLAG, "only answer")),
        problems=(400, 404, 409, 412, 413, 415, 422, 428), versioned=True,
    ),
    ("get", "/api/games/{game_id}/frames/{seq}"): Operation(
        summary="Read the position behind one event", reach="read", answers={200: "Frame"},
        asks=(VIEW, VERSION, KNOWN_AS, SHARE), problems=(400, 404), versioned=True,
    ),
    ("get", "/api/games/{game_id}/frames"): Operation(
        summary="Read the positions behind the effective events of a range", reach="read", answers={200: "Frames"},
        asks=(FROM, query("to", NUMBER, "the last seq"), VIEW, VERSION, KNOWN_AS, SHARE), problems=(400, 404),
    ),
    ("get", "/api/games/{game_id}/variations/{n}/frames"): Operation(
        summary="Read the positions behind the events of the variation of annotation n", reach="read", answers={200: "Frames"},
        asks=(VIEW, SHARE), problems=(400, 404),
    ),
    ("get", "/api/games/{game_id}/verdict"): Operation(
        summary="Judge the stored log", reach="read", answers={200: "Verdict"},
        asks=(POSSIBLE, WITNESS, SENSITIVITY, RULES, VIEW, SHARE), problems=(400, 404),
    ),
    ("post", "/api/games/{game_id}/repairs"): Operation(
        summary="Offer ready corrections for what cannot have happened; nothing is stored", reach="read", answers={200: "RepairsAnswer"},
        asks=(LIMIT, VIEW, SHARE), problems=(400, 404), versioned=True,
    ),
    ("get", "/api/games/{game_id}/stream"): Operation(
        summary="Follow a game: server-sent events named event, correction and over", reach="read", answers={200: "stream"},
        asks=(FROM, VIEW, SHARE, header("Last-Event-ID", "the last seq that was received")), problems=(400, 404),
    ),
    ("get", "/api/games/{game_id}/annotations"): Operation(
        summary="Read the annotations", reach="read", answers={200: "NotesAnswer"}, asks=(SHARE,), problems=(404,),
    ),
    ("post", "/api/games/{game_id}/annotations"): Operation(
        summary="Add an annotation", reach="annotate", takes="Annotation", answers={201: "NoteAnswer"}, problems=(400, 404, 413, 415),
    ),
    ("delete", "/api/games/{game_id}/annotations/{n}"): Operation(
        summary="Take an annotation away: one's own, or any if the game is one's own", reach="annotate", answers={204: None},
        problems=(404,),
    ),
    ("get", "/api/games/{game_id}/rulings"): Operation(
        summary="Read the rulings", reach="read", answers={200: "Rulings"}, asks=(SHARE,), problems=(404,),
    ),
    ("get", "/api/games/{game_id}/access"): Operation(
        summary="Read who sees a game", reach="manage", answers={200: "AccessAnswer"}, problems=(404,),
    ),
    ("put", "/api/games/{game_id}/access"): Operation(
        summary="Make a game private, public, or open to whoever has a link, which is made anew", reach="manage", takes="AccessWanted",
        answers={200: "AccessAnswer"}, problems=(400, 404, 413),
    ),
    ("put", "/api/games/{game_id}/lease"): Operation(
        summary="Take, renew or take over the lease of a game: while it lasts only its holder appends", reach="write", takes="LeaseWanted",
        answers={200: "LeaseAnswer"}, problems=(400, 404, 409, 413),
    ),
    ("delete", "/api/games/{game_id}/lease"): Operation(
        summary="Give a lease up", reach="write", answers={204: None}, asks=(LEASE,), problems=(400, 404),
    ),
    ("get", "/api/games/{game_id}/certificate"): Operation(
        summary="Certify a game: what anyone can check without this service", reach="whole", answers={200: "Certificate"},
        asks=(query("without", TEXT, "names, hands, annotations: what is left out"), query("format", one_of(FORMS), "json, or the page")),
        problems=(400, 404),
    ),
    ("get", "/api/feed"): Operation(
        summary="Read the appends behind a position, in the one order in which everybody sees them", reach="known",
        answers={200: "FeedAnswer"}, problems=(400,),
        asks=(query("after", NUMBER, "the last position that was read"), LIMIT, query("wait", WAIT, "seconds to wait for news")),
    ),
    ("get", "/api/statistics"): Operation(
        summary="Read what players did in the hands that have ended", reach="known", answers={200: "Statistics"}, asks=FILTERS,
        problems=(400,),
    ),
    ("get", "/api/matches"): Operation(summary="List matches, the latest first", reach="known", answers={200: "MatchList"}),
    ("post", "/api/matches"): Operation(
        summary="Make a match", reach="create", takes="MatchWanted", answers={201: "MatchLine"}, problems=(400, 404, 413),
    ),
    ("get", "/api/matches/{match_id}"): Operation(
        summary="Read a match with its hands judged together, and the standings", reach="read", answers={200: "Sitting"}, problems=(404,),
    ),
    ("post", "/api/matches/{match_id}/games"): Operation(
        summary="Put a game behind the other hands of a match", reach="write", takes="HandWanted", answers={201: "HandPlace"},
        problems=(400, 404, 413),
    ),
    ("get", "/api/tokens"): Operation(summary="List the tokens, without their secrets", reach="admin", answers={200: "Tokens"}),
    ("post", "/api/tokens"): Operation(
        summary="Make a token", reach="admin", takes="TokenWanted", answers={201: "NewTokenAnswer"}, problems=(400, 413),
    ),
    ("delete", "/api/tokens/{token_id}"): Operation(summary="Take a token back", reach="admin", answers={204: None}, problems=(404,)),
    ("get", "/api/rules"): Operation(
        summary="List the rules and options", reach="open", answers={200: "Catalogue"}, asks=(GAME,), problems=(400,),
    ),
    ("get", "/api/rules/{rule_id}"): Operation(summary="Read one rule", reach="open", answers={200: "RuleAnswer"}, problems=(404,)),
    ("get", "/api/rulesets/{preset}"): Operation(
        summary="Read every option of a preset", reach="open", answers={200: "RulesetAnswer"}, problems=(404,),
    ),
    ("get", "/livez"): Operation(summary="The program lives", reach="open", answers={200: "Health"}),
    ("get", "/readyz"): Operation(summary="The database answers", reach="open", answers={200: "Health"}),
    ("get", "/metrics"): Operation(summary="Counts for Prometheus", reach="local", answers={200: "metrics"}),
    ("get", "/schema"): Operation(summary="This document, to be read", reach="open", answers={200: "page"}),
    ("get", "/schema/openapi.json"): Operation(summary="This document", reach="open", answers={200: "any"}),
}  # fmt: skip
"""Every call of the service."""
