# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.features.hold_and_spin`: final lines from start boards. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel


@kernel
def line_coins_by_counts(boards, symbols, rows, offsets, line_rows, steps_up, open_moments, strides):
    """Expected final line coins of each start board, where a reel's new cells are a uniform choice.

    boards (E,) uint64 cell bits; symbols (E,) the collectable; ``steps_up[s, j]`` = pay of a run of j + 1 less
    pay of a run of j; ``open_moments[n, B]`` = E[product over reels r in B of the open cells at the end], begun
    in state n (held cells per reel, ``strides``).
    """
    reels = rows.shape[0]
    subsets = open_moments.shape[1]
    coins = np.zeros(boards.shape[0])
    filled = np.zeros(subsets)
    held = np.zeros(reels, np.int64)
    for e in range(boards.shape[0]):
        state = 0
        for r in range(reels):
            cells = (boards[e] >> np.uint64(offsets[r])) & np.uint64((1 << rows[r]) - 1)
            n = 0
            while cells:
                cells &= cells - np.uint64(1)
                n += 1
            held[r] = n
            state += n * strides[r]
        # filled[A] = P(one given open cell on each reel of A is held at the end), by inclusion and exclusion
        for subset in range(subsets):
            f = open_moments[state, subset]
            for r in range(reels):
                if (subset >> r) & 1:
                    if rows[r] > held[r]:
                        f /= -(rows[r] - held[r])
                    else:
                        f = 0.0
            filled[subset] = f
        for r in range(reels):
            for subset in range(subsets):
                if (subset >> r) & 1:
                    filled[subset] += filled[subset ^ (1 << r)]
        total = 0.0
        for line in range(line_rows.shape[0]):
            needs = 0
            for r in range(reels):
                if not (boards[e] >> np.uint64(offsets[r] + line_rows[line, r])) & np.uint64(1):
                    needs |= 1 << r
                total += steps_up[symbols[e], r] * filled[needs]
        coins[e] = total
    return coins


@kernel
def lines_held(masks, line_rows):
    """counts[n, j]: lines whose first j + 1 cells are all held, for each tuple of row masks (N, R)."""
    states, reels = masks.shape
    counts = np.zeros((states, reels))
    for n in range(states):
        for line in range(line_rows.shape[0]):
            for r in range(reels):
                if not (masks[n, r] >> line_rows[line, r]) & 1:
                    break
                counts[n, r] += 1.0
    return counts
