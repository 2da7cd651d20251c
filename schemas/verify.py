"""A claimed win to be judged without a log, and the answer."""

from typing import Any, Literal

from schemas import changde, weimaque
from schemas.base import UNSET, Absent, Answer, Seat, Shape
from schemas.cards import ChangdeTile, WeimaqueCard
from schemas.events import Transfer
from schemas.rulesets import ChangdeRules, WeimaqueRules


class WeimaqueMeld(Shape, frozen=True, kw_only=True):
    """A meld on the table, all its cards named."""

    kind: Literal["碰", "栽", "吃"]
    pai: list[WeimaqueCard]


class WeimaqueWin(Shape, frozen=True, kw_only=True):
    """The winning card: whether it was the winner's own reveal, the last of the stock, and 栽'd (then it stands in the melds)."""

    pai: WeimaqueCard
    own_reveal: bool
    last: bool = False
    wei: bool = False


class WeimaqueVerify(Shape, frozen=True, kw_only=True, tag_field="game", tag="weimaque"):
    """A claimed win at 偎麻雀. ``hand`` is without the winning card; an opening win has ``win: null`` and ``opening`` set."""

    rules: WeimaqueRules
    hand: list[WeimaqueCard]
    melds: list[WeimaqueMeld] = []
    win: WeimaqueWin | None = None
    zhe: bool = False
    opening: Literal["天胡", "九小对", "无对胡"] | None = None
    claim: weimaque.Claim | Absent | None = UNSET


class ChangdeMeld(Shape, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A meld on the table, all its tiles named; ``from`` is the discarder of a 明杠. (吃 can be written so that it can be refused.)"""

    kind: Literal["碰", "明杠", "暗杠", "碰杠", "吃"]
    pai: list[ChangdeTile]
    from_: Seat | Absent = UNSET


class ChangdeWin(Shape, frozen=True, kw_only=True, rename={"from_": "from"}):
    """The winning tile; ``from`` is the robbed seat of a 抢杠."""

    pai: ChangdeTile
    kind: Literal["自摸", "抢杠"]
    from_: Seat | Absent = UNSET


class ChangdeKong(Shape, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A valid kong at the table; ``from`` is the discarder of a 明杠."""

    actor: Seat
    kind: Literal["暗杠", "明杠", "碰杠"]
    pai: ChangdeTile
    from_: Seat | Absent = UNSET


class ChangdeVerify(Shape, frozen=True, kw_only=True, tag_field="game", tag="changde"):
    """A claimed win at 常德麻将. ``hand`` is without the winning tile; the dealer's opening win has ``win: null`` and all 14 tiles in
    ``hand``."""

    rules: ChangdeRules
    hand: list[ChangdeTile]
    dealer: Seat
    winner: Seat
    melds: list[ChangdeMeld] = []
    win: ChangdeWin | None = None
    kongs: list[ChangdeKong] | Absent = UNSET
    ma: list[ChangdeTile] = []
    claim: changde.Claim | Absent | None = UNSET


Verify = WeimaqueVerify | ChangdeVerify


class Reason(Answer, frozen=True, kw_only=True):
    """One rule that a claimed win breaks; ``message`` in the reader's language."""

    rule: str
    message: str
    params: dict[str, Any]


class Group(Answer, frozen=True, kw_only=True):
    """One meld (or the pair, kind 麻雀 / 将) of a split; ``pai`` are its cards. ``stands_for`` are the tiles that its 红中 stand for, in
    place."""

    kind: str
    pai: list[str]
    stands_for: list[str] | Absent = UNSET


class Item(Answer, frozen=True, kw_only=True):
    """One line of the hard 息: what it is for, the cards, the 息."""

    name: str
    pai: list[str]
    xi: int


class Mingtang(Answer, frozen=True, kw_only=True):
    """A 名堂 with its whole addition, or the multiplier with its factor."""

    name: str
    value: int


class Split(Answer, frozen=True, kw_only=True):
    """Another way to divide the winning cards, and what it would pay. ``valid`` is false where its hard 息 do not suffice."""

    melds: list[Group]
    hard_xi: int
    total_xi: int
    mingtang: list[Mingtang]
    valid: bool


class Difference(Answer, frozen=True, kw_only=True):
    """One place where a claim departs from what is computed."""

    field: str
    claimed: Any
    computed: Any
    message: str


class Comparison(Answer, frozen=True, kw_only=True):
    """A claim beside what is computed. A claim of an invalid win agrees with nothing."""

    agrees: bool
    differs: list[Difference]


class OtherReading(Answer, frozen=True, kw_only=True):
    """What the answer would be with one option of the ruleset read otherwise. Only one of ``total_xi`` and ``points`` stands, by game."""

    reading: str | None
    option: str
    value: Any
    valid: bool
    total_xi: int | Absent = UNSET
    points: dict[str, int] | Absent = UNSET


class WeimaqueVerdict(Answer, frozen=True, kw_only=True):
    """Whether a claimed win at 偎麻雀 is one, and what it pays."""

    valid: bool
    reasons: list[Reason]
    hard_xi: int
    total_xi: int
    multiplier: Mingtang | None
    melds: list[Group]
    items: list[Item]
    mingtang: list[Mingtang]
    alternatives: list[Split]
    sensitivity: list[OtherReading]
    claim: Comparison | None


class ChangdeVerdict(Answer, frozen=True, kw_only=True):
    """Whether a claimed win at 常德麻将 is one, and what everybody pays."""

    valid: bool
    reasons: list[Reason]
    points: dict[str, int]
    transfers: list[Transfer]
    ma_hits: list[str]
    melds: list[Group]
    sensitivity: list[OtherReading]
    claim: Comparison | None
