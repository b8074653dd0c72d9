"""Speed of the exact side on the shipped Codex set; run with ``--benchmark-enable``, never timed in CI."""

import subprocess
import sys
from pathlib import Path

import pytest

from workbench.exact.line_hits import line_hits
from workbench.game import find_game, load_definition
from workbench.game.load import parse_definition
from workbench.reels.files import load_strip_set
from workbench.value.round import Evaluator, strategies

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def game():
    return load_definition(find_game("codex-of-fortune"))


@pytest.fixture(scope="module")
def strips(game):
    return load_strip_set(ROOT / "strips/codex-of-fortune/strategy.json", game)


def _all_figures(game, strips):
    value = Evaluator(game)(strips)
    return [value.rtp(name) for name in strategies(game)]


def test_lines_rtp_as_a_fraction(benchmark, game, strips):
    reels = strips.reels["base"]
    assert benchmark(line_hits, game, reels).rtp > 0


def test_all_figures_of_one_candidate(benchmark, game, strips):
    assert max(benchmark(_all_figures, game, strips)) > 0.9


def test_all_figures_with_re_spin_strips(benchmark, game, strips):
    text = find_game("codex-of-fortune").read_text().replace('spun = "position-reels"', 'spun = "strips"')
    other = parse_definition(text.encode(), "strips reading")
    strip = tuple("Collectable" if i % 11 == 0 else "Blank" for i in range(90))
    with_keys = tuple("Key" if i % 45 == 7 else symbol for i, symbol in enumerate(strip))
    changed = strips.with_reels("re_spins", (strip,) * 4 + (with_keys,))
    rtps = benchmark.pedantic(_all_figures, (other, changed), rounds=3, warmup_rounds=1)
    assert max(rtps) > 0.5


def _evaluate_cold():
    command = [sys.executable, "-m", "workbench", "evaluate", "codex-of-fortune/strategy", "--json"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout


def test_evaluate_from_a_cold_shell(benchmark):
    assert benchmark.pedantic(_evaluate_cold, rounds=3, warmup_rounds=1)


def test_search_from_nothing_to_all_targets(benchmark, game, tmp_path):
    from workbench.optimise.run import Options, optimise
    from workbench.optimise.target import default_target

    def search():
        out = tmp_path / str(len(list(tmp_path.iterdir())))
        return optimise(game, default_target(game.game), Options(out, workers=2), None, lambda *_: None)

    assert benchmark.pedantic(search, rounds=1).met
