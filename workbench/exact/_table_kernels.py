# mypy: disable-error-code=no-untyped-def
"""Open-addressing tables of laws: (keys (size, 2) uint64, tags, used, weights, slots, count), sizes a power of two.

``slots[:count[0]]`` are the places in use, in the order they came: a table is read and cleared by them.
"""

from __future__ import annotations

import numpy as np

from workbench.exact._spin_kernels import ONE
from workbench.jit import inline, melted


@melted
def slot_of(keys, tags, used, key_a, key_b, tag):
    """Place of a key in an open-addressing table whose size is a power of two."""
    size = np.uint64(used.shape[0] - 1)
    h = key_a * np.uint64(0x9E3779B97F4A7C15)
    h ^= key_b * np.uint64(0xC2B2AE3D27D4EB4F)
    h ^= np.uint64(tag) * np.uint64(0x165667B19E3779F9)
    h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(32)
    place = h & size
    while used[place] and not (keys[place, 0] == key_a and keys[place, 1] == key_b and tags[place] == tag):
        place = (place + ONE) & size
    return place


@melted
def add(table, key_a, key_b, tag, weight):
    """Add a weight under a key; returns False when the table is too full to go on."""
    keys, tags, used, weights, slots, count = table
    place = slot_of(keys, tags, used, key_a, key_b, tag)
    if not used[place]:
        if 4 * count[0] > 3 * used.shape[0]:
            return False
        used[place] = True
        keys[place, 0] = key_a
        keys[place, 1] = key_b
        tags[place] = tag
        weights[place] = 0
        slots[count[0]] = place
        count[0] += 1
    weights[place] += weight
    return True


@inline
def new_table(size):
    """An empty table."""
    return (
        np.zeros((size, 2), np.uint64),
        np.zeros(size, np.int64),
        np.zeros(size, np.bool_),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(1, np.int64),
    )


@melted
def clear(table):
    """Forget all entries."""
    used, slots, count = table[2], table[4], table[5]
    for i in range(count[0]):
        used[slots[i]] = False
    count[0] = 0
