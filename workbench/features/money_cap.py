"""What the cut at the win cap takes from the respins: a rigorous bound where wins can't be multiplied, else an estimate.

Wanted are E[(W - K)+; no full grid] and E[W^2 - min(W, K)^2; no full grid] under one modifier set, W = lines + respins,
K the cap. The line win lies between 0 and ``most_lines``.

Bound. (w - K)+ <= exp(theta (w - K))/(e theta) for every theta > 0. Without Multiply the respins' win is at most a sum
of Money values, charges and a d-th of the largest prize for each golden Orb, so E[exp(theta W)] is at most the
chain of :mod:`workbench.features.money_respins` with Money and Orbs weighted by exp(theta value). The least over a
few theta is taken. w^2 - K^2 = 2 K (w - K) + (w - K)^2 above K, and x^2 <= (2/(e theta))^2 exp(theta x).

Estimate. With Multiply a win passes K because one symbol does, nearly always: values are products of up to five
factors. So the plays are drawn with multiplying Orbs more frequent than by rule and one tagged symbol whose value,
multipliers and chance to be picked are tilted towards large values, and weighted by the likelihood ratio; a play counts
if the tagged symbol is the largest. That is unbiased under every tilt; a stronger tilt of the Orbs than ``TILT`` has more
plays above K, but a few of them carry most of the weight. The interval is mean +- 2.576 standard errors of the weighted plays, its upper end with every line win at
``most_lines``; where fewer than ``ENOUGH`` plays pass K it ends at the rigorous E[W^2]/(4 K), as (w - K)+ <= w^2/(4 K).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.features._cap_kernels import weighted_plays
from workbench.features._one_symbol_kernels import one_symbol
from workbench.features.money_chain import MoneyChain, MoneyWheels

Real = NDArray[np.float64]

NORMAL_99 = 2.5758293035489004
ENOUGH = 100


@dataclass(frozen=True)
class Tilt:
    """How plays are tilted: the power of the tagged symbol's value, the share of the largest multiplier among those it
    gets, the power of its chance to be picked, and how many times as frequent multiplying Orbs are."""

    value: float
    largest: float
    pick: float
    orbs: float


TILT = Tilt(value=1.0, largest=0.6, pick=0.2, orbs=2.5)


@dataclass(frozen=True)
class CapCut:
    """What the cut takes, per start of the respins: of the mean and of the second moment, each as (value, low, high)."""

    mean: tuple[float, float, float]
    square: tuple[float, float, float]
    plays: int


def cut_bound(chain: MoneyChain, wheels: MoneyWheels, cap: float, most_lines: float) -> CapCut | None:
    """A rigorous bound for a chain without Multiply; None where there is none."""
    if chain.classes > 1 or chain.persist:
        return None
    step = float(chain.jackpots.worth.max()) / chain.jackpots.of_a_name if chain.jackpots else 0.0
    found: list[tuple[float, float]] = []
    for theta in np.geomspace(1e-4, 1.0, 41):
        transform = _transform(chain, wheels, float(theta), step)
        if transform is not None:
            above = math.exp(min(700.0, math.log(transform) + theta * (most_lines - cap)))
            mean = above / (math.e * theta)
            found.append((mean, 2 * cap * mean + above * (2 / (math.e * theta)) ** 2))
    if not found:
        return None
    mean, square = min(found)
    return CapCut((0.0, 0.0, mean), (0.0, 0.0, square), 0)


def _transform(chain: MoneyChain, wheels: MoneyWheels, theta: float, step: float) -> float | None:
    """A bound on E[exp(theta respins); no full grid], or None where it is infinite or out of range."""
    largest = theta * max(float(wheels.money.max()), float(wheels.charge.max(initial=0.0)), step)
    if largest > 300:
        return None
    land = chain.land.copy()
    land[:, 1] *= float(wheels.money_chance @ np.exp(theta * wheels.money))
    land[:, 2] *= float(wheels.charge_chance @ np.exp(theta * wheels.charge)) if len(wheels.charge) else 1.0
    with np.errstate(all="ignore"):
        resets, _, ends, _ = one_symbol(
            chain.cells, chain.respins, land, chain.stage, chain.binomial, chain.pick, chain.money, chain.charge,
            chain.mu, 1, False, complex(math.exp(theta * step)), 1,
        )  # fmt: skip
    visits, total = resets[:, 0, 0].real, float(ends[:, 0, 0].real.sum())
    return total if np.isfinite(visits).all() and (visits >= 0).all() and np.isfinite(total) else None


def cut_estimate(
    chain: MoneyChain,
    wheels: MoneyWheels,
    cap: float,
    most_lines: float,
    second_moment: float,
    plays: int,
    rng: np.random.Generator,
) -> CapCut:
    """An estimate from ``plays`` weighted plays, with its 99 % interval; ``second_moment`` is E[respins^2; no full grid]."""
    win, weight = weighted(chain, wheels, TILT, plays, rng)
    low, high = (_cut(win, weight, cap, lines) for lines in (0.0, most_lines))
    (mean, square) = ((a[0], max(0.0, a[1]), b[2]) for a, b in zip(low, high, strict=True))
    if int((win > cap).sum()) < ENOUGH:
        second = (math.sqrt(second_moment) + most_lines) ** 2
        return CapCut((mean[0], 0.0, second / (4 * cap)), (square[0], 0.0, second), plays)
    return CapCut(mean, square, plays)


def _cut(win: Real, weight: Real, cap: float, lines: float) -> tuple[tuple[float, float, float], ...]:
    """(value, low, high) of what is cut of the mean and of the second moment, with this line win."""
    above = np.maximum(win + lines - cap, 0.0) * (win > 0)
    found = []
    for cut in (weight * above, weight * above * (above + 2 * cap)):
        mean = float(cut.mean())
        half = NORMAL_99 * float(cut.std(ddof=1)) / math.sqrt(len(cut))
        found.append((mean, mean - half, mean + half))
    return tuple(found)


def weighted(
    chain: MoneyChain, wheels: MoneyWheels, tilt: Tilt, plays: int, rng: np.random.Generator
) -> tuple[Real, Real]:
    """(win, weight) of plays: E[weight f(win)] = E[f(respins); no full grid] for every f with f(0) = 0."""
    win, weight = np.zeros(plays), np.zeros(plays)
    tilted_money, money_ratio = _tilted(wheels.money, wheels.money_chance, tilt.value)
    power = _power_for(wheels.multiplier, wheels.multiplier_chance, tilt.largest)
    tilted_wheel, wheel_ratio = _tilted(wheels.multiplier, wheels.multiplier_chance, power)
    land, land_ratio = _more_orbs(chain.land, tilt.orbs)
    jackpots = chain.jackpots
    weighted_plays(
        rng, plays, chain.cells, chain.respins, np.cumsum(land, axis=1), land_ratio, wheels.money,
        np.cumsum(wheels.money_chance), tilted_money, money_ratio, wheels.charge, np.cumsum(wheels.charge_chance),
        chain.persist, wheels.counts, np.cumsum(wheels.count_chance), wheels.multiplier,
        np.cumsum(wheels.multiplier_chance), tilted_wheel, wheel_ratio, chain.classes - 1, chain.shared, tilt.pick,
        len(jackpots.names) if jackpots else 0, np.cumsum(jackpots.p) if jackpots else np.ones(1),
        jackpots.worth if jackpots else np.zeros(1), jackpots.of_a_name if jackpots else 1, win, weight,
    )  # fmt: skip
    return win, weight


def _power_for(values: Real, chance: Real, share: float) -> float:
    """The power that gives the largest value this share of the tilted chances, at least 0."""
    low, high = 0.0, 64.0
    for _ in range(30):
        power = (low + high) / 2
        scaled = chance * (values / values.max(initial=1.0)) ** power
        top = float(scaled[values == values.max(initial=0.0)].sum())
        low, high = (power, high) if len(values) and top < share * scaled.sum() else (low, power)
    return low


def _more_orbs(land: Real, times: float) -> tuple[Real, Real]:
    """Chances on a cell with multiplying Orbs ``times`` as frequent, at most half of all, and the likelihood ratios."""
    tilted = land.copy()
    tilted[:, 3] = np.maximum(land[:, 3], np.minimum(times * land[:, 3], 0.5))
    others = np.arange(land.shape[1]) != 3
    tilted[:, others] *= ((1 - tilted[:, 3]) / (1 - land[:, 3]))[:, None]
    ratio = np.divide(land, tilted, out=np.ones_like(land), where=tilted > 0)
    return tilted, ratio


def _tilted(values: Real, chance: Real, power: float) -> tuple[Real, Real]:
    """Summed chances proportional to chance * value^power, and the likelihood ratio of each value."""
    if not len(values):
        return np.ones(1), np.ones(1)
    tilted = chance * np.maximum(values, 1e-9) ** power
    tilted /= tilted.sum()
    return np.cumsum(tilted), chance / tilted
