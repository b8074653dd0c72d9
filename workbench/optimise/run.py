"""Optimise: from a target to a strip set on disk, with its figures and the target beside it."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any, Protocol

from workbench.errors import FileError, TargetError, UsageError, WorkbenchError
from workbench.game.consistency import strip_rule_problems
from workbench.game.definition import GameDefinition
from workbench.game.features import MoneyRespins
from workbench.game.line_consistency import FEATURE_ROUNDS
from workbench.optimise.asked import asked_of, asked_wins
from workbench.optimise.context import Progress, Run
from workbench.optimise.contradictions import contradictions
from workbench.optimise.family import neighbour, with_hits_kept
from workbench.optimise.result import Result, result_of
from workbench.optimise.rounds import keep_round, kept_round
from workbench.optimise.study import BATCH, GRACE, StudySettings
from workbench.optimise.target import Target, misses
from workbench.reels.breaches import breaches
from workbench.reels.files import canonical_bytes, load_strip_set, sha256_of
from workbench.reels.strip_set import StripSet
from workbench.value.evaluate import figures_of


class Search(Protocol):
    """What finds a strip set for a kind of game."""

    def check_reach(self) -> None:
        """Raise TargetError, with the reachable range, for a figure no proposal can meet."""

    def run(self, start: StripSet | None) -> StripSet:
        """The best strip set found, from a given one or from scratch."""

    def run_briefly(self, start: StripSet | None) -> StripSet:
        """The same with less patience for what may be out of reach."""

    def mended(self, strips: StripSet) -> StripSet:
        """A set that meets nearly all of the target brought back to its RTP, by quick and exact steps."""


@dataclass(frozen=True)
class Options:
    """How to search. ``timeout`` in seconds; ``storage`` an Optuna URL or file, None for a journal in the out folder.

    ``rounds``: how many seeds are tried at most, one after the other, until the target is met.
    """

    out: Path
    seed: int = 1
    trials: int = 240
    timeout: float | None = None
    workers: int = 1
    storage: str | None = None
    study: str | None = None
    resume: bool = False
    rounds: int = 1
    batch: int = BATCH
    grace: float = GRACE


def search_for(game: GameDefinition, target: Target, settings: StudySettings, progress: Progress) -> Search:
    """The search that fits the game's features; UsageError if there is none yet."""
    if game.hold_and_spin and game.free_spins and game.banked_keys:
        from workbench.optimise.key_search import KeySearch

        return KeySearch(Run(game, target, settings, progress))
    if game.only(MoneyRespins):
        from workbench.optimise.modifier_search import ModifierSearch

        return ModifierSearch(Run(game, target, settings, progress))
    if not any(isinstance(feature, FEATURE_ROUNDS) for feature in game.features):
        from workbench.optimise.line_search import LineSearch

        return LineSearch(Run(game, target, settings, progress))
    raise UsageError(f"game: {game.game} has no search for its kinds of feature")


def optimise(
    game: GameDefinition,
    target: Target,
    options: Options,
    start: StripSet | None,
    progress: Progress,
    stop: Event | None = None,
) -> Result:
    """Search, evaluate and write one strip set; nothing is written if the target can't be met by any proposal.

    Once ``stop`` is set no further trial begins, and the best so far is the result.
    """
    settings = _settings(target, options)
    if stop is not None:
        settings = replace(settings, stop=stop)
    check_request(game, target, settings)
    check_writable(options.out)
    if options.storage is None and not options.resume:
        remove_study(own_storage(options, target.name))
    try:
        return optimised(game, target, settings, options, start, progress)
    finally:
        close_storages()


def close_storages() -> None:
    """Let go of every storage, so that a file may be removed and begun anew in the same process."""
    from workbench.optimise.ledger import forget_storages

    forget_storages()


def check_request(game: GameDefinition, target: Target, settings: StudySettings) -> None:
    """TargetError if the target is for another game, contradicts itself, or no proposal can meet it."""
    if target.game != game.game:
        raise TargetError(f"game: the target must be for {game.game!r}, but is for {target.game!r}")
    for problem in strip_rule_problems(game, target.strip_rules):
        raise TargetError(problem)
    asked_wins(target)
    if found := contradictions(game, target):
        raise TargetError("\n".join(found))
    search_for(game, target, settings, lambda *_: None).check_reach()


def optimised(
    game: GameDefinition,
    target: Target,
    settings: StudySettings,
    options: Options,
    start: StripSet | None,
    progress: Progress,
    previous: StripSet | None = None,
) -> Result:
    """Search, evaluate and write one strip set of a request that was checked; ``previous`` is its family's nearest."""
    begun = time.monotonic()
    done = [0]

    def counted(stage: str, number: int, of: int, best: float) -> None:
        done[0] += 1
        progress(stage, number, of, best)

    if options.timeout is not None:
        settings = replace(settings, deadline=begun + options.timeout)
    strips, figures = best_of_rounds(game, target, settings, options.rounds, start, counted, previous)
    if options.resume and settings.late:
        strips, figures = better_of(options.out / f"{target.name}.json", game, target, strips, figures)
    return result_of(game, target, strips, figures, options.out, done[0], time.monotonic() - begun)


def better_of(
    path: Path, game: GameDefinition, target: Target, strips: StripSet, figures: dict[str, Any]
) -> tuple[StripSet, dict[str, Any]]:
    """The set written before, if it misses less: a resumed run that is stopped early hasn't come that far again."""
    try:
        before = load_strip_set(path, game)
    except WorkbenchError:
        return strips, figures
    of_before = full_figures(game, before)
    missed = _missed(game, target, strips, figures)
    return (before, of_before) if _missed(game, target, before, of_before) < missed else (strips, figures)


def best_of_rounds(
    game: GameDefinition,
    target: Target,
    settings: StudySettings,
    rounds: int,
    start: StripSet | None,
    progress: Progress,
    previous: StripSet | None = None,
) -> tuple[StripSet, dict[str, Any]]:
    """The first strip set that meets the target, or the nearest of all rounds, and its figures.

    With ``previous``, the set of its family, the fewest changes from there are tried first.

    Each round has a seed and studies of its own; a leader and its followers run the same.
    """
    if previous is not None:
        near = neighbour(game, target, previous)
        if near is not None and not _missed(game, target, near, of_near := full_figures(game, near)):
            return near, of_near
        target, start = with_hits_kept(game, target, previous), previous
    found: list[tuple[float, int, StripSet, dict[str, Any] | None]] = []
    for i in range(rounds):
        found.append(one_round(game, target, settings, i, start, progress))
        if found[-1][0] == 0.0 or settings.late:
            break
    _, _, strips, figures = min(found, key=lambda one: one[:2])
    return strips, figures or full_figures(game, strips)


def one_round(
    game: GameDefinition,
    target: Target,
    settings: StudySettings,
    i: int,
    start: StripSet | None,
    progress: Progress,
) -> tuple[float, int, StripSet, dict[str, Any] | None]:
    """(what is missed, i, strip set, figures) of round i; without figures where it is found finished in the storage."""
    one = _round(settings, i)
    if kept := kept_round(one, game):
        return kept[0], i, kept[1], None
    strips = replace(search_for(game, target, one, progress).run(start), name=target.name)
    figures = full_figures(game, strips)
    missed = _missed(game, target, strips, figures)
    if not settings.late:
        keep_round(one, missed, strips)
    return missed, i, strips, figures


def full_figures(game: GameDefinition, strips: StripSet) -> dict[str, Any]:
    """As ``evaluate`` gives them of the canonical file."""
    return figures_of(game, strips, None, sha256_of(canonical_bytes(strips)))


def _missed(game: GameDefinition, target: Target, strips: StripSet, figures: dict[str, Any]) -> float:
    """The misses of hard figures in their scales, and the broken strip rules; 0 means that the target is met."""
    hard = target.model_copy(update={"figures": tuple(f for f in target.figures if f.importance == "hard")})
    found = misses(hard, asked_of(game, hard, strips, figures))
    every = [miss.by / f.scale for f in hard.figures for miss in found if miss.figure == f.figure]
    return sum(every) + len(breaches(strips, game, target.strip_rules))


def _round(settings: StudySettings, i: int) -> StudySettings:
    """Round i has seed + i, so that it can be run by itself."""
    if i == 0:
        return settings
    return replace(settings, seed=settings.seed + i, name=f"{settings.name}.round-{i + 1}")


def _settings(target: Target, options: Options) -> StudySettings:
    return StudySettings(
        name=options.study or target.name,
        seed=options.seed,
        trials=options.trials,
        workers=options.workers,
        storage=options.storage or str(own_storage(options, target.name)),
        resume=options.resume,
        batch=options.batch,
        grace=options.grace,
    )


def own_storage(options: Options, name: str) -> Path:
    """The file a study is kept in when no storage is named; a run that doesn't resume begins it anew."""
    return options.out / f"{options.study or name}.study.journal"


def remove_study(path: Path) -> None:
    """Remove a study's file; FileError if that can't be done."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"{path}: can't be written ({os.strerror(error.errno or 0)})") from None


def check_writable(folder: Path) -> None:
    """Make the folder; FileError if it can't be made or written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(f"--out: {folder}: can't be written ({os.strerror(error.errno or 0)})") from None
