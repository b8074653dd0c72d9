"""Line wins from bit sets of lines. Arrays in, numbers out; tables are those of ``_shapes_kernels``.

``windows`` is ``ReelTables.lines_of``: [row of the table][word x columns + symbol]. ``rows`` holds, reel by reel, the
row of the window in sight. A kernel asks ``may_win``, then adds ``word_win`` of the first word and
``further_words`` if there are any; the three are not one helper because a helper of helpers takes twice as long.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import inline, melted
from workbench.simulate._shapes_kernels import Ints, Words

_0 = np.uint64(0)
_1 = np.uint64(1)
_2 = np.uint64(2)
_3 = np.uint64(3)
_4 = np.uint64(4)
_56 = np.uint64(56)
_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_EIGHTS = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)


@melted
def ones(word: np.uint64) -> np.int64:
    """How many bits of a word are set."""
    word = word - ((word >> _1) & _PAIRS)
    word = (word & _FOURS) + ((word >> _2) & _FOURS)
    word = (word + (word >> _4)) & _EIGHTS
    return np.int64((word * _BYTES) >> _56)


@melted
def run_length(windows: Words, rows: Words, column: int, bit: np.uint64) -> int:
    """How many reels from the left show the symbol of a column (or the Wild) on a line."""
    run = 0
    while run < rows.shape[0] and windows[rows[run], column] & bit:
        run += 1
    return run


@melted
def line_winner(
    pay: Ints, best_symbol: int, windows: Words, rows: Words, start: int, bit: np.uint64
) -> tuple[int, int, int]:
    """Winning symbol, length and pay of one line; pay 0 if it doesn't win. ``start`` is its word's first column.

    The Wilds' own run comes first, then the symbols from the best; a later one must pay more.
    """
    wild = pay.shape[0] - 1
    wilds = run_length(windows, rows, start + wild, bit)
    winner, length, most = wild, wilds, pay[wild, wilds]
    for symbol in range(wild):
        run = run_length(windows, rows, start + symbol, bit)
        if (best_symbol or run > wilds) and pay[symbol, run] > most:
            winner, length, most = symbol, run, pay[symbol, run]
    return winner, length, most


@melted
def may_win(windows: Words, rows: Words, shortest: int) -> np.uint64:
    """Not 0 if some line's first three reels (fewer if shorter runs pay) show one symbol or the Wild.

    With one word of lines these are the lines themselves.
    """
    a, b, c = rows[0], rows[min(1, shortest - 1)], rows[min(2, shortest - 1)]
    union = _0
    for column in range(windows.shape[1]):
        union |= windows[a, column] & windows[b, column] & windows[c, column]
    return union


@melted
def _led_win(
    pay: Ints, best_symbol: int, windows: Words, rows: Words, start: int, led: np.uint64, hits: Ints
) -> int:
    """Win of the lines in ``led``, taken one by one."""
    win = 0
    while led:
        rest = led & (led - _1)
        winner, length, most = line_winner(pay, best_symbol, windows, rows, start, led ^ rest)
        if most > 0:
            hits[winner, length] += 1
            win += most
        led = rest
    return win


@melted
def word_win(
    pay: Ints, shortest: int, best_symbol: int, windows: Words, rows: Words, start: np.uint64, hits: Ints
) -> int:
    """Win of the lines of one word in units; adds each to ``hits`` [winning symbol][length].

    ``pay`` is [symbol, Wild last][run length]. A line led by fewer Wilds than the shortest paid run has one symbol
    that can win it, so such lines are counted run by run; the others (``led``) are taken one by one.
    Indices are unsigned: signed ones cost a test for wrapping around at each access.
    """
    wild = np.uint64(pay.shape[0] - 1)
    reels, least = np.uint64(rows.shape[0]), np.uint64(shortest)
    a, b, c = rows[0], rows[min(1, shortest - 1)], rows[min(2, shortest - 1)]
    led = windows[a, start + wild] & windows[b, start + wild] & windows[c, start + wild]
    for reel in range(_3, least):
        led &= windows[rows[reel], start + wild]
    win = 0
    for symbol in range(wild):
        column = start + symbol
        alive = windows[a, column] & windows[b, column] & windows[c, column] & ~led
        if alive:
            for reel in range(_3, least):
                alive &= windows[rows[reel], column]
            for run in range(least, reels):
                longer = alive & windows[rows[run], column]
                if pay[symbol, run] > 0:
                    count = ones(alive ^ longer)
                    hits[symbol, run] += count
                    win += count * pay[symbol, run]
                alive = longer
            if pay[symbol, reels] > 0:
                count = ones(alive)
                hits[symbol, reels] += count
                win += count * pay[symbol, reels]
    if led:
        win += _led_win(pay, best_symbol, windows, rows, np.int64(start), led, hits)
    return win


@inline
def further_words(
    pay: Ints, shortest: int, best_symbol: int, columns: int, windows: Words, rows: Words, hits: Ints
) -> int:
    """Win of the lines beyond the first word of ``columns``."""
    win = 0
    for start in range(columns, windows.shape[1], columns):
        win += word_win(pay, shortest, best_symbol, windows, rows, np.uint64(start), hits)
    return win
