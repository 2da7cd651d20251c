"""``import``, ``export``, ``serve`` and ``token``: the commands that open the store, or reach one over HTTP."""

import os
import signal
from argparse import Namespace
from collections.abc import Callable, Coroutine, Iterable
from typing import TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET

from services.access import OWNER, TokenLine, TokenWanted
from services.answers import BatchLine
from services.cli.output import (
    CLEAN,
    FAILED,
    FOUND,
    INTERRUPTED,
    UNREADABLE,
    USAGE,
    complain,
    problem_of,
    putting,
    readings_of,
    say,
    show,
    show_json,
)
from services.cli.remote import Remote
from services.cli.running import run, settings
from services.formats.media import Format, format_of_name
from services.formats.reading import Reading
from services.formats.writing import write
from services.problems import ProblemError, told
from services.refusals import game_named
from services.secrets import owner_token
from services.wiring.opening import open_access, open_records
from services.words import Words

GROUP = 500
"""So many records are handed to the store at once."""

Answer = TypeVar("Answer")


def import_files(options: Namespace) -> int:
    """Stores every record of the files, each by itself; the worst exit code."""

    async def importing(add: Callable[[list[Reading]], Coroutine[None, None, list[BatchLine]]]) -> int:
        worst, group = CLEAN, list[tuple[str, Reading]]()
        for name, reading in readings_of(options.files):
            if isinstance(reading, ProblemError):
                worst = max(worst, complain(reading, options.lang, as_json=options.json))
                continue
            group.append((name, reading))
            if len(group) == GROUP:
                worst = max(worst, _report(group, await add([one for _, one in group]), options))
                group.clear()
        return max(worst, _report(group, await add([one for _, one in group]), options))

    async def here() -> int:
        async with open_records(settings()) as records:
            return await importing(
                lambda group: records.add_many(OWNER, group, mode=options.mode, language=options.lang, again=options.again)
            )

    async def there(remote: Remote) -> int:
        async def add(group: list[Reading]) -> list[BatchLine]:
            return [_add_there(remote, reading, options) for reading in group]

        return await importing(add)

    return run(options, here if options.server is None else lambda: there(_remote(options)))


def export_game(options: Namespace) -> int:
    """Writes a stored record, or with ``--all`` every one, to standard output or a file."""
    form: Format = options.format or (format_of_name(options.output) if options.output else None) or ("jsonl" if options.all else "json")
    if options.all and form != "jsonl":
        say(Words("全部只能写成 .jsonl", "all of them can only be written as .jsonl"), options.lang)
        return USAGE

    async def every(put: Callable[[bytes], None]) -> int:
        async with open_records(settings()) as records:
            async for game_id in records.every():
                put((await records.open(OWNER, game_id)).text("full") + b"\n")
        return CLEAN

    async def one(put: Callable[[bytes], None]) -> int:
        if options.server is not None:
            put(_ended(_remote(options).record(options.id, form), form))
            return CLEAN
        async with open_records(settings()) as records:
            log = await records.open(OWNER, game_named(options.id))
        put(_ended(log.text("full") if form == "json" else write(log.record(), form), form))
        return CLEAN

    async def export() -> int:
        with putting(options.output) as put:
            return await (every if options.all else one)(put)

    return run(options, export)


def serve_pages(options: Namespace) -> int:
    """Serves until a signal comes."""
    given = {name: value for name in ("host", "port") if (value := getattr(options, name)) is not None}

    # Loaded here, so that the other commands need not wait for a web server.
    from services.wiring.server import serve

    async def serving() -> int:
        stopped_by = await serve(msgspec.structs.replace(settings(), **given), announce)
        return INTERRUPTED if stopped_by == signal.SIGINT else CLEAN

    def announce(address: str, entrance: str | None) -> None:
        say(Words(f"牌谱已就绪，请打开 {address}", f"Paipu is ready: open {address}"), options.lang)
        if entrance is not None:
            link = f"{address}enter/{entrance}"
            say(Words(f"第一次请用这个只能用一次的链接进入：{link}", f"to get in, use this link, which works once: {link}"), options.lang)
        token = settings().data / "token"
        say(Words(f"写入用的令牌在 {token}，按 Ctrl-C 停止", f"the token for writing is in {token}; Ctrl-C stops"), options.lang)

    return run(options, serving)


def token(options: Namespace) -> int:
    """Prints the owner's token, made if there is none yet; or makes, lists or takes back tokens for others."""

    async def showing() -> int:
        show(owner_token(settings().data))
        return CLEAN

    async def creating() -> int:
        wanted = TokenWanted(
            name=options.holder,
            role=options.role,
            game=options.game and _id(options.game),
            match=options.match and _id(options.match),
            viewpoint=options.seat,
            days=options.days,
        )
        async with open_access(settings()) as access:
            made = await access.create(OWNER, wanted)
        if options.json:
            show_json(made)
        else:
            say(Words(f"编号 {made.id}；令牌只显示这一次", f"id {made.id}; the token is shown this once"), options.lang)
            show(made.token)
        return CLEAN

    async def listing() -> int:
        async with open_access(settings()) as access:
            lines = await access.all(OWNER)
        for line in lines:
            if options.json:
                show_json(line)
            else:
                show(_token_words(line).in_(options.lang))
        return CLEAN

    async def revoking() -> int:
        async with open_access(settings()) as access:
            await access.revoke(OWNER, _id(options.id))
        return CLEAN

    work = {None: showing, "create": creating, "list": listing, "revoke": revoking}
    return run(options, work[options.what])


def _token_words(line: TokenLine) -> Words:
    reach = f" {line.game or line.match}" if line.game or line.match else ""
    seat = "" if line.viewpoint == "public" else f" {line.viewpoint}"
    state = Words("有效", "usable") if line.usable else Words("失效", "no longer usable")
    facts = f"{line.id} {line.name} {line.role}{reach}{seat}"
    return Words(f"{facts} {state.zh}", f"{facts} {state.en}")


def _remote(options: Namespace) -> Remote:
    token = options.token or os.environ.get("PAIPU_TOKEN") or owner_token(settings().data)
    return Remote(options.server, token, options.lang)


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise ProblemError("invalid", Words(f"{text} 不是编号", f"{text} is no id")) from None


def _ended(data: bytes, form: Format) -> bytes:
    """Text ends in a line end."""
    return data if form == "msgpack" or data.endswith(b"\n") else data + b"\n"


def _add_there(remote: Remote, reading: Reading, options: Namespace) -> BatchLine:
    place = reading.line or 1
    # A record that cannot be read may still have a readable beginning.
    sent = reading
    if reading.record is None:
        if options.mode != "prefix" or reading.prefix is None:
            problem = told(problem_of(reading), options.lang)
            return BatchLine(line=place, status=problem.status, error=problem)
        sent = Reading(index=reading.index, line=reading.line, record=reading.prefix)
    return remote.add(sent, place, mode=options.mode, again=options.again)


def _report(group: Iterable[tuple[str, Reading]], answers: list[BatchLine], options: Namespace) -> int:
    worst = CLEAN
    for (name, _), line in zip(group, answers, strict=True):
        worst = max(worst, _code(line.status))
        if options.json:
            show_json(line)
        elif line.error is UNSET:
            show(str(line.id))
        else:
            for message in [error.message for error in line.error.errors] or [line.error.detail]:
                say(Words(f"{name}（第 {line.line} 行）：{message}", f"{name} (line {line.line}): {message}"), options.lang)
    return worst


def _code(status: int) -> int:
    if status < 300:
        return CLEAN
    return {400: UNREADABLE, 404: UNREADABLE, 413: UNREADABLE, 422: FOUND}.get(status, FAILED)
