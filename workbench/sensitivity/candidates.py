"""The windows that swaps on a reel bring and take away.

Whatever is a sum over the windows of one reel, the other reels being fixed, changes by its sum over the windows that show
the swapped stop, new less old. Equal windows are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.game.definition import GameDefinition
from workbench.sensitivity.changes import Swap

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Candidates:
    """The different windows of one reel: those of the strip, and those of its swaps.

    shown
        (W, rows): symbols from the top; rows beyond the reel's are -1.
    own
        (stops,): the window at each stop of the strip.
    old, new
        (swaps, A): the windows that a swap takes away and brings.
    """

    shown: Ints
    own: Ints
    old: Ints
    new: Ints

    def count(self, symbol: int) -> Ints:
        """(W,): how often each window shows a symbol."""
        return np.asarray((self.shown == symbol).sum(axis=1), dtype=np.int64)

    def changes(self, of_windows: NDArray[np.float64]) -> NDArray[np.float64]:
        """(swaps, ...): what each swap does to the sum over the windows of a value (W, ...) of each."""
        found: NDArray[np.float64] = of_windows[self.new].sum(axis=1) - of_windows[self.old].sum(axis=1)
        return found

    def moves(self) -> Any:
        """(swaps + 1, W), sparse: windows that each swap brings less those it takes; at last the strip's own windows."""
        from scipy.sparse import csr_array

        swaps, width = self.new.shape
        rows = np.repeat(np.arange(swaps), width)
        last = np.full(len(self.own), swaps)
        ones = np.ones(swaps * width)
        values = np.concatenate([ones, -ones, np.ones(len(self.own))])
        places = np.concatenate([self.new.ravel(), self.old.ravel(), self.own])
        shape = (swaps + 1, len(self.shown))
        return csr_array((values, (np.concatenate([rows, rows, last]), places)), shape=shape)


def candidates(game: GameDefinition, strip: Sequence[str], reel: int, swaps: Sequence[Swap]) -> Candidates:
    """The windows of a strip of reel ``reel`` and of swaps on it."""
    rows, most, index = game.grid.rows[reel], max(game.grid.rows), game.symbol_index
    symbols = [index[s] for s in strip]
    length = len(symbols)
    known: dict[tuple[int, ...], int] = {}

    def window(stop: int, swapped: int, symbol: int) -> int:
        places = [(stop + y) % length for y in range(rows)]
        return known.setdefault(tuple(symbol if p == swapped else symbols[p] for p in places), len(known))

    own = [window(stop, -1, 0) for stop in range(length)]
    old, new = [], []
    for swap in swaps:
        seen_from = sorted({(swap.stop - y) % length for y in range(rows)})
        old.append([own[stop] for stop in seen_from])
        new.append([window(stop, swap.stop, index[swap.symbol]) for stop in seen_from])
    shown = np.full((len(known), most), -1, dtype=np.int64)
    shown[:, :rows] = np.array(list(known), dtype=np.int64)
    width = min(rows, length)
    return Candidates(
        shown,
        np.array(own, dtype=np.int64),
        np.array(old, dtype=np.int64).reshape(len(swaps), width),
        np.array(new, dtype=np.int64).reshape(len(swaps), width),
    )
