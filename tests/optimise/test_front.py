"""The front of a game whose strip sets can all be listed, and the commands that write several sets."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from optimise.small_fronts import enumerated_front, write_small_front
from optimise.tiny_line import write_tiny_line

import workbench
from workbench.cli import run
from workbench.errors import TargetError, UsageError
from workbench.game.load import load_definition
from workbench.optimise.front import FrontSearch
from workbench.optimise.ledger import forget_storages
from workbench.optimise.objectives import Objectives
from workbench.optimise.study import StudySettings
from workbench.optimise.target import read_target

TWO = ("--objective", "pareto", "--trials", "8", "--pulls", "2")
FEW = ("--trials", "8", "--pulls", "1")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(workbench.__path__[0]).parent)}


@pytest.fixture(autouse=True)
def closed():
    yield
    forget_storages()


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return write_small_front(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return write_tiny_line(tmp_path_factory.mktemp("tiny"), 0.4)


def target_of(game):
    return read_target(Path(game).with_name(Path(game).name.replace(".toml", ".target.toml")))


@pytest.mark.parametrize("prefer", [(), ("high-volatility", "low-feature-share")])
def test_the_front_is_the_enumerated_one(small, prefer):
    objectives = Objectives.of(target_of(small), prefer)
    settings = StudySettings("traded", 1, 8, 2, None, False)
    search = FrontSearch(load_definition(Path(small)), objectives, settings, lambda *_: None, 240)
    search.run(1, None)
    members = search.members(999)
    found = [tuple(round(cost, 9) for cost in member.costs) for member in members]
    wanted = enumerated_front(objectives.signs)
    assert len(wanted) > 5
    assert set(found) == wanted and len(found) == len(wanted)


def files_of(folder, kind):
    return {p.name: p.read_bytes() for p in folder.iterdir() if f"-{kind}" in p.name or p.suffix == ".md"}


def test_a_front_is_written_the_same_for_the_same_seed(small, tmp_path, capfd):
    outs = [tmp_path / "a", tmp_path / "b"]
    for out, workers in zip(outs, ("1", "2"), strict=True):
        asked = ["--objective", "pareto", "--members", "4", "--workers", workers, *FEW]
        assert run(["optimise", small, "--out", str(out), *asked]) == 0
        forget_storages()
    shown = capfd.readouterr().out
    assert "low error  high hits  low deviation  high share" in shown
    assert files_of(outs[0], "p") == files_of(outs[1], "p")
    table = json.loads((outs[0] / "traded.front.json").read_bytes())
    assert 1 < len(table["front"]) <= 4
    for row in table["front"]:
        assert run(["verify", str(outs[0] / f"{row['name']}.json"), "--game", small]) == 0
        figures = json.loads((outs[0] / f"{row['name']}.figures.json").read_bytes())
        assert (figures["rtp"], figures["hit_frequency"]) == (row["rtp"], row["hit_frequency"])
        assert row["feature_share"] == 1 - figures["components"]["lines"] / figures["rtp"]
    events = [json.loads(line) for line in (outs[0] / "traded.log.jsonl").read_text().splitlines()]
    assert (events[0]["event"], events[-1]["event"], events[-1]["met"]) == ("begun", "finished", True)


@pytest.fixture(scope="module")
def undisturbed(small, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed")
    assert run(["optimise", small, *TWO, "--out", str(out)]) == 0
    forget_storages()
    return out


def test_json_has_the_members_and_their_figures(small, tmp_path, capfd):
    asked = ["--objective", "pareto", "--json", "--prefer", "high-volatility", *FEW]
    assert run(["optimise", small, "--out", str(tmp_path), *asked]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["better"]["standard_deviation"] == "high"
    assert found["met"] and len(found["front"]) == len(found["results"])
    assert all(Path(path).exists() for one in found["results"] for path in one["files"])


def test_stopped_it_writes_the_front_so_far_and_goes_on_to_the_undisturbed_one(small, undisturbed, tmp_path):
    command = [sys.executable, "-m", "workbench", "optimise", small, *TWO, "--out", str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)
    log, until = tmp_path / "traded.log.jsonl", time.monotonic() + 60
    while not (log.exists() and b"variations" in log.read_bytes()):
        assert time.monotonic() < until and process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    last = error.splitlines()[-1].decode()
    assert "the best so far is written; go on with: workbench optimise" in last
    table = json.loads((tmp_path / "traded.front.json").read_bytes())
    assert table["front"]
    assert all((tmp_path / f"{row['name']}.json").exists() for row in table["front"])
    assert run(["optimise", *last.partition("workbench optimise ")[2].split()]) == 0
    for name, content in files_of(undisturbed, "p").items():
        assert (tmp_path / name).read_bytes() == content


def test_no_time_gives_no_more_than_one_pull(small, tmp_path):
    asked = ["--objective", "pareto", "--timeout", "0", "--trials", "8"]
    assert run(["optimise", small, "--out", str(tmp_path), *asked]) in (0, 1)
    assert (tmp_path / "traded.front.json").exists()


def test_sets_that_differ_most(tiny, tmp_path, capfd):
    assert run(["optimise", tiny, "--diverse", "2", "--trials", "24", "--json", "--out", str(tmp_path)]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["met"] and found["searched"] == 4
    assert all(result["met"] for result in found["results"])
    (_, apart), (back, _) = found["distances"]
    assert apart == back > 0
    for name in ("tuned-d01", "tuned-d02"):
        assert run(["verify", str(tmp_path / f"{name}.json"), "--game", tiny]) == 0


def test_too_few_sets_are_written_and_exit_with_1(tiny, tmp_path, capfd):
    asked = ["--diverse", "3", "--trials", "24", "--timeout", "0"]
    assert run(["optimise", tiny, "--out", str(tmp_path), *asked]) == 1
    assert "TOO FEW: " in capfd.readouterr().out
    table = json.loads((tmp_path / "tuned.diverse.json").read_bytes())
    assert all((tmp_path / f"{one['name']}.json").exists() for one in table["sets"])


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--diverse", "2", "--objective", "pareto"], "--objective pareto: can't be used with --diverse"),
        (["--objective", "pareto", "--until-met"], "--objective pareto: can't be used with --until-met"),
        (["--members", "3"], "--members: needs --objective pareto"),
        (["--prefer", "low-hits"], "--prefer: needs --objective pareto"),
        (
            ["--objective", "pareto", "--prefer", "low-hits", "--prefer", "high-hits"],
            "--prefer: low-hits and high-hits go against each other",
        ),
        (
            ["--objective", "pareto", "--rtp", "0.9", "0.95"],
            "--objective pareto: needs a single RTP, but got 2",
        ),
        (["--diverse", "2", "--rtp", "0.9", "0.95"], "--diverse: needs a single RTP, but got 2"),
    ],
)
def test_what_does_not_go_together_is_said_in_one_line(tiny, tmp_path, capfd, words, line):
    assert run(["optimise", tiny, "--out", str(tmp_path / "out"), *words]) == 2
    assert capfd.readouterr().err == f"workbench: error: {line}\n"
    assert not (tmp_path / "out").exists()


def test_a_front_is_not_resumed_with_other_objectives(small, tmp_path, capfd):
    asked = ["optimise", small, "--objective", "pareto", "--out", str(tmp_path), *FEW]
    assert run(asked) == 0
    forget_storages()
    assert run([*asked, "--prefer", "low-hits", "--resume"]) == 2
    assert "--resume: the study 'traded' was begun with another objectives" in capfd.readouterr().err


def test_what_is_traded_is_not_held(small):
    objectives = Objectives.of(target_of(small), ())
    assert [figure.figure for figure in objectives.freed.figures] == ["rtp"]
    with pytest.raises(UsageError, match="needs the figure hit_frequency"):
        objectives.values({"rtp": 0.9, "components": {"lines": 0.5}})


def test_the_rtp_needs_a_value(small):
    target = target_of(small)
    ranged = target.model_copy(
        update={"figures": (target.figures[0].model_copy(update={"value": None, "least": 0.9}),)}
    )
    with pytest.raises(TargetError, match=r"^--objective pareto: the target must give 'rtp' a value$"):
        Objectives.of(ranged, ())
