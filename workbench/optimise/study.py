"""The one door to Optuna: a study that proposes, in batches, and keeps every finished trial in a storage.

Trials are asked for in memory, evaluated by any number of workers, told in the order of their numbers and written to
the storage once each, when finished: the cost of a storage stays below that of a sampler, and a crash loses the batch
in flight, no more. The sampler of every batch is made anew from (seed, trials so far), so a resumed study goes on as
an unbroken one would, and the result doesn't depend on the number of workers.
"""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from workbench.errors import UsageError

BATCH = 8
STARTUP = 24

Values = dict[str, float]


@dataclass(frozen=True)
class Parameter:
    """One thing a study may change: whole numbers from ``low`` to ``high``, or any between them."""

    name: str
    low: float
    high: float
    whole: bool = True


@dataclass(frozen=True)
class Trial:
    """A finished proposal: its number, what was proposed, its score (lower is better)."""

    number: int
    values: Values
    score: float


@dataclass(frozen=True)
class StudySettings:
    """How a study is run. ``deadline`` is a time.monotonic() value, or None; ``stop`` is set by who wants no more."""

    name: str
    seed: int
    trials: int
    workers: int
    storage: str | None
    resume: bool
    deadline: float | None = None
    stop: Event = field(default_factory=Event, compare=False)

    @property
    def late(self) -> bool:
        """Whether no work should begin: every loop of a search that takes long asks before its next step."""
        return self.stop.is_set() or (self.deadline is not None and time.monotonic() > self.deadline)


Objective = Callable[[int, Values], float]
Hopeless = Callable[[Sequence[Trial]], bool]


def run_study(
    space: Sequence[Parameter],
    objective: Objective,
    settings: StudySettings,
    start: Sequence[Values] = (),
    met: float = 0.0,
    on_trial: Callable[[Trial], None] | None = None,
    hopeless: Hopeless | None = None,
) -> list[Trial]:
    """Search until ``settings.trials`` are done, a score of ``met`` is reached, or the deadline has passed.

    ``hopeless`` is asked after each batch whether the trials so far leave no hope.

    One batch is played whatever the deadline, so that there is something to choose from.

    ``start`` lists proposals to try first. Returns all trials in order.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    logging.getLogger("sqlalchemy").setLevel(logging.ERROR)
    study = optuna.create_study(direction="minimize")
    kept = _kept_study(optuna, settings)
    if kept is not None:
        for frozen in kept.get_trials(states=(optuna.trial.TrialState.COMPLETE,)):
            study.add_trial(frozen)
    found = [Trial(t.number, dict(t.params), float(t.value or 0.0)) for t in study.get_trials(deepcopy=False)]
    for proposal in start[len(found) :]:
        study.enqueue_trial(proposal)
    with ThreadPoolExecutor(max_workers=max(settings.workers, 1)) as pool:
        while not (_done(found, settings, met) or (hopeless and hopeless(found))):
            batch = _ask(
                optuna, study, space, min(BATCH, settings.trials - len(found)), settings.seed, len(found)
            )
            scores = pool.map(lambda item: objective(item[0].number, item[1]), batch)
            for (trial, values), score in zip(batch, scores, strict=True):
                study.tell(trial, score)
                found.append(Trial(trial.number, values, score))
                if kept is not None:
                    kept.add_trial(study.get_trials(deepcopy=False)[trial.number])
                if on_trial:
                    on_trial(found[-1])
    return found


def _done(found: list[Trial], settings: StudySettings, met: float) -> bool:
    if len(found) >= settings.trials or any(t.score <= met for t in found):
        return True
    return bool(found) and settings.late


def _ask(
    optuna: Any, study: Any, space: Sequence[Parameter], size: int, seed: int, so_far: int
) -> list[tuple[Any, Values]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study.sampler = optuna.samplers.TPESampler(
            seed=(seed * 1_000_003 + so_far) % 2**32,
            n_startup_trials=STARTUP,
            multivariate=True,
            constant_liar=True,
        )
        batch = []
        for _ in range(size):
            trial = study.ask()
            batch.append((trial, {p.name: _suggest(trial, p) for p in space}))
    return batch


def _suggest(trial: Any, p: Parameter) -> float:
    if p.whole:
        return int(trial.suggest_int(p.name, int(p.low), int(p.high)))
    return float(trial.suggest_float(p.name, p.low, p.high))


def _kept_study(optuna: Any, settings: StudySettings) -> Any:
    """The study in the storage: created, or loaded if the run resumes; UsageError says what stands in the way."""
    if settings.storage is None:
        return None
    try:
        return optuna.create_study(
            storage=settings.storage,
            study_name=settings.name,
            direction="minimize",
            load_if_exists=settings.resume,
        )
    except optuna.exceptions.DuplicatedStudyError:
        raise UsageError(
            f"--study: {settings.name!r} exists in the storage; go on with --resume or choose another name"
        ) from None
    except Exception as error:
        line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise UsageError(f"--storage: {settings.storage!r} can't be used ({line})") from None
