"""The programs that Paipu is measured against. They are no dependencies of it: ``make bench`` installs them."""

import random
from importlib import import_module
from typing import Any


class Unmeasurable(Exception):  # noqa: N818
    """What a goal needs is not there; the message says what, and how to get it."""


def peer(name: str) -> Any:
    """A module of a peer. Raises Unmeasurable where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise Unmeasurable(f"没有安装 {package}，请用 make bench；{package} is not installed: make bench installs it") from error


def chess_games(games: int, plies: int) -> list[list[str]]:
    """Legal games of chess as UCI words, played at random from fixed seeds."""
    chess = peer("chess")
    played: list[list[str]] = []
    for seed in range(games):
        choose = random.Random(seed).choice
        board = chess.Board()
        words: list[str] = []
        while len(words) < plies and not board.is_game_over():
            move = choose(list(board.legal_moves))
            words.append(move.uci())
            board.push(move)
        played.append(words)
    return played


def riichi_log(seed: int) -> tuple[Any, int]:
    """A whole game of riichi between jansou's simple agents, read from its mjai log, and the number of its events."""
    rules = peer("jansou.core.rules").preset("tenhou")
    environment = peer("jansou.game.environment").Environment(rules, seed=seed)
    agent = peer("jansou.game.agents").SimpleAgent
    environment.run([agent() for _ in range(4)])
    mjai = peer("jansou.io.mjai")
    log = mjai.dump_mjai(peer("jansou.io.from_game").paifu_from_game(environment))
    return mjai.parse_mjai(log), len(log.splitlines())
