# mypy: disable-error-code=no-untyped-def
"""Kernels of :mod:`workbench.sensitivity.start_windows`: beginnings of spins and what they lead to.

A *beginning* is what the first reels leave open: the lines that can still win or have won, each with its state ``q`` of the
line automaton and the reels on which it shows a Wild (bits, ``code``), and the scatters seen. Lists of beginnings are
``(first, line, state, code, seen, ways)``: the lines of beginning i stand at ``first[i]:first[i + 1]``. ``shown[i, y]`` is
the symbol in row y of window i of one reel. ``dead[q]``: nothing can be won any more; ``settled[q]``: nothing is open. Beginnings are told apart by 128 bits of a hash of their lines.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel, melted
from workbench.sensitivity._hash_kernels import ONE, grown, mixed, place_of, rehashed


@melted
def stepped(
    reel,
    cells,
    line_rows,
    step,
    dead,
    settled,
    is_wild,
    line,
    state,
    code,
    first,
    last,
    to_line,
    to_state,
    to_code,
):
    """Lines first .. last - 1 of a list after one more window, dead ones left out; how many are left."""
    found = 0
    for i in range(first, last):
        q, bits = state[i], code[i]
        if not settled[q]:
            x = cells[line_rows[line[i], reel]]
            q = step[q, x]
            if is_wild[x]:
                bits |= 1 << reel
        if not dead[q]:
            to_line[found] = line[i]
            to_state[found] = q
            to_code[found] = bits
            found += 1
    return found


@kernel
def begun(
    reel, depth, shown, stops, scatters, window, window_scatters, line_rows, step, dead,
    settled, is_wild, b_first, b_line, b_state, b_code, b_seen, b_ways, most_later, need, cut, labelled,
):  # fmt: skip
    """Beginnings of ``depth`` reels, out of those of ``reel`` reels, reel ``reel`` showing one of the given windows.

    ``shown[r, i, y]``, ``scatters[r, i]`` are the strips of all reels, ``window``, ``window_scatters`` what reel ``reel``
    shows; its windows are told apart if ``labelled``. Returns the beginnings and (pairs' window, beginning, ways, count).
    ``most_later[r]`` scatters can come on reels r and later; what can't have the ``need`` that are asked for is left out.
    """
    lines, states = line_rows.shape[0], step.shape[0]
    width = depth - reel
    at_line = np.zeros((width + 1, lines), np.int64)
    at_state = np.zeros((width + 1, lines), np.int64)
    at_code = np.zeros((width + 1, lines), np.int64)
    alive = np.zeros(width + 1, np.int64)
    seen = np.zeros(width + 1, np.int64)
    stop = np.zeros(width + 1, np.int64)
    one, two = np.zeros(1024, np.uint64), np.zeros(1024, np.uint64)
    first, n_seen, n_ways = np.zeros(1025, np.int64), np.zeros(1024, np.int64), np.zeros(1024, np.int64)
    p_line, p_state, p_code = np.zeros(4096, np.int64), np.zeros(4096, np.int64), np.zeros(4096, np.int64)
    pair_w, pair_i, pair_m = np.zeros(4096, np.int64), np.zeros(4096, np.int64), np.zeros(4096, np.int64)
    slots = np.zeros(4096, np.int64)
    count, pairs = 0, 0
    for b in range(b_seen.shape[0]):
        for w in range(window.shape[0]):
            seen[1] = min(b_seen[b] + window_scatters[w], cut)
            if seen[1] + most_later[reel + 1] < need:
                continue
            alive[1] = stepped(
                reel, window[w], line_rows, step, dead, settled, is_wild, b_line, b_state, b_code, b_first[b],
                b_first[b + 1], at_line[1], at_state[1], at_code[1],
            )  # fmt: skip
            d = 1
            stop[1:] = 0
            while d > 0:
                if d < width and alive[d]:
                    r = reel + d
                    if stop[d] < stops[r]:
                        i = stop[d]
                        stop[d] += 1
                        if seen[d] + scatters[r, i] + most_later[r + 1] < need:
                            continue
                        alive[d + 1] = stepped(
                            r, shown[r, i], line_rows, step, dead, settled, is_wild, at_line[d], at_state[d], at_code[d], 0,
                            alive[d], at_line[d + 1], at_state[d + 1], at_code[d + 1],
                        )  # fmt: skip
                        seen[d + 1] = min(seen[d] + scatters[r, i], cut)
                        d += 1
                        stop[d] = 0
                    else:
                        d -= 1
                    continue
                if alive[d]:
                    a, c = np.uint64(seen[d]), np.uint64(seen[d])
                    for i in range(alive[d]):
                        x = ((at_line[d, i] * states + at_state[d, i]) << 6) | at_code[d, i]
                        h = mixed(x, ONE)
                        a += h
                        c += (h ^ (h >> np.uint64(29))) * (h | ONE)
                    place = place_of(slots, one, two, a, c)
                    if slots[place] == 0:
                        slots[place] = count + 1
                        if count == one.shape[0]:
                            one, two, n_seen, n_ways = grown(one), grown(two), grown(n_seen), grown(n_ways)
                            first = np.append(first, np.zeros(count, np.int64))
                        one[count], two[count] = a, c
                        n_seen[count] = seen[d]
                        while first[count] + alive[d] > p_line.shape[0]:
                            p_line, p_state, p_code = grown(p_line), grown(p_state), grown(p_code)
                        for i in range(alive[d]):
                            p_line[first[count] + i] = at_line[d, i]
                            p_state[first[count] + i] = at_state[d, i]
                            p_code[first[count] + i] = at_code[d, i]
                        first[count + 1] = first[count] + alive[d]
                        count += 1
                        found = count - 1
                        if 2 * count > slots.shape[0]:
                            slots = rehashed(one, count, 4 * slots.shape[0])
                    else:
                        found = slots[place] - 1
                    n_ways[found] += b_ways[b]
                    if labelled:
                        if pairs == pair_w.shape[0]:
                            pair_w, pair_i, pair_m = grown(pair_w), grown(pair_i), grown(pair_m)
                        pair_w[pairs], pair_i[pairs], pair_m[pairs] = w, found, b_ways[b]
                        pairs += 1
                d -= 1
    beginnings = (
        first[: count + 1], p_line[: first[count]], p_state[: first[count]], p_code[: first[count]],
        n_seen[:count], n_ways[:count],
    )  # fmt: skip
    return beginnings, (pair_w[:pairs], pair_i[:pairs], pair_m[:pairs])
