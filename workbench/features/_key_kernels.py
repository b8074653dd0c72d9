# mypy: disable-error-code=no-untyped-def
"""Kernel of :mod:`workbench.features.keys`: the bank's moves under a policy. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from workbench.jit import kernel


@kernel
def bank_moves(law, used_prize, saved_prize, save, use, free_spins, prizes):
    """(moves (B + 1, U + K), rewards (B + 1, 2)) of a round begun with b banked Keys.

    ``law`` (2, S, K), prizes and choices as in ``KeyGame`` and ``Policy``; moves[b, U + d] = P(b -> b + d).
    """
    banks, steps, keys, most = use.shape[0], law.shape[1], law.shape[2], prizes.shape[0] - 1
    moves = np.zeros((banks, most + keys))
    rewards = np.zeros((banks, 2))
    kept = np.zeros(keys)
    begun = np.zeros(keys)
    for b in range(banks):
        # neither feature: the bank stays; Free Spins with no hold-and-spin before: they begin with b
        kept[:] = 0.0
        begun[:] = 0.0
        kept[0] = 1.0 - free_spins - law[0].sum()
        begun[0] = free_spins - law[1].sum()
        for f in range(2):
            after = begun if f == 1 else kept
            for s in range(steps):
                for k in range(keys):
                    p = law[f, s, k]
                    if save[b, f, s, k]:
                        after[k] += p
                        rewards[b, 0] += p * saved_prize[s]
                    else:
                        after[0] += p
                        rewards[b, 0] += p * used_prize[s, k]
        for k in range(keys):
            moves[b, most + k] += kept[k]
            spent = 0
            if b + k > 0 and use[min(b + k, banks - 1)]:
                spent = min(b + k, most)
            moves[b, most + k - spent] += begun[k]
            rewards[b, 1] += begun[k] * prizes[spent]
    return moves, rewards
