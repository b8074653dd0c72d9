# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.sensitivity.start_ends` and what beginnings lead to; names as in ``_beginning_kernels``."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel, melted
from workbench.sensitivity._beginning_kernels import stepped
from workbench.sensitivity._hash_kernels import ONE, ZERO, grown, mixed, rehashed

# by 8 bits of a hash
TOLD = 256


@melted
def _outcome(
    alive, line, state, code, coins, symbol, length, wild_only, last_resort, symbols, line_rows, offsets
):
    """(collectable, line coins, board) of lines in their last states; no coins where nothing won."""
    best, by_wilds, won = symbols, symbols, 0
    for i in range(alive):
        q = state[i]
        if coins[q] > 0:
            won += coins[q]
            if wild_only[q] and last_resort:
                by_wilds = min(by_wilds, symbol[q])
            else:
                best = min(best, symbol[q])
    winner = by_wilds if best == symbols else best
    board = ZERO
    for i in range(alive):
        q = state[i]
        if coins[q] > 0 and symbol[q] == winner:
            for r in range(length[q]):
                if not (code[i] >> r) & 1:
                    board |= ONE << np.uint64(offsets[r] + line_rows[line[i], r])
    return winner, won, board


@melted
def _told_apart(shown, stops, scatters, mask, to_stop, to_ways):
    """One window for all that show the same scatters and the same of the symbols in ``mask`` (bits), its ways; how many."""
    found = 0
    for i in range(stops):
        c = 0
        while c < found:
            j = to_stop[c]
            alike = scatters[i] == scatters[j]
            for y in range(shown.shape[1]):
                a, b = shown[i, y], shown[j, y]
                if a != b and (((mask >> a) | (mask >> b)) & 1):
                    alike = False
            if alike:
                break
            c += 1
        if c == found:
            to_stop[c], to_ways[c] = i, 0
            found += 1
        to_ways[c] += 1
    return found


@kernel
def ended(
    depth, shown, stops, scatters, line_rows, offsets, step, dead, settled, waits, is_wild, coins, symbol, length, wild_only,
    last_resort, symbols, b_first, b_line, b_state, b_code, b_seen, tails, most_later, need, follow,
):  # fmt: skip
    """What beginnings of ``depth`` reels lead to: entries (beginning, end * 2 + f, ways, ways x coins) and ends.

    ``waits[q]`` are the symbols, as bits, that matter to a line in state q. An end is (collectable, board); f = 1 with ``follow`` scatters or more. ``tails[r, k]``: ways of reels r and later to show k scatters, k cut at the last column.
    """
    reels, lines, cut = stops.shape[0], line_rows.shape[0], tails.shape[1] - 1
    longest = shown.shape[1]
    at_line = np.zeros((reels + 1, lines), np.int64)
    at_state = np.zeros((reels + 1, lines), np.int64)
    at_code = np.zeros((reels + 1, lines), np.int64)
    alive, seen, ways = (
        np.zeros(reels + 1, np.int64),
        np.zeros(reels + 1, np.int64),
        np.ones(reels + 1, np.int64),
    )
    class_key = np.zeros((reels, longest), np.uint64)
    class_stop = np.zeros((reels, longest), np.int64)
    class_ways = np.zeros((reels, longest), np.int64)
    classes, at = np.zeros(reels + 1, np.int64), np.zeros(reels + 1, np.int64)
    told_mask, told = np.full((reels, TOLD), -1, np.int64), np.zeros((reels, TOLD), np.int64)
    told_stop = np.zeros((reels, TOLD, longest), np.int64)
    told_ways = np.zeros((reels, TOLD, longest), np.int64)
    e_board, e_symbol = np.zeros(1024, np.uint64), np.zeros(1024, np.uint64)
    slots = np.zeros(4096, np.int64)
    who, what = np.zeros(4096, np.int64), np.zeros(4096, np.int64)
    weight, with_coins = np.zeros(4096, np.int64), np.zeros(4096, np.int64)
    ends, entries = 0, 0
    for b in range(b_seen.shape[0]):
        d = depth
        alive[d] = b_first[b + 1] - b_first[b]
        for i in range(alive[d]):
            at_line[d, i] = b_line[b_first[b] + i]
            at_state[d, i] = b_state[b_first[b] + i]
            at_code[d, i] = b_code[b_first[b] + i]
        seen[d] = b_seen[b]
        fresh = True
        while d >= depth:
            if fresh:
                open_lines = 0
                for i in range(alive[d]):
                    if not settled[at_state[d, i]]:
                        open_lines += 1
                if open_lines == 0 or d == reels:
                    winner, won, board = _outcome(
                        alive[d], at_line[d], at_state[d], at_code[d], coins, symbol, length, wild_only,
                        last_resort, symbols, line_rows, offsets,
                    )  # fmt: skip
                    if won > 0:
                        for f in range(2):
                            chance = 0
                            for k in range(cut + 1):
                                if seen[d] + k >= need and (seen[d] + k >= follow) == (f == 1):
                                    chance += tails[d, k]
                            if chance == 0:
                                continue
                            key = mixed(winner, board)
                            size = np.uint64(slots.shape[0] - 1)
                            place = key & size
                            while slots[place] and not (
                                e_board[slots[place] - 1] == board
                                and e_symbol[slots[place] - 1] == np.uint64(winner)
                            ):
                                place = (place + ONE) & size
                            if slots[place] == 0:
                                if ends == e_board.shape[0]:
                                    e_board, e_symbol = grown(e_board), grown(e_symbol)
                                e_board[ends], e_symbol[ends] = board, np.uint64(winner)
                                ends += 1
                                slots[place] = ends
                                end = ends - 1
                                if 2 * ends > slots.shape[0]:
                                    hashes = np.zeros(ends, np.uint64)
                                    for i in range(ends):
                                        hashes[i] = mixed(e_symbol[i], e_board[i])
                                    slots = rehashed(hashes, ends, 4 * slots.shape[0])
                            else:
                                end = slots[place] - 1
                            if entries == who.shape[0]:
                                who, what = grown(who), grown(what)
                                weight, with_coins = grown(weight), grown(with_coins)
                            who[entries], what[entries] = b, 2 * end + f
                            weight[entries] = ways[d] * chance
                            with_coins[entries] = ways[d] * chance * won
                            entries += 1
                    d -= 1
                    fresh = False
                    continue
                classes[d] = 0
                at[d] = 0
                mask = 0
                for j in range(alive[d]):
                    mask |= waits[at_state[d, j]]
                # the last few masks are kept, each in the one place that its hash names
                kept = np.int64((np.uint64(mask) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(56))
                if told_mask[d, kept] != mask:
                    told_mask[d, kept] = mask
                    told[d, kept] = _told_apart(
                        shown[d], stops[d], scatters[d], mask, told_stop[d, kept], told_ways[d, kept]
                    )
                for one in range(told[d, kept]):
                    i = told_stop[d, kept, one]
                    if seen[d] + scatters[d, i] + most_later[d + 1] < need:
                        continue
                    key = np.uint64(scatters[d, i])
                    for j in range(alive[d]):
                        q = at_state[d, j]
                        if not settled[q]:
                            x = shown[d, i, line_rows[at_line[d, j], d]]
                            key = key * np.uint64(0x9E3779B97F4A7C15) + np.uint64(
                                (step[q, x] << 1) | is_wild[x]
                            )
                    c = 0
                    while c < classes[d] and class_key[d, c] != key:
                        c += 1
                    if c == classes[d]:
                        class_key[d, c] = key
                        class_stop[d, c] = i
                        class_ways[d, c] = 0
                        classes[d] += 1
                    class_ways[d, c] += told_ways[d, kept, one]
                fresh = False
            if d < depth or at[d] == classes[d]:
                d -= 1
                continue
            i = class_stop[d, at[d]]
            ways[d + 1] = ways[d] * class_ways[d, at[d]]
            seen[d + 1] = min(seen[d] + scatters[d, i], cut)
            at[d] += 1
            left = stepped(
                d, shown[d, i], line_rows, step, dead, settled, is_wild, at_line[d], at_state[d], at_code[d], 0,
                alive[d], at_line[d + 1], at_state[d + 1], at_code[d + 1],
            )  # fmt: skip
            alive[d + 1] = left
            if left:
                d += 1
                fresh = True
    return (
        (who[:entries], what[:entries], weight[:entries], with_coins[:entries]),
        (e_symbol[:ends].astype(np.int64), e_board[:ends]),
    )


@kernel
def pairs_of_lines(boards, state, shift, same, index, runs, filled):
    """products[b, i, j]: sum over pairs of lines of P(runs[i] cells of one and runs[j] of the other are held at the end).

    As :func:`workbench.features._board_moment_kernels.pairs_held`, faster: ``same[one, two]`` are the reels, as bits, on which
    two lines share their cell, ``index[m]`` the number of open cells that reels m ask for, as an index of ``filled[n]``.
    """
    lines, reels = shift.shape
    count = runs.shape[0]
    products = np.zeros((boards.shape[0], count, count))
    asks = np.zeros((lines, count), np.int64)
    low = np.zeros(count, np.int64)
    for i in range(count):
        low[i] = (1 << runs[i]) - 1
    for b in range(boards.shape[0]):
        chance = filled[state[b]]
        for line in range(lines):
            bits = 0
            for r in range(reels):
                if (boards[b] >> shift[line, r]) & ONE == ZERO:
                    bits |= 1 << r
            for i in range(count):
                asks[line, i] = bits & low[i]
        for i in range(count):
            for j in range(i + 1):
                total = 0.0
                for one in range(lines):
                    mine = index[asks[one, i]]
                    for two in range(lines):
                        total += chance[mine + index[asks[two, j] & ~(same[one, two] & low[i])]]
                products[b, i, j] = total
                products[b, j, i] = total
    return products
