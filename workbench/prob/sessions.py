"""Many independent plays of one law on a lattice: the sum, the chance to last, the longest run without a win.

The sum of N plays has the generating function p(x)^N, taken at roots of unity and at several tilts e^t: the entry at place k
errs by some N 2^-52 p(e^t)^N e^(-tk), so small chances far out have digits of their own (as in
:mod:`workbench.prob.win_series`); what lies beyond the transform is bounded in the same way.

A bankroll of b steps that pays s steps a play lasts N plays if it can pay each of them. Let a(b) be its law among those that
last; a play moves it to b - s + win, and whoever holds enough for all plays that are left has lasted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.signal import fftconvolve

Array = NDArray[np.float64]
TILTS = 40
ROUNDING = 2.0**-52


def power_law(law: Array, plays: int, wanted: float, most_steps: int) -> tuple[Array, float]:
    """The law of the sum of independent plays and a bound on what lies beyond it.

    The size is the least power of two at which that is at most ``wanted``; ValueError if it had to pass ``most_steps``.

    >>> power_law(np.array([0.5, 0.5]), 2, 1e-13, 1 << 20)[0][:3].round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    steps = np.flatnonzero(law)
    largest = max(int(steps[-1]), 1)
    tilts = [0.0, *(np.geomspace(1e-6, 300, TILTS) / largest).tolist()]
    with np.errstate(over="ignore"):
        logs = [float(np.log(law[steps] @ np.exp(t * steps))) * plays for t in tilts]
    size = 1 << max(10, int(np.ceil(np.log2(largest + 1))))
    while (beyond := _beyond(tilts, logs, size)) > wanted and size <= largest * plays:
        size *= 2
        if size > most_steps:
            raise ValueError(
                f"the sum must stay below {most_steps} steps, but doesn't with chance {beyond:.3g}"
            )
    size *= 2
    return _spliced(law, plays, tilts, logs, size), beyond if size <= largest * plays else 0.0


def _beyond(tilts: list[float], logs: list[float], size: int) -> float:
    return float(np.exp(min(log - t * size for t, log in zip(tilts, logs, strict=True))))


def _spliced(law: Array, plays: int, tilts: list[float], logs: list[float], size: int) -> Array:
    """Each entry from the tilt that errs least there."""
    places = np.arange(size)
    scales = []
    for t, log in zip(tilts, logs, strict=True):
        wrapped = min(more - (steeper - t) * size for steeper, more in zip(tilts, logs, strict=True))
        scales.append(float(np.logaddexp(np.log(plays * ROUNDING) + log, wrapped)))
    chosen = {
        0,
        *(int(np.argmin([s - t * k for t, s in zip(tilts, scales, strict=True)])) for k in _some(size)),
    }
    best, error = np.zeros(size), np.full(size, np.inf)
    steps = np.flatnonzero(law)
    for i in sorted(chosen):
        lifted = np.zeros(size)
        lifted[steps] = law[steps] * np.exp(tilts[i] * steps - logs[i] / plays)
        found = np.fft.irfft(np.fft.rfft(lifted) ** plays, size)
        errs = scales[i] - tilts[i] * places
        better = errs < error
        best[better] = found[better] * np.exp(logs[i] - tilts[i] * places[better])
        error[better] = errs[better]
    return np.maximum(best, 0.0)


def _some(size: int) -> list[float]:
    return [float(k) for k in np.geomspace(8, size, 10)]


def chance_to_last(
    law: Array, stake: int, bankroll: int, plays: int, progress: Callable[[int], None] | None = None
) -> float:
    """P(a bankroll pays for all the plays), all amounts in steps.

    >>> chance_to_last(np.array([0.5, 0.0, 0.5]), 1, 1, 3)
    0.5
    """
    held, first, lasted = np.array([1.0]), bankroll, 0.0
    for left in range(plays, 0, -1):
        # held[i] is the chance to hold first + i with so many plays left; less than a stake can't go on
        short = max(0, stake - first)
        held, first = held[short:], first + short
        safe = max(0, stake * left - first)
        lasted += float(held[safe:].sum())
        held = held[:safe]
        if not len(held):
            return min(lasted, 1.0)
        reach = stake * left
        lasted += float(held.sum() * law[reach:].sum())
        held, first = np.maximum(_convolved(held, law[:reach]), 0.0), first - stake
        if progress:
            progress(1)
    return min(lasted + float(held.sum()), 1.0)


def _convolved(one: Array, two: Array) -> Array:
    if min(len(one), len(two)) <= 64:
        return np.convolve(one, two)
    return np.asarray(fftconvolve(one, two))


def longest_dry_spell(chance: float, plays: int, longest: int) -> Array:
    """(longest + 1,): P(some run of k plays in a row, k = 0 .., shows nothing but what happens with ``chance``).

    >>> longest_dry_spell(0.5, 3, 3).tolist()
    [1.0, 0.875, 0.375, 0.125]
    """
    found = np.zeros(longest + 1)
    found[0] = 1.0
    for k in range(1, longest + 1):
        runs = np.zeros(k)
        runs[0] = 1.0
        for _ in range(plays):
            found[k] += runs[-1] * chance
            ended = runs.sum() * (1 - chance)
            runs[1:] = runs[:-1] * chance
            runs[0] = ended
    return np.minimum(found, 1.0)
