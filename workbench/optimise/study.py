"""A study proposes, in batches; the scores may come from any number of threads, processes and machines.

Trials are asked for in memory and told in the order of their numbers; where there is a storage, proposals and scores stand
there too (:mod:`workbench.optimise.ledger`), and others may score. The sampler of every batch is made anew from (seed, trials
so far), and a batch that was cut short is asked for again and finds the scores that are there: so trials are the same
whoever scores, wherever it is stopped and resumed.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any

from workbench.errors import UsageError

if TYPE_CHECKING:
    from workbench.optimise.ledger import Entry, Page
    from workbench.optimise.parts import Follower, Leader

BATCH = 8
STARTUP = 24
GRACE = 20.0

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
    """How a study is run.

    ``deadline`` is a time.monotonic() value, or None; ``stop`` is set by who wants no more. ``batch`` proposals are asked for
    at once, and trials depend on it; ``grace`` is the seconds after which a silent claim is taken back. ``leader`` or
    ``follower`` says which part of a run on many machines this process plays.
    """

    name: str
    seed: int
    trials: int
    workers: int
    storage: str | None
    resume: bool
    deadline: float | None = None
    stop: Event = field(default_factory=Event, compare=False)
    batch: int = BATCH
    grace: float = GRACE
    leader: Leader | None = field(default=None, compare=False)
    follower: Follower | None = field(default=None, compare=False)

    @property
    def late(self) -> bool:
        """Whether no work should begin: every loop of a search that takes long asks before its next step."""
        return self.stop.is_set() or (self.deadline is not None and time.monotonic() > self.deadline)


Objective = Callable[[int, Values], float]
Hopeless = Callable[[Sequence[Trial]], bool]
Scores = Callable[[Mapping[int, Values], int], Mapping[int, float]]


def run_study(
    space: Sequence[Parameter],
    objective: Objective,
    settings: StudySettings,
    start: Sequence[Values] = (),
    met: float = 0.0,
    on_trial: Callable[[Trial], None] | None = None,
    hopeless: Hopeless | None = None,
) -> list[Trial]:
    """Search until ``settings.trials`` are done, a score of ``met`` is reached, or it is late.

    One trial is played however late it is, so that there is something to choose from. ``hopeless`` is asked after each
    batch whether the trials so far leave no hope. ``start`` lists proposals to try first; ``objective`` must be a function of
    the trial's number and values. Returns the trials in order.
    """

    def over(found: Sequence[Trial]) -> bool:
        done = len(found) >= settings.trials or any(t.score <= met for t in found)
        return done or bool(found and hopeless and hopeless(found))

    if settings.follower is not None:
        return _followed(settings.follower, objective, settings, over)
    proposer = _Proposer(space, settings, start)
    with _scoring(space, objective, settings) as (kept, scores):
        found = proposer.taken_over(kept)
        while not over(found) and not (found and settings.late):
            asked = proposer.ask(len(found))
            batch = {i: values for i, (_, values) in asked.items() if i < settings.trials}
            scored = scores(batch, len(found))
            for number in sorted(scored):
                proposer.tell(asked[number][0], scored[number])
                found.append(Trial(number, batch[number], scored[number]))
                if on_trial:
                    on_trial(found[-1])
    return found


class _Proposer:
    """A study of Optuna's in memory; all that it proposes follows from the seed and the trials so far."""

    def __init__(self, space: Sequence[Parameter], settings: StudySettings, start: Sequence[Values]) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.optuna, self.space, self.settings, self.start = optuna, space, settings, start
        self.study = optuna.create_study(direction="minimize")

    def taken_over(self, kept: Mapping[int, Entry]) -> list[Trial]:
        """The trials of the batches that are complete in a storage."""
        found = []
        most = min(len(kept), self.settings.trials)
        whole = next((i for i in range(most) if i not in kept or kept[i].score is None), most)
        for i in range(whole - whole % self.settings.batch):
            entry = kept[i]
            self.study.add_trial(
                self.optuna.create_trial(
                    params=entry.values, distributions=distributions(self.space), value=entry.score
                )
            )
            found.append(Trial(i, entry.values, float(entry.score or 0.0)))
        for proposal in self.start[len(found) :]:
            self.study.enqueue_trial(proposal)
        return found

    def ask(self, so_far: int) -> dict[int, tuple[Any, Values]]:
        """The next batch, by number: what is to be told, and the values."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.study.sampler = self.optuna.samplers.TPESampler(
                seed=(self.settings.seed * 1_000_003 + so_far) % 2**32,
                n_startup_trials=STARTUP,
                multivariate=True,
                constant_liar=True,
            )
            batch = {}
            for number in range(so_far, so_far + self.settings.batch):
                trial = self.study.ask()
                batch[number] = (trial, {p.name: _suggest(trial, p) for p in self.space})
        return batch

    def tell(self, trial: Any, score: float) -> None:
        """The score of what was asked for."""
        self.study.tell(trial, score)


def _suggest(trial: Any, p: Parameter) -> float:
    if p.whole:
        return int(trial.suggest_int(p.name, int(p.low), int(p.high)))
    return float(trial.suggest_float(p.name, p.low, p.high))


def distributions(space: Sequence[Parameter]) -> dict[str, Any]:
    """The space as Optuna's distributions."""
    from optuna.distributions import FloatDistribution, IntDistribution

    return {
        p.name: IntDistribution(int(p.low), int(p.high)) if p.whole else FloatDistribution(p.low, p.high)
        for p in space
    }


@contextmanager
def _scoring(
    space: Sequence[Parameter], objective: Objective, settings: StudySettings
) -> Iterator[tuple[Mapping[int, Entry], Scores]]:
    """What the storage holds already, and who scores a batch: threads, or everybody at the storage."""
    if settings.storage is None:
        with ThreadPoolExecutor(max(settings.workers, 1)) as pool:

            def here(batch: Mapping[int, Values], so_far: int) -> Mapping[int, float]:
                found = pool.map(lambda item: objective(*item), batch.items())
                return dict(zip(batch, found, strict=True))

            yield {}, here
        return
    from workbench.optimise.crew import Hands, Watch, scored_by_all

    page = _page(settings)
    kept = page.entries()
    for entry in kept.values():
        if entry.is_held and entry.sign is None:
            page.give_back(entry)
    watch, ranges = Watch(settings.grace), distributions(space)
    scored: dict[int, float] = {}
    with Hands(page, objective, settings.workers, None) as hands:

        def everybody(batch: Mapping[int, Values], so_far: int) -> Mapping[int, float]:
            there = page.entries() if kept.keys() & batch.keys() else {}
            _same_proposals(settings, batch, there)
            offered = page.offer({i: v for i, v in batch.items() if i not in there}, ranges)
            entries = [(there | offered)[i] for i in batch]

            def is_late() -> bool:
                return settings.late and bool(so_far or hands.scored)

            scored.update(scored_by_all(hands, watch, entries, is_late))
            return {i: scored[i] for i in batch if i in scored}

        yield kept, everybody
        page.fill(scored)


def _page(settings: StudySettings) -> Page:
    """The study in the storage: begun, or found again if the run resumes."""
    from workbench.optimise.ledger import Ledger

    assert settings.storage is not None
    ledger = Ledger.at(settings.storage)
    page = ledger.page(settings.name) if settings.resume else None
    page = page or ledger.begun(settings.name, {"seed": settings.seed, "batch": settings.batch})
    if settings.leader is not None:
        settings.leader.announce(settings.name)
    return page


def _same_proposals(settings: StudySettings, batch: Mapping[int, Values], there: Mapping[int, Entry]) -> None:
    for number, values in batch.items():
        if number in there and there[number].values != values:
            raise UsageError(
                f"--resume: the study {settings.name!r} was made with another seed, space or version of Optuna;"
                " begin another with --study"
            )


def _followed(
    follower: Follower,
    objective: Objective,
    settings: StudySettings,
    over: Callable[[Sequence[Trial]], bool],
) -> list[Trial]:
    """The leader's trials, of which this process scored some."""
    from workbench.optimise.crew import Hands, score_for_others
    from workbench.optimise.parts import RunOver

    def trials(view: Mapping[int, Entry]) -> list[Trial]:
        return [Trial(i, view[i].values, float(view[i].score or 0.0)) for i in sorted(view)]

    def complete(view: Mapping[int, Entry]) -> bool:
        n = len(view)
        whole = n > 0 and (n % settings.batch == 0 or n >= settings.trials)
        return whole and all(e.score is not None for e in view.values()) and over(trials(view))

    with Hands(follower.page(settings.name), objective, settings.workers, follower.sign) as hands:
        view = score_for_others(hands, complete, lambda: follower.is_over)
        follower.scores += len(hands.scored)
    if view is None:
        raise RunOver
    return trials(view)
