"""Several sets out of one command: a front (``--objective pareto``), or sets that differ most (``--diverse K``).

Each set is written like a single one, as NAME-p01, ... or NAME-d01, ..., with a table of all as NAME.front.json and .md or
NAME.diverse.json and .md, and one log. The run has a root study of its own format, which ``workbench work`` doesn't join.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.errors import UsageError
from workbench.optimise.batch import Job, carried_out, led, settings_kept
from workbench.optimise.context import Progress
from workbench.optimise.diverse import POOL, distances, farthest, met_sets
from workbench.optimise.log import BEGUN, FINISHED, RESUMED, STOPPED, RunLog
from workbench.optimise.objectives import Objectives
from workbench.optimise.preferences import NAMES
from workbench.optimise.result import Result, result_json, result_of, result_rows
from workbench.optimise.run import check_request
from workbench.optimise.study import StudySettings
from workbench.optimise.target import Target
from workbench.reels.files import canonical_bytes, canonical_json, read_file, sha256_of, write_file
from workbench.reels.strip_set import StripSet

FRONT, DIVERSE = "workbench.front/1", "workbench.diverse/1"
# seeds tried for each set wanted, unless asked to go on
ROUNDS = 4

Sets = Sequence[tuple[StripSet, dict[str, Any]]]
Shown = tuple[str, tuple[str, ...], Sequence[tuple[str, ...]]]


@dataclass(frozen=True)
class Found:
    """What a run found: results, what ``--json`` prints, whether it is all that was asked for.

    Where there are several sets, ``shown`` is their table (title, head, rows) and ``verdict`` the line below it.
    """

    results: tuple[Result, ...]
    table: Mapping[str, Any]
    met: bool
    shown: tuple[Shown, ...] = ()
    verdict: str = ""
    files: tuple[Path, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What ``--json`` prints."""
        return dict(self.table)


def one_or_family(job: Job, progress: Progress, begun: Callable[[], None]) -> Found:
    """The set of each target of the order."""
    results = carried_out(job, progress, begun)
    return Found(tuple(results), result_json(results), all(result.met for result in results))


def front(
    prefer: Sequence[str],
    pulls: int,
    most: int,
    job: Job,
    progress: Progress,
    begun: Callable[[], None],
) -> Found:
    """Search for a front and write at most ``most`` sets of it; one is enough."""
    from workbench.optimise.front import FrontSearch

    target = _only_target(job, "--objective pareto")
    objectives = Objectives.of(target, prefer)
    freed, game = objectives.freed, job.order.game
    check_request(game, freed, job.settings(target))
    better = {name: "low" if objectives.signs[name] > 0 else "high" for name in NAMES}
    besides = {"format": FRONT, "objectives": ", ".join(f"{better[name]} {name}" for name in NAMES)}
    with _logged(job, target, besides, progress, begun) as run:
        search = FrontSearch(game, objectives, run.settings, run.told)
        search.run(pulls, job.order.start)
        members = search.members(most)
        results = run.written(freed, "p", [(member.strips, member.figures) for member in members])
        rows = [
            {"name": result.strips.name, "rtp": result.figures["rtp"], **member.values}
            for result, member in zip(results, members, strict=True)
        ]
        table = {"format": FRONT, "game": target.game, "better": better, "front": rows}
        head = ("set", "RTP", *(f"{better[name]} {TITLES[name]}" for name in NAMES))
        shown = (
            f"{game.title}: a front over RTP error, hit frequency, deviation, feature share",
            head,
            front_rows(table),
        )
        verdict = (
            f"{len(results)} sets, of {len(search.archive.items)} on the front" if results else "NO SET FOUND"
        )
        return run.ended("front", results, table, shown, verdict, bool(results))


def diverse_sets(k: int, job: Job, progress: Progress, begun: Callable[[], None]) -> Found:
    """Search for ``k`` sets that differ most and write them; fewer, and not met, where so many aren't found."""
    target, game = _only_target(job, "--diverse"), job.order.game
    if job.order.start is not None:
        raise UsageError("--diverse: can't be used with --start, as sets from one start are alike")
    check_request(game, target, job.settings(target))
    rounds = job.order.rounds if job.order.rounds > 1 else ROUNDS * k
    with _logged(job, target, {"format": DIVERSE}, progress, begun) as run:
        found = met_sets(game, target, run.settings, POOL * k, rounds, run.told)
        chosen = [found[i] for i in farthest(distances([strips for strips, _ in found]), k)]
        results = run.written(target, "d", chosen)
        table = {
            "format": DIVERSE,
            "game": target.game,
            "asked": k,
            "searched": len(found),
            "sets": [{"name": r.strips.name, "rtp": r.figures["rtp"]} for r in results],
            "distances": distances([result.strips for result in results]),
        }
        head = ("set", "RTP", *(f"to {result.strips.name.rpartition('-')[2]}" for result in results))
        title = f"{game.title}: stops, by reel and up to rotation, and weights that differ"
        shown = title, head, diverse_rows(table)
        enough = len(results) >= k
        verdict = f"{len(results)} of {k} sets, of {len(found)} that meet the target"
        return run.ended(
            "diverse", results, table, shown, verdict if enough else f"TOO FEW: {verdict}", enough
        )


def _only_target(job: Job, option: str) -> Target:
    if len(job.order.targets) > 1:
        raise UsageError(f"{option}: needs a single RTP, but got {len(job.order.targets)}")
    return job.order.targets[0]


@dataclass(frozen=True)
class _Run:
    """A run that is logged: how its studies are run, whom to tell."""

    job: Job
    settings: StudySettings
    log: RunLog
    begun: float
    steps: list[int]
    told: Progress

    def written(self, target: Target, letter: str, found: Sets) -> list[Result]:
        """Write each set under a name of its own: NAME-p01 and so on."""
        results = []
        for number, (strips, figures) in enumerate(found, 1):
            name = f"{target.name}-{letter}{number:02}"
            named = replace(strips, name=name)
            results.append(
                result_of(
                    self.job.order.game,
                    target.model_copy(update={"name": name}),
                    named,
                    {**figures, "strip_set": name, "sha256": sha256_of(canonical_bytes(named))},
                    self.job.options.out,
                    self.steps[0],
                    time.monotonic() - self.begun,
                )
            )
        return results

    def ended(
        self,
        kind: str,
        results: Sequence[Result],
        table: Mapping[str, Any],
        shown: Shown,
        verdict: str,
        met: bool,
    ) -> Found:
        """Write the table as NAME.kind.json and .md, end the log."""
        out, name = self.job.options.out, self.job.order.targets[0].name
        paths = out / f"{name}.{kind}.json", out / f"{name}.{kind}.md"
        write_file(paths[0], canonical_json(dict(table)))
        write_file(paths[1], markdown(shown).encode())
        files = (*(path for result in results for path in result.files), *paths)
        hashes = {path.name: sha256_of(read_file(path)) for path in files}
        event = STOPPED if self.job.stop.is_set() else FINISHED
        self.log.ended(event, {"met": met, "table": table, "files": hashes})
        whole = {
            **table,
            "results": result_rows(results),
            "files": [str(path) for path in (*paths, self.log.path)],
            "met": met,
        }
        return Found(tuple(results), whole, met, (shown,), verdict, (*files, self.log.path))


@contextmanager
def _logged(
    job: Job, target: Target, besides: Mapping[str, Any], progress: Progress, begun: Callable[[], None]
) -> Iterator[_Run]:
    at, steps = time.monotonic(), [0]
    with led(job, besides) as leader:
        begun()
        log = RunLog(job.options.out / f"{target.name}.log.jsonl")
        kept = {**settings_kept(job), **besides}
        log.begun(job.order, target, job.command, kept, RESUMED if job.options.resume else BEGUN)
        timeout = job.options.timeout
        settings = replace(
            job.settings(target), leader=leader, deadline=None if timeout is None else at + timeout
        )

        def told(stage: str, done: int, of: int, best: float) -> None:
            steps[0] += 1
            log.told(stage, done, best)
            progress(stage, done, of, best)

        yield _Run(job, settings, log, at, steps, told)


TITLES = dict(zip(NAMES, ("error", "hits", "deviation", "share"), strict=True))


def front_rows(table: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The rows of a front for people."""
    return [
        (
            row["name"],
            f"{row['rtp']:.8f}",
            f"{row['rtp_error']:.2g}",
            f"{row['hit_frequency']:.6f}",
            f"{row['standard_deviation']:.4f}",
            f"{row['feature_share']:.6f}",
        )
        for row in table["front"]
    ]


def diverse_rows(table: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The rows of the distances for people."""
    return [
        (row["name"], f"{row['rtp']:.8f}", *map(str, apart))
        for row, apart in zip(table["sets"], table["distances"], strict=True)
    ]


def markdown(shown: Shown) -> str:
    """A table as a Markdown page."""
    title, head, rows = shown
    lines = [f"# {title}", "", *map(_row, (head, ["---"] * len(head), *rows))]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
