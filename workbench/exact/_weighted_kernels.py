"""Kernels of :mod:`workbench.exact.weighted_lines`; its head states the law and the names used here.

The last axis of most arrays holds the lanes, the weightings that are computed side by side. Arrays are float64 (or
complex128 where weights are), C-contiguous; ``delta`` is float64, symbols and predicates int64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.jit import kernel

Ints = NDArray[np.int64]
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
    lines: Ints,
    needs: Ints,
    delta: NDArray[np.float64],
    joint: Lanes,
    rest: Lanes,
    anything: int,
    tails: Lanes,
) -> None:
    """tails[line, kind, r, lane]: expected later pay of a line of that kind alive through its first r reels."""
    reels = lines.shape[1]
    for line in range(lines.shape[0]):
        for kind in range(needs.shape[0]):
            for r in range(reels - 1, -1, -1):
                a = lines[line, r]
                chance = joint[r, a, a, needs[kind, r], anything]
                for lane in range(chance.size):
                    later = delta[kind, r + 1] * rest[r + 1, lane] + tails[line, kind, r + 1, lane]
                    tails[line, kind, r, lane] = chance[lane] * later


@kernel
def pair_tails(
    ends: Ints, first: int, needs: Ints, delta: NDArray[np.float64], joint: Lanes, rest: Lanes, tails: Lanes,
    both: Lanes,
) -> None:  # fmt: skip
    """both[i, j, p, q, lane]: expected later product of two lines alive through ``first`` reels.

    ``ends`` are lines that stand for all lines with the same rows from reel ``first`` on, ``tails`` theirs.
    """
    reels, lanes = ends.shape[1], rest.shape[1]
    for i in range(ends.shape[0]):
        for j in range(ends.shape[0]):
            for p in range(needs.shape[0]):
                for q in range(needs.shape[0]):
                    found = both[i, j, p, q]
                    for r in range(reels - 1, first - 1, -1):
                        chance = joint[r, ends[i, r], ends[j, r], needs[p, r], needs[q, r]]
                        one, two = delta[p, r + 1], delta[q, r + 1]
                        for lane in range(lanes):
                            found[lane] = chance[lane] * (
                                found[lane]
                                + one * two * rest[r + 1, lane]
                                + one * tails[j, q, r + 1, lane]
                                + two * tails[i, p, r + 1, lane]
                            )


@kernel
def pair_moments(
    lines: Ints,
    end: Ints,
    first: int,
    needs: Ints,
    joint: Lanes,
    seen: NDArray[np.bool_],
    both: Lanes,
    second: Lanes,
) -> None:
    """second[lane] += expected product of the pays of all ordered pairs of lines, none of which pays before ``first``.

    ``end[line]`` is the line's place in ``both``; ``seen[a, b, p, q]``: the first reel can meet p on row a and q on row b.
    """
    count, lanes = lines.shape[0], second.size
    chance = np.zeros_like(second)
    for one in range(count):
        for two in range(one, count):
            twice = 1.0 if one == two else 2.0
            for p in range(needs.shape[0]):
                for q in range(needs.shape[0]):
                    if not seen[lines[one, 0], lines[two, 0], needs[p, 0], needs[q, 0]]:
                        continue
                    for lane in range(lanes):
                        chance[lane] = twice * both[end[one], end[two], p, q, lane]
                    for r in range(first):
                        factor = joint[r, lines[one, r], lines[two, r], needs[p, r], needs[q, r]]
                        for lane in range(lanes):
                            chance[lane] *= factor[lane]
                    for lane in range(lanes):
                        second[lane] += chance[lane]
