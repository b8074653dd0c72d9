# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.prob.bank_chain`: banded matrices in scipy's form, band[upper + row - column, column]."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel


@kernel
def folded_band(moves, down, folded):
    """I - P for rows of ``moves[b, down + d]`` = P(b -> b + d); what passes the last state stays there if ``folded``."""
    size, width = moves.shape
    upper = width - down - 1
    band = np.zeros((width, size))
    for b in range(size):
        for i in range(width):
            to = b + i - down
            if to >= size and folded:
                to = size - 1
            if to != b:
                # the rows of P sum to 1, and what leaves a state is a sum without cancellation
                band[upper, b] += moves[b, i]
                if 0 <= to < size:
                    band[upper + b - to, to] -= moves[b, i]
    return band


@kernel
def transposed_band(band, lower, upper):
    """The band of the transposed matrix, its ``lower`` and ``upper`` exchanged."""
    size = band.shape[1]
    out = np.zeros_like(band)
    for column in range(size):
        for row in range(max(0, column - upper), min(size, column + lower + 1)):
            out[lower + column - row, row] = band[upper + row - column, column]
    return out
