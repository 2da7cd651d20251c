"""What would decide a merely possible finding: whose hand, which card, at which event."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.completions import is_nameless
from engine.rule import Explanation
from engine.truth import UNKNOWN


def with_needs(explanation: Explanation, table: Any, actor: int, card: str | None) -> Explanation:
    """The explanation with its open conditions, each with the ``seq`` that it is about.

    A rule that names none hangs on a 胡 that perhaps stood (``win``), else on a card that the event does not name (``card``): before that
    is known nothing else would decide it. Else on the actor's hand or, where that is known, on all hands that are not (``hand``:
    ``unknown`` cards of it), else on a card elsewhere in the log that nobody knows.
    """
    needs: Sequence[dict[str, Any]] = explanation.needs
    if not needs and table.ended == UNKNOWN:
        needs = ({"question": "win", "seq": table.end_seq},)
    if not needs and is_nameless(table.log.events[table.at]):
        needs = ({"question": "card"},)
    if not needs:
        seats = [actor] if actor >= 0 and table.vague(actor) else [seat for seat in range(len(table.names)) if table.vague(seat)]
        needs = [{"seat": seat, "question": "hand", "unknown": table.unseen[seat] + table.lost[seat]} for seat in seats]
        if card is not None and len(seats) == 1:
            needs = [{**need, "kind": card} for need in needs]
    if not needs:
        needs = ({"question": "card"},)
    return msgspec.structs.replace(explanation, needs=tuple({"seq": table.seq, **need} for need in needs))
