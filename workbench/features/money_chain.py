"""The respins of one modifier set as arrays: the gate between rules and the kernels of money_respins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from workbench.game.definition import GameDefinition
from workbench.game.features import ChargeRule, JackpotRule, ModifierTrigger, MoneyRespins, MultiplyRule
from workbench.reels.strip_set import Stage, StripSet, Weights

Real = NDArray[np.float64]


@dataclass(frozen=True)
class JackpotChances:
    """Names of the jackpot wheel, their chances, what a set of ``of_a_name`` pays (total bets)."""

    names: tuple[str, ...]
    p: Real
    worth: Real
    of_a_name: int


@dataclass(frozen=True)
class MoneyChain:
    """One modifier set: N = ``cells``, K = ``classes``.

    landing
        the modifiers of the last three columns of ``land``, "" for one that isn't active.
    land
        (N, 5): chances of blank, money, charge, multiply, jackpot on one open cell with n filled.
    stage
        (N,): the number of the position reel in force with n filled, rising.
    pick, pick2
        (N + 1,): a multiplying Orb picks one given Money symbol of n, two given ones.
    money, charge
        (2,): first and second moment of a Money symbol's value and of a charge.
    mu
        (3,): moments 0, 1, 2 of a multiplier; ``classes`` is 1 + how often a symbol can be multiplied.
    shared, persist
        one multiplier for all symbols of an Orb; charging Orbs go on acting.
    """

    modifiers: str
    landing: tuple[str, ...]
    cells: int
    respins: int
    land: Real
    stage: NDArray[np.int64]
    binomial: Real
    pick: Real
    pick2: Real
    money: Real
    charge: Real
    mu: Real
    classes: int
    shared: bool
    persist: bool
    jackpots: JackpotChances | None
    full_grid_pays: float


def money_chain(game: GameDefinition, strips: StripSet, modifiers: str) -> MoneyChain:
    """The chain of a modifier set, from a definition and a strip set that fits it."""
    feature, trigger = game.only(MoneyRespins), game.only(ModifierTrigger)
    assert feature is not None and trigger is not None
    active = modifiers.split("+")

    def wheel(name: str) -> Weights:
        return strips.wheels[f"{name}.{modifiers}" if name in feature.wheels_per_set else name]

    cells = feature.cells(modifiers)
    stages = strips.position_reels[f"{feature.name}.{modifiers}"]
    charge, multiply, jackpots = _in_force(feature, active)
    orbs = [
        trigger.colours[trigger.modifiers[rule.modifier]] if rule else None
        for rule in (charge, multiply, jackpots)
    ]
    stage = stage_numbers([s.start for s in stages], cells)
    pick, pick2 = pick_chances(wheel(multiply.count_wheel) if multiply else None, cells)
    return MoneyChain(
        modifiers=modifiers,
        landing=tuple(rule.modifier if rule else "" for rule in (charge, multiply, jackpots)),
        cells=cells,
        respins=feature.respins,
        land=_land(stages, (feature.blank_symbol, feature.money_symbol, *orbs))[stage],
        stage=stage,
        binomial=binomial_table(cells),
        pick=pick,
        pick2=pick2,
        money=moments(wheel(feature.money_wheel))[1:],
        charge=moments(wheel(charge.wheel))[1:] if charge else np.zeros(2),
        mu=moments(wheel(multiply.wheel)) if multiply else np.ones(3),
        classes=multiply.times + 1 if multiply else 1,
        shared=bool(multiply and multiply.multipliers == "one-for-all"),
        persist=bool(charge and charge.acts == "every-respin"),
        jackpots=_jackpot_chances(jackpots, wheel(jackpots.wheel)) if jackpots else None,
        full_grid_pays=feature.full_grid.pays,
    )


def _in_force(
    feature: MoneyRespins, active: Sequence[str]
) -> tuple[ChargeRule | None, MultiplyRule | None, JackpotRule | None]:
    """The rules of the active modifiers."""
    charge, multiply, jackpots = feature.charge, feature.multiply, feature.jackpots
    return (
        charge if charge and charge.modifier in active else None,
        multiply if multiply and multiply.modifier in active else None,
        jackpots if jackpots and jackpots.modifier in active else None,
    )


@dataclass(frozen=True)
class MoneyWheels:
    """Values, rising, and chances of the wheels one modifier set draws from; empty where the rule isn't in force."""

    money: Real
    money_chance: Real
    charge: Real
    charge_chance: Real
    multiplier: Real
    multiplier_chance: Real
    counts: NDArray[np.int64]
    count_chance: Real


def money_wheels(game: GameDefinition, strips: StripSet, modifiers: str) -> MoneyWheels:
    """The wheels of a modifier set, from a definition and a strip set that fits it."""
    feature = game.only(MoneyRespins)
    assert feature is not None
    charge, multiply, _ = _in_force(feature, modifiers.split("+"))

    def wheel(name: str | None) -> tuple[Real, Real]:
        if name is None:
            return np.zeros(0), np.zeros(0)
        own = strips.wheels[f"{name}.{modifiers}" if name in feature.wheels_per_set else name]
        rows = sorted((float(v), w / own.total) for v, w in own.items())
        return np.array([v for v, _ in rows]), np.array([w for _, w in rows])

    counts, count_chance = wheel(multiply.count_wheel if multiply else None)
    return MoneyWheels(
        *wheel(feature.money_wheel),
        *wheel(charge.wheel if charge else None),
        *wheel(multiply.wheel if multiply else None),
        counts.astype(np.int64),
        count_chance,
    )


def stage_numbers(starts: Sequence[int], cells: int) -> NDArray[np.int64]:
    """The number of the stage in force with n filled, for n = 0 .. cells - 1."""
    return np.searchsorted(np.asarray(starts), np.arange(cells), side="right").astype(np.int64) - 1


def _land(stages: Sequence[Stage], symbols: Sequence[str | None]) -> Real:
    """(stages, 5): the chance of each symbol on one cell; 0 for None."""
    rows = []
    for stage in stages:
        cell = dict(stage.cell(0).items())
        rows.append([cell.get(s, 0) if s else 0 for s in symbols])
    weights = np.array(rows, dtype=np.float64)
    chances: Real = weights / weights.sum(axis=1, keepdims=True)
    return chances


def moments(wheel: Weights) -> Real:
    """Moments 0, 1, 2 of the numbers on a wheel."""
    values = np.array([float(v) for v in wheel.values])
    weights = np.array(wheel.weights, dtype=np.float64)
    return np.array([1.0, values @ weights / wheel.total, values**2 @ weights / wheel.total])


def pick_chances(count_wheel: Weights | None, cells: int) -> tuple[Real, Real]:
    """pick[n] = E[min(X, n)]/n and pick2[n] = E[min(X, n) (min(X, n) - 1)]/(n (n - 1)), n = 0 .. cells."""
    pick, pick2 = np.zeros(cells + 1), np.zeros(cells + 1)
    if count_wheel is None:
        return pick, pick2
    counts = np.array([int(v) for v in count_wheel.values])
    weights = np.array(count_wheel.weights, dtype=np.float64) / count_wheel.total
    n = np.arange(cells + 1)[:, None]
    picked = np.minimum(counts, n)
    pick[1:] = (picked @ weights)[1:] / n[1:, 0]
    pick2[2:] = ((picked * (picked - 1)) @ weights)[2:] / (n * (n - 1))[2:, 0]
    return pick, pick2


@lru_cache(maxsize=64)
def binomial_table(cells: int) -> Real:
    """C(n, k) for n, k up to ``cells``; exact below 2^53, correctly rounded above."""
    table = np.array([[comb(n, k) for k in range(cells + 1)] for n in range(cells + 1)], dtype=np.float64)
    table.setflags(write=False)
    return table


def _jackpot_chances(rule: JackpotRule, wheel: Weights) -> JackpotChances:
    names = tuple(sorted(wheel.values))
    return JackpotChances(
        names=names,
        p=np.array([wheel.probability(name) for name in names]),
        worth=np.array([rule.prizes[name] for name in names]),
        of_a_name=rule.of_a_name,
    )


def example_chain() -> MoneyChain:
    """Two cells that are blank or show Money of 1 with 1/2 each, 3 respins, 7 for both: small enough for a pencil.

    From 0 filled: two Money 21/64, one 42/64, the end 1/64. From 1 filled: the second Money 7/8, the end 1/8.
    """
    return MoneyChain(
        modifiers="charge",
        landing=("charge", "", ""),
        cells=2,
        respins=3,
        land=np.array([[0.5, 0.5, 0.0, 0.0, 0.0]] * 2),
        stage=np.zeros(2, dtype=np.int64),
        binomial=binomial_table(2),
        pick=np.zeros(3),
        pick2=np.zeros(3),
        money=np.ones(2),
        charge=np.zeros(2),
        mu=np.ones(3),
        classes=1,
        shared=False,
        persist=False,
        jackpots=None,
        full_grid_pays=7.0,
    )
