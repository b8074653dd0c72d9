"""The search for Codex as a user meets it: same bytes twice, targets out of reach, nothing half-written."""

import json

import pytest
from click.testing import CliRunner

from workbench.cli import cli, run
from workbench.optimise.target import default_target, target_toml


def _optimise(out, *more):
    return run(["optimise", "codex-of-fortune", "--out", str(out), *more])


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    out = tmp_path_factory.mktemp("first")
    return out, _optimise(out, "--seed", "1", "--workers", "2")


def test_the_target_is_met_and_verified(found):
    out, code = found
    assert code == 0
    assert run(["verify", str(out / "strategy.json")]) == 0
    figures = json.loads((out / "strategy.figures.json").read_text())
    assert abs(figures["strategies"]["worst"] - 0.902) <= 1e-6
    assert abs(figures["rtp"] - 0.98) <= 1e-6


def test_the_same_seed_gives_the_same_bytes_with_any_workers(tmp_path):
    few = ("--seed", "5", "--trials", "8")
    codes = {_optimise(tmp_path / workers, *few, "--workers", workers) for workers in ("1", "2")}
    assert len(codes) == 1
    for name in ("strategy.json", "strategy.figures.json", "strategy.target.toml"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_from_a_given_set_another_rtp_is_met(found, tmp_path):
    first, _ = found
    code = _optimise(tmp_path, "--start", str(first / "strategy.json"), "--rtp", "0.978")
    assert code == 0
    figures = json.loads((tmp_path / "strategy.figures.json").read_text())
    assert abs(figures["rtp"] - 0.978) <= 1e-6
    assert abs(figures["strategies"]["worst"] - 0.902) <= 1e-6


@pytest.mark.parametrize(
    ("figure", "change", "says"),
    [
        ("rtp", {"value": 4000.0}, "out of reach; the search proposes sets from"),
        ("hit_frequency", {"value": 0.99}, "out of reach; the search proposes sets from"),
        ("strategies.worst", {"value": 0.99}, "both can't hold"),
    ],
)
def test_a_target_out_of_reach_is_named_and_nothing_is_written(figure, change, says, tmp_path, capsys):
    target = default_target("codex-of-fortune")
    figures = tuple(f.model_copy(update=change) if f.figure == figure else f for f in target.figures)
    path = tmp_path / "t.toml"
    path.write_text(target_toml(target.model_copy(update={"figures": figures})))
    out = tmp_path / "out"
    assert _optimise(out, "--target", str(path)) == 2
    error = capsys.readouterr().err
    assert figure in error and says in error and error.count("\n") == 1
    assert not out.exists()


def test_bad_requests(tmp_path, capsys):
    blocked = tmp_path / "file"
    blocked.write_text("x")
    for arguments, says in [
        (["optimise", "no-such-game"], "codex-of-fortune"),
        (["optimise", "codex-of-fortune", "--out", str(blocked / "x")], "can't be written"),
        (["optimise", "codex-of-fortune", "--rtp"], "--rtp"),
        (["optimise", "codex-of-fortune", "--target", str(tmp_path / "none.toml")], "can't be read"),
        (
            ["optimise", "codex-of-fortune", "--storage", "weird://x", "--out", str(tmp_path / "o")],
            "--storage",
        ),
    ]:
        assert run(arguments) == 2
        error = capsys.readouterr().err
        assert says in error and error.count("\n") == 1, error


def test_help_shows_an_example():
    text = CliRunner().invoke(cli, ["optimise", "--help"]).output
    assert "workbench optimise codex-of-fortune --out out" in text
