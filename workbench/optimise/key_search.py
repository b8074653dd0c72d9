"""The search for games like Codex: hold-and-spin, free spins with a ladder, Keys that are banked.

The figures fall apart by what moves them, and so does the search:

1. *Base strips*: counts and stacking by a study, on the exact lines' RTP, hit frequency and trigger rates; then the
   arrangement, swap by swap, until the hit frequency is met.
2. *Features*: free strips and wheels by a second study. Hold-and-spin depends on the base strips and the two weights of
   the position reels only, so it is tabulated once over these, and every proposal's weights are read off the
   table: the study is left with what can't be solved, the worth of a Key, the load, the odds of the top prize.
   The best proposal's weights are then mended on the exact value.
3. *Weights*: the integer weights of two wheels, to the last ppm (:mod:`workbench.optimise.polish`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from workbench.errors import EndlessFeatureError, StripSetError, TargetError
from workbench.exact.line_hits import line_hits
from workbench.exact.spin import SpinCounts, count_spins, spin_model
from workbench.features.free_spins import FreeSpinsValue, free_spins_tables, free_spins_value
from workbench.features.keys import closed_form
from workbench.game.definition import GameDefinition
from workbench.optimise.drafts import (
    CELL_TOTAL,
    assemble,
    base_reels,
    base_space,
    free_reels_of,
    free_space,
    position_stage,
    wheels_of,
)
from workbench.optimise.polish import polish
from workbench.optimise.study import Parameter, StudySettings, Trial, Values, run_study
from workbench.optimise.target import Target, score
from workbench.prob.product_chain import Array
from workbench.reels.breaches import breaches
from workbench.reels.strip_set import Reels, StripSet
from workbench.value.figures import keys_figures, top_prize
from workbench.value.round import Evaluator, RoundValue

WORST, BEST = "strategies.worst", "rtp"
SWAPS = 3000
FAR = 1e6
# a hit frequency off by some 2 % of itself is left to the arrangement, and nothing else is
ARRANGEABLE = 2.0
FITTING = 0.01
OTHERS = 10.0
DEFAULT_GAP = 0.06
SHOWN = ("worst", "optimal", "advertised", "always-save-use-at-1")
SHARES = np.array([0.005, 0.015, 0.03, 0.05, 0.075, 0.1, 0.13, 0.17])
KEY_SHARES = np.array([0.0005, 0.002, 0.006, 0.014, 0.03, 0.06])
TABLE_KEYS = 12

Progress = Callable[[str, int, int, float], None]


@dataclass(frozen=True)
class KeySearch:
    """One run of the search; ``progress(stage, done, of, best score)`` is told of every trial."""

    game: GameDefinition
    target: Target
    settings: StudySettings
    progress: Progress

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
        return base_reels(self.game, values, self.rng("corner", 0))

    def _corner(self, rich: bool) -> dict[str, float]:
        """RTPs of a corner of the space, its position reels included."""
        game, hold = self.game, self.game.hold_and_spin
        assert hold is not None
        features = FeatureSearch(self, self._corner_base(rich))
        strips = features.draft(0, {p.name: _corner_value(game, p, rich) for p in free_space(game)})
        i = -1 if rich else 0
        stages = position_stage(game, _cell(SHARES[i]), _cell(KEY_SHARES[i]))
        value = Evaluator(game)(strips.with_position_reels(hold.name, stages))
        low, high = _worst_and_best(value)
        return {
            "components.lines": float(value.lines.rtp),
            WORST: low,
            BEST: high,
            f"strategies.{BEST}": high,
        }

    def run(self, start: StripSet | None) -> StripSet:
        """The best strip set found. The caller judges whether it meets the target."""
        base = self._base() if start is None else start.reels["base"]
        base = self.arranged(base)
        features = FeatureSearch(self, base)
        found = features.run() if start is None else features.fitted(start.with_reels("base", base))
        return self.polished(found)

    def settings_for(self, stage: str, trials: int) -> StudySettings:
        """The stage's own study in the same storage."""
        return replace(self.settings, name=f"{self.settings.name}.{stage}", trials=trials)

    def _base(self) -> Reels:
        def objective(number: int, values: Values) -> float:
            found = base_figures(self.game, self.draft(number, values))
            hits = found.pop("hit_frequency")
            return OTHERS * score(self.target, found) + score(self.target, {"hit_frequency": hits})

        trials = run_study(
            base_space(self.game),
            objective,
            self.settings_for("base", self.settings.trials),
            met=ARRANGEABLE,
            on_trial=self._report("base strips", self.settings.trials),
        )
        best = min(trials, key=lambda t: (t.score, t.number))
        return self.draft(best.number, best.values)

    def draft(self, number: int, values: Values) -> Reels:
        """The base strips of a trial; the same number and values give the same strips."""
        return base_reels(self.game, values, self.rng("base", number))

    def rng(self, stage: str, number: int) -> random.Random:
        """The random stream of a stage's trial."""
        return random.Random(f"{self.settings.seed}/{stage}/{number}")

    def _report(self, stage: str, of: int) -> Callable[[Trial], None]:
        best = [FAR]

        def told(trial: Trial) -> None:
            best[0] = min(best[0], trial.score)
            self.progress(stage, trial.number + 1, of, best[0])

        return told

    def arranged(self, base: Reels) -> Reels:
        """Swap stops until the base spin's figures hold, or no swap of many helps."""
        rng = self.rng("arrange", 0)
        best, least = base, self._arrangement_score(base)
        for tried in range(SWAPS):
            if least == 0.0:
                break
            changed = swapped(best, rng)
            found = self._arrangement_score(changed)
            if found < least:
                best, least = changed, found
            if tried % 50 == 0:
                self.progress("arrangement", tried, SWAPS, least)
        return best

    def _arrangement_score(self, base: Reels) -> float:
        partial = StripSet(self.game.game, "", "draft", {"base": base}, {}, {})
        broken = len(breaches(partial, self.game, self.target.strip_rules))
        return broken + score(self.target, base_figures(self.game, base))

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


def key_figures(value: RoundValue) -> dict[str, Any]:
    """The figures a trial is judged by: those of ``figures`` that the target may name, without the long ones."""
    best = value.solution("optimal")
    rtp = {name: value.rtp(name) for name in SHOWN}
    used = np.flatnonzero(best.policy.use)
    return {
        **base_figures_of(value),
        "rtp": rtp["optimal"],
        "strategies": rtp,
        "advertised_shortfall": rtp["optimal"] - rtp["advertised"],
        "optimal_policy": {"use_at": int(used[0]) if len(used) else None},
        "keys": keys_figures(value, best),
        "top_prize": top_prize(value, best),
    }


@dataclass(frozen=True)
class HoldTable:
    """Hold-and-spin on given base strips, over a grid of the two weights: shares of collectables and Keys.

    low[i, j]
        lines and ladder prizes a round at (p_i, q_j) when all Keys are saved and none used.
    law[i, j]
        P(step, Keys) a round.
    """

    low: Array
    law: Array
    extra: Array

    def solve(self, low: float, gap: float, key_value: float) -> tuple[float, float, float, float]:
        """(p, q, Keys a round, miss): the shares that give ``low`` and lift the best play ``gap`` above the worst.

        Linear between the grid's points; ``miss`` is by how much the grid falls short, in bets.
        """
        keys = np.arange(self.law.shape[3])
        gains = (self.law * np.maximum(keys * key_value, self.extra)[None, None])[..., 1:].sum(axis=(2, 3))
        won = (self.law * keys).sum(axis=(2, 3))
        shares = [float(np.interp(low, self.low[:, j], SHARES)) for j in range(len(KEY_SHARES))]
        along = [float(np.interp(p, SHARES, gains[:, j])) for j, p in enumerate(shares)]
        q = float(np.interp(gap, along, KEY_SHARES))
        p = float(np.interp(q, KEY_SHARES, shares))
        rate = float(
            np.interp(q, KEY_SHARES, [np.interp(x, SHARES, won[:, j]) for j, x in enumerate(shares)])
        )
        miss = max(low - self.low[-1].min(), self.low[0].max() - low, 0.0)
        return p, q, rate, miss + max(gap - along[-1], along[0] - gap, 0.0)


@dataclass(frozen=True)
class FeatureSearch:
    """Free strips, wheels and position reels on given base strips."""

    search: KeySearch
    base: Reels

    @property
    def game(self) -> GameDefinition:
        """The game."""
        return self.search.game

    def run(self) -> StripSet:
        """The best proposal of the study, with its position reels solved."""
        trials = self.search.settings.trials
        table = self.table()

        def objective(number: int, values: Values) -> float:
            try:
                return self.distance(self.draft(number, values), table)
            except (EndlessFeatureError, StripSetError):
                return FAR

        found = run_study(
            free_space(self.game),
            objective,
            self.search.settings_for("features", trials),
            met=FITTING,
            on_trial=self.search._report("features", trials),
        )
        best = min(found, key=lambda t: (t.score, t.number))
        return self.fitted(self.guessed(self.draft(best.number, best.values), table)[0])

    def table(self) -> HoldTable:
        """Hold-and-spin over the grid; the free strips and wheels play no part in it."""
        game = self.game
        hold = game.hold_and_spin
        assert hold is not None
        strips = self.draft(0, {p.name: p.low for p in free_space(game)})
        evaluator = Evaluator(game)
        low, laws = [], []
        for i, p in enumerate(SHARES):
            for q in KEY_SHARES:
                value = evaluator(
                    strips.with_position_reels(hold.name, position_stage(game, _cell(p), _cell(q)))
                )
                assert value.hold
                law = value.hold.ladder.sum(axis=0)[:, :TABLE_KEYS]
                low.append(value.hold.line_win + float(law.sum(axis=1) @ value.key_game.saved_prize))
                laws.append(law)
            self.search.progress("re-spins", i + 1, len(SHARES), 0.0)
        shape = (len(SHARES), len(KEY_SHARES))
        keys = value.key_game
        extra = keys.used_prize[:, :TABLE_KEYS] - keys.saved_prize[:, None]
        return HoldTable(np.array(low).reshape(shape), np.array(laws).reshape(*shape, *laws[0].shape), extra)

    def guessed(self, strips: StripSet, table: HoldTable) -> tuple[StripSet, float, dict[str, Any]]:
        """(the set with position reels read off the table, how far the table falls short, its Key figures)."""
        game, hold, free = self.game, self.game.hold_and_spin, self.game.free_spins
        assert hold and free and game.banked_keys
        value = self._free_only(strips)
        chance, worth, most = value[0], value[1], game.banked_keys.use_at_most
        best, worst = self._wanted()
        c = float(worth.fortune_wins[-1] - worth.fortune_wins[0]) / most
        fixed = value[2] + chance * (worth.line_win + float(worth.fortune_wins[0]))
        low = (worst if worst is not None else best - DEFAULT_GAP) - fixed
        p, q, rate, miss = table.solve(low, best - (worst if worst is not None else best - DEFAULT_GAP), c)
        found = {"keys": {"value": c, "load": rate / (most * chance)}}
        stages = position_stage(game, _cell(p), _cell(q))
        return strips.with_position_reels(hold.name, stages), miss, found

    def _free_only(self, strips: StripSet) -> tuple[float, FreeSpinsValue, float]:
        """(P(Free Spins), their worth, the lines' RTP) without touching hold-and-spin."""
        game, free = self.game, self.game.free_spins
        assert free and game.banked_keys
        at_base = base_figures(game, self.base)
        tables = free_spins_tables(game, free, strips)
        worth = free_spins_value(game, free, strips, tables, game.banked_keys.use_at_most)
        chance = at_base["features"][free.name]["probability"]
        return float(chance), worth, float(at_base["components"]["lines"])

    def _wanted(self) -> tuple[float, float | None]:
        best, worst = self.search.target.figure(BEST), self.search.target.figure(WORST)
        if best is None or best.value is None:
            raise TargetError("the target must give 'rtp' a value")
        return best.value, worst.value if worst else None

    def distance(self, strips: StripSet, table: HoldTable) -> float:
        """The score apart from the RTPs, which the weights will meet; a set that fits no weights is judged by that."""
        guessed, miss, keys = self.guessed(strips, table)
        target = self.search.target
        others = target.model_copy(
            update={"figures": tuple(f for f in target.figures if f.figure not in (WORST, BEST))}
        )
        rough = 100.0 * miss + score(others, keys)
        if rough > 0:
            return 10.0 + rough
        return score(others, key_figures(Evaluator(self.game)(guessed)))

    def draft(self, number: int, values: Values) -> StripSet:
        """The strip set of a trial, position reels still at their first guess."""
        rng = self.search.rng("features", number)
        free = free_reels_of(self.game, values, rng)
        stages = position_stage(self.game, CELL_TOTAL // 12, CELL_TOTAL // 100)
        return assemble(
            self.game, self.search.target.name, self.base, free, stages, wheels_of(self.game, values)
        )

    def fitted(self, strips: StripSet) -> StripSet:
        """Mend the two weights of the position reels on the exact value: Newton's steps with measured slopes."""
        game, hold = self.game, self.game.hold_and_spin
        assert hold is not None
        evaluator = Evaluator(game)
        best, worst = self._wanted()
        gap = best - worst if worst is not None else DEFAULT_GAP
        cells = strips.position_reels[hold.name][0]
        key_reel = hold.key.reels[0]
        p, q = (cells.cell(key_reel).weight(s) for s in (hold.held_symbol, hold.key.symbol))

        def missed(p: int, q: int) -> Array:
            low, high = _worst_and_best(
                evaluator(strips.with_position_reels(hold.name, position_stage(game, p, q)))
            )
            return np.array([low - (best - gap), high - low - gap])

        for _ in range(4):
            here = missed(p, q)
            step = max(p // 50, 1), max(q // 20, 1)
            jacobian = np.column_stack(
                [(missed(p + step[0], q) - here) / step[0], (missed(p, q + step[1]) - here) / step[1]]
            )
            move = np.linalg.lstsq(jacobian, -here)[0]
            moved = max(1, round(p + move[0])), max(1, round(q + move[1]))
            if moved == (p, q) or sum(moved) >= CELL_TOTAL:
                break
            p, q = moved
        return strips.with_position_reels(hold.name, position_stage(game, p, q))


def _corner_value(game: GameDefinition, p: Parameter, rich: bool) -> float:
    """The end of a parameter that makes a set pay most (rich) or least."""
    cheap = {symbol for tier in ("low", "medium") for symbol in game.symbols.tiers.get(tier, ())}
    falls = p.name.split(".")[-1] in cheap or p.name in ("stacked", "keys.none")
    return p.low if rich == falls else p.high


def _cell(share: float) -> int:
    return min(max(1, round(share * CELL_TOTAL)), CELL_TOTAL // 2)


def _worst_and_best(value: RoundValue) -> tuple[float, float]:
    form = closed_form(value.key_game)
    if form.holds:
        return value.fixed + form.base, value.fixed + form.optimal
    return value.rtp("worst"), value.rtp("optimal")
