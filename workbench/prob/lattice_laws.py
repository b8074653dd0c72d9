"""Laws on a lattice as arrays of chances: shifts, sums of independent draws, noise of transforms.

A convolution by transforms errs, at every place, in proportion to its largest entries; so laws with a heavy head and rare
large wins are convolved block by block, and each block errs in proportion to what it holds itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
BLOCK = 1 << 13


def shifted_sum(parts: Sequence[tuple[int, Array]]) -> Array:
    """The sum of laws moved up by so many steps.

    >>> shifted_sum([(0, np.array([0.5])), (2, np.array([0.25, 0.25]))]).tolist()
    [0.5, 0.0, 0.25, 0.25]
    """
    found = np.zeros(max((shift + len(law) for shift, law in parts), default=1))
    for shift, law in parts:
        found[shift : shift + len(law)] += law
    return found


def spread_out(law: Array, factor: int) -> Array:
    """The law on a lattice ``factor`` times finer."""
    if factor == 1 or not len(law):
        return law
    found = np.zeros((len(law) - 1) * factor + 1)
    found[::factor] = law
    return found


def without_noise(law: Array) -> tuple[Array, float]:
    """A law out of a transform without its rounding noise, and a bound on the chances that went with it.

    Chances are never negative: what is negative shows how large the noise is, and entries up to twice that are dropped.
    """
    floor = 2 * max(0.0, -float(law.min(initial=0.0)))
    kept = np.where(law > floor, law, 0.0)
    return kept, float(floor * np.count_nonzero(kept != law))


def convolved(one: Array, two: Array) -> Array:
    """The law of the sum of two independent draws, block by block.

    >>> convolved(np.array([0.5, 0.5]), np.array([0.25, 0.75])).round(12).tolist()
    [0.125, 0.5, 0.375]
    """
    first, second = _blocks(one), _blocks(two)
    sums: dict[int, NDArray[np.complex128]] = {}
    for i, a in first.items():
        for j, b in second.items():
            sums[i + j] = sums.get(i + j, 0.0) + a * b
    found = np.zeros((len(one) // BLOCK + len(two) // BLOCK + 3) * BLOCK)
    for place, transform in sums.items():
        found[place * BLOCK : (place + 2) * BLOCK] += without_noise(np.fft.irfft(transform, 2 * BLOCK))[0]
    return found[: max(len(one) + len(two) - 1, 0)]


def _blocks(law: Array) -> dict[int, NDArray[np.complex128]]:
    """The transform of each block that isn't empty, by its number."""
    found = {}
    for number, first in enumerate(range(0, len(law), BLOCK)):
        block = law[first : first + BLOCK]
        if block.any():
            found[number] = np.fft.rfft(block, 2 * BLOCK)
    return found
