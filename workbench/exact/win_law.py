"""The whole law of what the lines of one spin win, jointly with what is in sight: every outcome and its stop combinations.

As in :mod:`workbench.exact.hit_law` a spin is, reel by reel, what its lines may still win, and here with what they are sure to
have won: each line that takes an edge adds the edge's gain. Spins alike in both are merged and go on over the classes of
windows; a spin whose lines have all settled waits only for what the later reels show of the marks. The cost is that of the
distinct boards, which are far fewer than the stop combinations.

All results are integer counts of stop combinations, or sums of products of stop weights, out of the cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.errors import StripSetError
from workbench.exact._win_kernels import next_wins
from workbench.exact.gains import Gains
from workbench.exact.hit_law import MAX_BOARD_BYTES, MAX_CYCLE, WORD, Classes, lines_through, window_classes
from workbench.exact.marks import Marks
from workbench.exact.weighted_lines import shown_symbols
from workbench.game.definition import GameDefinition

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class WinLaw:
    """Outcome i: ``values[i]`` (sums over lines of each value), the code of the marks, and its stop combinations."""

    values: Ints
    marks: Ints
    counts: Ints
    cycle: int


def win_law(
    game: GameDefinition, reels: Sequence[Sequence[str]], weights: Sequence[Ints], gains: Gains, marks: Marks
) -> WinLaw:
    """The joint law of the values behind ``gains``, which must be whole numbers, and of the marks in sight.

    Raises StripSetError where the cycle can't be counted in 62 bits, or too many spins differ for the memory.
    """
    cycle = prod(int(w.sum()) for w in weights)
    if cycle >= MAX_CYCLE:
        raise StripSetError(f"reels: the cycle must be below {MAX_CYCLE}, but is {cycle}")
    words, values = -(-len(game.lines) // WORD), len(gains.gain)
    through = lines_through(game, words)
    shown, stops = shown_symbols(game, reels)
    gain = np.rint(gains.gain).astype(np.uint64)
    if gains.gain.size and (gain != gains.gain).any():
        raise ValueError("gains must be whole numbers")
    bits = [(1 << min(WORD, len(game.lines) - WORD * w)) - 1 for w in range(words)]
    board = np.array([[*bits, *[0] * values]], dtype=np.uint64)
    boards = (board, np.zeros(1, np.int64), np.ones(1, np.int64))
    settled = [_settled(boards, words, values, marks, weights, 0)] if gains.states[0] < 2 else []
    for r in range(len(reels) if gains.states[0] >= 2 else 0):
        classes = window_classes(
            gains, r, shown[r, : stops[r]], through[r], marks.codes[r, : stops[r]], weights[r]
        )
        before = (int(gains.states[r]) - 1) * words
        width = (int(gains.states[r + 1]) - 1) * words
        found = _next(boards, words, before, width, values, gains, gain, r, classes, marks.plus)
        done = (found[0][:, :width] == 0).all(axis=1)
        ended = (found[0][done], found[1][done], found[2][done])
        settled.append(_settled(ended, width, values, marks, weights, r + 1))
        boards = (found[0][~done], found[1][~done], found[2][~done])
        if not len(boards[0]):
            break
    return _merged(settled, values, cycle)


_Boards = tuple[NDArray[np.uint64], Ints, Ints]


def _next(
    boards: _Boards, words: int, before: int, width: int, values: int, gains: Gains, gain: NDArray[np.uint64],
    reel: int, classes: Classes, plus: Ints,
) -> _Boards:  # fmt: skip
    keys, tags, weights = boards
    cover, codes, ways = classes
    size = 1 << 14
    while True:
        *found, _, fits = next_wins(
            keys, tags, weights, len(keys), words, before, width, values, int(gains.edge_first[reel]),
            int(gains.edge_first[reel + 1]), gains.start, gains.end, gains.predicate, gain, cover, codes, ways, plus,
            size,
        )  # fmt: skip
        if fits:
            return found[0], found[1], found[2]
        size *= 4
        if size * 8 * (width + values + 4) > MAX_BOARD_BYTES:
            raise StripSetError(
                f"reels: after reel {reel + 1} more spins differ than fit into {MAX_BOARD_BYTES} bytes"
            )


def _settled(
    boards: _Boards, width: int, values: int, marks: Marks, weights: Sequence[Ints], first: int
) -> tuple[Ints, Ints]:
    """(N, values + 1) outcomes, the marks of the reels from ``first`` on added, and their counts."""
    keys, tags, counts = boards
    later = marks.law(weights, first)
    rows, ways = [], []
    for code, more in enumerate(later):
        if more:
            won = keys[:, width : width + values].astype(np.int64)
            rows.append(np.concatenate([won, marks.plus[tags, code][:, None]], axis=1))
            ways.append(counts * more)
    return np.concatenate(rows), np.concatenate(ways)


def _merged(settled: Sequence[tuple[Ints, Ints]], values: int, cycle: int) -> WinLaw:
    rows = np.concatenate([part for part, _ in settled])
    ways = np.concatenate([part for _, part in settled])
    outcomes, place = np.unique(rows, axis=0, return_inverse=True)
    counts = np.zeros(len(outcomes), dtype=np.int64)
    np.add.at(counts, place.ravel(), ways)
    return WinLaw(outcomes[:, :values], outcomes[:, values], counts, cycle)
