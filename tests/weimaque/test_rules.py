"""Every rule of 偎麻雀 by small hands: what breaks it, and what only seems to. A case names all that is found, ``seq rule`` by
``seq rule``; no name, no finding."""

from typing import Any

import pytest

from engine.judge import check
from engine.weimaque.rulebook import RULES
from schemas.record import WeimaqueRecord
from schemas.verdict import Finding, Verdict
from tools.weimaque_hands import NAMES, made

FEES = {"wmq-draw-fee", "wmq-shouxing-fee"}

RUN_WAIT = "壹壹壹叁叁叁伍伍伍一二三四五六十十七八"
"""Nineteen cards that wait for 六 and 九: hard 息 11."""
POOR_WAIT = "壹壹壹叁叁叁伍陆柒一二三四五六十十七八"
"""The same one 砍 poorer: hard 息 8."""
WEI_WAIT = "壹壹壹叁叁叁伍伍一二三四五六七八九十十"
"""Nineteen cards that wait for 伍, of which they hold two: hard 息 11 by 栽, 10 on another's reveal."""
TRIPLE_WAIT = "壹壹壹叁叁叁伍伍伍一二三四五六十十九九"
"""Nineteen cards that wait for 九 and 十."""
OTHER_WAIT = "贰贰贰捌捌捌玖玖玖一二三四五六四四七八"
"""Nineteen cards beside RUN_WAIT that wait for 九 too."""
WHOLE = "壹壹壹叁叁叁伍伍伍一二三四五六十十七八九"
"""Twenty cards that are complete."""
ONLY_KAN = "一一一一三三三五五五八八八壹壹壹叁叁叁"
"""Nineteen cards of which none may be discarded."""
DEALT_KAN = "一一一一三三三三五五五八八八壹壹壹叁叁叁"
"""A dealer's twenty cards of which none may be discarded."""
PAIRS = "一一二二三三四四五五六六七七八八九九"
DIFFERENT = "一二三四五六七八九十壹贰叁肆伍陆柒捌玖"

Case = tuple[str, str, dict[str, Any]]

DEAL: list[Case] = [
    ("甲出九 丁碰九 丁出叁 甲揭捌 甲栽捌 甲出玖", "", {"players": 4}),
    ("甲出九 丙碰九 丙出叁 甲揭捌 甲栽捌 甲出玖", "", {}),
    ("乙出九 丙揭捌", "", {"dealer": "乙", "players": 4, "shouxing": "丁"}),
    ("甲出九 丙揭捌", "0 wmq-shouxing-acts", {"players": 4, "shouxing": "乙"}),
    ("甲出九 丙揭捌", "3 wmq-shouxing-acts", {"players": 4}),
    ("甲出九 乙过 丙过 乙揭捌", "4 wmq-shouxing-acts", {"players": 4}),
    ("甲出九 丙叫碰 乙揭捌", "3 wmq-shouxing-acts", {"players": 4}),
    ("甲出九 丙蛰 乙揭捌", "3 wmq-shouxing-acts", {"players": 4}),
    ("甲出九 丙亮 乙揭捌", "3 wmq-shouxing-acts", {"players": 4}),
    ("甲出九 丙胡 乙揭捌", "3 wmq-shouxing-acts", {"players": 4}),
    ("丙胡无对胡 甲出九", "2 wmq-shouxing-acts", {"players": 4}),
    ("甲出九 !丙碰九", "3 wmq-shouxing-acts", {"players": 4}),
    ("!甲出九 !甲揭捌", "3 wmq-stock-order", {"甲": "九", "stock": "玖"}),
]

TURN: list[Case] = [
    ("乙出九", "2 wmq-turn", {}),
    ("甲揭九", "2 wmq-turn", {}),
    ("乙揭九", "2 wmq-turn", {}),
    ("甲死手", "2 wmq-turn", {}),
    ("甲出九 丙揭捌", "3 wmq-turn", {}),
    ("甲出九 甲揭捌", "3 wmq-turn", {}),
    ("甲出九 甲出捌", "3 wmq-turn", {}),
    ("甲出九 乙出捌", "3 wmq-turn", {}),
    ("甲出九 乙揭捌 乙出三", "4 wmq-turn", {}),
    ("甲出九 乙揭捌 甲揭三", "4 wmq-turn", {}),
    ("甲出九 乙揭捌 丙揭三 甲揭五", "", {}),
    ("甲出九 丙碰九 甲揭三", "4 wmq-turn", {}),
    ("甲出九 丙碰九 丙揭三", "4 wmq-turn", {}),
    ("甲出九 丙碰九 甲出三", "4 wmq-turn", {}),
    ("甲出九 乙死手 丙碰九 丙出三", "3 wmq-turn", {}),
    ("甲出九 丙碰九 丙死手 甲揭三", "4 wmq-turn", {}),
    ("!甲出九 !乙揭捌", "3 wmq-stock-order", {"甲": "九", "stock": "三"}),
    ("甲出九 乙揭九 乙胡 丙揭三", "5 wmq-after-end", {"乙": RUN_WAIT}),
    ("甲出九 乙揭九 乙胡 丙揭三", "5 wmq-after-end", {"乙": RUN_WAIT, "players": 4, "shouxing_win": "equal"}),
    ("甲出九 乙揭九 乙胡 丙叫碰", "5 wmq-shouxing-acts", {"乙": RUN_WAIT, "players": 4, "shouxing_win": "equal"}),
    ("甲出九 乙揭九 乙胡 !丙碰九", "5 wmq-after-end", {"乙": RUN_WAIT, "丙": "贰贰贰贰肆肆肆肆陆陆陆柒柒柒柒捌捌捌捌"}),
    ("甲出九 乙揭九 乙胡 丙过 丙叫碰", "", {"乙": RUN_WAIT}),
    ("甲出九 乙揭九 乙胡 丙胡", "5 wmq-after-end", {"乙": RUN_WAIT}),
    ("甲出九 乙揭九 乙胡 流局", "5 wmq-draw", {"乙": RUN_WAIT}),
    ("甲出九 流局", "3 wmq-draw", {}),
    ("流局", "2 wmq-draw", {}),
    ("甲出九 丙碰九 流局", "4 wmq-draw", {}),
    ("甲出九 流局 乙揭捌", "3 wmq-draw 4 wmq-after-end", {}),
]

WEI: list[Case] = [
    ("甲出三 乙揭九 乙栽九 乙出五", "", {}),
    ("甲出三 乙揭九 乙栽九 乙出九", "", {"乙": "九九九"}),
    ("甲出三 乙揭九 丙揭五", "4 wmq-wei-missed", {"乙": "九九"}),
    ("甲出三 乙揭九 丙揭五", "4 wmq-wei-missed", {"乙": "九九九"}),
    ("甲出三 乙揭九 丙揭五", "", {"乙": "九"}),
    ("甲出三 乙揭九 乙过 丙过 乙亮九 乙栽九 乙出五", "6 wmq-hu-shown", {}),
    ("甲出三 乙揭九 丙叫碰 乙栽九 乙出五", "", {}),
    ("甲出三 乙揭九 丙过 丙揭五", "5 wmq-wei-missed", {"乙": "九九"}),
    ("甲出三 乙揭九 乙吃九七八 乙出五", "4 wmq-wei-missed 4 wmq-chi-could-peng", {"乙": "九九"}),
    ("甲出三 乙揭伍 乙胡", "4 wmq-wei-missed", {"乙": WEI_WAIT}),
    ("甲出三 乙揭伍 丙胡 乙胡", "4 wmq-shouxing-acts 5 wmq-wei-missed", {"乙": WEI_WAIT, "players": 4}),
    ("甲出三 乙揭伍 乙蛰 乙栽伍 乙胡", "4 wmq-wei-missed 4 wmq-zhe", {"乙": WEI_WAIT}),
    ("甲出三 乙揭伍 流局", "4 wmq-wei-missed 4 wmq-draw", {"乙": WEI_WAIT}),
    ("甲出三 乙揭伍 乙死手 乙栽伍 乙胡", "4 wmq-wei-missed", {"乙": WEI_WAIT}),
    ("甲出三 乙揭伍 乙栽伍 乙胡", "", {"乙": WEI_WAIT}),
    ("甲出九 乙栽九 乙出五", "3 wmq-wei-own", {}),
    ("甲出三 乙揭九 丙栽九 丙出五", "4 wmq-wei-own", {}),
    ("甲出伍 乙栽伍 乙胡", "3 wmq-wei-own 4 wmq-hu-revealed", {"乙": WEI_WAIT}),
    ("甲出伍 乙栽伍 乙蛰", "3 wmq-wei-own 4 wmq-zhe", {"乙": WEI_WAIT}),
    ("甲出玖 丙揭伍 乙栽伍 乙胡", "3 wmq-turn 4 wmq-wei-own 5 wmq-hu-revealed", {"乙": WEI_WAIT}),
    ("甲出九 !甲栽九", "2 wmq-discard-kan 3 wmq-wei-own", {"甲": "九九九"}),
    ("甲出三 乙揭九 !乙栽五 乙出六", "4 wmq-wei-own", {"乙": "五五"}),
    ("甲出三 乙揭九 !乙栽九 乙出五", "4 wmq-wei-held", {"乙": "九"}),
    ("甲出三 乙揭九 !乙栽九 乙出五", "4 wmq-wei-held", {}),
]

PENG: list[Case] = [
    ("甲出九 乙碰九 乙出五", "", {}),
    ("甲出九 丙碰九 丙出五", "", {}),
    ("甲出三 乙揭九 丙碰九 丙出五", "", {}),
    ("甲出三 乙揭九 甲碰九 甲出五", "", {}),
    ("甲出九 乙碰九 乙出九", "4 wmq-discard-claimed", {"乙": "九九九"}),
    ("甲出九 乙碰五 乙出六", "3 wmq-peng-target", {}),
    ("甲出九 !甲碰九 甲出五", "2 wmq-discard-kan 3 wmq-peng-target", {"甲": "九九九"}),
    ("甲碰九 甲出五", "2 wmq-peng-target", {}),
    ("甲出九 丙吃九七八 乙碰九 乙出五", "3 wmq-chi-target 4 wmq-peng-target 4 wmq-peng-passed", {}),
    ("甲出九 !乙碰九 乙出五", "3 wmq-peng-held", {"乙": "九"}),
    ("甲出九 !乙碰九 乙出五", "3 wmq-peng-held", {}),
    ("甲出九 乙揭捌 丙揭九 乙碰九 乙出五", "5 wmq-peng-passed", {}),
    ("甲出三 乙揭捌 丙揭九 甲揭九 乙碰九 乙出五", "6 wmq-peng-passed", {}),
    ("甲出九 乙揭捌 丙揭九 甲碰九 甲出五", "2 wmq-discard-kan", {"甲": "九九九"}),
    ("丙出三 甲揭九 甲吃九七八 甲出五 乙揭九 丙碰九 丙出六", "7 wmq-peng-passed", {"dealer": "丙"}),
    ("乙出九 丙吃九七八 丙出五 甲揭九 丙碰九 丙出六", "3 wmq-chi-could-peng 6 wmq-peng-passed", {"dealer": "乙"}),
]

CHI: list[Case] = [
    ("甲出九 乙吃九七八 乙出五", "", {}),
    ("甲出三 乙揭九 乙吃九七八 乙出五", "", {}),
    ("甲出三 乙揭九 丙吃九七八 丙出五", "", {}),
    ("丁出九 甲吃九七八 甲出五", "", {"players": 4, "dealer": "丁", "shouxing": ""}),
    ("乙出九 丁碰九 丁出五 甲吃五四六", "0 wmq-shouxing-acts", {"players": 4, "dealer": "乙", "shouxing": "丙"}),
    ("甲出九 丙吃九七八 丙出五", "3 wmq-chi-target", {}),
    ("甲出三 乙揭九 甲吃九七八 甲出五", "4 wmq-chi-target", {}),
    ("甲出九 乙吃五三四 乙出六", "3 wmq-chi-target", {}),
    ("甲出九 甲吃九七八 甲出五", "3 wmq-chi-target 3 wmq-chi-discarded", {}),
    ("甲出九 乙吃九七十 乙出五", "3 wmq-chi-run", {}),
    ("甲出九 乙吃九柒捌 乙出五", "3 wmq-chi-run", {}),
    ("甲出十 乙吃十壹贰 乙出五", "3 wmq-chi-run", {}),
    ("甲出九 !乙吃九七八 乙出五", "3 wmq-chi-held", {"乙": "七"}),
    ("甲出九 !乙吃九七八 乙出五", "3 wmq-chi-held", {}),
    ("乙出九 丙揭三 甲揭九 乙吃九七八 乙出五", "5 wmq-chi-discarded 5 wmq-chi-passed", {"dealer": "乙"}),
    ("乙出九 丙碰九 丙出三 甲揭九 乙吃九七八 乙出五", "6 wmq-chi-discarded", {"dealer": "乙"}),
    ("甲出三 乙揭九 丙揭四 甲揭九 乙吃九七八 乙出五", "6 wmq-chi-discarded 6 wmq-chi-passed", {}),
    ("甲出三 乙揭九 丙碰九 丙出五 甲揭九 乙吃九七八 乙出六", "", {}),
    ("甲出三 乙揭九 丙吃九七八 丙出五 甲揭九 乙吃九七八 乙出六", "7 wmq-chi-discarded 7 wmq-chi-passed", {}),
    ("甲出九 乙揭捌 丙揭四 甲揭九 乙吃九七八 乙出五", "6 wmq-chi-passed", {}),
    ("甲出九 乙揭捌 丙揭九 甲揭四 乙揭五 丙吃五四六 丙出九", "", {}),
    ("甲出九 乙揭捌 丙揭九 丙吃九七八 丙出五", "", {}),
    ("甲出九 丙碰九 丙出三 甲揭九 乙吃九七八 乙出五", "", {}),
    ("甲出九 乙吃九七八 乙出五", "3 wmq-chi-could-peng", {"乙": "九九"}),
    ("甲出九 乙揭捌 丙揭四 甲揭九 乙吃九七八 乙出五", "6 wmq-chi-passed 6 wmq-chi-could-peng", {"乙": "九九"}),
]

DISCARD: list[Case] = [
    ("!甲出九", "2 wmq-discard-held", {}),
    ("甲出九", "2 wmq-discard-kan", {"甲": "九九九"}),
    ("甲出九", "2 wmq-discard-kan", {"甲": "九九九九"}),
    ("甲出九 乙揭捌 丙揭四 丙栽四 丙出四", "", {"丙": "四四四"}),
    ("甲出四 丙碰四 丙出五 甲揭捌", "", {"丙": "四四四"}),
    ("甲出四 乙吃四五六 乙出五 丙揭捌", "", {"乙": "五五五"}),
    ("甲出九 乙吃九七八 乙出七 丙揭捌", "", {"乙": "七七"}),
    ("甲出九 乙吃九七八 乙出九", "4 wmq-discard-claimed", {"乙": "九"}),
    ("甲出九 乙吃九七八 乙出五 丙揭捌 甲揭三 甲吃三一二 甲出六 乙吃六四五 乙出九", "10 wmq-discard-claimed", {"乙": "九"}),
]

DEAD: list[Case] = [
    ("甲出三 乙碰三", "3 wmq-dead-hand", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 乙死手 丙揭四 甲揭六", "3 wmq-dead-hand", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 丙揭四 甲揭六 乙揭玖 丙揭捌", "3 wmq-dead-hand", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 甲揭四", "3 wmq-dead-hand 4 wmq-turn", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 乙揭四", "3 wmq-dead-hand 4 wmq-turn", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 乙出三", "3 wmq-dead-hand 4 wmq-discard-claimed", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 乙出五 丙揭四 甲揭六 乙揭玖", "3 wmq-dead-hand 4 wmq-discard-kan", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 丙揭八 乙碰八", "3 wmq-dead-hand 5 wmq-turn", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 丙揭四 甲揭六 乙揭八 丙揭四", "3 wmq-dead-hand", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 丙揭四 甲揭六 乙揭八 乙栽八", "3 wmq-dead-hand 7 wmq-turn", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 丙揭八 乙胡", "3 wmq-dead-hand 5 wmq-hu-shape 5 wmq-hu-dead", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 丙揭八 乙蛰", "3 wmq-dead-hand 5 wmq-zhe", {"乙": ONLY_KAN}),
    ("甲出三 乙碰三 丙揭八 乙叫碰 甲吃八七九 甲出五", "3 wmq-dead-hand", {"乙": ONLY_KAN}),
    ("甲出二 乙揭三 乙栽三", "4 wmq-dead-hand", {"乙": "一一一一三三五五五五八八八壹壹壹叁叁叁"}),
    ("甲出二 乙揭三 乙栽三 丙揭六", "4 wmq-dead-hand", {"乙": "一一一一三三五五五五八八八壹壹壹叁叁叁"}),
    ("甲胡天胡", "1 wmq-dead-hand 2 wmq-hu-opening", {"甲": DEALT_KAN}),
    ("甲死手 乙揭叁 丙揭四", "1 wmq-dead-hand", {"甲": DEALT_KAN}),
    ("乙揭叁 丙揭四", "1 wmq-dead-hand", {"甲": DEALT_KAN}),
    ("丙揭叁", "1 wmq-dead-hand 2 wmq-turn", {"甲": DEALT_KAN}),
    ("乙胡无对胡", "", {"甲": DEALT_KAN, "乙": "二四四五六七八九十壹贰叁肆伍陆柒捌玖拾"}),
    ("甲胡九小对", "", {"甲": "一一一一三三三三五五五五八八八八壹壹壹壹"}),
]

HU: list[Case] = [
    ("甲出三 乙揭九 乙胡", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭捌 丙揭九 乙胡", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭九 丙碰九 乙胡", "5 wmq-hu-revealed", {"乙": RUN_WAIT}),
    ("甲出三 乙揭九 乙吃九七八 乙胡", "5 wmq-hu-revealed", {"乙": RUN_WAIT}),
    ("甲出九 乙胡", "3 wmq-hu-revealed", {"乙": RUN_WAIT}),
    ("甲胡", "2 wmq-hu-revealed", {"甲": WHOLE}),
    ("甲出三 乙揭七 乙胡", "4 wmq-hu-shape", {"乙": RUN_WAIT}),
    ("甲出三 乙揭七 丙碰七 丙出四 甲揭九 乙胡", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭九 乙胡", "4 wmq-hu-xi", {"乙": POOR_WAIT}),
    ("甲出三 乙揭伍 乙栽伍 乙胡", "5 wmq-hu-xi", {"乙": "壹壹壹柒捌玖伍伍一二三四五六七八九十十"}),
    ("甲胡天胡", "", {"甲": WHOLE}),
    ("乙胡九小对", "", {"乙": PAIRS}),
    ("丙胡无对胡", "", {"丙": DIFFERENT}),
    ("乙胡天胡", "2 wmq-hu-opening", {"乙": RUN_WAIT}),
    ("甲胡天胡", "2 wmq-hu-opening", {"甲": WHOLE, "preset": "xiaozhuo"}),
    ("丙胡无对胡", "2 wmq-hu-opening", {"丙": DIFFERENT, "preset": "xiaozhuo"}),
    ("甲出玖 乙胡九小对", "3 wmq-hu-opening", {"乙": PAIRS}),
    ("乙胡九小对", "2 wmq-hu-opening", {"乙": "一一二二三三四四五五六六七七八八九十"}),
    ("甲胡天胡", "2 wmq-hu-opening", {"甲": "壹壹壹叁叁叁伍陆柒一二三四五六十十七八九"}),
    ("甲出三 乙揭九 乙胡一二三四五六七八十十壹壹壹叁叁叁伍伍伍", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭九 乙胡????????????????十十伍", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭九 乙胡一二三四五六七八十十壹壹壹叁叁叁伍伍", "4 wmq-hu-shown", {"乙": RUN_WAIT}),
    ("甲出三 乙揭九 乙胡一二三四五六七八十十壹壹壹叁叁叁伍伍陆", "4 wmq-hu-shown", {"乙": RUN_WAIT}),
    ("甲出三 乙揭九 乙胡????????????????????", "4 wmq-hu-shown", {"乙": RUN_WAIT}),
    ("甲出三 乙亮一二三四五六七八十十壹壹壹叁叁叁伍伍伍", "", {"乙": RUN_WAIT}),
    ("甲出三 乙亮一二三四五六七八十十壹壹壹叁叁叁伍伍??", "3 wmq-hu-shown", {"乙": RUN_WAIT}),
    ("甲出三 乙亮???????????????????", "", {"乙": RUN_WAIT}),
    ("甲出三 乙亮九??????????????????", "3 wmq-hu-shown", {"乙": RUN_WAIT}),
]

ZHE: list[Case] = [
    ("甲出三 乙揭九 乙蛰六九 丙揭四", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭捌 丙揭九 乙蛰 甲揭四", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭伍 乙栽伍 乙蛰 乙出八", "", {"乙": WEI_WAIT}),
    ("甲出三 乙揭九 乙蛰 乙吃九七八 乙出六", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭捌 乙蛰", "4 wmq-zhe", {"乙": RUN_WAIT}),
    ("甲出九 乙蛰", "3 wmq-zhe", {"乙": RUN_WAIT}),
    ("甲出三 乙揭伍 丙揭四 乙蛰", "4 wmq-wei-missed 5 wmq-zhe", {"乙": WEI_WAIT}),
    ("甲出三 乙揭九 乙蛰", "4 wmq-zhe", {"乙": RUN_WAIT, "zhe": False}),
    ("甲出三 乙揭九 乙蛰", "4 wmq-zhe", {"乙": RUN_WAIT, "preset": "xiaozhuo", "zhe": True}),
]

PRIORITY: list[Case] = [
    ("甲出三 乙揭捌 丙揭九 乙叫胡 甲碰九 甲出陆", "6 wmq-claim-priority", {"乙": RUN_WAIT}),
    ("甲出三 乙揭捌 丙揭九 乙叫胡 甲吃九七八 甲出陆", "6 wmq-claim-priority", {"乙": RUN_WAIT}),
    ("甲出三 乙揭捌 丙揭九 乙叫胡 丙吃九七八 丙出陆", "6 wmq-claim-priority", {"乙": RUN_WAIT}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 甲吃九七八 甲出陆", "6 wmq-claim-priority", {"乙": "九九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 丙吃九七八 丙出陆", "6 wmq-claim-priority", {"乙": "九九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 乙碰九 乙出陆", "", {}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 乙过 甲吃九七八 甲出陆", "", {"乙": "九九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 乙叫吃 甲吃九七八 甲出陆", "", {"乙": "九九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 甲吃五六七 甲出陆", "6 wmq-chi-target", {"乙": "九九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫胡 甲碰五 甲出陆", "6 wmq-peng-target", {"乙": RUN_WAIT}),
    ("甲出三 乙揭捌 丙揭九 乙过 乙叫碰 甲吃九七八 甲出陆", "7 wmq-claim-priority", {"乙": "九九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 甲吃九七八 甲出陆", "", {"乙": "九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫胡 甲碰九 甲出陆", "", {"乙": POOR_WAIT}),
    ("甲出三 乙揭捌 丙揭九 乙叫杠 甲碰九 甲出陆", "", {"乙": RUN_WAIT}),
    ("甲出三 乙揭捌 丙揭九 甲吃九七八 乙叫碰 甲出陆", "", {"乙": "九九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 甲揭四", "", {"乙": "九九"}),
    ("甲出三 乙揭捌 丙揭九 乙叫碰 甲揭四 甲吃四五六 甲出陆", "", {"乙": "九九"}),
    ("甲出陆 乙揭捌 丙揭九 甲叫胡 乙胡", "6 wmq-claim-priority", {"甲": OTHER_WAIT, "乙": RUN_WAIT}),
    ("甲出陆 乙揭捌 丙揭九 乙叫胡 甲胡", "", {"甲": OTHER_WAIT, "乙": RUN_WAIT}),
    ("甲出陆 乙揭九 乙叫胡 甲胡", "5 wmq-claim-priority", {"甲": OTHER_WAIT, "乙": RUN_WAIT}),
    ("甲叫胡 乙胡九小对", "3 wmq-claim-priority", {"甲": "壹壹壹叁叁叁伍伍伍陆柒捌肆肆肆玖玖玖拾拾", "乙": PAIRS}),
    ("乙叫胡 甲胡天胡", "", {"甲": "壹壹壹叁叁叁伍伍伍陆柒捌肆肆肆玖玖玖拾拾", "乙": PAIRS}),
]

ALL = DEAL + TURN + WEI + PENG + CHI + DISCARD + DEAD + HU + ZHE + PRIORITY


def judged(record: WeimaqueRecord, lang: str = "zh") -> Verdict:
    return check(record, possible=True, lang=lang)


def told(verdict: Verdict) -> list[Finding]:
    return [finding for finding in verdict.findings if finding.rule not in FEES]


def in_words(findings: list[Finding]) -> str:
    return " ".join(f"{finding.seq} {finding.rule}" for finding in findings)


@pytest.mark.parametrize(("play", "expected", "deal"), ALL)
def test_a_hand_breaks_what_it_breaks_and_nothing_else(play: str, expected: str, deal: dict[str, Any]) -> None:
    verdict = judged(made(play, **deal))
    assert in_words(told(verdict)) == expected
    assert verdict.possible == 0


JUDGED_ELSEWHERE = {"log-reference", "wmq-deal-size", "wmq-copies", "wmq-dealer-next"}
"""Rules that the words of a hand cannot break."""


def test_every_rule_is_broken_by_some_hand() -> None:
    broken = {finding.rule for play, _, deal in ALL for finding in judged(made(play, **deal)).findings}
    at_the_end = {"wmq-stock-empty", "wmq-claim-xi", "wmq-claim-mingtang", "wmq-claim-total", "wmq-settle", *FEES}
    assert broken | at_the_end | JUDGED_ELSEWHERE == {rule.id for rule in RULES}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_message_says_who_did_what(lang: str) -> None:
    for play, _, deal in ALL:
        record = made(play, **deal)
        for finding in judged(record, lang).findings:
            assert "{" not in finding.message
            assert "None" not in finding.message
            assert all(seq < finding.seq for seq in finding.because)
            if isinstance(finding.actor, int) and finding.rule not in FEES:
                assert NAMES[finding.actor] in finding.message


@pytest.mark.parametrize(
    ("play", "deal", "because", "zh", "en"),
    [
        (
            "甲出九 乙揭捌 丙揭九 乙碰九 乙出五", {}, [2],
            "九是乙的过张：第2号事件那张没有碰，这盘不能再碰", "九 is 过张 for 乙, who let one go at event 2: no 碰 of it in this hand",
        ),
        (
            "甲出三 乙揭九 丙揭五", {"乙": "九九"}, [3],
            "乙揭出九，手中有两张以上九，应当先栽", "乙 revealed 九 and holds two or more of it: it must be 栽'd first",
        ),
        (
            "甲出九 乙吃九七八 乙出九", {"乙": "九"}, [3],
            "乙在第3号事件吃过或碰过九，不能再打出", "乙 took 九 at event 3 and may not discard it",
        ),
        (
            "甲出三 乙揭捌 丙揭九 乙叫碰 甲吃九七八 甲出陆", {"乙": "九九"}, [5],
            "乙先叫了碰，应当先让乙，甲不能吃", "乙 called 碰, which goes first; 甲 may not 吃",
        ),
        (
            "甲出九 丙揭捌", {}, [2],
            "丙此时不能揭：桌上是甲出的九，没有人要就该乙揭牌", "丙 may not 揭 now: 甲 discarded 九; unless it is claimed, 乙 is to reveal",
        ),
        (
            "甲出三 乙揭九 乙胡", {"乙": POOR_WAIT}, [],
            "乙胡牌，硬息最多8，需要10", "乙 has at most 8 hard 息; a win needs 10",
        ),
    ],
)  # fmt: skip
def test_a_message_names_the_event_that_makes_it_wrong(play: str, deal: dict[str, Any], because: list[int], zh: str, en: str) -> None:
    record = made(play, **deal)
    (finding,) = told(judged(record))
    assert (finding.message, list(finding.because)) == (zh, because)
    (finding,) = told(judged(record, "en"))
    assert finding.message == en


def test_whoever_missed_the_wei_is_named_and_not_whoever_acted_behind_it() -> None:
    (finding,) = told(judged(made("甲出三 乙揭九 丙揭五", 乙="九九")))
    assert (finding.actor, finding.params["pai"]) == (1, "九")
