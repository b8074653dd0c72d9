"""xoshiro256++ and unbiased whole numbers inside kernels; the law is stated in ``source``.

``state`` is a uint64 array of four words, changed in place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jit import melted

_17 = np.uint64(17)
_19 = np.uint64(19)
_23 = np.uint64(23)
_32 = np.uint64(32)
_41 = np.uint64(41)
_45 = np.uint64(45)
_LOW = np.uint64(0xFFFFFFFF)
_RANGE = np.uint64(1 << 32)


@melted
def next_word(state: NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits."""
    a = state[0]
    b = state[1]
    c = state[2] ^ a
    d = state[3] ^ b
    total = a + state[3]
    state[0] = a ^ d
    state[1] = b ^ c
    state[2] = c ^ (b << _17)
    state[3] = (d << _45) | (d >> _19)
    word: np.uint64 = ((total << _23) | (total >> _41)) + a
    return word


@melted
def below(state: NDArray[np.uint64], n: np.uint64) -> np.uint64:
    """A whole number from 0 to n - 1 for 1 <= n <= 2^32.

    A lower half of at least n is above every bound 2^32 mod n, so the slow remainder is rarely taken.
    """
    product = (next_word(state) >> _32) * n
    if product & _LOW < n:
        bound = _RANGE % n
        while product & _LOW < bound:
            product = (next_word(state) >> _32) * n
    drawn: np.uint64 = product >> _32
    return drawn
