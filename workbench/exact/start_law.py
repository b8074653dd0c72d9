"""The start of a hold-and-spin, jointly with the coins its own spin won on lines.

:func:`~workbench.exact.spin.trigger_law` tells who is collected on which board; the law of a whole round also wants what
the triggering spin paid, for the two depend on each other. The first D reels are played stop by stop, the later ones by
classes of windows that look alike to the lines still open; a spin none of whose lines is open any more waits only for the
scatters of the later reels. All results are integer counts of stop combinations out of the cycle.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.exact._start_kernels import start_law as start_kernel
from workbench.exact.line_law import LineLaw
from workbench.exact.spin import SpinWindows
from workbench.exact.weighted_lines import shown_symbols
from workbench.game.features import Trigger

Ints = NDArray[np.int64]
THREADS = 2
FIRST_SIZE = 1 << 16


@dataclass(frozen=True)
class StartLaw:
    """Law of (collectable, start board, scatters, line coins) over the spins that trigger a hold-and-spin.

    Entry e: symbol index, board as bits (as in :class:`~workbench.exact.spin.TriggerLaw`), scatters (cut at the most that
    was asked for), coins and the number of stop combinations; ordered by symbol and board.
    """

    symbol: Ints
    board: NDArray[np.uint64]
    scatters: Ints
    coins: Ints
    weight: Ints
    cycle: int

    def starts(self) -> tuple[Ints, NDArray[np.uint64], Ints]:
        """The different (symbol, board), and the place of each entry's among them."""
        change = np.ones(len(self.symbol), dtype=np.bool_)
        change[1:] = (np.diff(self.symbol) != 0) | (self.board[1:] != self.board[:-1])
        return self.symbol[change], self.board[change], np.cumsum(change) - 1


def settled_states(law: LineLaw) -> Ints:
    """(Q,): the last state all continuations of a line end in, -1 where they differ."""
    found = np.arange(law.states, dtype=np.int64)
    for q in range(law.first[-2] - 1, -1, -1):
        ends = found[law.step[q]]
        found[q] = ends[0] if (ends == ends[0]).all() else -1
    return found


def start_law(
    windows: SpinWindows, scatters: Ints, trigger: Trigger, most: int, last_resort: bool
) -> StartLaw:
    """The law of a hold-and-spin's start and of the line coins; arguments as of ``trigger_law``."""
    t = windows.model.tables
    shown, stops = shown_symbols(windows.model.game, windows.reels)
    wild = np.zeros(t.law.step.shape[1], dtype=np.bool_)
    if t.pays.wild is not None:
        wild[t.pays.wild] = True
    settled = settled_states(t.law)

    def played(first: int, last: int) -> tuple[Ints, ...]:
        size = FIRST_SIZE
        while True:
            table, fits = start_kernel(
                stops, shown, scatters, wild, t.line_rows, t.offsets, t.law.step, settled, t.award_coins,
                t.award_symbol, t.award_length, t.award_wild_only, t.depth, trigger.least, most, last_resort,
                t.pays.regular, first, last, size,
            )  # fmt: skip
            if fits:
                keys, tags, _, weights, slots, count = table
                used = slots[: count[0]]
                return keys[used, 0], keys[used, 1], tags[used], weights[used]
            size *= 4

    bounds = np.linspace(0, int(stops[0]), THREADS + 1).astype(int)
    with ThreadPoolExecutor(THREADS) as pool:
        parts = list(pool.map(played, bounds[:-1], bounds[1:]))
    coins, board, tag, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _ordered(coins, board, tag, weight, most + 1, windows.cycle)


def _ordered(
    coins: NDArray[np.uint64], board: NDArray[np.uint64], tag: Ints, weight: Ints, base: int, cycle: int
) -> StartLaw:
    """Entries by symbol, board, scatters and coins, equal ones added up."""
    order = np.lexsort((coins, tag % base, board, tag // base))
    coins, board, tag, weight = coins[order], board[order], tag[order], weight[order]
    change = np.ones(len(tag), dtype=np.bool_)
    change[1:] = (np.diff(tag) != 0) | (board[1:] != board[:-1]) | (coins[1:] != coins[:-1])
    total = np.add.reduceat(weight, np.flatnonzero(change)) if len(weight) else weight
    return StartLaw(
        tag[change] // base, board[change], tag[change] % base, coins[change].astype(np.int64), total, cycle
    )
