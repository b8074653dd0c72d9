"""The commands from outside: JSON alone on stdout, one-line errors, a tally that goes on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from simulate.money_sets import likely_set, lively_set
from simulate.sets import realistic
from workbench.errors import WorkbenchError
from workbench.reels.files import canonical_bytes
from workbench.simulate.command import replay_command, simulate_command
from workbench.simulate.tally import read_tallies


@pytest.fixture
def strips(tmp_path: Path) -> str:
    path = tmp_path / "set.json"
    path.write_bytes(canonical_bytes(realistic()))
    return str(path)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(simulate_command, list(arguments))


def test_json_has_the_contract_s_names(strips: str) -> None:
    result = invoke(strips, "--rounds", "100000", "--seed", "7", "--strategy", "advertised", "--json")
    figures = json.loads(result.stdout)
    assert result.exit_code == 0
    for name in (
        "rtp",
        "hit_frequency",
        "standard_deviation",
        "volatility_index_90",
        "long_run_standard_deviation",
    ):
        assert set(figures[name]) == {"mean", "standard_error", "interval_99"}
    assert set(figures["components"]) == {
        "lines", "re_spins.lines", "re_spins.fortune_wins", "free_spins.lines", "free_spins.fortune_wins",
    }  # fmt: skip
    assert set(figures["features"]["re_spins"]) == {"probability", "one_in", "mean_win"}
    assert (figures["rounds"], figures["seed"], figures["strategy"]) == (100_000, 7, "advertised")
    parts = sum(part["mean"] for part in figures["components"].values())
    assert parts == pytest.approx(figures["rtp"]["mean"], rel=1e-12)
    assert sum(row["rounds"] for row in figures["wins"]) == 100_000


def test_result_is_the_same_whatever_the_workers(strips: str) -> None:
    results = [
        json.loads(invoke(strips, "--rounds", "50000", "--workers", k, "--json").stdout) for k in ("1", "3")
    ]
    for figures in results:
        figures.pop("seconds")
    assert results[0] == results[1]


def test_spellmaster(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_bytes(canonical_bytes(likely_set()))
    result = invoke(str(path), "--rounds", "50000", "--json")
    figures = json.loads(result.stdout)
    assert figures["strategy"] is None and "strategies" not in figures
    assert set(figures["modifier_sets"]["charge+multiply"]["parts"]) == {
        "money", "charge", "multiply", "jackpots", "full_grid",
    }  # fmt: skip
    assert "rtp" in figures["estimates"]["cap"]
    refused = CliRunner().invoke(simulate_command, [str(path), "--strategy", "advertised"])
    assert isinstance(refused.exception, WorkbenchError) and "no choice" in str(refused.exception)


def test_kept_tally_goes_on(strips: str, tmp_path: Path) -> None:
    out = str(tmp_path / "tally.json")
    first = invoke(strips, "--rounds", "30000", "--out", out)
    assert first.exit_code == 0 and "rtp" in first.stdout
    again = json.loads(invoke(strips, "--rounds", "70000", "--out", out, "--resume", "--json").stdout)
    unbroken = json.loads(invoke(strips, "--rounds", "70000", "--json").stdout)
    assert again["rounds"] == 70_000 and again["rtp"]["mean"] == unbroken["rtp"]["mean"]
    both = json.loads(
        invoke(strips, "--rounds", "70000", "--seed", "2", "--out", out, "--resume", "--json").stdout
    )
    assert both["rounds"] == 140_000 and both["seeds"] == [1, 2]
    assert sum(tally.rounds for tally in read_tallies(Path(out))) == 140_000


def test_complete_run_is_not_played_again(strips: str, tmp_path: Path) -> None:
    out = str(tmp_path / "tally.json")
    once = json.loads(invoke(strips, "--rounds", "30000", "--out", out, "--json").stdout)
    kept = Path(out).read_bytes()
    again = json.loads(invoke(strips, "--rounds", "30000", "--out", out, "--resume", "--json").stdout)
    assert Path(out).read_bytes() == kept and again["rtp"] == once["rtp"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rounds", "0"], "--rounds: must be 1 to"),
        (["--seed", "-1"], "--seed: must be 0 to"),
        (["--workers", "0"], "--workers: must be at least 1"),
        (["--strategy", "best"], "--strategy: must be one of"),
        (["--resume"], "--resume: needs --out"),
        (["--strategy", "optimal"], r"set\.figures\.json is missing"),
    ],
)
def test_bad_requests(strips: str, arguments: list[str], said: str) -> None:
    error = invoke(strips, *arguments).exception
    assert isinstance(error, WorkbenchError) and error.exit_code == 2
    assert re.search(said, str(error)) and "\n" not in str(error)


def test_tally_is_not_overwritten(strips: str, tmp_path: Path) -> None:
    out = str(tmp_path / "tally.json")
    invoke(strips, "--rounds", "30000", "--out", out)
    error = invoke(strips, "--rounds", "30000", "--out", out).exception
    assert isinstance(error, WorkbenchError) and "--resume" in str(error)


def test_missing_file() -> None:
    error = invoke("nowhere/none").exception
    assert isinstance(error, WorkbenchError) and "nowhere/none" in str(error)


def test_strategy_of_a_file(strips: str, tmp_path: Path) -> None:
    table = tmp_path / "mine.json"
    table.write_text(json.dumps({"name": "mine", "save": [[[[1], [0]]] * 5] * 2, "use": [0, 1]}))
    figures = json.loads(invoke(strips, "--rounds", "30000", "--strategy", str(table), "--json").stdout)
    assert figures["strategy"] == "mine"
    table.write_text('{"name": "mine", "save": [[2]], "use": [0]}')
    assert isinstance(invoke(strips, "--strategy", str(table)).exception, WorkbenchError)


def test_replay_tells_the_round_that_was_counted(strips: str) -> None:
    """The rounds of a short run, replayed one by one, win what the run won."""
    rounds = 12
    figures = json.loads(
        invoke(strips, "--rounds", str(rounds), "--seed", "9", "--strategy", "never-save", "--json").stdout
    )
    total = 0.0
    for number in range(rounds):
        arguments = [strips, "--round", str(number), "--seed", "9", "--strategy", "never-save", "--json"]
        told = json.loads(CliRunner().invoke(replay_command, arguments).stdout)
        total += told["win"]
        assert told["events"][0]["event"] == "BaseSpin"
    assert total == pytest.approx(figures["rtp"]["mean"] * rounds, rel=1e-12)


def test_replay_for_people_counts_reels_from_one(strips: str) -> None:
    result = CliRunner().invoke(replay_command, [strips, "--round", "3", "--strategy", "advertised"])
    assert result.exit_code == 0 and result.stdout.startswith("round 3 of seed 1")
    assert "base spin, stops" in result.stdout and "Keys banked" in result.stdout


def test_replay_of_spellmaster(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_bytes(canonical_bytes(lively_set(3)))
    figures = json.loads(invoke(str(path), "--rounds", "12", "--seed", "4", "--json").stdout)
    total, words = 0.0, ""
    for number in range(12):
        arguments = [str(path), "--round", str(number), "--seed", "4"]
        total += json.loads(CliRunner().invoke(replay_command, [*arguments, "--json"]).stdout)["win"]
        words += CliRunner().invoke(replay_command, arguments).stdout
    assert total == pytest.approx(figures["rtp"]["mean"] * 12, rel=1e-12)
    for word in ("Orbs in sight", "wheel trigger.", "respin 1:", "respins end with", "stashes at"):
        assert word in words
