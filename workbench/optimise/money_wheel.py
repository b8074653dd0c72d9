"""A wheel of numbers brought to a wanted mean: tilted with the least change of information, then unit by unit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.optimise.modifier_drafts import WHEEL_TOTAL
from workbench.reels.strip_set import Weights

Real = NDArray[np.float64]


def mean_of(wheel: Weights, values: Real) -> float:
    """Mean of the numbers on a wheel."""
    return float(values @ np.array(wheel.weights, dtype=np.float64)) / wheel.total


def tilted_to(wheel: Weights, values: Real, mean: float) -> Weights:
    """The wheel nearest in information to ``wheel`` whose mean is ``mean``, in whole weights of at least 1.

    The nearest is weight * exp(tilt * value); the tilt is found by bisection.

    >>> tilted_to(Weights("w", ("1", "3"), (1, 1)), np.array([1.0, 3.0]), 1.5).probability("3")
    0.25
    """
    chance = np.array(wheel.weights, dtype=np.float64) / wheel.total
    low, high = -200.0 / values.max(), 200.0 / values.max()
    for _ in range(100):
        tilt = (low + high) / 2
        tilted_chance = chance * np.exp(tilt * (values - values.max() * (tilt > 0)))
        tilted_chance /= tilted_chance.sum()
        low, high = (tilt, high) if tilted_chance @ values < mean else (low, tilt)
    weights = np.maximum(1, np.rint(WHEEL_TOTAL * tilted_chance)).astype(int)
    return Weights(wheel.where, wheel.values, tuple(int(w) for w in weights))


def unit_move(wheel: Weights, values: Real, rise: float) -> Weights:
    """Move the units from one value to another that bring the mean nearest to its wanted rise, the fewest of equals."""
    best = (abs(rise), 0, 0, 0)
    for i in range(len(values)):
        for j in range(len(values)):
            if values[i] == values[j]:
                continue
            each = (values[j] - values[i]) / wheel.total
            units = max(0, min(wheel.weights[i] - 1, round(rise / each)))
            best = min(best, (abs(rise - units * each), units, i, j))
    _, units, i, j = best
    weights = list(wheel.weights)
    weights[i] -= units
    weights[j] += units
    return Weights(wheel.where, wheel.values, tuple(weights))
