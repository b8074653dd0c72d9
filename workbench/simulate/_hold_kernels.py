"""The hold-and-spin of Codex: its start board, re-spins, final lines and the decision to save Keys.

Random numbers are drawn in the order of ``player``: each re-spin's open cells reel by reel from the top, or one stop a reel.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jit import melted
from workbench.simulate import _shapes_kernels as at
from workbench.simulate._lines_kernels import line_winner, may_win, ones, run_length
from workbench.simulate._random_kernels import below
from workbench.simulate._round_kernels import add_square
from workbench.simulate._shapes_kernels import CodexCounts, HoldTables, Ints, LineTables, ReelTables, Words

_0 = np.uint64(0)
_1 = np.uint64(1)


@melted
def start_board(
    lines: LineTables, last_resort: int, windows: Words, cells_of: Words, rows: Words, runs: Words
) -> tuple[int, np.uint64]:
    """Collectable and cells held at the start, for a spin that won a line.

    ``runs`` is scratch: [symbol] the cells of the runs each symbol won.
    """
    wild = lines.pay.shape[0] - 1
    best = wild
    fallback = wild
    runs[:] = _0
    live = may_win(windows, rows, lines.shortest)
    while live:
        bit = live & ~(live - _1)
        live ^= bit
        winner, length, pay = line_winner(lines.pay, lines.best_symbol, windows, rows, 0, bit)
        if pay > 0:
            symbol = lines.counts_as if winner == wild else winner
            alone = run_length(windows, rows, wild, bit) >= length
            if alone and last_resort:
                fallback = min(fallback, symbol)
            else:
                best = min(best, symbol)
            runs[symbol] |= lines.prefix[ones(bit - _1), length]
    if best == wild:
        best = fallback
    held = _0
    for reel in range(rows.shape[0]):
        held |= cells_of[rows[reel], best]
    return best, held & runs[best]


@melted
def spin_cells(
    hold: HoldTables, state: Words, stage: int, prefix: Words, held: np.uint64, keys: int
) -> tuple[np.uint64, int]:
    """One re-spin on position reels: the cells held and the Keys won after it.

    ``prefix`` [k] is the set of all cells of the first k reels.
    """
    for reel in range(prefix.shape[0] - 1):
        cells = prefix[reel + 1] & ~prefix[reel] & ~held
        while cells:
            rest = cells & (cells - _1)
            drawn = below(state, hold.total[stage, reel])
            if drawn < hold.collectable[stage, reel]:
                held |= cells ^ rest
            elif drawn < hold.collectable_or_key[stage, reel] and keys < hold.most_keys:
                keys += 1
            cells = rest
    return held, keys


@melted
def spin_strips(hold: HoldTables, state: Words, held: np.uint64, keys: int) -> tuple[np.uint64, int]:
    """One re-spin on strips: every reel halts, what its open cells show lands."""
    before = held
    for reel in range(hold.strip_length.shape[0]):
        stop = below(state, hold.strip_length[reel])
        held |= hold.strip_collectable[reel, stop]
        keys = min(hold.most_keys, keys + ones(hold.strip_key[reel, stop] & ~before))
    return held, keys


@melted
def re_spins(hold: HoldTables, state: Words, prefix: Words, held: np.uint64) -> tuple[np.uint64, int, int]:
    """Play a hold-and-spin from its start board: cells held at the end, Keys, re-spins played."""
    everything = prefix[prefix.shape[0] - 1]
    keys = 0
    played = 0
    stage = 0
    while held != everything and played < at.MOST_SPINS:
        played += 1
        if stage + 1 < hold.stage_start.shape[0] and hold.stage_start[stage + 1] <= played:
            stage += 1
        before, keys_before = held, keys
        if hold.by_strips:
            held, keys = spin_strips(hold, state, held, keys)
        else:
            held, keys = spin_cells(hold, state, stage, prefix, held, keys)
        if held == before and keys == keys_before:
            break
    return held, keys, played


@melted
def final_win(lines: LineTables, held: np.uint64, symbol: int, hits: Ints) -> int:
    """Win of the lines on a board where only the held cells count."""
    win = 0
    for line in range(lines.prefix.shape[0]):
        run = 0
        while run + 1 < lines.prefix.shape[1] and lines.prefix[line, run + 1] & ~held == _0:
            run += 1
        pay = lines.pay[symbol, run]
        if pay > 0:
            hits[symbol, run] += 1
            win += pay
    return win


@melted
def choose(table: NDArray[np.uint8], keys: int, banked: int) -> bool:
    """A save choice from [keys][banked], where the last index stands for that many or more."""
    chosen: bool = table[min(keys, table.shape[0] - 1), min(banked, table.shape[1] - 1)] != 0
    return chosen


@melted
def play_hold(
    lines: LineTables, reels: ReelTables, hold: HoldTables, save: NDArray[np.uint8], counts: CodexCounts,
    squares: Ints, peak: Ints, state: Words, bank: Ints, follows: int, rows: Words, runs: Words, prefix: Words,
) -> int:  # fmt: skip
    """A whole hold-and-spin with its decision; returns its win."""
    symbol, held = start_board(lines, hold.last_resort, reels.lines_of, reels.cells_of, rows, runs)
    counts.collectables[symbol] += 1
    counts.start_held[ones(held)] += 1
    held, keys, played = re_spins(hold, state, prefix, held)
    if played >= at.MOST_SPINS:
        peak[at.STATUS] = at.ENDLESS_HOLD
    counts.final_held[ones(held)] += 1
    win = final_win(lines, held, symbol, counts.final_hits)
    levels, steps = hold.ladder.shape
    step = min(steps, 1 + ones(held) // hold.per_step)
    level = min(levels, hold.start_level + keys)
    shown = min(keys, at.MOST_KEYS)
    counts.re_spins[follows, step - 1, shown] += 1
    if keys > 0 and choose(save[follows, step - 1], keys, bank[0]):
        level = hold.saved_level
        bank[0] += keys
        counts.saves[follows, step - 1, shown] += 1
        counts.sums[at.KEYS_SAVED] += keys
    prize = hold.ladder[level - 1, step - 1]
    counts.re_fortune[level - 1, step - 1] += 1
    counts.sums[at.RE_COUNT] += 1
    counts.sums[at.RE_PLAYED] += played
    counts.sums[at.KEYS_WON] += keys
    counts.sums[at.RE_LINES] += win
    counts.sums[at.RE_FORTUNE] += prize
    add_square(squares, at.SQ_RE_LINES, win)
    add_square(squares, at.SQ_RE_FORTUNE, prize)
    add_square(squares, at.SQ_RE, win + prize)
    total: int = win + prize
    return total


@melted
def all_cells(reels: ReelTables) -> Words:
    """[k]: all cells of the first k reels, from the number of cells each window shows."""
    cells_of, first = reels.cells_of, reels.first
    prefix = np.zeros(first.shape[1] + 1, np.uint64)
    for reel in range(first.shape[1]):
        prefix[reel + 1] = prefix[reel]
        for symbol in range(cells_of.shape[1]):
            prefix[reel + 1] |= cells_of[first[0, reel], symbol]
    return prefix
