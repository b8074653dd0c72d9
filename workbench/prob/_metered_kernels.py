# mypy: disable-error-code=no-untyped-def
"""Kernel of :mod:`workbench.prob.metered_series`: the equation F = sum_s G_s F^s, point by point, as a series in z."""

from __future__ import annotations

import numpy as np

from workbench.jit import inline, kernel

PLAIN_STEPS = 200
NEWTON_STEPS = 20
NEAR = 1e-2
SETTLED = 1e-16


@inline
def _root(g, most):
    """The root of f = sum_s g[s] f^s that plain steps from 0 lead to; Newton's steps finish what they have begun."""
    f = 0.0 + 0.0j
    for _ in range(PLAIN_STEPS):
        value = 0.0 + 0.0j
        for s in range(most, -1, -1):
            value = value * f + g[s]
        moved = abs(value - f)
        f = value
        if moved <= NEAR * abs(f):
            break
    for _ in range(NEWTON_STEPS):
        value, slope = 0.0 + 0.0j, 0.0 + 0.0j
        for s in range(most, -1, -1):
            slope = slope * f + value
            value = value * f + g[s]
        change = (value - f) / (1.0 - slope)
        f += change
        if abs(change) <= SETTLED * abs(f):
            break
    return f


@kernel
def metered(g, numbers, unfold, found):
    """Add to found[x, bin, j] the z^j of sum_n numbers[n] F^n, and what is beyond in the last j, at every point x.

    ``g[x, s, j, y]`` are the z^j of G_s at the points (x, y); ``unfold[bin, y]`` takes the values at the points y to the
    meter's bins.
    """
    points, scatters, given, ys = g.shape
    most, kept = scatters - 1, found.shape[2] - 1
    bins = unfold.shape[0]
    f = np.zeros(kept, np.complex128)
    power = np.zeros((scatters, kept), np.complex128)
    total = np.zeros(kept, np.complex128)
    after = np.zeros(kept, np.complex128)
    at_zero, at_one = np.zeros(scatters, np.complex128), np.zeros(scatters, np.complex128)
    for x in range(points):
        for y in range(ys):
            for s in range(scatters):
                at_zero[s] = g[x, s, 0, y]
                at_one[s] = 0.0
                for j in range(given):
                    at_one[s] += g[x, s, j, y]
            f[0] = _root(at_zero, most)
            power[0, 0], slope = 1.0, 0.0 + 0.0j
            for s in range(1, scatters):
                power[s, 0] = power[s - 1, 0] * f[0]
                slope += s * at_zero[s] * power[s - 1, 0]
            for j in range(1, kept):
                f[j], right = 0.0, 0.0 + 0.0j
                for s in range(scatters):
                    if s > 0:
                        one = 0.0 + 0.0j
                        for i in range(j + 1):
                            one += power[s - 1, i] * f[j - i]
                        power[s, j] = one
                    for i in range(min(j, given - 1) + 1):
                        right += g[x, s, i, y] * power[s, j - i]
                f[j] = right / (1.0 - slope)
                for s in range(1, scatters):
                    power[s, j] += s * power[s - 1, 0] * f[j]
            whole = _root(at_one, most)
            total[:] = 0.0
            total_one = 0.0 + 0.0j
            for n in range(numbers.shape[0] - 1, -1, -1):
                for j in range(kept):
                    one = 0.0 + 0.0j
                    for i in range(j + 1):
                        one += total[i] * f[j - i]
                    after[j] = one
                total[:] = after
                total[0] += numbers[n]
                total_one = total_one * whole + numbers[n]
            rest = total_one
            for j in range(kept):
                rest -= total[j]
            for b in range(bins):
                weight = unfold[b, y]
                for j in range(kept):
                    found[x, b, j] += weight * total[j]
                found[x, b, kept] += weight * rest
