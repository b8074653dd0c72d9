"""Kernel of :mod:`workbench.features.money_respins` for the number of golden Orbs; conventions as in ``_one_symbol_kernels``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jit import inline, kernel

Real = NDArray[np.float64]

BLANK, MONEY, CHARGE, MULTIPLY, JACKPOT = 0, 1, 2, 3, 4


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
