"""Plays that also move a bank: the chance that a bankroll lasts, and the longest run of plays that win nothing.

As in :mod:`workbench.prob.sessions`, with the law of who still plays kept by bank: a(b, held). A play from b moves to b + d and
wins by the law of b's class and of d. Whoever holds enough for all plays that are left has lasted, whatever the bank. Banks
beyond the last one looked at stay there; what comes to it is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, rfft

from workbench.prob.bank_sums import BankRounds

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
# banks with less are added to the one below: they hold next to nothing
DUST = 1e-17


@dataclass
class _Laws:
    """The laws (classes, moves, steps) and their transforms at the size last asked for."""

    laws: Array
    size: int = 0
    transforms: NDArray[np.complex128] = field(default_factory=lambda: np.zeros((0, 0, 0), np.complex128))

    def at(self, size: int) -> NDArray[np.complex128]:
        """The transforms of wins below half the size."""
        if size != self.size:
            self.size, self.transforms = size, rfft(self.laws[:, :, : size // 2], size, axis=2)
        return self.transforms


def bank_lasts(
    rounds: BankRounds,
    laws: Array,
    start: Array,
    stake: int,
    bankroll: int,
    plays: int,
    progress: Callable[[int], None] | None = None,
) -> float:
    """P(a bankroll pays for all the plays); ``laws`` (classes, moves, stake * plays) are exact below their last step.

    ``start[b]`` is the law of the bank at the start.
    """
    known, active = _Laws(laws), np.asarray(laws.any(axis=2))
    held, first, lasted = start[:, None].copy(), bankroll, 0.0
    for left in range(plays, 0, -1):
        short = max(0, stake - first)
        held, first = held[:, short:], first + short
        safe = max(0, stake * left - first)
        lasted += float(held[:, safe:].sum())
        held = held[:, :safe]
        if not held.shape[1]:
            return min(lasted, 1.0)
        reach = stake * left
        before = float(held.sum())
        held = _played(rounds, known, active, held, reach)
        # what isn't among the results won enough for all that is left
        lasted += max(before - float(held.sum()), 0.0)
        first -= stake
        if progress:
            progress(1)
    return min(lasted + float(held.sum()), 1.0)


def _played(rounds: BankRounds, known: _Laws, active: NDArray[np.bool_], held: Array, reach: int) -> Array:
    """(banks, steps) after one play; some wins of ``reach`` or more are left out, but none below."""
    size = 2 * _rounded(max(held.shape[1], reach))
    transforms = known.at(size)
    own = rfft(held, size, axis=1)
    banks, keys = len(held), active.shape[1] - rounds.down
    found = np.zeros((banks + keys, own.shape[1]), dtype=np.complex128)
    for b, c in enumerate(rounds.rows(banks).tolist()):
        for d in np.flatnonzero(active[c]).tolist():
            found[max(b + d - rounds.down, 0)] += own[b] * transforms[c, d]
    after = np.maximum(irfft(found, size, axis=1), 0.0)
    last = int(np.flatnonzero(after.sum(axis=1) > DUST)[-1]) if after.any() else 0
    after[last] += after[last + 1 :].sum(axis=0)
    return np.asarray(after[: last + 1])


def _rounded(steps: int) -> int:
    """The next size of few sizes: eighths of powers of two, so that transforms serve many plays."""
    eighth = 1 << max((steps - 1).bit_length() - 3, 4)
    return -(-steps // eighth) * eighth


def bank_dry_spells(zero: Array, every: Array, start: Array, plays: int, lengths: list[int]) -> list[float]:
    """P(some k plays in a row win nothing), for each k; ``zero`` and ``every`` (banks, banks) are the moves that win nothing,
    and all moves."""
    found = []
    for k in lengths:
        runs = np.zeros((k, len(start)))
        runs[0] = start
        seen = 0.0
        for _ in range(plays):
            seen += float((runs[-1] @ zero).sum())
            ended = runs.sum(axis=0) @ (every - zero)
            runs[1:] = runs[:-1] @ zero
            runs[0] = ended
        found.append(min(seen, 1.0))
    return found
