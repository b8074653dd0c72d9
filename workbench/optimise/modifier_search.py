"""The search for games like Spellmaster: base strips with Orbs, then respins, then the Money wheel to the last ppm.

The base strips decide the lines, the hit frequency and the colours in sight. For a proposal of the respins the RTP is
linear in the mean of the Money wheel, so that mean is solved, the wheel tilted to it with the least change of
information, rounded to whole weights, and single units are moved from value to value until the RTP holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.errors import TargetError
from workbench.exact.line_hits import line_hits
from workbench.exact.spin import count_spins, spin_model
from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger, MoneyRespins
from workbench.optimise.context import Run
from workbench.optimise.modifier_drafts import (
    allowed_symbols,
    base_reels,
    base_space,
    falling_to,
    position_reel,
    respins_space,
    tilted,
    trigger_wheels,
)
from workbench.optimise.money_wheel import mean_of, tilted_to, unit_move
from workbench.optimise.study import StudySettings, Trial, Values, run_study
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
CAPPED = 6
EXCHANGES = 1500
STEP = 0.12
# A base score that exchanges bring to 0; trials of the respins' study.
EXCHANGEABLE = 0.3
COARSE = 72


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
        evaluator = Evaluator(self.game)
        if start is not None:
            return self._on_target(start, evaluator, self._nearest)

        def objective(number: int, values: Values) -> float:
            del number
            strips = self._proposed(base, values, evaluator)
            return score(self.run_of.target, self._figures(strips, evaluator))

        trials = run_study(
            respins_space(self.game),
            objective,
            self._coarse(base),
            on_trial=self.run_of.report("respins"),
        )
        best = min(trials, key=_by_score)
        proposals = self._refined(best.values, best.score, lambda values: objective(0, values))
        return self._best_under_the_cap(proposals, base, evaluator)

    def run_briefly(self, start: StripSet | None) -> StripSet:
        """The same: no stage tries for long what no strips meet."""
        return self.run(start)

    def mended(self, strips: StripSet) -> StripSet:
        """The RTP brought back by the Money wheel."""
        return self.run(strips)

    def _refined(self, values: Values, least: float, of: Callable[[Values], float]) -> list[Values]:
        """Proposals on the way from a good one to a better one by small random steps, the best first."""
        rng, space = self.run_of.rng("refine", 0), respins_space(self.game)
        kept = [values]
        for tried in range(self.run_of.settings.trials):
            if least == 0.0 or self.run_of.settings.late:
                break
            near = dict(kept[0])
            for p in rng.sample(space, rng.randint(1, 3)):
                moved = near[p.name] + rng.gauss(0, STEP) * (p.high - p.low)
                near[p.name] = min(max(moved, p.low), p.high)
            found = of(near)
            if found < least:
                kept, least = [near, *kept], found
            self.run_of.progress("refinement", tried + 1, self.run_of.settings.trials, least)
        return kept

    def _coarse(self, base: Reels) -> StudySettings:
        """The study of the respins ends early: small steps from its best get on faster."""
        settings = self.run_of.settings_for("respins", base)
        return replace(settings, trials=min(settings.trials, COARSE))

    def _proposed(self, base: Reels, values: Values, evaluator: Evaluator) -> StripSet:
        return self._on_target(self._draft(base, values, evaluator), evaluator, self._falling)

    def _falling(self, wheel: Weights, mean: float) -> Weights:
        return falling_to(wheel.where.removeprefix("wheels."), wheel.values, mean)

    def _nearest(self, wheel: Weights, mean: float) -> Weights:
        return tilted_to(wheel, np.array([float(v) for v in wheel.values]), mean)

    def _best_under_the_cap(self, proposals: list[Values], base: Reels, evaluator: Evaluator) -> StripSet:
        """The best of the first few proposals with the estimate of the cap among the figures."""
        best: tuple[float, StripSet] | None = None
        for values in proposals[:CAPPED]:
            strips = self._proposed(base, values, evaluator)
            found = score(self.run_of.target, modifier_figures(evaluator(strips)))
            if best is None or found < best[0]:
                best = (found, strips)
            if found == 0.0:
                break
        assert best is not None
        return best[1]

    def _base(self) -> Reels:
        """Base strips by a study of counts."""

        def objective(number: int, values: Values) -> float:
            return self._base_score(base_reels(self.game, values, self.run_of.rng("base", number)))

        trials = run_study(
            base_space(self.game),
            objective,
            self.run_of.settings_for("base"),
            met=EXCHANGEABLE,
            on_trial=self.run_of.report("base strips"),
        )
        best = min(trials, key=_by_score)
        return self._exchanged(base_reels(self.game, best.values, self.run_of.rng("base", best.number)))

    def _base_score(self, base: Reels) -> float:
        partial = StripSet(self.game.game, "", "draft", {"base": base}, {}, {})
        broken = len(breaches(partial, self.game, self.run_of.target.strip_rules))
        return broken + score(self.run_of.target, base_figures(self.game, base))

    def _exchanged(self, base: Reels) -> Reels:
        """Put other symbols on single stops until the figures of the base strips hold, or no exchange of many helps."""
        rng = self.run_of.rng("exchange", 0)
        trigger = self.game.only(ModifierTrigger)
        assert trigger is not None
        orbs = set(trigger.colours.values())
        best, least = base, self._base_score(base)
        for tried in range(EXCHANGES):
            if least == 0.0 or self.run_of.settings.late:
                break
            r = rng.randrange(len(best))
            i = rng.randrange(len(best[r]))
            symbol = rng.choice(sorted(allowed_symbols(self.game, r) - orbs))
            if best[r][i] in orbs:
                continue
            changed = (*best[:r], (*best[r][:i], symbol, *best[r][i + 1 :]), *best[r + 1 :])
            found = self._base_score(changed)
            if found < least:
                best, least = changed, found
            if tried % 50 == 0:
                self.run_of.progress("exchanges", tried, EXCHANGES, least)
        return best

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

    def _on_target(
        self, strips: StripSet, evaluate: Evaluator, to_mean: Callable[[Weights, float], Weights]
    ) -> StripSet:
        """The set with its Money wheel changed so that the RTP holds, if it can be; ``to_mean`` gives it another mean."""
        wanted, respins = self.run_of.target.figure("rtp"), self.game.only(MoneyRespins)
        assert respins is not None
        if wanted is None or wanted.value is None or respins.money_wheel not in strips.wheels:
            return strips
        name, wheel = respins.money_wheel, strips.wheels[respins.money_wheel]
        values = np.array([float(v) for v in wheel.values])
        first, here = mean_of(wheel, values), evaluate(strips).rtp
        other = tilted_to(wheel, values, first * 1.1)
        slope = (evaluate(strips.with_wheel(name, other)).rtp - here) / (mean_of(other, values) - first)
        mean = first + (wanted.value - here) / slope
        found = to_mean(wheel, float(np.clip(mean, values.min() * 1.2, values.max() * 0.3)))
        for _ in range(UNIT_MOVES):
            missing = wanted.value - evaluate(strips.with_wheel(name, found)).rtp
            if abs(missing) <= wanted.tolerance / 2:
                break
            found = unit_move(found, values, missing / slope)
        return strips.with_wheel(name, found)


def _by_score(trial: Trial) -> tuple[float, int]:
    return trial.score, trial.number


def base_figures(game: GameDefinition, base: Reels) -> dict[str, Any]:
    """The figures that the base strips alone decide."""
    windows = spin_model(game).windows(base)
    spins = count_spins(windows, np.zeros(windows.arrays.mask.shape[:2], dtype=np.int64), 1)
    return {"components": {"lines": float(line_hits(game, base).rtp)}, "hit_frequency": spins.hit_frequency}
