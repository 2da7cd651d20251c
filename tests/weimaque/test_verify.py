"""Claims judged without a log: the project's vectors, every way a claim can be broken, and what is said about it."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.weimaque.deck import TOKENS
from engine.weimaque.verify import verify
from schemas.verify import WeimaqueVerdict, WeimaqueVerify

OWN = Path(__file__).parents[1] / "vectors" / "weimaque-wins.jsonl"
HANDED = Path(__file__).parents[3] / "shared" / "vectors" / "weimaque-wins.jsonl"
FILES = [path for path in (OWN, HANDED) if path.exists()]

WIN: dict[str, Any] = {
    "game": "weimaque",
    "rules": {"preset": "dazhuo"},
    "melds": [{"kind": "碰", "pai": ["二"] * 3}, {"kind": "栽", "pai": ["柒"] * 3}, {"kind": "吃", "pai": ["一", "二", "三"]}],
    "hand": list("四五六八九十捌捌捌十"),
    "win": {"pai": "十", "own_reveal": False, "last": False, "wei": False},
    "zhe": False,
    "opening": None,
}
"""A win of 17 hard 息, 印胡 20, 多红 20 and 单吊 10."""


def judge(lang: str = "zh", **changes: Any) -> WeimaqueVerdict:
    return verify(msgspec.convert({**WIN, **changes}, WeimaqueVerify), lang)


def rules_broken(verdict: WeimaqueVerdict) -> list[str]:
    return [reason.rule for reason in verdict.reasons]


def lines() -> list[Any]:
    return [
        pytest.param(json.loads(line), id=f"{path.parent.parent.name}-{number}")
        for path in FILES
        for number, line in enumerate(path.read_text("utf-8").splitlines())
    ]


@pytest.mark.parametrize("line", lines())
def test_vectors(line: dict[str, Any]) -> None:
    expected = line["expect"]

    verdict = verify(msgspec.convert(line["verify"], WeimaqueVerify))

    assert verdict.valid == expected["valid"]
    if verdict.valid:
        assert (verdict.hard_xi, verdict.total_xi) == (expected["hard_xi"], expected["total_xi"])
        assert {row.name: row.value for row in verdict.mingtang} == expected["mingtang"]
        assert sum(item.xi for item in verdict.items) == verdict.hard_xi
    else:
        assert rules_broken(verdict) == expected["reasons"]
        assert verdict.hard_xi == (expected["hard_xi"] or 0)
        assert (verdict.total_xi, verdict.mingtang) == (0, [])
    if "claim_agrees" in expected:
        assert verdict.claim is not None
        assert verdict.claim.agrees == expected["claim_agrees"]


def test_the_project_owns_its_vectors() -> None:
    assert len(OWN.read_text("utf-8").splitlines()) == 150


def test_a_verdict_spells_the_win_out() -> None:
    verdict = judge(claim={"total_xi": 67})

    assert verdict.valid
    assert [f"{group.kind}{''.join(group.pai)}" for group in verdict.melds] == [
        "碰二二二", "栽柒柒柒", "吃一二三", "顺子四五六", "顺子八九十", "砍捌捌捌", "麻雀十十",
    ]  # fmt: skip
    assert [f"{item.name}{''.join(item.pai)} {item.xi}" for item in verdict.items] == [
        "碰二二二 3", "团圆二二二二 4", "栽柒柒柒 4", "砍捌捌捌 3", "转弯十十 3",
    ]  # fmt: skip
    assert [(row.name, row.value) for row in verdict.mingtang] == [("印胡", 20), ("多红", 20), ("单吊", 10)]
    assert verdict.multiplier is None
    assert verdict.claim is not None
    assert verdict.claim.agrees
    # The winning 十 may as well lie in the run.
    assert [(split.total_xi, split.valid, split.melds == verdict.melds) for split in verdict.alternatives] == [(57, True, True)]


def test_sensitivity_names_only_what_changes() -> None:
    found = {(other.option, str(other.value)): (other.valid, other.total_xi, other.reading) for other in judge().sensitivity}

    assert found == {
        ("duohong_unit", "10"): (True, 57, "R-DUOHONG"),
        ("dandiao", "last_card"): (True, 57, "R-DANDIAO"),
    }
    assert judge(hand=list("四五六八九十捌捌捌玖")).sensitivity == []
    assert [other.option for other in judge(rules={"preset": "xiaozhuo"}).sensitivity] == []


def test_sensitivity_of_whether_it_is_a_win_at_all() -> None:
    hand = "一一四四七十壹叁陆玖二八贰伍捌肆柒拾九"
    verdict = judge(melds=[], hand=list(hand), win=None, opening="无对胡")

    assert [(other.option, other.value, other.valid, other.total_xi) for other in verdict.sensitivity] == [
        ("wudui_two_black", False, False, 0)
    ]


def without(cards: str, melds: int = 3) -> dict[str, Any]:
    return {"hand": list(cards), "melds": WIN["melds"][:melds]}


BROKEN: dict[str, tuple[dict[str, Any], list[str], str, str]] = {
    "another card": (
        {"hand": list("四五七八九十捌捌捌十")},
        ["wmq-hu-shape"],
        "二十张凑不成六句话加一对麻雀",
        "the twenty cards make no six melds and a pair",
    ),
    "a card too many": (
        {"hand": list("四五六八九十捌捌捌十玖")},
        ["wmq-hu-shape"],
        "共 21 张，胡牌应是 20 张",
        "there are 21 cards; a winning hand has 20",
    ),
    "no hand": ({"hand": []}, ["wmq-hu-shape"], "共 10 张，胡牌应是 20 张", "there are 10 cards; a winning hand has 20"),
    "too few 息": (
        {"rules": {"preset": "dazhuo", "min_hard_xi": 18}},
        ["wmq-hu-xi"],
        "硬息 17，需 18；最好的分法：碰二二二 3、栽柒柒柒 4、吃一二三、顺子四五六、顺子八九十、砍捌捌捌 3、麻雀十十 3、团圆二 4",
        "17 hard 息, and 18 are needed; the best division: "
        "碰二二二 3、栽柒柒柒 4、吃一二三、顺子四五六、顺子八九十、砍捌捌捌 3、麻雀十十 3、团圆二 4",
    ),
    "a fifth copy": (
        {"hand": list("二三四八九十捌捌捌十")},
        ["wmq-copies"],
        "二 有 5 张，一副牌只有四张",
        "there are 5 cards 二; the pack has four",
    ),
    "an unknown card": (
        {"hand": list("四五?八九十捌捌捌十")},
        ["wmq-hu-shape"],
        "有不知道的牌，不能算胡",
        "some cards are not known, so it cannot be said to be a win",
    ),
    "an unknown winning card": (
        {"win": {"pai": "?", "own_reveal": True}},
        ["wmq-hu-shape"],
        "有不知道的牌，不能算胡",
        "some cards are not known, so it cannot be said to be a win",
    ),
    "a 碰 of two kinds": (
        {"melds": [{"kind": "碰", "pai": ["二", "二", "三"]}, *WIN["melds"][1:]]},
        ["wmq-peng-held"],
        "碰 二二三 不是三张相同的字",
        "the 碰 二二三 is not three cards alike",
    ),
    "a 栽 of two kinds": (
        {"melds": [WIN["melds"][0], {"kind": "栽", "pai": ["柒", "?", "捌"]}, WIN["melds"][2]]},
        ["wmq-wei-held", "wmq-hu-shape"],
        "栽 柒?捌 不是三张相同的字",
        "the 栽 柒?捌 is not three cards alike",
    ),
    "a 吃 across the suits": (
        {"melds": [*WIN["melds"][:2], {"kind": "吃", "pai": ["九", "十", "壹"]}]},
        ["wmq-chi-run"],
        "吃 九十壹 不是同一种字相连的三张",
        "the 吃 九十壹 is not three consecutive cards of one suit",
    ),
    "a 吃 of three alike": (
        {"melds": [*WIN["melds"][:2], {"kind": "吃", "pai": ["九", "九", "九"]}]},
        ["wmq-chi-run"],
        "吃 九九九 不是同一种字相连的三张",
        "the 吃 九九九 is not three consecutive cards of one suit",
    ),
    "a 吃 of two cards": (
        {"melds": [*WIN["melds"][:2], {"kind": "吃", "pai": ["一", "二"]}]},
        ["wmq-chi-run", "wmq-hu-shape"],
        "吃 一二 不是同一种字相连的三张",
        "the 吃 一二 is not three consecutive cards of one suit",
    ),
    "no winning card": (
        {"win": None},
        ["wmq-hu-revealed"],
        "没有写明胡的是哪张揭出来的牌",
        "it is not said which revealed card was won on",
    ),
    "a missed 栽": (
        {**without("四五六八九十捌捌十十"), "win": {"pai": "捌", "own_reveal": True}},
        ["wmq-wei-missed"],
        "自己揭的 捌 手里有 2 张，要先栽",
        "the winner revealed 捌 himself and holds 2 of it: 栽 comes first",
    ),
    "a missed 栽 and no shape": (
        {**without("四五七八九十捌捌十十"), "win": {"pai": "捌", "own_reveal": True}},
        ["wmq-wei-missed", "wmq-hu-shape"],
        "自己揭的 捌 手里有 2 张，要先栽",
        "the winner revealed 捌 himself and holds 2 of it: 栽 comes first",
    ),
    "a 栽 of another's reveal": (
        {"hand": list("四五六八九十捌捌捌十十"), "win": {"pai": "柒", "own_reveal": False, "wei": True}},
        ["wmq-wei-own"],
        "柒 不是自己揭的，不能栽",
        "柒 was not revealed by the winner, so it cannot have been 栽'd",
    ),
    "a 栽 that is not there": (
        {"hand": list("四五六八九十捌捌捌十十"), "win": {"pai": "二", "own_reveal": True, "wei": True}},
        ["wmq-wei-held"],
        "说 二 是栽的，桌上却没有栽 二",
        "二 is said to have been 栽'd, but there is no such 栽 among the melds",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_claim_is_told_why(case: str) -> None:
    changes, rules, zh, en = BROKEN[case]

    verdict = judge(**changes)

    assert not verdict.valid
    assert rules_broken(verdict) == rules
    assert verdict.reasons[0].message == zh
    assert judge("en", **changes).reasons[0].message == en
    assert (verdict.total_xi, verdict.mingtang, verdict.multiplier) == (0, [], None)


def test_an_invalid_win_still_shows_its_best_division() -> None:
    verdict = judge(rules={"preset": "dazhuo", "min_hard_xi": 18})

    assert verdict.hard_xi == 17 == sum(item.xi for item in verdict.items)
    assert len(verdict.melds) == 7
    assert not any(split.valid for split in verdict.alternatives)
    assert judge(hand=list("四五七八九十捌捌捌十")).melds == []


def test_a_missed_wei_leaves_no_alternative_standing() -> None:
    verdict = judge(**without("四五六八九十捌捌十十"), win={"pai": "捌", "own_reveal": True})

    assert verdict.hard_xi == 17
    assert not any(split.valid for split in verdict.alternatives)


def test_a_claim_is_compared_where_it_says_something() -> None:
    def differs(claim: dict[str, Any] | None, lang: str = "zh") -> list[tuple[str, Any, Any, str]] | None:
        comparison = judge(lang, claim=claim).claim
        if comparison is None:
            return None
        assert comparison.agrees == (not comparison.differs)
        return [(row.field, row.claimed, row.computed, row.message) for row in comparison.differs]

    right = {"印胡": 20, "多红": 20, "单吊": 10}
    assert differs(None) is None
    assert judge().claim is None
    assert differs({}) == []
    assert differs({"hard_xi": 17, "total_xi": 67, "mingtang": right}) == []
    assert differs({"hard_xi": 16, "total_xi": 66}) == [
        ("hard_xi", 16, 17, "报硬息 16，应为 17"),
        ("total_xi", 66, 67, "报总息 66，应为 67"),
    ]
    assert differs({"hard_xi": 16}, "en") == [("hard_xi", 16, 17, "16 hard 息 are declared; there are 17")]
    assert differs({"mingtang": {"印胡": 40, "多红": 20, "摸胡": 10}}) == [
        ("mingtang.印胡", 40, 20, "印胡报 40，应为 20"),
        ("mingtang.单吊", None, 10, "漏报单吊 10"),
        ("mingtang.摸胡", 10, None, "多报摸胡 10"),
    ]
    assert differs({"mingtang": {}}) == [
        ("mingtang.印胡", None, 20, "漏报印胡 20"),
        ("mingtang.多红", None, 20, "漏报多红 20"),
        ("mingtang.单吊", None, 10, "漏报单吊 10"),
    ]


def test_a_claim_of_an_invalid_win_agrees_with_nothing() -> None:
    comparison = judge(hand=list("四五七八九十捌捌捌十"), claim={}).claim

    assert comparison is not None
    assert not comparison.agrees
    assert [row.field for row in comparison.differs] == ["valid"]


cards: st.SearchStrategy[str] = st.sampled_from([*TOKENS, "?"])
claims: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "game": st.just("weimaque"),
        "rules": st.fixed_dictionaries({"preset": st.sampled_from(["dazhuo", "xiaozhuo"]), "min_hard_xi": st.integers(0, 12)}),
        "melds": st.lists(
            st.fixed_dictionaries(
                {
                    "kind": st.sampled_from(["碰", "栽", "吃"]),
                    "pai": st.lists(cards, max_size=4) | cards.map(lambda card: [card] * 3) | st.just(["二", "三", "四"]),
                }
            ),
            max_size=7,
        ),
        "hand": st.lists(cards, max_size=25),
        "win": st.none() | st.fixed_dictionaries({"pai": cards, "own_reveal": st.booleans(), "last": st.booleans(), "wei": st.booleans()}),
        "zhe": st.booleans(),
        "opening": st.none() | st.sampled_from(["天胡", "九小对", "无对胡"]),
        "claim": st.none() | st.just({"total_xi": 5}),
    }
)


@settings(max_examples=300)
@given(claims, st.sampled_from(["zh", "en"]))
def test_every_claim_is_answered(claim: dict[str, Any], lang: str) -> None:
    verdict = verify(msgspec.convert(claim, WeimaqueVerify), lang)

    assert verdict.valid == (not verdict.reasons)
    assert all(reason.message and reason.rule.startswith("wmq-") for reason in verdict.reasons)
    assert verdict.valid or (verdict.total_xi, verdict.mingtang) == (0, [])
    msgspec.json.encode(verdict)
