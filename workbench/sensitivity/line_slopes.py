"""What lines win, window by window of one reel: means and mean squares, linear in the windows of each reel.

A line's gains (:mod:`workbench.exact.gains`) before reel r are A; from reel r on it gains X, by what it meets there and later.
A depends on the reels before r and X, given the line's state, on the others, so over the cycle, reel r showing window w,

    E[A + X; w] = past_r + sum over rows a of slope_r[a, w_a],
    E[(A + X) (A' + X'); w] = past_r + sum over a of slope_r[a, w_a] + sum over rows a, b of both_r[a, b, w_a, w_b],

where the sums over lines and pairs of lines are taken once for all windows: A A' goes into ``past``, A X' + A' X into
``slope``, for X' asks for the window's cell on the second line alone, and X X' into ``both``. Each weighting of the stops
(a lane) has its own; a window's sums are these times its own weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.exact.gains import Gains, gains_of
from workbench.exact.line_law import line_law
from workbench.exact.line_rules import Mode
from workbench.exact.weighted_lines import LineSums, line_sums
from workbench.game.definition import GameDefinition
from workbench.sensitivity._line_slope_kernels import line_slopes, pair_slopes

Ints = NDArray[np.int64]
Lanes = NDArray[Any]
THREADS = 2


@dataclass(frozen=True)
class LineSlopes:
    """The sums of a game's line coins on some strips; ``sums`` holds the weights of their stops, ``lines`` the rows."""

    sums: LineSums
    lines: Ints

    @classmethod
    def of(
        cls,
        game: GameDefinition,
        reels: Sequence[Sequence[str]],
        weights: Sequence[Lanes],
        mode: Mode = "base",
    ) -> LineSlopes:
        """Those of all line coins; ``weights[r]`` of shape (stops, lanes)."""
        gains = gains_of(line_law(game, mode), [lambda award: float(award.coins)])
        return cls(line_sums(game, gains, reels, weights), np.array(game.lines, dtype=np.int64))

    @property
    def _gains(self) -> Gains:
        return self.sums.gains

    @property
    def _shape(self) -> tuple[int, int, int, int]:
        """Reels, rows, predicates, lanes."""
        return (
            len(self.sums.stops),
            self.sums.shown.shape[2],
            self._gains.predicates,
            self.sums.rest.shape[1],
        )

    def _arguments(self) -> tuple[Any, ...]:
        g, s = self._gains, self.sums
        edges = (g.edge_first, g.start, g.end, g.predicate, g.gain[0])
        return self.lines, g.states, *edges, s.joint, s.rest, s.weights.sum(axis=1), g.anything

    def _by_symbol(self, values: Lanes, axis: int) -> Lanes:
        """The same with a symbol in place of the predicates it meets."""
        g = self._gains
        meets = np.zeros((len(g.holds), g.predicates))
        for x, count in enumerate(g.hold_count):
            meets[x, g.holds[x, :count]] = 1.0
        return np.moveaxis(np.tensordot(values, meets, axes=(axis, 1)), -1, axis)

    @cached_property
    def _one(self) -> tuple[Lanes, Lanes]:
        reels, rows, kinds, lanes = self._shape
        past = np.zeros((reels, lanes), self.sums.rest.dtype)
        slope = np.zeros((reels, rows, kinds, lanes), past.dtype)
        g, s = self._gains, self.sums
        chance = np.zeros((reels, rows, kinds, lanes), past.dtype)
        for r, stops in enumerate(s.stops.tolist()):
            for row in range(rows):
                for stop, x in enumerate(s.shown[r, :stops, row].tolist()):
                    if x >= 0:
                        chance[r, row, g.holds[x, : g.hold_count[x]]] += s.weights[r, stop]
        edges = (g.edge_first, g.start, g.end, g.predicate, g.gain[0])
        line_slopes(self.lines, g.states, *edges, chance, s.rest, s.weights.sum(axis=1), past, slope)
        return past, self._by_symbol(slope, 2)

    @cached_property
    def _two(self) -> tuple[Lanes, Lanes, Lanes]:
        reels, rows, kinds, lanes = self._shape
        arguments = self._arguments()

        def part(first: int, last: int) -> tuple[Lanes, Lanes, Lanes]:
            past = np.zeros((reels, lanes), self.sums.rest.dtype)
            slope = np.zeros((reels, rows, kinds, lanes), past.dtype)
            both = np.zeros((reels, rows, rows, kinds, kinds, lanes), past.dtype)
            pair_slopes(*arguments, first, last, past, slope, both)
            return past, slope, both

        bounds = (np.sqrt(np.linspace(0, 1, THREADS + 1)) * len(self.lines)).astype(int)
        with ThreadPoolExecutor(THREADS) as pool:
            parts = list(pool.map(lambda ends: part(*ends), pairwise(bounds.tolist())))
        past, slope, both = (sum(p[1:], p[0]) for p in zip(*parts, strict=True))
        return past, self._by_symbol(slope, 2), self._by_symbol(self._by_symbol(both, 3), 4)

    def ready(self) -> LineSlopes:
        """The same, what :meth:`means` rests on worked out: threads would each do it."""
        _ = self._one
        return self

    def means(self, reel: int, shown: Ints, weights: Lanes | None = None) -> Lanes:
        """(W, lanes): sum of the coins over the spins whose reel shows each window, which weighs ``weights`` (W, lanes)."""
        past, slope = self._one
        found: Lanes = past[reel] + self._on_rows(slope[reel], shown)
        return found if weights is None else found * weights

    def squares(self, reel: int, shown: Ints, weights: Lanes | None = None) -> Lanes:
        """(W, lanes): the same of the squared coins of all lines."""
        past, slope, both = self._two
        found: Lanes = past[reel] + self._on_rows(slope[reel], shown)
        rows = int((shown[0] >= 0).sum())
        for a in range(rows):
            for b in range(rows):
                found = found + both[reel, a, b, shown[:, a], shown[:, b]]
        return found if weights is None else found * weights

    def _on_rows(self, slope: Lanes, shown: Ints) -> Lanes:
        rows = int((shown[0] >= 0).sum())
        found: Lanes = sum(
            (slope[a, shown[:, a]] for a in range(rows)), np.zeros((len(shown), slope.shape[2]))
        )
        return found
