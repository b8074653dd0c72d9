"""What one payline pays, read straight from C-3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.game.definition import GameDefinition


class LineAward(NamedTuple):
    """The win of one line: whose it is, how long the winning run is, what it pays, whether Wilds won it alone.

    A line that pays nothing is ``(None, 0, 0, False)``.
    """

    winner: str | None
    length: int
    coins: int
    wilds_only: bool


NO_WIN = LineAward(None, 0, 0, False)


def pay(game: GameDefinition, symbol: str, length: int) -> int:
    """Coins the paytable lists for exactly ``length`` of ``symbol``; 0 where it lists none."""
    return game.paytable.get(symbol, {}).get(length, 0)


def run_of(symbols: Sequence[str], allowed: set[str | None]) -> int:
    """Length of the leading run of allowed symbols."""
    length = 0
    while length < len(symbols) and symbols[length] in allowed:
        length += 1
    return length


def _candidates(game: GameDefinition, symbols: Sequence[str]) -> list[LineAward]:
    """All the line may pay as, the first of equals to be preferred: Wild's own run, then the better symbol."""
    wild, order = game.symbols.wild, game.symbols.regular
    wilds = run_of(symbols, {wild}) if wild else 0
    follows = symbols[wilds] if wilds < len(symbols) else None
    found = []
    if wild and game.wild:
        found.append(LineAward(game.wild.counts_as, wilds, pay(game, wild, wilds), True))
    for symbol in order:
        if symbol == follows:
            length = run_of(symbols, {symbol, wild})
            found.append(LineAward(symbol, length, pay(game, symbol, length), False))
        elif wilds and game.wild and game.wild.leading_run == "best-symbol":
            found.append(LineAward(symbol, wilds, pay(game, symbol, wilds), True))
    return found


def line_award(game: GameDefinition, symbols_on_line: Sequence[str]) -> LineAward:
    """The win of the symbols a line shows, from the leftmost reel on (C-3).

    >>> from .games import shipped_game
    >>> line_award(shipped_game(), ["Wild", "Wild", "Wild", "Shell", "Shell"])
    LineAward(winner='Shell', length=5, coins=60, wilds_only=False)
    """
    best = NO_WIN
    for award in _candidates(game, symbols_on_line):
        if award.coins > best.coins:
            best = award
    return best
