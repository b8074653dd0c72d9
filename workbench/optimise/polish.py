"""Polish: integer weights of two wheels that meet several figures at once, to the last ppm.

With the totals of two wheels u, v kept, a figure that is linear in each wheel moves, for integer changes d of u and e of
v with sum d = sum e = 0, by exactly

    g(d, e) = a . d + b . e + d' X e

where a_i, b_j, X_ij are differences of the figure for one unit moved from the heaviest wedge to wedge i of u, j of v.
The walk goes to the least relative change that solves a . d + b . e = what is missing in real numbers, rounded;
the match then takes integer changes d that move least, and for each the e whose g comes nearest to what is missing.
What it proposes is evaluated, so a figure that isn't quite linear costs a further round, no digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.reels.strip_set import StripSet, Weights

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Figures = Callable[[StripSet], Array]
MOST_WALKS, MOST_MATCHES = 12, 3
SHARES = (1.0, 0.5, 0.25, 0.125, 0.0625)
MOST_CHANGES = 1_000_000
MOST_FIRST, MOST_SECOND = 4_000, 20_000
NEAR_ENOUGH = 0.5


def polish(
    strips: StripSet, wheels: tuple[str, str], figures: Figures, wanted: Array, tolerance: Array
) -> StripSet:
    """The set with the weights of two wheels changed so that ``figures`` come within ``tolerance`` of ``wanted``.

    Returns the nearest set found if none comes so near.
    """
    best, missing = strips, _distance(figures(strips), wanted, tolerance)
    for propose, most in ((_walked, MOST_WALKS), (_matched, MOST_MATCHES)):
        for _ in range(most):
            if missing <= 1.0:
                return best
            before = missing
            local = _Local.at(best, wheels, figures, wanted, tolerance, propose is _matched)
            for candidate in propose(local):
                distance = _distance(figures(candidate), wanted, tolerance)
                if distance < missing:
                    best, missing = candidate, distance
                    break
            if missing == before:
                break
    return best


def _distance(found: Array, wanted: Array, tolerance: Array) -> float:
    """Largest miss in tolerances: at most 1 means that all hold."""
    return float(np.max(np.abs(found - wanted) / tolerance))


def slopes(strips: StripSet, wheel: str, figures: Figures) -> Array:
    """(wedges, figures): change of each figure for one unit moved from the heaviest wedge onto each wedge."""
    here = figures(strips)
    rows = [figures(moved) - here for moved in _moved(strips, wheel)]
    return np.array(rows)


def _moved(strips: StripSet, wheel: str) -> list[StripSet]:
    """The set with one unit moved from the heaviest wedge onto each wedge in turn."""
    weights = strips.wheels[wheel].weights
    n, heaviest = len(weights), int(np.argmax(weights))
    return [
        _changed(strips, wheel, np.eye(n, dtype=np.int64)[i] - np.eye(n, dtype=np.int64)[heaviest])
        for i in range(n)
    ]


@dataclass(frozen=True)
class _Local:
    """The figures near a set: ``missing`` (k), ``a`` (m, k), ``b`` (n, k), ``x`` (m, n, k), in tolerances."""

    strips: StripSet
    wheels: tuple[str, str]
    missing: Array
    a: Array
    b: Array
    x: Array

    @classmethod
    def at(
        cls,
        strips: StripSet,
        wheels: tuple[str, str],
        figures: Figures,
        wanted: Array,
        tolerance: Array,
        crossed: bool,
    ) -> _Local:
        """Measure the differences; ``x`` is left at 0 unless ``crossed``."""
        a, b = (slopes(strips, wheel, figures) for wheel in wheels)
        x = np.zeros((len(a), len(b), len(wanted)))
        if crossed:
            x[:] = [slopes(moved, wheels[1], figures) - b for moved in _moved(strips, wheels[0])]
        missing = (wanted - figures(strips)) / tolerance
        return cls(strips, wheels, missing, a / tolerance, b / tolerance, x / tolerance)

    def changed(self, d: Integers, e: Integers) -> StripSet:
        """The set with both wheels changed."""
        return _changed(_changed(self.strips, self.wheels[0], d), self.wheels[1], e)

    def weights(self) -> tuple[Sequence[int], Sequence[int]]:
        """The weights of both wheels."""
        first, second = (self.strips.wheels[wheel].weights for wheel in self.wheels)
        return first, second


def _walked(local: _Local) -> Iterator[StripSet]:
    """Shares, the whole first, of the least relative change that the slopes say is missing, rounded to integers."""
    from scipy.optimize import lsq_linear

    first, second = local.weights()
    m, old = len(first), np.array([*first, *second], dtype=np.float64)
    kept = np.zeros((2, len(old)))
    kept[0, :m], kept[1, m:] = old[:m], old[m:]
    rows = np.vstack([local.a, local.b]).T * old
    scale = 1e6 / np.abs(rows).max(axis=1, keepdims=True).clip(1e-300)
    system = np.vstack([rows * scale, kept * (1e6 / old.max()), np.eye(len(old))])
    aims = np.concatenate([local.missing * scale[:, 0], np.zeros(2 + len(old))])
    relative = lsq_linear(system, aims, bounds=(1 / old - 1 - 1e-9, np.inf)).x
    for share in SHARES:
        yield local.changed(_rounded(share * relative[:m], first), _rounded(share * relative[m:], second))


def _rounded(relative: Array, weights: Sequence[int]) -> Integers:
    """Relative changes as integers with sum 0 that leave every weight at least 1; the heaviest takes the rest."""
    old = np.array(weights, dtype=np.int64)
    change = np.maximum(np.rint(relative * old).astype(np.int64), 1 - old)
    heaviest = int(np.argmax(old + change))
    change[heaviest] -= change.sum()
    return change if old[heaviest] + change[heaviest] >= 1 else np.zeros_like(old)


def _matched(local: _Local) -> Iterator[StripSet]:
    """The pair of changes whose exact move comes nearest to what is missing, or the first near enough."""
    first, second = (changes(weights) for weights in local.weights())
    second = least(second, np.abs(second @ local.b).max(axis=1), MOST_SECOND)
    spread = np.eye(len(local.missing)) + np.cov((second @ local.b).T)
    left = local.missing - first @ local.a
    first = least(first, (left * np.linalg.solve(spread, left.T).T).sum(axis=1), MOST_FIRST)
    units = np.ascontiguousarray(second.T, dtype=np.float64)
    best, pair = np.inf, (first[0], second[0])
    for d in first:
        moves = (local.b + np.tensordot(d, local.x, axes=1)).T @ units
        distance = np.abs(moves - (local.missing - d @ local.a)[:, None]).max(axis=0)
        i = int(np.argmin(distance))
        if distance[i] < best:
            best, pair = float(distance[i]), (d, second[i])
        if best <= NEAR_ENOUGH:
            break
    yield local.changed(*pair)


def changes(weights: Sequence[int]) -> Integers:
    """Integer changes of at most some units a wedge, with sum 0, that leave every weight at least 1.

    >>> changes((3, 1)).tolist()
    [[-2, 2], [-1, 1], [0, 0]]
    """
    n = len(weights)
    reach = 1
    while (2 * reach + 3) ** (n - 1) <= MOST_CHANGES and reach < max(weights):
        reach += 1
    sides = [np.arange(max(-reach, 1 - w), reach + 1) for w in weights[:-1]]
    grid = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, n - 1)
    grid = np.column_stack([grid, -grid.sum(axis=1)])
    return np.asarray(grid[grid[:, -1] >= 1 - weights[-1]], dtype=np.int64)


def least(changed: Integers, score: Array, most: int) -> Integers:
    """At most ``most`` of the changes, those of the least score first."""
    return changed[np.argsort(score, kind="stable")[:most]]


def _changed(strips: StripSet, wheel: str, change: Integers) -> StripSet:
    weights = strips.wheels[wheel]
    new = tuple(int(w + d) for w, d in zip(weights.weights, change, strict=True))
    return strips.with_wheel(wheel, Weights(weights.where, weights.values, new))
