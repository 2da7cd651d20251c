"""The games that Paipu knows. This is the one list of them."""

from typing import Any

from engine.changde.game import CHANGDE
from engine.game import Game
from engine.weimaque.game import WEIMAQUE

GAMES: dict[str, Game] = {game.name: game for game in (WEIMAQUE, CHANGDE)}


def game_of(record: Any) -> Game:
    """The game of a record or of a claim."""
    return GAMES[record.__struct_config__.tag]
