"""The cards and tiles of both games as they stand on the wire, ``"?"`` for one that nobody knows."""

from typing import Literal

WeimaqueCard = Literal[
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十",
    "壹", "贰", "叁", "肆", "伍", "陆", "柒", "捌", "玖", "拾",
    "?",
]  # fmt: skip

ChangdeTile = Literal[
    "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m",
    "1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s",
    "1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p",
    "7z",
    "?",
]  # fmt: skip
