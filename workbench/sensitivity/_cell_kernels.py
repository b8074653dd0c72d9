# mypy: disable-error-code=no-untyped-def
"""Kernel of :mod:`workbench.sensitivity.key_cells`: which open cells pairs of lines need, of many start boards."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel

ONE = np.uint64(1)


@kernel
def pairs_needed(boards, state, weight, shift, same, index, runs, states, size):
    """sums[n, A]: weight of the pairs of lines whose runs together need open cells of index A, begun in state n.

    ``weight[b, i, j]`` is that of board b and of runs ``runs[i]`` of one line and ``runs[j]`` of the other; ``same[one, two]``
    are the reels, as bits, on which two lines share their cell, ``index[m]`` the index of one open cell on each of the reels m.
    ``shift[l, r]`` is the place of line l's cell on reel r.
    """
    lines, reels = shift.shape
    count = runs.shape[0]
    sums = np.zeros((states, size))
    asks = np.zeros((lines, count), np.int64)
    for b in range(boards.shape[0]):
        into = sums[state[b]]
        for line in range(lines):
            bits = 0
            for r in range(reels):
                if (boards[b] >> shift[line, r]) & ONE == np.uint64(0):
                    bits |= 1 << r
            for i in range(count):
                asks[line, i] = bits & ((1 << runs[i]) - 1)
        for i in range(count):
            for j in range(count):
                w = weight[b, i, j]
                if w == 0.0:
                    continue
                low = (1 << runs[i]) - 1
                for one in range(lines):
                    mine = index[asks[one, i]]
                    for two in range(lines):
                        into[mine + index[asks[two, j] & ~(same[one, two] & low)]] += w
    return sums
