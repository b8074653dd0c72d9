# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.exact.hit_law`: spins by what their lines may still win. Arrays in, arrays out.

A *board* is what the reels so far have left open: for each state that isn't settled the lines in it, as words of 64
bits, in one row ``keys[i]`` (state s, word w at (s - 1) * words + w), with the code of the marks seen so far in
``tags[i]``. ``cover[c, p, w]`` are the lines whose cell meets predicate p in window class c. Counts are int64: the
cycle must be below 2^62.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import inline, kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)


@inline
def place_of(keys, tags, used, key, tag):
    """Place of a key in an open-addressing table whose size is a power of two."""
    size = np.uint64(used.shape[0] - 1)
    h = np.uint64(tag) * np.uint64(0x165667B19E3779F9)
    for i in range(key.shape[0]):
        h ^= key[i]
        h *= np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
    place = h & size
    while used[place]:
        if tags[place] == tag:
            same = True
            for i in range(key.shape[0]):
                if keys[place, i] != key[i]:
                    same = False
                    break
            if same:
                break
        place = (place + ONE) & size
    return place


@inline
def open_edges(key, words, first, last, start, wins, edges):
    """The edges of the states that hold lines, those that win first; how many."""
    found = 0
    for wanted in range(1, -1, -1):
        for e in range(first, last):
            if wins[e] == wanted:
                for w in range(words):
                    if key[(start[e] - 1) * words + w] != ZERO:
                        edges[found] = e
                        found += 1
                        break
    return found


@kernel
def next_boards(
    keys, tags, weights, number, words, width, first, last, start, end, predicate, wins, cover, marks, ways, plus,
    size, won, lost,
):  # fmt: skip
    """Boards after one more reel: (keys, tags, weights, number, fits); ``won`` and ``lost`` [code] gain what is decided.

    ``width`` is the length of the new keys, ``marks[c]`` and ``ways[c]`` the code and the weight of window class c. Where a
    table of ``size`` places doesn't fit, all is left as it was but ``won`` and ``lost``, and ``fits`` is False.
    """
    new_keys = np.zeros((size, max(width, 1)), np.uint64)
    new_tags = np.zeros(size, np.int64)
    new_weights = np.zeros(size, np.int64)
    used = np.zeros(size, np.bool_)
    slots = np.zeros(size, np.int64)
    key = np.zeros(max(width, 1), np.uint64)
    edges = np.zeros(last - first + 1, np.int64)
    count = 0
    for i in range(number):
        many = open_edges(keys[i], words, first, last, start, wins, edges)
        for c in range(ways.shape[0]):
            code, weight = plus[tags[i], marks[c]], weights[i] * ways[c]
            key[:] = ZERO
            hit, alive = False, False
            for k in range(many):
                e = edges[k]
                for w in range(words):
                    lines = keys[i, (start[e] - 1) * words + w] & cover[c, predicate[e], w]
                    if lines != ZERO:
                        if wins[e]:
                            hit = True
                            break
                        key[(end[e] - 1) * words + w] |= lines
                        alive = True
                if hit:
                    break
            if hit:
                won[code] += weight
            elif not alive:
                lost[code] += weight
            else:
                place = place_of(new_keys, new_tags, used, key, code)
                if not used[place]:
                    if 4 * count >= 3 * size:
                        return new_keys, new_tags, new_weights, count, False
                    used[place] = True
                    new_keys[place] = key
                    new_tags[place] = code
                    slots[count] = place
                    count += 1
                new_weights[place] += weight
    kept = slots[:count]
    return new_keys[kept], new_tags[kept], new_weights[kept], count, True
