"""A run as a batch job: one order, one root study, one leader; a log for each target; stopped and resumed at will."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from workbench.errors import UsageError
from workbench.optimise.context import Progress
from workbench.optimise.family import Walk, write_ladder
from workbench.optimise.log import BEGUN, FINISHED, RESUMED, STOPPED, RunLog
from workbench.optimise.order import Order, check_same
from workbench.optimise.result import Result, result_json
from workbench.optimise.run import (
    Options,
    check_request,
    check_writable,
    close_storages,
    optimised,
    own_storage,
    remove_study,
)
from workbench.optimise.study import StudySettings
from workbench.optimise.target import Target
from workbench.reels.files import read_file, sha256_of
from workbench.reels.strip_set import StripSet

if TYPE_CHECKING:
    from workbench.optimise.ledger import Page
    from workbench.optimise.parts import Leader


@dataclass(frozen=True)
class Job:
    """An order, how it is carried out here, the command that does it again; ``stop`` ends it soon.

    A job that is stopped writes the target at hand as far as it got and leaves the others.
    """

    order: Order
    options: Options
    command: str
    stop: Event

    @property
    def storage(self) -> str:
        """Where the studies are kept."""
        named = self.options.storage
        return str(own_storage(self.options, self.order.name)) if named is None else named

    def settings(self, target: Target) -> StudySettings:
        """How a target's studies are run here."""
        settings = self.order.settings(target, self.options.workers, self.storage, self.options.resume)
        return replace(settings, stop=self.stop)


def carried_out(job: Job, progress: Progress, begun: Callable[[], None]) -> list[Result]:
    """Search for every target of the order and write what is found; ``begun`` is called when the study is there.

    Nothing is written if any target can't be met by any proposal.
    """
    for target in job.order.targets:
        check_request(job.order.game, target, job.settings(target))
    results: list[Result] = []
    walk = Walk(job.order.targets, job.order.start)
    with led(job, {}) as leader:
        begun()
        for target in job.order.targets:
            if job.stop.is_set() and results:
                break
            results.append(_logged(job, target, leader, progress, walk.previous(target)))
            walk.add(target, results[-1].strips)
            leader.root.set(f"result {target.name}", _summary(results[-1]))
    if len(results) > 1:
        found = [(result.strips, result.figures) for result in results]
        write_ladder(job.order.game, job.options.out, job.order.name, found)
    return results


@contextmanager
def led(job: Job, besides: Mapping[str, Any]) -> Iterator[Leader]:
    """The leader of the job's root study, begun anew or resumed; ``besides`` are attributes of more than the order."""
    from workbench.optimise.parts import Leader

    check_writable(job.options.out)
    if job.options.storage is None and not job.options.resume:
        remove_study(Path(job.storage))
    try:
        with Leader(_root(job, besides), job.stop.is_set) as leader:
            yield leader
    finally:
        close_storages()


def _root(job: Job, besides: Mapping[str, Any]) -> Page:
    """The root study: begun, or found again if it was begun with the same order."""
    from workbench.optimise.ledger import Ledger

    ledger, order = Ledger.at(job.storage), job.order
    wanted = {**order.attributes(), **besides}
    root = ledger.page(order.name) if job.options.resume else None
    if root is None:
        return ledger.begun(order.name, wanted)
    attributes = root.attributes()
    if attributes.get("format") is None:
        raise UsageError(f"--study: {order.name!r} in the storage is not a study of workbench optimise")
    check_same(order.name, attributes, wanted)
    for key in ("trials", "grace", "rounds"):
        root.set(key, wanted[key])
    return root


def _logged(
    job: Job, target: Target, leader: Leader, progress: Progress, previous: StripSet | None
) -> Result:
    log = RunLog(job.options.out / f"{target.name}.log.jsonl")
    log.begun(job.order, target, job.command, settings_kept(job), RESUMED if job.options.resume else BEGUN)

    def logged(stage: str, done: int, of: int, best: float) -> None:
        log.told(stage, done, best)
        progress(stage, done, of, best)

    settings = replace(job.settings(target), leader=leader)
    result = optimised(job.order.game, target, settings, job.options, job.order.start, logged, previous)
    log.ended(STOPPED if job.stop.is_set() else FINISHED, _outcome(result))
    return replace(result, files=(*result.files, log.path))


def settings_kept(job: Job) -> dict[str, Any]:
    """The settings as the log has them."""
    from workbench.optimise.patience import shown

    order, options = job.order, job.options
    start = order.attributes()["start"]
    return {
        "seed": order.seed,
        "trials": order.trials,
        "batch": order.batch,
        "rounds": order.rounds,
        "grace": order.grace,
        "workers": options.workers,
        "timeout": options.timeout,
        "start": sha256_of(start.encode()) if start else None,
        "storage": shown(job.storage),
        "study": order.name,
    }


def _outcome(result: Result) -> dict[str, Any]:
    table = result_json([result])
    files = {path.name: sha256_of(read_file(path)) for path in result.files}
    return {**{key: table[key] for key in ("met", "misses", "breaches", "figures", "trials")}, "files": files}


def _summary(result: Result) -> str:
    """One cell of the dashboard's table."""
    rtp = result.figures.get("rtp")
    shown = f", rtp {rtp:.9g}" if isinstance(rtp, float) and math.isfinite(rtp) else ""
    return f"{'met' if result.met else 'not met'}{shown}, {result.seconds:.0f} s"
