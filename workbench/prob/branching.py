"""Totals over a branching process: one item leaves a mark (x, y) and begets s more of its kind.

Let G_s(x, y) be the joint law of the mark of one item that begets s others. The total marks of an item and all its
descendants have the generating function F with

    F = sum_s G_s F^s,

and n items together have F^n. Coefficients of F below a bound depend only on coefficients of G below it, so the
truncated series is exact. The process dies out for sure when E[s] < 1, and then an item has 1 / (1 - E[s]) members.
All coefficients are probabilities: sums of positive terms.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.prob._series_kernels import convolve3, multiply, smallest_root, solve_branching

Array = NDArray[np.float64]


def total_law(g: Array) -> Array:
    """(M, K): the low coefficients of F, from those of the G_s: (S + 1, M, K).

    >>> total_law(np.array([[[0.5]], [[0.25]]])).round(6)    # f = 1/2 + f/4
    array([[0.666667]])
    """
    if g.shape[0] == 1:
        return np.array(g[0])
    first = float(smallest_root(np.ascontiguousarray(g[:, 0, 0])))
    found: Array = np.asarray(solve_branching(np.ascontiguousarray(g), first))
    found[0, 0] = first
    return found


def convolve(a: Array, b: Array) -> Array:
    """Law of the sum of two independent marks of three parts: a three-dimensional convolution."""
    return np.asarray(convolve3(a, b))


def powers(series: Array, exponents: Sequence[int]) -> Array:
    """(len(exponents), M, K): truncated powers of a series; exponents at least 1, in rising order."""
    found = np.zeros((len(exponents), *series.shape))
    current, reached = series, 1
    for i, exponent in enumerate(exponents):
        if exponent > reached:
            current = multiply(current, _power(series, exponent - reached))
            reached = exponent
        found[i] = current
    return found


def _power(series: Array, exponent: int) -> Array:
    """series ** exponent, exponent at least 1, by squaring."""
    if exponent == 1:
        return series
    half = _power(series, exponent // 2)
    square: Array = np.asarray(multiply(half, half))
    return np.asarray(multiply(square, series)) if exponent % 2 else square


def saturated(g: Array, width: int, height: int, exponents: Sequence[int]) -> Array:
    """(len(exponents), width + 1, height + 1): law of n items' total marks, cut at ``width`` and ``height``.

    ``g`` (S + 1, A, B) is the whole law of one item. What lies at the cut is what the truncated series in both, in
    one and in neither variable leave over.
    """
    # the long variable x comes last, where the kernels' inner loops run
    turned = g.transpose(0, 2, 1)
    both = powers(total_law(_fit(turned, height, width)), exponents).transpose(0, 2, 1)
    x_only = powers(total_law(_fit(turned.sum(axis=1, keepdims=True), 1, width)), exponents)[:, 0]
    y_only = powers(total_law(_fit(turned.sum(axis=2, keepdims=True), height, 1)), exponents)[:, :, 0]
    found = np.zeros((len(exponents), width + 1, height + 1))
    found[:, :width, :height] = both
    found[:, :width, height] = np.maximum(x_only - both.sum(axis=2), 0.0)
    found[:, width, :height] = np.maximum(y_only - both.sum(axis=1), 0.0)
    found[:, width, height] = np.maximum(1.0 - found.sum(axis=(1, 2)), 0.0)
    return found


def _fit(g: Array, width: int, height: int) -> Array:
    out = np.zeros((g.shape[0], width, height))
    part = g[:, :width, :height]
    out[:, : part.shape[1], : part.shape[2]] = part
    return out
