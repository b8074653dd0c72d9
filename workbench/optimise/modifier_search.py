"""The search for games like Spellmaster: base strips with Orbs, then respins, then the Money wheel to the last ppm.

The base strips decide the lines, the hit frequency and the colours in sight. For a proposal of the respins the RTP is
linear in the mean of the Money wheel, so that mean is solved, the wheel tilted to it with the least change of
information, rounded to whole weights, and single units are moved from value to value until the RTP holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.errors import TargetError
from workbench.exact.line_hits import line_hits
from workbench.exact.spin import count_spins, spin_model
from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger, MoneyRespins
from workbench.optimise.context import FAR, Run
from workbench.optimise.modifier_drafts import (
    WHEEL_TOTAL,
    base_reels,
    base_space,
    position_reel,
    respins_space,
    tilted,
    trigger_wheels,
)
from workbench.optimise.study import Values, run_study
from workbench.optimise.target import score
from workbench.reels.breaches import breaches
from workbench.reels.strip_set import Reels, StripSet, Weights
from workbench.value.modifier_figures import modifier_figures
from workbench.value.modifier_round import Evaluator

Real = NDArray[np.float64]
# Without a target: respins one in these many spins, full grids one in these many rounds.
ONE_IN = (110.0, 200.0)
FULL_ONE_IN = (3e7, 3e8)
UNIT_MOVES = 12


@dataclass(frozen=True)
class ModifierSearch:
    """One run of the search."""

    run_of: Run

    @property
    def game(self) -> GameDefinition:
        """The game."""
        return self.run_of.game

    def check_reach(self) -> None:
        """Raise TargetError, with the reachable range, for an RTP or a line figure that no proposal meets."""
        low, high = (self._corner(rich) for rich in (False, True))
        for path in ("rtp", "components.lines", "hit_frequency"):
            wanted = self.run_of.target.figure(path)
            if wanted is None or wanted.importance != "hard":
                continue
            least, most = wanted.range
            if least > high[path] or most < low[path]:
                raise TargetError(
                    f"{path}: {least:.6g} to {most:.6g} is out of reach; the search proposes sets"
                    f" from {low[path]:.6g} to {high[path]:.6g}"
                )

    def _corner(self, rich: bool) -> dict[str, float]:
        """Figures of the poorest or the richest proposal: few stops make long runs."""
        space = base_space(self.game)
        grows = ("wild", "high")
        values = {
            p.name: p.high if rich == p.name.endswith(grows) else p.low for p in space if p.name != "stacked"
        }
        base = base_reels(self.game, {**values, "stacked": 0.5}, self.run_of.rng("corner", 0))
        found = base_figures(self.game, base)
        lines = found["components"]["lines"]
        spread = found["hit_frequency"] * (1.5 if rich else 0.5)
        return {"components.lines": lines, "hit_frequency": spread, "rtp": lines + (1.0 if rich else 0.0)}

    def run(self, start: StripSet | None) -> StripSet:
        """The best strip set found. The caller judges whether it meets the target."""
        base = self._base() if start is None else start.reels["base"]
        if start is not None:
            return self._on_target(start)
        evaluator = Evaluator(self.game)

        def objective(number: int, values: Values) -> float:
            del number
            strips = self._on_target(self._draft(base, values, evaluator), evaluator)
            return score(self.run_of.target, self._figures(strips, evaluator))

        trials = run_study(
            respins_space(self.game),
            objective,
            self.run_of.settings_for("respins"),
            on_trial=self.run_of.report("respins"),
        )
        best = min(trials, key=lambda t: (t.score, t.number))
        return self._on_target(self._draft(base, best.values, evaluator), evaluator)

    def _base(self) -> Reels:
        """Base strips by a study of counts."""

        def objective(number: int, values: Values) -> float:
            base = base_reels(self.game, values, self.run_of.rng("base", number))
            partial = StripSet(self.game.game, "", "draft", {"base": base}, {}, {})
            broken = len(breaches(partial, self.game, self.run_of.target.strip_rules))
            return broken + score(self.run_of.target, base_figures(self.game, base))

        trials = run_study(
            base_space(self.game),
            objective,
            self.run_of.settings_for("base"),
            on_trial=self.run_of.report("base strips"),
        )
        best = min(trials, key=lambda t: (t.score, t.number))
        return base_reels(self.game, best.values, self.run_of.rng("base", best.number))

    def _figures(self, strips: StripSet, evaluator: Evaluator) -> dict[str, Any]:
        return modifier_figures(evaluator(strips), cap=False)

    def _range(self, path: str, usual: tuple[float, float]) -> tuple[float, float]:
        """The target's range of a figure, its edges drawn in by a twentieth; without a target the usual one."""
        wanted = self.run_of.target.figure(path)
        low, high = wanted.range if wanted else usual
        low, high = max(low, usual[0] / 10), min(high, usual[1] * 10)
        return low * 1.05, high / 1.05

    def _draft(self, base: Reels, values: Values, evaluator: Evaluator) -> StripSet:
        """The strip set of a proposal, its Money wheel still to be solved."""
        game, trigger, respins = self.game, self.game.only(ModifierTrigger), self.game.only(MoneyRespins)
        assert trigger is not None and respins is not None
        low, high = self._range(f"features.{respins.name}.one_in", ONE_IN)
        rate = 1 / (low * (high / low) ** values["often"])
        low, high = self._range("top_prize.one_in", FULL_ONE_IN)
        full = 1 / (low * (high / low) ** values["full"]) / rate
        colours = evaluator.seen(base).by_name()
        wheels = {w: tilted(w, game.wheel(w).values, values.get(f"tilt.{w}", 0.5)) for w in respins.wheels}
        own = {f"{w}.{m}": wheels.pop(w) for w in respins.wheels_per_set for m in trigger.modifier_sets}
        return StripSet(
            game=game.game,
            definition_sha256=game.sha256,
            name=self.run_of.target.name,
            reels={"base": base},
            position_reels={
                f"{respins.name}.{m}": position_reel(game, values, m, full) for m in trigger.modifier_sets
            },
            wheels={**wheels, **own, **trigger_wheels(game, values, colours, rate)},
        )

    def _on_target(self, strips: StripSet, evaluator: Evaluator | None = None) -> StripSet:
        """The set with its Money wheel changed so that the RTP holds, if it can be."""
        wanted, respins = self.run_of.target.figure("rtp"), self.game.only(MoneyRespins)
        assert respins is not None
        if wanted is None or wanted.value is None or respins.money_wheel not in strips.wheels:
            return strips
        evaluate = evaluator or Evaluator(self.game)
        name, wheel = respins.money_wheel, strips.wheels[respins.money_wheel]
        values = np.array([float(v) for v in wheel.values])
        first = _mean(wheel, values)
        here, other = evaluate(strips).rtp, tilted_to(wheel, values, first * 1.1)
        slope = (evaluate(strips.with_wheel(name, other)).rtp - here) / (_mean(other, values) - first)
        mean = first + (wanted.value - here) / slope
        found = tilted_to(wheel, values, float(np.clip(mean, values.min() * 1.2, values.max() * 0.3)))
        for _ in range(UNIT_MOVES):
            missing = wanted.value - evaluate(strips.with_wheel(name, found)).rtp
            if abs(missing) <= wanted.tolerance / 2:
                break
            found = unit_move(found, values, missing / slope)
        return strips.with_wheel(name, found)


def _mean(wheel: Weights, values: Real) -> float:
    return float(values @ np.array(wheel.weights, dtype=np.float64)) / wheel.total


def tilted_to(wheel: Weights, values: Real, mean: float) -> Weights:
    """The wheel nearest in information to ``wheel`` whose mean is ``mean``, in whole weights of at least 1.

    The nearest is weight * exp(tilt * value); the tilt is found by bisection.

    >>> tilted_to(Weights("w", ("1", "3"), (1, 1)), np.array([1.0, 3.0]), 1.5).probability("3")
    0.25
    """
    chance = np.array(wheel.weights, dtype=np.float64) / wheel.total
    low, high = -200.0 / values.max(), 200.0 / values.max()
    for _ in range(100):
        tilt = (low + high) / 2
        tilted_chance = chance * np.exp(tilt * (values - values.max() * (tilt > 0)))
        tilted_chance /= tilted_chance.sum()
        low, high = (tilt, high) if tilted_chance @ values < mean else (low, tilt)
    weights = np.maximum(1, np.rint(WHEEL_TOTAL * tilted_chance)).astype(int)
    return Weights(wheel.where, wheel.values, tuple(int(w) for w in weights))


def unit_move(wheel: Weights, values: Real, rise: float) -> Weights:
    """Move the units from one value to another that bring the mean nearest to its wanted rise, the fewest of equals."""
    best = (abs(rise), 0, 0, 0)
    for i in range(len(values)):
        for j in range(len(values)):
            if values[i] == values[j]:
                continue
            each = (values[j] - values[i]) / wheel.total
            units = max(0, min(wheel.weights[i] - 1, round(rise / each)))
            best = min(best, (abs(rise - units * each), units, i, j))
    _, units, i, j = best
    weights = list(wheel.weights)
    weights[i] -= units
    weights[j] += units
    return Weights(wheel.where, wheel.values, tuple(weights))


def base_figures(game: GameDefinition, base: Reels) -> dict[str, Any]:
    """The figures that the base strips alone decide."""
    windows = spin_model(game).windows(base)
    spins = count_spins(windows, np.zeros(windows.arrays.mask.shape[:2], dtype=np.int64), 1)
    return {"components": {"lines": float(line_hits(game, base).rtp)}, "hit_frequency": spins.hit_frequency}


__all__ = ["FAR", "ModifierSearch", "base_figures", "tilted_to", "unit_move"]
