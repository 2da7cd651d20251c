"""Whether the stored events of a game bear the hashes that were written with them."""

from collections.abc import Sequence

from services.store import chain
from services.store.model import ChainReport, StoredEvent, StoredGame


def check_chain(game: StoredGame, events: Sequence[StoredEvent], batches: Sequence[tuple[int, int, bytes, bytes]]) -> ChainReport:
    """Compares the chain over a game's events with the ends of its appends, given as (first seq, last seq, hash before, hash behind), and
    with its head. Events and appends are all that there are, in order of seq."""
    head = chain.opening(game_id=game.game_id, game=game.game, rules=game.rules, header=game.header)
    by_seq = {event.seq: event for event in events}
    seq = 0
    for first_seq, last_seq, prev_hash, head_hash in batches:
        if first_seq != seq:
            return ChainReport(length=seq, head=head, fault=(seq, f"缺少一次写入 no append begins here, the next begins at {first_seq}"))
        if prev_hash != head:
            return ChainReport(length=seq, head=head, fault=(seq, "前链不符 the append does not continue the chain"))
        for seq in range(first_seq, last_seq + 1):
            event = by_seq.get(seq)
            if event is None:
                return ChainReport(length=seq, head=head, fault=(seq, "缺少事件 the event is missing"))
            head = chain.link(head, seq=seq, kind=event.kind, version=event.kind_version, payload=event.payload)
        if head != head_hash:
            return ChainReport(length=seq, head=head, fault=(first_seq, "内容不符 the append's events are not those it was written with"))
        seq = last_seq + 1
    if seq != game.version or head != game.head or len(events) != seq:
        return ChainReport(length=seq, head=head, fault=(seq, "末端不符 the head does not stand behind the last append"))
    return ChainReport(length=seq, head=head)
