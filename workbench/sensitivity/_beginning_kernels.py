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
    reel, window, window_scatters, line_rows, step, dead, settled, is_wild, b_first, b_line, b_state, b_code, b_seen, b_ways,
    most_later, need, cut,
):  # fmt: skip
    """Beginnings of one more reel: what each of some beginnings and each of some windows of reel ``reel`` lead to.

    ``window[i, y]``, ``window_scatters[i]`` are what the windows show. Returns the beginnings and the steps that lead to them,
    (beginning before, window, beginning). ``most_later[r]`` scatters can come on reels r and later; what can't have the ``need``
    that are asked for is left out.
    """
    lines, states = line_rows.shape[0], step.shape[0]
    at_line, at_state, at_code = (
        np.zeros(lines, np.int64),
        np.zeros(lines, np.int64),
        np.zeros(lines, np.int64),
    )
    one, two = np.zeros(1024, np.uint64), np.zeros(1024, np.uint64)
    first, n_seen, n_ways = np.zeros(1025, np.int64), np.zeros(1024, np.int64), np.zeros(1024, np.int64)
    p_line, p_state, p_code = np.zeros(4096, np.int64), np.zeros(4096, np.int64), np.zeros(4096, np.int64)
    from_b, from_w, to = np.zeros(4096, np.int64), np.zeros(4096, np.int64), np.zeros(4096, np.int64)
    slots = np.zeros(4096, np.int64)
    count, steps = 0, 0
    for b in range(b_seen.shape[0]):
        for w in range(window.shape[0]):
            seen = min(b_seen[b] + window_scatters[w], cut)
            if seen + most_later[reel + 1] < need:
                continue
            alive = stepped(
                reel, window[w], line_rows, step, dead, settled, is_wild, b_line, b_state, b_code, b_first[b],
                b_first[b + 1], at_line, at_state, at_code,
            )  # fmt: skip
            if alive == 0:
                continue
            a, c = np.uint64(seen), np.uint64(seen)
            for i in range(alive):
                x = ((at_line[i] * states + at_state[i]) << 6) | at_code[i]
                h = mixed(x, ONE)
                a += h
                c += (h ^ (h >> np.uint64(29))) * (h | ONE)
            place = place_of(slots, one, two, a, c)
            if slots[place] == 0:
                found = count
                count += 1
                slots[place] = count
                if count > one.shape[0]:
                    one, two, n_seen, n_ways = grown(one), grown(two), grown(n_seen), grown(n_ways)
                    first = np.append(first, np.zeros(found, np.int64))
                one[found], two[found] = a, c
                n_seen[found] = seen
                while first[found] + alive > p_line.shape[0]:
                    p_line, p_state, p_code = grown(p_line), grown(p_state), grown(p_code)
                for i in range(alive):
                    p_line[first[found] + i] = at_line[i]
                    p_state[first[found] + i] = at_state[i]
                    p_code[first[found] + i] = at_code[i]
                first[count] = first[found] + alive
                if 2 * count > slots.shape[0]:
                    slots = rehashed(one, count, 4 * slots.shape[0])
            else:
                found = slots[place] - 1
            n_ways[found] += b_ways[b]
            if steps == to.shape[0]:
                from_b, from_w, to = grown(from_b), grown(from_w), grown(to)
            from_b[steps], from_w[steps], to[steps] = b, w, found
            steps += 1
    beginnings = (
        first[: count + 1], p_line[: first[count]], p_state[: first[count]], p_code[: first[count]],
        n_seen[:count], n_ways[:count],
    )  # fmt: skip
    return beginnings, (from_b[:steps], from_w[:steps], to[:steps])
