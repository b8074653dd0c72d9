"""Complete rounds of a game of lines, hold-and-spin, free spins and banked Keys: integers in, integers out.

Random numbers are drawn in the order of ``player``: the base stops from reel 1; each re-spin's open cells reel by
reel from the top (or one stop a reel); the wheel's tiers (spins, collectable, Keys); each free spin's stops.
Wins are in units and fit 31 bits; a round beyond that, or a feature without end, sets ``peak[STATUS]``.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel, melted
from workbench.simulate import _shapes_kernels as at
from workbench.simulate._hold_kernels import all_cells, play_hold
from workbench.simulate._lines_kernels import further_words, may_win, word_win
from workbench.simulate._random_kernels import below
from workbench.simulate._round_kernels import add_square, count_win, halt
from workbench.simulate._shapes_kernels import (
    ChoiceTables,
    CodexCounts,
    CodexTables,
    FreeTables,
    Ints,
    LineTables,
    ReelTables,
    RoundLog,
    Words,
)

_0 = np.uint64(0)


@melted
def use_keys(choice: ChoiceTables, counts: CodexCounts, bank: Ints) -> int:
    """The choice at the start of free spins: Keys taken from the bank."""
    used = 0
    if bank[0] > 0 and choice.use[min(bank[0], choice.use.shape[0] - 1)]:
        used = min(bank[0], choice.most_used)
    bank[0] -= used
    counts.free_used[used] += 1
    counts.sums[at.KEYS_USED] += used
    return used


@melted
def turn(free: FreeTables, state: Words, tier: int, stopped: Ints) -> int:
    """Turn one tier of the wheel: the place of its value."""
    drawn = below(state, free.total[tier])
    value = 0
    while drawn >= free.cumulative[tier, value]:
        value += 1
    stopped[value] += 1
    return value


@melted
def play_free(
    lines: LineTables, reels: ReelTables, free: FreeTables, counts: CodexCounts,
    squares: Ints, peak: Ints, state: Words, used: int, rows: Words,
) -> int:  # fmt: skip
    """Free spins from the wheel to the ladder's prize; returns their win."""
    left = free.spins[turn(free, state, 0, counts.wheel_spins)]
    wedge = turn(free, state, 1, counts.wheel_collectable)
    level = free.start_level + used + free.keys[turn(free, state, 2, counts.wheel_keys)]
    chosen, symbol = free.set_of[wedge], free.collectable[wedge]
    windows, first, length = reels.lines_of, reels.first[chosen], reels.length[chosen]
    pay, shortest, best_symbol, columns = lines.pay, lines.shortest, lines.best_symbol, lines.columns
    hits = counts.free_hits
    shown, extra = free.shown, free.extra
    collected, bonus, keys, added, played, lines_win, spins_won = 0, 0, 0, 0, 0, 0, 0
    while left > 0 and played < at.MOST_SPINS:
        left -= 1
        played += 1
        halt(state, first, length, rows)
        win = 0
        if may_win(windows, rows, shortest):
            win = word_win(pay, shortest, best_symbol, windows, rows, _0, hits)
            if windows.shape[1] > columns:
                win += further_words(pay, shortest, best_symbol, columns, windows, rows, hits)
        lines_win += win
        spins_won += win > 0
        packed = 0
        for reel in range(rows.shape[0]):
            collected += shown[rows[reel], symbol]
            packed += extra[rows[reel]]
        keys += packed & at.FIELD_MASK
        left += (packed >> at.FIELD) & at.FIELD_MASK
        added += (packed >> at.FIELD) & at.FIELD_MASK
        bonus += packed >> (2 * at.FIELD)
    if left > 0:
        peak[at.STATUS] = at.ENDLESS_FREE
    keys = min(keys, free.most_keys)
    levels, steps = free.ladder.shape
    step = min(steps, 1 + (collected + bonus) // free.per_step)
    level = min(levels, level + keys)
    prize = free.ladder[level - 1, step - 1]
    counts.free_fortune[level - 1, step - 1] += 1
    counts.sums[at.FREE_COUNT] += 1
    counts.sums[at.FREE_PLAYED] += played
    counts.sums[at.FREE_HITS] += spins_won
    counts.sums[at.FREE_ADDED] += added
    counts.sums[at.FREE_COLLECTED] += collected
    counts.sums[at.FREE_BONUS] += bonus
    counts.sums[at.FREE_KEYS] += keys
    counts.sums[at.FREE_LINES] += lines_win
    counts.sums[at.FREE_FORTUNE] += prize
    add_square(squares, at.SQ_FREE_LINES, lines_win)
    add_square(squares, at.SQ_FREE_FORTUNE, prize)
    add_square(squares, at.SQ_FREE, lines_win + prize)
    total: int = lines_win + prize
    return total


@kernel
def play_codex(
    t: CodexTables, counts: CodexCounts, squares: Ints, wins: Ints, peak: Ints, state: Words, bank: Ints,
    rounds: int, log: RoundLog,
) -> None:  # fmt: skip
    """Play complete rounds: add to ``counts``, ``squares`` [place][half] and ``wins`` [units of a round].

    ``peak`` is [largest win, status], ``bank`` [banked Keys], ``state`` the generator: all live on. ``log`` has no places
    or one for each round.
    """
    lines, reels, trigger, hold, free, choice = t
    rows = np.zeros(reels.length.shape[1], np.uint64)
    runs = np.zeros(lines.pay.shape[0], np.uint64)
    prefix = all_cells(reels)
    windows, first, length = reels.lines_of, reels.first[0], reels.length[0]
    pay, shortest, best_symbol, columns = lines.pay, lines.shortest, lines.best_symbol, lines.columns
    hits = counts.base_hits
    save = choice.save
    sums, scatters = counts.sums, counts.scatters
    hold_least, free_least = hold.least, free.least
    logged = log.won.shape[0] > 0
    until = 0 if log.session > 0 else -1
    for i in range(rounds):
        if until == 0:
            bank[:] = 0
            until = log.session
        until -= 1
        halt(state, first, length, rows)
        win = 0
        # counted where it is known: a branch on the win further down would be guessed wrong every fourth round
        if may_win(windows, rows, shortest):
            win = word_win(pay, shortest, best_symbol, windows, rows, _0, hits)
            if windows.shape[1] > columns:
                win += further_words(pay, shortest, best_symbol, columns, windows, rows, hits)
            if win > 0:
                sums[at.HITS] += 1
                sums[at.LINES] += win
                add_square(squares, at.SQ_LINES, win)
                count_win(sums, squares, wins, peak, win, 1)
        seen = 0
        for reel in range(rows.shape[0]):
            seen += trigger[rows[reel]]
        hold_seen, free_seen = seen & at.FIELD_MASK, seen >> at.FIELD
        scatters[np.int64(win > 0), min(max(hold_seen, free_seen), at.MOST_SCATTERS)] += 1
        follows = 1 if free_seen >= free_least else 0
        spun = win
        if hold_seen >= hold_least and win > 0:
            win += play_hold(
                lines, reels, hold, save, counts, squares, peak, state, bank, follows, rows, runs, prefix
            )
        if follows:
            used = use_keys(choice, counts, bank)
            win += play_free(lines, reels, free, counts, squares, peak, state, used, rows)
        sums[at.KEYS_BANKED] += bank[0]
        if win != spun:
            if spun > 0:
                count_win(sums, squares, wins, peak, spun, -1)
            count_win(sums, squares, wins, peak, win, 1)
        if logged:
            log.won[i] = win
    counts.sums[at.ROUNDS] += rounds
