# mypy: disable-error-code=no-untyped-def
"""Kernels of the joint law of one spin. Arrays in, arrays out; :mod:`workbench.exact.spin` validates.

Shapes. R reels, S regular symbols and one more, index S, for the Wild; L the longest strip; reels shorter than L
are padded and ``stops[r]`` is the true length. ``cover[r, i, s]`` is the bit set (uint64) of lines whose cell
on reel r shows s or a Wild when reel r stands at stop i (index S: shows a Wild); ``mask[r, i, s]`` the
rows (bits) where the window shows s itself; ``scatters[r, i]`` the scatters in the window.
A line bit set has one word, so at most 64 lines. Counts are int64: the cycle must be below 2^62.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import inline, kernel, melted

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ZERO = np.uint64(0)
ONE = np.uint64(1)


@inline
def advance(live, depth, cover, reel, stop, symbols):
    """live[depth + 1, s] = live[depth, s] & cover[reel, stop, s]."""
    for s in range(symbols + 1):
        live[depth + 1, s] = live[depth, s] & cover[reel, stop, s]


@inline
def _prefix_wins(live, depth, least, least_wild, symbols):
    """Whether a line is won for certain by the first ``depth`` reels."""
    for d in range(1, depth + 1):
        if d >= least_wild and live[d, symbols] != ZERO:
            return True
        for s in range(symbols):
            if d >= least[s] and (live[d, s] & ~live[d, symbols]) != ZERO:
                return True
    return False


@inline
def _any_line_wins(prefix_lines, state_start, stop, depth, reels, lines, line_rows, show, step, pays):
    """Whether a line of ``prefix_lines`` (all Wild so far) is paid when the later reels stand at ``stop``."""
    for line in range(lines):
        if (prefix_lines >> np.uint64(line)) & ONE:
            q = state_start
            for r in range(depth, reels):
                q = step[q, show[r, stop[r] + line_rows[line, r]]]
            if pays[q] > 0:
                return True
    return False


@inline
def next_stop(stop, stops, first, last):
    """Advance the odometer over reels first..last-1; False when it has come round."""
    r = last - 1
    while r >= first:
        stop[r] += 1
        if stop[r] < stops[r]:
            return True
        stop[r] = 0
        r -= 1
    return False


@melted
def cells_on_lines(lines, window_mask, row_lines, reel, rows, offset):
    """Board bits of the cells of reel ``reel`` that show the symbol and lie on one of the lines."""
    cells = ZERO
    for row in range(rows):
        if (window_mask >> row) & 1 and (lines & row_lines[reel, row]) != ZERO:
            cells |= ONE << np.uint64(offset + row)
    return cells


@kernel
def spin_counts(
    stops, cover, scatters, show, line_rows, step, coins, wild_state, least, least_wild, depth, most_scatters
):
    """counts[h, k]: stop combinations with (h = 1) or without a paid line and k scatters, k cut at the last column.

    ``depth`` is the number of reels after which a win not made of Wilds alone is certain;
    ``show[r, j]`` the symbol at stop j of reel r, padded cyclically by rows - 1 stops.
    """
    reels, symbols = stops.shape[0], least.shape[0]
    lines = line_rows.shape[0]
    counts = np.zeros((2, most_scatters + 1), np.int64)
    decided = np.zeros((2, most_scatters + 1), np.int64)
    live = np.zeros((reels + 1, symbols + 1), np.uint64)
    live[0, :] = ALL
    stop = np.zeros(reels, np.int64)
    alive = np.zeros(symbols + 1, np.int64)
    last = depth - 1
    while True:
        seen = 0
        for d in range(last):
            advance(live, d, cover, d, stop[d], symbols)
            seen += scatters[d, stop[d]]
        early = _prefix_wins(live, last, least, least_wild, symbols)
        n_alive = 0
        for s in range(symbols + 1):
            if live[last, s] != ZERO:
                alive[n_alive] = s
                n_alive += 1
        for i in range(stops[last]):
            k = min(seen + scatters[last, i], most_scatters)
            won = early
            wild_lines = live[last, symbols] & cover[last, i, symbols]
            if not won:
                if depth >= least_wild and wild_lines != ZERO:
                    won = True
                else:
                    for a in range(n_alive):
                        s = alive[a]
                        if (
                            s < symbols
                            and depth >= least[s]
                            and (live[last, s] & cover[last, i, s] & ~wild_lines) != ZERO
                        ):
                            won = True
                            break
            if won or wild_lines == ZERO or depth == reels:
                decided[1 if won else 0, k] += 1
            else:
                stop[last] = i
                for r in range(depth, reels):
                    stop[r] = 0
                while True:
                    total = k
                    for r in range(depth, reels):
                        total += scatters[r, stop[r]]
                    hit = 0
                    if _any_line_wins(
                        wild_lines, wild_state[depth], stop, depth, reels, lines, line_rows, show, step, coins
                    ):
                        hit = 1
                    counts[hit, min(total, most_scatters)] += 1
                    if not next_stop(stop, stops, depth, reels):
                        break
        if not next_stop(stop, stops, 0, last):
            break
    later = later_scatters(stops, scatters, depth, most_scatters)
    for k in range(most_scatters + 1):
        for j in range(most_scatters + 1):
            for hit in range(2):
                counts[hit, min(k + j, most_scatters)] += decided[hit, k] * later[j]
    return counts


@inline
def later_scatters(stops, scatters, first, most):
    """ways[k]: stop combinations of reels first.. that show k scatters, k cut at ``most``."""
    ways = np.zeros(most + 1, np.int64)
    ways[0] = 1
    for r in range(first, stops.shape[0]):
        after = np.zeros(most + 1, np.int64)
        for k in range(most + 1):
            if ways[k]:
                for i in range(stops[r]):
                    after[min(k + scatters[r, i], most)] += ways[k]
        ways = after
    return ways
