"""The one gate between rules and kernels: a game and its strips as arrays.

Symbols are indexed as in ``GameDefinition.symbols.all``, so the regular ones come first; index S (their number)
stands for the Wild in the kernels' tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.exact.line_law import LineLaw, award_arrays, line_law
from workbench.game.definition import GameDefinition


@dataclass(frozen=True)
class Pays:
    """The paytable by index: coins of a run, least paid lengths."""

    coins: Mapping[int, Mapping[int, int]]
    regular: int
    wild: int | None
    counts_as: int
    wilds_pay_as_any: bool
    reels: int

    def of(self, symbol: int, length: int) -> int:
        """Coins for a run; 0 where the paytable lists none."""
        return self.coins.get(symbol, {}).get(length, 0)

    def least_length(self, symbol: int) -> int:
        """The shortest run of a symbol that pays; R + 1 if none does."""
        return min((k for k, coins in self.coins.get(symbol, {}).items() if coins), default=self.reels + 1)

    def least_wild_run(self) -> int:
        """The shortest leading run of Wilds that pays whatever follows; R + 1 if none does."""
        if self.wild is None:
            return self.reels + 1
        own = self.least_length(self.wild)
        others = [self.least_length(t) for t in range(self.regular)] if self.wilds_pay_as_any else []
        return min([own, *others])


def pays_of(game: GameDefinition) -> Pays:
    """The paytable of a game by symbol index."""
    index = game.symbol_index
    wild = game.wild
    return Pays(
        coins={index[name]: dict(pays) for name, pays in game.paytable.items()},
        regular=len(game.symbols.regular),
        wild=index[game.symbols.wild] if game.symbols.wild else None,
        counts_as=index[wild.counts_as] if wild and wild.counts_as else 0,
        wilds_pay_as_any=bool(wild and wild.leading_run == "best-symbol"),
        reels=game.reel_count,
    )


@dataclass(frozen=True)
class LineTables:
    """What the kernels need of a game's lines; ``depth`` and ``wild_depth`` as in :mod:`workbench.exact.spin`."""

    law: LineLaw
    pays: Pays
    rows: NDArray[np.int64]
    offsets: NDArray[np.int64]
    line_rows: NDArray[np.int64]
    row_lines: NDArray[np.uint64]
    mask_lines: tuple[NDArray[np.uint64], ...]
    least: NDArray[np.int64]
    least_wild: int
    depth: int
    wild_depth: int
    award_symbol: NDArray[np.int64]
    award_length: NDArray[np.int64]
    award_coins: NDArray[np.int64]
    award_wild_only: NDArray[np.bool_]
    wild_state: NDArray[np.int64]


def line_tables(game: GameDefinition) -> LineTables:
    """Arrays of a game's lines and awards.

    ``row_lines[r, row]`` is the bit set of lines through a cell, ``mask_lines[r][m]`` that of the lines
    through any row of the row mask m.
    """
    law, pays = line_law(game), pays_of(game)
    rows = np.array(game.grid.rows, dtype=np.int64)
    line_rows = np.array(game.lines, dtype=np.int64)
    row_lines = np.zeros((game.reel_count, int(rows.max())), dtype=np.uint64)
    for number, line in enumerate(game.lines):
        for r, row in enumerate(line):
            row_lines[r, row] |= np.uint64(1 << number)
    least = np.array([pays.least_length(s) for s in range(pays.regular)], dtype=np.int64)
    paid = [int(k) for k in least if k <= pays.reels]
    depth = max(paid, default=1)
    symbol, length, coins, wild_only = award_arrays(law)
    return LineTables(
        law=law,
        pays=pays,
        rows=rows,
        offsets=np.concatenate([[0], np.cumsum(rows)[:-1]]).astype(np.int64),
        line_rows=line_rows,
        row_lines=row_lines,
        mask_lines=tuple(_mask_lines(row_lines[r], int(rows[r])) for r in range(game.reel_count)),
        least=least,
        least_wild=pays.least_wild_run(),
        depth=depth,
        wild_depth=min(depth, pays.least_wild_run()),
        award_symbol=symbol,
        award_length=length,
        award_coins=coins,
        award_wild_only=wild_only,
        wild_state=np.array(law.wild_state + (0,) * (pays.reels + 1 - len(law.wild_state)), dtype=np.int64),
    )


def _mask_lines(row_lines: NDArray[np.uint64], rows: int) -> NDArray[np.uint64]:
    lines = np.zeros(1 << rows, dtype=np.uint64)
    for mask in range(1, 1 << rows):
        low = (mask & -mask).bit_length() - 1
        lines[mask] = lines[mask & (mask - 1)] | row_lines[low]
    return lines


@dataclass(frozen=True)
class ReelTables:
    """The strips of all reels as the kernels see them; shapes as in the kernels."""

    stops: NDArray[np.int64]
    show: NDArray[np.int64]
    mask: NDArray[np.int64]
    cover: NDArray[np.uint64]


def reel_tables(game: GameDefinition, tables: LineTables, reels: Sequence[Sequence[str]]) -> ReelTables:
    """Windows of every stop: symbols shown, rows of each regular symbol, lines each symbol or a Wild covers."""
    stops = np.array([len(strip) for strip in reels], dtype=np.int64)
    longest, regular = int(stops.max()), tables.pays.regular
    count = len(game.symbols.all)
    show = np.zeros((len(reels), longest + int(tables.rows.max()) - 1), dtype=np.int64)
    mask = np.zeros((len(reels), longest, regular), dtype=np.int64)
    cover = np.zeros((len(reels), longest, regular + 1), dtype=np.uint64)
    for r, strip in enumerate(reels):
        rows, length = int(tables.rows[r]), len(strip)
        symbols = np.array([game.symbol_index[s] for s in strip], dtype=np.int64)
        show[r, : length + rows - 1] = symbols[np.arange(length + rows - 1) % length]
        seen = window_masks(symbols, rows, count)
        wild = seen[:, tables.pays.wild] if tables.pays.wild is not None else np.zeros(length, np.int64)
        mask[r, :length] = seen[:, :regular]
        cover[r, :length, :regular] = tables.mask_lines[r][seen[:, :regular] | wild[:, None]]
        cover[r, :length, regular] = tables.mask_lines[r][wild]
    return ReelTables(stops, show, mask, cover)


def window_masks(symbols: NDArray[np.int64], rows: int, count: int) -> NDArray[np.int64]:
    """(L, count): for each stop and symbol the rows, as bits, in which the window shows it."""
    length = symbols.shape[0]
    masks = np.zeros((length, count), dtype=np.int64)
    stop = np.arange(length)
    for row in range(rows):
        masks[stop, symbols[(stop + row) % length]] |= 1 << row
    return masks


def window_counts(
    game: GameDefinition, reels: Sequence[Sequence[str]], symbol: str, on: Sequence[int]
) -> list[NDArray[np.int64]]:
    """For each reel the number of cells that show ``symbol`` at each stop; zeros on reels not in ``on``."""
    counts = []
    for r, strip in enumerate(reels):
        shows = (
            np.array([s == symbol for s in strip], dtype=np.int64)
            if r in on
            else np.zeros(len(strip), np.int64)
        )
        around = np.cumsum(np.concatenate([[0], np.resize(shows, len(strip) + game.grid.rows[r])]))
        counts.append(around[game.grid.rows[r] :][: len(strip)] - around[: len(strip)])
    return counts
