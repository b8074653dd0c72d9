"""The rules of a game as frozen, validated data, read from TOML."""

from workbench.game.definition import GameDefinition
from workbench.game.load import find_game, load_definition, shipped_games

__all__ = ["GameDefinition", "find_game", "load_definition", "shipped_games"]
