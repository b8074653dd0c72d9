"""The part of a round's law that is drawn, and what the draws say of chances and moments.

The draws are independent and of that part's own law, so how many of them fall into a set of wins is binomial, and the
interval of Clopper and Pearson holds with at least its level whatever the law.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.99
NORMAL_99 = 2.5758293035489004

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Estimated:
    """``counts[k]`` of the draws won k steps; the part is ``share`` of all rounds.

    ``mean`` and ``standard_deviation`` of the whole round are exact all the same, from direct formulas that cut no win
    at a cap: in total bets. The deviation may be left out, None, where it takes longer than the draws.
    """

    share: float
    counts: NDArray[np.int64]
    seed: int
    mean: float
    standard_deviation: float | None

    @cached_property
    def draws(self) -> int:
        """How many draws there are."""
        return int(self.counts.sum())

    @property
    def chances(self) -> Array:
        """The estimate of each win's chance."""
        return np.asarray(self.share * (self.counts / self.draws))

    @cached_property
    def _below(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.counts)])

    def chance(self, first: int, after: int) -> tuple[float, float, float]:
        """(estimate, low, high) of the part's chance of ``first`` to ``after`` - 1 steps."""
        first, after = (min(max(k, 0), len(self.counts)) for k in (first, after))
        count = int(self._below[after] - self._below[first])
        low, high = clopper_pearson(count, self.draws)
        return self.share * count / self.draws, self.share * low, self.share * high

    def half_width(self, values: Array) -> float:
        """Half the normal interval of the part's mean of ``values[k]``, k steps won."""
        chances = self.counts / self.draws
        spread = max(0.0, float(chances @ values**2) - float(chances @ values) ** 2)
        return NORMAL_99 * self.share * sqrt(spread / self.draws)


def clopper_pearson(count: int, trials: int, level: float = LEVEL) -> tuple[float, float]:
    """The interval of a probability that gave ``count`` of ``trials``.

    >>> [round(end, 6) for end in clopper_pearson(0, 1000)]
    [0.0, 0.005284]
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = float(betaincinv(count, trials - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, trials - count, 1 - tail)) if count < trials else 1.0
    return low, high
