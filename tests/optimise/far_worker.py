"""A process that leads or follows a study of a tiny objective: far_worker.py lead|follow URL NAME TRIALS COST LOG.

Each evaluation takes COST seconds and leaves a line with its number in LOG.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from workbench.optimise.ledger import Ledger
from workbench.optimise.parts import RUNNING, STATE, Follower, Leader, RunOver
from workbench.optimise.study import Parameter, StudySettings, Trial, Values, run_study

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


def main(part: str, url: str, name: str, trials: str, cost: str, log: str) -> None:
    """Play the part to the end and print the trials."""
    ledger = Ledger.at(url)
    if part == "lead":
        root = ledger.page(name) or ledger.begun(name, {})
        with Leader(root, lambda: False) as leader:
            found = study(url, name, int(trials), float(cost), Path(log), leader=leader)
    else:
        while (page := ledger.page(name)) is None or page.attributes().get(STATE) != RUNNING:
            time.sleep(0.1)
        try:
            with Follower(page, name, 60.0) as follower:
                found = study(url, name, int(trials), float(cost), Path(log), follower=follower)
        except RunOver:
            found = []
    print(json.dumps([[t.number, t.values, t.score] for t in found]))


if __name__ == "__main__":
    main(*sys.argv[1:])
