"""Kernels of :mod:`workbench.features.money_law`: the respins at points of their generating function, and fair plays.

Shapes: P points, N cells. Wheels come as summed chances; amounts are whole numbers of steps. Randomness is an argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.jit import inline, kernel

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]
Ints = NDArray[np.int64]

BLANK, MONEY, CHARGE, MULTIPLY, JACKPOT = 0, 1, 2, 3, 4


@inline
def _powers(re: Real, im: Real, most: int) -> None:
    """Rows 0, 2 .. ``most`` of the powers of row 1, lane by lane."""
    re[0], im[0] = 1.0, 0.0
    for k in range(1, most):
        for z in range(re.shape[1]):
            re[k + 1, z] = re[k, z] * re[1, z] - im[k, z] * im[1, z]
            im[k + 1, z] = re[k, z] * im[1, z] + im[k, z] * re[1, z]


@inline
def _landed(
    factor: complex, from_re: Real, from_im: Real, power_re: Real, power_im: Real, to_re: Real, to_im: Real
) -> None:
    """to += factor from power, lane by lane."""
    a, b = factor.real, factor.imag
    for z in range(to_re.size):
        re = from_re[z] * power_re[z] - from_im[z] * power_im[z]
        im = from_re[z] * power_im[z] + from_im[z] * power_re[z]
        to_re[z] += a * re - b * im
        to_im[z] += a * im + b * re


@kernel
def respins_at(
    money: Complex, charge: Complex, golden: Complex, cells: int, respins: int, land: Real, stage: Ints,
    binomial: Real,
) -> Complex:  # fmt: skip
    """(P, Z): E[x^symbols z^golden; no full grid], ``money`` and ``charge`` (P,) at x, ``golden`` (Z,) the points z.

    Infinite at a positive point where respins that land only Orbs come again for ever. Real and imaginary parts stand
    apart and the points z are lanes: the compiler then takes several at a time.
    """
    lanes = golden.size
    found = np.zeros((money.size, lanes), dtype=np.complex128)
    re, im = np.zeros((cells, lanes)), np.zeros((cells, lanes))
    power_re, power_im = np.zeros((cells + 1, lanes)), np.zeros((cells + 1, lanes))
    for p in range(money.size):
        re[:], im[:] = 0.0, 0.0
        re[0] = 1.0
        for n in range(cells):
            m = cells - n
            blank = land[n, BLANK] ** m
            scale, ends = 0.0, 1.0
            for _ in range(respins):
                scale += ends
                ends *= blank
            if n == 0 or stage[n] != stage[n - 1]:
                for z in range(lanes):
                    other = land[n, BLANK] + charge[p] * land[n, CHARGE] + golden[z] * land[n, JACKPOT]
                    power_re[1, z], power_im[1, z] = other.real, other.imag
                _powers(power_re, power_im, m)
            for z in range(lanes):
                again = complex(power_re[m, z], power_im[m, z])
                if n == 0:
                    again = (land[n, BLANK] + land[n, CHARGE] + golden[z] * land[n, JACKPOT]) ** m
                rest = 1.0 - scale * (again - blank)
                if not rest.real > 0.0:
                    found[p, z] = complex(np.inf)
                resets = complex(re[n, z], im[n, z]) / rest
                found[p, z] += resets * ends
                re[n, z], im[n, z] = scale * resets.real, scale * resets.imag
            factor = 1.0 + 0.0j
            for k in range(1, m):
                factor *= land[n, MONEY] * money[p]
                _landed(
                    binomial[m, k] * factor,
                    re[n],
                    im[n],
                    power_re[m - k],
                    power_im[m - k],
                    re[n + k],
                    im[n + k],
                )
    return found


@inline
def _shown(cells: int, land: Real, binomial: Real) -> Real:
    """``shown[n, i, b]``: b of i cells that show no Money show a charging Orb, n filled."""
    shown = np.zeros((cells, cells + 1, cells + 1))
    for n in range(cells):
        for i in range(cells - n + 1):
            for b in range(i + 1):
                shown[n, i, b] = binomial[i, b] * land[n, CHARGE] ** b * land[n, BLANK] ** (i - b)
    return shown


@kernel
def acting_at(
    money: Complex, charge: Complex, cells: int, respins: int, land: Real, binomial: Real, most: int
) -> tuple[Complex, Real]:
    """E[x^symbols; no full grid, at most ``most`` Orbs] where Orbs go on acting (P,), and the size of what is beyond.

    Without golden Orbs a respin on which something lands never leads back: there is no loop.
    """
    found = np.zeros(money.size, dtype=np.complex128)
    beyond = np.zeros(money.size)
    shown = _shown(cells, land, binomial)
    arrivals = np.zeros((cells, most + 1), dtype=np.complex128)
    acts = np.ones(most + 1, dtype=np.complex128)
    for p in range(money.size):
        for b in range(most):
            acts[b + 1] = acts[b] * charge[p]
        arrivals[:] = 0.0
        arrivals[0, 0] = 1.0
        for n in range(cells):
            m = cells - n
            for b in range(most + 1):
                if arrivals[n, b] == 0.0:
                    continue
                blank = land[n, BLANK] ** m * (acts[b] if n else 1.0 + 0.0j)
                scale, ends = 0.0 + 0.0j, arrivals[n, b]
                for _ in range(respins):
                    scale += ends
                    ends *= blank
                found[p] += ends
                for k in range(m):
                    landed = scale * binomial[m, k]
                    for more in range(0 if k else 1, m - k + 1):
                        way = landed * shown[n, m - k, more]
                        if b + more > most:
                            beyond[p] += abs(way)
                        else:
                            arrivals[n + k, b + more] += way * (acts[b + more] if n + k else 1.0 + 0.0j)
                    scale *= land[n, MONEY] * money[p]
    return found, beyond


@inline
def _drawn(rng: Any, below: Real) -> int:
    """A place of a wheel."""
    u = rng.random()
    i = 0
    while i < below.size - 1 and u >= below[i]:
        i += 1
    return i


@inline
def _multiplied(
    rng: Any, n: int, count: int, top: int, shared: bool, wheel: Real, below: Real, value: Real, times: Ints,
    order: Ints,
) -> None:  # fmt: skip
    """One Orb multiplies ``count`` of n symbols; ``order`` holds the numbers 0 .. n - 1 in any order."""
    same = wheel[_drawn(rng, below)] if shared else 1.0
    for i in range(min(count, n)):
        j = i + int(rng.random() * (n - i))
        order[i], order[j] = order[j], order[i]
        if times[order[i]] < top:
            value[order[i]] *= same if shared else wheel[_drawn(rng, below)]
            times[order[i]] += 1


@kernel
def fair_plays(
    rng: Any, cells: int, respins: int, below_landed: Real, below_kind: Real, money: Real, below_money: Real,
    charge: Real, below_charge: Real, persist: bool, counts: Ints, below_counts: Real, wheel: Real, below_wheel: Real,
    top: int, shared: bool, below_names: Real, worth: Real, of_a_name: int, win: Ints,
) -> None:  # fmt: skip
    """``win[i]``: what play i wins, -1 where it fills the grid; amounts below 2^53.

    ``below_landed[n, k]``: at most k open cells show something, n filled; ``below_kind[n]``: what such a cell shows.
    """
    value = np.zeros(cells)
    times = np.zeros(cells, dtype=np.int64)
    order = np.zeros(cells, dtype=np.int64)
    held = np.zeros(worth.size, dtype=np.int64)
    shown = np.zeros(5, dtype=np.int64)
    for play in range(win.size):
        n, left, acting, won = 0, respins, 0, 0.0
        held[:] = 0
        while left > 0:
            landed = _drawn(rng, below_landed[n, : cells - n + 1])
            left = respins if landed else left - 1
            shown[:] = 0
            for _ in range(landed):
                shown[1 + _drawn(rng, below_kind[n])] += 1
            for _ in range(shown[MONEY]):
                value[n], times[n], order[n] = money[_drawn(rng, below_money)], 0, n
                n += 1
            if n == cells:
                break
            acting = acting + shown[CHARGE] if persist else shown[CHARGE]
            for _ in range(acting if n else 0):
                value[int(rng.random() * n)] += charge[_drawn(rng, below_charge)]
            for _ in range(shown[MULTIPLY] if n else 0):
                count = counts[_drawn(rng, below_counts)]
                _multiplied(rng, n, count, top, shared, wheel, below_wheel, value, times, order)
            for _ in range(shown[JACKPOT]):
                name = _drawn(rng, below_names)
                held[name] += 1
                if held[name] == of_a_name:
                    held[name] = 0
                    won += worth[name]
        if n == cells:
            win[play] = -1
        else:
            for i in range(n):
                won += value[i]
            win[play] = int(np.rint(won))
