"""The simulator's own tables of reels and lines: each stop's window as bit sets of lines and cells.

Cells are numbered reel by reel from the top; bit i of a set of cells is cell i. Lines are cut into words of 64.
"""

from __future__ import annotations

import numpy as np

from workbench.game import GameDefinition
from workbench.reels.strip_set import Reels
from workbench.simulate._shapes_kernels import LineTables, ReelTables, Words

WORD = 64
_LANES = 4


def line_tables(game: GameDefinition, units: int) -> LineTables:
    """The paytable in units of 1/``units`` bet and the lines' cells."""
    regular, wild, reels = game.symbols.regular, game.symbols.wild, game.reel_count
    columns = [*regular, *([wild] if wild else [])]
    pay = np.zeros((len(regular) + 1, reels + 1), np.int64)
    for column, symbol in enumerate(columns):
        for count, coins in game.paytable.get(symbol, {}).items():
            pay[column, count] = coins * units // game.bet.coins
    paying = [count for count in range(1, reels + 1) if pay[:, count].any()]
    shortest = min(paying, default=reels)
    return LineTables(
        pay=pay,
        prefix=_prefixes(game),
        shortest=shortest,
        columns=column_count(game),
        best_symbol=int(game.wild is not None and game.wild.leading_run == "best-symbol"),
        counts_as=regular.index(game.wild.counts_as) if game.wild and game.wild.counts_as else 0,
    )


def first_cells(game: GameDefinition) -> list[int]:
    """The number of the top cell of each reel."""
    rows = game.grid.rows
    return [sum(rows[:reel]) for reel in range(len(rows))]


def _prefixes(game: GameDefinition) -> Words:
    first = first_cells(game)
    table = np.zeros((len(game.lines), game.reel_count + 1), np.uint64)
    for i, line in enumerate(game.lines):
        cells = 0
        for reel, row in enumerate(line):
            cells |= 1 << (first[reel] + row)
            table[i, reel + 1] = cells
    return table


def window(strip: tuple[str, ...], stop: int, rows: int) -> tuple[str, ...]:
    """The symbols in sight, from the top, when a strip halts at a stop."""
    return tuple(strip[(stop + row) % len(strip)] for row in range(rows))


def reel_tables(game: GameDefinition, sets: list[Reels]) -> ReelTables:
    """Tables of several sets of reels."""
    length = np.array([[len(strip) for strip in reels] for reels in sets], np.uint64)
    ends = np.cumsum(length).reshape(length.shape)
    words, columns = -(-len(game.lines) // WORD), column_count(game)
    tables = ReelTables(
        first=(ends - length).astype(np.uint64),
        length=length,
        lines_of=np.zeros((int(ends[-1, -1]), words * columns), np.uint64),
        cells_of=np.zeros((int(ends[-1, -1]), len(game.symbols.all)), np.uint64),
    )
    through = _lines_through(game, words)
    for k, reels in enumerate(sets):
        for reel, strip in enumerate(reels):
            for stop in range(len(strip)):
                row = int(tables.first[k, reel]) + stop
                _fill_window(game, tables, row, through[reel], (reel, stop, strip))
    return tables


def column_count(game: GameDefinition) -> int:
    """Columns of the regular symbols and the Wild, padded to whole vectors."""
    return -(-(len(game.symbols.regular) + 1) // _LANES) * _LANES


def _lines_through(game: GameDefinition, words: int) -> list[list[list[int]]]:
    """[reel][row][word]: the lines through a cell, as bit sets."""
    table = [[[0] * words for _ in range(rows)] for rows in game.grid.rows]
    for i, line in enumerate(game.lines):
        for reel, row in enumerate(line):
            table[reel][row][i // WORD] |= 1 << (i % WORD)
    return table


def _fill_window(
    game: GameDefinition,
    tables: ReelTables,
    row: int,
    through: list[list[int]],
    halted: tuple[int, int, tuple[str, ...]],
) -> None:
    """Fill one row: the window of a strip (``halted``: reel, stop, strip)."""
    reel, stop, strip = halted
    regular, wild = game.symbols.regular, game.symbols.wild
    top = first_cells(game)[reel]
    columns = tables.lines_of.shape[1] // len(through[0])
    for i, symbol in enumerate(window(strip, stop, game.grid.rows[reel])):
        tables.cells_of[row, game.symbol_index[symbol]] |= np.uint64(1 << (top + i))
        if symbol == wild:
            shown = list(range(len(regular) + 1))
        else:
            shown = [regular.index(symbol)] if symbol in regular else []
        for word, lines in enumerate(through[i]):
            for column in shown:
                tables.lines_of[row, word * columns + column] |= np.uint64(lines)
