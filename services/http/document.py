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
from services.access import NewTokenAnswer, TokenWanted
from services.answers import AppendAnswer, BatchLine, EventsAnswer, GameAnswer, GameList, NoteAnswer, NotesAnswer, RepairsAnswer, Statistics
from services.catalogue import Catalogue, RuleAnswer, RulesetAnswer
from services.certificate.certificate import Certificate
from services.http.examples import examples
from services.http.games import Frames, Rulings
from services.http.live import EVENT_STREAM
from services.http.operations import ID, LANGUAGE, NUMBER, OPERATIONS, TEXT, Operation
from services.http.reference import PAGE_HEADERS, page
from services.http.replies import MEDIA_OF, NDJSON, PROBLEM, AnyRequest, json_reply, language_of
from services.http.tokens import Tokens
from services.live import FeedAnswer
from services.problems import Problem
from services.sharing import AccessAnswer, AccessWanted, LeaseAnswer, LeaseWanted
from services.sittings import HandPlace, HandWanted, MatchLine, MatchList, MatchWanted, Sitting


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The program is well."""

    status: str


def reference(name: str) -> dict[str, str]:
    """A reference to a shape of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


ETAG = {
    "description": "The version of the log that is told of, in quotes, for If-Match. The same version may be answered otherwise (comments, "
    "view, format, language), so If-None-Match is not looked at.",
    "schema": TEXT,
}

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
    "RepairsAnswer": RepairsAnswer,
    "Frame": Frame,
    "Frames": Frames,
    "Certificate": Certificate,
    "NoteAnswer": NoteAnswer,
    "NotesAnswer": NotesAnswer,
    "Rulings": Rulings,
    "Statistics": Statistics,
    "FeedAnswer": FeedAnswer,
    "AccessWanted": AccessWanted,
    "AccessAnswer": AccessAnswer,
    "LeaseWanted": LeaseWanted,
    "LeaseAnswer": LeaseAnswer,
    "MatchWanted": MatchWanted,
    "MatchLine": MatchLine,
    "MatchList": MatchList,
    "HandWanted": HandWanted,
    "HandPlace": HandPlace,
    "Sitting": Sitting,
    "TokenWanted": TokenWanted,
    "NewTokenAnswer": NewTokenAnswer,
    "Tokens": Tokens,
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


@get("/schema")
async def reference_page(request: AnyRequest) -> Response[bytes]:
    """Answers the document as a page to be read, which loads nothing from anywhere."""
    return Response(page(msgspec.json.decode(openapi()), language_of(request)), media_type="text/html", headers=PAGE_HEADERS)


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
        paths.setdefault(path, {})[method] = _operation(method, path, operation, by_name)
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


def _operation(method: str, path: str, operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    in_path = [{"name": name, "in": "path", "required": True, "schema": _in_path(name)} for name in names]
    answers = {str(status): _answer(shape, schemas, versioned=operation.versioned) for status, shape in operation.answers.items()}
    problems = {*operation.problems, 400, 403, 429, 500, 503}
    problems |= set() if operation.takes is None else {408}
    problems |= set() if operation.open else {401}
    answers |= {str(status): _problem(schemas) for status in sorted(problems)}
    described: dict[str, Any] = {
        "operationId": _name(method, path),
        "summary": operation.summary,
        "x-reach": operation.reach,
        "parameters": [*in_path, *operation.asks, LANGUAGE],
        "responses": answers,
    }
    if operation.takes is not None:
        described["requestBody"] = {"required": True, "content": _content(operation.takes, schemas)}
    if not operation.open:
        # What is public can be read without a token, and metrics on this machine.
        described["security"] = [{"token": []}, *([{}] if operation.reach in ("read", "whole", "local") else [])]
    return described


def _name(method: str, path: str) -> str:
    return "-".join([method, *(part.strip("{}") for part in path.replace(":", "/").split("/") if part)])


def _in_path(name: str) -> dict[str, Any]:
    if name.endswith("_id") and name != "rule_id":
        return ID
    return NUMBER if name in ("seq", "n") else TEXT


def _content(shape: str, schemas: dict[str, Any]) -> dict[str, Any]:
    if shape == "lines":
        return {NDJSON: {"schema": {"type": "string"}}}
    if shape == "stream":
        return {EVENT_STREAM: {"schema": {"type": "string"}}}
    if shape == "metrics":
        return {"text/plain": {"schema": {"type": "string"}}}
    if shape == "page":
        return {"text/html": {"schema": {"type": "string"}}}
    if shape == "any":
        return {"application/json": {"schema": {"type": "object"}}}
    if shape == "Events":
        event = _schema("Event", schemas)
        several = {"type": "array", "items": event, "minItems": 1}
        written = {"schema": {"anyOf": [event, several]}, "example": examples()["Event"]}
        return {"application/json": written, MEDIA_OF["msgpack"]: {"schema": {}}, NDJSON: {"schema": {}}}
    content: dict[str, Any] = {"application/json": {"schema": _schema(shape, schemas)}}
    if shape in examples():
        content["application/json"]["example"] = examples()[shape]
    if shape in ("Record", "Claim", "Annotation"):
        content |= {MEDIA_OF["msgpack"]: {"schema": {}}}
    if shape == "Record":
        content |= {NDJSON: {"schema": {}}}
    return content


def _schema(shape: str, schemas: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schemas[name] for name in EITHER[shape]]} if shape in EITHER else schemas[shape]


def _answer(shape: str | None, schemas: dict[str, Any], *, versioned: bool) -> dict[str, Any]:
    if shape is None:
        return {"description": "done"}
    return {"description": shape, "content": _content(shape, schemas), **({"headers": {"ETag": ETAG}} if versioned else {})}


def _problem(schemas: dict[str, Any]) -> dict[str, Any]:
    return {"description": "a problem", "content": {PROBLEM: {"schema": schemas["Problem"]}}}


HANDLERS = [document, reference_page]
