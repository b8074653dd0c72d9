"""What a storage costs a trial, against the exact evaluation: ``python -m tests.benchmarks.storage_report reports/optimise``.

Writes storage.json and storage.md. PostgreSQL is a cluster of the script's own; the proxy is Optuna's, before that PostgreSQL.
Where PostgreSQL isn't installed, its two rows are left out and the script says so.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from optuna.storages import InMemoryStorage

from tests.optimise.postgres import server
from workbench.game import find_game, load_definition
from workbench.optimise import study as studies
from workbench.optimise.drafts import base_space
from workbench.optimise.ledger import Ledger, forget_storages
from workbench.optimise.order import libraries
from workbench.optimise.run import search_for
from workbench.optimise.storage import SYNC_SECONDS
from workbench.optimise.study import BATCH, StudySettings, distributions
from workbench.optimise.target import default_target
from workbench.reels.files import canonical_json, write_file

BATCHES = 20
TRIALS = 32
STUDIES = 2
STEPS = ("offer", "claim", "finish", "look")
GAMES = ("codex-of-fortune", "spellmaster")
PROXY = "import sys; from workbench.optimise.storage import serve; serve(sys.argv[1], '127.0.0.1', int(sys.argv[2]))"


@contextmanager
def proxy(url: str, port: int) -> Iterator[str]:
    """Optuna's gRPC server before another storage."""
    command = [sys.executable, "-c", PROXY, url, str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield f"grpc://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def storage_row(name: str, url: str, ledger: Ledger | None = None) -> dict[str, Any]:
    """Milliseconds a trial costs in the quickest batch, step by step, and what that allows a second."""
    space = base_space(load_definition(find_game(GAMES[0])))
    rng = random.Random(1)
    begun = time.perf_counter()
    page = (ledger or Ledger.at(url)).begun("speed", {})
    opened = time.perf_counter() - begun
    times: dict[str, list[float]] = {step: [] for step in STEPS}

    def timed(step: str, call: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        answer = call()
        times[step].append((time.perf_counter() - start) / BATCH * 1000)
        return answer

    for i in range(BATCHES):
        batch = {
            i * BATCH + j: {
                p.name: rng.randint(int(p.low), int(p.high)) if p.whole else rng.uniform(p.low, p.high)
                for p in space
            }
            for j in range(BATCH)
        }
        offered = timed("offer", lambda b=batch: page.offer(b, distributions(space))).values()
        timed("claim", lambda o=offered: [page.claim(entry) for entry in o])
        timed("finish", lambda o=offered: [page.finish(entry, 1.0) for entry in o])
        timed("look", page.entries)
    least = {step: round(min(found), 3) for step, found in times.items()}
    whole = sum(least.values())
    return {
        "storage": name,
        "open_seconds": round(opened, 2),
        "milliseconds": least,
        "milliseconds_per_trial": round(whole, 2),
        "trials_per_second": round(1000 / whole, 1),
    }


def storage_rows() -> list[dict[str, Any]]:
    """A row for each kind of storage."""
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        rows = [
            storage_row("in memory", "memory", Ledger("memory", InMemoryStorage())),
            storage_row("journal file (the default)", f"{folder}/a.journal"),
            storage_row("SQLite file", f"{folder}/a.db"),
        ]
        try:
            postgres = stack.enter_context(server())
        except BaseException as skipped:
            print(f"PostgreSQL and the proxy are left out: {skipped}", file=sys.stderr)
            return rows
        rows.append(storage_row("PostgreSQL, same machine", postgres.url()))
        postgres.run("createdb", "-h", "127.0.0.1", "-p", str(postgres.port), "-U", "workbench", "behind")
        behind = stack.enter_context(proxy(postgres.url(database="behind"), postgres.port + 1))
        rows.append(storage_row("Optuna's gRPC proxy before PostgreSQL", behind))
        forget_storages()
        return rows


class Seen(Exception):
    """All studies of a search have been seen; what comes after them isn't asked."""


class Timed:
    """Stands before ``run_study`` in every module that uses it, and notes what the evaluations of a study took."""

    def __init__(self) -> None:
        self.plain = studies.run_study
        self.seen: dict[str, tuple[list[float], float, int]] = {}

    def __call__(self, space: Any, objective: Any, settings: Any, *more: Any, **named: Any) -> Any:
        spent: list[float] = []

        def measured(number: int, values: Any) -> float:
            start = time.thread_time()
            score: float = objective(number, values)
            spent.append((time.thread_time() - start) * 1000)
            return score

        start = time.process_time()
        found = self.plain(space, measured, settings, *more, **named)
        rest = (time.process_time() - start) * 1000 - sum(spent)
        stage = settings.name.removeprefix("speed.").split(".")[0]
        self.seen[stage] = (spent, rest / len(spent), len(space))
        if len(self.seen) == STUDIES:
            raise Seen
        return found

    def stand(self, run_study: Any) -> None:
        """Put a function in the place of ``run_study``."""
        for name, module in list(sys.modules.items()):
            if name.startswith("workbench.optimise.") and hasattr(module, "run_study"):
                module.run_study = run_study  # type: ignore[attr-defined]


def evaluation_rows() -> list[dict[str, Any]]:
    """Processor time of an exact evaluation, median, and of all else in memory, mean, for each study of a search."""
    rows = []
    for game in GAMES:
        definition, target = load_definition(find_game(game)), default_target(game)
        search = search_for(
            definition, target, StudySettings("speed", 1, TRIALS, 1, None, False), lambda *_: None
        )
        timed = Timed()
        timed.stand(timed)
        try:
            search.run(None)
        except Seen:
            pass
        finally:
            timed.stand(timed.plain)
        rows += [
            {
                "game": game,
                "study": stage,
                "parameters": parameters,
                "trials": len(spent),
                "evaluation_milliseconds": round(statistics.median(spent), 1),
                "sampler_milliseconds": round(rest, 1),
            }
            for stage, (spent, rest, parameters) in timed.seen.items()
        ]
    return rows


HEAD = """# What a storage costs a trial

Written by `python -m tests.benchmarks.storage_report reports/optimise` on {machine}; {libraries}.
The quickest of {batches} batches of {batch} proposals with {parameters} parameters, one process, in milliseconds a trial: to put it on offer,
claim it, write its score, and look at the study once. Other work on the machine made them larger, not smaller. The journal's scores share
waits for the disk, one each {sync:g} s at most, which the quickest batch doesn't hold: at 5 ms a wait some 2 % of the time.

| storage | open, s | offer | claim | finish | look | a trial | trials a second |
|---|---|---|---|---|---|---|---|
"""
MIDDLE = """
What else a trial costs, in the searches of the shipped games with {trials} trials a study, in milliseconds of processor time: the median of an exact
evaluation, and the mean of all else in memory (above all the sampler, TPE). Last, for each storage, sampler and storage together as a share of
the evaluation: below 1 they cost less than it. Their sum is the break-even: evaluations that take longer cost more than their overhead.

| game | study | parameters | exact evaluation, ms | sampler, ms |{names}
|---|---|---|---|---|{rules}
"""


def markdown(table: dict[str, Any]) -> str:
    """The report for people."""
    lines = [HEAD.format(**table).rstrip("\n")]
    for row in table["storages"]:
        steps = " | ".join(f"{row['milliseconds'][step]:.2f}" for step in STEPS)
        lines.append(
            f"| {row['storage']} | {row['open_seconds']:.2f} | {steps} | {row['milliseconds_per_trial']:.1f} |"
            f" {row['trials_per_second']:.0f} |"
        )
    costs = {row["storage"]: row["milliseconds_per_trial"] for row in table["storages"]}
    heads = {"names": "".join(f" {name} |" for name in costs), "rules": "---|" * len(costs)}
    lines.append(MIDDLE.format(**table, **heads).rstrip("\n"))
    for row in table["evaluations"]:
        lines.append(
            f"| {row['game']} | {row['study']} | {row['parameters']} | {row['evaluation_milliseconds']:.1f} |"
            f" {row['sampler_milliseconds']:.1f} |"
            + "".join(
                f" {(cost + row['sampler_milliseconds']) / row['evaluation_milliseconds']:.2f} |"
                for cost in costs.values()
            )
        )
    return "\n".join(lines) + "\n"


def main(folder: str) -> None:
    """Measure and write both files."""
    table = {
        "format": "workbench.storage-report/1",
        "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "libraries": libraries(),
        "batches": BATCHES,
        "batch": BATCH,
        "sync": SYNC_SECONDS,
        "trials": TRIALS,
        "parameters": len(base_space(load_definition(find_game(GAMES[0])))),
        "storages": storage_rows(),
        "evaluations": evaluation_rows(),
    }
    write_file(Path(folder) / "storage.json", canonical_json(table))
    write_file(Path(folder) / "storage.md", markdown(table).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
