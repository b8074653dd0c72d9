"""Kernels of :mod:`workbench.exact.weighted_lines`; its head states the law and the names used here.

The last axis of most arrays holds the lanes, the weightings that are computed side by side. Arrays are float64 (or
complex128 where weights are), C-contiguous; ``gain`` is float64, symbols, predicates and states int64. State 0 is
"settled", whose tails and products are zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.jit import kernel, melted

Ints = NDArray[np.int64]
Real = NDArray[np.float64]
Lanes = NDArray[Any]


@kernel
def joint_weights(
    shown: Ints, stops: Ints, holds: Ints, hold_count: Ints, weights: Lanes, joint: Lanes
) -> None:
    """joint[r, a, b, p, q, lane] += weight of the stops of reel r whose rows a and b meet predicates p and q.

    ``shown[r, stop, row]`` is the symbol in sight, ``holds[x, :hold_count[x]]`` the predicates symbol x meets.
    """
    reels, _, rows = shown.shape
    for r in range(reels):
        for stop in range(stops[r]):
            for a in range(rows):
                x = shown[r, stop, a]
                if x < 0:
                    continue
                for b in range(rows):
                    y = shown[r, stop, b]
                    if y < 0:
                        continue
                    for i in range(hold_count[x]):
                        for j in range(hold_count[y]):
                            into = joint[r, a, b, holds[x, i], holds[y, j]]
                            for lane in range(into.size):
                                into[lane] += weights[r, stop, lane]


@kernel
def line_tails(
    rows: Ints, follows: Ints, count: Ints, edge_first: Ints, start: Ints, end: Ints, predicate: Ints,
    gain: Real, joint: Lanes, rest: Lanes, anything: int, tails: Lanes,
) -> None:  # fmt: skip
    """tails[r, u, q, lane]: expected later gains of a line whose rows from reel r on are those of ending u, in state q."""
    for r in range(rows.shape[0] - 1, -1, -1):
        for u in range(count[r]):
            a, later = rows[r, u], tails[r + 1, follows[r, u]]
            for e in range(edge_first[r], edge_first[r + 1]):
                chance, into = joint[r, a, a, predicate[e], anything], tails[r, u, start[e]]
                for lane in range(chance.size):
                    into[lane] += chance[lane] * (gain[e] * rest[r + 1, lane] + later[end[e], lane])


@melted
def _products(
    r: int, a: int, b: int, edge_first: Ints, start: Ints, end: Ints, predicate: Ints, one: Real, two: Real,
    joint: Lanes, rest: Lanes, tails_one: Lanes, tails_two: Lanes, after: Lanes, into: Lanes,
) -> None:  # fmt: skip
    """into[p, q, lane] += expected later product of two lines in states p and q, on rows a and b of reel r."""
    for i in range(edge_first[r], edge_first[r + 1]):
        for j in range(edge_first[r], edge_first[r + 1]):
            chance = joint[r, a, b, predicate[i], predicate[j]]
            found, later = into[start[i], start[j]], after[end[i], end[j]]
            for lane in range(chance.size):
                if chance[lane] != 0:
                    found[lane] += chance[lane] * (
                        one[i] * two[j] * rest[r + 1, lane]
                        + one[i] * tails_two[end[j], lane]
                        + two[j] * tails_one[end[i], lane]
                        + later[lane]
                    )


@kernel
def pair_layer(
    r: int, rows: Ints, follows: Ints, count: Ints, edge_first: Ints, start: Ints, end: Ints, predicate: Ints,
    one: Real, two: Real, joint: Lanes, rest: Lanes, tails_one: Lanes, tails_two: Lanes, after: Lanes,
    symmetric: bool, both: Lanes,
) -> None:  # fmt: skip
    """both[u, v, p, q, lane]: expected later product of two lines of endings u and v from reel r on; ``after`` the next reel's."""
    for u in range(count[r]):
        for v in range(u if symmetric else 0, count[r]):
            x, y = follows[r, u], follows[r, v]
            _products(
                r, rows[r, u], rows[r, v], edge_first, start, end, predicate, one, two, joint, rest,
                tails_one[r + 1, x], tails_two[r + 1, y], after[x, y], both[u, v],
            )  # fmt: skip
            if symmetric and u != v:
                for p in range(both.shape[2]):
                    for q in range(both.shape[3]):
                        both[v, u, q, p] = both[u, v, p, q]


@kernel
def pair_sums(
    first: int, rows: Ints, follows: Ints, count: Ints, times: Ints, states: Ints, edge_first: Ints, start: Ints,
    end: Ints, predicate: Ints, one: Real, two: Real, joint: Lanes, rest: Lanes, tails_one: Lanes,
    tails_two: Lanes, after: Lanes, symmetric: bool, second: Lanes,
) -> None:  # fmt: skip
    """second[lane] += expected product of the gains of all ordered pairs of lines, from ``after``, that of reel ``first``.

    ``times[u]`` lines have the rows u. Of a symmetric product only one order is computed.
    """
    most = 0
    for r in range(first + 1):
        most = max(most, states[r])
    work = np.zeros((first, most, most, second.size), after.dtype)
    at = np.zeros((2, first + 1), np.int64)
    for u in range(count[0]):
        for v in range(u if symmetric else 0, count[0]):
            at[0, 0], at[1, 0] = u, v
            for r in range(first):
                at[0, r + 1], at[1, r + 1] = follows[r, at[0, r]], follows[r, at[1, r]]
            work[:] = 0
            for r in range(first - 1, -1, -1):
                x, y = at[0, r + 1], at[1, r + 1]
                later = after[x, y] if r + 1 == first else work[r + 1]
                _products(
                    r, rows[r, at[0, r]], rows[r, at[1, r]], edge_first, start, end, predicate, one, two,
                    joint, rest, tails_one[r + 1, x], tails_two[r + 1, y], later, work[r],
                )  # fmt: skip
            factor = times[u] * times[v] * (2 if symmetric and u != v else 1)
            for lane in range(second.size):
                second[lane] += factor * work[0, 1, 1, lane]


@kernel
def marked_tails(
    rows: Ints, follows: Ints, count: Ints, edge_first: Ints, start: Ints, end: Ints, predicate: Ints,
    gain: Real, joint: Real, rest: Real, plus: Ints, tails: Real,
) -> None:  # fmt: skip
    """tails[r, u, q, m]: expected later gains, where the later reels show marks of code m.

    ``joint[r, a, p, m]`` is the weight of the stops whose row a meets p and whose window shows m; ``rest[r, m]`` that
    of the reels from r on; ``plus[m, n]`` the code of m and n together.
    """
    codes = plus.shape[0]
    for r in range(rows.shape[0] - 1, -1, -1):
        for u in range(count[r]):
            later = tails[r + 1, follows[r, u]]
            for e in range(edge_first[r], edge_first[r + 1]):
                into = tails[r, u, start[e]]
                for m in range(codes):
                    chance = joint[r, rows[r, u], predicate[e], m]
                    if chance != 0:
                        for n in range(codes):
                            into[plus[m, n]] += chance * (gain[e] * rest[r + 1, n] + later[end[e], n])
