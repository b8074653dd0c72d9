# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.features.board_law`. A board is a set of cells as bits; arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel


@kernel
def lines_of_boards(shift, cells):
    """counts[b, j]: lines whose first j + 1 cells are all held on board b, for all 2^cells boards."""
    lines, reels = shift.shape
    counts = np.zeros((1 << cells, reels), np.uint16)
    for b in range(1 << cells):
        for line in range(lines):
            for r in range(reels):
                if not (b >> shift[line, r]) & 1:
                    break
                counts[b, r] += 1
    return counts


@kernel
def add_final_lines(
    first, last, boards, states, kind, row_of, state_of, row_coins, row_step, ways, ends, entry_first, entry_coins,
    entry_weight, entry_side, cells, found,
):  # fmt: skip
    """Add to found[f, x, step, k] the law of the coins x of spin and final board, for starts first .. last - 1.

    ``kind[b]`` numbers the pairs (final coins, end state) of all boards: ``state_of[p]`` is the pair's state, ``row_of[p]``
    that of its coins and step, which are ``row_coins`` and ``row_step``. A start ends in state c with k Keys with
    ``ends[n, c, k]``, on each of ``ways[n, c]`` boards alike. Entries of start e, ``entry_first[e]:entry_first[e + 1]``,
    are the coins of the spin with their weight and side f.
    """
    keys, rows = ends.shape[2], row_coins.shape[0]
    count = np.zeros(row_of.shape[0], np.int64)
    seen = np.zeros(row_of.shape[0], np.int64)
    law = np.zeros((rows, keys))
    used_rows = np.zeros(rows, np.int64)
    is_used = np.zeros(rows, np.bool_)
    every = (1 << cells) - 1
    for e in range(first, last):
        board, n = np.int64(boards[e]), states[e]
        free = every & ~board
        more, used = 0, 0
        while True:
            p = kind[board | more]
            if count[p] == 0:
                seen[used] = p
                used += 1
            count[p] += 1
            more = (more - free) & free
            if more == 0:
                break
        n_rows = 0
        for i in range(used):
            p = seen[i]
            c, row = state_of[p], row_of[p]
            share = count[p] / ways[n, c]
            count[p] = 0
            if not is_used[row]:
                is_used[row] = True
                used_rows[n_rows] = row
                n_rows += 1
                law[row] = 0.0
            for k in range(keys):
                law[row, k] += share * ends[n, c, k]
        for i in range(entry_first[e], entry_first[e + 1]):
            weight, f = entry_weight[i], entry_side[i]
            for j in range(n_rows):
                row = used_rows[j]
                x, s = entry_coins[i] + row_coins[row], row_step[row]
                for k in range(keys):
                    found[f, x, s, k] += weight * law[row, k]
        for j in range(n_rows):
            is_used[used_rows[j]] = False
