# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.sensitivity.free_series`: what Free Spins' series are worth. Series are (Keys, meter), truncated."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel
from workbench.prob._series_kernels import multiply, smallest_root, solve_branching


@kernel
def inverse_of_rest(h):
    """1 / (1 - h), truncated."""
    height, width = h.shape
    out = np.zeros((height, width))
    for i in range(height):
        for j in range(width):
            total = 1.0 if i == 0 and j == 0 else 0.0
            for x in range(i + 1):
                for y in range(j + 1):
                    if (x or y) and h[x, y] != 0.0:
                        total += h[x, y] * out[i - x, j - y]
            out[i, j] = total / (1.0 - h[0, 0])
    return out


@kernel
def series_worth(g, spins, chances, targets, slopes):
    """(laws (T,), ...): sum over n of chances[n] of the coefficients of F^n times targets[t], and ``slopes`` filled.

    ``g`` (S + 1, A, B) is the law of one spin, truncated, F solves F = sum_s g_s F^s, ``targets`` is (T, A, B).
    ``slopes[t, s, a, b]`` is what a mean win of 1 of a spin with s Scatters and the mark (a, b) adds to the mean total win
    times targets[t]: the coefficients of Q F^s shifted by the mark, Q = sum over n of chances[n] n F^(n - 1) / (1 - H),
    H = sum over s of s g_s F^(s - 1).
    """
    scatters, height, width = g.shape
    count = targets.shape[0]
    if scatters == 1:
        one = g[0].copy()
    else:
        first = smallest_root(g[:, 0, 0].copy())
        one = solve_branching(g, first)
        one[0, 0] = first
    power = np.zeros((height, width))
    power[0, 0] = 1.0
    h = np.zeros((height, width))
    for s in range(1, scatters):
        h += s * multiply(g[s], power)
        power = multiply(power, one)
    power[:] = 0.0
    power[0, 0] = 1.0
    law, begets = np.zeros((height, width)), np.zeros((height, width))
    reached = 0
    for i in range(spins.shape[0]):
        wanted = spins[i] - 1 - reached
        square, left = one, wanted
        while left > 0:
            if left % 2:
                power = multiply(power, square)
            left //= 2
            if left:
                square = multiply(square, square)
        reached = spins[i] - 1
        law += chances[i] * power
        begets += chances[i] * spins[i] * power
    law = multiply(law, one)
    found = np.zeros(count)
    for t in range(count):
        total = 0.0
        for i in range(height):
            for j in range(width):
                total += law[i, j] * targets[t, i, j]
        found[t] = total
    lead = multiply(begets, inverse_of_rest(h))
    for s in range(scatters):
        for t in range(slopes.shape[0]):
            for a in range(min(height, slopes.shape[2])):
                for b in range(min(width, slopes.shape[3])):
                    total = 0.0
                    for i in range(a, height):
                        for j in range(b, width):
                            total += lead[i - a, j - b] * targets[t, i, j]
                    slopes[t, s, a, b] = total
        if s + 1 < scatters:
            lead = multiply(lead, one)
    return found
