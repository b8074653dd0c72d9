# mypy: disable-error-code=no-untyped-def
"""Tables of numbers by hashes of what they stand for: open addressing, a place holds a number + 1, 0 is empty."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel, melted

ZERO = np.uint64(0)
ONE = np.uint64(1)


@melted
def mixed(x, salt):
    """A 64-bit hash."""
    h = (np.uint64(x) + salt) * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(30)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(27)
    h *= np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@melted
def place_of(slots, one, two, a, b):
    """Place of a key in an open-addressing table of numbers + 1."""
    size = np.uint64(slots.shape[0] - 1)
    place = a & size
    while slots[place] and not (one[slots[place] - 1] == a and two[slots[place] - 1] == b):
        place = (place + ONE) & size
    return place


@kernel
def grown(values):
    """The same values with room for as many again."""
    more = np.zeros(2 * values.shape[0], values.dtype)
    more[: values.shape[0]] = values
    return more


@kernel
def rehashed(one, count, size):
    """A table of ``size`` slots for the first ``count`` keys, by their first halves."""
    slots = np.zeros(size, np.int64)
    mask = np.uint64(size - 1)
    for i in range(count):
        place = one[i] & mask
        while slots[place]:
            place = (place + ONE) & mask
        slots[place] = i + 1
    return slots
