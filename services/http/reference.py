"""The document as a page to be read: made on the server, without scripts, loading nothing from anywhere."""

import json
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from services.words import Language

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
"""Headers of the page: it carries its own style and loads nothing."""

_templates = Environment(
    loader=PackageLoader("services.http"), autoescape=select_autoescape(), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def page(document: dict[str, Any], language: Language) -> bytes:
    """The page of an OpenAPI document."""
    template = _templates.get_template("reference.html")
    return template.render(document=document, language=language, pretty=_pretty, shape=_shape).encode()


def _pretty(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return text if len(text) < 4000 else f"{text[:4000]} …"


def _shape(schema: dict[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(_shape(one) for one in schema[several]))
    if "enum" in schema:
        return " | ".join(str(one) for one in schema["enum"])
    if schema.get("type") == "array":
        return f"[{_shape(schema.get('items', {}))}]"
    return str(schema.get("format") or schema.get("type") or "any")
