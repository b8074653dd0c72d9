# mypy: disable-error-code=no-untyped-def
"""Kernels of the law of a hold-and-spin's start: who is collected, on which board, with how many scatters.

Shapes as in :mod:`workbench.exact._spin_kernels`. A board is a set of cells as bits. Laws are kept in open-addressing
tables of (keys (size, 2) uint64, tags, used, weights, count), sizes a power of two.
"""

from __future__ import annotations

import numpy as np

from workbench.exact._spin_kernels import ALL, ONE, ZERO, advance, later_scatters, next_stop
from workbench.jit import inline, kernel, melted


@melted
def _slot(keys, tags, used, key_a, key_b, tag):
    """Place of a key in an open-addressing table whose size is a power of two."""
    size = np.uint64(used.shape[0] - 1)
    h = key_a * np.uint64(0x9E3779B97F4A7C15)
    h ^= key_b * np.uint64(0xC2B2AE3D27D4EB4F)
    h ^= np.uint64(tag) * np.uint64(0x165667B19E3779F9)
    h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(32)
    place = h & size
    while used[place] and not (keys[place, 0] == key_a and keys[place, 1] == key_b and tags[place] == tag):
        place = (place + ONE) & size
    return place


@melted
def _add(table, key_a, key_b, tag, weight):
    """Add a weight under a key; returns False when the table is too full to go on."""
    keys, tags, used, weights, count = table
    place = _slot(keys, tags, used, key_a, key_b, tag)
    if not used[place]:
        if 4 * count[0] > 3 * used.shape[0]:
            return False
        used[place] = True
        keys[place, 0] = key_a
        keys[place, 1] = key_b
        tags[place] = tag
        count[0] += 1
    weights[place] += weight
    return True


@inline
def _new_table(size):
    return (
        np.zeros((size, 2), np.uint64),
        np.zeros(size, np.int64),
        np.zeros(size, np.bool_),
        np.zeros(size, np.int64),
        np.zeros(1, np.int64),
    )


@melted
def _cells(lines, window_mask, row_lines, reel, rows, offset):
    """Board bits of the cells of reel ``reel`` that show the symbol and lie on one of the lines."""
    cells = ZERO
    for row in range(rows):
        if (window_mask >> row) & 1 and (lines & row_lines[reel, row]) != ZERO:
            cells |= ONE << np.uint64(offset + row)
    return cells


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
        cells |= _cells(lines, mask[r, stop[r], s], row_lines, r, rows[r], offsets[r])
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
            board |= _cells(live_s, mask[r, stop[r], s], row_lines, r, rows[r], offsets[r])
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
    prefixes, boards = _new_table(size), _new_table(size)
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
                    fits = _add(prefixes, live[depth, s], cells, s * base + seen, 1)
                continue
            advance(live, last, cover, last, i, symbols)
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
                    r,
                    contested,
                    stops,
                    show,
                    line_rows,
                    live_s,
                    cover,
                    mask,
                    scatters,
                    s,
                    class_stop,
                    class_ways,
                )
                at[r] = 0
            while fits:
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
                    if winner < symbols:
                        fits = _add(boards, ZERO, board, winner * base + min(total, most_scatters), ways)
                if not next_stop(at, classes, depth, reels):
                    break
        if not next_stop(stop, stops, 0, last):
            break
    return prefixes, boards, fits


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
def _add_listed(table, slots, board, seen, ways):
    """Add under (board, seen) and list new places in ``slots``; False when the table is too full to go on."""
    keys, tags, used, weights, count = table
    place = _slot(keys, tags, used, ZERO, board, seen)
    if not used[place]:
        if 4 * count[0] > 3 * used.shape[0]:
            return False
        used[place] = True
        keys[place, 1] = board
        tags[place] = seen
        weights[place] = 0
        slots[count[0]] = place
        count[0] += 1
    weights[place] += ways
    return True


@melted
def _clear_listed(table, slots):
    used, count = table[2], table[4]
    for i in range(count[0]):
        used[slots[i]] = False
    count[0] = 0


@melted
def _add_ended(table, slots, board, seen, ways, tail):
    """Add a board whose lines have all ended, by the scatters that the reels to come may show."""
    most = tail.shape[0] - 1
    for k in range(most + 1):
        if tail[k] and not _add_listed(table, slots, board, min(seen + k, most), ways * tail[k]):
            return False
    return True


@melted
def _extensions(
    lines, s, need, stop_of, count, classes, cover, mask, scatters, row_lines, rows, offsets, depth, tails,
    most_later, live, board, number, dead, table, slots,
):  # fmt: skip
    """All that the reels from ``depth`` on add to a prefix with these live lines of s: (cells, scatters) in ``table``.

    What shows fewer than ``need`` scatters may be left out. ``number[0..2]`` is [reel] class, ways and scatters; the
    arrays are scratch. False if the table is full.
    """
    reels, base = classes.shape[0], tails.shape[1]
    at, ways, seen = number[0], number[1], number[2]
    live[depth], board[depth], ways[depth], seen[depth] = lines, ZERO, 1, 0
    if depth == reels or lines == ZERO:
        return _add_ended(table, slots, ZERO, 0, 1, tails[depth])
    r = depth
    at[r] = 0
    dead[r] = 0
    while r >= depth:
        if at[r] == classes[r]:
            for k in range(base):
                if dead[r, k] and not _add_ended(table, slots, board[r], k, dead[r, k], tails[r + 1]):
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
        cells = board[r] | _cells(alive, mask[r, i, s], row_lines, r, rows[r], offsets[r])
        if r + 1 == reels:
            if not _add_listed(table, slots, cells, total, ways[r] * n):
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
    keys, tags, used, _, _ = prefixes
    first = np.zeros(symbols + 1, np.int64)
    order = np.zeros(used.shape[0], np.int64)
    for place in range(used.shape[0]):
        if used[place]:
            first[tags[place] // base + 1] += 1
    for s in range(symbols):
        first[s + 1] += first[s]
    fill = first.copy()
    for place in range(used.shape[0]):
        if used[place]:
            s = tags[place] // base
            order[fill[s]] = place
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
    keys, tags, _, weights, _ = prefixes
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
    table = _new_table(boards[2].shape[0])
    slots = np.zeros(boards[2].shape[0], np.int64)
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
            _clear_listed(table, slots)
            if not _extensions(
                lines, s, need - most_seen, stop_of, count, classes, cover, mask, scatters, row_lines, rows,
                offsets, depth, tails, most_later, live, board, number, dead, table, slots,
            ):  # fmt: skip
                return False
            for entry in range(begin, end):
                place = order[entry]
                seen = tags[place] % base
                for i in range(table[4][0]):
                    more = slots[i]
                    total = min(seen + table[1][more], most_scatters)
                    if total >= need and not _add(
                        boards, ZERO, keys[place, 1] | table[0][more, 1], s * base + total,
                        weights[place] * table[3][more],
                    ):  # fmt: skip
                        return False
            begin = end
    return True
