"""Hold-and-spin on given base strips, tabulated over the two weights of its position reels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.prob.product_chain import Array

SHARES = np.array([0.005, 0.015, 0.03, 0.05, 0.075, 0.1, 0.13, 0.17])
KEY_SHARES = np.array([0.0005, 0.002, 0.006, 0.014, 0.03, 0.06])
TABLE_KEYS = 12


@dataclass(frozen=True)
class HoldTable:
    """Hold-and-spin on given base strips, over a grid of the two weights: shares of collectables and Keys.

    low[i, j]
        lines and ladder prizes a round at (p_i, q_j) when all Keys are saved and none used.
    law[i, j]
        P(step, Keys) a round.
    """

    low: Array
    law: Array
    extra: Array

    def solve(self, low: float, gap: float, key_value: float) -> tuple[float, float, float, float]:
        """(p, q, Keys a round, miss): the shares that give ``low`` and lift the best play ``gap`` above the worst.

        Linear between the grid's points; ``miss`` is by how much the grid falls short, in bets.
        """
        keys = np.arange(self.law.shape[3])
        gains = (self.law * np.maximum(keys * key_value, self.extra)[None, None])[..., 1:].sum(axis=(2, 3))
        won = (self.law * keys).sum(axis=(2, 3))
        shares = [float(np.interp(low, self.low[:, j], SHARES)) for j in range(len(KEY_SHARES))]
        along = [float(np.interp(p, SHARES, gains[:, j])) for j, p in enumerate(shares)]
        q = float(np.interp(gap, along, KEY_SHARES))
        p = float(np.interp(q, KEY_SHARES, shares))
        rate = float(
            np.interp(q, KEY_SHARES, [np.interp(x, SHARES, won[:, j]) for j, x in enumerate(shares)])
        )
        miss = max(low - self.low[-1].min(), self.low[0].max() - low, 0.0)
        return p, q, rate, miss + max(gap - along[-1], along[0] - gap, 0.0)
