"""Totals over a branching process: one item leaves a mark (x, y) and begets s more of its kind.

Let G_s(x, y) be the joint law of the mark of one item that begets s others. The total marks of an item and all its
descendants have the generating function F with

    F = sum_s G_s F^s,

and n items together have F^n. The process dies out for sure when E[s] < 1, and then an item has 1 / (1 - E[s]) members.

Marks matter up to an end only: totals of W and more are one, and so for H. Such saturated series multiply with
x^a x^b = x^min(a + b, W). Below the ends they are truncated series, whose coefficients depend on lower ones alone. At the end of x
let L be the part of F below it, A(y) what lies there, and let a hat mean a sum over all x, for L over x < W. Since F^s and L^s
differ at the end only,

    A = [sum_s G_s L^s at the end] + sum_s G^_s (F^^s - L^^s),    F^^s - L^^s = A sum_{i < s} F^^i L^^(s - 1 - i),

which is linear in A; F^ is a truncated series of its own. The same holds for y, and then, with L all but the corner and numbers in
place of series, for what lies at both ends. Nothing is subtracted but a mean number of items from 1: small chances keep their digits,
as prizes of ten thousand bets, squared, want them to.

Let each item also win w, and W_s(x, y) be the mean of w with the mark, for items that beget s. The mean total win with the
total mark, D, is the derivative of F along w: D = sum_s W_s F^s + H D with H = sum_s s G_s F^(s - 1), so

    D = sum_s W_s F^s / (1 - H),

and n items have n F^(n - 1) D. The division goes like F: below the ends, at one of them, at both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.prob._series_kernels import (
    convolve3,
    saturated_quotient,
    saturated_root,
    saturated_sum,
    saturating,
)

Array = NDArray[np.float64]


def convolve(a: Array, b: Array) -> Array:
    """Law of the sum of two independent marks of three parts: a three-dimensional convolution."""
    return np.asarray(convolve3(a, b))


def cut(series: Array, width: int, height: int) -> Array:
    """(S + 1, height + 1, width + 1): marks (S + 1, A, B) cut at ``width`` and ``height``, y first.

    >>> cut(np.arange(6.0).reshape(1, 3, 2), 1, 1)
    array([[[0., 6.],
            [1., 8.]]])
    """
    # the long variable x comes last, where the kernels' inner loops run
    found = np.zeros((len(series), height + 1, width + 1))
    _, a, b = series.shape
    rows, columns = np.minimum(np.arange(b), height), np.minimum(np.arange(a), width)
    np.add.at(found, np.ix_(np.arange(len(series)), rows, columns), series.transpose(0, 2, 1))
    return found


def saturated(g: Array, width: int, height: int, exponents: Sequence[int]) -> Array:
    """(len(exponents), width + 1, height + 1): law of n items' total marks, cut at ``width`` and ``height``.

    ``g`` (S + 1, A, B) is the whole law of one item, ``exponents`` rise from at least 1.

    >>> g = np.array([[[0.5], [0.25]], [[0.25], [0.0]]])     # mark 1 and the end, one more, or the end
    >>> saturated(g, 1, 1, [1])[0].round(6)
    array([[0.666667, 0.      ],
           [0.333333, 0.      ]])
    """
    root = np.asarray(saturated_root(cut(g, width, height)))
    return _powers(root, exponents).transpose(0, 2, 1)


def _powers(series: Array, exponents: Sequence[int]) -> Array:
    """(len(exponents), M, K): powers of a saturated series; exponents at least 1, in rising order."""
    found = np.zeros((len(exponents), *series.shape))
    current, reached = series, 1
    for i, exponent in enumerate(exponents):
        if exponent > reached:
            current = np.asarray(saturating(current, _power(series, exponent - reached)))
            reached = exponent
        found[i] = current
    return found


def _power(series: Array, exponent: int) -> Array:
    """series ** exponent, exponent at least 1, by squaring."""
    if exponent == 1:
        return series
    half = _power(series, exponent // 2)
    square: Array = np.asarray(saturating(half, half))
    return np.asarray(saturating(square, series)) if exponent % 2 else square


def saturated_mean_win(g: Array, w: Array, width: int, height: int, exponents: Sequence[int]) -> Array:
    """(len(exponents), width + 1, height + 1): mean total win of n items with their marks cut as in :func:`saturated`.

    ``w`` (S + 1, A, B) is the mean win of one item with its mark.

    >>> g = np.array([[[0.75]], [[0.25]]])                   # an item begets one more with 1/4, and wins 1
    >>> saturated_mean_win(g, g, 1, 1, [2])[0].round(6)      # 2 / (1 - 1/4)
    array([[2.666667, 0.      ],
           [0.      , 0.      ]])
    """
    law, win = cut(g, width, height), cut(w, width, height)
    root = np.asarray(saturated_root(law))
    begets = np.asarray(saturated_sum(law[1:] * np.arange(1, len(law))[:, None, None], root))
    won = np.asarray(saturated_quotient(saturated_sum(win, root), begets))
    found = [won if n == 1 else n * np.asarray(saturating(_power(root, n - 1), won)) for n in exponents]
    return np.stack(found).transpose(0, 2, 1)
