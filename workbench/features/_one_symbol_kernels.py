"""Kernel of :mod:`workbench.features.money_respins` for one tagged symbol; its head states the theory and the names.

Conventions of this file, ``_two_symbols_kernels`` and ``_golden_kernels``: arrays are float64 or complex128, C-contiguous.
``land[n]`` holds, for n filled cells, the probabilities of (blank, money, charge, multiply, jackpot) on one open cell,
``stage[n]`` the number of the position reel they come from; ``pick[n]`` is the chance that a multiplying Orb hits a
given Money symbol among n, ``pick2[n]`` that it hits two given ones. Nothing is checked and nothing is random. No
integer passes 64 cells.

Rows of a state, ``x[9, K]`` over the classes (times multiplied) 0 .. K-1; rows 0-2 use class 0:
    0: 1   1: B   2: B^2   3: C   4: C B   5: C B^2   6: S   7: S B   8: Q
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jit import inline, kernel

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]
Ints = NDArray[np.int64]

BLANK, MONEY, CHARGE, MULTIPLY, JACKPOT = 0, 1, 2, 3, 4


@inline
def _add(into: Complex, x: Complex, weight: complex) -> None:
    """``into`` += weight x, for states of one tagged symbol."""
    for row in range(x.shape[0]):
        for a in range(x.shape[1]):
            into[row, a] += weight * x[row, a]


@inline
def _degree(row: int) -> int:
    """Powers of the symbol's value in a row of one tagged symbol."""
    if row == 8:
        return 2
    return 1 if row >= 6 else 0


@inline
def _charges_row(row: int) -> bool:
    """Whether a row of one tagged symbol has a power of B."""
    return row in (1, 2, 4, 5, 7)


@inline
def _act(x: Complex, c: float, spread: float) -> None:
    """All B Orbs charge: each picks the tagged symbol with 1/n; c = E[V]/n, spread = E[V^2]/n."""
    for a in range(x.shape[1]):
        x[8, a] += 2 * c * x[7, a] + spread * x[4, a] + c * c * (x[5, a] - x[4, a])
        x[6, a] += c * x[4, a]
        x[7, a] += c * x[5, a]


@inline
def _lift(x: Complex, order: int, up: Complex) -> None:
    """``up``: what the falling factorial of ``order`` of the charging Orbs that land multiplies in (B + b)^j."""
    for a in range(x.shape[1]):
        for row in range(9):
            up[row, a] = 0
        for base in range(0, 6, 3):
            if order == 1:
                up[base + 1, a] = x[base, a]
                up[base + 2, a] = 2 * x[base + 1, a] + x[base, a]
            else:
                up[base + 2, a] = x[base, a]
        if order == 1:
            up[7, a] = x[6, a]


@inline
def _step(x: Complex, rows: int, rest: complex, red: float, pick: float, mu: Real, persist: bool) -> None:
    """One cell that shows no Money: ``rest`` changes nothing, ``red`` multiplies. The first ``rows``, in place."""
    top = x.shape[1] - 1
    for row in range(rows):
        if _charges_row(row) and not persist:
            continue
        if row < 3:
            x[row, 0] *= rest + red
            continue
        up = red * pick * mu[_degree(row)]
        x[row, top] *= rest + red
        if top:
            x[row, top] += up * x[row, top - 1]
        for a in range(top - 1, 0, -1):
            x[row, a] = (rest + red * (1 - pick)) * x[row, a] + up * x[row, a - 1]
        if top:
            x[row, 0] *= rest + red * (1 - pick)


@inline
def _event(
    x: Complex, rows: int, m: int, p: Real, z: complex, n: int, pick: float, charge: Real, mu: Real, persist: bool,
    work: Complex,
) -> None:  # fmt: skip
    """m cells show no Money and n symbols are in sight: the Orbs land, charge, multiply. The first ``rows``, in place."""
    c, spread = 0.0, 0.0
    if n:
        c, spread = charge[0] / n, charge[1] / n
    rest = p[BLANK] + p[CHARGE] + z * p[JACKPOT]
    if p[CHARGE] > 0:
        _lift(x, 1, work[0])
        _lift(x, 2, work[1])
        _act(work[0], c, spread)
        _act(work[1], c, spread)
    _act(x, c, spread)
    for row in range(9):
        if _charges_row(row) and not persist:
            for a in range(x.shape[1]):
                x[row, a] = 0
                work[0, row, a] = 0
                work[1, row, a] = 0
    for done in range(m):
        _step(x, rows, rest, p[MULTIPLY], pick, mu, persist)
        if done == 0 and p[CHARGE] > 0:
            _add(x, work[0], m * p[CHARGE])
        elif done == 1 and p[CHARGE] > 0:
            _add(x, work[1], m * (m - 1) * p[CHARGE] ** 2)


@inline
def _blank(x: Complex, u: float, n: int, charge: Real) -> None:
    """A respin on which nothing lands; Orbs that go on acting charge. In place."""
    for row in range(x.shape[0]):
        for a in range(x.shape[1]):
            x[row, a] *= u
    if n:
        _act(x, charge[0] / n, charge[1] / n)


@inline
def _before_event(x: Complex, u: float, respins: int, n: int, charge: Real, total: Complex) -> None:
    """``total``: the sum over the blank respins that may pass before something lands; ``x`` is used up."""
    for row in range(x.shape[0]):
        for a in range(x.shape[1]):
            total[row, a] = x[row, a]
    for _ in range(respins - 1):
        _blank(x, u, n, charge)
        _add(total, x, 1.0)


@inline
def _power(size: int, m: int, rest: complex, red: float, pick: float, up: float, power: Complex) -> None:
    """The m-th power of a row's class matrix, by columns: ``power[a, b]`` from class b to class a."""
    top = size - 1
    stay = rest + red * (1 - pick)
    for b in range(size):
        for a in range(size):
            power[a, b] = 0
        power[b, b] = 1
        for _ in range(m):
            power[top, b] *= rest + red
            if top:
                power[top, b] += red * pick * up * power[top - 1, b]
            for a in range(top - 1, b, -1):
                power[a, b] = stay * power[a, b] + red * pick * up * power[a - 1, b]
            if b < top:
                power[b, b] *= stay


@inline
def _settle(
    x: Complex, rows: int, u: float, respins: int, m: int, p: Real, z: complex, n: int, pick: float, charge: Real,
    mu: Real, persist: bool, work: Complex, power: Complex,
) -> None:  # fmt: skip
    """Expected resets y = x + loop(y), row by row: a row feeds only later rows and itself. In place."""
    scale = 0.0
    for i in range(respins):
        scale += u**i
    rest = p[BLANK] + p[CHARGE] + z * p[JACKPOT]
    size = x.shape[1]
    known, ready, moved = work[2], work[3], work[4]
    for row in range(9):
        for a in range(size):
            known[row, a] = 0
    for row in range(rows):
        if _charges_row(row) and not persist:
            continue
        for i in range(9):
            for a in range(size):
                moved[i, a] = known[i, a]
        _before_event(moved, u, respins, n, charge, ready)
        for i in range(9):
            for a in range(size):
                moved[i, a] = ready[i, a]
        _event(moved, row + 1, m, p, z, n, pick, charge, mu, persist, work)
        _blank(ready, u, n, charge)
        if row < 3:
            loop = scale * ((rest + p[MULTIPLY]) ** m - u)
            known[row, 0] = (x[row, 0] + moved[row, 0] - ready[row, 0]) / (1 - loop)
            continue
        _power(size, m, rest, p[MULTIPLY], pick, mu[_degree(row)], power)
        for a in range(size):
            y = x[row, a] + moved[row, a] - ready[row, a]
            for b in range(a):
                y += scale * power[a, b] * known[row, b]
            known[row, a] = y / (1 - scale * (power[a, a] - u))
    for row in range(9):
        for a in range(size):
            x[row, a] = known[row, a]


@inline
def _land(x: Complex, k: int, weight: float, money: Real, into: Complex) -> None:
    """k new Money symbols join: ``into`` += weight times the state after."""
    _add(into, x, weight)
    for j in range(3):
        into[3 + j, 0] += weight * k * x[j, 0]
    into[6, 0] += weight * k * money[0] * x[0, 0]
    into[7, 0] += weight * k * money[0] * x[1, 0]
    into[8, 0] += weight * k * money[1] * x[0, 0]


@kernel
def one_symbol(
    cells: int, respins: int, land: Real, stage: Ints, binomial: Real, pick: Real, money: Real, charge: Real,
    mu: Real, classes: int, persist: bool, z: complex, rows: int,
) -> tuple[Complex, Complex, Complex, complex]:  # fmt: skip
    """The chain of one tagged symbol, golden Orbs marked by z; rows beyond ``rows`` (8: no squares) stay 0.

    Returns (resets[cells, 9, K]: expected resets with n filled, ready[cells, 9, K]: expected states before an event,
    ends[cells, 9, K]: states at an end with n filled, E[z^golden; full grid]).
    """
    resets = np.zeros((cells, 9, classes), dtype=np.complex128)
    ready = np.zeros((cells, 9, classes), dtype=np.complex128)
    ends = np.zeros((cells, 9, classes), dtype=np.complex128)
    work = np.zeros((5, 9, classes), dtype=np.complex128)
    power = np.zeros((classes, classes), dtype=np.complex128)
    full = z * 0
    resets[0, 0, 0] = 1
    for n in range(cells):
        x = resets[n]
        into = ends[n]
        for i in range(n):
            _land(ready[i], n - i, binomial[cells - i, n - i] * land[i, MONEY] ** (n - i), money, into)
            if i == n - 1 or stage[i + 1] != stage[i]:
                _event(into, rows, cells - n, land[i], z, n, pick[n], charge, mu, persist, work)
                _add(x, into, 1.0)
                for row in range(9):
                    for a in range(classes):
                        into[row, a] = 0
        u = land[n, BLANK] ** (cells - n)
        _settle(x, rows, u, respins, cells - n, land[n], z, n, pick[n], charge, mu, persist, work, power)
        _add(into, x, 1.0)
        _before_event(into, u, respins, n, charge, ready[n])
        _blank(into, u, n, charge)
        full += ready[n, 0, 0] * land[n, MONEY] ** (cells - n)
    return resets, ready, ends, full
