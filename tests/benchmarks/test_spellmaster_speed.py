"""Speed of the exact side on the shipped Spellmaster set; run with ``--benchmark-enable``, never timed in CI."""

import subprocess
import sys
from pathlib import Path

import pytest

from workbench.exact.colours import colour_law
from workbench.features.money_respins import all_respins
from workbench.game import find_game, load_definition
from workbench.reels.files import load_strip_set
from workbench.value.cap import cap_figures
from workbench.value.modifier_figures import modifier_figures
from workbench.value.modifier_round import evaluate

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def game():
    return load_definition(find_game("spellmaster"))


@pytest.fixture(scope="module")
def strips(game):
    return load_strip_set(ROOT / "strips/spellmaster/rtp-92.json", game)


def test_all_seven_modifier_sets(benchmark, game, strips):
    """At most 30 ms."""
    assert len(benchmark(all_respins, game, strips)) == 7


def test_colours_and_line_moments(benchmark, game, strips):
    marks = [("blue", "Blue"), ("golden", "Golden"), ("red", "Red")]
    assert benchmark(colour_law, game, strips.reels["base"], marks).win.sum() > 0


def test_all_exact_figures_of_one_candidate(benchmark, game, strips):
    """At most 50 ms."""
    assert benchmark(lambda: modifier_figures(evaluate(game, strips), cap=False))["rtp"] > 0.9


def test_the_estimate_of_the_cap(benchmark, game, strips):
    value = evaluate(game, strips)
    assert benchmark.pedantic(cap_figures, (value,), rounds=3, warmup_rounds=1)["rtp"] > 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_from_a_random_start_to_the_target(benchmark, tmp_path, seed):
    """At most 120 s on 2 cores."""
    if benchmark.disabled:
        pytest.skip("a benchmark only: --benchmark-enable")
    command = [sys.executable, "-m", "workbench", "optimise", "spellmaster", "--seed", str(seed), "--out"]
    found = benchmark.pedantic(subprocess.run, ([*command, str(tmp_path)],), rounds=1)
    assert found.returncode == 0
