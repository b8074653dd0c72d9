# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.features.hold_and_spin`: final lines from start boards. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel


@kernel
def line_coins_by_counts(boards, symbols, states, stride, offsets, line_rows, steps_up, filled):
    """Expected final line coins of each start board, where a group's new cells are a uniform choice.

    boards (E,) uint64 cell bits; symbols (E,) the collectable; ``steps_up[s, j]`` = pay of a run of j + 1 less
    pay of a run of j; ``states[e]`` the chain's state of board e and ``filled[n, A]`` = P(given open cells are
    held at the end), begun in state n; A is the sum of ``stride[r]`` over the reels r of these cells, one on each.
    """
    reels, lines = offsets.shape[0], line_rows.shape[0]
    coins = np.zeros(boards.shape[0])
    first = np.full(steps_up.shape[0], reels, np.int64)
    for s in range(steps_up.shape[0]):
        for r in range(reels - 1, -1, -1):
            if steps_up[s, r] != 0.0:
                first[s] = r
    shifts = np.zeros((lines, reels), np.uint64)
    for line in range(lines):
        for r in range(reels):
            shifts[line, r] = np.uint64(offsets[r] + line_rows[line, r])
    for e in range(boards.shape[0]):
        board, s = boards[e], symbols[e]
        chance = filled[states[e]]
        total = 0.0
        for line in range(lines):
            needs = 0
            for r in range(reels):
                needs += int(~(board >> shifts[line, r]) & np.uint64(1)) * stride[r]
                if r >= first[s]:
                    total += steps_up[s, r] * chance[needs]
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
