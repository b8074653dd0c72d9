"""Kernel of :mod:`workbench.features.money_respins` for two tagged symbols; conventions as in ``_one_symbol_kernels``.

Rows of a state, ``x[6, K, K]`` over the classes of the two symbols:
    0: N   1: N B   2: N B^2   3: M   4: M B   5: P
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jit import inline, kernel

Real = NDArray[np.float64]
Ints = NDArray[np.int64]

BLANK, MONEY, CHARGE, MULTIPLY, JACKPOT = 0, 1, 2, 3, 4


@inline
def _add2(into: Real, x: Real, weight: float) -> None:
    for row in range(x.shape[0]):
        for a in range(x.shape[1]):
            for b in range(x.shape[2]):
                into[row, a, b] += weight * x[row, a, b]


@inline
def _set2(into: Real, x: Real, weight: float) -> None:
    for row in range(x.shape[0]):
        for a in range(x.shape[1]):
            for b in range(x.shape[2]):
                into[row, a, b] = weight * x[row, a, b]


@inline
def _charges_row2(row: int) -> bool:
    return row in (1, 2, 4)


@inline
def _act2(x: Real, c: float) -> None:
    """All B Orbs charge: no Orb picks both tagged symbols."""
    size = x.shape[1]
    for a in range(size):
        for b in range(size):
            x[5, a, b] += c * (x[4, a, b] + x[4, b, a]) + c * c * (x[2, a, b] - x[1, a, b])
    for a in range(size):
        for b in range(size):
            x[3, a, b] += c * x[1, a, b]
            x[4, a, b] += c * x[2, a, b]


@inline
def _lift2(x: Real, order: int, up: Real) -> None:
    _set2(up, x, 0.0)
    for a in range(x.shape[1]):
        for b in range(x.shape[2]):
            if order == 1:
                up[1, a, b] = x[0, a, b]
                up[2, a, b] = 2 * x[1, a, b] + x[0, a, b]
                up[4, a, b] = x[3, a, b]
            else:
                up[2, a, b] = x[0, a, b]


@inline
def _step2(
    x: Real, row: int, rest: float, red: float, one: float, both: float, mu: Real, shared: bool
) -> None:
    """One cell without Money, for one row: an Orb hits a given symbol alone with ``one``, both with ``both``.

    In place, from the highest classes down; a symbol of the top class stays as it is.
    """
    top = x.shape[1] - 1
    first, second, joint = 1.0, 1.0, 1.0
    if row >= 3:
        first, joint = mu[1], mu[1]
    if row == 5:
        second, joint = mu[1], (mu[2] if shared else mu[1] * mu[1])
    none = 1 - 2 * one - both
    for a in range(top, -1, -1):
        for b in range(top, -1, -1):
            alone_a = one + (both if b == top else 0.0)
            alone_b = one + (both if a == top else 0.0)
            still = none
            if a == top:
                still += one
            if b == top:
                still += one
            if a == top and b == top:
                still += both
            value = (rest + red * still) * x[row, a, b]
            if a:
                value += red * alone_a * first * x[row, a - 1, b]
            if b:
                value += red * alone_b * second * x[row, a, b - 1]
            if a and b:
                value += red * both * joint * x[row, a - 1, b - 1]
            x[row, a, b] = value


@inline
def _event2(
    x: Real, rows: int, m: int, p: Real, n: int, one: float, both: float, charge: Real, mu: Real, shared: bool,
    persist: bool, work: Real,
) -> None:  # fmt: skip
    c = charge[0] / n
    rest = p[BLANK] + p[CHARGE] + p[JACKPOT]
    if p[CHARGE] > 0:
        _lift2(x, 1, work[0])
        _lift2(x, 2, work[1])
        _act2(work[0], c)
        _act2(work[1], c)
    _act2(x, c)
    for row in range(6):
        if _charges_row2(row) and not persist:
            for a in range(x.shape[1]):
                for b in range(x.shape[2]):
                    x[row, a, b] = 0
                    work[0, row, a, b] = 0
                    work[1, row, a, b] = 0
    for done in range(m):
        for row in range(rows):
            if persist or not _charges_row2(row):
                _step2(x, row, rest, p[MULTIPLY], one, both, mu, shared)
        if done == 0 and p[CHARGE] > 0:
            _add2(x, work[0], m * p[CHARGE])
        elif done == 1 and p[CHARGE] > 0:
            _add2(x, work[1], m * (m - 1) * p[CHARGE] ** 2)


@inline
def _blank2(x: Real, u: float, n: int, charge: Real) -> None:
    _set2(x, x, u)
    _act2(x, charge[0] / n)


@inline
def _before_event2(x: Real, u: float, respins: int, n: int, charge: Real, total: Real) -> None:
    _set2(total, x, 1.0)
    for _ in range(respins - 1):
        _blank2(x, u, n, charge)
        _add2(total, x, 1.0)


@inline
def _product2(left: Real, right: Real, out: Real) -> None:
    """Product of two class matrices ``[a0, b0, a, b]`` (from a0, b0 to a, b), upper triangular in each class."""
    size = left.shape[0]
    for a0 in range(size):
        for b0 in range(size):
            for a in range(size):
                for b in range(size):
                    out[a0, b0, a, b] = 0
            for a1 in range(a0, size):
                for b1 in range(b0, size):
                    factor = right[a0, b0, a1, b1]
                    for a in range(a1, size):
                        for b in range(b1, size):
                            out[a0, b0, a, b] += factor * left[a1, b1, a, b]


@inline
def _power2(
    row: int, m: int, rest: float, red: float, one: float, both: float, mu: Real, shared: bool, column: Real,
    powers: Real,
) -> int:  # fmt: skip
    """The m-th power (m >= 1) of a row's class matrix, by squaring, in ``powers[returned]``."""
    size = column.shape[1]
    for a0 in range(size):
        for b0 in range(size):
            for a in range(size):
                for b in range(size):
                    column[row, a, b] = 0
            column[row, a0, b0] = 1
            _step2(column, row, rest, red, one, both, mu, shared)
            for a in range(size):
                for b in range(size):
                    powers[0, a0, b0, a, b] = column[row, a, b]
                    powers[1, a0, b0, a, b] = column[row, a, b]
    bit = 1
    while bit * 2 <= m:
        bit *= 2
    at = 1
    while bit > 1:
        bit //= 2
        _product2(powers[at], powers[at], powers[3 - at])
        at = 3 - at
        if m & bit:
            _product2(powers[0], powers[at], powers[3 - at])
            at = 3 - at
    return at


@inline
def _settle2(
    x: Real, u: float, respins: int, m: int, p: Real, n: int, one: float, both: float, charge: Real, mu: Real,
    shared: bool, persist: bool, work: Real, powers: Real,
) -> None:  # fmt: skip
    """As :func:`_settle`, for two tagged symbols."""
    scale = 0.0
    for i in range(respins):
        scale += u**i
    rest = p[BLANK] + p[CHARGE] + p[JACKPOT]
    size = x.shape[1]
    known, ready, moved = work[2], work[3], work[4]
    _set2(known, x, 0.0)
    for row in range(6):
        if _charges_row2(row) and not persist:
            continue
        _set2(moved, known, 1.0)
        _before_event2(moved, u, respins, n, charge, ready)
        _set2(moved, ready, 1.0)
        _event2(moved, row + 1, m, p, n, one, both, charge, mu, shared, persist, work)
        _blank2(ready, u, n, charge)
        at = _power2(row, m, rest, p[MULTIPLY], one, both, mu, shared, work[0], powers)
        for a in range(size):
            for b in range(size):
                y = x[row, a, b] + moved[row, a, b] - ready[row, a, b]
                for a0 in range(a + 1):
                    for b0 in range(b + 1):
                        y += scale * powers[at, a0, b0, a, b] * known[row, a0, b0]
                known[row, a, b] = y / (1 - scale * (powers[at, a, b, a, b] - u))
    _set2(x, known, 1.0)


@inline
def _land2(x: Real, single: Real, k: int, weight: float, money: Real, into: Real) -> None:
    """k new symbols: pairs of old ones stay, pairs with a new one or two join."""
    _add2(into, x, weight)
    one = weight * k
    two = weight * k * (k - 1)
    for a in range(x.shape[1]):
        for j in range(3):
            into[j, 0, a] += one * single[3 + j, a]
            into[j, a, 0] += one * single[3 + j, a]
        for j in range(2):
            into[3 + j, 0, a] += one * money[0] * single[3 + j, a]
            into[3 + j, a, 0] += one * single[6 + j, a]
        into[5, 0, a] += one * money[0] * single[6, a]
        into[5, a, 0] += one * money[0] * single[6, a]
    for j in range(3):
        into[j, 0, 0] += two * single[j, 0]
    for j in range(2):
        into[3 + j, 0, 0] += two * money[0] * single[j, 0]
    into[5, 0, 0] += two * money[0] * money[0] * single[0, 0]


@kernel
def two_symbols(
    cells: int, respins: int, land: Real, stage: Ints, binomial: Real, pick: Real, pick2: Real, money: Real,
    charge: Real, mu: Real, classes: int, shared: bool, persist: bool, single: Real,
) -> Real:  # fmt: skip
    """The chain of two tagged symbols, ordered pairs; ``single[cells, 9, K]`` is ``ready`` of :func:`one_symbol`.

    Returns ends[6, K, K], summed over the filled counts of an end that isn't a full grid.
    """
    ready = np.zeros((cells, 6, classes, classes))
    ends = np.zeros((6, classes, classes))
    x = np.zeros((6, classes, classes))
    into = np.zeros((6, classes, classes))
    work = np.zeros((5, 6, classes, classes))
    powers = np.zeros((3, classes, classes, classes, classes))
    for n in range(2, cells):
        one, both = pick[n] - pick2[n], pick2[n]
        _set2(x, x, 0.0)
        _set2(into, into, 0.0)
        for i in range(n):
            weight = binomial[cells - i, n - i] * land[i, MONEY] ** (n - i)
            _land2(ready[i], single[i], n - i, weight, money, into)
            if i == n - 1 or stage[i + 1] != stage[i]:
                _event2(into, 6, cells - n, land[i], n, one, both, charge, mu, shared, persist, work)
                _add2(x, into, 1.0)
                _set2(into, into, 0.0)
        u = land[n, BLANK] ** (cells - n)
        _settle2(
            x, u, respins, cells - n, land[n], n, one, both, charge, mu, shared, persist, work, powers
        )  # fmt: skip
        _before_event2(x, u, respins, n, charge, ready[n])
        _blank2(x, u, n, charge)
        _add2(ends, x, 1.0)
    return ends
