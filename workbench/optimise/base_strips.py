"""Base strips: counts and stacking by a study, then the arrangement, swap by swap.

The study sees the figures that the base strips alone decide: the exact lines' RTP, hit frequency, trigger rates. A hit
frequency that is nearly right is left to the arrangement, which moves it and nothing else of these but the
trigger rate with a line win.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workbench.exact.line_hits import line_hits
from workbench.exact.spin import SpinCounts, count_spins, spin_model
from workbench.game.definition import GameDefinition
from workbench.optimise.context import FAR, Run
from workbench.optimise.drafts import base_reels, base_space
from workbench.optimise.study import Values, run_study
from workbench.optimise.target import score
from workbench.reels.breaches import breaches
from workbench.reels.strip_set import Reels, StripSet
from workbench.value.round import RoundValue

SWAPS = 3000
PATIENCE = 400
# a hit frequency off by some 2 % of itself is left to the arrangement, and nothing else is
ARRANGEABLE = 2.0
OTHERS = 10.0
BROKEN = 0.1
# so many bets a round too few for the features count as much as a figure that is off by its scale
ROOM = 0.1


@dataclass(frozen=True)
class BaseSearch:
    """The search for base strips; ``lacking`` tells how many bets a round strips leave too few for features to fit."""

    run: Run
    lacking: Callable[[Reels], float]

    def found(self) -> tuple[Reels, bool]:
        """The best strips of the study, not yet arranged; whether the arrangement may do the rest."""
        trials = run_study(
            base_space(self.run.game),
            self._score,
            self.run.settings_for("base"),
            met=ARRANGEABLE,
            on_trial=self.run.report("base strips"),
        )
        best = min(trials, key=lambda t: (t.score, t.number))
        return self.draft(best.number, best.values), best.score <= ARRANGEABLE

    def draft(self, number: int, values: Values) -> Reels:
        """The strips of a trial; the same number and values give the same strips."""
        return base_reels(self.run.game, values, self.run.rng("base", number))

    def _score(self, number: int, values: Values) -> float:
        drafted = self.draft(number, values)
        found = base_figures(self.run.game, drafted)
        hits = found.pop("hit_frequency")
        target = self.run.target
        others = score(target, found) + BROKEN * self._broken(drafted)
        others = 1.0 + others if others else self.lacking(drafted) / ROOM
        return score(target, {"hit_frequency": hits}) + (ARRANGEABLE + OTHERS * others if others else 0.0)

    def arranged(self, base: Reels) -> Reels:
        """Swap stops until the base spin's figures hold, or no swap of many helps."""
        rng = self.run.rng("arrange", 0)
        best, least = base, self._arrangement_score(base)
        helped = 0
        for tried in range(SWAPS):
            if least == 0.0 or tried - helped > PATIENCE or self.run.settings.late:
                break
            changed = swapped(best, rng)
            found = self._arrangement_score(changed)
            if found < least:
                best, least, helped = changed, found, tried
            if tried % 50 == 0:
                self.run.progress("arrangement", tried, SWAPS, least)
        return best

    def _arrangement_score(self, base: Reels) -> float:
        return self._broken(base) + score(self.run.target, base_figures(self.run.game, base))

    def _broken(self, base: Reels) -> int:
        return broken_rules(self.run, "base", base)


def broken_rules(run: Run, name: str, reels: Reels) -> int:
    """How many strip rules the strips of one reel set break."""
    partial = StripSet(run.game.game, "", "draft", {name: reels}, {}, {})
    return len(breaches(partial, run.game, run.target.strip_rules))


def swapped(reels: Reels, rng: random.Random) -> Reels:
    """Two stops of one reel change places."""
    r = rng.randrange(len(reels))
    strip = list(reels[r])
    i, j = rng.randrange(len(strip)), rng.randrange(len(strip))
    strip[i], strip[j] = strip[j], strip[i]
    return (*reels[:r], tuple(strip), *reels[r + 1 :])


def base_figures(game: GameDefinition, base: Reels) -> dict[str, Any]:
    """The figures that the base strips alone decide."""
    windows = spin_model(game).windows(base)
    hold, free = game.hold_and_spin, game.free_spins
    assert hold and free
    most = max(hold.trigger.least, free.trigger.least)
    counts = count_spins(windows, windows.scatters(hold.trigger.symbol, hold.trigger.reels), most)
    return _base_figures(game, float(line_hits(game, base).rtp), counts)


def base_figures_of(value: RoundValue) -> dict[str, Any]:
    """The same, from a value that has them."""
    return _base_figures(value.game, float(value.lines.rtp), value.spins)


def _base_figures(game: GameDefinition, lines: float, counts: SpinCounts) -> dict[str, Any]:
    hold, free = game.hold_and_spin, game.free_spins
    assert hold and free
    held = int(counts.counts[1, hold.trigger.least :].sum())
    begun = counts.scatters_at_least(free.trigger.least)
    return {
        "components": {"lines": lines},
        "hit_frequency": counts.hit_frequency,
        "features": {
            hold.name: {"probability": held / counts.cycle, "one_in": counts.cycle / held if held else FAR},
            free.name: {
                "probability": begun / counts.cycle,
                "one_in": counts.cycle / begun if begun else FAR,
            },
        },
    }
