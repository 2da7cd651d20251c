"""The certificate as a page to print: what was in dispute, how it divides, which rule decides, and what another reading would change.

It is made from the certificate alone and loads nothing.
"""

from typing import Any

import msgspec
import segno
from jinja2 import Environment, PackageLoader, StrictUndefined, UndefinedError, select_autoescape
from markupsafe import Markup

from engine.games import GAMES
from engine.weimaque.deck import INDEX, IS_RED
from schemas.verdict import ChangdeOutcome, WeimaqueOutcome
from services.certificate.certificate import Certificate, Check, content, verify
from services.wording import BIG, SMALL, SUITS, outcome_words, spoken
from services.wording import GAMES as GAME_WORDS
from services.words import Language

OUTCOMES: dict[str, Any] = {"weimaque": WeimaqueOutcome, "changde": ChangdeOutcome}

_templates = Environment(
    loader=PackageLoader("services.certificate"),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(certificate: Certificate, language: Language) -> str:
    """The page as HTML. Raises ValueError for a certificate that does not hold, or that is none of a hand."""
    checked = verify(certificate)
    if not checked.holds:
        raise ValueError(checked.faults[0].in_(language))
    try:
        return _rendered(certificate, checked, content(certificate), language)
    except (LookupError, TypeError, AttributeError, UndefinedError, msgspec.ValidationError) as error:
        # Signed by whatever key, it need not have been made here.
        raise ValueError(str(error)) from error


def _rendered(certificate: Certificate, checked: Check, stated: Any, language: Language) -> str:
    game = certificate.statement.game
    names = _names(stated, language)
    event = stated["record"]["events"][stated["position"]["seq"]]
    meta = stated["record"]["header"].get("meta")

    def say(zh: str, en: str) -> str:
        return zh if language == "zh" else en

    def card(token: str | None) -> Markup:
        return card_svg(token, language)

    return _templates.get_template("certificate.html").render(
        language=language,
        say=say,
        certificate=certificate,
        checked=checked,
        game=GAME_WORDS[game].in_(language),
        title=meta.get("title") if isinstance(meta, dict) else None,  # pyright: ignore[reportUnknownMemberType]
        names=names,
        event=event.get("event", event),
        position=stated["position"],
        verdict=stated["verdict"],
        outcome=_outcome(stated["verdict"]["outcome"], game, names, language),
        win=None if stated["win"] is None else stated["win"][language],
        rules={rule["id"]: rule for rule in stated["rules"]},
        readings=[_reading(other, game, names, language) for other in stated["verdict"]["sensitivity"]],
        ruleset=stated["ruleset"],
        card=card,
        code=qr_svg(certificate),
    )


def qr_svg(certificate: Certificate) -> Markup:
    """The QR code of the certificate's digest, as inline SVG."""
    return Markup(segno.make(f"{certificate.statement.format}:{certificate.digest}", error="m").svg_inline(scale=3, omitsize=True))


def card_svg(token: str | None, language: Language) -> Markup:
    """One card as inline SVG: 大字 on a tinted ground, red where the card is; a card that is left out or unknown is blank."""
    token = token or "?"
    label = spoken(token).in_(language)
    face, small = token if token in SMALL + BIG else "", ""
    if token == "7z":
        face = "中"
    elif len(token) == 2 and token[1] in SUITS:
        face, small = SMALL[int(token[0]) - 1], SUITS[token[1]].zh
    red = token == "7z" or (token in INDEX and token != "?" and IS_RED[INDEX[token]])
    return Markup(
        '<svg class="card" viewBox="0 0 30 42" role="img" aria-label="{}"><title>{}</title>'
        '<rect x="1" y="1" width="28" height="40" rx="4" fill="{}" stroke="#3b3428" stroke-width="{}"/>'
        '<text x="15" y="{}" font-size="20" text-anchor="middle" fill="{}">{}</text>'
        '<text x="15" y="37" font-size="11" text-anchor="middle" fill="#111">{}</text></svg>'
    ).format(
        label,
        label,
        "#f2e3bd" if token in BIG else "#fffff0" if face else "#e4dccb",
        2 if token in BIG else 1,
        22 if small else 28,
        "#c1121f" if red else "#111",
        face,
        small,
    )


def _names(stated: dict[str, Any], language: Language) -> list[str]:
    """The players as they stand in the position; a name that is left out is that of the seat."""
    seats = stated["position"]["state"]["seats"]
    return [seat["name"] or (f"{place} 号座" if language == "zh" else f"seat {place}") for place, seat in enumerate(seats)]


def _outcome(plain: Any, game: str, names: list[str], language: Language) -> str:
    return outcome_words(None if plain is None else msgspec.convert(plain, OUTCOMES[game]), names).in_(language)


def _reading(other: dict[str, Any], game: str, names: list[str], language: Language) -> dict[str, Any]:
    option = next((option for option in GAMES[game].options if option.name == other["option"]), None)
    about = other["option"] if option is None else option.zh if language == "zh" else option.en
    return {**other, "about": about, "told": _outcome(other["outcome"], game, names, language)}
