"""A run is a batch job: it may be killed, stopped, joined and resumed, and gives the bytes of an undisturbed run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from optimise.tiny_line import write_tiny_line

import workbench
from workbench.cli import run
from workbench.game.load import load_definition
from workbench.optimise.ledger import Ledger, forget_storages
from workbench.optimise.run import best_of_rounds, better_of, full_figures
from workbench.optimise.study import StudySettings
from workbench.optimise.target import read_target
from workbench.reels.files import canonical_bytes, load_strip_set

FILES = ("tuned.json", "tuned.figures.json", "tuned.target.toml")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(workbench.__path__[0]).parent)}
FEW = ("--seed", "1", "--trials", "40")


@pytest.fixture(autouse=True)
def closed():
    yield
    forget_storages()


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    return write_tiny_line(tmp_path_factory.mktemp("game"))


@pytest.fixture(scope="module")
def undisturbed(game, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed")
    assert run(["optimise", game, "--out", str(out), *FEW]) == 0
    forget_storages()
    return out


def started(*arguments):
    command = [sys.executable, "-m", "workbench", *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )


def wait_for(what, process=None):
    until = time.monotonic() + 60
    while not what():
        assert time.monotonic() < until
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(0.02)


def same_files(one, other):
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in FILES)


def events(out):
    return [json.loads(line) for line in (out / "tuned.log.jsonl").read_text().splitlines()]


def test_killed_at_any_instant_and_resumed_it_gives_the_same_bytes(game, undisturbed, tmp_path):
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    process = started("optimise", game, "--out", tmp_path, *FEW)
    journal = tmp_path / "tuned.study.journal"
    wait_for(lambda: journal.exists() and b"tuned.lines" in journal.read_bytes(), process)
    time.sleep(random.Random(seed).uniform(0, 0.7))
    process.kill()
    process.communicate()
    assert run(["optimise", game, "--out", str(tmp_path), *FEW, "--resume"]) == 0
    assert same_files(tmp_path, undisturbed)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_with_the_best_so_far_and_the_way_on(game, undisturbed, tmp_path, number):
    process = started("optimise", game, "--out", tmp_path, *FEW)
    journal = tmp_path / "tuned.study.journal"
    wait_for(lambda: journal.exists() and b"tuned.lines" in journal.read_bytes(), process)
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    line = error.splitlines()[-1]
    assert line.startswith(
        "workbench: interrupted: the best so far is written; go on with: workbench optimise"
    )
    assert line.endswith("--resume")
    assert run(["verify", str(tmp_path / "tuned.json"), "--game", game]) == 0
    assert [e["event"] for e in events(tmp_path) if e["event"] != "improvement"] == ["begun", "stopped"]
    words = line.partition("workbench optimise ")[2].split()
    assert run(["optimise", *words]) == 0
    assert same_files(tmp_path, undisturbed)


def test_who_joins_scores_and_changes_nothing(game, undisturbed, tmp_path, capfd):
    url, out = str(tmp_path / "shared.journal"), tmp_path / "out"
    helper = started("work", "--storage", url, "--study", "shared", "--json", "--game", game, "--wait", "30")
    leader = started("optimise", game, "--storage", url, "--study", "shared", "--out", out, *FEW)
    answer, error = helper.communicate(timeout=60)
    leader.communicate(timeout=60)
    assert (leader.returncode, helper.returncode) == (0, 0), error
    assert json.loads(answer)["study"] == "shared"
    assert "the run is over" in error
    assert same_files(out, undisturbed)


def test_the_log_tells_enough_to_run_it_again(game, undisturbed):
    head, *steps, end = events(undisturbed)
    assert head["event"] == "begun" and head["format"] == "workbench.log/1"
    assert head["command"].startswith(f"workbench optimise {game} ")
    assert head["settings"]["seed"] == 1 and head["settings"]["trials"] == 40
    assert "numba" in head["versions"]["libraries"] and head["versions"]["program"]
    assert head["machine"]["cores"] == os.cpu_count() and len(head["machine"]) == 2
    assert head["target"]["name"] == "tuned"
    scores = [step["score"] for step in steps if step["stage"] == "strips"]
    assert scores and scores == sorted(scores, reverse=True)
    assert end["event"] == "finished" and end["met"] is True and end["misses"] == []
    assert end["figures"] == json.loads((undisturbed / "tuned.figures.json").read_text())
    assert set(end["files"]) == set(FILES)


class Rounds:
    """Stands in for the searches: round i finds ``strips[i]``."""

    def __init__(self, strips):
        self.strips, self.asked = strips, []

    def __call__(self, game, target, settings, progress):
        self.asked.append((settings.name, settings.seed))
        return self

    def run(self, start):
        return self.strips[min(len(self.asked), len(self.strips)) - 1]


def test_until_met_goes_on_with_the_next_seeds_and_finished_rounds_are_kept(
    game, undisturbed, tmp_path, monkeypatch
):
    definition, target = (
        load_definition(Path(game)),
        read_target(Path(game).with_name("tiny-line.target.toml")),
    )
    met = load_strip_set(undisturbed / "tuned.json", definition)
    worse = met.with_reels("base", ((*met.reels["base"][0], "Seven"), *met.reels["base"][1:]))
    worst = met.with_reels("base", ((*met.reels["base"][0], *["Seven"] * 9), *met.reels["base"][1:]))
    settings = StudySettings("s", 7, 1, 1, None, False)

    def found(strips, rounds, settings=settings):
        searches = Rounds(strips)
        monkeypatch.setattr("workbench.optimise.run.search_for", searches)
        return best_of_rounds(definition, target, settings, rounds, None, lambda *_: None)[0], searches.asked

    assert found([worst, worse, met, worst], 9) == (met, [("s", 7), ("s.round-2", 8), ("s.round-3", 9)])
    assert found([worst, worse, worst], 3)[0] == worse
    assert found([worst, met], 1) == (worst, [("s", 7)])
    kept = replace(settings, storage=str(tmp_path / "a.journal"), resume=True)
    late = replace(kept, name="late", stop=Event())
    assert found([worst, worse], 2, kept) == (worse, [("s", 7), ("s.round-2", 8)])
    assert found([met], 9, kept) == (met, [("s.round-3", 9)])
    assert found([worst], 9, kept) == (met, [])
    assert found([worst], 1, replace(kept, trials=2)) == (worst, [("s", 7)])
    late.stop.set()
    assert found([worst, met], 9, late) == (worst, [("late", 7)])
    assert found([met], 1, replace(late, stop=Event())) == (met, [("late", 7)])


def root_of(url, **changes):
    """The root study of a run that has ended, its attributes changed and its state said to be running."""
    page = Ledger.at(str(url)).page("tuned")
    for key, value in {"state": "running", **changes}.items():
        page.set(key, value)
    return page


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"program": "0.0.9 (0123456789ab)"}, "is run by workbench 0.0.9 (0123456789ab), but this is"),
        ({"definition sha256": "0" * 64}, "its definition has the SHA-256"),
        ({"definition": "format = 3"}, "definition"),
        (
            {"format": "another"},
            "must be a study of workbench optimise (workbench.study/1), but got 'another'",
        ),
        ({"targets": 3}, "its order can't be understood"),
        ({"state": "finished"}, "can't be joined (its run is finished, after 0 s)"),
    ],
)
def test_a_worker_that_does_not_fit_refuses(undisturbed, tmp_path, capfd, changes, says):
    url = tmp_path / "copy.journal"
    url.write_bytes((undisturbed / "tuned.study.journal").read_bytes())
    root_of(url, **changes)
    assert run(["work", "--storage", str(url), "--study", "tuned", "--wait", "0"]) == 2
    error = capfd.readouterr().err
    assert says in error and error.count("\n") == 1


def test_a_worker_with_another_definition_refuses(game, undisturbed, tmp_path, capfd):
    url = tmp_path / "copy.journal"
    url.write_bytes((undisturbed / "tuned.study.journal").read_bytes())
    root_of(url)
    other = tmp_path / "tiny-line.toml"
    other.write_text(Path(game).read_text().replace("Tiny Line", "Tinier Line"))
    assert run(["work", "--storage", str(url), "--study", "tuned", "--game", str(other)]) == 2
    error = capfd.readouterr().err
    assert "has the SHA-256" in error and error.count("\n") == 1


def test_resuming_another_order_is_refused(game, undisturbed, tmp_path, capfd):
    (tmp_path / "tuned.study.journal").write_bytes((undisturbed / "tuned.study.journal").read_bytes())
    assert run(["optimise", game, "--out", str(tmp_path), "--seed", "2", "--resume"]) == 2
    error = capfd.readouterr().err
    assert "was begun with another seed 1; begin another with --study" in error and error.count("\n") == 1


def test_a_password_is_shown_nowhere():
    from workbench.optimise.patience import shown

    assert shown("mysql://me:hush@host/x") == "mysql://me:***@host/x"
    assert shown("postgresql://me:hu:sh/@x@host/x").count("hu") == 0


def test_a_resumed_run_that_is_stopped_early_keeps_the_better_set(game, undisturbed, tmp_path):
    definition, target = load_definition(Path(game)), read_target(undisturbed / "tuned.target.toml")
    good = load_strip_set(undisturbed / "tuned.json", definition)
    first = definition.symbols.regular[0]
    poor = replace(
        good, reels={name: ((first, *reels[0][1:]), *reels[1:]) for name, reels in good.reels.items()}
    )
    of_good, of_poor = full_figures(definition, good), full_figures(definition, poor)
    assert of_good["rtp"] != of_poor["rtp"]
    where = tmp_path / "tuned.json"
    for before, found in ((good, poor), (poor, good)):
        where.write_bytes(canonical_bytes(before))
        of_found = full_figures(definition, found)
        assert better_of(where, definition, target, found, of_found) == (good, of_good)
    where.write_text("{")
    assert better_of(where, definition, target, poor, of_poor) == (poor, of_poor)
