"""The effective log: each correction alone, all of them mixed beside a slow twin, references that do not hold, and where findings stand."""

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.judge import check
from engine.log import REFERENCE_FAULTS, effective_log
from schemas import weimaque as w
from schemas.base import UNSET
from schemas.events import Call, Pass, Ruling, Void, Withdraw
from schemas.record import WeimaqueRecord
from schemas.verdict import Verdict
from tools.weimaque_hands import made, words

PLAY = "甲出九 丙碰九 丙出叁 甲揭捌 甲栽捌 甲出玖"
"""Clean, seqs 2 to 7."""


def word(text: str) -> Any:
    (event,) = words(text)
    return event


def written(play: str, *more: Any, **deal: Any) -> WeimaqueRecord:
    """The record of ``play`` with more events written behind it."""
    record = made(play, **deal)
    return WeimaqueRecord(format="paipu/1", events=[*record.events, *more])


def effective(record: WeimaqueRecord) -> list[tuple[int, Any]]:
    log = effective_log(record.events)
    return list(zip(log.seqs, log.events, strict=True))


def judged(record: WeimaqueRecord) -> Verdict:
    return check(record, possible=True)


def rules(record: WeimaqueRecord) -> list[tuple[int, str]]:
    return [(finding.seq, finding.rule) for finding in judged(record).findings]


FOUR: Any = made(PLAY, players=4).events[0]


class TestAlone:
    def test_withdraw_takes_back_everything_behind(self) -> None:
        record = written(PLAY, Withdraw(to=3), word("丙出叁"))
        assert [seq for seq, _ in effective(record)] == [0, 1, 2, 3, 9]
        assert judged(record).record.effective == 5
        assert judged(record).record.events == 10
        assert rules(record) == []

    def test_withdraw_to_the_last_event_takes_back_nothing(self) -> None:
        assert [seq for seq, _ in effective(written(PLAY, Withdraw(to=7)))] == list(range(8))

    def test_withdraw_cuts_by_place_not_by_time(self) -> None:
        record = written(PLAY, w.Insert(after=4, event=word("甲过")), Withdraw(to=4))
        assert [seq for seq, _ in effective(record)] == [0, 1, 2, 3, 4]
        record = written(PLAY, w.Insert(after=4, event=word("甲过")), Withdraw(to=8))
        assert [seq for seq, _ in effective(record)] == [0, 1, 2, 3, 4, 8]

    def test_what_was_withdrawn_comes_back_only_by_being_recorded_again(self) -> None:
        record = written(PLAY, Withdraw(to=3), word("丙出叁"), Withdraw(to=2), word("丙碰九"))
        assert [seq for seq, _ in effective(record)] == [0, 1, 2, 11]

    def test_amend_puts_another_event_in_its_place(self) -> None:
        record = written(PLAY, w.Amend(seq=7, event=word("甲出壹")), 甲="壹")
        assert effective(record)[-1] == (7, word("甲出壹"))
        assert rules(record) == []

    def test_amend_twice(self) -> None:
        record = written(PLAY, w.Amend(seq=7, event=word("甲出壹")), w.Amend(seq=7, event=word("甲出玖")))
        assert effective(record)[-1] == (7, word("甲出玖"))

    def test_amend_of_the_deal_and_of_the_start(self) -> None:
        start, deal, *play = made(PLAY, 甲="壹", preset="xiaozhuo").events
        assert isinstance(start, w.Start)
        assert isinstance(deal, w.Deal)
        record = written(PLAY, w.Amend(seq=1, event=deal), w.Amend(seq=0, event=start))
        assert [event for _, event in effective(record)] == [start, deal, *play]

    def test_insert_stands_directly_behind(self) -> None:
        record = written("甲出九 丙碰九 甲揭捌 甲栽捌", w.Insert(after=3, event=word("丙出叁")), 丙="叁")
        assert [seq for seq, _ in effective(record)] == [0, 1, 2, 3, 6, 4, 5]
        assert rules(record) == []

    def test_inserts_stand_in_the_order_in_which_they_were_written(self) -> None:
        inserts = [w.Insert(after=3, event=word(f"{name}过")) for name in "甲乙丙"]
        record = written(PLAY, *inserts, w.Insert(after=8, event=word("乙过")), w.Insert(after=3, event=word("乙过")))
        assert [seq for seq, _ in effective(record)] == [0, 1, 2, 3, 8, 11, 9, 10, 12, 4, 5, 6, 7]

    def test_insert_at_the_end(self) -> None:
        record = written(PLAY, w.Insert(after=7, event=word("乙过")), word("乙揭五"))
        assert [seq for seq, _ in effective(record)] == [*range(8), 8, 9]

    def test_an_insert_can_be_corrected_by_its_own_seq(self) -> None:
        record = written(PLAY, w.Insert(after=4, event=word("甲过")), w.Amend(seq=8, event=word("乙过")))
        assert effective(record)[5] == (8, word("乙过"))
        record = written(PLAY, w.Insert(after=4, event=word("甲过")), Void(seq=8))
        assert [seq for seq, _ in effective(record)] == list(range(8))

    def test_void_takes_out_one_event(self) -> None:
        record = written("甲出九 丙碰九 丙出叁 丙出五 甲揭捌 甲栽捌", Void(seq=5))
        assert [seq for seq, _ in effective(record)] == [0, 1, 2, 3, 4, 6, 7]
        assert rules(record) == []

    def test_a_ruling_changes_nothing(self) -> None:
        record = made("甲出三 乙揭九 丙揭五", 乙="九九")
        ruled = written("甲出三 乙揭九 丙揭五", Ruling(seq=4, rule="wmq-wei-missed", decision="stood"), 乙="九九")
        assert judged(ruled).findings == judged(record).findings
        assert judged(ruled).outcome == judged(record).outcome


class TestReferences:
    START: Any = made(PLAY).events[0]
    DEAL: Any = made(PLAY).events[1]

    @pytest.mark.parametrize(
        ("corrections", "why"),
        [
            ([Withdraw(to=8)], "later"),
            ([Withdraw(to=9)], "later"),
            ([Void(seq=8)], "later"),
            ([Void(seq=99)], "later"),
            ([w.Amend(seq=8, event=word("甲过"))], "later"),
            ([w.Insert(after=8, event=word("甲过"))], "later"),
            ([Withdraw(to=4), Void(seq=5)], "not-effective"),
            ([Withdraw(to=4), Withdraw(to=6)], "not-effective"),
            ([Withdraw(to=4), w.Amend(seq=6, event=word("甲过"))], "not-effective"),
            ([Withdraw(to=4), w.Insert(after=6, event=word("甲过"))], "not-effective"),
            ([Void(seq=7), Void(seq=7)], "not-effective"),
            ([Void(seq=7), w.Amend(seq=7, event=word("甲过"))], "not-effective"),
            ([Void(seq=7), Void(seq=8)], "not-effective"),
            ([w.Amend(seq=7, event=word("甲过")), Void(seq=8)], "not-effective"),
            ([Void(seq=0)], "not-voidable"),
            ([Void(seq=1)], "not-voidable"),
            ([w.Insert(after=0, event=word("甲过"))], "not-insertable"),
            ([w.Insert(after=7, event=START)], "not-insertable"),
            ([w.Insert(after=7, event=DEAL)], "not-insertable"),
            ([w.Amend(seq=1, event=word("甲过"))], "not-replaceable"),
            ([w.Amend(seq=0, event=word("甲过"))], "not-replaceable"),
            ([w.Amend(seq=7, event=START)], "not-replaceable"),
            ([w.Amend(seq=7, event=DEAL)], "not-replaceable"),
            ([w.Amend(seq=0, event=FOUR)], "seats"),
        ],
    )
    def test_a_reference_that_does_not_hold(self, corrections: list[Any], why: str) -> None:
        record = written(PLAY, *corrections)
        (finding,) = judged(record).findings
        assert (finding.seq, finding.rule, finding.kind) == (7 + len(corrections), "log-reference", "impossible")
        assert REFERENCE_FAULTS[why][0] in finding.message
        assert REFERENCE_FAULTS[why][1] in check(record, lang="en").findings[0].message
        assert effective(record) == effective(written(PLAY, *corrections[:-1]))

    def test_what_comes_behind_it_says_so(self) -> None:
        record = written("甲出九 乙碰九", Void(seq=9), word("丙出叁"))
        findings = judged(record).findings
        assert [(finding.seq, finding.rule, finding.after_impossible) for finding in findings] == [
            (4, "log-reference", UNSET),
            (5, "wmq-turn", 4),
        ]


class TestFindings:
    def test_of_a_corrected_event_stand_at_that_event(self) -> None:
        assert rules(written(PLAY, w.Amend(seq=7, event=word("甲出九")))) == [(7, "wmq-discard-held")]

    def test_of_an_inserted_event_stand_at_the_insert(self) -> None:
        assert rules(written(PLAY, w.Insert(after=7, event=word("甲出壹")), 甲="壹")) == [(8, "wmq-turn")]

    def test_are_cleared_and_caused_by_what_is_written_later(self) -> None:
        missed = "甲出三 乙揭九 丙揭五"
        assert rules(made(missed, 乙="九九")) == [(4, "wmq-wei-missed")]
        mended = written(missed, w.Insert(after=3, event=word("乙栽九")), w.Insert(after=5, event=word("乙出六")), 乙="九九六")
        assert rules(mended) == []

    def test_a_seq_in_because_is_that_of_the_log_as_written(self) -> None:
        record = written("甲出九 丙揭九 乙碰九 乙出五", w.Insert(after=2, event=word("乙揭捌")), 乙="五")
        (finding,) = [finding for finding in judged(record).findings if finding.rule == "wmq-peng-passed"]
        assert (finding.seq, finding.because) == (4, [2])


def twin(events: list[Any]) -> tuple[list[tuple[int, Any]], list[int]]:
    """The effective log found the slow way, and the seqs of corrections that name what they may not."""
    log: list[tuple[int, Any]] = []
    behind: dict[int, int] = {}
    bad: list[int] = []
    for seq, event in enumerate(events):
        if not isinstance(event, Withdraw | Void | w.Amend | w.Insert):
            log.append((seq, event))
            continue
        named = event.to if isinstance(event, Withdraw) else event.after if isinstance(event, w.Insert) else event.seq
        place = next((at for at, (other, _) in enumerate(log) if other == named), None)
        if place is None:
            bad.append(seq)
        elif isinstance(event, Withdraw):
            del log[place + 1 :]
        elif isinstance(event, Void):
            del log[place]
        elif isinstance(event, w.Amend):
            log[place] = (named, event.event)
        else:
            behind[seq] = named
            at = place + 1
            while at < len(log) and _descends(log[at][0], named, behind):
                at += 1
            log.insert(at, (seq, event.event))
    return log, bad


def _descends(seq: int, named: int, behind: dict[int, int]) -> bool:
    while seq in behind:
        seq = behind[seq]
        if seq == named:
            return True
    return False


EVENTS = st.sampled_from([Pass(actor=0), Pass(actor=1), Call(actor=2, act="碰"), Call(actor=1, act="胡")])
SEQS = st.integers(2, 30)
CORRECTIONS = st.one_of(
    st.builds(Withdraw, to=SEQS),
    st.builds(Void, seq=SEQS),
    st.builds(w.Amend, seq=SEQS, event=EVENTS),
    st.builds(w.Insert, after=SEQS, event=EVENTS),
)


@given(st.lists(st.one_of(EVENTS, EVENTS, CORRECTIONS), max_size=30))
def test_mixed_corrections_beside_a_slow_twin(more: list[Any]) -> None:
    events = [*made("甲出九").events, *more]
    log = effective_log(events)
    assert (list(zip(log.seqs, log.events, strict=True)), [bad.seq for bad in log.bad_references]) == twin(events)


def in_chain(length: int) -> list[Any]:
    """A log of so many 补记, each behind the one before, and as many again, one behind each of these, the first one first."""
    event = word("甲过")
    first = len(made("甲出九").events) - 1
    behind = [*range(first, first + length), *range(first, first + length)]
    return [*made("甲出九").events, *(w.Insert(after=after, event=event) for after in behind)]


def test_the_insertions_of_a_chain_stand_where_the_slow_twin_puts_them() -> None:
    events = in_chain(20)
    assert list(zip(effective_log(events).seqs, effective_log(events).events, strict=True)) == twin(events)[0]


def test_a_chain_of_insertions_twice_as_long_takes_twice_the_lines() -> None:
    def lines(length: int) -> int:
        events = in_chain(length)
        gone_through = 0

        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal gone_through
            gone_through += 1
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            effective_log(events)
        finally:
            sys.settrace(before)
        return gone_through

    assert lines(800) < 2.1 * lines(400)


def test_a_log_put_right_is_judged_like_one_written_right() -> None:
    plain = made("甲出九 丙碰九 丙出叁 甲揭捌 甲栽捌 甲出捌", 甲="捌捌捌")
    wrong = written("甲出九 丙碰九 丙出五 乙揭捌 甲栽捌", 丙="叁五", 甲="捌捌捌")
    wrong = WeimaqueRecord(
        format="paipu/1",
        events=[
            plain.events[0],
            plain.events[1],
            *wrong.events[2:],
            w.Amend(seq=4, event=word("丙出叁")),
            w.Amend(seq=5, event=word("甲揭捌")),
            word("甲出捌"),
        ],
    )
    assert judged(wrong).findings == judged(plain).findings == []
    assert [event for _, event in effective(wrong)] == list(plain.events)
