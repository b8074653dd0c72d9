# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.features.board_moments`: which open cells lines need. Arrays in, arrays out.

A line's first j + 1 cells need, of each group of reels, some cells that are open on the start board; numbers of cells by
group are one index, the sum of ``stride[g]`` over the cells. ``shift[l, r]`` is the place of line l's cell on reel r.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel


@kernel
def runs_needed(boards, shift, group_stride, runs, size):
    """counts[b, j, A]: lines whose first ``runs[j]`` cells need open cells of index A on board b.

    ``group_stride[r]`` is the stride of reel r's group.
    """
    lines, reels = shift.shape
    counts = np.zeros((boards.shape[0], runs.shape[0], size))
    for b in range(boards.shape[0]):
        for line in range(lines):
            index, j = 0, 0
            for r in range(reels):
                if (boards[b] >> shift[line, r]) & np.uint64(1) == np.uint64(0):
                    index += group_stride[r]
                if j < runs.shape[0] and runs[j] == r + 1:
                    counts[b, j, index] += 1.0
                    j += 1
    return counts


@kernel
def pairs_held(boards, state, shift, line_rows, group_stride, runs, filled):
    """products[b, i, j]: sum over pairs of lines of P(runs[i] cells of one and runs[j] of the other are held at the end).

    ``filled[n, A]`` = P(given open cells of index A are held at the end), begun in state n; ``state[b]`` is board b's. A
    cell that both lines need counts once.
    """
    lines, reels = shift.shape
    count = runs.shape[0]
    products = np.zeros((boards.shape[0], count, count))
    needs = np.zeros((lines, reels + 1), np.int64)
    both = np.zeros(reels + 1, np.int64)
    for b in range(boards.shape[0]):
        chance = filled[state[b]]
        for line in range(lines):
            for r in range(reels):
                is_open = (boards[b] >> shift[line, r]) & np.uint64(1) == np.uint64(0)
                needs[line, r + 1] = needs[line, r] + (group_stride[r] if is_open else 0)
        for one in range(lines):
            for two in range(one + 1):
                for r in range(reels):
                    more = needs[two, r + 1] - needs[two, r]
                    if line_rows[one, r] != line_rows[two, r]:
                        more += needs[one, r + 1] - needs[one, r]
                    both[r + 1] = both[r] + more
                weight = 1.0 if one == two else 2.0
                for i in range(count):
                    for j in range(count):
                        p, q = runs[i], runs[j]
                        index = both[min(p, q)] + needs[one, p] - needs[one, min(p, q)]
                        index += needs[two, q] - needs[two, min(p, q)]
                        products[b, i, j] += weight * chance[index]
        for i in range(count):
            for j in range(i):
                mean = (products[b, i, j] + products[b, j, i]) / 2
                products[b, i, j] = mean
                products[b, j, i] = mean
    return products
