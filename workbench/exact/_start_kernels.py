# mypy: disable-error-code=no-untyped-def
"""Kernel of the joint law of a hold-and-spin's start and the coins its spin won on lines.

``shown[r, i, y]`` is the symbol in row y of reel r at stop i, ``wild[x]`` whether symbol x is the Wild; ``settled[q]`` the
last state that every continuation of a line in state q ends in, or -1 while it still matters how the line goes on.
Tables are those of :mod:`workbench.exact._table_kernels`.
"""

from __future__ import annotations

import numpy as np

from workbench.exact._spin_kernels import ONE, ZERO, later_scatters
from workbench.exact._table_kernels import add, new_table
from workbench.jit import inline, kernel


@inline
def _winner(state, coins, symbol, wild_only, last_resort, symbols):
    """(collectable, line coins) of lines in their last states; ``symbols`` where nothing won."""
    best, by_wilds, won = symbols, symbols, 0
    for line in range(state.shape[0]):
        q = state[line]
        if coins[q] > 0:
            won += coins[q]
            if wild_only[q] and last_resort:
                by_wilds = min(by_wilds, symbol[q])
            else:
                best = min(best, symbol[q])
    return (by_wilds if best == symbols else best), won


@inline
def _board(winner, state, stop, shown, line_rows, offsets, coins, symbol, length):
    """The cells that show the collectable in the runs of the lines it won."""
    board = ZERO
    for line in range(state.shape[0]):
        q = state[line]
        if coins[q] > 0 and symbol[q] == winner:
            for r in range(length[q]):
                row = line_rows[line, r]
                if shown[r, stop[r], row] == winner:
                    board |= ONE << np.uint64(offsets[r] + row)
    return board


@inline
def _next_classes(r, state, settled, stops, shown, scatters, line_rows, step, wild, class_stop, class_ways):
    """Merge the stops of reel r that look alike to the lines still open; the number of classes."""
    lines = line_rows.shape[0]
    classes = 0
    for i in range(stops[r]):
        found = classes
        for c in range(classes):
            j = class_stop[r, c]
            same = scatters[r, i] == scatters[r, j]
            for line in range(lines):
                if not same:
                    break
                q = state[r, line]
                if settled[q] < 0:
                    x, y = shown[r, i, line_rows[line, r]], shown[r, j, line_rows[line, r]]
                    same = x == y or (step[q, x] == step[q, y] and wild[x] == wild[y])
            if same:
                found = c
                break
        if found == classes:
            class_stop[r, found] = i
            class_ways[r, found] = 0
            classes += 1
        class_ways[r, found] += 1
    return classes


@inline
def _all_settled(state, settled):
    still_open = 0
    for line in range(state.shape[0]):
        if settled[state[line]] < 0:
            still_open += 1
    return still_open == 0


@inline
def _step_lines(r, stop, state, settled, shown, line_rows, step):
    """state[r + 1] from state[r] and the window of reel r; settled lines go to their last state at once."""
    for line in range(line_rows.shape[0]):
        q = step[state[r, line], shown[r, stop, line_rows[line, r]]]
        state[r + 1, line] = settled[q] if settled[q] >= 0 else q


@inline
def _add_settled(
    table, r, seen, ways, tails, need, state, stop, shown, line_rows, offsets, coins, symbol, length, wild_only,
    last_resort, symbols,
):  # fmt: skip
    """Add a spin whose lines are all decided after r reels, by what scatters the others show; False if full."""
    winner, won = _winner(state[r], coins, symbol, wild_only, last_resort, symbols)
    if won == 0:
        return True
    most = tails.shape[1] - 1
    board = _board(winner, state[r], stop, shown, line_rows, offsets, coins, symbol, length)
    for k in range(most + 1):
        total = min(seen + k, most)
        if (
            tails[r, k]
            and total >= need
            and not add(table, np.uint64(won), board, winner * (most + 1) + total, ways * tails[r, k])
        ):
            return False
    return True


@kernel
def start_law(
    stops, shown, scatters, wild, line_rows, offsets, step, settled, coins, symbol, length, wild_only, depth,
    need, most_scatters, last_resort, symbols, first, last, size,
):  # fmt: skip
    """Table of (line coins, board, collectable * (most + 1) + scatters) over the spins that trigger; a flag if it fits.

    Only the stops first .. last - 1 of reel 0 are played; the stops of the first ``depth`` reels one by one, those of
    the later reels by classes.
    """
    reels, lines = stops.shape[0], line_rows.shape[0]
    table = new_table(size)
    tails = np.zeros((reels + 1, most_scatters + 1), np.int64)
    most_later = np.zeros(reels + 1, np.int64)
    for r in range(reels + 1):
        tails[r] = later_scatters(stops, scatters, r, most_scatters)
        for k in range(most_scatters + 1):
            if tails[r, k]:
                most_later[r] = k
    longest = shown.shape[1]
    state = np.zeros((reels + 1, lines), np.int64)
    class_stop = np.zeros((reels, longest), np.int64)
    class_ways = np.zeros((reels, longest), np.int64)
    classes, at = np.zeros(reels + 1, np.int64), np.zeros(reels + 1, np.int64)
    seen, ways = np.zeros(reels + 1, np.int64), np.ones(reels + 1, np.int64)
    stop = np.zeros(reels, np.int64)
    stop[0] = first
    moved = 0
    while first < last:
        for r in range(moved, depth):
            _step_lines(r, stop[r], state, settled, shown, line_rows, step)
            seen[r + 1] = seen[r] + scatters[r, stop[r]]
        r = depth
        if seen[depth] + most_later[depth] >= need:
            if _all_settled(state[depth], settled):
                if not _add_settled(
                    table, depth, seen[depth], 1, tails, need, state, stop, shown, line_rows, offsets, coins,
                    symbol, length, wild_only, last_resort, symbols,
                ):  # fmt: skip
                    return table, False
            else:
                classes[r] = _next_classes(
                    r, state, settled, stops, shown, scatters, line_rows, step, wild, class_stop, class_ways
                )
                at[r] = 0
                while r >= depth:
                    if at[r] == classes[r]:
                        r -= 1
                        continue
                    stop[r] = class_stop[r, at[r]]
                    ways[r + 1] = ways[r] * class_ways[r, at[r]]
                    seen[r + 1] = seen[r] + scatters[r, stop[r]]
                    at[r] += 1
                    if seen[r + 1] + most_later[r + 1] < need:
                        continue
                    _step_lines(r, stop[r], state, settled, shown, line_rows, step)
                    if r + 1 == reels or _all_settled(state[r + 1], settled):
                        if not _add_settled(
                            table, r + 1, seen[r + 1], ways[r + 1], tails, need, state, stop, shown, line_rows,
                            offsets, coins, symbol, length, wild_only, last_resort, symbols,
                        ):  # fmt: skip
                            return table, False
                        continue
                    r += 1
                    classes[r] = _next_classes(
                        r, state, settled, stops, shown, scatters, line_rows, step, wild, class_stop,
                        class_ways,
                    )  # fmt: skip
                    at[r] = 0
        moved = depth - 1
        stop[moved] += 1
        while moved > 0 and stop[moved] == stops[moved]:
            stop[moved] = 0
            moved -= 1
            stop[moved] += 1
        if stop[0] >= last:
            break
    return table, True
