"""Wins of any line, window by window of one reel: stop combinations of the other reels that pay a line."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from workbench.exact._spin_kernels import spin_counts
from workbench.exact.spin import SpinWindows
from workbench.sensitivity.candidates import Candidates

Ints = NDArray[np.int64]
THREADS = 2


def hit_windows(windows: SpinWindows, reel: int, candidates: Candidates, pool: ThreadPoolExecutor) -> Ints:
    """(W,): stop combinations of the other reels that pay a line with each window of a reel; 0 where it never matters.

    It never matters on reels behind those that decide all lines (:mod:`workbench.exact.spin`), if no run of Wilds is left.
    """
    t = windows.model.tables
    shown = candidates.shown
    if reel >= t.depth and t.least_wild <= t.depth:
        return np.zeros(len(shown), dtype=np.int64)
    rows, regular = int(t.rows[reel]), t.pays.regular
    masks = np.zeros((len(shown), len(windows.model.game.symbols.all)), dtype=np.int64)
    for row in range(rows):
        masks[np.arange(len(shown)), shown[:, row]] |= 1 << row
    wild = masks[:, t.pays.wild] if t.pays.wild is not None else np.zeros(len(shown), np.int64)
    lines = t.mask_lines[reel]
    cover = np.concatenate([lines[masks[:, :regular] | wild[:, None]], lines[wild][:, None]], axis=1)
    none = np.zeros(windows.arrays.mask.shape[:2], dtype=np.int64)

    def part(some: Ints) -> Ints:
        a = windows.arrays
        stops, covers, show = a.stops.copy(), a.cover.copy(), a.show.copy()
        stops[reel] = 1
        found = np.zeros(len(some), dtype=np.int64)
        for i, w in enumerate(some.tolist()):
            covers[reel, 0] = cover[w]
            show[reel, :rows] = shown[w, :rows]
            counts = spin_counts(
                stops, covers, none, show, t.line_rows, t.law.step, t.award_coins, t.wild_state, t.least,
                t.least_wild, t.depth, 0,
            )  # fmt: skip
            found[i] = counts[1].sum()
        return found

    return np.concatenate(list(pool.map(part, np.array_split(np.arange(len(shown)), THREADS))))
