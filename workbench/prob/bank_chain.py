"""Average reward of a Markov chain on 0, 1, 2, ... with bounded moves that is the same from some state B on.

``moves[b, U + d]`` is P(b -> b + d) for d = -U .. K - 1, ``rewards[b, i]`` the mean reward of part i in state b; rows
beyond B are row B. With gain g and bias h (h(0) = 0) the Poisson equation is

    g + h(b) = r(b) + sum over d of P(b -> b + d) h(b + d).

Far out the chain drifts by D = sum over d of d P(B -> B + d). If D < 0 the bias is linear there,
h(B + i) = h(B) + i l with l = (g - r(B)) / D, up to terms that die out as fast as the stationary law; if D >= 0 the
low states are left for ever (or the chain never moves) and h is taken flat. Either way the equations close at
B + 1 unknowns and are banded: an M-matrix, solved without loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.prob._bank_kernels import folded_band, transposed_band

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BankChain:
    """The chain; ``down`` is U, the longest move downward."""

    moves: Array
    rewards: Array
    down: int

    @property
    def last(self) -> int:
        """B, the state from which on all are alike."""
        return len(self.moves) - 1

    @property
    def drift(self) -> float:
        """D: mean move far out."""
        return float(self.moves[-1] @ (np.arange(self.moves.shape[1]) - self.down))

    def moves_up(self) -> bool:
        """Whether any state moves upward at all."""
        return bool(self.moves[:, self.down + 1 :].any())

    def solve(self) -> tuple[Array, Array]:
        """(gains (parts,), bias (B + 1, parts))."""
        if not self.moves_up():
            return self._solve_falling()
        if self.drift >= 0:
            return self._solve_rising()
        return self._solve_falling()

    def _solve_falling(self) -> tuple[Array, Array]:
        """State 0 is come back to: h(0) = 0, and the gain is what its own equation then asks for."""
        drift = self.drift
        far = self._beyond() / drift if drift < 0 else np.zeros(self.last + 1)
        right = self.rewards - far[:, None] * self.rewards[-1]
        column = 1.0 - far
        try:
            found = _solve_banded(self._falling_band, self._shape, np.column_stack([right[1:], column[1:]]))
        except np.linalg.LinAlgError:
            # some states are kept for ever: they are never reached from 0, and no bias is told for them
            return self.rewards[0].copy(), np.zeros_like(self.rewards)
        first = self._first_row()
        gains = (right[0] + first @ found[:, :-1]) / (column[0] + first @ found[:, -1])
        bias = np.zeros_like(self.rewards)
        bias[1:] = found[:, :-1] - found[:, -1:] * gains
        return gains, bias

    def _solve_rising(self) -> tuple[Array, Array]:
        """The low states are left for ever: the gain is that of the far states, where the bias is flat."""
        gains = self.rewards[-1].copy()
        bias = np.zeros_like(self.rewards)
        try:
            bias[:-1] = _solve_banded(self._band(0), self._shape, self.rewards[:-1] - gains)
        except np.linalg.LinAlgError:
            return self._solve_apart()
        return gains, bias - bias[0]

    def _solve_apart(self) -> tuple[Array, Array]:
        """Some low states are never left: only what is reached from 0 counts, and no bias is told for the rest."""
        reached = self._reached()
        bias = np.zeros_like(self.rewards)
        if reached[-1]:
            gains, here = self.rewards[-1].copy(), np.flatnonzero(reached[:-1])
            inner = np.eye(len(here)) - self.dense()[np.ix_(here, here)]
            bias[here] = np.linalg.solve(inner, self.rewards[here] - gains)
            return gains, bias - bias[0]
        here = np.flatnonzero(reached)
        system = np.eye(len(here)) - self.dense()[np.ix_(here, here)]
        # h(0) = 0, so that its column can stand for the gain
        system[:, 0] = 1.0
        found = np.linalg.lstsq(system, self.rewards[here])[0]
        bias[here[1:]] = found[1:]
        return np.asarray(found[0]), bias

    def _reached(self) -> NDArray[np.bool_]:
        """Which of 0 .. B are reached from 0."""
        leads = self.dense() > 0
        reached = np.arange(self.last + 1) == 0
        while (more := reached | leads[reached].any(axis=0)).sum() > reached.sum():
            reached = more
        return np.asarray(reached)

    def slope(self, gain: float) -> float:
        """l: how the bias of the summed parts goes on beyond B."""
        drift = self.drift
        return float(gain - self.rewards[-1].sum()) / drift if drift < 0 else 0.0

    def stationary(self) -> Array | None:
        """The stationary law on 0 .. B reached from 0 (what passes B stays there), or None where there is none."""
        law = np.zeros(self.last + 1)
        law[0] = 1.0
        if not self.moves[0, self.down + 1 :].any():
            return law
        if self.drift >= 0:
            return None
        law[1:] = _solve_banded(
            _transposed(self._falling_band, self._shape), self._shape[::-1], self._first_row()
        )
        law = np.maximum(law, 0.0)
        return np.asarray(law / law.sum())

    def dense(self) -> Array:
        """The transition matrix on 0 .. B, what passes B staying there."""
        matrix = np.zeros((self.last + 1, self.last + 1))
        for b, row in enumerate(self.moves):
            for i in np.flatnonzero(row).tolist():
                matrix[b, min(b + i - self.down, self.last)] += row[i]
        return matrix

    @property
    def _shape(self) -> tuple[int, int]:
        return self.down, self.moves.shape[1] - self.down - 1

    def _beyond(self) -> Array:
        """Mean overshoot beyond B of one move from each state."""
        over = np.arange(self.last + 1)[:, None] + np.arange(self.moves.shape[1]) - self.down - self.last
        return np.asarray((self.moves * np.maximum(over, 0)).sum(axis=1))

    def _first_row(self) -> Array:
        """P(0 -> b) for b = 1 .. B."""
        row = np.zeros(self.last)
        up = self.moves[0, self.down + 1 :]
        row[: min(len(up), self.last)] = up[: self.last]
        row[-1] += up[self.last :].sum()
        return row

    @cached_property
    def _falling_band(self) -> Array:
        return self._band(1)

    def _band(self, first: int) -> Array:
        """I - P on B states from ``first`` (0 or 1) on, folded at B, as scipy's diagonals (upper, then lower)."""
        rows = np.ascontiguousarray(self.moves[first : first + self.last])
        return np.asarray(folded_band(rows, self.down, first == 1))


def _solve_banded(band: Array, shape: tuple[int, int], right: Array) -> Array:
    from scipy.linalg import solve_banded

    return np.asarray(solve_banded(shape, band, right))


def _transposed(band: Array, shape: tuple[int, int]) -> Array:
    """The band of the transposed matrix."""
    return np.asarray(transposed_band(band, *shape))
