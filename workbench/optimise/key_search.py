"""The search for games like Codex: hold-and-spin, free spins with a ladder, Keys that are banked.

The figures fall apart by what moves them, and so does the search: base strips (:mod:`workbench.optimise.base_strips`),
then free strips, wheels and position reels (:mod:`workbench.optimise.feature_strips`), then the integer weights of two
wheels, to the last ppm (:mod:`workbench.optimise.polish`). Base strips decide what the features are left to give, and on
some no features fit: then all begins again, from another seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from workbench.errors import TargetError
from workbench.game.definition import GameDefinition
from workbench.optimise.base_strips import BaseSearch, base_figures
from workbench.optimise.context import Run
from workbench.optimise.drafts import base_reels, base_space, free_space, position_stage
from workbench.optimise.feature_strips import (
    BEST,
    WORST,
    FeatureSearch,
    cell_weight,
    key_figures,
    worst_and_best,
)
from workbench.optimise.hold_table import KEY_SHARES, SHARES
from workbench.optimise.polish import polish
from workbench.optimise.study import Parameter
from workbench.optimise.target import Target, score
from workbench.reels.breaches import breaches
from workbench.reels.strip_set import Reels, StripSet
from workbench.value.round import Evaluator

# whoever asks for few trials isn't given many attempts
MOST_ATTEMPTS = 12
TRIALS_PER_ATTEMPT = 20


@dataclass(frozen=True)
class KeySearch:
    """One run of the search."""

    run_of: Run

    @property
    def game(self) -> GameDefinition:
        """The game."""
        return self.run_of.game

    @property
    def target(self) -> Target:
        """The target."""
        return self.run_of.target

    def check_reach(self) -> None:
        """Raise TargetError for a hard figure outside what the corners of the search reach, or that contradicts."""
        worst, best = self.target.figure(WORST), self.target.figure(BEST)
        if worst and best and worst.range[0] > best.range[1]:
            raise TargetError(f"{WORST}: must be at most the target's {BEST}, but both can't hold")
        for wanted in self.target.figures:
            if wanted.importance != "hard":
                continue
            low, high = wanted.range
            reach = self._reach.get(wanted.figure)
            if reach and (low > reach[1] or high < reach[0]):
                asked = wanted.value if wanted.value is not None else f"{low:.6g} to {high:.6g}"
                raise TargetError(
                    f"{wanted.figure}: {asked} is out of reach; the search proposes sets"
                    f" from {reach[0]:.6g} to {reach[1]:.6g}"
                )

    @cached_property
    def _reach(self) -> dict[str, tuple[float, float]]:
        """What the poorest and the richest proposal reach of the figures that rise with every weight."""
        found = [self._corner(rich) for rich in (False, True)]
        reach = {path: (found[0][path], found[1][path]) for path in found[0]}
        hits = [base_figures(self.game, self._corner_base(rich))["hit_frequency"] for rich in (False, True)]
        return {**reach, "hit_frequency": (hits[0], hits[1])}

    def _corner_base(self, rich: bool) -> Reels:
        values = {p.name: _corner_value(self.game, p, rich) for p in base_space(self.game)}
        return base_reels(self.game, values, self.run_of.rng("corner", 0))

    def _corner(self, rich: bool) -> dict[str, float]:
        """RTPs of a corner of the space, its position reels included."""
        game, hold = self.game, self.game.hold_and_spin
        assert hold is not None
        features = FeatureSearch(self.run_of, self._corner_base(rich))
        strips = features.draft(0, {p.name: _corner_value(game, p, rich) for p in free_space(game)})
        i = -1 if rich else 0
        stages = position_stage(game, cell_weight(SHARES[i]), cell_weight(KEY_SHARES[i]))
        value = Evaluator(game)(strips.with_position_reels(hold.name, stages))
        low, high = worst_and_best(value)
        return {
            "components.lines": float(value.lines.rtp),
            WORST: low,
            BEST: high,
            f"strategies.{BEST}": high,
        }

    def run(self, start: StripSet | None) -> StripSet:
        """The best strip set found. The caller judges whether it meets the target."""
        if start is not None:
            base = BaseSearch(self.run_of, lambda _: 0.0).arranged(start.reels["base"])
            return self.polished(FeatureSearch(self.run_of, base).fitted(start.with_reels("base", base)))
        best, least = None, math.inf
        paid = FeatureSearch(self.run_of, self._corner_base(False)).least_paid()
        attempts = min(MOST_ATTEMPTS, max(1, self.run_of.settings.trials // TRIALS_PER_ATTEMPT))
        for attempt in range(attempts):
            if best is not None and self.run_of.settings.late:
                break
            last = best is None and attempt == attempts - 1
            for strips in KeySearch(self.run_of.again(attempt))._found(paid, last):
                missed = self.missed(strips)
                if missed < least:
                    best, least = strips, missed
                if not missed:
                    return strips
        assert best is not None
        return best

    def run_briefly(self, start: StripSet | None) -> StripSet:
        """The same: no stage tries for long what no strips meet."""
        return self.run(start)

    def mended(self, strips: StripSet) -> StripSet:
        """The two RTPs brought back by position reels and wheels; base strips are swapped if theirs miss."""
        return self.run(strips)

    def _found(self, paid: float, last: bool) -> Iterator[StripSet]:
        """Strip sets of one way through all stages, the most hopeful first; Free Spins are worth ``paid`` at the least.

        None where the base strips leave no hope, but for the ``last`` way, or where time is up.
        """
        bases = BaseSearch(self.run_of, lambda base: FeatureSearch(self.run_of, base).lacking(paid))
        base, hopeful = bases.found()
        if hopeful or last or self.run_of.settings.late:
            features = FeatureSearch(self.run_of, bases.arranged(base))
            for strips in features.found():
                yield self.polished(features.fitted(strips))

    def missed(self, strips: StripSet) -> float:
        """0 where all hard figures and strip rules hold, else how far the set is from that."""
        value = Evaluator(self.game)(strips)
        hard = self.target.model_copy(
            update={"figures": tuple(f for f in self.target.figures if f.importance == "hard")}
        )
        return score(hard, key_figures(value)) + len(breaches(strips, self.game, self.target.strip_rules))

    def polished(self, strips: StripSet) -> StripSet:
        """Integer wheel weights for the RTPs that have a value."""
        feature = self.game.free_spins
        assert feature is not None
        wanted = [f for f in self.target.figures if f.figure in (WORST, BEST) and f.value is not None]
        evaluator = Evaluator(self.game)

        def found(candidate: StripSet) -> np.ndarray[Any, np.dtype[np.float64]]:
            value = evaluator(candidate)
            rtp = {WORST: value.rtp("worst"), BEST: value.rtp("optimal")}
            return np.array([rtp[f.figure] for f in wanted])

        if not wanted:
            return strips
        return polish(
            strips,
            (feature.wheels.spins, feature.wheels.collectable),
            found,
            np.array([f.value for f in wanted]),
            np.array([max(f.tolerance, 1e-12) for f in wanted]),
        )


def _corner_value(game: GameDefinition, p: Parameter, rich: bool) -> float:
    """The end of a parameter that makes a set pay most (rich) or least."""
    cheap = {symbol for tier in ("low", "medium") for symbol in game.symbols.tiers.get(tier, ())}
    falls = p.name.split(".")[-1] in cheap or p.name in ("stacked", "keys.none")
    return p.low if rich == falls else p.high
