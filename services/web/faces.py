"""Cards as the pages show them: 小字 and 大字 of 偎麻雀 differ at a glance, and every card has a name that can be spoken."""

from markupsafe import Markup, escape

from engine.weimaque.deck import INDEX, IS_RED
from services.wording import SMALL, SUITS, spoken
from services.words import Language


def card(token: str, size: str = "", *, language: Language) -> Markup:
    """The face of a card; ``size`` is ``""`` or ``small``."""
    kind, text = _kind_and_text(token)
    label = spoken(token).in_(language)
    return Markup('<span class="card {} {}" role="img" aria-label="{}" title="{}"><span aria-hidden="true">{}</span></span>').format(
        kind, size, label, label, text
    )


def back(count: int, *, language: Language) -> Markup:
    """The backs of cards that nobody here has seen."""
    label = f"{count} 张看不见的牌" if language == "zh" else f"{count} unseen cards"
    return Markup('<span class="card back" role="img" aria-label="{}" title="{}"><span aria-hidden="true">{}</span></span>').format(
        label, label, f"+{count}"
    )


def _kind_and_text(token: str) -> tuple[str, Markup]:
    if token in INDEX and token != "?":
        red = " red" if IS_RED[INDEX[token]] else ""
        return f"{'xiao' if token in SMALL else 'da'}{red}", escape(token)
    if token == "7z":
        return "tile red", Markup("中")
    if len(token) == 2 and token[1] in SUITS:
        return f"tile suit-{token[1]}", Markup("{}<small>{}</small>").format(SMALL[int(token[0]) - 1], SUITS[token[1]].zh)
    return "unknown", Markup("？")
