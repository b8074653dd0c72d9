# mypy: disable-error-code=no-untyped-def
"""Kernels of the law of a hold-and-spin's start: who is collected, on which board, with how many scatters.

Shapes as in :mod:`workbench.exact._spin_kernels`. A board is a set of cells as bits. Laws are kept in the tables of
:mod:`workbench.exact._table_kernels`.
"""

from __future__ import annotations

import numpy as np

from workbench.exact._spin_kernels import ALL, ONE, ZERO, advance, cells_on_lines, later_scatters, next_stop
from workbench.exact._table_kernels import add, new_table
from workbench.jit import inline, kernel


@inline
def _highest_winner(live, depth, least, symbols, contested):
    """The highest symbol that surely won a line not in ``contested``, or ``symbols``."""
    for s in range(symbols):
        for d in range(least[s], depth + 1):
            if (live[d, s] & ~live[d, symbols] & ~contested) != ZERO:
                return s
    return symbols


@inline
def _prefix_cells(s, live, depth, stop, mask, row_lines, rows, offsets, least, contested):
    """Cells of symbol s on the first ``depth`` reels in the runs of the lines it won there."""
    cells = ZERO
    if least[s] > depth:
        return cells
    for r in range(depth):
        lines = live[max(least[s], r + 1), s] & ~contested
        cells |= cells_on_lines(lines, mask[r, stop[r], s], row_lines, r, rows[r], offsets[r])
    return cells


@inline
def _contested_classes(r, lines, stops, show, line_rows, live, cover, mask, scatters, s, out_stop, out_ways):
    """Merge the stops of reel r that show the contested ``lines`` the same and look alike to symbol s.

    Two stops are alike when every cell on a contested line, the cells of s, the lines of s that live on
    and the scatters are; returns the number of classes.
    """
    rows_seen = 0
    for line in range(line_rows.shape[0]):
        if (lines >> np.uint64(line)) & ONE:
            rows_seen |= 1 << line_rows[line, r]
    classes = 0
    for i in range(stops[r]):
        found = -1
        for c in range(classes):
            j = out_stop[r, c]
            same = scatters[r, i] == scatters[r, j]
            if same and s < mask.shape[2]:
                same = mask[r, i, s] == mask[r, j, s] and (cover[r, i, s] & live) == (cover[r, j, s] & live)
            row = 0
            while same and (rows_seen >> row) != 0:
                if (rows_seen >> row) & 1 and show[r, i + row] != show[r, j + row]:
                    same = False
                row += 1
            if same:
                found = c
                break
        if found < 0:
            found = classes
            out_stop[r, found] = i
            out_ways[r, found] = 0
            classes += 1
        out_ways[r, found] += 1
    return classes


@inline
def _contested_board(
    contested, prefix_state, depth, stop, live_s, s, mask, show, step, award_symbol, award_length,
    award_wild_only, line_rows, row_lines, rows, offsets, cells, cover, last_resort,
):  # fmt: skip
    """(collectable, board) of one full spin whose lines ``contested`` begin with Wilds.

    s is the highest symbol that won another line (or S), ``cells`` its cells on the first ``depth`` reels and
    ``live_s`` its live lines there.
    """
    reels, lines = stop.shape[0], line_rows.shape[0]
    symbols = mask.shape[2]
    winner, by_wilds = s, symbols
    for line in range(lines):
        if (contested >> np.uint64(line)) & ONE:
            q = prefix_state[line]
            for r in range(depth, reels):
                q = step[q, show[r, stop[r] + line_rows[line, r]]]
            if award_symbol[q] >= 0:
                if award_wild_only[q] and last_resort:
                    by_wilds = min(by_wilds, award_symbol[q])
                else:
                    winner = min(winner, award_symbol[q])
    if winner == symbols:
        return by_wilds, ZERO
    board = ZERO
    if winner == s:
        board = cells
        for r in range(depth, reels):
            live_s &= cover[r, stop[r], s]
            board |= cells_on_lines(live_s, mask[r, stop[r], s], row_lines, r, rows[r], offsets[r])
    for line in range(lines):
        if (contested >> np.uint64(line)) & ONE:
            q = prefix_state[line]
            for r in range(depth, reels):
                q = step[q, show[r, stop[r] + line_rows[line, r]]]
            if award_symbol[q] == winner:
                for r in range(award_length[q]):
                    row = line_rows[line, r]
                    if (mask[r, stop[r], winner] >> row) & 1:
                        board |= ONE << np.uint64(offsets[r] + row)
    return winner, board


@inline
def _add_contested(
    boards, contested, seen, need, most_scatters, live, stop, stops, cover, mask, scatters, show, line_rows,
    row_lines, rows, offsets, step, award_symbol, award_length, award_wild_only, least, depth, last_resort,
    prefix_state, class_stop, class_ways, classes, at,
):  # fmt: skip
    """Play out the later reels of a prefix with contested lines, class by class; False if ``boards`` is full.

    ``seen`` is the prefix's scatters; the last five arrays are scratch.
    """
    reels, symbols, lines = stops.shape[0], least.shape[0], line_rows.shape[0]
    for line in range(lines):
        q = 0
        for r in range(depth):
            q = step[q, show[r, stop[r] + line_rows[line, r]]]
        prefix_state[line] = q
    s = _highest_winner(live, depth, least, symbols, contested)
    live_s, cells = ZERO, ZERO
    if s < symbols:
        live_s = live[depth, s] & ~contested
        cells = _prefix_cells(s, live, depth, stop, mask, row_lines, rows, offsets, least, contested)
    for r in range(depth, reels):
        classes[r] = _contested_classes(
            r, contested, stops, show, line_rows, live_s, cover, mask, scatters, s, class_stop, class_ways
        )
        at[r] = 0
    while True:
        total, ways = seen, 1
        for r in range(depth, reels):
            stop[r] = class_stop[r, at[r]]
            ways *= class_ways[r, at[r]]
            total += scatters[r, stop[r]]
        if total >= need:
            winner, board = _contested_board(
                contested, prefix_state, depth, stop, live_s, s, mask, show, step, award_symbol,
                award_length, award_wild_only, line_rows, row_lines, rows, offsets, cells, cover,
                last_resort,
            )  # fmt: skip
            tag = winner * (most_scatters + 1) + min(total, most_scatters)
            if winner < symbols and not add(boards, ZERO, board, tag, ways):
                return False
        if not next_stop(at, classes, depth, reels):
            return True


@kernel
def trigger_prefixes(
    stops, cover, mask, scatters, show, line_rows, row_lines, rows, offsets, step, award_symbol, award_length,
    award_wild_only, least, least_wild, depth, wild_depth, need, most_scatters, last_resort, size,
):  # fmt: skip
    """Classes of the first ``depth`` reels of the spins that trigger, and the finished boards of contested spins.

    Returns two tables: prefixes keyed by (live lines of the collectable, board so far, tag) and boards keyed
    by (0, board, tag), with tag = collectable * (most_scatters + 1) + scatters; a flag tells that a table
    of ``size`` entries was too small. ``wild_depth`` is the number of leading Wilds that make a line
    contested: what it wins is not known before its last reel.
    """
    reels, symbols, lines = stops.shape[0], least.shape[0], line_rows.shape[0]
    prefixes, boards = new_table(size), new_table(size)
    live = np.zeros((reels + 1, symbols + 1), np.uint64)
    live[0, :] = ALL
    base = most_scatters + 1
    later = later_scatters(stops, scatters, depth, most_scatters)
    later_most = 0
    for k in range(base):
        if later[k]:
            later_most = k
    prefix_state = np.zeros(lines, np.int64)
    class_stop = np.zeros((reels, cover.shape[1]), np.int64)
    class_ways = np.zeros((reels, cover.shape[1]), np.int64)
    classes = np.zeros(reels, np.int64)
    at = np.zeros(reels, np.int64)
    stop = np.zeros(reels, np.int64)
    fits = True
    alive = np.zeros(symbols, np.int64)
    last = depth - 1
    while fits:
        before = 0
        for d in range(last):
            advance(live, d, cover, d, stop[d], symbols)
            before += scatters[d, stop[d]]
        early = _highest_winner(live, last, least, symbols, ZERO)
        n_alive = 0
        for s in range(early):
            if live[last, s] != ZERO and least[s] <= depth:
                alive[n_alive] = s
                n_alive += 1
        for i in range(stops[last]):
            seen = before + scatters[last, i]
            if not fits or seen + later_most < need:
                continue
            seen = min(seen, most_scatters)
            stop[last] = i
            wild_lines = live[last, symbols] & cover[last, i, symbols]
            contested = live[wild_depth, symbols] if wild_depth < depth else wild_lines
            if contested == ZERO:
                s = early
                for a in range(n_alive):
                    won = live[last, alive[a]] & cover[last, i, alive[a]]
                    if won & ~wild_lines != ZERO:
                        s = alive[a]
                        break
                if s < symbols:
                    live[depth, s] = live[last, s] & cover[last, i, s]
                    cells = _prefix_cells(s, live, depth, stop, mask, row_lines, rows, offsets, least, ZERO)
                    fits = add(prefixes, live[depth, s], cells, s * base + seen, 1)
                continue
            advance(live, last, cover, last, i, symbols)
            fits = _add_contested(
                boards, contested, seen, need, most_scatters, live, stop, stops, cover, mask, scatters, show,
                line_rows, row_lines, rows, offsets, step, award_symbol, award_length, award_wild_only, least,
                depth, last_resort, prefix_state, class_stop, class_ways, classes, at,
            )  # fmt: skip
        if not next_stop(stop, stops, 0, last):
            break
    return prefixes, boards, fits
