"""The law of what complete sets are worth: items of several kinds are drawn, every d-th of a kind completes a set.

After g draws the numbers of the kinds are multinomial. With the kinds taken one by one, q_i being the chance of kind i among
those from i on, and floor(c/d) sets of c items,

    worth of kinds i, i+1, .. after g draws = floor(c/d) w_i + worth of kinds i+1, .. after g - c,  c ~ Binomial(g, q_i).

:mod:`workbench.prob.complete_sets` has the moments.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]


def set_worth(p: Real, worth: NDArray[np.int64], size: int, most: int, top: int) -> Real:
    """(most + 1, top + 1): the law of the worth of the sets of ``size`` after 0 .. ``most`` draws; ``top`` or more last.

    Every term is positive. Three coins, heads a set of three worth 1, tails worth 2:

    >>> set_worth(np.array([0.5, 0.5]), np.array([1, 2]), size=3, most=3, top=2)[3]
    array([0.75 , 0.125, 0.125])
    """
    found = np.zeros((most + 1, top + 1))
    found[0, 0] = 1.0
    later, reach = 0.0, 0
    for kind in np.argsort(worth).tolist():
        later += float(p[kind])
        shares = _binomial(most, min(1.0, float(p[kind]) / later)) if later else np.eye(most + 1)
        found, reach = _with_kind(found, shares, int(worth[kind]), size, reach)
    return found


def _with_kind(found: Real, shares: Real, worth: int, size: int, reach: int) -> tuple[Real, int]:
    """The law with one more kind, and the largest worth in it; ``shares[g, c]`` is P(c of g are of that kind)."""
    most, top = (n - 1 for n in found.shape)
    after = np.zeros_like(found)
    for count in range(most + 1):
        paid = min(top, worth * (count // size))
        moved = shares[count:, count, None] * found[: most + 1 - count, : reach + 1]
        inside = min(reach, top - paid) + 1
        after[count:, paid : paid + inside] += moved[:, :inside]
        after[count:, top] += moved[:, inside:].sum(axis=1)
    return after, min(top, reach + worth * (most // size))


def _binomial(most: int, p: float) -> Real:
    """(most + 1, most + 1): P(c of g) in row g."""
    table = np.zeros((most + 1, most + 1))
    table[0, 0] = 1.0
    for g in range(most):
        table[g + 1] = table[g] * (1 - p)
        table[g + 1, 1:] += table[g, :-1] * p
    return table
