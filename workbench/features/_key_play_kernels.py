# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.features.key_plays`: final boards and Free Spins drawn one by one."""

from __future__ import annotations

import numpy as np

from workbench.jit import inline, kernel


@inline
def _place(rng, cumulated):
    """An index drawn with these chances, given added up; their last entry is the whole."""
    u = rng.random() * cumulated[-1]
    low, high = 0, cumulated.shape[0] - 1
    while low < high:
        middle = (low + high) // 2
        if u < cumulated[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def draw_ends(rng, states, ends, found):
    """found[i]: the end drawn for start state ``states[i]``, ``ends[n]`` being its chances added up."""
    for i in range(states.shape[0]):
        found[i] = _place(rng, ends[states[i]])


@kernel
def draw_boards(rng, boards, symbols, gained, group_cells, shift, steps_up, coins):
    """coins[i]: final line coins of start ``boards[i]`` and ``symbols[i]`` once ``gained[i, g]`` open cells of each group are
    drawn; ``group_cells[g]`` are the cells of a group as bits, ``steps_up`` as in ``line_coins_by_counts``."""
    lines, reels = shift.shape
    cells = np.zeros(64, np.int64)
    for i in range(boards.shape[0]):
        board = boards[i]
        for g in range(gained.shape[1]):
            count = 0
            for cell in range(64):
                bit = np.uint64(1) << np.uint64(cell)
                if group_cells[g] & bit and not boards[i] & bit:
                    cells[count] = cell
                    count += 1
            for j in range(gained[i, g]):
                other = j + int(rng.random() * (count - j))
                cells[j], cells[other] = cells[other], cells[j]
                board |= np.uint64(1) << np.uint64(cells[j])
        for line in range(lines):
            for r in range(reels):
                if not (board >> shift[line, r]) & np.uint64(1):
                    break
                coins[i] += steps_up[symbols[i], r]


@kernel
def draw_free_spins(
    rng, spins, collectable, stops, shown, meter, keys, scatters, line_rows, step, settled, pay, found
):
    """found[i] = (line coins, meter, Keys) of Free Spins of ``spins[i]`` spins with collectable ``collectable[i]``.

    ``shown[c, r, i, y]`` are the windows, ``meter``, ``keys`` and ``scatters`` [c, r, i] what each adds, ``settled`` as in
    ``start_law``.
    """
    lines, reels = line_rows.shape
    stop = np.zeros(reels, np.int64)
    for i in range(spins.shape[0]):
        left, c = spins[i], collectable[i]
        while left > 0:
            left -= 1
            for r in range(reels):
                stop[r] = int(rng.random() * stops[c, r])
                left += scatters[c, r, stop[r]]
                found[i, 1] += meter[c, r, stop[r]]
                found[i, 2] += keys[c, r, stop[r]]
            for line in range(lines):
                q = 0
                for r in range(reels):
                    q = step[q, shown[c, r, stop[r], line_rows[line, r]]]
                    if settled[q] >= 0:
                        q = settled[q]
                        break
                found[i, 0] += pay[q]
