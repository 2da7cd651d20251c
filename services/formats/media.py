"""The formats by name: by media type, by the ending of a file's name, by the content itself."""

from typing import Literal, get_args

import msgspec

Format = Literal["json", "jsonl", "msgpack"]

FORMATS: tuple[Format, ...] = get_args(Format)

MEDIA: dict[str, Format] = {
    "application/json": "json",
    "application/vnd.paipu+json": "json",
    "application/x-ndjson": "jsonl",
    "application/ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "application/vnd.msgpack": "msgpack",
    "application/msgpack": "msgpack",
    "application/x-msgpack": "msgpack",
}
"""Formats by media type; the first of each format is the one that is answered."""

ENDINGS: tuple[tuple[str, Format], ...] = (
    (".jsonl", "jsonl"),
    (".ndjson", "jsonl"),
    (".json", "json"),
    (".msgpack", "msgpack"),
    (".mpk", "msgpack"),
)
"""Formats by the ending of a file's name, ``.paipu`` before it or not."""


def format_of_name(name: str) -> Format | None:
    """The format that a file's name announces."""
    return next((form for ending, form in ENDINGS if name.lower().endswith(ending)), None)


def format_of_media(media_type: str) -> Format | None:
    """The format of a media type, parameters left aside."""
    return MEDIA.get(media_type.partition(";")[0].strip().lower())


def format_of_content(data: bytes) -> Format:
    """The format that the content speaks of: MessagePack opens with a map, JSON Lines has a whole object on its first line and goes on."""
    if data[:1] and (0x80 <= data[0] <= 0x8F or data[0] in (0xDE, 0xDF)):
        return "msgpack"
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    written = [place for place, line in enumerate(lines) if line.strip()]
    if len(written) < 2:
        return "json"
    return "jsonl" if any(_is_object(lines[place]) for place in written[:2]) else "json"


def _is_object(line: bytes) -> bool:
    """Whether a line is a JSON object by itself, which no line of a JSON text spread over many lines is."""
    text = line.strip()
    if not (text.startswith(b"{") and text.endswith(b"}")):
        return False
    try:
        msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True
