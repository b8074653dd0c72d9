"""One study, four workers and a real PostgreSQL: whatever is killed, the trials are those of one undisturbed process."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from optimise.far_worker import MET, study
from optimise.postgres import server
from optimise.tiny_line import write_tiny_line

import workbench
from workbench.cli import run
from workbench.optimise.ledger import Ledger, forget_storages

WORKER = Path(__file__).with_name("far_worker.py")
TRIALS = 160


@pytest.fixture(scope="module")
def postgres():
    with server() as made:
        yield made
    forget_storages()


@pytest.fixture(scope="module")
def undisturbed():
    return study(None, "alone", TRIALS, 0.0, None)


class Crew:
    """A leader and three followers; those left over are killed at the end."""

    def __init__(self, url, folder, cost):
        self.folder = folder
        command = [sys.executable, str(WORKER), url, "s", str(TRIALS), str(cost), str(folder), "3"]
        environment = {**os.environ, "PYTHONPATH": str(Path(workbench.__path__[0]).parent)}
        self.parent = subprocess.Popen(command, env=environment, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.parent.poll() is None:
            os.killpg(self.parent.pid, signal.SIGKILL)
        self.parent.wait()

    def scored(self):
        """The numbers of all evaluations that were begun, of each process."""
        logs = [self.folder / f"{i}.log" for i in range(4)]
        return [[int(n) for n in log.read_text().split()] if log.exists() else [] for log in logs]

    def wait_for(self, number):
        until = time.monotonic() + 60
        while sum(map(len, self.scored())) < number:
            assert time.monotonic() < until and self.parent.poll() is None
            time.sleep(0.02)

    def kill(self, process):
        os.kill(int((self.folder / f"{process}.pid").read_text()), signal.SIGKILL)

    def trials(self, process):
        return json.loads((self.folder / f"{process}.json").read_text())


def test_two_of_four_workers_are_killed_and_the_server_restarts(postgres, undisturbed, tmp_path):
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    rng = random.Random(seed)
    assert undisturbed[-1].score > 0 and min(t.score for t in undisturbed) <= MET
    with Crew(postgres.url(), tmp_path, 0.06) as crew:
        crew.wait_for(16)
        for process in rng.sample([1, 2, 3], 2):
            time.sleep(rng.uniform(0.0, 0.5))
            crew.kill(process)
        postgres.control("-m", rng.choice(["fast", "immediate"]), "restart")
        assert crew.parent.wait(timeout=60) == 0
        begun = crew.scored()
    wanted = [[t.number, t.values, t.score] for t in undisturbed]
    assert crew.trials(0) == wanted
    ended = [i for i in (1, 2, 3) if (tmp_path / f"{i}.json").exists()]
    assert len(ended) == 1 and crew.trials(ended[0]) in (wanted, [])
    numbers = [n for process in begun for n in process]
    assert set(numbers) == {t.number for t in undisturbed}
    assert begun[0] and begun[ended[0]]
    # A trial is begun again only if its worker died, or the restart left in doubt who held it.
    assert len(numbers) - len(set(numbers)) <= 8
    ledger = Ledger.at(postgres.url())
    page = ledger.page("s.stage")
    trials = ledger.storage.get_all_trials(page.study)
    assert [t.user_attrs["index"] for t in trials] == list(range(len(undisturbed)))
    assert [t.value for t in trials] == [t.score for t in undisturbed]
    assert all(t.state.name == "COMPLETE" for t in trials)


def test_a_password_that_is_wrong_is_one_line_without_it(postgres, tmp_path, capsys):
    import psycopg

    with psycopg.connect(postgres.url()) as connection:
        connection.execute("create role locked login password 'right'")
    url = postgres.url().replace("workbench@", "locked:hush-hush@")
    game, out = write_tiny_line(tmp_path), tmp_path / "out"
    assert run(["optimise", game, "--storage", url, "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "password authentication failed" in error and "hush" not in error
    assert list(out.iterdir()) == []
