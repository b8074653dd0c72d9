"""Kernel of :mod:`workbench.prob.complete_sets`; its head states the recursion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jit import kernel

Real = NDArray[np.float64]


@kernel
def set_moments(p: Real, worth: Real, size: int, most: int) -> tuple[Real, Real, Real]:
    """(sets[most + 1, kinds], mean[most + 1], second[most + 1]); ``p`` sums to 1."""
    kinds = p.size
    sets = np.zeros((most + 1, kinds))
    mean = np.zeros(most + 1)
    second = np.zeros(most + 1)
    one = np.zeros((kinds, size))
    two = np.zeros((kinds, kinds, size, size))
    value = np.zeros((kinds, size))
    one[:, 0] = 1
    two[:, :, 0, 0] = 1
    for drawn in range(most):
        sets[drawn + 1] = sets[drawn]
        mean[drawn + 1] = mean[drawn]
        second[drawn + 1] = second[drawn]
        next_one = np.zeros_like(one)
        next_two = np.zeros_like(two)
        next_value = np.zeros_like(value)
        for x in range(kinds):
            completes = p[x] * one[x, size - 1]
            sets[drawn + 1, x] += completes
            mean[drawn + 1] += worth[x] * completes
            second[drawn + 1] += worth[x] * (2 * p[x] * value[x, size - 1] + worth[x] * completes)
            for s in range(size):
                after = (s + 1) % size
                next_one[x, s] += (1 - p[x]) * one[x, s]
                next_one[x, after] += p[x] * one[x, s]
                next_value[x, s] += (1 - p[x]) * value[x, s]
                next_value[x, after] += p[x] * value[x, s]
            next_value[x, 0] += worth[x] * completes
            for y in range(kinds):
                if y == x:
                    continue
                rest = 1 - p[x] - p[y]
                for s in range(size):
                    next_value[x, s] += p[y] * worth[y] * two[x, y, s, size - 1]
                    for t in range(size):
                        mass = two[x, y, s, t]
                        next_two[x, y, s, t] += rest * mass
                        next_two[x, y, (s + 1) % size, t] += p[x] * mass
                        next_two[x, y, s, (t + 1) % size] += p[y] * mass
        one, two, value = next_one, next_two, next_value
    return sets, mean, second
