# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.prob.branching`: series in two variables, as arrays (M, K), truncated or saturated."""

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


@kernel
def saturating(a, b):
    """Product of two saturated series: exponents add up and stop at the last place of their axis."""
    height, width = a.shape
    last = width - 1
    out = np.zeros((height, width))
    beyond = np.zeros((height, width + 1))
    for k in range(height):
        for z in range(last, -1, -1):
            beyond[k, z] = beyond[k, z + 1] + b[k, z]
    for i in range(height):
        for k in range(height):
            row = min(i + k, height - 1)
            for x in range(width):
                factor = a[i, x]
                if factor != 0.0:
                    for z in range(last - x):
                        out[row, x + z] += factor * b[k, z]
                    out[row, last] += factor * beyond[k, last - x]
    return out


@kernel
def divide_by_rest(series, h):
    """series / (1 - h) of truncated series; h >= 0 with a constant term below 1."""
    height, width = h.shape
    out = np.zeros((height, width))
    for i in range(height):
        for j in range(width):
            total = series[i, j]
            for x in range(i + 1):
                for y in range(j + 1):
                    if (x or y) and h[x, y] != 0.0:
                        total += h[x, y] * out[i - x, j - y]
            out[i, j] = total / (1.0 - h[0, 0])
    return out


@kernel
def truncated_root(g):
    """F with F = sum_s g[s] F^s, truncated; g (S + 1, M, K)."""
    if g.shape[0] == 1:
        return g[0].copy()
    first = smallest_root(g[:, 0, 0].copy())
    found = solve_branching(g, first)
    found[0, 0] = first
    return found


@kernel
def beyond_of(g, low, whole, marked):
    """What of F = sum_s g_s F^s lies at one axis' end, a truncated series in the other: see the module's head.

    ``g`` (S + 1, 1, K) over all of the cut axis, ``low`` and ``whole`` (1, K) of F below the end and everywhere, ``marked`` (1, K)
    what sum_s G_s L^s has at the end.
    """
    begets, mixed, power = np.zeros(low.shape), np.zeros(low.shape), np.zeros(low.shape)
    power[0, 0] = 1.0
    for s in range(1, g.shape[0]):
        mixed = multiply(mixed, whole) + power
        power = multiply(power, low)
        begets += multiply(g[s], mixed)
    return divide_by_rest(marked, begets)


@kernel
def saturated_sum(g, series):
    """sum_s g[s] series^s of saturated series; 0 where there is no g."""
    if g.shape[0] == 0:
        return np.zeros(series.shape)
    found, power = g[0].copy(), series
    for s in range(1, g.shape[0]):
        found += saturating(g[s], power)
        if s + 1 < g.shape[0]:
            power = saturating(power, series)
    return found


@kernel
def saturated_root(g):
    """F with F = sum_s g[s] F^s, saturated; g (S + 1, M, K) holds all of the law of one item, which begets less than 1."""
    count, height, width = g.shape
    if count == 1:
        return g[0].copy()
    rows, columns = height - 1, width - 1
    found = np.zeros((height, width))
    low = truncated_root(g[:, :rows, :columns].copy())
    found[:rows, :columns] = low
    marked = saturated_sum(g, found)
    by_row, by_column = np.zeros((count, 1, rows)), np.zeros((count, 1, columns))
    for s in range(count):
        for i in range(height):
            for j in range(width):
                if i < rows:
                    by_row[s, 0, i] += g[s, i, j]
                if j < columns:
                    by_column[s, 0, j] += g[s, i, j]
    low_rows, low_columns = np.zeros((1, rows)), np.zeros((1, columns))
    for i in range(rows):
        for j in range(columns):
            low_rows[0, i] += low[i, j]
            low_columns[0, j] += low[i, j]
    right = marked[:rows, columns].copy().reshape((1, rows))
    found[:rows, columns] = beyond_of(by_row, low_rows, truncated_root(by_row), right)[0]
    below = marked[rows, :columns].copy().reshape((1, columns))
    found[rows, :columns] = beyond_of(by_column, low_columns, truncated_root(by_column), below)[0]
    one, all_of = np.full((1, 1), found.sum()), np.ones((1, 1))
    corner = saturated_sum(g, found)[rows, columns]
    masses = np.zeros((count, 1, 1))
    for s in range(count):
        masses[s, 0, 0] = g[s].sum()
    found[rows, columns] = beyond_of(masses, one, all_of, np.full((1, 1), corner))[0, 0]
    return found


@kernel
def saturated_quotient(series, h):
    """series / (1 - h) of saturated series; h >= 0 sums to less than 1."""
    height, width = h.shape
    rows, columns = height - 1, width - 1
    found, by_row, by_column = np.zeros((height, width)), np.zeros((1, rows)), np.zeros((1, columns))
    for i in range(height):
        for j in range(width):
            if i < rows:
                by_row[0, i] += h[i, j]
            if j < columns:
                by_column[0, j] += h[i, j]
    found[:rows, :columns] = divide_by_rest(series[:rows, :columns].copy(), h[:rows, :columns].copy())
    reached = series + saturating(h, found)
    right = reached[:rows, columns].copy().reshape((1, rows))
    below = reached[rows, :columns].copy().reshape((1, columns))
    found[:rows, columns] = divide_by_rest(right, by_row)[0]
    found[rows, :columns] = divide_by_rest(below, by_column)[0]
    reached = series + saturating(h, found)
    found[rows, columns] = reached[rows, columns] / (1.0 - h.sum())
    return found
