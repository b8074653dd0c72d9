"""Laws of names that several parts of a definition share, as lines of the form "place: law, but got ..."."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition


def unknown_symbols(game: GameDefinition, place: str, names: Iterable[str]) -> Iterator[str]:
    """A line for each name that is no symbol of the game."""
    for name in names:
        if name not in game.symbols.all:
            known = ", ".join(game.symbols.all)
            yield f"{place}: must be a symbol of the game, one of {known}, but got {name!r}"


def shortest_decimal(text: str) -> bool:
    """Whether a wheel's value is a number as the files write it: 3, 0.3, 12.5; not 3.0, .3 or 1e3."""
    if not re.fullmatch(r"(0|[1-9][0-9]*)(\.[0-9]*[1-9])?", text):
        return False
    return float(text) <= 1_000_000
