"""Polish: integer wheel weights that meet several figures at once, to the last ppm.

With the total W of a wheel kept, a figure that is linear in the wheel moves by sum_i d_i (a_i - f) / W for the integer
change d (sum d_i = 0), where a_i is the figure on wedge i alone. So each wheel offers a cloud of small changes in the
space of the wanted figures; two wheels are combined by looking up, for every change of the one, the change of the
other nearest to what is still missing. Ever finer multiples of the unit change walk from afar; the
best few combinations are evaluated exactly, so a figure that is not quite linear costs a further round, no digit.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.reels.strip_set import StripSet, Weights

Array = NDArray[np.float64]
Figures = Callable[[StripSet], Array]
STEPS = (64, 16, 4, 1, 1, 1)
MOST_CHANGES = 120_000
TRIED = 24


def slopes(strips: StripSet, wheel: str, figures: Figures) -> Array:
    """(wedges, figures): change of each figure for one unit moved onto each wedge, the total kept."""
    weights = strips.wheels[wheel]
    here = figures(strips)
    rows = []
    for i in range(len(weights.values)):
        more = tuple(w + (j == i) for j, w in enumerate(weights.weights))
        there = figures(strips.with_wheel(wheel, Weights(weights.where, weights.values, more)))
        rows.append((there - here) * (weights.total + 1) / weights.total)
    return np.array(rows)


def changes(weights: Sequence[int], step: int) -> NDArray[np.int64]:
    """Integer changes with sum 0, entries small multiples of ``step``, that leave every weight at least 1."""
    n = len(weights)
    reach = 1
    while (2 * reach + 3) ** (n - 1) <= MOST_CHANGES and reach < 16:
        reach += 1
    grid = np.array(list(itertools.product(range(-reach, reach + 1), repeat=n - 1)), dtype=np.int64)
    grid = np.column_stack([grid, -grid.sum(axis=1)]) * step
    keep = (np.array(weights) + grid >= 1).all(axis=1) & (np.abs(grid[:, -1]) <= 2 * reach * step)
    return np.asarray(grid[keep])


def polish(
    strips: StripSet, wheels: tuple[str, str], figures: Figures, wanted: Array, tolerance: Array
) -> StripSet:
    """The set with the weights of two wheels changed so that ``figures`` come within ``tolerance`` of ``wanted``.

    Returns the nearest set found if none comes so near.
    """
    best, missing = strips, _distance(figures(strips), wanted, tolerance)
    for step in STEPS:
        if missing <= 1.0:
            break
        for candidate in _candidates(best, wheels, figures, wanted, tolerance, step):
            distance = _distance(figures(candidate), wanted, tolerance)
            if distance < missing:
                best, missing = candidate, distance
    return best


def _distance(found: Array, wanted: Array, tolerance: Array) -> float:
    """Largest miss in tolerances: at most 1 means that all hold."""
    return float(np.max(np.abs(found - wanted) / tolerance))


def _candidates(
    strips: StripSet, wheels: tuple[str, str], figures: Figures, wanted: Array, tolerance: Array, step: int
) -> list[StripSet]:
    """The combinations of one change on each wheel that should come nearest, best first."""
    from scipy.spatial import cKDTree

    missing = (wanted - figures(strips)) / tolerance
    first, second = (changes(strips.wheels[wheel].weights, step) for wheel in wheels)
    moves = [
        changed @ (slopes(strips, wheel, figures) / tolerance)
        for wheel, changed in zip(wheels, (first, second), strict=True)
    ]
    distance, nearest = (np.asarray(part) for part in cKDTree(moves[1]).query(missing - moves[0]))
    order = np.argsort(distance, kind="stable")[:TRIED]
    pairs = zip(first[order], second[nearest[order]], strict=True)
    return [_changed(_changed(strips, wheels[0], one), wheels[1], other) for one, other in pairs]


def _changed(strips: StripSet, wheel: str, change: NDArray[np.int64]) -> StripSet:
    weights = strips.wheels[wheel]
    new = tuple(int(w + d) for w, d in zip(weights.weights, change, strict=True))
    return strips.with_wheel(wheel, Weights(weights.where, weights.values, new))
