"""The page of a hand that cannot have happened as it is written: repairs that are ready, each with a button that appends it."""

import msgspec
from litestar import Response, get, post
from litestar.types import ControllerRouterHandler

from services.credentials import SESSION_COOKIE
from services.problems import ProblemError
from services.records import Records
from services.refusals import game_named
from services.web.entering import fields_of
from services.web.rendering import AnyRequest, caller_of, html, page, render
from services.words import Language, Words

SLIPS = {
    "card": Words("牌", "card"),
    "seat": Words("座位", "seat"),
    "consumed": Words("吃的牌", "cards of a 吃"),
    "kind": Words("动作", "action"),
    "order": Words("先后", "order"),
    "missed": Words("漏记", "missed"),
    "extra": Words("多记", "too many"),
}
"""What may have gone wrong in writing."""


@get("/games/{game_id:str}/repairs")
async def repairs_page(request: AnyRequest) -> Response[bytes]:
    """The repairs of a hand, the likeliest first."""

    async def make(language: Language) -> Response[bytes]:
        game_id = game_named(request.path_params["game_id"])
        records: Records = request.app.state["records"]
        log = await records.open(caller_of(request), game_id)
        offered = await records.repairs(caller_of(request), game_id, language=language)
        ready = [(repair, msgspec.json.encode(repair.events).decode()) for repair in offered.repairs]
        values = {"id": game_id, "version": offered.version, "ready": ready, "slips": SLIPS, "may_write": log.rights.write}
        return html(render(request, "repairs.html", language, **values))

    return await page(request, make)


@post("/games/{game_id:str}/repairs", status_code=200)
async def mend(request: AnyRequest) -> Response[bytes]:
    """Appends the repair that was chosen, if nothing was appended since it was offered."""

    async def make(language: Language) -> Response[bytes]:
        game_id = game_named(request.path_params["game_id"])
        fields = await fields_of(request, request.cookies.get(SESSION_COOKIE, ""))
        version = fields.get("version", "")
        if not (version.isascii() and version.isdigit() and len(version) < 10):
            raise ProblemError("invalid", Words("没有说是哪个版本", "the version is not named"))
        records: Records = request.app.state["records"]
        await records.append(
            caller_of(request),
            game_id,
            fields.get("events", "").encode(errors="replace"),
            form=None,
            expected=int(version),
            mode="record",
            language=language,
        )
        return html(render(request, "onward.html", language, path=f"/games/{game_id}"))

    return await page(request, make)


HANDLERS: list[ControllerRouterHandler] = [repairs_page, mend]
