# mypy: disable-error-code=no-untyped-def
"""Kernel of :mod:`workbench.sensitivity.key_batch`: many games with banked Keys under policies that save alike in every bank.

The equations are those of :mod:`workbench.prob.bank_chain`, closed at a bank B, and of :mod:`workbench.value.key_moments`.
"""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel

TIE = 1e-9
SETTLED = 1e-13
FIRST_BANK = 48
LAST_BANK = 384


@kernel
def optimal_choices(law, used_prize, saved_prize, prizes, save, use_below):
    """Fill ``save[f, s, k]`` and ``use_below[b]``, b = 0 .. U, for the bias c b; False where saving depends on the bank."""
    most, keys, steps = prizes.shape[0] - 1, law.shape[2], law.shape[1]
    c = (prizes[most] - prizes[0]) / most
    size = 2 * most + keys + 1
    begun = np.zeros(size)
    for b in range(size):
        keep = prizes[0] + c * b
        used = min(b, most)
        spend = prizes[used] + c * (b - used)
        use = b > 0 and spend - keep >= -TIE
        begun[b] = spend if use else keep
        if b <= most:
            use_below[b] = use
        elif not use:
            return False
    if not use_below[most]:
        return False
    for f in range(2):
        for s in range(steps):
            for k in range(keys):
                save[f, s, k] = False
                for b in range(2 * most + 1 if k else 0):
                    more = begun[b + k] - begun[b] if f else c * k
                    saves = more - (used_prize[s, k] - saved_prize[s]) >= -TIE
                    if b == 0:
                        save[f, s, k] = saves
                    elif saves != save[f, s, k]:
                        return False
    return True


@kernel
def _factor(band, size, lower, upper):
    """LU without pivots of a banded M-matrix, in place: band[b, lower + d] is the entry (b, b + d)."""
    for j in range(size):
        for i in range(j + 1, min(size, j + lower + 1)):
            factor = band[i, lower + j - i] / band[j, lower]
            band[i, lower + j - i] = factor
            if factor != 0.0:
                for k in range(j + 1, min(size, j + upper + 1)):
                    band[i, lower + k - i] -= factor * band[j, lower + k - j]


@kernel
def _solve(band, size, lower, upper, x):
    for i in range(size):
        for j in range(max(0, i - lower), i):
            x[i] -= band[i, lower + j - i] * x[j]
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, min(size, i + upper + 1)):
            x[i] -= band[i, lower + j - i] * x[j]
        x[i] /= band[i, lower]


@kernel
def _solve_transposed(band, size, lower, upper, x):
    for i in range(size):
        for j in range(max(0, i - upper), i):
            x[i] -= band[j, lower + i - j] * x[j]
        x[i] /= band[i, lower]
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, min(size, i + lower + 1)):
            x[i] -= band[j, lower + i - j] * x[j]


@kernel
def bank_batch(
    law, used_prize, saved_prize, free_chance, prizes, kind, use_at, plain_first, hold_first, second, free_mean,
    free_second, fixed, done, gains, squares,
):  # fmt: skip
    """Gains (hold-and-spin's, Free Spins') and mean squares (of a round, of the martingale's steps) of entries first .. last - 1.

    ``kind`` 0 never saves, 1 always does, both using from ``use_at`` Keys on; 2 is optimal for a bias c b. ``done[i]`` tells
    whether an entry is of the kind that is solved here. ``squares[i, 0]`` is E[win^2].
    """
    count, steps, keys = law.shape[0], law.shape[2], law.shape[3]
    most = prizes.shape[1] - 1
    save = np.zeros((2, steps, keys), np.bool_)
    use = np.zeros(LAST_BANK + keys + 1, np.bool_)
    kept, begun = np.zeros(keys), np.zeros(keys)
    moves = np.zeros((LAST_BANK + 1, most + keys))
    rewards = np.zeros(LAST_BANK + 1)
    # by f and Keys saved: sums of p, q, p a, q a, p a^2
    sums = np.zeros((2, keys, 5))
    for i in range(count):
        if not done[i]:
            continue
        use[: most + 1] = False
        if kind == 2:
            if not optimal_choices(law[i], used_prize, saved_prize, prizes[i], save, use):
                done[i] = False
                continue
            use[most + 1 :] = True
        else:
            for f in range(2):
                for s in range(steps):
                    for k in range(keys):
                        save[f, s, k] = kind == 1 and k > 0
            for b in range(use.shape[0]):
                use[b] = b >= use_at
        sums[:] = 0.0
        hold = 0.0
        for f in range(2):
            for s in range(steps):
                for k in range(keys):
                    p, q = law[i, f, s, k], hold_first[i, f, s, k]
                    if p == 0.0:
                        continue
                    saves = save[f, s, k]
                    a = saved_prize[s] if saves else used_prize[s, k]
                    into = sums[f, k if saves else 0]
                    into[0] += p
                    into[1] += q
                    into[2] += p * a
                    into[3] += q * a
                    into[4] += p * a * a
                    hold += p * a
        goes_up = False
        for k in range(keys):
            kept[k], begun[k] = sums[0, k, 0], sums[1, k, 0]
            goes_up = goes_up or (k > 0 and (kept[k] > 0.0 or begun[k] > 0.0))
        no_hold, none_begun = 0.0, 0.0
        for k in range(keys):
            no_hold += kept[k]
            none_begun += begun[k]
        plain = 1.0 - free_chance[i] - no_hold, free_chance[i] - none_begun
        kept[0] += plain[0]
        begun[0] += plain[1]
        bank = max(FIRST_BANK, keys)
        solved = False
        gain, slope = 0.0, 0.0
        law_of_bank, bias = np.zeros(1), np.zeros(1)
        while not solved and bank <= LAST_BANK:
            moves[: bank + 1] = 0.0
            for b in range(bank + 1):
                rewards[b] = 0.0
                for k in range(keys):
                    moves[b, most + k] += kept[k]
                    spent = min(b + k, most) if b + k > 0 and use[min(b + k, bank)] else 0
                    moves[b, most + k - spent] += begun[k]
                    rewards[b] += begun[k] * prizes[i, spent]
            if not goes_up:
                law_of_bank, bias = np.zeros(1), np.zeros(1)
                law_of_bank[0] = 1.0
                gain, solved = rewards[0], True
                break
            drift = 0.0
            for d in range(most + keys):
                drift += moves[bank, d] * (d - most)
            if drift >= 0.0:
                break
            band = np.zeros((bank, most + keys))
            right, column, share = np.zeros(bank), np.zeros(bank), np.zeros(bank)
            right_zero = column_zero = 0.0
            for b in range(bank + 1):
                far = 0.0
                for d in range(most + keys):
                    to = b + d - most
                    if to > bank:
                        far += moves[b, d] * (to - bank)
                        to = bank
                    if b > 0 and to != b:
                        band[b - 1, most] += moves[b, d]
                        if to > 0:
                            band[b - 1, most + to - b] -= moves[b, d]
                    elif b == 0 and to > 0:
                        share[to - 1] += moves[b, d]
                far /= drift
                if b == 0:
                    right_zero, column_zero = rewards[0] - far * rewards[bank], 1.0 - far
                else:
                    right[b - 1], column[b - 1] = rewards[b] - far * rewards[bank], 1.0 - far
            _factor(band, bank, most, keys - 1)
            _solve(band, bank, most, keys - 1, right)
            _solve(band, bank, most, keys - 1, column)
            above, below = right_zero, column_zero
            for b in range(bank):
                above += share[b] * right[b]
                below += share[b] * column[b]
            gain = above / below
            bias = np.zeros(bank + 1)
            law_of_bank = np.zeros(bank + 1)
            for b in range(bank):
                bias[b + 1] = right[b] - column[b] * gain
            _solve_transposed(band, bank, most, keys - 1, share)
            law_of_bank[0] = 1.0
            total = 1.0
            for b in range(bank):
                law_of_bank[b + 1] = max(share[b], 0.0)
                total += law_of_bank[b + 1]
            law_of_bank /= total
            slope = (gain - rewards[bank]) / drift
            worth = max((prizes[i, most] - prizes[i, 0]) / most, 1.0) * (bank + 1)
            if law_of_bank[bank] * worth <= SETTLED:
                solved = True
            else:
                bank *= 2
        if not solved:
            done[i] = False
            continue
        gains[i, 0], gains[i, 1] = hold, gain
        last = law_of_bank.shape[0] - 1
        for part in range(2):
            rtp = fixed[i] + hold + gain if part else 0.0
            found = 0.0
            for b in range(last + 1):
                own = (bias[b] if part else 0.0) + rtp
                square = second[i]
                for f in range(2):
                    for k in range(-1, keys):
                        if k < 0:
                            p, q, pa, qa, paa = plain[f], plain_first[i, f], 0.0, 0.0, 0.0
                        else:
                            p, q, pa, qa, paa = (
                                sums[f, k, 0], sums[f, k, 1], sums[f, k, 2], sums[f, k, 3], sums[f, k, 4],
                            )  # fmt: skip
                        then = b + max(k, 0)
                        u, y, yy = 0, 0.0, 0.0
                        if f:
                            # a bank that never moves is told by its first entry alone
                            used = use[then] if last == 0 else use[min(then, last)]
                            u = min(then, most) if used else 0
                            y, yy = free_mean[i, u], free_second[i, u]
                        delta = -own
                        if part:
                            to = then - u
                            delta += bias[min(to, last)] + slope * max(to - last, 0)
                        square += 2 * (qa + q * (delta + y)) + paa + 2 * pa * delta + p * delta * delta
                        square += 2 * y * (pa + p * delta) + p * yy
                found += law_of_bank[b] * square
            squares[i, part] = found
