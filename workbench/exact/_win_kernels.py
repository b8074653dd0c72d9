# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.exact.win_law`: spins by what their lines have won and may still win.

A board is a row of words as in :mod:`workbench.exact._hit_kernels`, followed by what is won for certain: one word for each value
that is counted. ``cover[c, p, w]`` are the lines whose cell meets predicate p in window class c. Counts are int64: the
cycle must be below 2^62.
"""

from __future__ import annotations

import numpy as np

from workbench.exact._hit_kernels import ONE, ZERO, open_edges, place_of
from workbench.jit import inline, kernel

_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_EIGHTS = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)


@inline
def bits(word):
    """How many bits of a word are set."""
    word = word - ((word >> ONE) & _PAIRS)
    word = (word & _FOURS) + ((word >> np.uint64(2)) & _FOURS)
    word = (word + (word >> np.uint64(4))) & _EIGHTS
    return (word * _BYTES) >> np.uint64(56)


@kernel
def next_wins(
    keys, tags, weights, number, words, before, width, values, first, last, start, end, predicate, gain, cover, marks,
    ways, plus, size,
):  # fmt: skip
    """Boards after one more reel: (keys, tags, weights, number, fits).

    ``before`` and ``width`` are the words of lines of the old and the new keys, ``values`` the words that count wins;
    ``gain[v, e]`` (uint64) what value v gains on edge e. Where a table of ``size`` places doesn't fit, ``fits`` is False.
    """
    new_keys = np.zeros((size, width + values), np.uint64)
    new_tags = np.zeros(size, np.int64)
    new_weights = np.zeros(size, np.int64)
    used = np.zeros(size, np.bool_)
    slots = np.zeros(size, np.int64)
    key = np.zeros(width + values, np.uint64)
    edges = np.zeros(last - first + 1, np.int64)
    same = np.ones(gain.shape[1], np.int64)
    count = 0
    for i in range(number):
        many = open_edges(keys[i], words, first, last, start, same, edges)
        for c in range(ways.shape[0]):
            key[:width] = ZERO
            for v in range(values):
                key[width + v] = keys[i, before + v]
            for k in range(many):
                e = edges[k]
                for w in range(words):
                    lines = keys[i, (start[e] - 1) * words + w] & cover[c, predicate[e], w]
                    if lines != ZERO:
                        for v in range(values):
                            if gain[v, e] != ZERO:
                                key[width + v] += bits(lines) * gain[v, e]
                        if end[e] > 0:
                            key[(end[e] - 1) * words + w] |= lines
            code = plus[tags[i], marks[c]]
            place = place_of(new_keys, new_tags, used, key, code)
            if not used[place]:
                if 4 * count >= 3 * size:
                    return new_keys, new_tags, new_weights, count, False
                used[place] = True
                new_keys[place] = key
                new_tags[place] = code
                slots[count] = place
                count += 1
            new_weights[place] += weights[i] * ways[c]
    kept = slots[:count]
    return new_keys[kept], new_tags[kept], new_weights[kept], count, True
