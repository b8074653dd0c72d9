# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.prob.product_chain`. Arrays in, arrays out.

A state is a tuple c = (c_0 .. c_{R-1}), numbered row-major, reel 0 slowest; ``sizes[r]`` local states each.
``local[r, x, y, j]`` is the probability that coordinate r moves from x to y >= x while j counts occur, padded
with zeros. ``v[n, k, f]``: state n, count k, right-hand side f.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel, melted


@melted
def _shift_add(out, source, p, j, levels, sides, capped):
    """out[k + j] += p * source[k] over flat (K * F) vectors; beyond K - 1 it is dropped, or capped there."""
    for i in range(max(levels - j, 0) * sides):
        out[i + j * sides] += p * source[i]
    if capped:
        top = (levels - 1) * sides
        for k in range(max(levels - j, 0), levels):
            for f in range(sides):
                out[top + f] += p * source[k * sides + f]


@kernel
def forward(sizes, local, counts, capped, start):
    """Expected visits v (N, K, F) to every (state, count) before the end, begun with the masses ``start``.

    A step that changes neither state nor count ends the chain. ``counts[r]`` is the most counts of coordinate r
    in a step. Capped: the count stays at K - 1 and what would raise it there doesn't keep the chain going.
    Not capped: mass beyond K - 1 is dropped.
    """
    reels = sizes.shape[0]
    states, levels, sides = start.shape
    width = levels * sides
    tail = np.ones(reels + 1, np.int64)
    for r in range(reels - 1, -1, -1):
        tail[r] = tail[r + 1] * sizes[r]
    part = np.zeros((reels, tail[1], width))
    visits = np.zeros((states, width))
    known = np.zeros((reels + 1, width))
    own = np.zeros(width)
    moved = np.zeros(width)
    stay = np.zeros(levels + 1)
    after = np.zeros(levels + 1)
    c = np.zeros(reels, np.int64)
    most = counts.sum()
    for n in range(states):
        rest = n
        for r in range(reels):
            c[r] = rest // tail[r + 1]
            rest = rest % tail[r + 1]
        stay[:] = 0.0
        stay[0] = 1.0
        for r in range(reels):
            known[r + 1] = 0.0
            after[:] = 0.0
            rest = n % tail[r + 1]
            for j in range(counts[r] + 1):
                p = local[r, c[r], c[r], j]
                if p > 0.0:
                    for k in range(levels + 1):
                        after[min(k + j, levels)] += stay[k] * p
                    if r > 0:
                        _shift_add(known[r + 1], known[r], p, j, levels, sides, capped)
                for x in range(c[r]):
                    p = local[r, x, c[r], j]
                    if p > 0.0:
                        source = visits[x * tail[1] + rest] if r == 0 else part[r, x * tail[r + 1] + rest]
                        _shift_add(known[r + 1], source, p, j, levels, sides, capped)
            stay[:] = after
        mine = visits[n]
        for k in range(levels):
            for f in range(sides):
                mine[k * sides + f] = start[n, k, f] + known[reels, k * sides + f]
            # what keeps the state but raises the count comes back here
            for i in range(0 if capped else max(k - most, 0), k):
                p = stay[k - i]
                if capped and k == levels - 1:
                    p = 0.0
                    for j in range(k - i, levels + 1):
                        p += stay[j]
                for f in range(sides):
                    mine[k * sides + f] += p * mine[i * sides + f]
        own[:] = mine
        for r in range(reels - 1):
            moved[:] = 0.0
            for j in range(counts[r] + 1):
                p = local[r, c[r], c[r], j]
                if p > 0.0:
                    _shift_add(moved, own, p, j, levels, sides, capped)
            own[:] = moved
            place = n % tail[r + 1]
            for i in range(width):
                part[r + 1, place, i] = known[r + 1, i] + own[i]
    return visits.reshape(states, levels, sides)


@melted
def _shift_back(out, source, p, j, levels, sides):
    """out[k] += p * source[min(k + j, K - 1)] over flat (K * F) vectors."""
    for i in range(max(levels - j, 0) * sides):
        out[i] += p * source[i + j * sides]
    top = (levels - 1) * sides
    for k in range(max(levels - j, 0), levels):
        for f in range(sides):
            out[k * sides + f] += p * source[top + f]


@kernel
def backward(sizes, local, counts, levels, capped, end):
    """Expected end value h (N, K, F) from every (state, count); ``end`` (N, F) is paid where the chain ends.

    Capped: K = cap + 1 counts, and at the last one what would raise the count doesn't keep the chain going.
    Not capped: K = 1, the count isn't carried, and a step that raises it only is played again.
    """
    reels = sizes.shape[0]
    states, sides = end.shape
    width = levels * sides
    tail = np.ones(reels + 1, np.int64)
    for r in range(reels - 1, -1, -1):
        tail[r] = tail[r + 1] * sizes[r]
    part = np.zeros((reels, tail[1], width))
    value = np.zeros((states, width))
    known = np.zeros((reels + 1, width))
    own = np.zeros(width)
    moved = np.zeros(width)
    stay = np.zeros(levels + 1)
    after = np.zeros(levels + 1)
    c = np.zeros(reels, np.int64)
    for n in range(states - 1, -1, -1):
        rest = n
        for r in range(reels):
            c[r] = rest // tail[r + 1]
            rest = rest % tail[r + 1]
        stay[:] = 0.0
        stay[0] = 1.0
        for r in range(reels):
            known[r + 1] = 0.0
            after[:] = 0.0
            rest = n % tail[r + 1]
            for j in range(counts[r] + 1):
                p = local[r, c[r], c[r], j]
                if p > 0.0:
                    for k in range(levels + 1):
                        after[min(k + j, levels)] += stay[k] * p
                    if r > 0:
                        _shift_back(known[r + 1], known[r], p, j, levels, sides)
                for y in range(c[r] + 1, sizes[r]):
                    p = local[r, c[r], y, j]
                    if p > 0.0:
                        source = value[y * tail[1] + rest] if r == 0 else part[r, y * tail[r + 1] + rest]
                        _shift_back(known[r + 1], source, p, j, levels, sides)
            stay[:] = after
        total = stay.sum()
        mine = value[n]
        for k in range(levels - 1, -1, -1):
            ends = total if capped and k == levels - 1 else stay[0]
            for f in range(sides):
                mine[k * sides + f] = known[reels, k * sides + f] + ends * end[n, f]
            if capped:
                for i in range(k + 1, levels):
                    p = stay[i - k]
                    if i == levels - 1:
                        p = stay[i - k :].sum()
                    for f in range(sides):
                        mine[k * sides + f] += p * mine[i * sides + f]
            else:
                for f in range(sides):
                    mine[k * sides + f] /= 1.0 - (total - ends)
        own[:] = mine
        for r in range(reels - 1):
            moved[:] = 0.0
            for j in range(counts[r] + 1):
                p = local[r, c[r], c[r], j]
                if p > 0.0:
                    _shift_back(moved, own, p, j, levels, sides)
            own[:] = moved
            place = n % tail[r + 1]
            for i in range(width):
                part[r + 1, place, i] = known[r + 1, i] + own[i]
    return value.reshape(states, levels, sides)


@kernel
def ended_by_label(mass, stay, capped, label, labels):
    """(labels, K, F): mass (N, K, F) times its chance to end at the next step, summed by the label of the state.

    ``stay[n, j]`` is the chance that state n is kept while j counts occur; at a capped last count any j ends.
    """
    states, levels, sides = mass.shape
    found = np.zeros((labels, levels, sides))
    for n in range(states):
        total = stay[n].sum()
        for k in range(levels):
            ends = total if capped and k == levels - 1 else stay[n, 0]
            for f in range(sides):
                found[label[n], k, f] += ends * mass[n, k, f]
    return found
