"""Which search and which sampler: ``python -m tests.benchmarks.search_report reports/optimise ROWS.jsonl``.

Plays the runs of ``plan`` that ROWS.jsonl lacks, appends a row for each, and writes samplers.json, samplers.md and samplers.png
from the rows that are there: so it can be stopped and begun again. The clock is this process's processor time, without what
the script itself takes to look at a set; evaluations are counted whole sets and, for our search, the trials of its parts too.
"""

from __future__ import annotations

import json
import math
import os
import platform
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import optuna
from optuna.samplers import (
    BaseSampler,
    CmaEsSampler,
    NSGAIIISampler,
    NSGAIISampler,
    QMCSampler,
    RandomSampler,
    TPESampler,
)

from tests.benchmarks.search_page import write_page
from workbench.errors import WorkbenchError
from workbench.game import find_game, load_definition
from workbench.optimise import drafts, modifier_drafts
from workbench.optimise.base_strips import BaseSearch
from workbench.optimise.context import Run
from workbench.optimise.feature_strips import FeatureSearch, key_figures
from workbench.optimise.modifier_search import ModifierSearch
from workbench.optimise.order import libraries
from workbench.optimise.run import search_for
from workbench.optimise.study import BATCH, STARTUP, Parameter, StudySettings, distributions
from workbench.optimise.target import default_target, score
from workbench.reels.strip_set import StripSet
from workbench.simulate.figures import estimates_of
from workbench.simulate.run import simulate
from workbench.simulate.strategy import named_strategies
from workbench.value import modifier_round, round
from workbench.value.modifier_figures import modifier_figures

GAMES = ("codex-of-fortune", "spellmaster")
BUDGET = 30.0
SEEDS = 3
TRIALS = 160
ROUNDS = 200_000
FAR = 1e6
MEANS = (2.0, 12.0)
SAMPLERS = (
    "TPE, multivariate", "TPE, univariate", "TPE, multivariate, 8 candidates", "TPE after QMC starts", "CMA-ES",
    "NSGA-II", "NSGA-III", "QMC (Sobol')", "random",
)  # fmt: skip
SEARCHES = ("our search", "random, exact", "TPE, exact", "TPE, simulated")
Row = dict[str, Any]


class Spent(BaseException):
    """The budget is spent. No handler of errors stops it on its way out."""


class Clock:
    """Processor seconds of a run, and what was best when: [seconds, evaluations, score, RTP error]."""

    def __init__(self) -> None:
        self.begun, self.aside, self.evaluations = time.process_time(), 0.0, 0
        self.curve: list[tuple[float, int, float, float]] = []

    @property
    def seconds(self) -> float:
        """So far."""
        return time.process_time() - self.begun - self.aside

    def check(self) -> None:
        """Raise Spent if the budget is spent."""
        if self.seconds > BUDGET:
            raise Spent

    def note(self, game: Game, figures: Row) -> float:
        """Another whole set, its score."""
        found = score(game.target, figures)
        wanted = game.target.figure("rtp")
        assert wanted is not None and wanted.value is not None
        if not self.curve or found < self.curve[-1][2]:
            error = abs(figures["rtp"] - wanted.value)
            self.curve.append((round_to(self.seconds), self.evaluations, found, error))
        return found


def round_to(seconds: float) -> float:
    """To the millisecond."""
    return int(seconds * 1000) / 1000


class Game:
    """A game's raw parameters: from values to a whole strip set and its figures."""

    def __init__(self, name: str, seed: int) -> None:
        self.game, self.target = load_definition(find_game(name)), default_target(name)
        self.settings = StudySettings("report", seed, 240, 1, None, False)
        self.run = Run(self.game, self.target, self.settings, lambda *_: None)
        self.has_keys = self.game.hold_and_spin is not None
        self.evaluator: Any = (round if self.has_keys else modifier_round).Evaluator(self.game)

    def space(self) -> list[Parameter]:
        """Every count, tilt and weight."""
        if self.has_keys:
            more = [Parameter("cell", 50, 2000), Parameter("key", 1, 200)]
            return [*drafts.base_space(self.game), *drafts.free_space(self.game), *more]
        more = [Parameter("money", *MEANS, whole=False)]
        return [*modifier_drafts.base_space(self.game), *modifier_drafts.respins_space(self.game), *more]

    def strips(self, number: int, values: dict[str, float]) -> StripSet:
        """The whole set of a proposal."""
        rng = self.run.rng("base", number)
        if self.has_keys:
            base = drafts.base_reels(self.game, values, rng)
            free = FeatureSearch(self.run, base).draft(number, values)
            hold = self.game.hold_and_spin
            assert hold is not None
            stages = drafts.position_stage(self.game, int(values["cell"]), int(values["key"]))
            return free.with_position_reels(hold.name, stages)
        base = modifier_drafts.base_reels(self.game, values, rng)
        search = ModifierSearch(self.run)
        made = search._draft(base, values, self.evaluator)
        name = next(f.money_wheel for f in self.game.features if hasattr(f, "money_wheel"))
        return made.with_wheel(name, search._falling(made.wheels[name], values["money"]))

    def figures(self, value: Any) -> Row:
        """What a set is judged by, from its exact value."""
        return key_figures(value) if self.has_keys else modifier_figures(value, cap=False)

    def simulated(self, strips: StripSet, seed: int) -> Row:
        """The same as far as a simulation of ROUNDS tells it; with Keys: as advertised, and never used."""
        if not self.has_keys:
            return _nested(estimates_of(self.game, simulate(self.game, strips, ROUNDS, seed, None), False))
        tables = named_strategies(self.game)
        best, worst = (
            _nested(
                estimates_of(
                    self.game,
                    simulate(self.game, strips, ROUNDS // 2, seed, tables[name]),
                    name == "advertised",
                )
            )
            for name in ("advertised", "save-never-use")
        )
        return {**best, "strategies": {"worst": worst["rtp"]}}

    def study_space(self) -> tuple[list[Parameter], Callable[[int, Row], float]]:
        """The study of the base strips in our search: its space and its score."""
        if self.has_keys:
            search = BaseSearch(self.run, lambda _: 0.0)
            return drafts.base_space(self.game), search._score
        other = ModifierSearch(self.run)

        def scored(number: int, values: Row) -> float:
            return other._base_score(
                modifier_drafts.base_reels(self.game, values, self.run.rng("base", number))
            )

        return modifier_drafts.base_space(self.game), scored


def _nested(estimates: Row) -> Row:
    found: Row = {}
    for name, estimate in estimates.items():
        *path, last = name.split(".")
        place = found
        for step in path:
            place = place.setdefault(step, {})
            if not isinstance(place, dict):
                break
        else:
            place[last] = estimate.mean
    for feature in found.get("features", {}).values():
        if isinstance(feature, dict) and (chance := feature.get("probability")):
            feature["one_in"] = 1 / chance
    return found


def our_search(game: Game, clock: Clock) -> None:
    """The search of ``workbench optimise``, its evaluations of whole sets seen as they come."""
    module = round if game.has_keys else modifier_round
    plain = module.Evaluator.__call__

    def seen(self: Any, *given: Any, **named: Any) -> Any:
        value = plain(self, *given, **named)
        clock.evaluations += 1
        start = time.process_time()
        clock.note(game, game.figures(value))
        clock.aside += time.process_time() - start
        clock.check()
        return value

    def told(stage: str, *_: Any) -> None:
        clock.evaluations += stage == "base strips"
        clock.check()

    module.Evaluator.__call__ = seen  # type: ignore[method-assign]
    try:
        search_for(game.game, game.target, game.settings, told).run(None)
    finally:
        module.Evaluator.__call__ = plain  # type: ignore[method-assign]


def raw_search(game: Game, clock: Clock, sampler: BaseSampler, simulates: bool) -> None:
    """Optuna on the raw parameters until the budget is spent."""
    space, study, lowest = game.space(), optuna.create_study(sampler=sampler), math.inf
    while True:
        clock.check()
        trial = study.ask(distributions(space))
        clock.evaluations += 1
        try:
            strips = game.strips(trial.number, trial.params)
            if simulates:
                found = score(game.target, game.simulated(strips, trial.number + 1))
                if found < lowest:
                    lowest, start = found, time.process_time()
                    clock.curve = []
                    clock.note(game, game.figures(game.evaluator(strips)))
                    yielded(clock)
                    clock.aside += time.process_time() - start
            else:
                found = clock.note(game, game.figures(game.evaluator(strips)))
        except WorkbenchError:
            found = FAR
        study.tell(trial, found)


def yielded(clock: Clock) -> None:
    """Keep what the simulation took for best, better or not."""
    clock.kept = [*getattr(clock, "kept", ()), *clock.curve]  # type: ignore[attr-defined]


def searched(name: str, game: Game, seed: int) -> Row:
    """A run of one of the searches."""
    clock = Clock()
    try:
        if name == "our search":
            our_search(game, clock)
        else:
            sampler = RandomSampler(seed=seed) if name.startswith("random") else TPESampler(seed=seed)
            raw_search(game, clock, sampler, name.endswith("simulated"))
    except Spent:
        pass
    curve = getattr(clock, "kept", clock.curve)
    return {"seconds": round_to(clock.seconds), "evaluations": clock.evaluations, "curve": curve}


def sampler_of(name: str, seed: int, so_far: int) -> BaseSampler:
    """A sampler by its name in the report."""
    kinds: dict[str, Callable[[], BaseSampler]] = {
        "TPE, multivariate": lambda: _tpe(seed, so_far),
        "TPE, univariate": lambda: _tpe(seed, so_far, multivariate=False),
        "TPE, multivariate, 8 candidates": lambda: _tpe(seed, so_far, n_ei_candidates=8),
        "TPE after QMC starts": lambda: _tpe(seed, so_far) if so_far >= STARTUP else QMCSampler(seed=seed),
        "CMA-ES": lambda: CmaEsSampler(seed=seed, n_startup_trials=1),
        "NSGA-II": lambda: NSGAIISampler(seed=seed, population_size=BATCH * 2),
        "NSGA-III": lambda: NSGAIIISampler(seed=seed, population_size=BATCH * 2),
        "QMC (Sobol')": lambda: QMCSampler(seed=seed, scramble=True),
        "random": lambda: RandomSampler(seed=seed),
    }
    return kinds[name]()


def _tpe(seed: int, so_far: int, **given: Any) -> TPESampler:
    named = {"multivariate": True, "constant_liar": True, "n_startup_trials": STARTUP, **given}
    return TPESampler(seed=(seed * 1_000_003 + so_far) % 2**32, **named)


def sampled(name: str, game: Game, seed: int) -> Row:
    """TRIALS of a sampler in the study of the base strips, asked for in batches."""
    space, objective = game.study_space()
    study = optuna.create_study()
    asking, evaluating, best = 0.0, 0.0, []
    remade = name.startswith("TPE")
    for so_far in range(0, TRIALS, BATCH):
        start = time.process_time()
        if remade or not so_far:
            study.sampler = sampler_of(name, seed, so_far)
        batch = [study.ask() for _ in range(BATCH)]
        for trial in batch:
            for p in space:
                if p.whole:
                    trial.suggest_int(p.name, int(p.low), int(p.high))
                else:
                    trial.suggest_float(p.name, p.low, p.high)
        asking += time.process_time() - start
        for trial in batch:
            start = time.process_time()
            found = objective(trial.number, trial.params)
            evaluating += time.process_time() - start
            start = time.process_time()
            study.tell(trial, found)
            asking += time.process_time() - start
            best.append(min(found, best[-1] if best else found))
    return {
        "sampler_milliseconds": asking / TRIALS * 1000,
        "evaluation_milliseconds": evaluating / TRIALS * 1000,
        "best": best,
    }


def plan() -> Iterator[tuple[str, str, str, int]]:
    """(kind, game, name, seed) of every run, seed by seed."""
    for seed in range(1, SEEDS + 1):
        for game in GAMES:
            yield from (("search", game, name, seed) for name in SEARCHES)
            yield from (("sampler", game, name, seed) for name in SAMPLERS)


def main(folder: str, rows_path: str, share: str = "1/1") -> None:
    """Play what is missing (of a share of the plan, as 1/2 and 2/2), then write the report."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    path = Path(rows_path)
    done = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    held = {(row["kind"], row["game"], row["name"], row["seed"]) for row in done}
    which, of = map(int, share.split("/"))
    warmed = set()
    for i, one in enumerate(plan()):
        if one in held or i % of != which - 1:
            continue
        kind, game, name, seed = one
        if game not in warmed:
            warmed.add(game)
            warm(game)
        random.seed(seed)
        found = (searched if kind == "search" else sampled)(name, Game(game, seed), seed)
        row = {"kind": kind, "game": game, "name": name, "seed": seed, **found}
        with path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(*one, file=sys.stderr, flush=True)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    write_page(Path(folder), rows, {**table_of(), "played": len(rows), "planned": len(list(plan()))})


def table_of() -> Row:
    """What the report says about how it was made."""
    return {
        "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "libraries": libraries(),
        "budget_seconds": BUDGET,
        "trials": TRIALS,
        "rounds": ROUNDS,
    }


def warm(name: str) -> None:
    """Compile what the runs need."""
    game = Game(name, 1)
    rng = random.Random(1)
    for number in range(3):
        values = {
            p.name: rng.randint(int(p.low), int(p.high)) if p.whole else rng.uniform(p.low, p.high)
            for p in game.space()
        }
        try:
            strips = game.strips(number, values)
            game.figures(game.evaluator(strips))
            game.simulated(strips, 1)
        except WorkbenchError:
            continue


if __name__ == "__main__":
    main(*sys.argv[1:])
