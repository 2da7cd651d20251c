"""The OpenAPI document of the service. Its schemas are those of the shapes themselves, so that they refuse what the service refuses."""

from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from litestar import Response, get
from msgspec import UNSET

from schemas.changde import ChangdeEvent
from schemas.frame import Frame
from schemas.record import ChangdeAnnotation, Record, WeimaqueAnnotation
from schemas.verdict import ChangdeOutcome, Verdict, WeimaqueOutcome
from schemas.verify import ChangdeVerdict, Verify, WeimaqueVerdict
from schemas.weimaque import WeimaqueEvent
from services.answers import AppendAnswer, BatchLine, EventsAnswer, GameAnswer, GameList, NoteAnswer
from services.catalogue import Catalogue, RuleAnswer, RulesetAnswer
from services.certificate.certificate import Certificate
from services.formats.media import FORMATS
from services.http.certificates import FORMS
from services.http.games import APPEND_MODES, GAMES, Frames, Notes
from services.http.replies import MEDIA_OF, NDJSON, PROBLEM, AnyRequest, json_reply
from services.modes import MODES
from services.problems import Problem


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The program is well."""

    status: str


def reference(name: str) -> dict[str, str]:
    """A reference to a shape of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


OUTCOME = Annotated[
    Any, msgspec.Meta(extra_json_schema={"anyOf": [reference("WeimaqueOutcome"), reference("ChangdeOutcome"), {"type": "null"}]})
]
"""The outcome of either game: two shapes that are told apart by their members alone."""


@cache
def restated(shape: Any) -> Any:
    """The same shape for the document, its outcomes said so wherever they stand in it; what holds none is left as it is."""
    if shape == WeimaqueOutcome | ChangdeOutcome | None:
        return OUTCOME
    if _is_struct(shape):
        return _restated_struct(shape)
    parts = get_args(shape)
    if get_origin(shape) not in (list, Union, UnionType) or not parts:
        return shape
    stated = [restated(part) for part in parts]
    if stated == list(parts):
        return shape
    return list[stated[0]] if get_origin(shape) is list else Union[tuple(stated)]  # noqa: UP007 - the parts are known only now


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)


def _restated_struct(shape: type[msgspec.Struct]) -> Any:
    fields = msgspec.structs.fields(shape)
    said = {field.encode_name: restated(field.type) for field in fields}
    if all(said[field.encode_name] == field.type for field in fields):
        return shape
    members: list[Any] = [(f.encode_name, said[f.encode_name], *(() if f.required else (UNSET,))) for f in fields]
    return msgspec.defstruct(shape.__name__, members, kw_only=True, namespace={"__doc__": shape.__doc__})


SHAPES: dict[str, Any] = {
    "Record": Record,
    "WeimaqueEvent": WeimaqueEvent,
    "ChangdeEvent": ChangdeEvent,
    "WeimaqueAnnotation": WeimaqueAnnotation,
    "ChangdeAnnotation": ChangdeAnnotation,
    "Claim": Verify,
    "WeimaqueVerdict": WeimaqueVerdict,
    "ChangdeVerdict": ChangdeVerdict,
    "WeimaqueOutcome": WeimaqueOutcome,
    "ChangdeOutcome": ChangdeOutcome,
    "Verdict": Verdict,
    "GameAnswer": GameAnswer,
    "GameList": GameList,
    "BatchLine": BatchLine,
    "EventsAnswer": EventsAnswer,
    "AppendAnswer": AppendAnswer,
    "Frame": Frame,
    "Frames": Frames,
    "Certificate": Certificate,
    "NoteAnswer": NoteAnswer,
    "Notes": Notes,
    "Catalogue": Catalogue,
    "RuleAnswer": RuleAnswer,
    "RulesetAnswer": RulesetAnswer,
    "Health": Health,
    "Problem": Problem,
}
"""Everything that is sent or answered."""

EITHER = {
    "Event": ("WeimaqueEvent", "ChangdeEvent"),
    "Annotation": ("WeimaqueAnnotation", "ChangdeAnnotation"),
    "ClaimVerdict": ("WeimaqueVerdict", "ChangdeVerdict"),
}
"""What has one shape for each game."""

NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
FLAG = {"type": "integer", "enum": [0, 1], "default": 0}
TEXT = {"type": "string"}


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One call: what it does, the shape of its body and of each answer, its parameters, and the problems that it may answer."""

    summary: str
    takes: str | None = None
    answers: dict[int, str | None]
    asks: tuple[dict[str, Any], ...] = ()
    problems: tuple[int, ...] = ()
    open: bool = False


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
RULES = query("rules", TEXT, "judge by these rules instead: a preset's name, or the rules of a 开局 as JSON")
FORMAT = query("format", one_of(FORMATS), "the format of the answer; else Accept")
FROM = query("from", NUMBER, "the first seq")
VIEW = query("view", TEXT, "full (default), public, or a seat")
VERSION = query("version", NUMBER, "an older version, which never changes")
KEY = header("Idempotency-Key", "recognises a request that is sent again; 1 to 255 printable characters")
IF_MATCH = header("If-Match", 'the version to write behind, in quotes, as in "12"; needed unless dry_run')
GAME = query("game", one_of(GAMES), "only this game")

OPERATIONS: dict[tuple[str, str], Operation] = {
    ("post", "/api/check"): Operation(
        summary="Judge a record; nothing is stored", takes="Record", answers={200: "Verdict"},
        asks=(POSSIBLE, RULES), problems=(400, 413, 415), open=True,
    ),
    ("post", "/api/verify"): Operation(
        summary="Judge a claimed win; nothing is stored", takes="Claim", answers={200: "ClaimVerdict"}, problems=(400, 413, 415), open=True,
    ),
    ("post", "/api/games"): Operation(
        summary="Import a record, or open one with just its 开局", takes="Record", answers={201: "GameAnswer", 200: "GameAnswer"},
        asks=(MODE, AGAIN, KEY), problems=(400, 409, 413, 415, 422),
    ),
    ("get", "/api/games"): Operation(
        summary="List games, the latest first", answers={200: "GameList"}, problems=(400,),
        asks=(
            GAME, query("player", TEXT, "a name at the table"), query("winner", TEXT, "a winner's name"),
            query("from", TEXT, "played at this day or moment or later"), query("to", TEXT, "played before this day or moment"),
            query("has", one_of(("violations",)), "only games with violations"), query("text", TEXT, "a word of the names, title, place …"),
            query("limit", NUMBER, "games on a page"), query("cursor", TEXT, "next of the page before"),
        ),
    ),
    ("post", "/api/games:batch"): Operation(
        summary="Import many records, one a line, each committed or refused by itself", takes="lines", answers={200: "lines"},
        asks=(MODE, AGAIN), problems=(400,),
    ),
    ("get", "/api/games/{game_id}"): Operation(
        summary="Read a record", answers={200: "Record"}, asks=(FORMAT,), problems=(404, 406),
    ),
    ("get", "/api/games/{game_id}/events"): Operation(
        summary="Read the events as written", answers={200: "EventsAnswer"}, asks=(FROM,), problems=(400, 404),
    ),
    ("post", "/api/games/{game_id}/events"): Operation(
        summary="Append one event, or several, whole or not at all", takes="Events", answers={201: "AppendAnswer", 200: "AppendAnswer"},
        asks=(IF_MATCH, KEY, query("mode", one_of(APPEND_MODES), "what is refused"), query("dry_run", FLAG, "only answer")),
        problems=(400, 404, 409, 412, 413, 415, 422, 428),
    ),
    ("get", "/api/games/{game_id}/frames/{seq}"): Operation(
        summary="Read the position behind one event", answers={200: "Frame"}, asks=(VIEW, VERSION), problems=(400, 404),
    ),
    ("get", "/api/games/{game_id}/frames"): Operation(
        summary="Read the positions behind the effective events of a range", answers={200: "Frames"},
        asks=(FROM, query("to", NUMBER, "the last seq"), VIEW, VERSION), problems=(400, 404),
    ),
    ("get", "/api/games/{game_id}/verdict"): Operation(
        summary="Judge the stored log", answers={200: "Verdict"}, asks=(POSSIBLE, RULES), problems=(400, 404),
    ),
    ("get", "/api/games/{game_id}/certificate"): Operation(
        summary="Certify a game: what anyone can check without this service", answers={200: "Certificate"}, problems=(400, 404),
        asks=(query("without", TEXT, "names, hands, annotations: what is left out"), query("format", one_of(FORMS), "json, or the page")),
    ),
    ("get", "/api/games/{game_id}/annotations"): Operation(summary="Read the annotations", answers={200: "Notes"}, problems=(404,)),
    ("post", "/api/games/{game_id}/annotations"): Operation(
        summary="Add an annotation", takes="Annotation", answers={201: "NoteAnswer"}, problems=(400, 404, 413, 415),
    ),
    ("delete", "/api/games/{game_id}/annotations/{n}"): Operation(summary="Take an annotation away", answers={204: None}, problems=(404,)),
    ("get", "/api/rules"): Operation(
        summary="List the rules and options", answers={200: "Catalogue"}, asks=(GAME,), problems=(400,), open=True,
    ),
    ("get", "/api/rules/{rule_id}"): Operation(summary="Read one rule", answers={200: "RuleAnswer"}, problems=(404,), open=True),
    ("get", "/api/rulesets/{preset}"): Operation(
        summary="Read every option of a preset", answers={200: "RulesetAnswer"}, problems=(404,), open=True,
    ),
    ("get", "/livez"): Operation(summary="The program lives", answers={200: "Health"}, open=True),
    ("get", "/readyz"): Operation(summary="The database answers", answers={200: "Health"}, open=True),
    ("get", "/schema/openapi.json"): Operation(summary="This document", answers={200: "any"}, open=True),
}  # fmt: skip
"""Every call of the service."""


@get("/schema/openapi.json")
async def document(request: AnyRequest) -> Response[bytes]:
    """Answers the OpenAPI document."""
    return json_reply(openapi())


@cache
def openapi() -> bytes:
    """The document as JSON."""
    schemas, components = msgspec.json.schema_components(
        [restated(shape) for shape in SHAPES.values()], ref_template="#/components/schemas/{name}"
    )
    by_name = dict(zip(SHAPES, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for (method, path), operation in OPERATIONS.items():
        paths.setdefault(path, {})[method] = _operation(path, operation, by_name)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "Paipu 牌谱", "version": "1", "description": "Records of 安乡偎麻雀 and 常德麻将: kept, replayed, judged."},
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }
    )


def _operation(path: str, operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    in_path = [{"name": name, "in": "path", "required": True, "schema": _in_path(name)} for name in names]
    answers = {str(status): _answer(shape, schemas) for status, shape in operation.answers.items()}
    problems = [*operation.problems, 403, 500, 503, *(() if operation.open else (401,))]
    answers |= {str(status): _problem(schemas) for status in sorted(problems)}
    described: dict[str, Any] = {
        "summary": operation.summary,
        "parameters": [*in_path, *operation.asks, LANGUAGE],
        "responses": answers,
    }
    if operation.takes is not None:
        described["requestBody"] = {"required": True, "content": _content(operation.takes, schemas)}
    if not operation.open:
        described["security"] = [{"token": []}]
    return described


def _in_path(name: str) -> dict[str, Any]:
    if name == "game_id":
        return {"type": "string", "format": "uuid"}
    return NUMBER if name in ("seq", "n") else TEXT


def _content(shape: str, schemas: dict[str, Any]) -> dict[str, Any]:
    if shape == "lines":
        return {NDJSON: {"schema": {"type": "string"}}}
    if shape == "any":
        return {"application/json": {"schema": {"type": "object"}}}
    if shape == "Events":
        event = _schema("Event", schemas)
        several = {"type": "array", "items": event, "minItems": 1}
        return {"application/json": {"schema": {"anyOf": [event, several]}}, MEDIA_OF["msgpack"]: {"schema": {}}, NDJSON: {"schema": {}}}
    content = {"application/json": {"schema": _schema(shape, schemas)}}
    if shape in ("Record", "Claim", "Annotation"):
        content |= {MEDIA_OF["msgpack"]: {"schema": {}}}
    if shape == "Record":
        content |= {NDJSON: {"schema": {}}}
    return content


def _schema(shape: str, schemas: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schemas[name] for name in EITHER[shape]]} if shape in EITHER else schemas[shape]


def _answer(shape: str | None, schemas: dict[str, Any]) -> dict[str, Any]:
    if shape is None:
        return {"description": "done"}
    return {"description": shape, "content": _content(shape, schemas)}


def _problem(schemas: dict[str, Any]) -> dict[str, Any]:
    return {"description": "a problem", "content": {PROBLEM: {"schema": schemas["Problem"]}}}
