"""Totals over a branching process: one item leaves a mark (x, y) and begets s more of its kind.

Let G_s(x, y) be the joint law of the mark of one item that begets s others. The total marks of an item and all its
descendants have the generating function F with

    F = sum_s G_s F^s,

and n items together have F^n. Coefficients of F below a bound depend only on coefficients of G below it, so the
truncated series is exact. The process dies out for sure when E[s] < 1, and then an item has 1 / (1 - E[s]) members.
All coefficients are probabilities: sums of positive terms.

Let each item also win w, and W_s(x, y) be the mean of w with the mark, for items that beget s. The mean total win with the
total mark, D, is the derivative of F along w: D = sum_s W_s F^s + H D with H = sum_s s G_s F^(s - 1), so

    D = (1 + H) (1 + H^2) (1 + H^4) ... sum_s W_s F^s,

and n items have n F^(n - 1) D.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.prob._series_kernels import convolve3, multiply, smallest_root, solve_branching

Array = NDArray[np.float64]
DOUBLINGS = 60
SMALL = 1e-17


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


def mean_win(g: Array, w: Array, exponent: int) -> Array:
    """(M, K): low coefficients of the mean total win of ``exponent`` items with their total mark; ``w`` like ``g``.

    >>> g = np.array([[[0.75]], [[0.25]]])                   # an item begets one more with 1/4, and wins 1
    >>> mean_win(g, g, 2).round(6)                           # 2 / (1 - 1/4)
    array([[2.666667]])
    """
    total = total_law(g)
    one = np.zeros_like(total)
    one[0, 0] = 1.0
    won, begets, power = w[0].copy(), np.zeros_like(total), one
    for s in range(1, len(g)):
        begets += s * np.asarray(multiply(g[s], power))
        power = np.asarray(multiply(power, total))
        won += multiply(w[s], power)
    for _ in range(DOUBLINGS):
        won += multiply(begets, won)
        begets = np.asarray(multiply(begets, begets))
        if begets.sum() <= SMALL:
            break
    rest = _power(total, exponent - 1) if exponent > 1 else one
    return exponent * np.asarray(multiply(rest, won))


def saturated_mean_win(g: Array, w: Array, width: int, height: int, exponents: Sequence[int]) -> Array:
    """(len(exponents), width + 1, height + 1): mean total win of n items with their marks cut as in :func:`saturated`."""
    law, win = g.transpose(0, 2, 1), w.transpose(0, 2, 1)
    found = np.zeros((len(exponents), width + 1, height + 1))
    begets = float(g.sum(axis=(1, 2)) @ np.arange(len(g)))
    for i, n in enumerate(exponents):
        both = _mean_win(law, win, height, width, n).T
        x_only = _mean_win(law.sum(axis=1, keepdims=True), win.sum(axis=1, keepdims=True), 1, width, n)[0]
        y_only = _mean_win(law.sum(axis=2, keepdims=True), win.sum(axis=2, keepdims=True), height, 1, n)[:, 0]
        found[i, :width, :height] = both
        found[i, :width, height] = np.maximum(x_only - both.sum(axis=1), 0.0)
        found[i, width, :height] = np.maximum(y_only - both.sum(axis=0), 0.0)
        found[i, width, height] = max(n * float(w.sum()) / (1 - begets) - found[i].sum(), 0.0)
    return found


def _mean_win(g: Array, w: Array, width: int, height: int, exponent: int) -> Array:
    return mean_win(_fit(g, width, height), _fit(w, width, height), exponent)


def _fit(g: Array, width: int, height: int) -> Array:
    out = np.zeros((g.shape[0], width, height))
    part = g[:, :width, :height]
    out[:, : part.shape[1], : part.shape[2]] = part
    return out
