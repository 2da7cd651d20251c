"""One example of each shape for the document, made by the program itself from a sample hand, so that none can be out of date."""

from functools import cache
from typing import Any
from uuid import UUID

import msgspec

from engine.judge import check
from engine.replay import frame
from services.answers import BatchLine, PlayerLine, Statistics
from services.formats.reading import read_one
from services.live import FeedAnswer, FeedLine
from services.samples import sample_text

GAME = UUID("0a4b7c9e-52a1-5d0f-9c3e-6b1f0d2a8e47")
SEQ = 20

CLAIM = {
    "game": "weimaque",
    "rules": {"preset": "dazhuo"},
    "melds": [
        {"kind": "碰", "pai": ["二", "二", "二"]},
        {"kind": "栽", "pai": ["柒", "柒", "柒"]},
        {"kind": "吃", "pai": ["一", "二", "三"]},
    ],
    "hand": ["四", "五", "六", "八", "九", "十", "捌", "捌", "捌", "十"],
    "win": {"pai": "十", "own_reveal": False, "last": False, "wei": False},
    "zhe": False,
    "opening": None,
    "claim": {"total_xi": 67},
}


@cache
def examples() -> dict[str, Any]:
    """Examples by the name of their shape, as plain JSON values."""
    text = sample_text("weimaque-1")
    record = read_one(text)
    return msgspec.json.decode(
        msgspec.json.encode(
            {
                "Record": msgspec.json.decode(text),
                "Event": {"type": "出", "actor": 0, "pai": "九"},
                "Annotation": {"seq": 3, "by": "丁", "text": "该等一等", "glyph": "?!"},
                "Claim": CLAIM,
                "Verdict": check(record),
                "Frame": frame(record, min(SEQ, len(record.events) - 1)),
                "Frames": {"frames": [frame(record, min(SEQ, len(record.events) - 1))]},
                "BatchLine": BatchLine(line=1, status=201, id=GAME),
                "FeedAnswer": FeedAnswer(entries=[FeedLine(position=7, game=GAME, first_seq=0, last_seq=56)], next=7),
                "Statistics": Statistics(
                    players=[PlayerLine(player="甲", game="weimaque", hands=12, wins=4, average_xi=41.5, net=63, mingtang={"印胡": 3})]
                ),
                "AccessWanted": {"visibility": "link"},
                "LeaseWanted": {"holder": "三号桌的手机", "take_over": False},
                "MatchWanted": {"title": "周六晚", "games": [GAME]},
                "HandWanted": {"game": GAME},
                "TokenWanted": {"name": "三号桌", "role": "recorder", "days": 30},
                "Health": {"status": "ok"},
            }
        )
    )
