"""Complete rounds of a game of lines, hold-and-spin, free spins and banked Keys: integers in, integers out.

Random numbers are drawn in the order of ``player``: the base stops from reel 1; each re-spin's open cells reel by
reel from the top (or one stop a reel); the wheel's tiers (spins, collectable, Keys); each free spin's stops.
Wins are in units and fit 31 bits; a round beyond that, or a feature without end, sets ``peak[STATUS]``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jit import kernel
from workbench.simulate import _shapes_kernels as at
from workbench.simulate._inline_kernels import melted
from workbench.simulate._lines_kernels import further_words, line_winner, may_win, ones, run_length, word_win
from workbench.simulate._random_kernels import below
from workbench.simulate._shapes_kernels import (
    ChoiceTables,
    CodexCounts,
    CodexTables,
    FreeTables,
    HoldTables,
    Ints,
    LineTables,
    ReelTables,
    Words,
)

_0 = np.uint64(0)
_1 = np.uint64(1)
_32 = np.uint64(32)
_LOW = (1 << 32) - 1


@melted
def add_square(squares: Ints, place: int, amount: int) -> None:
    """Add an amount's square below 2^62 to a sum kept as two halves."""
    square = amount * amount
    squares[place, 0] += square & _LOW
    squares[place, 1] += square >> 32


@melted
def halt(state: Words, first: Words, length: Words, rows: Words) -> None:
    """Draw a stop for every reel, from the left: ``rows`` is set to the rows of their windows."""
    for reel in range(rows.shape[0]):
        rows[reel] = first[reel] + below(state, length[reel])


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


@kernel
def play_codex(
    t: CodexTables, counts: CodexCounts, squares: Ints, wins: Ints, peak: Ints, state: Words, bank: Ints,
    rounds: int,
) -> None:  # fmt: skip
    """Play complete rounds: add to ``counts``, ``squares`` [place][half] and ``wins`` [units of a round].

    ``peak`` is [largest win, status], ``bank`` [banked Keys], ``state`` the generator: all live on.
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
    for _ in range(rounds):
        halt(state, first, length, rows)
        win = 0
        if may_win(windows, rows, shortest):
            win = word_win(pay, shortest, best_symbol, windows, rows, _0, hits)
            if windows.shape[1] > columns:
                win += further_words(pay, shortest, best_symbol, columns, windows, rows, hits)
        seen = 0
        for reel in range(rows.shape[0]):
            seen += trigger[rows[reel]]
        hold_seen, free_seen = seen & at.FIELD_MASK, seen >> at.FIELD
        scatters[np.int64(win > 0), min(max(hold_seen, free_seen), at.MOST_SCATTERS)] += 1
        if win > 0:
            sums[at.HITS] += 1
            sums[at.LINES] += win
            add_square(squares, at.SQ_LINES, win)
        follows = 1 if free_seen >= free_least else 0
        if win > 0 and hold_seen >= hold_least:
            win += play_hold(
                lines, reels, hold, save, counts, squares, peak, state, bank, follows, rows, runs, prefix
            )
        if follows:
            used = use_keys(choice, counts, bank)
            win += play_free(lines, reels, free, counts, squares, peak, state, used, rows)
        sums[at.KEYS_BANKED] += bank[0]
        if win > 0:
            sums[at.WIN] += win
            add_square(squares, at.SQ_WIN, win)
            wins[min(win, at.WIN_CELLS - 1)] += 1
            if win > peak[at.LARGEST]:
                peak[at.LARGEST] = win
                if win >= at.LARGEST_ROUND:
                    peak[at.STATUS] = at.WIN_TOO_LARGE
    counts.sums[at.ROUNDS] += rounds
