# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.prob.branching`: truncated power series in two variables, as arrays (M, K)."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel


@kernel
def smallest_root(coefficients):
    """The smallest root in [0, 1] of f = sum_s g_s f^s, g >= 0 with sum at most 1: Newton's steps from below."""
    f = 0.0
    for _ in range(200):
        value, slope = 0.0, 0.0
        for s in range(coefficients.shape[0] - 1, -1, -1):
            slope = slope * f + value
            value = value * f + coefficients[s]
        if slope >= 1.0:
            break
        step = (value - f) / (1.0 - slope)
        f += step
        if step <= 1e-17:
            break
    return min(f, 1.0)


@kernel
def convolve3(a, b):
    """Full convolution of two arrays of three dimensions."""
    out = np.zeros((a.shape[0] + b.shape[0] - 1, a.shape[1] + b.shape[1] - 1, a.shape[2] + b.shape[2] - 1))
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            for k in range(b.shape[2]):
                if b[i, j, k] != 0.0:
                    for x in range(a.shape[0]):
                        for y in range(a.shape[1]):
                            for z in range(a.shape[2]):
                                out[i + x, j + y, k + z] += a[x, y, z] * b[i, j, k]
    return out


@kernel
def multiply(a, b):
    """Product of two series, truncated to their common shape."""
    width, height = a.shape
    out = np.zeros((width, height))
    for i in range(width):
        for j in range(height):
            if a[i, j] != 0.0:
                for x in range(width - i):
                    for y in range(height - j):
                        out[i + x, j + y] += a[i, j] * b[x, y]
    return out


@kernel
def solve_branching(g, first):
    """F with F = sum_s g[s] F^s, truncated; g (S + 1, M, K), ``first`` the constant term of F.

    Coefficients are found in rising order; each appears linearly once the lower ones are known.
    """
    most, width, height = g.shape[0] - 1, g.shape[1], g.shape[2]
    powers = np.zeros((most + 1, width, height))
    powers[0, 0, 0] = 1.0
    reach = np.zeros((most + 1, 2), np.int64)
    for s in range(most + 1):
        for i in range(width):
            for j in range(height):
                if g[s, i, j] != 0.0:
                    reach[s, 0] = max(reach[s, 0], i)
                    reach[s, 1] = max(reach[s, 1], j)
    slopes = np.zeros(most + 1)
    for s in range(1, most + 1):
        powers[s, 0, 0] = first**s
        slopes[s] = s * first ** (s - 1)
    denominator = 1.0
    for s in range(1, most + 1):
        denominator -= g[s, 0, 0] * slopes[s]
    for i in range(width):
        for j in range(height):
            if i == 0 and j == 0:
                continue
            # the coefficient of F^s without what the unknown one adds to it
            for s in range(2, most + 1):
                total = powers[s - 1, i, j] * first
                for x in range(i + 1):
                    for y in range(j + 1):
                        if (x or y) and (x < i or y < j):
                            total += powers[s - 1, i - x, j - y] * powers[1, x, y]
                powers[s, i, j] = total
            total = 0.0
            for s in range(most + 1):
                for x in range(min(i, reach[s, 0]) + 1):
                    for y in range(min(j, reach[s, 1]) + 1):
                        if g[s, x, y] != 0.0:
                            total += g[s, x, y] * powers[s, i - x, j - y]
            found = total / denominator
            powers[1, i, j] = found
            for s in range(2, most + 1):
                powers[s, i, j] += slopes[s] * found
    return powers[1]
