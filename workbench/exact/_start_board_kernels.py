# mypy: disable-error-code=no-untyped-def
"""Kernels of a hold-and-spin's start boards: prefixes of the first reels, extended over the later ones.

Shapes as in :mod:`workbench.exact._spin_kernels`, prefixes as :mod:`workbench.exact._trigger_kernels` leaves them.
"""

from __future__ import annotations

import numpy as np

from workbench.exact._spin_kernels import ZERO, cells_on_lines, later_scatters
from workbench.exact._table_kernels import add, clear, new_table
from workbench.jit import inline, kernel, melted


@inline
def _window_classes(s, stops, cover, mask, scatters, first):
    """Stops of each reel from ``first`` on that look alike to symbol s: representative stop and count."""
    reels = stops.shape[0]
    longest = cover.shape[1]
    stop_of = np.zeros((reels, longest), np.int64)
    count = np.zeros((reels, longest), np.int64)
    classes = np.zeros(reels, np.int64)
    for r in range(first, reels):
        for i in range(stops[r]):
            found = -1
            for c in range(classes[r]):
                j = stop_of[r, c]
                if (
                    cover[r, j, s] == cover[r, i, s]
                    and mask[r, j, s] == mask[r, i, s]
                    and scatters[r, j] == scatters[r, i]
                ):
                    found = c
                    break
            if found < 0:
                found = classes[r]
                stop_of[r, found] = i
                classes[r] += 1
            count[r, found] += 1
    return stop_of, count, classes


@melted
def _add_ended(table, board, seen, ways, tail):
    """Add a board whose lines have all ended, by the scatters that the reels to come may show."""
    most = tail.shape[0] - 1
    for k in range(most + 1):
        if tail[k] and not add(table, ZERO, board, min(seen + k, most), ways * tail[k]):
            return False
    return True


@melted
def _extensions(
    lines, s, need, stop_of, count, classes, cover, mask, scatters, row_lines, rows, offsets, depth, tails,
    most_later, live, board, number, dead, table,
):  # fmt: skip
    """All that the reels from ``depth`` on add to a prefix with these live lines of s: (cells, scatters) in ``table``.

    What shows fewer than ``need`` scatters may be left out. ``number[0..2]`` is [reel] class, ways and scatters; the
    arrays are scratch. False if the table is full.
    """
    reels, base = classes.shape[0], tails.shape[1]
    at, ways, seen = number[0], number[1], number[2]
    live[depth], board[depth], ways[depth], seen[depth] = lines, ZERO, 1, 0
    if depth == reels or lines == ZERO:
        return _add_ended(table, ZERO, 0, 1, tails[depth])
    r = depth
    at[r] = 0
    dead[r] = 0
    while r >= depth:
        if at[r] == classes[r]:
            for k in range(base):
                if dead[r, k] and not _add_ended(table, board[r], k, dead[r, k], tails[r + 1]):
                    return False
            r -= 1
            continue
        i, n = stop_of[r, at[r]], count[r, at[r]]
        at[r] += 1
        total = min(seen[r] + scatters[r, i], base - 1)
        if total + most_later[r + 1] < need:
            continue
        alive = live[r] & cover[r, i, s]
        if alive == ZERO:
            dead[r, total] += ways[r] * n
            continue
        cells = board[r] | cells_on_lines(alive, mask[r, i, s], row_lines, r, rows[r], offsets[r])
        if r + 1 == reels:
            if not add(table, ZERO, cells, total, ways[r] * n):
                return False
            continue
        r += 1
        live[r], board[r], seen[r], ways[r] = alive, cells, total, ways[r - 1] * n
        at[r] = 0
        dead[r] = 0
    return True


@inline
def _prefix_order(prefixes, base, symbols):
    """Places of the prefixes by symbol and, within it, by live lines, with the first one of each symbol."""
    keys, tags, _, _, slots, count = prefixes
    first = np.zeros(symbols + 1, np.int64)
    order = np.zeros(count[0], np.int64)
    for i in range(count[0]):
        first[tags[slots[i]] // base + 1] += 1
    for s in range(symbols):
        first[s + 1] += first[s]
    fill = first.copy()
    for i in range(count[0]):
        s = tags[slots[i]] // base
        order[fill[s]] = slots[i]
        fill[s] += 1
    for s in range(symbols):
        mine = order[first[s] : first[s + 1]].copy()
        lines = np.zeros(mine.shape[0], np.uint64)
        for i in range(mine.shape[0]):
            lines[i] = keys[mine[i], 0]
        by_lines = np.argsort(lines)
        for i in range(mine.shape[0]):
            order[first[s] + i] = mine[by_lines[i]]
    return order, first


@kernel
def trigger_boards(
    prefixes, boards, stops, cover, mask, scatters, row_lines, rows, offsets, least, depth, need, most_scatters,
):  # fmt: skip
    """Extend every prefix class over the later reels, by window classes, into ``boards``; False if that is full.

    Prefixes of one symbol with the same live lines are extended together.
    """
    reels, symbols = stops.shape[0], least.shape[0]
    keys, tags, _, weights, _, _ = prefixes
    base = most_scatters + 1
    tails = np.zeros((reels + 1, base), np.int64)
    most_later = np.zeros(reels + 1, np.int64)
    for r in range(reels + 1):
        tails[r] = later_scatters(stops, scatters, r, most_scatters)
        for k in range(base):
            if tails[r, k]:
                most_later[r] = k
    order, first = _prefix_order(prefixes, base, symbols)
    live, board = np.zeros(reels + 1, np.uint64), np.zeros(reels + 1, np.uint64)
    number = np.zeros((3, reels + 1), np.int64)
    dead = np.zeros((reels + 1, base), np.int64)
    table = new_table(boards[2].shape[0])
    for s in range(symbols):
        if first[s] == first[s + 1]:
            continue
        stop_of, count, classes = _window_classes(s, stops, cover, mask, scatters, depth)
        begin = first[s]
        while begin < first[s + 1]:
            lines = keys[order[begin], 0]
            end, most_seen = begin, 0
            while end < first[s + 1] and keys[order[end], 0] == lines:
                most_seen = max(most_seen, tags[order[end]] % base)
                end += 1
            clear(table)
            if not _extensions(
                lines, s, need - most_seen, stop_of, count, classes, cover, mask, scatters, row_lines, rows,
                offsets, depth, tails, most_later, live, board, number, dead, table,
            ):  # fmt: skip
                return False
            for entry in range(begin, end):
                place = order[entry]
                seen = tags[place] % base
                for i in range(table[5][0]):
                    more = table[4][i]
                    total = min(seen + table[1][more], most_scatters)
                    if total >= need and not add(
                        boards, ZERO, keys[place, 1] | table[0][more, 1], s * base + total,
                        weights[place] * table[3][more],
                    ):  # fmt: skip
                        return False
            begin = end
    return True
