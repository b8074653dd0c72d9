"""Tables of a line game's reels: each stop's window as bit sets of lines, as classes of symbols and as counts in sight.

A column of the bit sets stands for one way to win from the left: a family, or the Wild by itself. On the reels that its
shortest win needs it holds the lines whose cell goes on with the run; on later reels all lines. A line is in the sets of
all reels if it may win that way.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from workbench.game import GameDefinition
from workbench.game.line_consistency import counted_in_sight
from workbench.reels.strip_set import Reels, StopWeights, StripSet
from workbench.simulate._line_game_shapes_kernels import SpinReels
from workbench.simulate._shapes_kernels import FIELD, Words
from workbench.simulate.line_reading import symbol_classes
from workbench.simulate.line_rule import line_families
from workbench.simulate.reel_tables import window

WORD = 64
MOST_GUIDE = 1 << 12
"""Most places of the guide of a reel with stop weights."""
_LANES = 4

Window = tuple[str, ...]


def run_columns(game: GameDefinition) -> list[tuple[frozenset[str], int]]:
    """Ways to win from the left: the symbols a run takes, and the shortest length that wins anything."""
    found = []
    for family in line_families(game):
        lengths = [length for length, coins in family.pays.items() if coins]
        lengths += [least for _, least in family.triggers]
        if lengths:
            found.append((family.accepts, min(lengths)))
    wild = game.symbols.wild
    own = [length for length, coins in game.paytable.get(wild, {}).items() if coins] if wild else []
    return [*found, *([(frozenset({wild}), min(own))] if wild and own else [])]


def column_count(game: GameDefinition) -> int:
    """Columns of a word of lines, padded to whole vectors."""
    return -(-len(run_columns(game)) // _LANES) * _LANES


def least_anywhere(game: GameDefinition) -> list[int]:
    """The smallest number that pays, of each symbol that pays anywhere; more than a line has cells if none does."""
    none = game.reel_count + 1
    return [min((n for n, coins in a.pays.items() if coins), default=none) for a in game.anywhere]


def spin_reels(game: GameDefinition, strips: StripSet, names: tuple[str, ...]) -> SpinReels:
    """Tables of the reel sets of that name, one for each kind of spin."""
    sets = [strips.reels[name] for name in names]
    length = np.array([[len(strip) for strip in reels] for reels in sets], np.uint64)
    ends = np.cumsum(length, dtype=np.uint64).reshape(length.shape)
    weights = [strips.weights_of(name) or _equal(strips.reels[name]) for name in names]
    total, shift, guide_at, guide = _guides(weights)
    windows = list(_windows(game, sets))
    return SpinReels(
        first=ends - length,
        length=length,
        weighted=np.array([strips.weights_of(name) is not None for name in names], np.int64),
        total=total,
        shift=shift,
        guide_at=guide_at,
        guide=guide,
        cumulative=np.concatenate([np.cumsum(w, dtype=np.uint64) for by_reel in weights for w in by_reel]),
        lines_of=_lines_of(game, windows),
        anywhere=_anywhere(game, windows),
        class_of=_classes(game, windows),
        marks=np.array([_marks(game, reel, shown) for reel, shown in windows], np.int64),
    )


def _equal(reels: Reels) -> StopWeights:
    return tuple((1,) * len(strip) for strip in reels)


def _windows(game: GameDefinition, sets: list[Reels]) -> Iterator[tuple[int, Window]]:
    """Reel and window of every row of the tables."""
    for reels in sets:
        for reel, strip in enumerate(reels):
            for stop in range(len(strip)):
                yield reel, window(strip, stop, game.grid.rows[reel])


def _guides(weights: list[StopWeights]) -> tuple[Words, Words, Words, Words]:
    """Totals, shifts, places and entries of the guides (see ``SpinReels``)."""
    shape = (len(weights), len(weights[0]))
    total, shift, place = (np.zeros(shape, np.uint64) for _ in range(3))
    guide: list[int] = []
    first = 0
    for kind, by_reel in enumerate(weights):
        for reel, own in enumerate(by_reel):
            ends = np.cumsum(own)
            step = max(0, int(ends[-1] - 1).bit_length() - MOST_GUIDE.bit_length() + 1)
            total[kind, reel], shift[kind, reel], place[kind, reel] = int(ends[-1]), step, len(guide)
            begins = np.arange(0, int(ends[-1]), 1 << step)
            guide += (first + np.searchsorted(ends, begins, side="right")).tolist()
            first += len(own)
    return total, shift, place, np.array(guide, np.uint64)


def _bits(game: GameDefinition, reel: int, rows: set[int]) -> list[int]:
    """[word]: the lines through some of a reel's cells."""
    words = [0] * -(-len(game.lines) // WORD)
    for i, line in enumerate(game.lines):
        if line[reel] in rows:
            words[i // WORD] |= 1 << (i % WORD)
    return words


def _lines_of(game: GameDefinition, windows: list[tuple[int, Window]]) -> Words:
    columns, count = run_columns(game), column_count(game)
    return _bit_sets(
        game,
        windows,
        count,
        [
            [
                {row for row, symbol in enumerate(shown) if reel >= least or symbol in accepts}
                for accepts, least in columns
            ]
            for reel, shown in windows
        ],
    )


def _anywhere(game: GameDefinition, windows: list[tuple[int, Window]]) -> Words:
    symbols = [a.symbol for a in game.anywhere]
    shown_in = [
        [{row for row, symbol in enumerate(shown) if symbol == wanted} for wanted in symbols]
        for _, shown in windows
    ]
    return _bit_sets(game, windows, len(symbols), shown_in)


def _bit_sets(
    game: GameDefinition, windows: list[tuple[int, Window]], count: int, cells: list[list[set[int]]]
) -> Words:
    """[row of the table][word x count + column]: the lines through the cells [row of the table][column]."""
    table = np.zeros((len(windows), -(-len(game.lines) // WORD), count), np.uint64)
    known: dict[tuple[int, frozenset[int]], list[int]] = {}
    for i, (reel, _) in enumerate(windows):
        for column, rows in enumerate(cells[i]):
            key = (reel, frozenset(rows))
            if key not in known:
                known[key] = _bits(game, reel, rows)
            table[i, :, column] = np.array(known[key], np.uint64)
    return table.reshape(len(windows), -1)


def _classes(game: GameDefinition, windows: list[tuple[int, Window]]) -> Words:
    classes = symbol_classes(game)
    table = np.zeros((len(windows), max(game.grid.rows)), np.uint64)
    for i, (_, shown) in enumerate(windows):
        table[i, : len(shown)] = [classes[symbol] for symbol in shown]
    return table


def _marks(game: GameDefinition, reel: int, shown: Window) -> int:
    return sum(
        shown.count(symbol) << (FIELD * place)
        for place, (symbol, reels) in enumerate(counted_in_sight(game))
        if reel in reels
    )
