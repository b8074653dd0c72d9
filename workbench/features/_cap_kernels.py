"""Kernel of :mod:`workbench.features.money_cap`: weighted plays of the respins. Randomness is an argument."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.jit import inline, kernel

Real = NDArray[np.float64]
Ints = NDArray[np.int64]

BLANK, MONEY, CHARGE, MULTIPLY, JACKPOT = 0, 1, 2, 3, 4


@inline
def _draw(rng: Any, below: Real) -> int:
    """A place of a wheel whose chances sum up to ``below``."""
    u = rng.random()
    i = 0
    while i < below.size - 1 and u >= below[i]:
        i += 1
    return i


@inline
def _multiply(
    rng: Any, n: int, tag: int, count: int, top: int, shared: bool, urge: float, wheel: Real, below: Real,
    tilted: Real, ratio: Real, value: Real, times: Ints, order: Ints,
) -> float:  # fmt: skip
    """One Orb multiplies ``count`` of n symbols, the tagged one more often than by rule; returns the likelihood ratio."""
    weight = 1.0
    live = tag < n and times[tag] < top
    picked = 0
    if live:
        fair = count / n
        often = fair**urge
        if rng.random() < often:
            weight *= fair / often
            picked = 1
        elif often < 1.0:
            weight *= (1 - fair) / (1 - often)
    same = _draw(rng, below)
    if picked:
        at = _draw(rng, tilted)
        weight *= ratio[at]
        value[tag] *= wheel[at]
        times[tag] += 1
        same = at
    others = 0
    for i in range(n):
        if not (live and i == tag):
            order[others] = i
            others += 1
    for i in range(min(count - picked, others)):
        j = i + int(rng.random() * (others - i))
        order[i], order[j] = order[j], order[i]
        if times[order[i]] < top:
            value[order[i]] *= wheel[same if shared else _draw(rng, below)]
            times[order[i]] += 1
    return weight


@kernel
def weighted_plays(
    rng: Any, plays: int, cells: int, respins: int, below_land: Real,
    land_ratio: Real, money: Real, below_money: Real,
    tilted_money: Real, money_ratio: Real, charge: Real, below_charge: Real, persist: bool, counts: Ints,
    below_counts: Real, wheel: Real, below_wheel: Real, tilted_wheel: Real, wheel_ratio: Real, top: int,
    shared: bool, urge: float, names: int, below_names: Real, worth: Real, of_a_name: int, win: Real,
    weight: Real,
) -> None:  # fmt: skip
    """Play ``plays`` times; win[i], weight[i] are such that E[weight f(win)] = E[f(win); no full grid] for f(0) = 0.

    The tagged symbol is the k-th to land, k uniform; a play counts only if the tagged symbol is the first of the
    largest, so each play of the rules is counted by exactly one tag.
    """
    value = np.zeros(cells)
    times = np.zeros(cells, dtype=np.int64)
    order = np.zeros(cells, dtype=np.int64)
    held = np.zeros(max(names, 1), dtype=np.int64)
    shown = np.zeros(5, dtype=np.int64)
    for play in range(plays):
        tag = int(rng.random() * cells)
        ratio, won = float(cells), 0.0
        n, left, acting = 0, respins, 0
        held[:] = 0
        while left > 0 and n < cells:
            left -= 1
            for i in range(5):
                shown[i] = 0
            for _ in range(cells - n):
                at = _draw(rng, below_land[n])
                ratio *= land_ratio[n, at]
                shown[at] += 1
            if shown[BLANK] < cells - n:
                left = respins
            for _ in range(shown[MONEY]):
                if n == tag:
                    at = _draw(rng, tilted_money)
                    ratio *= money_ratio[at]
                else:
                    at = _draw(rng, below_money)
                value[n], times[n] = money[at], 0
                n += 1
            if n == cells:
                break
            acting = acting + shown[CHARGE] if persist else shown[CHARGE]
            if n:
                for _ in range(acting):
                    value[int(rng.random() * n)] += charge[_draw(rng, below_charge)]
                for _ in range(shown[MULTIPLY]):
                    count = min(counts[_draw(rng, below_counts)], n)
                    ratio *= _multiply(
                        rng, n, tag, count, top, shared, urge, wheel, below_wheel, tilted_wheel,
                        wheel_ratio, value, times, order,
                    )  # fmt: skip
            for _ in range(shown[JACKPOT]):
                name = _draw(rng, below_names)
                held[name] += 1
                if held[name] == of_a_name:
                    held[name] = 0
                    won += worth[name]
        win[play], weight[play] = 0.0, 0.0
        if n < cells and tag < n:
            largest = True
            for i in range(n):
                won += value[i]
                if value[i] > value[tag] or (value[i] == value[tag] and i < tag):
                    largest = False
            if largest:
                win[play], weight[play] = won, ratio
