"""Kernels of :mod:`workbench.features.money_respins`; its head states the theory and the names used here.

All arrays are float64 or complex128, C-contiguous. ``land[n]`` holds, for n filled cells, the probabilities of
(blank, money, charge, multiply, jackpot) on one open cell, ``stage[n]`` the number of the position reel they
come from; ``pick[n]`` the chance that a multiplying Orb hits a given Money symbol among n, ``pick2[n]`` that it hits
two given ones. Nothing is checked and nothing is random. No integer passes 64 cells.

Rows of a state of one tagged symbol, ``x[9, K]`` over the classes (times multiplied) 0 .. K-1; rows 0-2 use class 0:
    0: 1   1: B   2: B^2   3: C   4: C B   5: C B^2   6: S   7: S B   8: Q
Rows of a state of two tagged symbols, ``x[6, K, K]``:
    0: N   1: N B   2: N B^2   3: M   4: M B   5: P
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


@inline
def _moves(cells: int, land: Real, binomial: Real, table: Real) -> None:
    """``table[n, k, g]``: chance that k Money and g golden Orbs land on the open cells, n filled."""
    for n in range(cells):
        m = cells - n
        other = land[n, BLANK] + land[n, CHARGE] + land[n, MULTIPLY]
        for k in range(m):
            for g in range(m - k + 1):
                chance = land[n, MONEY] ** k * land[n, JACKPOT] ** g * other ** (m - k - g)
                table[n, k, g] = binomial[m, k] * binomial[m - k, g] * chance


@kernel
def golden_law(
    cells: int, respins: int, land: Real, binomial: Real, most: int, left_out: float
) -> tuple[Real, int, float]:
    """Law of the golden Orbs: (law[most + 1, 2]: not full and full, layers done, mass beyond them).

    Layer by layer in the number of Orbs, until at most ``left_out`` of the mass lies beyond or ``most`` is reached.
    """
    moves = np.zeros((cells, cells, cells + 1))
    _moves(cells, land, binomial, moves)
    wait = np.zeros((most + cells + 2, cells))
    law = np.zeros((most + 1, 2))
    wait[0, 0] = 1
    beyond = 1.0
    for layer in range(most + 1):
        for n in range(cells):
            m = cells - n
            u = land[n, BLANK] ** m
            scale = 0.0
            for i in range(respins):
                scale += u**i
            x = wait[layer, n] / (1 - scale * (moves[n, 0, 0] - u))
            law[layer, 0] += x * u**respins
            law[layer, 1] += x * scale * land[n, MONEY] ** m
            for k in range(m):
                for g in range(1 if k == 0 else 0, m - k + 1):
                    wait[layer + g, n + k] += x * scale * moves[n, k, g]
        beyond = 0.0
        for later in range(layer + 1, layer + cells + 1):
            for n in range(cells):
                beyond += wait[later, n]
        if beyond <= left_out:
            return law, layer + 1, beyond
    return law, most + 1, beyond
