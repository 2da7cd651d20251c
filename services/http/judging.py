"""Questions that store nothing: is this record right, is this win worth what is claimed, what are the rules."""

from litestar import Response, get, post

from services.catalogue import catalogue, rules_of_id, ruleset
from services.formats.claims import read_claims
from services.formats.faults import Fault, Unreadable
from services.http.asked import GAMES, body_of, choice, flag, format_of, records_of
from services.http.games import one_reading
from services.http.replies import AnyRequest, json_reply, language_of
from services.problems import ProblemError, unreadable
from services.words import Words


@post("/api/check", status_code=200)
async def check_record(request: AnyRequest) -> Response[bytes]:
    """Judges a record."""
    form = format_of(request)
    reading = one_reading(await body_of(request), form)
    verdict = await records_of(request).check(
        reading,
        language=language_of(request),
        possible=flag(request, "possible"),
        witness=flag(request, "witness"),
        sensitivity=flag(request, "sensitivity"),
        rules=request.query_params.get("rules"),
    )
    return json_reply(verdict)


@post("/api/verify", status_code=200)
async def verify_claim(request: AnyRequest) -> Response[bytes]:
    """Judges a claimed win."""
    form = format_of(request)
    first, *others = read_claims(await body_of(request), form)
    if others:
        said = Words(f"第二手胡牌在这里，一共 {len(others) + 1} 手", f"the second of {len(others) + 1} claims stands here")
        second = Fault(path="$", record=1, line=others[0].line, said=said, expected=Words("一手胡牌", "one claimed win"))
        raise unreadable(Unreadable((second,)))
    if first.claim is None:
        raise unreadable(Unreadable(first.faults))
    return json_reply(await records_of(request).verify(first.claim, language_of(request)))


@get("/api/rules")
async def list_rules(request: AnyRequest) -> Response[bytes]:
    """Lists the rules and the options of both games, or of one."""
    game = choice(request, "game", ("", *GAMES), "")
    return json_reply(catalogue(language_of(request), game or None))


@get("/api/rules/{rule_id:str}")
async def read_rule(request: AnyRequest) -> Response[bytes]:
    """Answers one rule."""
    rule_id = str(request.path_params["rule_id"])
    found = rules_of_id(rule_id, language_of(request))
    if not found:
        raise ProblemError("not-found", Words(f"没有规则 {rule_id}", f"there is no rule {rule_id}"))
    return json_reply(found[0])


@get("/api/rulesets/{preset:str}")
async def read_ruleset(request: AnyRequest) -> Response[bytes]:
    """Answers every option of a preset with the value that it has there."""
    preset = str(request.path_params["preset"])
    found = ruleset(preset)
    if found is None:
        raise ProblemError("not-found", Words(f"没有 {preset}", f"there is no ruleset {preset}"))
    return json_reply(found)


HANDLERS = [check_record, verify_claim, list_rules, read_rule, read_ruleset]
