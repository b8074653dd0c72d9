# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.sensitivity.free_series`: what Free Spins' series are worth. Series are (Keys, meter), saturated."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel
from workbench.prob._series_kernels import saturated_quotient, saturated_root, saturating


@kernel
def series_worth(g, spins, chances, prizes, slopes):
    """(laws (T,), ...): sum over n of chances[n] of the coefficients of F^n times prizes[t], and ``slopes`` filled.

    ``g`` (S + 1, H + 1, W + 1) is the law of one spin, F solves F = sum_s g_s F^s, ``prizes`` is (T, H + 1, W + 1).
    ``slopes[t, s, a, b]`` is what a mean win of 1 of a spin with s Scatters and the mark (a, b) adds to the mean total win
    times prizes[t]: the coefficients of Q F^s moved on by the mark, Q = sum over n of chances[n] n F^(n - 1) / (1 - H),
    H = sum over s of s g_s F^(s - 1).
    """
    scatters, height, width = g.shape
    one = saturated_root(g)
    power, h = np.zeros((height, width)), np.zeros((height, width))
    power[0, 0] = 1.0
    for s in range(1, scatters):
        h += s * saturating(g[s], power)
        if s + 1 < scatters:
            power = saturating(power, one)
    power[:] = 0.0
    power[0, 0] = 1.0
    law, begets = np.zeros((height, width)), np.zeros((height, width))
    reached = 0
    for i in range(spins.shape[0]):
        wanted = spins[i] - 1 - reached
        square, left = one, wanted
        while left > 0:
            if left % 2:
                power = saturating(power, square)
            left //= 2
            if left:
                square = saturating(square, square)
        reached = spins[i] - 1
        law += chances[i] * power
        begets += chances[i] * spins[i] * power
    law = saturating(law, one)
    found = np.zeros(prizes.shape[0])
    for t in range(prizes.shape[0]):
        found[t] = (law * prizes[t]).sum()
    lead = saturated_quotient(begets, h)
    for s in range(scatters):
        slope_of(lead, prizes, slopes[:, s])
        if s + 1 < scatters:
            lead = saturating(lead, one)
    return found


@kernel
def slope_of(series, prizes, slope):
    """``slope[t, a, b]``: the mean of prizes[t] once the mark (a, b) is added to a series.

    A row of prizes is a step function of the meter: its first value, and from each step on what it gains there.
    """
    height, width = series.shape
    beyond = np.zeros((height, width + 1))
    for i in range(height):
        for j in range(width - 1, -1, -1):
            beyond[i, j] = beyond[i, j + 1] + series[i, j]
    slope[:] = 0.0
    for t in range(slope.shape[0]):
        for row in range(height):
            for j in range(width):
                gain = prizes[t, row, j] - prizes[t, row, j - 1] if j else prizes[t, row, 0]
                if gain == 0.0:
                    continue
                for a in range(slope.shape[1]):
                    for b in range(slope.shape[2]):
                        # the row is reached from the one a below it, the last row from all above that too
                        reached = 0.0
                        if a <= row:
                            reached = beyond[row - a, max(j - b, 0)]
                        if row == height - 1:
                            for i in range(max(row - a + 1, 0), height):
                                reached += beyond[i, max(j - b, 0)]
                        slope[t, a, b] += gain * reached
