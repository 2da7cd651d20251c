"""A rule as one thing: what it asks, when, of whom it is about, where it comes from, and how a breach is told."""

from collections.abc import Callable
from typing import Any

import msgspec

from engine.past import Contradicts
from engine.truth import Truth
from schemas.verdict import Kind

Breach = Callable[[Any, int, int, Any], Truth]
"""``breach(table, actor, kind, event)``: is the rule broken here? ``actor`` and ``kind`` are -1 where the event has none (or the card is
unknown)."""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The particulars of one breach: what the message speaks of, earlier seqs that make it so, and what would decide a merely possible
    one."""

    params: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    because: tuple[int, ...] = ()
    needs: tuple[dict[str, Any], ...] = ()


Explain = Callable[[Any, int, int, Any], Explanation]


def unexplained(table: Any, actor: int, kind: int, event: Any) -> Explanation:
    """For rules whose message needs nothing beyond who did it and the card."""
    return Explanation()


def earlier(name: str, seq: int) -> Explanation:
    """An explanation by an earlier event, told in words as ``when`` and under its ``name``. Where ``seq`` is -1 nobody knows which."""
    if seq < 0:
        return Explanation(params={"when": {"zh": "此前", "en": "before"}})
    return Explanation(params={"when": {"zh": f"第{seq}号事件", "en": f"at event {seq}"}, name: seq}, because=(seq,))


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a rules page.

    ``zh`` and ``en`` say what must hold; ``message_zh`` and ``message_en`` are templates for a breach, over ``who``, ``pai`` and the
    explanation's params. ``cite`` quotes the source passage.

    ``breach`` gives the question to ask of each event type that the rule looks at; a rule without is judged once the whole log, or the
    match, is folded. ``moment`` rules ask only about the actor and the moment, not about the card, except at the event types
    ``but_of_card``. ``after`` rules see the position behind the event, all others the one before. A breach of an ``alone`` rule is the
    only one told at its event; a ``catch_all`` is told only where no other rule of the event fails. A ``guarded`` rule cannot be broken by
    a seat for which the position is calm (``Position.calm``), and is not asked there, except at the event types ``unguarded``.
    ``contradicts`` says which recorded facts a breach is at odds with (``engine.past``).
    """

    id: str
    kind: Kind
    zh: str
    en: str
    message_zh: str
    message_en: str
    cite: str
    reading: str | None = None
    options: tuple[str, ...] = ()
    breach: dict[type[Any], Breach] = {}
    explain: Explain = unexplained
    moment: bool = False
    but_of_card: tuple[type[Any], ...] = ()
    after: bool = False
    guarded: bool = False
    unguarded: tuple[type[Any], ...] = ()
    alone: bool = False
    catch_all: bool = False
    contradicts: Contradicts | None = None

    def is_guarded_at(self, event_type: type[Any]) -> bool:
        """Whether the rule is not asked about such an event where the position is calm for the actor."""
        return self.guarded and event_type not in self.unguarded

    def message(self, lang: str, params: dict[str, Any]) -> str:
        """The message of a breach in ``zh`` or ``en``."""
        return (self.message_en if lang == "en" else self.message_zh).format_map(params)


BreachKey = tuple[int, str, int]
"""Seq, rule and actor."""


class Breached(msgspec.Struct, frozen=True, kw_only=True):
    """One rule broken, or perhaps broken, at one event."""

    seq: int
    rule: Rule
    truth: Truth
    actor: int
    kind: int
    explanation: Explanation
    after_impossible: int

    @property
    def key(self) -> BreachKey:
        """What it is told apart by in one verdict."""
        return self.seq, self.rule.id, self.actor


LOG_REFERENCE = Rule(
    id="log-reference",
    kind="impossible",
    zh="更正、作废、补记、撤回只指当时作数、比自己早的事件",
    en="a correction names only an event that is effective at that moment and older than the correction",
    message_zh="不能指第{target}号事件：{why[zh]}",
    message_en="it cannot name event {target}: {why[en]}",
    cite="",
)
"""The one rule of the log itself, the same at every game (format §1)."""
