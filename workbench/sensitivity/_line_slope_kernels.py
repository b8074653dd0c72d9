# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.sensitivity.line_slopes`, whose head states the law and the names used here.

Arrays as in the kernels of :mod:`workbench.exact.weighted_lines`: float64 or complex128, the last axis the lanes.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel


@kernel
def line_slopes(
    line_rows, states, edge_first, start, end, predicate, gain, chances, rest, totals, past, slope
):
    """past[r, lane] and slope[r, a, p, lane] of all lines: what they win before reel r, and from it on by what row a meets.

    ``chances[r, a, p, lane]`` is the weight of the stops of reel r whose row a meets predicate p.
    """
    lines, reels = line_rows.shape
    most, lanes = states.max(), rest.shape[1]
    ahead = np.zeros((reels + 1, most, lanes), rest.dtype)
    tail = np.zeros((reels + 1, most, lanes), rest.dtype)
    for line in range(lines):
        ahead[:], tail[:] = 0, 0
        ahead[0, 1] = 1
        won = np.zeros(lanes, rest.dtype)
        for r in range(reels - 1, -1, -1):
            a = line_rows[line, r]
            for e in range(edge_first[r], edge_first[r + 1]):
                chance = chances[r, a, predicate[e]]
                for k in range(lanes):
                    tail[r, start[e], k] += chance[k] * (gain[e] * rest[r + 1, k] + tail[r + 1, end[e], k])
        for r in range(reels):
            a = line_rows[line, r]
            for k in range(lanes):
                past[r, k] += won[k] * rest[r + 1, k]
                won[k] *= totals[r, k]
            for e in range(edge_first[r], edge_first[r + 1]):
                chance = chances[r, a, predicate[e]]
                for k in range(lanes):
                    here = ahead[r, start[e], k]
                    slope[r, a, predicate[e], k] += here * (gain[e] * rest[r + 1, k] + tail[r + 1, end[e], k])
                    won[k] += here * chance[k] * gain[e]
                    if end[e]:
                        ahead[r + 1, end[e], k] += here * chance[k]


@kernel
def pair_slopes(
    line_rows, states, edge_first, start, end, predicate, gain, joint, rest, totals, anything, first, last, past,
    slope, both,
):  # fmt: skip
    """past[r, lane], slope[r, b, p, lane], both[r, a, b, p, q, lane] of all ordered pairs of lines with one of first .. last - 1.

    ``both`` holds each pair once, as (one, two) with two <= one, with its weight.
    """
    reels = line_rows.shape[1]
    most, lanes = states.max(), rest.shape[1]
    dtype = rest.dtype
    tail = np.zeros((2, reels + 1, most, lanes), dtype)
    won_one = np.zeros((reels + 1, most, lanes), dtype)
    won_two = np.zeros((reels + 1, most, lanes), dtype)
    together = np.zeros((reels + 1, most, most, lanes), dtype)
    later = np.zeros((reels + 1, most, most, lanes), dtype)
    for one in range(first, last):
        for two in range(one + 1):
            weight = 1.0 if one == two else 2.0
            tail[:], later[:] = 0, 0
            won_one[:], won_two[:], together[:] = 0, 0, 0
            together[0, 1, 1] = 1
            won_both = np.zeros(lanes, dtype)
            for r in range(reels - 1, -1, -1):
                a, b = line_rows[one, r], line_rows[two, r]
                for d in range(edge_first[r], edge_first[r + 1]):
                    for k in range(lanes):
                        tail[0, r, start[d], k] += joint[r, a, a, predicate[d], anything, k] * (
                            gain[d] * rest[r + 1, k] + tail[0, r + 1, end[d], k]
                        )
                        tail[1, r, start[d], k] += joint[r, b, b, predicate[d], anything, k] * (
                            gain[d] * rest[r + 1, k] + tail[1, r + 1, end[d], k]
                        )
                for d in range(edge_first[r], edge_first[r + 1]):
                    for e in range(edge_first[r], edge_first[r + 1]):
                        for k in range(lanes):
                            chance = joint[r, a, b, predicate[d], predicate[e], k]
                            if chance != 0:
                                later[r, start[d], start[e], k] += chance * (
                                    gain[d] * gain[e] * rest[r + 1, k]
                                    + gain[d] * tail[1, r + 1, end[e], k]
                                    + gain[e] * tail[0, r + 1, end[d], k]
                                    + later[r + 1, end[d], end[e], k]
                                )
            for r in range(reels):
                a, b = line_rows[one, r], line_rows[two, r]
                for k in range(lanes):
                    past[r, k] += weight * won_both[k] * rest[r + 1, k]
                    won_both[k] *= totals[r, k]
                for d in range(edge_first[r], edge_first[r + 1]):
                    for k in range(lanes):
                        on_a = joint[r, a, a, predicate[d], anything, k]
                        on_b = joint[r, b, b, predicate[d], anything, k]
                        first_won, second_won = won_one[r, start[d], k], won_two[r, start[d], k]
                        slope[r, b, predicate[d], k] += (
                            weight * first_won * (gain[d] * rest[r + 1, k] + tail[1, r + 1, end[d], k])
                        )
                        slope[r, a, predicate[d], k] += (
                            weight * second_won * (gain[d] * rest[r + 1, k] + tail[0, r + 1, end[d], k])
                        )
                        won_both[k] += first_won * on_b * gain[d] + second_won * on_a * gain[d]
                        if end[d]:
                            won_one[r + 1, end[d], k] += first_won * on_b
                            won_two[r + 1, end[d], k] += second_won * on_a
                for d in range(edge_first[r], edge_first[r + 1]):
                    for e in range(edge_first[r], edge_first[r + 1]):
                        for k in range(lanes):
                            here = together[r, start[d], start[e], k]
                            if here != 0:
                                chance = here * joint[r, a, b, predicate[d], predicate[e], k]
                                both[r, a, b, predicate[d], predicate[e], k] += (
                                    weight
                                    * here
                                    * (
                                        gain[d] * gain[e] * rest[r + 1, k]
                                        + gain[d] * tail[1, r + 1, end[e], k]
                                        + gain[e] * tail[0, r + 1, end[d], k]
                                        + later[r + 1, end[d], end[e], k]
                                    )
                                )
                                won_both[k] += chance * gain[d] * gain[e]
                                if end[e]:
                                    won_one[r + 1, end[e], k] += chance * gain[d]
                                if end[d]:
                                    won_two[r + 1, end[d], k] += chance * gain[e]
                                if end[d] and end[e]:
                                    together[r + 1, end[d], end[e], k] += chance
