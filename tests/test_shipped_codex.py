"""The shipped Codex set does what its issue asks, judged on figures that come out now."""

from pathlib import Path

import numpy as np
import pytest

from workbench.game import find_game, load_definition
from workbench.optimise.target import default_target, misses
from workbench.reels.breaches import breaches
from workbench.reels.files import canonical_bytes, load_strip_set
from workbench.value.figures import figures
from workbench.value.round import evaluate

FOLDER = Path(__file__).parents[1] / "strips/codex-of-fortune"


@pytest.fixture(scope="module")
def game():
    return load_definition(find_game("codex-of-fortune"))


@pytest.fixture(scope="module")
def strips(game):
    return load_strip_set(FOLDER / "strategy.json", game)


@pytest.fixture(scope="module")
def found(game, strips):
    return figures(evaluate(game, strips))


def test_the_published_figures(found):
    assert abs(found["strategies"]["worst"] - 0.902) <= 1e-6
    assert abs(found["strategies"]["optimal"] - 0.98) <= 1e-6
    assert abs(found["hit_frequency"] - 0.254) <= 0.001
    assert sum(found["components"].values()) == pytest.approx(found["rtp"], abs=1e-15)


def test_the_strategies(found):
    assert found["optimal_policy"]["use_at"] == 3
    assert 0 <= found["strategies"]["optimal"] - found["strategies"]["advertised"] <= 0.0005
    assert abs(found["strategies"]["always-save-use-at-1"] - 0.96) <= 0.005
    assert found["keys"]["load"] <= 0.8


def test_no_chance_is_negative_and_the_impossible_has_none(found):
    ladder = np.array(found["features"]["re_spins"]["ladder"])
    assert (ladder >= 0).all()
    # a lone Key is always saved on the low steps, so that no such prize is awarded on level 2
    assert (ladder[1, :3] == 0).all() and ladder[1, 3] > 0
    assert (np.array(found["features"]["free_spins"]["ladder"]) >= 0).all()


def test_the_frequencies(found):
    assert 40 <= found["features"]["re_spins"]["one_in"] <= 150
    assert 120 <= found["features"]["free_spins"]["one_in"] <= 600
    assert found["top_prize"]["value"] == 10000
    assert 1e6 <= found["top_prize"]["one_in"] <= 1e8


def test_strips_that_look_like_strips(game, strips):
    assert breaches(strips, game, default_target(game.game).strip_rules) == ()
    for reels in (strips.reels["base"], strips.reels["free"]):
        shares = {s: [strip.count(s) / len(strip) for strip in reels] for s in game.symbols.regular}
        assert all(40 <= len(strip) <= 120 for strip in reels)
        assert all(0 < share <= 0.2 for row in shares.values() for share in row)
        mean = {tier: np.mean([shares[s] for s in symbols]) for tier, symbols in game.symbols.tiers.items()}
        assert mean["high"] <= mean["medium"] <= mean["low"]


def test_the_file_is_canonical_and_meets_its_own_target(game, strips, found):
    assert (FOLDER / "strategy.json").read_bytes() == canonical_bytes(strips)
    assert misses(default_target(game.game), found) == []
