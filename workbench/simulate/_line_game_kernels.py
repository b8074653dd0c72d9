"""Complete rounds of a line game: integers in, integers out.

Random numbers are drawn in the order of ``line_player``: the paid spin's stops from reel 1, its bonuses with their
prizes, then free game after free game in the same way. Wins are in units and fit 31 bits; a round beyond that, or free
games without end, sets ``peak[STATUS]``.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel, melted
from workbench.simulate import _line_game_shapes_kernels as line_at
from workbench.simulate import _shapes_kernels as at
from workbench.simulate._line_game_shapes_kernels import (
    BonusWheels,
    LineCounts,
    LineGameTables,
    LineRules,
    SightRules,
    SpinReels,
)
from workbench.simulate._lines_kernels import ones
from workbench.simulate._random_kernels import below
from workbench.simulate._round_kernels import add_square, count_win, halt
from workbench.simulate._shapes_kernels import Ints, RoundLog, Words

_0 = np.uint64(0)
_1 = np.uint64(1)


@melted
def halt_weighted(reels: SpinReels, kind: int, state: Words, rows: Words) -> None:
    """Draw a stop for every reel, each as likely as its weight."""
    for reel in range(rows.shape[0]):
        drawn = below(state, reels.total[kind, reel])
        row = reels.guide[reels.guide_at[kind, reel] + (drawn >> reels.shift[kind, reel])]
        while drawn >= reels.cumulative[row]:
            row += _1
        rows[reel] = row


@melted
def may_win_word(reels: SpinReels, rules: LineRules, rows: Words, word: int) -> np.uint64:
    """Lines of a word that may win: all others can't.

    A run needs its first cells, three at most are looked at; a symbol that pays anywhere must be shown, twice if one is
    not enough.
    """
    windows, last = reels.lines_of, rows.shape[0] - 1
    a, b, c = rows[0], rows[min(1, last)], rows[min(2, last)]
    live = _0
    for column in range(word * rules.columns, (word + 1) * rules.columns):
        live |= windows[a, column] & windows[b, column] & windows[c, column]
    symbols = rules.least_anywhere.shape[0]
    for symbol in range(symbols):
        once = _0
        twice = _0
        for reel in range(rows.shape[0]):
            lines = reels.anywhere[rows[reel], word * symbols + symbol]
            twice |= once & lines
            once |= lines
        live |= twice if rules.least_anywhere[symbol] > 1 else once
    return live


@melted
def spin_lines(
    reels: SpinReels, rules: LineRules, kind: int, rows: Words, hits: Ints, times: Ints
) -> tuple[int, int, int, int]:
    """Win of all lines, how many pay, the largest win, free games awarded; adds the bonuses they give to ``times``."""
    win = won = largest = spins = 0
    for word in range(rules.words):
        live = may_win_word(reels, rules, rows, word)
        while live:
            rest = live & (live - _1)
            line = 64 * word + ones((live ^ rest) - _1)
            live = rest
            award = rules.starts[kind]
            for reel in range(rows.shape[0]):
                award = rules.next[award, reels.class_of[rows[reel], rules.line_rows[line, reel]]]
            if award:
                hits[kind, rules.combination[award], rules.length[award]] += 1
                win += rules.pay[award]
                won += rules.pays[award]
                largest = max(largest, rules.pay[award])
                spins += rules.spins[kind, award]
                for bonus in range(times.shape[0]):
                    times[bonus] += rules.bonuses[award, bonus]
    return win, won, largest, spins


@melted
def turn_wheel(state: Words, cumulative: Words, bonus: int, total: np.uint64) -> int:
    """The place of a value of a wheel."""
    drawn = below(state, total)
    place = 0
    while drawn >= cumulative[bonus, place]:
        place += 1
    return place


@melted
def bonus_win(wheels: BonusWheels, kind: int, bonus: int, state: Words) -> int:
    """Prizes of a bonus given once."""
    number = 1
    if wheels.draws_total[bonus]:
        number = wheels.numbers[bonus, turn_wheel(state, wheels.draws, bonus, wheels.draws_total[bonus])]
    win = 0
    for _ in range(number):
        place = turn_wheel(state, wheels.prizes, bonus, wheels.prizes_total[bonus])
        win += wheels.wins[kind, bonus, place]
    return win


@melted
def count_marks(reels: SpinReels, sight: SightRules, counts: LineCounts, kind: int, rows: Words) -> int:
    """The marks in sight, each in a field of its own; they are counted."""
    seen = 0
    for reel in range(rows.shape[0]):
        seen += reels.marks[rows[reel]]
    for mark in range(sight.marks):
        counts.in_sight[kind, mark, (seen >> (at.FIELD * mark)) & at.FIELD_MASK] += 1
    return seen


@melted
def play_spin(
    t: LineGameTables, counts: LineCounts, kind: int, state: Words, rows: Words, times: Ints, parts: Ints
) -> tuple[int, int, int, int, int]:
    """One spin: its win, whether it pays, lines that pay, their largest win, and free games awarded.

    ``parts`` [component] grows by the win; ``times`` [bonus] is set to how often each is given. Lines won and marks in sight
    are counted.
    """
    reels, rules, sight, wheels, _ = t
    if reels.weighted[kind]:
        halt_weighted(reels, kind, state, rows)
    else:
        halt(state, reels.first[kind], reels.length[kind], rows)
    times[:] = 0
    win, won, largest, spins = spin_lines(reels, rules, kind, rows, counts.hits, times)
    parts[0] += win
    pays = won > 0
    seen = count_marks(reels, sight, counts, kind, rows)
    scatters = sight.scatter_mark.shape[0]
    for scatter in range(scatters):
        number = (seen >> (at.FIELD * sight.scatter_mark[scatter])) & at.FIELD_MASK
        pay = sight.scatter_pay[kind, scatter, number]
        parts[1 + scatter] += pay
        win += pay
        pays |= pay > 0
    for bonus in range(times.shape[0]):
        if sight.bonus_mark[bonus] >= 0 and wheels.given[kind, bonus]:
            number = (seen >> (at.FIELD * sight.bonus_mark[bonus])) & at.FIELD_MASK
            if number >= sight.bonus_least[bonus]:
                times[bonus] = 1
                pays = True
        for _ in range(times[bonus]):
            prize = bonus_win(wheels, kind, bonus, state)
            parts[1 + scatters + bonus] += prize
            win += prize
    if sight.free_mark >= 0:
        spins += sight.free_spins[kind, (seen >> (at.FIELD * sight.free_mark)) & at.FIELD_MASK]
    return win, int(pays), won, largest, spins


@melted
def count_spin(squares: Ints, wins: Ints, kind: int, place: int, win: int) -> None:
    """Count one spin's own win."""
    if win > 0:
        add_square(squares, place, win)
        wins[kind, min(win, at.WIN_CELLS - 1)] += 1


@melted
def count_parts(counts: LineCounts, squares: Ints, kind: int, parts: Ints) -> None:
    """Count the win of all paid spins or free games of a round by component."""
    for component in range(parts.shape[0]):
        if parts[component] > 0:
            counts.parts[kind, component] += parts[component]
            add_square(squares, line_at.SQ_PARTS + kind * parts.shape[0] + component, parts[component])


@melted
def play_free_games(
    t: LineGameTables, counts: LineCounts, squares: Ints, spins: Ints, peak: Ints, state: Words,
    rows: Words, times: Ints, parts: Ints, left: int,
) -> int:  # fmt: skip
    """All free games of a round; returns their win."""
    parts[:] = 0
    total = played = 0
    while left > 0 and played < at.MOST_SPINS:
        win, pays, _, _, awarded = play_spin(t, counts, 1, state, rows, times, parts)
        left += awarded - 1
        played += 1
        total += win
        counts.sums[line_at.FREE_HITS] += pays
        counts.sums[line_at.RETRIGGERS] += awarded > 0
        count_spin(squares, spins, 1, line_at.SQ_FREE_SPIN, win)
    if left > 0:
        peak[at.STATUS] = at.ENDLESS_FREE
    counts.sums[line_at.FEATURES] += 1
    counts.sums[line_at.PLAYED] += played
    count_parts(counts, squares, 1, parts)
    add_square(squares, line_at.SQ_FREE, total)
    add_square(squares, line_at.SQ_PLAYED, played)
    return total


@melted
def count_paid_spin(
    t: LineGameTables,
    counts: LineCounts,
    pays: int,
    won: int,
    largest: int,
    times: Ints,
    parts: Ints,
) -> None:
    """Count what a paid spin paid, but for its win."""
    counts.sums[line_at.HITS] += pays
    counts.sums[line_at.LINE_HITS] += won > 0
    counts.sums[line_at.TOP_PRIZES] += won > 0 and largest == t.top
    scatters = t.sight.scatter_mark.shape[0]
    for scatter in range(1, 1 + scatters):
        counts.paid[scatter] += parts[scatter] > 0
    for bonus in range(times.shape[0]):
        counts.paid[1 + scatters + bonus] += times[bonus] > 0


@kernel
def play_lines(
    t: LineGameTables, counts: LineCounts, squares: Ints, wins: Ints, spins: Ints, peak: Ints, state: Words,
    rounds: int, log: RoundLog,
) -> None:  # fmt: skip
    """Play complete rounds: add to ``counts``, ``squares`` [place][half], ``wins`` [units of a round] and ``spins``
    [kind][units of a spin].

    ``peak`` is [largest win, status], ``state`` the generator: both live on. ``log`` has no places or one for each round.
    """
    rows = np.zeros(t.reels.length.shape[1], np.uint64)
    parts = np.zeros(counts.parts.shape[1], np.int64)
    times = np.zeros(t.sight.bonus_mark.shape[0], np.int64)
    logged = log.won.shape[0] > 0
    for i in range(rounds):
        parts[:] = 0
        win, pays, won, largest, left = play_spin(t, counts, 0, state, rows, times, parts)
        count_paid_spin(t, counts, pays, won, largest, times, parts)
        if win > 0:
            count_parts(counts, squares, 0, parts)
            count_spin(squares, spins, 0, line_at.SQ_SPIN, win)
        if left > 0:
            win += play_free_games(t, counts, squares, spins, peak, state, rows, times, parts, left)
            if peak[at.STATUS] == at.ENDLESS_FREE:
                break
        if win > 0:
            count_win(counts.sums, squares, wins, peak, win, 1)
        if logged:
            log.won[i] = win
    counts.sums[line_at.ROUNDS] += rounds
    counts.sums[line_at.TOP_PRIZE] += rounds * t.top
