"""Complete rounds of a game whose Orbs award modifiers and whose respins fill a grid with Money.

Random numbers are drawn in the order of ``money_player``: the base stops from reel 1; the trigger wheel (of one
value if no Orb is in sight: a branch there would be guessed wrong every fifth round); each respin's open cells, then the value of each Money landed, then for each blue Orb a symbol and a value, for each red Orb
a count and for each symbol it picks the pick and its multiplier (or one multiplier first, for all), for each golden Orb a name.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel, melted
from workbench.simulate import _money_shapes_kernels as at
from workbench.simulate._lines_kernels import further_words, may_win, word_win
from workbench.simulate._money_shapes_kernels import MoneyCounts, MoneyTables, RespinTables
from workbench.simulate._random_kernels import below
from workbench.simulate._round_kernels import add_square, count_win, halt
from workbench.simulate._shapes_kernels import (
    Ints,
    RoundLog,
    Words,
)

_0 = np.uint64(0)


@melted
def turn(state: Words, wheel: Words, chosen: int, counted: Ints) -> int:
    """Turn a set's wheel [set][value]: the place of its value."""
    drawn = below(state, wheel[chosen, wheel.shape[1] - 1])
    value = 0
    while drawn >= wheel[chosen, value]:
        value += 1
    counted[chosen, value] += 1
    return value


@melted
def raise_levels(full: int, levels: Ints, packed: int) -> int:
    """Raise the stashes by the Orbs in sight: the place of the levels of the colours in sight.

    ``packed`` has the Orbs of each colour in a field of its own. Where stashes only show, the place is the set of
    colours in sight.
    """
    place = 0
    base = 1
    for colour in range(levels.shape[0]):
        seen = (packed >> (at.FIELD * colour)) & at.FIELD_MASK
        if seen > 0:
            levels[colour] = min(full, levels[colour] + seen)
            place += levels[colour] * base
        base *= full + 1
    return place


@melted
def award(state: Words, place: int, odds: Words, wheel_of: Ints, cumulative: Words, awards: Ints) -> np.int64:
    """Turn the trigger wheel of a place: the modifier set awarded, or -1. Its heaviest value is tried first."""
    drawn = below(state, odds[place, 0])
    awarded: np.int64 = np.int64(odds[place, 3]) - np.int64(1)
    if not odds[place, 1] <= drawn < odds[place, 2]:
        value = 0
        while drawn >= cumulative[wheel_of[place], value]:
            value += 1
        awarded = awards[wheel_of[place], value]
    return awarded


@melted
def empty_stashes(colours: Ints, levels: Ints, awarded: int) -> None:
    """An awarded modifier empties its stash."""
    for colour in range(levels.shape[0]):
        if colours[awarded, colour]:
            levels[colour] = 0


@melted
def land(r: RespinTables, counts: MoneyCounts, state: Words, chosen: int, filled: int, landed: Ints) -> int:
    """Spin the open cells: ``landed`` [outcome] is what landed; returns how much in all."""
    landed[:] = 0
    stage = r.stage_of[chosen, filled]
    total, landing = r.landing_total[stage], r.landing[stage]
    some = landing[at.OUTCOMES - 1]
    for _ in range(r.cells[chosen] - filled):
        drawn = below(state, total)
        if drawn < some:
            outcome = 0
            while drawn >= landing[outcome]:
                outcome += 1
            landed[outcome] += 1
    count = 0
    for outcome in range(at.OUTCOMES):
        counts.landed[chosen, outcome] += landed[outcome]
        count += landed[outcome]
    return count


@melted
def multiply(
    r: RespinTables, counts: MoneyCounts, state: Words, chosen: int, values: Ints, times: Ints, filled: int,
    order: Ints,
) -> None:  # fmt: skip
    """One red Orb: multiply some of the ``filled`` values. ``order`` is scratch."""
    count = min(filled, r.multiplied_value[turn(state, r.multiplied, chosen, counts.multiplied)])
    common = 0
    if r.one_for_all and count > 0:
        common = turn(state, r.multiplier, chosen, counts.multiplier)
    for i in range(filled):
        order[i] = i
    for i in range(count):
        j = i + np.int64(below(state, np.uint64(filled - i)))
        order[i], order[j] = order[j], order[i]
        by: int = common
        if not r.one_for_all:
            by = turn(state, r.multiplier, chosen, counts.multiplier)
        symbol = order[i]
        if times[symbol] < r.times:
            times[symbol] += 1
            values[symbol] = values[symbol] * r.factor[by] // r.divisor[by]


@melted
def play_respins(
    r: RespinTables, counts: MoneyCounts, state: Words, chosen: int, values: Ints, times: Ints, order: Ints,
    names: Ints, landed: Ints, parts: Ints,
) -> int:  # fmt: skip
    """Play the respins of a modifier set: ``parts`` [part] is set to the win by part; returns respins played.

    The other arrays are scratch: [cell] values, times multiplied and order, [name] counts, [outcome] landings.
    """
    parts[:] = 0
    names[:] = 0
    filled, played, charging = 0, 0, 0
    left = r.respins
    while left > 0 and filled < r.cells[chosen]:
        left -= 1
        played += 1
        if land(r, counts, state, chosen, filled, landed) > 0:
            left = r.respins
        for _ in range(landed[at.OUT_MONEY]):
            values[filled] = r.money_value[turn(state, r.money, chosen, counts.money)]
            times[filled] = 0
            parts[0] += values[filled]
            filled += 1
        charging = landed[at.OUT_CHARGE] + (charging if r.charge_stays else 0)
        if filled > 0:
            for _ in range(charging):
                symbol = np.int64(below(state, np.uint64(filled)))
                added = r.charge_value[turn(state, r.charge, chosen, counts.charge)]
                values[symbol] += added
                parts[1] += added
        for _ in range(landed[at.OUT_MULTIPLY]):
            multiply(r, counts, state, chosen, values, times, filled, order)
        for _ in range(landed[at.OUT_JACKPOT]):
            name = turn(state, r.jackpot, chosen, counts.names)
            names[name] += 1
            if names[name] == r.of_a_name:
                names[name] = 0
                counts.awards[chosen, name] += 1
                parts[3] += r.prize[name]
    counts.filled[chosen, filled] += 1
    for cell in range(filled):
        parts[2] += values[cell]
    parts[2] -= parts[0] + parts[1]
    if filled == r.cells[chosen]:
        parts[:] = 0
        parts[4] = r.full_grid
    return played


@melted
def count_respins(counts: MoneyCounts, squares: Ints, chosen: int, parts: Ints, played: int) -> int:
    """Count the respins of a modifier set by part; returns their win."""
    win = 0
    first = at.SQ_SETS + chosen * (1 + parts.shape[0])
    for part in range(parts.shape[0]):
        win += parts[part]
        counts.parts[chosen, part] += parts[part]
        counts.sums[at.MONEY + part] += parts[part]
        add_square(squares, at.SQ_MONEY + part, parts[part])
        add_square(squares, first + 1 + part, parts[part])
    counts.sums[at.RESPINS] += 1
    counts.sums[at.PLAYED] += played
    counts.played[chosen] += played
    add_square(squares, at.SQ_RESPINS, win)
    add_square(squares, first, win)
    return win


@melted
def count_cap(r: RespinTables, sums: Ints, squares: Ints, win: int, by: int) -> None:
    """Count what the cap takes from a round's win; ``by`` -1 takes it back."""
    if win >= r.cap:
        sums[at.CAPPED] += by
        sums[at.CUT] += by * (win - r.cap)
        add_square(squares, at.SQ_CUT, win - r.cap, by)


@melted
def count_lines(sums: Ints, squares: Ints, win: int, by: int) -> None:
    """Count the win of a spin's lines; ``by`` -1 takes it back."""
    sums[at.LINES] += by * win
    add_square(squares, at.SQ_LINES, win, by)


@kernel
def play_money(
    t: MoneyTables, counts: MoneyCounts, squares: Ints, wins: Ints, peak: Ints, state: Words, levels: Ints,
    rounds: int, log: RoundLog,
) -> None:  # fmt: skip
    """Play complete rounds: add to ``counts``, ``squares`` [place][half] and ``wins`` [units of a round].

    ``peak`` is [largest win, status], ``levels`` [colour] the stashes, ``state`` the generator: all live on. ``log`` has no
    places or one for each round.
    """
    lines, reels, orbs, respins = t
    rows = np.zeros(reels.length.shape[1], np.uint64)
    cells = np.zeros((3, at.MOST_CELLS), np.int64)
    values, times, order = cells[0], cells[1], cells[2]
    names = np.zeros(respins.prize.shape[0], np.int64)
    landed, parts = np.zeros(at.OUTCOMES + 1, np.int64), np.zeros(5, np.int64)
    windows, first, length = reels.lines_of, reels.first[0], reels.length[0]
    pay, shortest, best_symbol, columns = lines.pay, lines.shortest, lines.best_symbol, lines.columns
    hits, sums, triggers, level_counts = counts.base_hits, counts.sums, counts.triggers, counts.levels
    in_sight, shown, full, keeps, odds, wheel_of, cumulative, awards, colours = orbs
    logged = log.won.shape[0] > 0
    until = 0 if log.session > 0 else -1
    for i in range(rounds):
        if until == 0:
            levels[:] = 0
            until = log.session
        until -= 1
        halt(state, first, length, rows)
        win = 0
        # counted where it is known: a branch on the win after the Orbs would be guessed wrong every fourth round
        if may_win(windows, rows, shortest):
            win = word_win(pay, shortest, best_symbol, windows, rows, _0, hits)
            if windows.shape[1] > columns:
                win += further_words(pay, shortest, best_symbol, columns, windows, rows, hits)
            if win > 0:
                sums[at.HITS] += 1
                count_lines(sums, squares, win, 1)
                count_win(sums, squares, wins, peak, win, 1)
                count_cap(respins, sums, squares, win, 1)
        mask = 0
        for reel in range(rows.shape[0]):
            mask |= shown[rows[reel]]
        place = mask
        if keeps:
            seen = 0
            for reel in range(rows.shape[0]):
                seen += in_sight[rows[reel]]
            place = raise_levels(full, levels, seen)
        chosen = award(state, place, odds, wheel_of, cumulative, awards)
        if keeps and chosen >= 0:
            empty_stashes(colours, levels, chosen)
        triggers[mask, chosen + 1] += 1
        if keeps:
            for colour in range(levels.shape[0]):
                level_counts[colour, levels[colour]] += 1
        if chosen >= 0:
            played = play_respins(respins, counts, state, chosen, values, times, order, names, landed, parts)
            more = count_respins(counts, squares, chosen, parts, played)
            if win > 0:
                count_win(sums, squares, wins, peak, win, -1)
                count_cap(respins, sums, squares, win, -1)
                if parts[4] > 0:
                    count_lines(sums, squares, win, -1)
            win = more if parts[4] > 0 else win + more
            if win > 0:
                count_win(sums, squares, wins, peak, win, 1)
                count_cap(respins, sums, squares, win, 1)
        if logged:
            log.won[i] = win
    sums[at.ROUNDS] += rounds
