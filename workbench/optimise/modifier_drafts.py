"""From a proposal to a strip set with modifiers: base strips with Orbs, position reels that fill as wished, wheels.

What a formula or a bisection gives isn't searched: the chance of Money is solved for the cells that fill on average, the
late stages for the chance of a full grid, the trigger wheels for the rate of respins.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.features._one_symbol_kernels import one_symbol
from workbench.features.money_chain import binomial_table, stage_numbers
from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger, MoneyRespins
from workbench.game.strip_rules import SymbolsRule
from workbench.optimise.arrange import lay
from workbench.optimise.study import Parameter, Values
from workbench.reels.strip_set import Reels, Stage, Weights

Real = NDArray[np.float64]

CELL_TOTAL = 100_000
TRIGGER_TOTAL = 100_000
WHEEL_TOTAL = 1 << 20
MOST_STACK = 3
ROUNDS = 4
COUNTS = {"high": (1.0, 6.0), "medium": (2.0, 9.0), "low": (3.0, 12.0)}
WILDS = (1, 10)
# The shares of the grid from which a later position reel is in force.
STAGES = (0.0, 0.4, 0.7, 0.9)


def base_space(game: GameDefinition) -> list[Parameter]:
    """Stops of a symbol by tier on the left and the right reels, Wilds, Orbs of each colour, stacking."""
    space = []
    for tier in _tiers(game):
        low, high = COUNTS.get(tier, COUNTS["medium"])
        space += [Parameter(f"{side}.{tier}", low, high, whole=False) for side in ("left", "right")]
    if game.symbols.wild:
        space += [Parameter(f"{side}.wild", *WILDS) for side in ("left", "right")]
    space += [Parameter(f"orb.{colour}", 1, 2) for colour in sorted(_trigger(game).colours)]
    return [*space, Parameter("stacked", 0.2, 0.9, whole=False)]


def _tiers(game: GameDefinition) -> dict[str, tuple[str, ...]]:
    """The game's tiers with their symbols; symbols of none are "medium"."""
    listed = {s for members in game.symbols.tiers.values() for s in members}
    rest = tuple(s for s in game.symbols.regular if s not in listed)
    return {**game.symbols.tiers, **({"medium": rest} if rest else {})}


def base_reels(game: GameDefinition, values: Values, rng: random.Random) -> Reels:
    """The base strips of a proposal: symbols only where the strip rules allow them, Orbs at even distances.

    A better tier never stands more often than a worse one, whatever is proposed.
    """
    reels = []
    for r in range(game.reel_count):
        allowed = allowed_symbols(game, r)
        side = "left" if r < (game.reel_count + 1) // 2 else "right"
        counts, most = {}, math.inf
        for tier in reversed(_tiers(game)):
            most = min(most, values[f"{side}.{tier}"])
            for s in _tiers(game)[tier]:
                counts[s] = max(1, int(most + rng.random()))
        if game.symbols.wild:
            counts[game.symbols.wild] = int(values[f"{side}.wild"])
        orbs = {symbol: int(values[f"orb.{colour}"]) for colour, symbol in _trigger(game).colours.items()}
        reels.append(
            lay(
                {s: n for s, n in counts.items() if s in allowed},
                {s: n for s, n in orbs.items() if s in allowed},
                values["stacked"],
                MOST_STACK,
                rng,
            )
        )
    return tuple(reels)


def allowed_symbols(game: GameDefinition, reel: int) -> set[str]:
    """The symbols that the game's strip rules allow on a base reel."""
    allowed = set(game.symbols.all)
    for rule in game.strip_rules:
        if isinstance(rule, SymbolsRule) and rule.reels == "base" and (rule.on is None or reel in rule.on):
            allowed &= set(rule.symbols)
    return allowed


def _trigger(game: GameDefinition) -> ModifierTrigger:
    trigger = game.only(ModifierTrigger)
    assert trigger is not None
    return trigger


def _respins(game: GameDefinition) -> MoneyRespins:
    feature = game.only(MoneyRespins)
    assert feature is not None
    return feature


def respins_space(game: GameDefinition) -> list[Parameter]:
    """How often respins come, how far grids fill, how often Orbs land, the wheels' tilts, full grids."""
    space = [
        Parameter("often", 0.0, 1.0, whole=False),
        Parameter("full", 0.0, 1.0, whole=False),
        Parameter("several", 0.3, 0.8, whole=False),
    ]
    space += [Parameter(f"filled.{cells}", 0.30, 0.55, whole=False) for cells in _grids(game)]
    multiply = _respins(game).multiply
    for m in sorted(_trigger(game).modifiers):
        low, high = (0.04, 0.2) if multiply and m == multiply.modifier else (0.2, 1.2)
        space.append(Parameter(f"orbs.{m}", low, high, whole=False))
    for wheel in _respins(game).wheels[1:]:
        low, high = (0.1, 1.2)
        if multiply and wheel == multiply.count_wheel:
            low, high = (0.4, 1.6)
        elif multiply and wheel == multiply.wheel:
            low, high = (0.85, 1.8)
        space.append(Parameter(f"tilt.{wheel}", low, high, whole=False))
    return space


def _grids(game: GameDefinition) -> list[int]:
    return sorted({_respins(game).cells(m) for m in _trigger(game).modifier_sets})


def trigger_wheels(
    game: GameDefinition, values: Values, colours: Mapping[str, float], rate: float
) -> dict[str, Weights]:
    """Trigger wheels with P(respins) = ``rate``: a spin is worth as many tries as it shows colours.

    A set of k modifiers has ``values["several"]``^(k-1) times the weight of a single one.
    """
    trigger = _trigger(game)
    tries = sum(p * len(c.split("+")) for c, p in colours.items() if c != "none")
    found = {}
    for seen in trigger.colour_sets:
        chance = min(0.5, rate / tries * len(seen.split("+"))) if tries > 0 else 0.0
        awards = trigger.awards(seen)
        parts = np.array([values["several"] ** (len(m.split("+")) - 1) for m in awards[1:]])
        shares = np.maximum(1, np.rint(TRIGGER_TOTAL * chance * parts / parts.sum())).astype(int)
        weights = (TRIGGER_TOTAL - int(shares.sum()), *(int(s) for s in shares))
        found[f"{trigger.wheel}.{seen}"] = Weights(f"wheels.{trigger.wheel}.{seen}", awards, weights)
    return found


def tilted(name: str, values: Sequence[str], tilt: float) -> Weights:
    """A wheel whose weights fall by exp(-tilt) from one value to the next, all at least 1."""
    raw = np.exp(-tilt * np.arange(len(values)))
    weights = np.maximum(1, np.rint(WHEEL_TOTAL * raw / raw.sum())).astype(int)
    return Weights(f"wheels.{name}", tuple(values), tuple(int(w) for w in weights))


def falling_to(name: str, values: Sequence[str], mean: float) -> Weights:
    """The wheel of :func:`tilted` whose mean is nearly this, its tilt between 0.02 and 2."""
    numbers = np.array([float(v) for v in values])

    def too_small(tilt: float) -> float:
        raw = np.exp(-tilt * np.arange(len(values)))
        return mean - float(raw @ numbers / raw.sum())

    return tilted(name, values, _root(too_small, 0.02, 2.0))


@dataclass(frozen=True)
class Filling:
    """What a position reel is solved for: cells, modifiers' Orbs and their chance per chance of Money, wishes."""

    cells: int
    respins: int
    orbs: Mapping[str, float]
    filled: float
    full: float

    def land(self, money: float, late: float) -> Real:
        """(stages, 2 + Orbs): chances of blank, money and Orbs by stage; ``late`` is a stage's Money over the one before."""
        rows = []
        for i in range(len(STAGES)):
            chance = money * late**i
            orbs = [ratio * money * min(1.0, late**i) for ratio in self.orbs.values()]
            scale = max(1.0, (chance + sum(orbs)) / 0.9)
            rows.append([1 - (chance + sum(orbs)) / scale, chance / scale, *(o / scale for o in orbs)])
        return np.array(rows)

    @property
    def starts(self) -> list[int]:
        """Filled counts from which the stages are in force."""
        return [int(share * self.cells) for share in STAGES]

    def outcome(self, money: float, late: float) -> tuple[float, float]:
        """(expected cells filled, P(full grid))."""
        stage = stage_numbers(self.starts, self.cells)
        rows = self.land(money, late)[stage]
        land = np.zeros((self.cells, 5))
        land[:, :2] = rows[:, :2]
        land[:, 2] = rows[:, 2:].sum(axis=1)
        nothing = np.zeros(self.cells + 1)
        _, _, ends, full = one_symbol(
            self.cells, self.respins, land, stage, binomial_table(self.cells), nothing, np.ones(2), np.zeros(2),
            np.ones(3), 1, False, 1.0 + 0j, 1,
        )  # fmt: skip
        return float(ends[:, 0, 0].real @ np.arange(self.cells)), float(full.real)

    def solved(self) -> tuple[float, float]:
        """(chance of Money, log of a stage's Money over the one before) with the wished chance of a full grid; filled as near as can be."""
        money = late = 0.0

        def too_full(x: float) -> float:
            return self.outcome(x, math.exp(late))[0] - self.filled

        def too_often(y: float) -> float:
            return math.log(self.outcome(money, math.exp(y))[1] / self.full)

        best, miss = (money, late), math.inf
        for _ in range(ROUNDS):
            money = _root(too_full, 1e-4, 0.6)
            late = _root(too_often, -3.0, 2.0)
            found = abs(too_full(money))
            if found < miss:
                best, miss = (money, late), found
        return best


def position_reel(game: GameDefinition, values: Values, modifiers: str, full: float) -> tuple[Stage, ...]:
    """The position reels of a modifier set that fill as wished and give a full grid with about ``full`` a start."""
    respins, trigger = _respins(game), _trigger(game)
    cells = respins.cells(modifiers)
    active = modifiers.split("+")
    filling = Filling(
        cells=cells,
        respins=respins.respins,
        orbs={trigger.colours[trigger.modifiers[m]]: values[f"orbs.{m}"] for m in active},
        filled=values[f"filled.{cells}"] * cells,
        full=full,
    )
    money, late = filling.solved()
    names = (respins.blank_symbol, respins.money_symbol, *filling.orbs)
    stages = []
    for start, row in zip(filling.starts, filling.land(money, math.exp(late)), strict=True):
        weights = np.maximum(1, np.rint(CELL_TOTAL * row)).astype(int)
        cell = Weights(f"position_reels.{respins.name}.{modifiers}", names, tuple(int(w) for w in weights))
        stages.append(Stage(start, (cell,)))
    return tuple(stages)


def _root(rises: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function is 0, to a part in 1e5; the nearer end if it is nowhere."""
    from scipy.optimize import brentq

    if rises(low) >= 0:
        return low
    if rises(high) <= 0:
        return high
    return float(brentq(rises, low, high, xtol=1e-5 * (high - low), rtol=1e-8))
