"""Processes that lead and follow a study of a tiny objective: far_worker.py URL NAME TRIALS COST FOLDER FOLLOWERS.

Process 0 leads. Each evaluation takes COST seconds and leaves a line with its number in FOLDER/<process>.log; the
trials of a process that comes to the end are in FOLDER/<process>.json, its pid in FOLDER/<process>.pid.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from pathlib import Path

import alembic.command
import optuna.storages._rdb.models
import psycopg
import sqlalchemy.dialects.postgresql

from workbench.optimise.ledger import Ledger
from workbench.optimise.parts import RUNNING, STATE, Follower, Leader, RunOver
from workbench.optimise.study import Parameter, StudySettings, Trial, Values, run_study

IMPORTED = (alembic.command, optuna.storages._rdb.models, psycopg, sqlalchemy.dialects.postgresql)
SPACE = [Parameter(f"p{i}", 0, 20) for i in range(6)]
SEED, GRACE, MET = 5, 3.0, 3.0


def score(values: Values) -> float:
    """How far the values are from 7."""
    return sum((v - 7) ** 2 for v in values.values()) / len(values)


def study(
    url: str | None, name: str, trials: int, cost: float, log: Path | None, **part: object
) -> list[Trial]:
    """The trials, each of which takes ``cost`` seconds to score."""

    def objective(number: int, values: Values) -> float:
        if log is not None:
            line = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(line, f"{number}\n".encode())
            os.close(line)
        time.sleep(cost)
        return score(values)

    settings = StudySettings(f"{name}.stage", SEED, trials, 1, url, True, grace=GRACE, **part)  # type: ignore[arg-type]
    return run_study(SPACE, objective, settings, met=MET)


def play(process: int, url: str, name: str, trials: int, cost: float, folder: Path) -> None:
    """Play a part to the end and leave the trials."""
    ledger, log = Ledger.at(url), folder / f"{process}.log"
    if process == 0:
        with Leader(ledger.begun(name, {}), lambda: False) as leader:
            found = study(url, name, trials, cost, log, leader=leader)
    else:
        while (page := ledger.page(name)) is None or page.attributes().get(STATE) != RUNNING:
            time.sleep(0.1)
        try:
            with Follower(page, name, 60.0) as follower:
                found = study(url, name, trials, cost, log, follower=follower)
        except RunOver:
            found = []
    (folder / f"{process}.json").write_text(json.dumps([[t.number, t.values, t.score] for t in found]))


def main(url: str, name: str, trials: str, cost: str, folder: str, followers: str) -> int:
    """Fork all processes, which saves them the imports, and wait for them; 0 if the leader came to the end."""
    forked = []
    for process in range(int(followers) + 1):
        pid = os.fork()
        if pid == 0:
            try:
                play(process, url, name, int(trials), float(cost), Path(folder))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        forked.append(pid)
        Path(folder, f"{process}.pid").write_text(str(pid))
    statuses = [os.waitpid(pid, 0)[1] for pid in forked]
    return min(statuses[0], 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
