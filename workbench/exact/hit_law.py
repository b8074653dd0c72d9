"""Whether a spin wins on any line: an event joint over lines and cells, jointly with what is in sight.

Reel by reel, a spin is what its lines may still win: for each state of :mod:`workbench.exact.gains` the lines in it, as
a bit set. A line that takes a gaining edge wins and with it the spin; a spin whose lines have all settled has lost; the rest
are merged where they are equal and go on over the *classes* of windows that cover the same lines. Most spins are decided
by the reel from which the shortest runs pay, so the cost is that of the first few reels, not of the cycle.

All results are integer counts of stop combinations, or sums of products of stop weights, out of the cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.errors import StripSetError
from workbench.exact._hit_kernels import next_boards
from workbench.exact.gains import Gains
from workbench.exact.marks import Marks
from workbench.exact.weighted_lines import shown_symbols
from workbench.game.definition import GameDefinition

Ints = NDArray[np.int64]
MAX_CYCLE = 2**62
MAX_BOARD_BYTES = 1 << 30
WORD = 64


@dataclass(frozen=True)
class HitLaw:
    """Stop combinations by (some line gains or none, code of the marks): ``counts[hit][code]``."""

    counts: tuple[tuple[int, ...], tuple[int, ...]]
    cycle: int

    @property
    def hits(self) -> int:
        """Stop combinations in which some line gains."""
        return sum(self.counts[1])


Classes = tuple[NDArray[np.uint64], Ints, Ints]
"""Windows of one reel that cover the same lines and show the same marks: (cover, code of the marks, weight) of each."""


def hit_law(
    game: GameDefinition, reels: Sequence[Sequence[str]], weights: Sequence[Ints], gains: Gains, marks: Marks
) -> HitLaw:
    """The law of "some line gains" and the marks in sight.

    Raises StripSetError where the cycle can't be counted in 62 bits, or too many spins stay undecided for the memory.
    """
    cycle = prod(int(w.sum()) for w in weights)
    if cycle >= MAX_CYCLE:
        raise StripSetError(f"reels: the cycle must be below {MAX_CYCLE}, but is {cycle}")
    words = -(-len(game.lines) // WORD)
    through = lines_through(game, words)
    shown, stops = shown_symbols(game, reels)
    plus = marks.plus
    totals = ([0] * marks.size, [0] * marks.size)
    boards = _whole_board(len(game.lines), words)
    if gains.states[0] < 2:
        return HitLaw((tuple(marks.law(weights)), tuple(totals[1])), cycle)
    for r in range(len(reels)):
        classes = window_classes(
            gains, r, shown[r, : stops[r]], through[r], marks.codes[r, : stops[r]], weights[r]
        )
        boards, won, lost = _next(boards, words, gains, r, classes, plus)
        later = marks.law(weights, r + 1)
        for hit, decided in enumerate((lost, won)):
            _add(totals[hit], decided.tolist(), later, plus)
        if not boards[3]:
            break
    return HitLaw((tuple(totals[0]), tuple(totals[1])), cycle)


def _add(total: list[int], decided: list[int], later: list[int], plus: Ints) -> None:
    for m, count in enumerate(decided):
        if count:
            for n, ways in enumerate(later):
                total[plus[m, n]] += count * ways


_Boards = tuple[NDArray[np.uint64], Ints, Ints, int]


def _whole_board(lines: int, words: int) -> _Boards:
    """All lines in the state of the empty line."""
    bits = [(1 << min(WORD, lines - WORD * w)) - 1 for w in range(words)]
    return np.array([bits], dtype=np.uint64), np.zeros(1, np.int64), np.ones(1, np.int64), 1


def _next(
    boards: _Boards, words: int, gains: Gains, reel: int, classes: Classes, plus: Ints
) -> tuple[_Boards, Ints, Ints]:
    keys, tags, weights, number = boards
    width = (int(gains.states[reel + 1]) - 1) * words
    size = 1 << 12
    wins = (gains.gain[0] > 0).astype(np.int64)
    while True:
        won, lost = np.zeros(len(plus), np.int64), np.zeros(len(plus), np.int64)
        *found, fits = next_boards(
            keys, tags, weights, number, words, width, int(gains.edge_first[reel]), int(gains.edge_first[reel + 1]),
            gains.start, gains.end, gains.predicate, wins, *classes, plus, size,
            won, lost,
        )  # fmt: skip
        if fits:
            return (found[0], found[1], found[2], found[3]), won, lost
        size *= 4
        if size * 8 * (width + 4) > MAX_BOARD_BYTES:
            raise StripSetError(
                f"reels: after reel {reel + 1} more spins stay undecided than fit into {MAX_BOARD_BYTES} bytes"
            )


def lines_through(game: GameDefinition, words: int) -> NDArray[np.uint64]:
    """[reel, row, word]: the lines through a cell, as bit sets."""
    found = np.zeros((game.reel_count, max(game.grid.rows), words), dtype=np.uint64)
    for number, line in enumerate(game.lines):
        for r, row in enumerate(line):
            found[r, row, number // WORD] |= np.uint64(1 << (number % WORD))
    return found


def window_classes(
    gains: Gains, reel: int, shown: Ints, through: NDArray[np.uint64], codes: Ints, weights: Ints
) -> Classes:
    """The window classes of a reel by what its edges ask for."""
    asked = np.unique(gains.predicate[gains.edge_first[reel] : gains.edge_first[reel + 1]])
    cover = np.zeros((len(shown), gains.predicates, through.shape[1]), dtype=np.uint64)
    for row in range(shown.shape[1]):
        for i in range(gains.holds.shape[1]):
            symbols = shown[:, row]
            at = np.flatnonzero((symbols >= 0) & (i < gains.hold_count[symbols]))
            cover[at, gains.holds[symbols[at], i]] |= through[row]
    flat = np.concatenate([cover[:, asked].reshape(len(shown), -1), codes[:, None].astype(np.uint64)], axis=1)
    _, first, number = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    ways = np.zeros(len(first), dtype=np.int64)
    np.add.at(ways, number.ravel(), weights)
    return np.ascontiguousarray(cover[first]), codes[first], ways
