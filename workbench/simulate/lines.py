"""The line rule in plain words: what a row of symbols from the left wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.game import GameDefinition

Window = tuple[tuple[str, ...], ...]
"""[reel][row] symbols in sight."""


@dataclass(frozen=True)
class LineWin:
    """A line won: its number (from 0), the winning symbol, the length of its run, and coins.

    ``wild_only`` says that the run consists of Wilds alone.
    """

    line: int
    symbol: str
    length: int
    coins: int
    wild_only: bool


def _run(symbols: Sequence[str], accepted: set[str | None]) -> int:
    """How many symbols from the left are accepted."""
    length = 0
    for symbol in symbols:
        if symbol not in accepted:
            break
        length += 1
    return length


def line_win(game: GameDefinition, line: int, symbols: Sequence[str]) -> LineWin | None:
    """What a line wins, or None (C-3).

    Candidates are the Wilds' own run and, for every regular symbol, its run with Wilds; where a leading run of
    Wilds pays as itself only, a symbol needs a run longer than the Wilds'. The highest pay wins; of
    equal ones the Wilds', then the better symbol's.
    """
    wild = game.symbols.wild
    wilds = _run(symbols, {wild})
    candidates = [(wild, wilds)] if wild else []
    for symbol in game.symbols.regular:
        length = _run(symbols, {symbol, wild})
        if length > wilds or (game.wild and game.wild.leading_run == "best-symbol"):
            candidates.append((symbol, length))
    won: LineWin | None = None
    for name, length in candidates:
        coins = game.paytable.get(name, {}).get(length, 0)
        if coins > (won.coins if won else 0):
            won = LineWin(line, name, length, coins, length <= wilds)
    return won


def lines_won(game: GameDefinition, window: Window) -> tuple[LineWin, ...]:
    """Every line that wins, in the order of the definition."""
    wins = (
        line_win(game, i, [window[reel][row] for reel, row in enumerate(line)])
        for i, line in enumerate(game.lines)
    )
    return tuple(win for win in wins if win)


def in_sight(window: Window, symbol: str, reels: Sequence[int]) -> int:
    """How many cells of the given reels show a symbol."""
    return sum(window[reel].count(symbol) for reel in reels)
