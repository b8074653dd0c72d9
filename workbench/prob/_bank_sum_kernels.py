# mypy: disable-error-code=no-untyped-def
"""Kernel of :mod:`workbench.prob.bank_sums`: powers of a banded matrix of transforms, point by point."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel

LANES = 128


@kernel
def powers_at(real, imag, active, rows, down, main, stay, start, weights, scale, rounds, found):
    """found[p] = start M(p)^rounds 1, M = m I + S with m = moves[main, down, p], by powers of S; m = 0 if main < 0.

    ``moves[c, d, p]``, given as ``real`` and ``imag``, is the transform at point p of the law with which a bank of class c
    moves by d - down; class and move occur only where ``active[c, d]``. ``weights[j]`` = C(rounds, j) stay^(rounds - j) /
    scale^j, ``stay`` being m at the point 1 (1 without m); the last bank stands for all beyond.

    Real and imaginary parts lie apart, so that the inner loops run over whole registers of points.
    """
    points, banks = real.shape[2], rows.shape[0]
    last, most = banks - 1, weights.shape[0] - 1
    held_re, held_im = np.zeros((banks, LANES)), np.zeros((banks, LANES))
    after_re, after_im = np.zeros((banks, LANES)), np.zeros((banks, LANES))
    total_re, total_im = np.zeros(LANES), np.zeros(LANES)
    same_re, same_im = np.zeros(LANES), np.zeros(LANES)
    for first in range(0, points, LANES):
        width = min(LANES, points - first)
        for b in range(banks):
            held_re[b] = start[b]
            held_im[b] = 0.0
        total_re[:] = 0.0
        total_im[:] = 0.0
        if main >= 0:
            for i in range(width):
                same_re[i] = real[main, down, first + i]
                same_im[i] = imag[main, down, first + i]
        for j in range(most + 1):
            weight = weights[j]
            for i in range(width):
                re = (total_re[i] * same_re[i] - total_im[i] * same_im[i]) / stay
                im = (total_re[i] * same_im[i] + total_im[i] * same_re[i]) / stay
                total_re[i] = re
                total_im[i] = im
            for b in range(banks):
                for i in range(width):
                    total_re[i] += weight * held_re[b, i]
                    total_im[i] += weight * held_im[b, i]
            if j == most:
                break
            after_re[:] = 0.0
            after_im[:] = 0.0
            for b in range(banks):
                c = rows[b]
                for d in range(real.shape[1]):
                    if not active[c, d] or (d == down and c == main):
                        continue
                    to = min(max(b + d - down, 0), last)
                    of = 1.0 if d == down else 0.0
                    for i in range(width):
                        x = (real[c, d, first + i] - of * same_re[i]) * scale
                        y = (imag[c, d, first + i] - of * same_im[i]) * scale
                        after_re[to, i] += held_re[b, i] * x - held_im[b, i] * y
                        after_im[to, i] += held_re[b, i] * y + held_im[b, i] * x
            held_re, after_re = after_re, held_re
            held_im, after_im = after_im, held_im
        for i in range(width):
            found[first + i] = total_re[i] + 1j * total_im[i]
            if rounds > most:
                found[first + i] *= ((same_re[i] + 1j * same_im[i]) / stay) ** (rounds - most)
